/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Trying out a plugin: looks at everything that it says about itself, and calls it with input that
 * is empty, random or damaged.
 */
#ifndef ENGINE_TRIAL_TRIAL_H
#define ENGINE_TRIAL_TRIAL_H

#include "engine.h"
#include "plugin/plugins.h"

enum { TRIAL_ROOM = 65536, TRIAL_HEAD = 4096, TRIAL_BLOCKS = 64, TRIAL_MOST_CLAIMS = 3 };

struct trial {
	struct engine_trial *told;
	const struct engine_trial_step *step;
	const char *path; /* of the module */
	struct engine_settings settings;
	struct run *run;
	struct plugin *plugin;           /* NULL: not needed, or unusable */
	const struct manifest *manifest; /* beside the module, or NULL; see trial_manifest() */
	bool knows_manifest;
	bool is_faulty, came_to_end;
	bool keeps_diagnostics; /* what is diagnosed is a fault; else it is only counted */
	uint32_t errors;        /* since trial_begin() */
	const char *last_id;    /* of the last error, or NULL */
	char last_error[512];
	uint64_t written; /* bytes for standard output */
	uint64_t random;
	uint8_t *room; /* TRIAL_ROOM bytes before memory that must not be touched */
};

/* Notes something that is wrong. */
void trial_fault(struct trial *trial, const char *format, ...) GPROFX_PRINTF(2, 3);
/* Notes something that is allowed but had better be known. */
void trial_remark(struct trial *trial, const char *format, ...) GPROFX_PRINTF(2, 3);

/* States which callback is called next, in words: "reading an empty file". */
void trial_begin(struct trial *trial, const char *format, ...) GPROFX_PRINTF(2, 3);
/* It returned. */
void trial_end(struct trial *trial);
/*
 * The same of one that returns a result, which may be a failure: then it must have told why, else
 * it must not have told an error.
 */
void trial_end_with(struct trial *trial, int result);

/* A number of chance; equal in every run. */
uint32_t trial_random(struct trial *trial);
void trial_fill(struct trial *trial, uint8_t *bytes, size_t count);
/*
 * A copy of at most TRIAL_ROOM bytes, or room for them if "bytes" is NULL, valid until the next
 * call, behind which memory must not be touched.
 */
uint8_t *trial_bytes(struct trial *trial, const uint8_t *bytes, size_t count, bool writable);

/* The manifest beside the module, or NULL. */
const struct manifest *trial_manifest(struct trial *trial);

/* Input that is no file of any format, or a damaged one. */
struct trial_input {
	uint8_t bytes[TRIAL_ROOM];
	size_t length;
	const char *what; /* "random bytes" */
};

/* Makes input number i for an interface, from 0; false: there is no more. */
bool trial_input(struct trial *trial, enum plugin_kind kind, uint32_t i, struct trial_input *input);

/* The steps.  Those of a kind of plugins are taken with such plugins only. */
void trial_file(struct trial *trial);
void trial_module(struct trial *trial);
void trial_descriptor(struct trial *trial);
void trial_options(struct trial *trial);
void trial_manifest_agrees(struct trial *trial);
void trial_reader_random(struct trial *trial);
void trial_reader_empty(struct trial *trial);
void trial_reader_damaged(struct trial *trial);
void trial_symbols_random(struct trial *trial);
void trial_symbols_empty(struct trial *trial);
void trial_symbols_damaged(struct trial *trial);
void trial_scanner_empty(struct trial *trial);
void trial_scanner_random(struct trial *trial);
void trial_emitter_empty(struct trial *trial);
void trial_emitter_small(struct trial *trial);
void trial_document_empty(struct trial *trial);
void trial_document_random(struct trial *trial);
void trial_labels_empty(struct trial *trial);

#endif
