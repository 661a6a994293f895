/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads bb.out, line by line.  Every run of a program appends a part: a line with the date, then
 * for each object file a line with the number of its blocks, and the blocks.
 */
#include "listing.h"

#include <string.h>

#include "../shared/text-lines.h"

enum { ROWS_HELD = 256, SHOWN_BYTES = 24 };

static const char run_begin[] = "Basic block profiling finished on ";
static const char file_begin[] = "File ", file_end[] = " basic blocks";
static const char damaged[] = "the file is damaged, or is not a bb.out as a program wrote it";

struct listing {
	struct gprofx *gx;
	const struct gprofx_file *file;
	const struct gprofx_target *target;
	struct gprofx_profile *profile;
	/* The line under way, without its end. */
	const uint8_t *begin, *end, *at;
	uint32_t line;
	/* The object file under way. */
	uint64_t announced, found;
	uint32_t file_line; /* 0: none */
	uint32_t file_count;
	/* Blocks that cannot be placed. */
	uint64_t blocks, without_address;
	uint32_t without_address_line;
	/* Blocks not yet passed. */
	struct gprofx_raw_block rows[ROWS_HELD];
	uint32_t row_count;
};

/* A diagnostic about the place where the line is being read. */
static struct gprofx_diagnostic
here(const struct listing *l, const char *id, const char *hint)
{
	struct gprofx_diagnostic diagnostic = gprofx_at(l->file, 0, id, hint);

	diagnostic.place = GPROFX_AT_LINE;
	diagnostic.line = l->line;
	diagnostic.column = (uint32_t)(l->at - l->begin) + 1;
	return diagnostic;
}

static size_t
left(const struct listing *l)
{
	return (size_t)(l->end - l->at);
}

/* What stands here, fit to be shown. */
static void
show(const struct listing *l, char text[SHOWN_BYTES + 1])
{
	size_t length = left(l) < SHOWN_BYTES ? left(l) : SHOWN_BYTES;

	memcpy(text, l->at, length);
	for (size_t i = 0; i < length; i++)
		if (l->at[i] < ' ' || l->at[i] > '~')
			text[i] = '?';
	text[length] = '\0';
}

static enum gprofx_result
fail_unexpected(const struct listing *l, const char *expected)
{
	struct gprofx_diagnostic diagnostic = here(l, "bb.unexpected-text", damaged);
	char found[SHOWN_BYTES + 1];

	if (left(l) == 0)
		return gprofx_fail(l->gx, &diagnostic, "expected %s, found the end of the line",
		                   expected);
	show(l, found);
	return gprofx_fail(l->gx, &diagnostic, "expected %s, found '%s'", expected, found);
}

static void
skip_blanks(struct listing *l)
{
	while (l->at < l->end && (*l->at == ' ' || *l->at == '\t'))
		l->at++;
}

/* Takes a word if it is next. */
static bool
take(struct listing *l, const char *word)
{
	size_t length = strlen(word);

	if (left(l) < length || memcmp(l->at, word, length) != 0)
		return false;
	l->at += length;
	return true;
}

/* Takes a number; what it is goes into messages. */
static enum gprofx_result
take_number(struct listing *l, unsigned base, const char *what, uint64_t *value)
{
	const uint8_t *first = l->at;

	*value = 0;
	for (; l->at < l->end && text_hex_digit((char)*l->at) < base; l->at++) {
		uint64_t digit = text_hex_digit((char)*l->at);

		if (*value > (UINT64_MAX - digit) / base) {
			struct gprofx_diagnostic diagnostic;

			l->at = first;
			diagnostic = here(l, "bb.large-number", damaged);
			return gprofx_fail(l->gx, &diagnostic,
			                   "expected %s below 2^64, found a larger one", what);
		}
		*value = *value * base + digit;
	}
	return l->at > first ? GPROFX_OK : fail_unexpected(l, what);
}

