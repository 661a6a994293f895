/* SPDX-License-Identifier: Apache-2.0 */
#include "schema/parse.h"

#include "base/memory.h"

enum {
	NODES_FOR_EACH = 8, /* of a tree, for a byte of the text */
	NODES_FOR_NONE = 64
};

/* Marks a node as being somewhere; 0 is nowhere.  False: it is not there, or was marked before. */
static bool
mark_placed(bool *is_placed, uint32_t count, uint32_t id)
{
	bool is_new = id < count && !is_placed[id];

	if (id == 0)
		return true;
	if (is_new)
		is_placed[id] = true;
	return is_new;
}

static bool
have_keys(const struct gprofx_document *document, const struct gprofx_node *mapping)
{
	for (uint32_t i = mapping->first_child; i; i = document->nodes[i].next)
		if (!document->nodes[i].key)
			return false;
	return true;
}

const char *
document_problem(struct run *run, const struct gprofx_document *document, size_t bytes)
{
	const struct gprofx_node *nodes = document->nodes;
	uint32_t count = document->node_count;
	const char *problem = NULL;
	bool *is_placed;

	if (count > bytes * NODES_FOR_EACH + NODES_FOR_NONE)
		return "a tree no larger than the text justifies";
	if (count > 0 && !nodes)
		return "the nodes of the tree";
	memory_array(run, is_placed, count);
	for (uint32_t i = 0; i < count && !problem; i++) {
		if (nodes[i].kind < GPROFX_SCALAR || nodes[i].kind > GPROFX_MAPPING)
			problem = "nodes of the kinds of enum gprofx_node_kind";
		else if (nodes[i].kind == GPROFX_SCALAR && !nodes[i].text)
			problem = "a text in each scalar";
		else if (!mark_placed(is_placed, count, nodes[i].first_child) ||
		         !mark_placed(is_placed, count, nodes[i].next))
			problem = "ids of nodes that are there, each in one place";
	}
	/* Only now lists are known to end. */
	for (uint32_t i = 0; i < count && !problem; i++)
		if (nodes[i].kind == GPROFX_MAPPING && !have_keys(document, &nodes[i]))
			problem = "a key with each value of a mapping";
	memory_release(run, is_placed);
	return problem;
}

enum gprofx_result
document_parse(struct run *run, const struct gprofx_document_parser *parser, const char *file,
               const char *text, size_t bytes, struct gprofx_document *document)
{
	const struct gprofx_diagnostic bad = {
		.id = "document.bad-tree",
		.file = file,
		.hint = "this is a bug in the plugin that parses documents: install another build "
			"of it",
	};
	const struct gprofx_diagnostic silent = {
		.id = "plugin.no-reason",
		.file = file,
		.hint = bad.hint,
	};
	const char *problem;
	uint32_t errors = run->error_count;
	enum gprofx_result result;

	*document = (struct gprofx_document){.size = sizeof *document};
	result = parser->parse(&run->gx, file, text, bytes, document);
	problem = result == GPROFX_OK ? document_problem(run, document, bytes) : NULL;
	if (problem)
		result = run_fail(run, &bad, "expected %s, found another document", problem);
	/* Without a document whose absence matters, what was reported are warnings. */
	else if (result != GPROFX_OK && !run->errors_are_warnings && run->error_count == errors)
		result = run_fail(run, &silent, "the plugin failed without giving a reason");
	return result;
}
