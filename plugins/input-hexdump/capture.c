/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds dumps in a text.  What is no line of a dump is skipped.  Bytes of a dump that starts as a
 * profile have to be there without a gap; others can be of anything.
 */
#include "capture.h"

#include <string.h>

#include "../shared/grown.h"
#include "../shared/text-lines.h"
#include "damage.h"
#include "line.h"
#include "record.h"
#include "start.h"

enum {
	FIRST_ROOM = 4096,
	/* What "*" can make of a text: profiles of large programs are mostly zeros. */
	LEAST_LIMIT = 16 << 20,
	LIMIT_FACTOR = 4,
	/* Farther on, a line is of other memory: in a dump that runs, and after other lines. */
	FAR = 64 << 10,
	FAR_AFTER_OTHERS = 4 << 10
};

static void
reserve(struct capture *c, size_t more)
{
	size_t room = c->room == 0 ? FIRST_ROOM : c->room;

	if (more <= c->room - c->count)
		return;
	while (room - c->count < more)
		room *= 2;
	c->bytes = c->gx->host->grow(c->gx, c->bytes, c->room, room);
	c->room = room;
}

static struct dump *
last_dump(const struct capture *c)
{
	return &c->dumps[c->dump_count - 1];
}

bool
capture_is_profile(const struct capture *c, const struct dump *dump)
{
	return hexdump_start(c->bytes + dump->at, dump->count, dump->item_bytes) != START_UNKNOWN;
}

/* Whether the open dump is a profile; its first bytes may just have come. */
static bool
is_profile(struct capture *c)
{
	if (c->is_open && !c->is_profile)
		c->is_profile = capture_is_profile(c, last_dump(c));
	return c->is_open && c->is_profile;
}

/* Another dump follows, although no line said that this one ends: it may yet go on. */
static void
leave_dump(struct capture *c)
{
	if (is_profile(c))
		c->left = (struct left_dump){.is_set = true,
		                             .dump = c->dump_count - 1,
		                             .line = c->line_number,
		                             .form = c->form,
		                             .next = c->next,
		                             .last_count = c->last_count};
	c->is_open = false;
}

/* A dump begins with the line, whose bytes are behind the others already. */
static void
begin_dump(struct capture *c, struct line *line, const char *text)
{
	struct line alone;

	leave_dump(c);
	if (line->kind == LINE_ADDRESSED) {
		/* It need not look like those of the dump before. */
		hexdump_line(&alone, text, c->line_end, NULL, c->bytes + c->count);
		if (alone.kind == line->kind && alone.what == LINE_DATA)
			*line = alone;
	}
	c->dumps = grown(c->gx, c->dumps, sizeof *c->dumps, &c->dump_room, c->dump_count + 1, 8);
	c->dumps[c->dump_count++] = (struct dump){
		.at = c->count,
		.first_line = c->line_number,
		.item_bytes = line->item_bytes <= 8 ? line->item_bytes : 1,
		.has_colon = line->has_colon,
		.has_prefix = line->has_prefix,
		.address = line->address};
	c->is_open = true;
	c->is_profile = c->repeats = false;
	c->next = line->address;
	c->data_lines = 0;
	hexdump_learn(&c->form, line, text);
}

/*
 * Splits the dump where it went on after other lines, if a profile starts there: buffers can be
 * next to each other in memory.
 */
static void
split_resumed(struct capture *c)
{
	struct dump *dump = last_dump(c);
	size_t since = c->count - c->resumed_at, before = dump->count - since;
	struct dump next = *dump;

	c->is_resumed = since < HEXDUMP_HEAD;
	if (hexdump_start(c->bytes + c->resumed_at, since, dump->item_bytes) == START_UNKNOWN)
		return;
	c->is_resumed = false;
	/* The first lines of a profile can look like a profile without the very first one. */
	if (before < HEXDUMP_HEAD &&
	    hexdump_start(c->bytes + dump->at, before, dump->item_bytes) == START_UNKNOWN)
		return;
	next.at = c->resumed_at;
	next.count = since;
	next.first_line = c->resumed_line;
	next.address += before;
	dump->count = before;
	c->dumps = grown(c->gx, c->dumps, sizeof *c->dumps, &c->dump_room, c->dump_count + 1, 8);
	c->dumps[c->dump_count++] = next;
	c->is_profile = true;
}

