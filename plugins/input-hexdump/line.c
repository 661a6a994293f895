/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lines of text with the bytes of a dump, as xxd, hexdump, od, gdb and consoles of devices print
 * them:
 *
 *     00000010: 6d67 6e6f 0001  gmon..
 *     00000010  67 6d 6f 6e 01 00  |gmon..|
 *     0x20000010 <buffer+16>:	0x6e6f6d67	0x00000001
 *     [00:00:01.250] <inf> gprof: 0010: 67 6d 6f 6e 01 00
 */
#include "line.h"

#include <string.h>

enum {
	MOST_STARTS = 24,     /* where in a line a dump can start */
	FARTHEST_START = 160, /* column */
	MOST_DIGITS = 16,     /* of an address, and of an item */
	FEWEST_DIGITS = 4,    /* of an address */
	LOOSE_BLANK = 2,      /* between items of a first line, once */
	FEWEST_PLAIN = 4,     /* bytes of a line without an address, each an item */
	FEWEST_PLAIN_DIGITS = 16
};

#define DIGIT(value) (HEX_VALID | (value))
const uint8_t hexdump_digit[256] = {
	['0'] = DIGIT(0),  ['1'] = DIGIT(1),  ['2'] = DIGIT(2),  ['3'] = DIGIT(3),
	['4'] = DIGIT(4),  ['5'] = DIGIT(5),  ['6'] = DIGIT(6),  ['7'] = DIGIT(7),
	['8'] = DIGIT(8),  ['9'] = DIGIT(9),  ['a'] = DIGIT(10), ['b'] = DIGIT(11),
	['c'] = DIGIT(12), ['d'] = DIGIT(13), ['e'] = DIGIT(14), ['f'] = DIGIT(15),
	['A'] = DIGIT(10), ['B'] = DIGIT(11), ['C'] = DIGIT(12), ['D'] = DIGIT(13),
	['E'] = DIGIT(14), ['F'] = DIGIT(15),
};
#undef DIGIT

size_t
hexdump_plain(char *to, const char *text, size_t length)
{
	size_t kept = 0;

	for (size_t i = 0; i < length;) {
		char c = text[i++];

		if (c != HEXDUMP_ESCAPE) {
			to[kept++] = c;
		} else if (i < length && text[i] == '[') {
			/* Parameters, and the letter that ends them. */
			for (i++; i < length && (text[i] < '@' || text[i] > '~'); i++)
				;
			i++;
		} else {
			i++;
		}
	}
	return kept;
}

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static const char *
skip_blank(const char *at, const char *end)
{
	while (at < end && is_blank(*at))
		at++;
	return at;
}

/* A word of hexadecimal digits. */
struct word {
	const char *text, *end; /* the digits, without "0x" */
	bool has_prefix;
	size_t digits;
};

/* Reads a word that ends with a blank, the end of the line, or a character that can follow it. */
static bool
take_word(struct word *word, const char *at, const char *end)
{
	word->has_prefix = end - at > 2 && at[0] == '0' && (at[1] | 0x20) == 'x';
	word->text = word->has_prefix ? at + 2 : at;
	for (at = word->text; at < end && hexdump_digit[(uint8_t)*at]; at++)
		;
	word->end = at;
	word->digits = (size_t)(at - word->text);
	return word->digits > 0;
}

static uint64_t
value_of(const struct word *word)
{
	uint64_t value = 0;

	for (const char *at = word->text; at < word->end; at++)
		value = value << 4 | (hexdump_digit[(uint8_t)*at] & 15u);
	return value;
}

/* Behind " <symbol+16>", as gdb names addresses; else where it was. */
static const char *
skip_symbol(const char *at, const char *end)
{
	const char *open = skip_blank(at, end), *close;

	if (open == at || open == end || *open != '<')
		return at;
	close = memchr(open, '>', (size_t)(end - open));
	/* Names of C++ have brackets of their own. */
	while (close && close + 1 < end && close[1] != ':')
		close = memchr(close + 1, '>', (size_t)(end - close - 1));
	return close && close + 1 < end ? close + 1 : at;
}

