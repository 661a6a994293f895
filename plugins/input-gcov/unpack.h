/* SPDX-License-Identifier: Apache-2.0 */
/* Files compressed with gzip, as gcov writes them. */
#ifndef INPUT_GCOV_UNPACK_H
#define INPUT_GCOV_UNPACK_H

#include <gprofx/reader.h>

bool gcov_is_packed(const uint8_t *bytes, uint64_t length);

/* The first bytes of what a compressed file holds; returns how many. */
size_t gcov_unpack_head(const uint8_t *bytes, size_t length, uint8_t *head, size_t room);

/* Decompresses a file; the text is to be released. */
enum gprofx_result
gcov_unpack(struct gprofx *gx, const struct gprofx_file *file, char **text, size_t *length);

#endif