static void
add_bytes(struct capture *c, size_t count)
{
	struct dump *dump = last_dump(c);

	if (c->was_interrupted || dump->count == 0) {
		c->is_resumed = dump->count > 0;
		c->resumed_at = c->count;
		c->resumed_line = c->line_number;
	}
	c->count += count;
	dump->count += count;
	c->next += count;
	c->last_count = count;
	c->data_lines++;
	c->records++;
	c->is_counted = false;
	c->was_interrupted = false;
	if (c->is_resumed)
		split_resumed(c);
}

/* Whether bytes up to an address may be added that the text does not have. */
static bool
is_within_limit(const struct capture *c, uint64_t address)
{
	uint64_t limit = LEAST_LIMIT + LIMIT_FACTOR * c->file->length;

	return c->count <= limit && address - c->next <= limit - c->count;
}

/* Adds bytes up to an address: those of the last line again, or zeros.  False: too many. */
static bool
fill(struct capture *c, uint64_t address, size_t period)
{
	size_t missing = (size_t)(address - c->next);

	if (!is_within_limit(c, address)) {
		damage_too_long(c);
		return false;
	}
	reserve(c, missing);
	for (size_t i = 0; i < missing; i++)
		c->bytes[c->count + i] = period > 0 ? c->bytes[c->count + i - period] : 0;
	c->count += missing;
	last_dump(c)->count += missing;
	c->next = address;
	return true;
}

/*
 * Fills the place before an address for which the form has no lines: "*" stands for equal ones, and
 * GNU tools leave zeros out of records of Tektronix.  The bytes of the line, which are behind the
 * others, move.  False: the dump ended, as it is damaged.
 */
static bool
fill_before(struct capture *c, const struct line *line)
{
	uint8_t kept[LINE_MOST_DATA];
	bool is_repeated = c->repeats, is_filled;

	c->repeats = false;
	if (line->address <= c->next || line->count > sizeof kept ||
	    !(is_repeated || (line->kind == LINE_TEKTRONIX && is_within_limit(c, line->address))))
		return true;
	memcpy(kept, c->bytes + c->count, line->count);
	is_filled = fill(c, line->address, is_repeated ? c->last_count : 0);
	if (is_filled) {
		reserve(c, line->count);
		memcpy(c->bytes + c->count, kept, line->count);
	}
	return is_filled;
}

/* Bytes that were there before: a line that is there twice is none the worse. */
static void
take_overlap(struct capture *c, const struct line *line)
{
	struct dump *dump = last_dump(c);
	size_t at = (size_t)(line->address - dump->address), same = dump->count - at;

	same = line->count < same ? line->count : same;
	for (size_t i = 0; i < same; i++) {
		if (c->bytes[dump->at + at + i] != c->bytes[c->count + i]) {
			damage_overlap(c, line->address + i, c->bytes[dump->at + at + i],
			               c->bytes[c->count + i]);
			return;
		}
	}
	memmove(c->bytes + c->count, c->bytes + c->count + same, line->count - same);
	if (line->count > same)
		add_bytes(c, line->count - same);
}

/* The address of a line in the base that the addresses of its dump have. */
static uint64_t
address_in(const struct line *line, uint32_t base)
{
	uint64_t value = 0;

	if (base == 16 || !line->digits)
		return line->address;
	for (const char *at = line->digits; at < line->past_digits; at++) {
		uint32_t digit = hexdump_digit[(uint8_t)*at] & 15u;

		if (digit >= base)
			return line->address;
		value = value * base + digit;
	}
	return value;
}

