/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A parser of documents as it was built against the headers in include/.  Each line is a node, with
 * as many dots as there are nodes around it: "key=text", "key[" for a list, "key{" for a mapping;
 * what is in a list has no key.
 */
#include <string.h>

#include <gprofx/document.h>

#ifndef NAME
#define NAME "config-frozen"
#endif

enum { MOST_DEPTH = 8, FIRST_ROOM = 4 };

struct parse {
	struct gprofx *gx;
	const char *file;
	struct gprofx_node *nodes;
	uint32_t count, room;
	uint32_t line;
	uint32_t around[MOST_DEPTH], last[MOST_DEPTH]; /* nodes; last 0: none is in it yet */
};

static enum gprofx_result
fail(const struct parse *parse, size_t column, const char *what)
{
	const struct gprofx_diagnostic bad = {
		.id = "frozen.bad",
		.file = parse->file,
		.place = GPROFX_AT_LINE,
		.line = parse->line,
		.column = (uint32_t)column + 1,
		.hint = "write it again",
	};

	return gprofx_fail(parse->gx, &bad, "expected %s", what);
}

static const char *
keep(struct gprofx *gx, const char *text, size_t length)
{
	char *copy = gprofx_alloc(gx, length + 1);

	return memcpy(copy, text, length);
}

static enum gprofx_result
add(struct parse *parse, const char *line, size_t length)
{
	struct gprofx_node node = {.kind = GPROFX_SCALAR,
	                           .line = parse->line,
	                           .key_line = parse->line};
	size_t depth = strspn(line, "."), key = depth + strcspn(line + depth, "=[{");
	uint32_t id = parse->count, parent;

	if (depth >= MOST_DEPTH || (depth > 0 && parse->around[depth - 1] == 0) || key >= length)
		return fail(parse, depth, "a node");
	parent = depth > 0 ? parse->around[depth - 1] - 1 : 0;
	if (parse->nodes[parent].kind == GPROFX_MAPPING) {
		if (key == depth)
			return fail(parse, depth, "a key");
		node.key = keep(parse->gx, line + depth, key - depth);
	}
	node.key_column = (uint32_t)depth + 1;
	node.column = (uint32_t)key + 2;
	if (line[key] == '=')
		node.text = keep(parse->gx, line + key + 1, length - key - 1);
	else
		node.kind = line[key] == '[' ? GPROFX_SEQUENCE : GPROFX_MAPPING;
	if (parse->count == parse->room) {
		size_t bytes = parse->room * sizeof node;

		parse->nodes = parse->gx->host->grow(parse->gx, parse->nodes, bytes, 2 * bytes);
		parse->room *= 2;
	}
	parse->nodes[id] = node;
	parse->count++;
	if (parse->last[depth])
		parse->nodes[parse->last[depth]].next = id;
	else
		parse->nodes[parent].first_child = id;
	parse->last[depth] = id;
	for (size_t i = depth; i < MOST_DEPTH; i++)
		parse->around[i] = 0;
	if (node.kind != GPROFX_SCALAR)
		parse->around[depth] = id + 1;
	for (size_t i = depth + 1; i < MOST_DEPTH; i++)
		parse->last[i] = 0;
	return GPROFX_OK;
}

static enum gprofx_result
parse_frozen(struct gprofx *gx, const char *file, const char *text, size_t bytes,
             struct gprofx_document *document)
{
	struct parse parse = {.gx = gx, .file = file, .count = 1, .room = FIRST_ROOM};
	const char *end = text + bytes;

	if (document->size < sizeof *document || gx->host->abi_major != 1)
		return fail(&parse, 0, "what was asked of the host");
	parse.nodes = gprofx_alloc(gx, FIRST_ROOM * sizeof *parse.nodes);
	parse.nodes[0] = (struct gprofx_node){.kind = GPROFX_MAPPING, .line = 1, .column = 1};
	while (text < end) {
		const char *newline = memchr(text, '\n', (size_t)(end - text));
		size_t length = (size_t)((newline ? newline : end) - text);
		const char *line = keep(gx, text, length);

		parse.line++;
		if (length > 0 && add(&parse, line, strlen(line)) != GPROFX_OK)
			return GPROFX_FAILED;
		text += length + (newline ? 1 : 0);
	}
	document->nodes = parse.nodes;
	document->node_count = parse.count;
	return GPROFX_OK;
}

static const struct gprofx_document_parser document = {.size = sizeof document,
                                                       .syntax = "frozen",
                                                       .parse = parse_frozen};

GPROFX_PLUGIN = {GPROFX_ABI, .name = NAME, .version = "1", .summary = "Frozen documents",
                 .document = &document};
