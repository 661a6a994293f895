/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A reader of lines of words: "process PARENT", "image KIND PATH BUILD-ID", "name IMAGE OFFSET
 * BYTES NAME", "map PROCESS ADDRESS BYTES IMAGE OFFSET IN-FILE", "stack PROCESS WEIGHT ADDRESS...",
 * the innermost address first, "arc PROCESS FROM SELF COUNT", "call PROCESS SELF COUNT", "sample
 * PROCESS ADDRESS WEIGHT", "histogram PROCESS LOW HIGH BIN...", "check" like that, which only asks.
 * A dash is nothing.  FAILURE: what it makes of a call that failed.
 */
#define _POSIX_C_SOURCE 200809L
#include "stub.h"
#include <stdlib.h>
enum { WORDS = 16 };
struct line {
	char *word[WORDS];
	int count;
};
static uint64_t
number(const struct line *line, int i)
{
	return i < line->count ? strtoull(line->word[i], NULL, 0) : 0;
}
static uint32_t
build_id(const char *text, uint8_t *bytes)
{
	uint32_t count = 0;
	char pair[3] = "";
	for (; text[0] != 45 && text[2 * count] && text[2 * count + 1]; count++) {
		memcpy(pair, text + 2 * count, 2);
		bytes[count] = (uint8_t)strtoul(pair, NULL, 16);
	}
	return count;
}
static enum gprofx_result
read_line(struct gprofx *gx, const struct gprofx_file *file, struct gprofx_profile *profile,
          const struct line *line)
{
	const struct gprofx_profile_builder *builder = profile->builder;
	struct gprofx_from from = {.size = sizeof from, .process = (uint32_t)number(line, 1)};
	const char *kind = line->word[0];
	if (strcmp(kind, "process") == 0) {
		struct gprofx_raw_process row = {.size = sizeof row,
		                                 .number = 4711,
		                                 .parent = from.process};
		return builder->process(gx, profile, file, &row) ? GPROFX_OK : FAILURE;
	}
	if (strcmp(kind, "image") == 0) {
		uint8_t id[512];
		struct gprofx_raw_image row = {.size = sizeof row,
		                               .kind = (uint32_t)number(line, 1),
		                               .path = line->word[2],
		                               .build_id = id};
		row.build_id_bytes = build_id(line->word[3], id);
		return builder->image(gx, profile, file, &row) ? GPROFX_OK : FAILURE;
	}
	if (strcmp(kind, "name") == 0) {
		struct gprofx_raw_name row = {number(line, 2), number(line, 3), line->word[4]};
		enum gprofx_result result = builder->names(gx, profile, file,
		                                           (uint32_t)number(line, 1), &row, 1);
		return result == GPROFX_OK ? result : FAILURE;
	}
	if (strcmp(kind, "map") == 0) {
		struct gprofx_raw_mapping row = {.size = sizeof row,
		                                 .process = from.process,
		                                 .address = number(line, 2),
		                                 .bytes = number(line, 3),
		                                 .image = (uint32_t)number(line, 4),
		                                 .offset = number(line, 5),
		                                 .is_in_file = number(line, 6) != 0};
		enum gprofx_result result = builder->mapping(gx, profile, file, &row);
		return result == GPROFX_OK ? result : FAILURE;
	}
	if (strcmp(kind, "stack") == 0) {
		uint64_t address[WORDS], weight = number(line, 2);
		uint32_t first[2] = {0, (uint32_t)line->count - 3};
		struct gprofx_raw_stacks stacks = {.size = sizeof stacks,
		                                   .count = 1,
		                                   .first = first,
		                                   .address = address,
		                                   .weight = &weight,
		                                   .rate = 1,
		                                   .dimension = "samples"};
		for (int i = 3; i < line->count; i++)
			address[i - 3] = number(line, i);
		return builder->stacks(gx, profile, file, &from, &stacks);
	}
	if (strcmp(kind, "arc") == 0) {
		struct gprofx_raw_arc row = {number(line, 2), number(line, 3), number(line, 4)};
		builder->arcs(gx, profile, &from, &row, 1);
		return GPROFX_OK;
	}
	if (strcmp(kind, "call") == 0) {
		struct gprofx_raw_call row = {number(line, 2), number(line, 3)};
		builder->calls(gx, profile, &from, &row, 1);
		return GPROFX_OK;
	}
	if (strcmp(kind, "sample") == 0) {
		struct gprofx_raw_sample row = {number(line, 2), (int64_t)number(line, 3)};
		builder->samples(gx, profile, file, &from, &row, 1);
		return GPROFX_OK;
	}
	if (strcmp(kind, "histogram") == 0 || strcmp(kind, "check") == 0) {
		uint8_t bins[WORDS];
		struct gprofx_histogram row = {.size = sizeof row,
		                               .process = from.process,
		                               .bins = bins,
		                               .low = number(line, 2),
		                               .high = number(line, 3),
		                               .bin_bytes = 1,
		                               .rate = 100,
		                               .dimension = "seconds",
		                               .abbreviation = 115};
		enum gprofx_result result;
		for (int i = 4; i < line->count; i++)
			bins[row.bin_count++] = (uint8_t)number(line, i);
		result = kind[0] == 'c' ? builder->check_histogram(gx, profile, file, &row)
		                        : builder->histogram(gx, profile, file, &row);
		return result == GPROFX_OK ? result : FAILURE;
	}
	return GPROFX_DECLINED;
}
static int
probe(const uint8_t *head, size_t bytes)
{
	return bytes >= 5 && memcmp(head, "#maps", 5) == 0 ? 100 : 0;
}
static enum gprofx_result
read_maps(struct gprofx *gx, const struct gprofx_file *file, const struct gprofx_target *target,
          struct gprofx_profile *profile, const void *options)
{
	char *text = gprofx_alloc(gx, file->length + 1), *next, *rest, *word;
	enum gprofx_result result = GPROFX_OK;
	(void)target;
	(void)options;
	if (file->length > 0)
		memcpy(text, file->bytes, file->length);
	if (probe(file->bytes, file->length) == 0)
		return GPROFX_DECLINED;
	for (char *row = strtok_r(text, "\n", &next); row && result == GPROFX_OK;
	     row = strtok_r(NULL, "\n", &next)) {
		struct line line = {.count = 0};
		for (word = strtok_r(row, " ", &rest); word && line.count < WORDS;
		     word = strtok_r(NULL, " ", &rest))
			line.word[line.count++] = word;
		if (line.count > 1)
			result = read_line(gx, file, profile, &line);
	}
	return result;
}
static const struct gprofx_reader reader = {.size = sizeof reader,
                                            .format = "maps",
                                            .probe = probe,
                                            .read = read_maps,
                                            .carries_names = true};
GPROFX_PLUGIN = {GPROFX_ABI, .name = "input-maps", .version = "1", .summary = "Mappings",
                 .reader = &reader};
