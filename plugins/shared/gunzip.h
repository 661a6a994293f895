/* SPDX-License-Identifier: Apache-2.0 */
/* Profiles compressed with gzip (RFC 1952), by zlib. */
#ifndef SHARED_GUNZIP_H
#define SHARED_GUNZIP_H

#include <gprofx/reader.h>

/* What a plugin allows, and says of files that are not so. */
struct gunzip_rules {
	/* What one byte can become at most; the second number is always allowed. */
	uint32_t most_times, most_besides;
	const char *damaged_id, *damaged_hint;
	const char *large_id, *large_hint;
};

bool gunzip_is_packed(const uint8_t *bytes, uint64_t length);

/* The first bytes of what a compressed file holds; returns how many. */
size_t gunzip_head(const uint8_t *bytes, size_t length, uint8_t *head, size_t room);

/* Decompresses a file; *bytes are to be released.  Fails with the diagnostic reported. */
enum gprofx_result gunzip_file(struct gprofx *gx, const struct gprofx_file *file,
                               const struct gunzip_rules *rules, uint8_t **bytes, size_t *length);

#endif