/* Learns from the second line whether addresses are octal or decimal, as od writes them. */
static void
learn_base(struct capture *c, const struct line *line)
{
	static const uint32_t bases[] = {8, 10};

	if (c->data_lines != 1 || line->address == c->next || last_dump(c)->address != 0)
		return;
	for (size_t i = 0; i < sizeof bases / sizeof *bases; i++)
		if (address_in(line, bases[i]) == c->next)
			c->form.base = bases[i];
}

/* A prompt can be before the first line; the next one shows where the others are. */
static void
learn_column(struct capture *c, const struct line *line, const char *text)
{
	uint32_t base = c->form.base;

	if (c->data_lines != 1 || line->kind != LINE_ADDRESSED || line->count != c->form.count ||
	    (size_t)(line->start - text) == c->form.start)
		return;
	hexdump_learn(&c->form, line, text);
	c->form.base = base;
}

/* Whether a line is the one before it once more. */
static bool
is_again(const struct capture *c, const struct line *line)
{
	return line->count == c->last_count && line->address == c->next - c->last_count &&
	       memcmp(c->bytes + c->count, c->bytes + c->count - c->last_count, line->count) == 0;
}

static bool
is_start(const struct capture *c, const struct line *line)
{
	return hexdump_start(c->bytes + c->count, line->count,
	                     line->item_bytes <= 8 ? line->item_bytes : 1) != START_UNKNOWN;
}

/*
 * Whether a line behind the end of a dump is of other memory, rather than of the dump, of which
 * lines are missing.
 */
static bool
is_far(const struct form *form, uint64_t next, size_t last_count, const struct line *line,
       bool was_interrupted)
{
	uint64_t distance = line->address - next;

	if (!was_interrupted)
		return distance > FAR;
	if (last_count < form->count && distance == form->count - last_count)
		return false;
	return distance > FAR_AFTER_OTHERS || last_count < form->count ||
	       line->has_colon != form->has_colon || line->has_prefix != form->has_prefix ||
	       (line->kind == LINE_ADDRESSED && line->item_bytes != form->item_bytes);
}

/* Whether a line that does not go on where the dump ended starts another one. */
static bool
starts_other(struct capture *c, const struct line *line)
{
	const struct dump *dump;

	if (!c->is_open || line->kind != c->form.kind || !is_profile(c))
		return true;
	if (is_start(c, line) && c->was_interrupted)
		return true;
	dump = last_dump(c);
	if (line->address < dump->address)
		return true;
	if (line->address == dump->address)
		return dump->count > line->count;
	return line->address > c->next &&
	       is_far(&c->form, c->next, c->last_count, line, c->was_interrupted);
}

/* Finds that a profile that another dump interrupted goes on with this line. */
static void
find_left(struct capture *c, const struct line *line)
{
	const struct left_dump *left = &c->left;
	struct line moved = *line;

	if (!left->is_set || line->kind != left->form.kind || is_start(c, line))
		return;
	moved.address = address_in(line, left->form.base);
	if (moved.address == left->next ||
	    (moved.address > left->next &&
	     !is_far(&left->form, left->next, left->last_count, &moved, true)))
		damage_left(c, moved.address);
}

/* The bytes of a line, which are behind the others, at its address. */
static void
take_addressed(struct capture *c, struct line *line, const char *text)
{
	if (c->is_open && line->kind == c->form.kind) {
		learn_base(c, line);
		line->address = address_in(line, c->form.base);
		if (!fill_before(c, line))
			return;
		if (line->address == c->next) {
			learn_column(c, line, text);
			add_bytes(c, line->count);
			return;
		}
		if (is_again(c, line))
			return;
	}
	if (starts_other(c, line)) {
		find_left(c, line);
		begin_dump(c, line, text);
		add_bytes(c, line->count);
	} else if (line->address > c->next) {
		damage_gap(c, line->address);
	} else {
		take_overlap(c, line);
	}
}