/* Sets the next line; false: there is none. */
static bool
next_line(struct listing *l)
{
	const uint8_t *limit = l->file->bytes + l->file->length;
	const uint8_t *begin = l->line == 0 ? l->file->bytes : l->end, *end;

	/* Behind the end of the last line is its newline, if anything. */
	if (l->line > 0 && begin < limit)
		begin += *begin == '\r' ? 2 : 1;
	if (begin >= limit)
		return false;
	end = memchr(begin, '\n', (size_t)(limit - begin));
	l->begin = l->at = begin;
	l->end = end ? end : limit;
	if (end && end > begin && end[-1] == '\r')
		l->end--;
	l->line++;
	return true;
}

static void
hand_over(struct listing *l)
{
	l->profile->builder->blocks(l->gx, l->profile, NULL, l->rows, l->row_count);
	l->row_count = 0;
}

/* An object file ends: its blocks have to be as many as were announced. */
static enum gprofx_result
finish_file(struct listing *l)
{
	struct gprofx_diagnostic diagnostic;

	if (l->file_line == 0 || l->announced == l->found)
		return GPROFX_OK;
	diagnostic = here(
		l, "bb.count-differs",
		"the program stopped before it finished writing; remove the last part of the file");
	diagnostic.line = l->file_line;
	diagnostic.column = 0;
	diagnostic.number[0] = l->found;
	diagnostic.number[1] = l->announced;
	return gprofx_fail(l->gx, &diagnostic, "expected %llu blocks in this part, found %llu",
	                   (unsigned long long)l->announced, (unsigned long long)l->found);
}

/*
 * Where the number of blocks stands in the line that begins an object file, or NULL: it is no such
 * line.  The name before it can be anything, so it is looked for from the end.
 */
