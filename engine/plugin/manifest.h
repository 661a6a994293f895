/* SPDX-License-Identifier: Apache-2.0 */
/* Manifests: what a plugin says about itself in NAME.yaml, read without opening its module. */
#ifndef ENGINE_PLUGIN_MANIFEST_H
#define ENGINE_PLUGIN_MANIFEST_H

#include "base/run.h"
#include "plugin/plugins.h"

/* Bytes that a file of the plugin's format has at a place. */
struct manifest_magic {
	struct manifest_magic *next;
	enum plugin_kind kind; /* reader or symbol provider */
	uint32_t at;
	uint32_t length;
	const uint8_t *bytes;
};

struct manifest {
	struct manifest *next;
	const char *file;                 /* the manifest */
	const char *module;               /* NAME.so beside it */
	const char *name;                 /* from the manifest's file name */
	const char *summary;              /* or NULL */
	const char *format[PLUGIN_KINDS]; /* of reader and emitter, syntax of a parser; or NULL */
	const char *machines;             /* of a scanner, as text, or NULL */
	uint16_t *machine_numbers;        /* the same */
	uint32_t machine_count;
	uint32_t kinds; /* bit 1 << enum plugin_kind for each interface it states */
	uint32_t abi;
	uint32_t folder; /* of the settings, that it is in, unless it lies beside a module */
	bool is_in_folder;
	bool has_positions; /* a symbol provider knows source positions */
	bool is_unmarked;   /* a reader has to be asked about files that no magic is known of */
	bool is_broken;     /* a warning was given; kinds is 0 then */
	struct manifest_magic *magic;
};

/*
 * All manifests of the plugin folders, read at the first call; first folder first, then by name. Of
 * equal names only the first is there.
 */
struct manifest *manifests(struct run *run);

/*
 * The manifest beside a module, read; a broken one was reported.  NULL: there is none, or nothing
 * to read it with.
 */
struct manifest *manifest_beside(struct run *run, const char *module);

/* Whether one of the manifest's magics for the kind fits. */
bool manifest_claims(const struct manifest *manifest, enum plugin_kind kind, const uint8_t *head,
                     size_t bytes);

#endif
