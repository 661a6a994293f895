/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A reader of profiles written as text, to show what a plugin is.  It needs the installed headers
 * and nothing else; one compiler command builds it, --plugin loads it:
 *
 *     cc -shared -fPIC -o text.so input-text.c
 *     gprofx --plugin=./text.so -O text program profile.txt
 *
 * Each line of the profile is one of
 *
 *     samples LOW HIGH RATE COUNT...  histogram from address LOW up to HIGH, a bin for each COUNT
 *     call FROM TO COUNT              COUNT calls from address FROM to address TO
 *
 * Addresses are hexadecimal, other numbers decimal.  Empty lines and lines with # are skipped.
 */
#include <string.h>

#include <gprofx/reader.h>

/* The line that is being read, and the place in it. */
struct line {
	const char *start, *end, *at;
	uint32_t number;
};

static bool
at_end(struct line *line)
{
	while (line->at < line->end && (*line->at == ' ' || *line->at == '\t' || *line->at == '\r'))
		line->at++;
	return line->at == line->end;
}

static bool
take_word(struct line *line, const char *word)
{
	size_t length = strlen(word);

	if (at_end(line) || (size_t)(line->end - line->at) < length ||
	    memcmp(line->at, word, length) != 0)
		return false;
	line->at += length;
	return true;
}

/* Takes a number of at most "limit"; false: there is none, or it is too large. */
static bool
take_number(struct line *line, uint64_t base, uint64_t limit, uint64_t *value)
{
	static const char digits[] = "0123456789abcdef";
	const char *first;

	*value = 0;
	if (at_end(line))
		return false;
	for (first = line->at; line->at < line->end; line->at++) {
		const char *digit = memchr(digits, *line->at, base);

		if (digit == NULL)
			break;
		if (*value > (limit - (uint64_t)(digit - digits)) / base)
			return false;
		*value = *value * base + (uint64_t)(digit - digits);
	}
	return line->at > first;
}

static enum gprofx_result
reject(struct gprofx *gx, const struct gprofx_file *file, const struct line *line,
       const char *expected)
{
	struct gprofx_diagnostic diagnostic = {
		.id = "text.bad-line",
		.file = file->name,
		.place = GPROFX_AT_LINE,
		.line = line->number,
		.column = (uint32_t)(line->at - line->start) + 1,
		.hint = "the form of the lines is described in input-text.c",
	};

	return gprofx_fail(gx, &diagnostic, "expected %s", expected);
}

static enum gprofx_result
read_samples(struct gprofx *gx, const struct gprofx_file *file, struct gprofx_profile *profile,
             struct line *line)
{
	struct gprofx_histogram histogram = {
		.size = sizeof histogram,
		.dimension = "seconds",
		.abbreviation = 's',
		.bin_bytes = 2,
	};
	uint64_t rate, count;
	/* A bin takes at least two characters of the line, so this is room enough. */
	uint8_t *bins = gprofx_alloc(gx, (size_t)(line->end - line->at) + 2);
	uint8_t *bin = bins;

	if (!take_number(line, 16, UINT64_MAX, &histogram.low) ||
	    !take_number(line, 16, UINT64_MAX, &histogram.high) ||
	    !take_number(line, 10, UINT32_MAX, &rate))
		return reject(gx, file, line, "the addresses of the histogram and its rate");
	histogram.rate = (uint32_t)rate;
	while (!at_end(line)) {
		if (!take_number(line, 10, UINT16_MAX, &count))
			return reject(gx, file, line, "a number of samples below 65536");
		*bin++ = (uint8_t)count;
		*bin++ = (uint8_t)(count >> 8);
		histogram.bin_count++;
	}
	histogram.bins = bins;
	return profile->builder->histogram(gx, profile, file, &histogram);
}

static enum gprofx_result
read_line(struct gprofx *gx, const struct gprofx_file *file, struct gprofx_profile *profile,
          struct line *line)
{
	struct gprofx_raw_arc arc;

	if (at_end(line) || take_word(line, "#"))
		return GPROFX_OK;
	if (take_word(line, "samples "))
		return read_samples(gx, file, profile, line);
	if (!take_word(line, "call "))
		return reject(gx, file, line, "the word samples or the word call");
	if (!take_number(line, 16, UINT64_MAX, &arc.from) ||
	    !take_number(line, 16, UINT64_MAX, &arc.self) ||
	    !take_number(line, 10, UINT64_MAX, &arc.count) || !at_end(line))
		return reject(gx, file, line, "two addresses and a number of calls");
	profile->builder->arcs(gx, profile, &arc, 1);
	return GPROFX_OK;
}

static enum gprofx_result
read_text(struct gprofx *gx, const struct gprofx_file *file, const struct gprofx_target *target,
          struct gprofx_profile *profile, const void *options)
{
	const char *at = (const char *)file->bytes;
	const char *end = at + file->length;
	uint32_t number = 0;

	(void)target;
	(void)options;
	while (at < end) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		struct line line = {at, newline != NULL ? newline : end, at, ++number};
		enum gprofx_result result = read_line(gx, file, profile, &line);

		if (result != GPROFX_OK)
			return result;
		at = newline != NULL ? newline + 1 : end;
	}
	return GPROFX_OK;
}

static const struct gprofx_reader reader = {
	.size = sizeof reader,
	.format = "text",
	.read = read_text,
};

GPROFX_PLUGIN = {
	GPROFX_ABI,        .name = "input-text",
	.version = "1.0",  .summary = "Profiles written as text",
	.reader = &reader,
};