static const uint8_t *
announcement(const uint8_t *begin, const uint8_t *end)
{
	size_t word = sizeof file_end - 1;
	const uint8_t *number;

	while (end > begin && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r'))
		end--;
	if ((size_t)(end - begin) < sizeof file_begin - 1 + word ||
	    memcmp(begin, file_begin, sizeof file_begin - 1) != 0 ||
	    memcmp(end - word, file_end, word) != 0)
		return NULL;
	for (number = end - word; number > begin && text_is_digit((char)number[-1]); number--)
		;
	if (number == end - word || number - begin < (ptrdiff_t)sizeof file_begin + 1 ||
	    memcmp(number - 2, ", ", 2) != 0)
		return NULL;
	return number;
}

static enum gprofx_result
begin_file(struct listing *l, const uint8_t *number)
{
	enum gprofx_result result = finish_file(l);

	if (result != GPROFX_OK)
		return result;
	l->file_line = l->line;
	l->file_count++;
	l->found = 0;
	l->at = number;
	return take_number(l, 10, "a number of blocks", &l->announced);
}

/* "WORD= ", with the blanks that align columns before it. */
static bool
take_part(struct listing *l, const char *word)
{
	const uint8_t *at = l->at;

	skip_blanks(l);
	if (take(l, word)) {
		skip_blanks(l);
		return true;
	}
	l->at = at;
	return false;
}

/* A name can hold blanks; it ends where a line number begins, or with the line. */
static void
skip_name(struct listing *l)
{
	const uint8_t *next = memmem(l->at, left(l), " line= ", 7);

	l->at = next ? next : l->end;
}

static enum gprofx_result
take_address(struct listing *l, uint64_t *address)
{
	const uint8_t *first = l->at;
	enum gprofx_result result;

	if (!take(l, "0x"))
		return fail_unexpected(l, "an address, which begins with 0x");
	result = take_number(l, 16, "an address", address);
	if (result != GPROFX_OK || l->target->pointer_bytes == 8)
		return result;
	if (*address > UINT32_MAX) {
		struct gprofx_diagnostic diagnostic;

		l->at = first;
		diagnostic = here(l, "bb.wide-address",
		                  "name the program that wrote the file, on the machine it ran on");
		return gprofx_fail(l->gx, &diagnostic,
		                   "expected an address of 4 bytes as in the program, found 0x%llx",
		                   (unsigned long long)*address);
	}
	if (l->target->sign_extends)
		*address = (uint64_t)(int64_t)(int32_t)(uint32_t)*address;
	return GPROFX_OK;
}

/* The parts behind the count: all that is needed is the address. */
static enum gprofx_result
take_place(struct listing *l, uint64_t *address, bool *has_address)
{
	enum gprofx_result result = GPROFX_OK;
	uint64_t line;

	*has_address = take_part(l, "address=");
	if (*has_address)
		result = take_address(l, address);
	if (result == GPROFX_OK && take_part(l, "function=")) {
		skip_name(l);
		if (take_part(l, "line=")) {
			result = take_number(l, 10, "a line number", &line);
			if (result == GPROFX_OK && take_part(l, "file="))
				l->at = l->end;
		}
	}
	if (result != GPROFX_OK)
		return result;
	skip_blanks(l);
	return left(l) == 0 ? GPROFX_OK : fail_unexpected(l, "the end of the line");
}

/* "Block #1: executed 3 time(s) address= 0x401000 function= f line= 1 file= f.c" */
static enum gprofx_result
read_block(struct listing *l)
{
	struct gprofx_raw_block *row = &l->rows[l->row_count];
	enum gprofx_result result;
	bool has_address;
	uint64_t number;

	skip_blanks(l);
	if (!take(l, "Block #"))
		return fail_unexpected(l, l->file_line == 0 ? "'File NAME, N basic blocks'"
		                                            : "'Block #'");
	if (l->file_line == 0)
		return fail_unexpected(l, "'File NAME, N basic blocks' before blocks");
	skip_blanks(l);
	result = take_number(l, 10, "the number of a block", &number);
	if (result != GPROFX_OK)
		return result;
	if (!take(l, ": executed"))
		return fail_unexpected(l, "': executed'");
	skip_blanks(l);
	result = take_number(l, 10, "a number of executions", &row->count);
	if (result != GPROFX_OK)
		return result;
	if (!take(l, " time(s)"))
		return fail_unexpected(l, "'time(s)'");
	result = take_place(l, &row->address, &has_address);
	if (result != GPROFX_OK)
		return result;
	l->found++;
	l->blocks++;
	if (!has_address && l->without_address++ == 0)
		l->without_address_line = l->line;
	if (has_address && ++l->row_count == ROWS_HELD)
		hand_over(l);
	return GPROFX_OK;
}

static enum gprofx_result
read_line(struct listing *l)
{
	const uint8_t *number = announcement(l->begin, l->end);
	enum gprofx_result result;

	if (number)
		return begin_file(l, number);
	if (take(l, run_begin)) {
		result = finish_file(l);
		l->file_line = 0;
		return result;
	}
	skip_blanks(l);
	if (left(l) == 0)
		return GPROFX_OK;
	l->at = l->begin;
	return read_block(l);
}

static void
warn_without_address(struct listing *l)
{
	struct gprofx_diagnostic diagnostic;

	if (l->without_address == 0)
		return;
	diagnostic = here(
		l, "bb.no-address",
		"have the compiler record addresses, or read the counts in the file itself");
	diagnostic.line = l->without_address_line;
	diagnostic.column = 0;
	gprofx_warn(l->gx, &diagnostic,
	            "expected the address of each block, found none for %llu of %llu blocks, which "
	            "are left out",
	            (unsigned long long)l->without_address, (unsigned long long)l->blocks);
}

enum gprofx_result
bb_listing_read(struct gprofx *gx, const struct gprofx_file *file,
                const struct gprofx_target *target, struct gprofx_profile *profile)
{
	struct listing l = {.gx = gx, .file = file, .target = target, .profile = profile};
	struct gprofx_layout layout = {.size = sizeof layout, .variant = "listing"};
	enum gprofx_result result = GPROFX_OK;

	while (result == GPROFX_OK && next_line(&l))
		result = read_line(&l);
	if (result == GPROFX_OK)
		result = finish_file(&l);
	hand_over(&l);
	if (result == GPROFX_OK)
		warn_without_address(&l);
	layout.block_records = l.file_count;
	profile->builder->describe(gx, profile, &layout);
	return result;
}

int
bb_listing_weigh(const struct gprofx_file *file)
{
	const uint8_t *end;

	if (file->length >= sizeof run_begin - 1 &&
	    memcmp(file->bytes, run_begin, sizeof run_begin - 1) == 0)
		return 100;
	if (file->length == 0)
		return 0;
	end = memchr(file->bytes, '\n', (size_t)file->length);
	return end && announcement(file->bytes, end) ? 90 : 0;
}
