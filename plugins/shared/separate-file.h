/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the separate debug file of an image, which has what was stripped from it.
 *
 * It is looked for where GNU looks: by build ID, then by the name and checksum of the debug link.
 * Nothing is fetched from servers.
 */
#ifndef GPROFX_PLUGINS_SEPARATE_FILE_H
#define GPROFX_PLUGINS_SEPARATE_FILE_H

#include <gprofx/plugin.h>

/* What a file must have to be the right one. */
struct separate_proof {
	const uint8_t *build_id; /* NULL: not asked for */
	size_t build_id_bytes;
	bool has_checksum;
	uint32_t checksum; /* of the whole file */
};

/* A file that is open.  Lifetime: run, unless separate_close() ends it. */
struct separate_file {
	const char *path; /* NULL: none */
	uint8_t *bytes;
	uint64_t length;
};

struct separate_finder {
	struct gprofx *gx;
	const char *folders; /* debug folders; colon-separated */
	/*
	 * Takes a file, and returns true, if "proof" shows that it is the right one.  NULL: any
	 * file is, and none is opened.
	 */
	bool (*take)(struct separate_finder *finder, const struct separate_file *file);
	struct separate_proof proof;
};

/* Looks for .build-id/xx/yyyy.debug, also, as GNU does, below the current folder. */
bool
separate_find_by_build_id(struct separate_finder *finder, const uint8_t *build_id, size_t bytes);
/*
 * Looks for a file named in another file: beside it, below it, in the debug folders.  The proof is
 * set before.
 */
bool separate_find_by_name(struct separate_finder *finder, const char *name, const char *other);
/* The file of this path, likewise. */
bool separate_find_path(struct separate_finder *finder, const char *path);
void separate_close(struct gprofx *gx, struct separate_file *file);

bool separate_is_id(const struct separate_proof *proof, const uint8_t *build_id, size_t bytes);
/* CRC-32 as in Ethernet and zlib. */
uint32_t separate_checksum(const uint8_t *bytes, size_t count);

#endif
