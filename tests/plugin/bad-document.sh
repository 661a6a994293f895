#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# document.bad-tree, plugin.no-reason: what a parser of documents says is not believed before it is known that a walk
# through it ends; a manifest that it spoils is left out, settings that it spoils end the run.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
make_program

# parser FOLDER NAME BODY: a parser of this name whose nodes are made by the body.
parser() {
	mkdir -p "$1"
	module "$1/$2" <<-END
		#include "stub.h"
		static enum gprofx_result
		parse(struct gprofx *gx, const char *file, const char *text, size_t bytes,
		      struct gprofx_document *document) {
			/* { key: text, other: [ item ] } */
			static struct gprofx_node nodes[4], fresh[4] = {
				{.kind = GPROFX_MAPPING, .first_child = 1, .line = 1, .column = 1},
				{.kind = GPROFX_SCALAR, .next = 2, .line = 1, .column = 1, .key = "threads", .text = "2"},
				{.kind = GPROFX_SEQUENCE, .first_child = 3, .line = 2, .column = 1, .key = "outputs"},
				{.kind = GPROFX_MAPPING, .line = 2, .column = 1}};
			(void)gx; (void)file; (void)text; (void)bytes;
			memcpy(nodes, fresh, sizeof nodes);
			document->nodes = nodes;
			document->node_count = 4;
			$3
			return GPROFX_OK;
		}
		static const struct gprofx_document_parser document = {
			.size = sizeof document, .syntax = "made-up", .parse = parse};
		GPROFX_PLUGIN = {GPROFX_ABI, .name = "$2", .version = "1", .summary = "Lies",
			.document = &document};
	END
}

# The tree as it is, is one.
parser right config-right ''
expect_status 0 "$GPROFX" --check-plugin=right/config-right.so
expect_not_in out FAILED

# lie ID TEXT BODY: found by --check-plugin, and in a run.
lie() {
	parser checked config-liar "$3"
	expect_status 1 "$GPROFX" --check-plugin=checked/config-liar.so
	expect_match out "FAILED +document, empty text: .*$2"
	# Where the plugins are built in, no other one is asked.
	[ "$GPROFX_BUILTIN" = 0 ] || return 0
	parser taken config-yaml "$3"
	echo 'threads: 2' >x.yaml
	expect_status 1 "$GPROFX" --no-config --plugin-path=taken --config=x.yaml program
	expect_empty out
	expect_match err "^gprofx: error\\[$1\\]: x\\.yaml: .*$2"
	expect_match err '^  while reading x\.yaml with config-yaml$'
	expect_match err '^  hint: .'
	# A run without a document does not meet it, nor does one that needs a manifest only.
	expect_status 0 "$GPROFX" --no-config --plugin-path=taken -b program
	expect_undiagnosed
	expect_status 0 "$GPROFX" --no-config --plugin-path=taken --list-plugins
	expect_in out 'cannot be used: its manifest is invalid'
}

lie document.bad-tree 'ids of nodes that are there, each in one place' 'nodes[2].next = 1;'
lie document.bad-tree 'ids of nodes that are there, each in one place' 'nodes[3].next = 3;'
lie document.bad-tree 'ids of nodes that are there, each in one place' 'nodes[2].first_child = 2;'
lie document.bad-tree 'ids of nodes that are there, each in one place' 'nodes[2].first_child = 4;'
lie document.bad-tree 'ids of nodes that are there, each in one place' 'nodes[1].next = UINT32_MAX;'
lie document.bad-tree 'nodes of the kinds' 'nodes[3].kind = 4;'
lie document.bad-tree 'nodes of the kinds' 'nodes[0].kind = 0;'
lie document.bad-tree 'a text in each scalar' 'nodes[1].text = NULL;'
lie document.bad-tree 'a key with each value of a mapping' 'nodes[2].key = NULL;'
lie document.bad-tree 'the nodes of the tree' 'document->nodes = NULL;'
lie document.bad-tree 'no larger than the text justifies' 'document->node_count = UINT32_MAX;'
lie plugin.no-reason '(the plugin failed without giving a reason|found none)$' 'return GPROFX_FAILED;'
