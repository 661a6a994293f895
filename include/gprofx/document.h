/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Document parsers (config-*): turn a text such as YAML into a tree with places.
 *
 * The host reads plugin manifests and configuration through this interface, so that the library
 * behind it is loaded only when there is a document to read.
 */
#ifndef GPROFX_DOCUMENT_H
#define GPROFX_DOCUMENT_H

#include <gprofx/plugin.h> /* IWYU pragma: export */

#ifdef __cplusplus
extern "C" {
#endif

enum gprofx_node_kind {
	GPROFX_SCALAR = 1,   /* text */
	GPROFX_SEQUENCE = 2, /* children in order */
	GPROFX_MAPPING = 3   /* children in order; each child carries its key */
};

/* A node of the tree.  Ids are indexes into gprofx_document.nodes; 0 is the root. */
struct gprofx_node {
	uint32_t kind;         /* enum gprofx_node_kind */
	uint32_t first_child;  /* id, or 0: none (the root is no child) */
	uint32_t next;         /* next sibling, or 0 */
	uint32_t line, column; /* where the node starts, from 1 */
	uint32_t key_line, key_column;
	const char *key;  /* of a mapping's child; NUL-terminated; run lifetime; else NULL */
	const char *text; /* of a scalar; NUL-terminated; run lifetime; else NULL */
};

/* A parsed document.  The parser fills it; node_count 0: the document is empty. */
struct gprofx_document {
	uint32_t size;
	const struct gprofx_node *nodes; /* run lifetime */
	uint32_t node_count;
};

struct gprofx_document_parser {
	uint32_t size;
	const char *syntax; /* "yaml"; static */
	/*
	 * Parses the text.  Fails with a diagnostic that names "file" and the place.  The tree's
	 * size is bounded by a constant times the length of the text.
	 */
	enum gprofx_result (*parse)(struct gprofx *gx, const char *file, const char *text,
	                            size_t bytes, struct gprofx_document *document);
};

#ifdef __cplusplus
}
#endif

#endif
