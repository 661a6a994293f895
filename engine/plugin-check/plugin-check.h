/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Trying out a plugin: looks at everything that it says about itself, and calls it with input that
 * is empty, random or damaged.
 */
#ifndef ENGINE_PLUGIN_CHECK_PLUGIN_CHECK_H
#define ENGINE_PLUGIN_CHECK_PLUGIN_CHECK_H

#include "engine.h"
#include "plugin/plugins.h"

enum { CHECK_ROOM = 65536, CHECK_HEAD = 4096, CHECK_BLOCKS = 64, CHECK_MOST_CLAIMS = 3 };

struct plugin_check {
	struct engine_check *told;
	const struct engine_check_step *step;
	const char *path; /* of the module */
	struct engine_settings settings;
	struct run *run;
	struct plugin *plugin;           /* NULL: not needed, or unusable */
	const struct manifest *manifest; /* beside the module, or NULL; see check_manifest() */
	bool knows_manifest;
	bool is_faulty, came_to_end;
	bool keeps_diagnostics; /* what is diagnosed is a fault; else it is only counted */
	bool notes_warnings;    /* what is warned about is remarked on */
	uint32_t errors;        /* since check_begin() */
	const char *last_id;    /* of the last error, or NULL */
	char last_error[512];
	uint64_t written; /* bytes for standard output */
	uint64_t random;
	uint8_t *room; /* CHECK_ROOM bytes before memory that must not be touched */
};

/* Notes something that is wrong. */
void check_fault(struct plugin_check *check, const char *format, ...) GPROFX_PRINTF(2, 3);
/* Notes something that is allowed but had better be known. */
void check_remark(struct plugin_check *check, const char *format, ...) GPROFX_PRINTF(2, 3);

/* States which callback is called next, in words: "reading an empty file". */
void check_begin(struct plugin_check *check, const char *format, ...) GPROFX_PRINTF(2, 3);
/* It returned. */
void check_end(struct plugin_check *check);
/*
 * The same of one that returns a result, which may be a failure: then it must have reported why,
 * else it must not have reported an error.
 */
void check_end_with(struct plugin_check *check, int result);

/* A number of chance; equal in every run. */
uint32_t check_random(struct plugin_check *check);
void check_fill(struct plugin_check *check, uint8_t *bytes, size_t count);
/*
 * A copy of at most CHECK_ROOM bytes, or room for them if "bytes" is NULL, valid until the next
 * call, behind which memory must not be touched.
 */
uint8_t *check_bytes(struct plugin_check *check, const uint8_t *bytes, size_t count, bool writable);

/* The manifest beside the module, or NULL. */
const struct manifest *check_manifest(struct plugin_check *check);

/* Input that is no file of any format, or a damaged one. */
struct check_input {
	uint8_t bytes[CHECK_ROOM];
	size_t length;
	const char *what; /* "random bytes" */
};

/* Makes input number i for an interface, from 0; false: there is no more. */
bool check_input(struct plugin_check *check, enum plugin_kind kind, uint32_t i,
                 struct check_input *input);

/* The steps.  Those of a kind of plugins are taken with such plugins only. */
void check_file(struct plugin_check *check);
void check_module(struct plugin_check *check);
void check_descriptor(struct plugin_check *check);
void check_options(struct plugin_check *check);
void check_manifest_agrees(struct plugin_check *check);
void check_reader_random(struct plugin_check *check);
void check_reader_empty(struct plugin_check *check);
void check_reader_damaged(struct plugin_check *check);
void check_symbols_random(struct plugin_check *check);
void check_symbols_empty(struct plugin_check *check);
void check_symbols_damaged(struct plugin_check *check);
void check_scanner_empty(struct plugin_check *check);
void check_scanner_random(struct plugin_check *check);
void check_emitter_empty(struct plugin_check *check);
void check_emitter_small(struct plugin_check *check);
void check_emitter_stacks(struct plugin_check *check);
void check_emitter_metrics(struct plugin_check *check);
void check_emitter_slices(struct plugin_check *check);
void check_emitter_comparison(struct plugin_check *check);
void check_document_empty(struct plugin_check *check);
void check_document_random(struct plugin_check *check);
void check_labels_empty(struct plugin_check *check);

#endif