static uint8_t *
put_bytes(const char *text, size_t digits, uint8_t *out)
{
	for (size_t i = 0; i < digits; i += 2)
		*out++ = (uint8_t)(hexdump_digit[(uint8_t)text[i]] << 4 |
		                   (hexdump_digit[(uint8_t)text[i + 1]] & 15));
	return out;
}

/* What surrounds the items of a line that is being read. */
struct items {
	const struct form *form; /* NULL: this is the first line */
	const char *data, *end;
	uint32_t blank, blanks_of_two;
};

/* Whether the blanks before an item, or before what it is not, end the data. */
static bool
ends_data(const struct items *items, const struct line *line, const char *at)
{
	if (at == items->end || *at == '|' || *at == '>')
		return true;
	if (!items->form)
		return items->blank > LOOSE_BLANK ||
		       (items->blank == LOOSE_BLANK && items->blanks_of_two > 0);
	return line->count >= items->form->count || items->blank > items->form->most_blank;
}

/*
 * Words of a byte order print the last one, of fewer bytes, where a whole one would end: whether
 * this is one, although there are many blanks before it.
 */
static bool
is_aligned_rest(const struct items *items, const struct line *line, const struct word *word)
{
	const struct form *form = items->form;
	size_t last = line->count + line->item_bytes - 1;

	return form && form->item_bytes > 1 && form->fast_bytes > 0 && last < form->fast_bytes &&
	       word->digits % 2 == 0 && word->digits < 2 * (size_t)form->item_bytes &&
	       (size_t)(word->end - items->data) == (size_t)form->pair[last] + 2;
}

/* Whether what follows items that have ended can stand there; else the line is damaged. */
static bool
is_sound_end(const struct items *items, const char *at)
{
	return at == items->end || items->blank >= LOOSE_BLANK || *at == '|' || *at == '>';
}

/* Reads items of the size of the first one. */
static void
take_items(struct line *line, struct items *items, uint8_t *out)
{
	const char *at = items->data;
	uint8_t *begin = out;
	struct word word;
	bool is_rest = false;

	while (!is_rest) {
		const char *next = skip_blank(at, items->end);

		items->blank = (uint32_t)(next - at);
		line->past_data = at;
		if (next == items->end)
			return;
		if (line->count > 0 && ends_data(items, line, next)) {
			if (!take_word(&word, next, items->end) ||
			    !is_aligned_rest(items, line, &word))
				return;
		} else if (!take_word(&word, next, items->end) ||
		           word.has_prefix != line->has_prefix ||
		           word.digits > 2 * (size_t)line->item_bytes || word.digits % 2 != 0 ||
		           (word.end < items->end && !is_blank(*word.end) && *word.end != '|')) {
			line->what = is_sound_end(items, next) && line->count > 0 ? LINE_DATA
			                                                          : LINE_CUT;
			return;
		}
		is_rest = word.digits < 2 * (size_t)line->item_bytes;
		/* Only the last one has fewer digits; other words are what is beside the data. */
		if (is_rest && word.end < items->end &&
		    skip_blank(word.end, items->end) - word.end < LOOSE_BLANK &&
		    skip_blank(word.end, items->end) != items->end) {
			line->what = is_sound_end(items, next) ? LINE_DATA : LINE_CUT;
			return;
		}
		if (items->blank == LOOSE_BLANK && line->count > 0)
			items->blanks_of_two++;
		out = put_bytes(word.text, word.digits, out);
		line->count = (size_t)(out - begin);
		at = word.end;
	}
	line->past_data = at;
}

/* Whether a line without an address looks like bytes, and not like words that happen to be digits.
 */
static bool
is_plain(const struct line *line, const struct items *items, const struct word *first)
{
	const char *rest = skip_blank(line->past_data, items->end);

	if (rest != items->end && *rest != '|')
		return false;
	if (items->form)
		return items->form->kind == LINE_PLAIN;
	return line->item_bytes == 1 ? line->count >= FEWEST_PLAIN
	                             : first->digits >= FEWEST_PLAIN_DIGITS || line->count >= 8;
}