/* A line without an address: its bytes follow those of the line before.  False: it is not taken. */
static bool
take_plain(struct capture *c, struct line *line, const char *text)
{
	bool starts = is_start(c, line);
	bool is_open = c->is_open && c->form.kind == LINE_PLAIN;

	line->address = c->has_place ? c->place : 0;
	if (is_open && !c->has_place && !(starts && c->was_interrupted)) {
		if (c->was_interrupted && c->interrupted++ == 0)
			c->first_interrupted = c->last_skipped;
		if (c->last_count < c->form.count && is_profile(c))
			damage_short(c, c->form.count, c->last_count);
		else
			add_bytes(c, line->count);
		return true;
	}
	if (!starts && !c->has_place && !c->takes_any) {
		if (c->left.is_set && c->left.form.kind == LINE_PLAIN)
			damage_left(c, c->left.next);
		return false;
	}
	if (c->has_place && is_open && is_profile(c) && !starts && c->place > c->next &&
	    !is_far(&c->form, c->next, c->last_count, line, c->was_interrupted)) {
		damage_gap(c, c->place);
		return true;
	}
	if (!(c->has_place && is_open && c->place == c->next))
		begin_dump(c, line, text);
	c->has_place = false;
	add_bytes(c, line->count);
	return true;
}

/* The address behind the last byte, which dumps of words can round up. */
static void
take_end(struct capture *c, struct line *line)
{
	struct dump *dump = last_dump(c);

	line->address = address_in(line, c->form.base);
	if (c->repeats && line->address > c->next) {
		if (!fill(c, line->address, c->last_count))
			return;
	} else if (line->address > c->next && is_profile(c)) {
		damage_gap(c, line->address);
		return;
	}
	if (line->address < c->next && c->next - line->address < dump->item_bytes)
		dump->surplus = (size_t)(c->next - line->address);
	c->is_open = false;
}

/* Where the dump ends: the last record has a round number of bytes, and zeros are left out. */
static void
take_range(struct capture *c, const struct line *line)
{
	struct dump *dump = last_dump(c);

	if (line->address != dump->address || line->past <= line->address)
		return;
	if (line->past > c->next)
		fill(c, line->past, 0);
	else
		dump->surplus = (size_t)(c->next - line->past);
}

static bool
take_record(struct capture *c, struct line *line, const char *text)
{
	bool is_of_dump = c->is_open && line->kind == c->form.kind;

	switch (line->what) {
	case LINE_DATA:
		if (line->count > 0)
			take_addressed(c, line, text);
		else
			c->records++;
		return true;
	case LINE_END:
		c->base = 0;
		c->records = 0;
		if (c->is_open && !is_of_dump)
			return false;
		c->is_open = false;
		return true;
	case LINE_COUNT:
		c->is_counted = line->address == c->records;
		if (is_of_dump && !c->is_counted)
			damage_record(c, line);
		return true;
	case LINE_NOTE:
		return true;
	case LINE_RANGE:
		if (is_of_dump)
			take_range(c, line);
		return true;
	default:
		/* Lines of a log can look like it. */
		if (is_of_dump)
			damage_record(c, line);
		return is_of_dump;
	}
}

/* Whether the line is taken as one of a dump. */
static bool
take_line(struct capture *c, struct line *line, const char *text)
{
	if (line->kind == LINE_OTHER)
		return false;
	if (line->kind != LINE_ADDRESSED && line->kind != LINE_PLAIN)
		return take_record(c, line, text);
	if (line->what == LINE_REPEATS) {
		c->repeats = c->is_open;
	} else if (line->what == LINE_ADDRESS && line->kind == LINE_PLAIN) {
		c->has_place = true;
		c->place = line->address;
	} else if (line->what == LINE_ADDRESS) {
		take_end(c, line);
	} else if (line->what == LINE_CUT) {
		if (!is_profile(c) || line->kind != c->form.kind ||
		    line->has_colon != c->form.has_colon ||
		    (size_t)(line->start - text) != c->form.start)
			return false;
		damage_part(c);
	} else if (line->kind == LINE_PLAIN) {
		return take_plain(c, line, text);
	} else {
		take_addressed(c, line, text);
	}
	return true;
}

