/* SPDX-License-Identifier: Apache-2.0 */
/*
 * input-pprof: profiles of pprof, compressed or not: stacks of several metrics, with names or with
 * addresses and mappings.
 */
#include <gprofx/reader.h>

#include "../shared/gunzip.h"
#include "message.h"
#include "samples.h"
#include "wire.h"

enum {
	CERTAIN = 100,
	LIKELY = 60,
	HEAD_BYTES = 4096,
	MOST_FIELDS = 2, /* of a type of values */
	/* Of a profile: the types of values, comments, the last field, and those that are numbers.
	 */
	TYPE_FIELD = 1,
	COMMENT_FIELD = 13,
	LAST_FIELD = 15,
	IS_NUMBER = 1 << 7 | 1 << 8 | 1 << 9 | 1 << 10 | 1 << 12 | 1 << 13 | 1 << 14 | 1 << 15
};

struct options {
	const char *label;
};

static const struct gprofx_option table[] = {
	{.key = "label",
         .type = GPROFX_STRING,
         .offset = offsetof(struct options, label),
         .initial = "",
         .help = "the key of labels whose values are the outermost frames"},
};

/* A type of values: two numbers of texts, nothing else. */
static bool
is_type(struct wire wire)
{
	struct wire_field field;
	bool has_any = false;

	while (wire_next(&wire, &field)) {
		if (field.type != WIRE_NUMBER || field.number == 0 || field.number > MOST_FIELDS)
			return false;
		has_any = true;
	}
	return has_any && !wire.fault;
}

/* How sure it is that a message begins so: with fields of a profile, and a type of values. */
static int
weigh_message(const uint8_t *bytes, size_t length, int certain)
{
	struct wire wire = {.at = bytes, .end = bytes + length};
	struct wire_field field;
	bool has_type = false;

	/* The last field that is there can be cut. */
	while (wire_next(&wire, &field)) {
		bool is_number;

		if (field.number > LAST_FIELD)
			return 0;
		is_number = (IS_NUMBER >> field.number & 1) != 0;
		/* Numbers can be many in one field. */
		if (field.type != (is_number ? WIRE_NUMBER : WIRE_BYTES) &&
		    (field.type != WIRE_BYTES || field.number != COMMENT_FIELD))
			return 0;
		if (field.number == TYPE_FIELD && !is_type(field.bytes))
			return 0;
		has_type = has_type || field.number == TYPE_FIELD;
	}
	return has_type ? certain : 0;
}

static int
probe(const uint8_t *head, size_t bytes)
{
	uint8_t unpacked[HEAD_BYTES];

	if (!gunzip_is_packed(head, bytes))
		return weigh_message(head, bytes, LIKELY);
	bytes = gunzip_head(head, bytes, unpacked, sizeof unpacked);
	return weigh_message(unpacked, bytes, CERTAIN);
}

static enum gprofx_result
read_pprof(struct gprofx *gx, const struct gprofx_file *file, const struct gprofx_target *target,
           struct gprofx_profile *profile, const void *options)
{
	static const struct gunzip_rules rules = {
		/* Deep stacks that hardly differ are packed to a hundredth. */
		.most_times = 160,
		.most_besides = 1 << 20,
		.damaged_id = "pprof.bad-gzip",
		.damaged_hint = "the file is damaged or incomplete; write it again",
		.large_id = "pprof.too-large",
		.large_hint =
			"if you trust the file, decompress it with gunzip and name the result",
	};
	struct gprofx_layout layout = {.size = sizeof layout};
	const struct options *set = options;
	struct pprof p = {.gx = gx, .file = file, .bytes = file->bytes, .length = file->length};
	uint8_t *unpacked = NULL;
	enum gprofx_result result = GPROFX_OK;

	(void)target;
	p.was_packed = gunzip_is_packed(file->bytes, file->length);
	if (p.was_packed) {
		result = gunzip_file(gx, file, &rules, &unpacked, &p.length);
		p.bytes = unpacked;
	}
	if (result == GPROFX_OK)
		result = pprof_read_message(&p);
	if (result == GPROFX_OK)
		result = pprof_read_samples(&p, profile, set->label);
	pprof_release(&p);
	gx->host->release(gx, unpacked);
	layout.variant = p.was_packed ? "compressed" : NULL;
	if (result == GPROFX_OK)
		profile->builder->describe(gx, profile, &layout);
	return result;
}

static const struct gprofx_reader reader = {.size = sizeof reader,
                                            .format = "pprof",
                                            .probe = probe,
                                            .read = read_pprof,
                                            .carries_names = true};

GPROFX_PLUGIN = {GPROFX_ABI,
                 .name = "input-pprof",
                 .version = "1.0",
                 .summary = "Profiles of pprof, as Go programs and many other tools write them",
                 GPROFX_OPTIONS(struct options, table),
                 .reader = &reader};
