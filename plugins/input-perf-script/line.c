/* SPDX-License-Identifier: Apache-2.0 */
#include "line.h"

#include <string.h>

#include "../shared/text-lines.h"

enum { LONGEST_TIME = 40, LEAST_DECIMALS = 6, LONGEST_ADDRESS = 16 };

static bool
is_hex(char c)
{
	return text_is_digit(c) || (c >= 'a' && c <= 'f');
}

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t';
}

void
script_span_copy(struct text_span span, char *to, size_t bytes)
{
	size_t length = span.length < bytes - 1 ? span.length : bytes - 1;
	char *at;

	memcpy(to, span.text, length);
	to[length] = '\0';
	while ((at = memchr(to, '\0', length)) != NULL)
		*at = '?';
}

static struct text_span
trimmed(struct text_span span)
{
	while (span.length > 0 && is_blank(span.text[0])) {
		span.text++;
		span.length--;
	}
	while (span.length > 0 && is_blank(span.text[span.length - 1]))
		span.length--;
	return span;
}

bool
script_next_line(struct text_lines *lines, struct text_span *line)
{
	if (!text_lines_next(lines, &line->text, &line->length))
		return false;
	if (line->length > 0 && line->text[line->length - 1] == '\r')
		line->length--;
	return true;
}

/* The next word of a text, which gets shorter by it. */
static struct text_span
next_word(struct text_span *text)
{
	struct text_span word;

	*text = trimmed(*text);
	word = (struct text_span){text->text, 0};
	while (word.length < text->length && !is_blank(word.text[word.length]))
		word.length++;
	text->text += word.length;
	text->length -= word.length;
	return word;
}

static bool
read_number(struct text_span span, uint64_t *number)
{
	const char *end = span.text + span.length;

	return span.length > 0 && text_read_digits(span.text, end, number) == end;
}

/* "5366.703865791:" */
static bool
is_time(struct text_span word)
{
	const char *point;
	struct text_span whole, decimals;
	uint64_t number;

	if (word.length > LONGEST_TIME || !text_span_ends(word, ":"))
		return false;
	point = memchr(word.text, '.', word.length);
	if (!point)
		return false;
	whole = (struct text_span){word.text, (size_t)(point - word.text)};
	decimals = (struct text_span){point + 1, word.length - whole.length - 2};
	return read_number(whole, &number) && decimals.length >= LEAST_DECIMALS &&
	       read_number(decimals, &number);
}

/* The last word of a text, which gets shorter by it. */
static struct text_span
last_word(struct text_span *text)
{
	struct text_span word;

	*text = trimmed(*text);
	word = (struct text_span){text->text + text->length, 0};
	while (word.length < text->length && !is_blank(word.text[-1])) {
		word.text--;
		word.length++;
	}
	text->length -= word.length;
	return word;
}

static bool
is_processor(struct text_span word)
{
	uint64_t number;

	return word.length > 2 && word.text[0] == '[' && word.text[word.length - 1] == ']' &&
	       read_number((struct text_span){word.text + 1, word.length - 2}, &number);
}

/* "demo 6115/6138 [001]", in which each part can be missing, but not all. */
static bool
read_thread(struct text_span text, struct sample_line *sample)
{
	struct text_span word = last_word(&text), process;
	const char *slash;
	bool has_processor = is_processor(word);

	if (has_processor)
		word = last_word(&text);
	slash = word.length > 0 ? memchr(word.text, '/', word.length) : NULL;
	if (slash) {
		process = (struct text_span){word.text, (size_t)(slash - word.text)};
		if (!read_number(process, &sample->process))
			return false;
		word = (struct text_span){slash + 1, word.length - process.length - 1};
	}
	if (word.length > 0 && !read_number(word, &sample->thread))
		return false;
	sample->command = trimmed(text);
	return has_processor || word.length > 0;
}

/* "cpu-clock/freq=200/:" is cpu-clock, "cycles:u:" is cycles:u. */
static bool
read_event(struct text_span *text, struct sample_line *sample)
{
	struct text_span word = next_word(text);
	const char *slash;

	if (sample->has_period || !read_number(word, &sample->period)) {
		/* There is no period. */
	} else {
		sample->has_period = true;
		word = next_word(text);
	}
	if (word.length < 2 || !text_span_ends(word, ":"))
		return false;
	word.length--;
	slash = memchr(word.text, '/', word.length);
	if (slash && slash > word.text)
		word.length = (size_t)(slash - word.text);
	sample->event = word;
	return true;
}

bool
script_read_sample(struct text_span line, struct sample_line *sample)
{
	struct text_span rest = line, word;

	memset(sample, 0, sizeof *sample);
	/* The name of the command can have anything, but hardly a time. */
	for (;;) {
		word = next_word(&rest);
		if (word.length == 0)
			return false;
		if (is_time(word) &&
		    read_thread((struct text_span){line.text, (size_t)(word.text - line.text)},
		                sample))
			break;
		memset(sample, 0, sizeof *sample);
	}
	if (!read_event(&rest, sample))
		return false;
	sample->rest = trimmed(rest);
	return true;
}

/* Cuts off the parentheses at the end with what is in them; false: there are none. */
static bool
take_object(struct text_span *text, struct text_span *object)
{
	size_t open = 0, at = text->length;

	if (text->length == 0 || text->text[text->length - 1] != ')')
		return false;
	while (at > 0) {
		char c = text->text[--at];

		open += c == ')';
		open -= c == '(';
		if (open == 0)
			break;
	}
	if (open > 0 || at == 0 || !is_blank(text->text[at - 1]))
		return false;
	*object = (struct text_span){text->text + at + 1, text->length - at - 2};
	text->length = at;
	*text = trimmed(*text);
	return true;
}

/* Without "+0x1f". */
static struct text_span
without_distance(struct text_span name)
{
	size_t at = name.length;

	while (at > 0 && is_hex(name.text[at - 1]))
		at--;
	if (at < name.length && at > 3 && memcmp(name.text + at - 3, "+0x", 3) == 0)
		name.length = at - 3;
	return name;
}

bool
script_read_frame(struct text_span line, struct frame_line *frame)
{
	static const char deleted[] = " (deleted)";
	struct text_span word = next_word(&line);

	memset(frame, 0, sizeof *frame);
	if (word.length == 0 || word.length > LONGEST_ADDRESS)
		return false;
	for (size_t i = 0; i < word.length; i++)
		if (!is_hex(word.text[i]))
			return false;
	frame->key = trimmed(line);
	frame->name = frame->key;
	if (!take_object(&frame->name, &frame->object))
		return false;
	frame->is_inlined = text_span_is(frame->object, "inlined");
	if (text_span_ends(frame->object, deleted))
		frame->object.length -= strlen(deleted);
	frame->name = without_distance(frame->name);
	return true;
}
