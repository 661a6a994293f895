/* SPDX-License-Identifier: Apache-2.0 */
/*
 * input-text: profiles as text, for gprofx -O text; doc/howto-reader.md explains it.  A line is
 *
 *     samples LOW HIGH RATE COUNT...  bins of equal size from address LOW up to HIGH, RATE a second
 *     call FROM TO COUNT              calls from address FROM of the function at TO
 *
 * with hexadecimal addresses and decimal numbers, or empty, or a comment behind #.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <gprofx/reader.h>

/* GPROFX_DECLINED: the line makes no sense.  It ends with a NUL, at "end". */
static enum gprofx_result
read_line(struct gprofx *gx, const struct gprofx_file *file, struct gprofx_profile *profile,
          char *line, const char *end)
{
	struct gprofx_histogram h = {.size = sizeof h, .dimension = "seconds", .abbreviation = 's'};
	struct gprofx_raw_arc arc;
	ptrdiff_t length = 0;
	uint8_t *bins;

	if (line == end || *line == '#')
		return GPROFX_OK;
	if (sscanf(line, "call %" SCNx64 "%" SCNx64 "%" SCNu64 "%tn", &arc.from, &arc.self,
	           &arc.count, &length) == 3 &&
	    line + length == end) {
		profile->builder->arcs(gx, profile, NULL, &arc, 1);
		return GPROFX_OK;
	}
	if (sscanf(line, "samples %" SCNx64 "%" SCNx64 "%" SCNu32 "%tn", &h.low, &h.high, &h.rate,
	           &length) != 3)
		return GPROFX_DECLINED;
	/* A bin takes two characters at least, so there is room for all that the line can have. */
	h.bins = bins = gprofx_alloc(gx, (size_t)(end - line));
	h.bin_bytes = 2;
	for (char *at = line + length; *at != '\0'; h.bin_count++) {
		unsigned long count = strtoul(at, &line, 10);

		if (line == at || count > UINT16_MAX)
			return GPROFX_DECLINED;
		*bins++ = (uint8_t)count;
		*bins++ = (uint8_t)(count >> 8);
		at = line;
	}
	return line == end ? profile->builder->histogram(gx, profile, file, &h) : GPROFX_DECLINED;
}

static enum gprofx_result
read_text(struct gprofx *gx, const struct gprofx_file *file, const struct gprofx_target *target,
          struct gprofx_profile *profile, const void *options)
{
	struct gprofx_diagnostic bad = gprofx_at(file, 0, "text.bad-line", "see howto-reader.md");
	char *line = gprofx_alloc(gx, file->length + 1), *end = line + file->length, *next = line;
	enum gprofx_result result = GPROFX_OK;

	(void)target;
	(void)options;
	bad.place = GPROFX_AT_LINE;
	if (file->length > 0)
		memcpy(line, file->bytes, file->length);
	for (; line < end && result == GPROFX_OK; line = next + 1) {
		bad.line++;
		if ((next = memchr(line, '\n', (size_t)(end - line))) == NULL)
			next = end;
		*next = '\0';
		result = read_line(gx, file, profile, line, next);
	}
	return result == GPROFX_DECLINED
	               ? gprofx_fail(gx, &bad, "expected samples or a call, found something else")
	               : result;
}

static const struct gprofx_reader reader = {sizeof reader, .format = "text", .read = read_text};

GPROFX_PLUGIN = {GPROFX_ABI, .name = "input-text", .version = "1.0",
                 .summary = "Profiles written as text", .reader = &reader};