/* Takes colors and the like out of a line. */
static void
take_out_escapes(struct capture *c, const char **text, const char **end)
{
	size_t length = (size_t)(*end - *text);

	if (length > c->plain_room) {
		c->plain = c->gx->host->grow(c->gx, c->plain, c->plain_room, 2 * length);
		c->plain_room = 2 * length;
	}
	*end = c->plain + hexdump_plain(c->plain, *text, length);
	*text = c->plain;
}

static void
next_line(struct capture *c, const char *text, const char *end)
{
	struct line line;

	if (c->is_open && hexdump_fast_line(&c->form, text, end, c->next, c->bytes + c->count) &&
	    !c->repeats && !c->has_place && c->last_count == c->form.count &&
	    (c->form.kind == LINE_ADDRESSED || !c->was_interrupted)) {
		add_bytes(c, c->form.fast_bytes);
		return;
	}
	if (memchr(text, HEXDUMP_ESCAPE, (size_t)(end - text)))
		take_out_escapes(c, &text, &end);
	while (end > text && (end[-1] == '\r' || end[-1] == ' ' || end[-1] == '\t'))
		end--;
	if (end == text)
		return;
	c->line_end = end;
	if (!hexdump_record(&line, text, end, &c->base, c->bytes + c->count))
		hexdump_line(&line, text, end, c->is_open ? &c->form : NULL, c->bytes + c->count);
	if (take_line(c, &line, text))
		return;
	/* The first dump of a capture can be of something else. */
	if ((line.kind == LINE_OTHER || line.what == LINE_CUT) && c->is_open) {
		hexdump_line(&line, text, end, NULL, c->bytes + c->count);
		if (line.what == LINE_DATA && line.kind != LINE_OTHER &&
		    (!is_profile(c) || is_start(c, &line))) {
			leave_dump(c);
			if (take_line(c, &line, text))
				return;
			c->is_open = true;
		}
	}
	c->was_interrupted = true;
	c->last_skipped = c->line_number;
	if (c->skipped++ == 0)
		c->first_skipped = c->line_number;
}

void
capture_read(struct capture *c)
{
	struct text_lines lines = {(const char *)c->file->bytes, NULL, 0};
	const char *text;
	size_t length;

	if (c->file->length == 0)
		return;
	lines.end = lines.at + c->file->length;
	while (text_lines_next(&lines, &text, &length)) {
		c->line_number = lines.number;
		reserve(c, length / 2 + LINE_MOST_DATA);
		next_line(c, text, text + length);
	}
	if (c->is_open && !c->is_counted && c->form.kind != LINE_ADDRESSED &&
	    c->form.kind != LINE_PLAIN)
		damage_no_end(c);
}

void
capture_bytes(struct capture *c, const struct dump *dump, bool is_little_endian,
              struct gprofx_file *file)
{
	uint8_t *bytes = c->bytes + dump->at;
	enum start start = hexdump_start(bytes, dump->count, dump->item_bytes);

	/* What xxd prints is in the order of memory; others print words as the processor has them.
	 */
	if (start == START_UNKNOWN && dump->item_bytes > 1 &&
	    (!dump->has_colon || dump->has_prefix) && is_little_endian)
		start = START_REVERSED;
	if (start == START_REVERSED ||
	    start == (is_little_endian ? START_LITTLE_REVERSED : START_LITTLE_AS_WRITTEN))
		hexdump_reverse(bytes, dump->count, dump->item_bytes);
	file->bytes = bytes;
	file->length = dump->count - dump->surplus;
	/* Where no address says how many bytes there are, the last word is a whole one. */
	if (dump->surplus == 0 && dump->count % dump->item_bytes == 0)
		file->padding_bytes = dump->item_bytes - 1;
}