/* Takes items from the first one on; false: they are none. */
static bool
take_data(struct line *line, struct items *items, const char *at, uint8_t *out)
{
	struct word word;

	items->data = line->data = skip_blank(at, items->end);
	if (!take_word(&word, items->data, items->end) ||
	    (word.end < items->end && !is_blank(*word.end) && *word.end != '|'))
		return false;
	line->has_prefix = word.has_prefix;
	line->item_bytes = (uint32_t)(word.digits + 1) / 2;
	if (items->form && items->form->kind == line->kind && items->form->item_bytes > 0 &&
	    line->item_bytes < items->form->item_bytes)
		line->item_bytes = items->form->item_bytes;
	if (items->form && items->form->kind == LINE_PLAIN && line->kind == LINE_PLAIN &&
	    items->form->item_bytes > MOST_DIGITS / 2)
		line->item_bytes = items->form->item_bytes;
	line->what = LINE_DATA;
	take_items(line, items, out);
	/* Of many digits, one item is the line, as xxd -p prints it. */
	return true;
}

/* Whether the first word of a line is an address that only blanks divide from the data. */
static bool
is_bare_address(const struct word *first, const struct word *second, const struct form *form)
{
	if (first->digits < FEWEST_DIGITS || first->digits > MOST_DIGITS)
		return false;
	if (form)
		return form->kind == LINE_ADDRESSED && !form->has_colon;
	return first->has_prefix != second->has_prefix || first->digits != second->digits;
}

/* Tries to read a dump from a place in the line on. */
static bool
try_at(struct line *line, const char *at, const char *end, const struct form *form, uint8_t *out)
{
	struct items items = {.form = form, .end = end};
	struct word first, second;
	const char *past, *next;

	*line = (struct line){.kind = LINE_OTHER, .start = at, .digits = at};
	if (!take_word(&first, at, end))
		return false;
	past = skip_symbol(first.end, end);
	next = skip_blank(first.end, end);
	line->digits = first.text;
	line->past_digits = first.end;
	if (past < end && *past == ':' && first.digits >= FEWEST_DIGITS &&
	    first.digits <= MOST_DIGITS && (past + 1 == end || is_blank(past[1]))) {
		line->has_colon = true;
		past++;
	} else if (next == end && form && form->kind == LINE_ADDRESSED && !form->has_colon &&
	           first.digits >= FEWEST_DIGITS && first.digits <= MOST_DIGITS) {
		line->kind = LINE_ADDRESSED;
		line->what = LINE_ADDRESS;
		line->address = value_of(&first);
		return true;
	} else if (next > first.end && next < end && take_word(&second, next, end) &&
	           is_bare_address(&first, &second, form)) {
		past = first.end;
	} else {
		line->kind = LINE_PLAIN;
		line->digits = NULL;
		if (!take_data(line, &items, at, out) || !is_plain(line, &items, &first)) {
			line->kind = LINE_OTHER;
			return false;
		}
		return true;
	}
	line->kind = LINE_ADDRESSED;
	line->address = value_of(&first);
	if (take_data(line, &items, past, out) &&
	    (line->what == LINE_DATA || (form && form->kind == LINE_ADDRESSED)))
		return true;
	line->kind = LINE_OTHER;
	return false;
}

/* "@20000000" of Verilog: where the bytes of the next lines are. */
static bool
take_place(struct line *line, const char *text, const char *end)
{
	struct word word;

	if (text == end || *text != '@' || !take_word(&word, text + 1, end) || word.has_prefix ||
	    word.digits > MOST_DIGITS || skip_blank(word.end, end) != end)
		return false;
	*line = (struct line){.kind = LINE_PLAIN,
	                      .what = LINE_ADDRESS,
	                      .address = value_of(&word),
	                      .start = text};
	return true;
}

void
hexdump_line(struct line *line, const char *text, const char *end, const struct form *form,
             uint8_t *out)
{
	const char *at = skip_blank(text, end), *farthest;

	*line = (struct line){.kind = LINE_OTHER, .start = text};
	if (at == end || take_place(line, at, end))
		return;
	if (*at == '*' && form && skip_blank(at + 1, end) == end) {
		line->kind = form->kind;
		line->what = LINE_REPEATS;
		return;
	}
	if (form && form->start < (size_t)(end - text) && text + form->start > at &&
	    is_blank(text[form->start - 1]) && try_at(line, text + form->start, end, form, out))
		return;
	farthest = end - text > FARTHEST_START ? text + FARTHEST_START : end;
	for (uint32_t i = 0; i < MOST_STARTS && at < farthest; i++) {
		if (hexdump_digit[(uint8_t)*at] && try_at(line, at, end, form, out))
			return;
		while (at < farthest && !is_blank(*at))
			at++;
		at = skip_blank(at, end);
	}
	line->kind = LINE_OTHER;
}

