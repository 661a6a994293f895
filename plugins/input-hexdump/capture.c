/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds dumps in a text.  What is no line of a dump is skipped.  Bytes of a dump that starts as a
 * profile have to be there without a gap; others can be of anything.
 */
#include "capture.h"

#include <inttypes.h>
#include <string.h>

#include "../shared/grown.h"
#include "../shared/text-lines.h"
#include "record.h"
#include "start.h"

enum {
	FIRST_ROOM = 4096,
	/* What "*" can make of a text. */
	LEAST_LIMIT = 64 << 10,
	LIMIT_FACTOR = 128
};

static const char dump_again[] = "capture the dump again, without other output in between";

static struct gprofx_diagnostic
at_line(const struct capture *c, const char *id, const char *hint)
{
	return (struct gprofx_diagnostic){.id = id,
	                                  .file = c->file->name,
	                                  .place = GPROFX_AT_LINE,
	                                  .line = c->line_number,
	                                  .hint = hint};
}

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

/* A dump begins with the line, whose bytes are behind the others already. */
static void
begin_dump(struct capture *c, const struct line *line, const char *text)
{
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

static void
add_bytes(struct capture *c, size_t count)
{
	struct dump *dump = last_dump(c);

	c->count += count;
	dump->count += count;
	c->next += count;
	c->last_count = count;
	c->data_lines++;
	c->was_interrupted = false;
}

static enum gprofx_result
fail_too_long(struct capture *c)
{
	const struct gprofx_diagnostic diagnostic = at_line(
		c, "hexdump.too-long", "dump all lines, as hexdump -v and od -v do");

	return gprofx_fail(c->gx, &diagnostic,
	                   "expected the next address within reach, found one that equal lines "
	                   "would have to fill up to");
}

/* Whether bytes up to an address may be added that the text does not have. */
static bool
is_within_limit(const struct capture *c, uint64_t address)
{
	uint64_t limit = LEAST_LIMIT + LIMIT_FACTOR * c->file->length;

	return c->count <= limit && address - c->next <= limit - c->count;
}

/* Adds bytes up to an address: those of the last line again, or zeros. */
static enum gprofx_result
fill(struct capture *c, uint64_t address, size_t period)
{
	size_t missing = (size_t)(address - c->next);

	if (!is_within_limit(c, address))
		return fail_too_long(c);
	reserve(c, missing);
	for (size_t i = 0; i < missing; i++)
		c->bytes[c->count + i] = period > 0 ? c->bytes[c->count + i - period] : 0;
	c->count += missing;
	last_dump(c)->count += missing;
	c->next = address;
	return GPROFX_OK;
}

/*
 * Fills the place before an address for which the form has no lines: "*" stands for equal ones, and
 * GNU tools leave zeros out of records of Tektronix.  The bytes of the line, which are behind the
 * others, move.
 */
static enum gprofx_result
fill_before(struct capture *c, const struct line *line)
{
	uint8_t kept[LINE_MOST_DATA];
	enum gprofx_result result;
	bool is_repeated = c->repeats;

	c->repeats = false;
	if (line->address <= c->next || line->count > sizeof kept ||
	    !(is_repeated || (line->kind == LINE_TEKTRONIX && is_within_limit(c, line->address))))
		return GPROFX_OK;
	memcpy(kept, c->bytes + c->count, line->count);
	result = fill(c, line->address, is_repeated ? c->last_count : 0);
	if (result == GPROFX_OK) {
		reserve(c, line->count);
		memcpy(c->bytes + c->count, kept, line->count);
	}
	return result;
}

static enum gprofx_result
fail_gap(struct capture *c, uint64_t address)
{
	struct gprofx_diagnostic diagnostic = at_line(c, "hexdump.gap", dump_again);

	diagnostic.number[0] = c->next;
	diagnostic.number[1] = address;
	if (c->last_count < c->form.count && address == c->next + c->form.count - c->last_count) {
		diagnostic.id = "hexdump.short-line";
		return gprofx_fail(c->gx, &diagnostic,
		                   "expected %zu bytes in the line of the dump before, found %zu",
		                   c->form.count, c->last_count);
	}
	return gprofx_fail(c->gx, &diagnostic,
	                   "expected the bytes at 0x%" PRIx64 ", found those at 0x%" PRIx64,
	                   c->next, address);
}

/* Bytes that were there before: a line that is there twice is none the worse. */
static enum gprofx_result
take_overlap(struct capture *c, const struct line *line)
{
	struct dump *dump = last_dump(c);
	struct gprofx_diagnostic diagnostic;
	size_t at = (size_t)(line->address - dump->address), same = dump->count - at;

	same = line->count < same ? line->count : same;
	for (size_t i = 0; i < same; i++) {
		if (c->bytes[dump->at + at + i] == c->bytes[c->count + i])
			continue;
		diagnostic = at_line(c, "hexdump.overlap", dump_again);
		diagnostic.number[0] = line->address + i;
		return gprofx_fail(
			c->gx, &diagnostic,
			"expected 0x%02x at 0x%" PRIx64 ", as in a line before, found 0x%02x",
			c->bytes[dump->at + at + i], line->address + i, c->bytes[c->count + i]);
	}
	memmove(c->bytes + c->count, c->bytes + c->count + same, line->count - same);
	if (line->count > same)
		add_bytes(c, line->count - same);
	return GPROFX_OK;
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

/* Whether a line is the one before it once more. */
static bool
is_again(const struct capture *c, const struct line *line)
{
	return line->count == c->last_count && line->address == c->next - c->last_count &&
	       memcmp(c->bytes + c->count, c->bytes + c->count - c->last_count, line->count) == 0;
}

/* Whether a line that does not go on where the dump ended starts another one. */
static bool
starts_other(struct capture *c, const struct line *line)
{
	bool is_start = hexdump_start(c->bytes + c->count, line->count, line->item_bytes) !=
	                START_UNKNOWN;
	const struct dump *dump;

	if (!c->is_open || !is_profile(c))
		return true;
	dump = last_dump(c);
	if (line->address < dump->address)
		return true;
	if (line->address == dump->address)
		return dump->count > line->count;
	return is_start && c->was_interrupted;
}

/* The bytes of a line, which are behind the others, at its address. */
static enum gprofx_result
take_addressed(struct capture *c, struct line *line, const char *text)
{
	enum gprofx_result result;

	if (c->is_open && line->kind == c->form.kind) {
		learn_base(c, line);
		line->address = address_in(line, c->form.base);
		result = fill_before(c, line);
		if (result != GPROFX_OK)
			return result;
		if (line->address == c->next) {
			add_bytes(c, line->count);
			return GPROFX_OK;
		}
		if (is_again(c, line))
			return GPROFX_OK;
	}
	if (!c->is_open || line->kind != c->form.kind || starts_other(c, line)) {
		begin_dump(c, line, text);
		add_bytes(c, line->count);
		return GPROFX_OK;
	}
	return line->address > c->next ? fail_gap(c, line->address) : take_overlap(c, line);
}

static enum gprofx_result
fail_short(struct capture *c)
{
	const struct gprofx_diagnostic diagnostic = at_line(c, "hexdump.short-line", dump_again);

	return gprofx_fail(c->gx, &diagnostic,
	                   "expected whole bytes up to the end of the line, found a part of one");
}

/* A line without an address: its bytes follow those of the line before. */
static enum gprofx_result
take_plain(struct capture *c, struct line *line, const char *text, bool *is_taken)
{
	bool is_start = hexdump_start(c->bytes + c->count, line->count,
	                              line->item_bytes <= 8 ? line->item_bytes : 1) !=
	                START_UNKNOWN;
	bool goes_on = c->is_open && c->form.kind == LINE_PLAIN && !c->has_place;
	struct gprofx_diagnostic diagnostic;

	line->address = c->has_place ? c->place : 0;
	if (goes_on && !(is_start && c->was_interrupted)) {
		if (c->last_count < c->form.count && is_profile(c)) {
			diagnostic = at_line(c, "hexdump.short-line", dump_again);
			return gprofx_fail(c->gx, &diagnostic,
			                   "expected %zu bytes in the line of the dump before, "
			                   "found %zu",
			                   c->form.count, c->last_count);
		}
		add_bytes(c, line->count);
		return GPROFX_OK;
	}
	if (!is_start && !c->has_place && !c->takes_any) {
		*is_taken = false;
		return GPROFX_OK;
	}
	if (c->has_place && c->is_open && is_profile(c) && !is_start && c->place != c->next)
		return fail_gap(c, c->place);
	if (!(c->has_place && c->is_open && c->place == c->next))
		begin_dump(c, line, text);
	c->has_place = false;
	add_bytes(c, line->count);
	return GPROFX_OK;
}

/* The address behind the last byte, which dumps of words can round up. */
static enum gprofx_result
take_end(struct capture *c, struct line *line)
{
	struct dump *dump = last_dump(c);
	enum gprofx_result result = GPROFX_OK;

	line->address = address_in(line, c->form.base);
	if (c->repeats && line->address > c->next)
		result = fill(c, line->address, c->last_count);
	else if (line->address > c->next && is_profile(c))
		result = fail_gap(c, line->address);
	if (line->address < c->next && c->next - line->address < dump->item_bytes)
		dump->surplus = (size_t)(c->next - line->address);
	c->is_open = false;
	return result;
}

static enum gprofx_result
fail_record(struct capture *c, const struct line *line)
{
	struct gprofx_diagnostic diagnostic = at_line(
		c, "hexdump.bad-checksum",
		"transfer the file again, as it is in the device or tool");

	diagnostic.number[0] = line->expected;
	diagnostic.number[1] = line->found;
	if (line->what == LINE_BAD_CHECKSUM)
		return gprofx_fail(c->gx, &diagnostic, "expected the checksum %02x, found %02x",
		                   line->expected, line->found);
	if (line->what == LINE_BAD_RECORD) {
		diagnostic.id = "hexdump.bad-record";
		return gprofx_fail(c->gx, &diagnostic,
		                   "expected a type of records of the format, found %u",
		                   line->found);
	}
	if (line->what == LINE_COUNT) {
		diagnostic.id = "hexdump.missing-records";
		diagnostic.number[0] = line->address;
		diagnostic.number[1] = c->data_lines;
		return gprofx_fail(c->gx, &diagnostic,
		                   "expected %" PRIu64 " records of data before this one, found %u",
		                   line->address, c->data_lines);
	}
	diagnostic.id = "hexdump.short-line";
	return gprofx_fail(c->gx, &diagnostic,
	                   "expected a record of the length that it states, found another one");
}

/* Where the dump ends: the last record has a round number of bytes, and zeros are left out. */
static enum gprofx_result
take_range(struct capture *c, const struct line *line)
{
	struct dump *dump = last_dump(c);

	if (line->address != dump->address || line->past <= line->address)
		return GPROFX_OK;
	if (line->past > c->next)
		return fill(c, line->past, 0);
	dump->surplus = (size_t)(c->next - line->past);
	return GPROFX_OK;
}

static enum gprofx_result
take_record(struct capture *c, struct line *line, const char *text, bool *is_taken)
{
	bool is_of_dump = c->is_open && line->kind == c->form.kind;

	switch (line->what) {
	case LINE_DATA:
		if (line->count == 0)
			return GPROFX_OK;
		return take_addressed(c, line, text);
	case LINE_END:
		c->is_open = false;
		c->base = 0;
		return GPROFX_OK;
	case LINE_COUNT:
		return !is_of_dump || line->address == c->data_lines ? GPROFX_OK
		                                                     : fail_record(c, line);
	case LINE_NOTE:
		return GPROFX_OK;
	case LINE_RANGE:
		return is_of_dump ? take_range(c, line) : GPROFX_OK;
	default:
		/* Lines of a log can look like it. */
		*is_taken = is_of_dump;
		return is_of_dump ? fail_record(c, line) : GPROFX_OK;
	}
}

/* Whether the line is taken as one of a dump; *result: how that went. */
static bool
take_line(struct capture *c, struct line *line, const char *text, enum gprofx_result *result)
{
	bool is_taken = line->kind != LINE_OTHER;

	*result = GPROFX_OK;
	if (!is_taken)
		return false;
	if (line->kind != LINE_ADDRESSED && line->kind != LINE_PLAIN) {
		*result = take_record(c, line, text, &is_taken);
	} else if (line->what == LINE_REPEATS) {
		c->repeats = c->is_open;
	} else if (line->what == LINE_ADDRESS && line->kind == LINE_PLAIN) {
		c->has_place = true;
		c->place = line->address;
	} else if (line->what == LINE_ADDRESS) {
		*result = take_end(c, line);
	} else if (line->what == LINE_CUT) {
		is_taken = is_profile(c) && line->kind == c->form.kind &&
		           line->has_colon == c->form.has_colon &&
		           (size_t)(line->start - text) == c->form.start;
		*result = is_taken ? fail_short(c) : GPROFX_OK;
	} else if (line->kind == LINE_PLAIN) {
		*result = take_plain(c, line, text, &is_taken);
	} else {
		*result = take_addressed(c, line, text);
	}
	return is_taken;
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

static enum gprofx_result
next_line(struct capture *c, const char *text, const char *end)
{
	enum gprofx_result result;
	struct line line;

	if (c->is_open && hexdump_fast_line(&c->form, text, end, c->next, c->bytes + c->count) &&
	    !c->repeats && !c->has_place && c->last_count == c->form.count &&
	    (c->form.kind == LINE_ADDRESSED || !c->was_interrupted)) {
		add_bytes(c, c->form.fast_bytes);
		return GPROFX_OK;
	}
	if (memchr(text, HEXDUMP_ESCAPE, (size_t)(end - text)))
		take_out_escapes(c, &text, &end);
	while (end > text && (end[-1] == '\r' || end[-1] == ' ' || end[-1] == '\t'))
		end--;
	if (end == text)
		return GPROFX_OK;
	if (!hexdump_record(&line, text, end, &c->base, c->bytes + c->count))
		hexdump_line(&line, text, end, c->is_open ? &c->form : NULL, c->bytes + c->count);
	if (take_line(c, &line, text, &result))
		return result;
	/* The first dump of a capture can be of something else. */
	if (line.kind == LINE_OTHER && c->is_open) {
		hexdump_line(&line, text, end, NULL, c->bytes + c->count);
		if (line.what == LINE_DATA && line.kind != LINE_OTHER &&
		    (!is_profile(c) || hexdump_start(c->bytes + c->count, line.count,
		                                     line.item_bytes) != START_UNKNOWN)) {
			c->is_open = false;
			if (take_line(c, &line, text, &result))
				return result;
			c->is_open = true;
		}
	}
	c->was_interrupted = true;
	if (c->skipped++ == 0)
		c->first_skipped = c->line_number;
	return GPROFX_OK;
}

enum gprofx_result
capture_read(struct capture *c)
{
	struct text_lines lines = {(const char *)c->file->bytes, NULL, 0};
	const char *text;
	size_t length;

	if (c->file->length == 0)
		return GPROFX_OK;
	lines.end = lines.at + c->file->length;
	while (text_lines_next(&lines, &text, &length)) {
		enum gprofx_result result;

		c->line_number = lines.number;
		reserve(c, length / 2 + LINE_MOST_DATA);
		result = next_line(c, text, text + length);
		if (result != GPROFX_OK)
			return result;
	}
	return GPROFX_OK;
}

uint8_t *
capture_bytes(struct capture *c, const struct dump *dump, bool is_little_endian, size_t *count)
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
	*count = dump->count - dump->surplus;
	return bytes;
}
