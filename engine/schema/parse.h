/* SPDX-License-Identifier: Apache-2.0 */
/* Texts through a plugin that parses documents. */
#ifndef ENGINE_SCHEMA_PARSE_H
#define ENGINE_SCHEMA_PARSE_H

#include "base/run.h"

/*
 * What is wrong with a tree that was made of this number of bytes, or NULL.  In one that is right a
 * walk comes to an end: no node is in two places.
 */
const char *document_problem(struct run *run, const struct gprofx_document *document, size_t bytes);

/*
 * Parses a text and makes sure that the tree can be walked.  What is under way, the caller says.  A
 * failure has been reported.
 */
enum gprofx_result
document_parse(struct run *run, const struct gprofx_document_parser *parser, const char *file,
               const char *text, size_t bytes, struct gprofx_document *document);

#endif