/* Learns where the digits of each byte are. */
static void
learn_columns(struct form *form, const struct line *line)
{
	const char *at = line->data;
	size_t length = (size_t)(line->past_data - line->data), bytes = 0, gaps = 0;

	while (at < line->past_data) {
		size_t column = (size_t)(at - line->data);
		bool is_prefix = line->has_prefix && at + 1 < line->past_data && at[0] == '0' &&
		                 (at[1] | 0x20) == 'x';

		if (bytes == LINE_MOST_DATA || gaps + 2 > LINE_MOST_DATA)
			return;
		if (is_prefix || !hexdump_digit[(uint8_t)*at]) {
			for (int i = is_prefix ? 2 : 1; i > 0; i--) {
				form->gap[gaps] = (uint16_t)column++;
				form->gap_character[gaps++] = *at++;
			}
			continue;
		}
		form->pair[bytes++] = (uint16_t)column;
		at += 2;
	}
	form->gap_count = gaps;
	form->data_length = length;
	form->fast_bytes = bytes;
}

void
hexdump_learn(struct form *form, const struct line *line, const char *text)
{
	uint32_t blank = 0;

	*form = (struct form){.kind = line->kind,
	                      .has_colon = line->has_colon,
	                      .has_prefix = line->has_prefix,
	                      .item_bytes = line->item_bytes,
	                      .count = line->count,
	                      .start = (size_t)(line->start - text),
	                      .base = 16};
	if (line->kind != LINE_ADDRESSED && line->kind != LINE_PLAIN)
		return;
	for (const char *at = line->data; at < line->past_data; at++) {
		blank = is_blank(*at) ? blank + 1 : 0;
		form->most_blank = blank > form->most_blank ? blank : form->most_blank;
	}
	form->prefix_length = (size_t)(line->data - text);
	if (form->prefix_length > LINE_MOST_PREFIX || line->past_data - line->data > UINT16_MAX)
		return;
	memcpy(form->prefix, text, form->prefix_length);
	if (line->kind == LINE_ADDRESSED) {
		form->digits_at = (size_t)(line->digits - text);
		form->digit_count = (size_t)(line->past_digits - line->digits);
	}
	learn_columns(form, line);
}

bool
hexdump_fast_line(const struct form *form, const char *text, const char *end, uint64_t address,
                  uint8_t *out)
{
	size_t length = (size_t)(end - text), past = form->digits_at + form->digit_count;
	const char *data = text + form->prefix_length;
	uint8_t valid = HEX_VALID;
	uint8_t different = 0;

	if (form->fast_bytes == 0 || form->base != 16 ||
	    length < form->prefix_length + form->data_length ||
	    (length > form->prefix_length + form->data_length &&
	     !is_blank(data[form->data_length])))
		return false;
	if (form->digits_at > 0 && memcmp(text, form->prefix, form->digits_at) != 0)
		return false;
	if (memcmp(text + past, form->prefix + past, form->prefix_length - past) != 0)
		return false;
	for (size_t i = form->digit_count; i-- > 0; address >>= 4)
		different |= (uint8_t)(hexdump_digit[(uint8_t)text[form->digits_at + i]] ^
		                       (HEX_VALID | (address & 15)));
	for (size_t i = 0; i < form->gap_count; i++)
		different |= (uint8_t)(data[form->gap[i]] ^ form->gap_character[i]);
	for (size_t i = 0; i < form->fast_bytes; i++) {
		uint8_t high = hexdump_digit[(uint8_t)data[form->pair[i]]];
		uint8_t low = hexdump_digit[(uint8_t)data[form->pair[i] + 1]];

		valid &= high & low;
		out[i] = (uint8_t)(high << 4 | (low & 15));
	}
	return different == 0 && valid;
}
