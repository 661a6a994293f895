/* SPDX-License-Identifier: Apache-2.0 */
/* Pieces of text. */
#ifndef ENGINE_BASE_TEXT_H
#define ENGINE_BASE_TEXT_H

#include <string.h>

#include <gprofx/emitter.h>

/* The part of a path behind its last slash. */
static inline const char *
text_last_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* By bytes, as strcmp() does; a text goes behind its own begin. */
static inline int
text_compare(struct gprofx_text left, struct gprofx_text right)
{
	size_t common = left.length < right.length ? left.length : right.length;
	/* An empty text need not be anywhere. */
	int order = common > 0 ? memcmp(left.bytes, right.bytes, common) : 0;

	return order != 0 ? order : (left.length > right.length) - (left.length < right.length);
}

#endif
