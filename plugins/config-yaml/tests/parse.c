/* SPDX-License-Identifier: Apache-2.0 */
/* Trees of good documents, and the diagnostic of each bad one, with its place. */
#include "config-yaml.c"

#include <setjmp.h>
#include <stdio.h>

#include "base/run.h"

/* Last, since it has a macro "fail". */
#include <cmocka.h>

/* One document and what came of it. */
struct parsed {
	struct run run;
	struct engine_settings settings;
	struct engine_frontend frontend;
	struct gprofx_document document;
	enum gprofx_result result;
	uint32_t errors, line, column;
	char id[64], message[256];
};

static void
note(void *opaque, enum engine_severity severity, const struct gprofx_diagnostic *diagnostic,
     const char *message, const char *doing)
{
	struct parsed *p = opaque;

	(void)doing;
	assert_int_equal(severity, ENGINE_ERROR);
	assert_int_equal(diagnostic->place == GPROFX_AT_LINE, diagnostic->line > 0);
	assert_string_equal(diagnostic->file, "some.yaml");
	assert_non_null(diagnostic->hint);
	p->errors++;
	p->line = diagnostic->line;
	p->column = diagnostic->column;
	snprintf(p->id, sizeof p->id, "%s", diagnostic->id);
	snprintf(p->message, sizeof p->message, "%s", message);
}

static void
parse_bytes(struct parsed *p, const char *text, size_t bytes)
{
	/* A block of just this size, so that sanitizers see a step beyond its end. */
	char *copy = bytes > 0 ? malloc(bytes) : NULL;

	if (bytes > 0) {
		assert_non_null(copy);
		memcpy(copy, text, bytes);
	}
	memset(p, 0, sizeof *p);
	p->frontend = (struct engine_frontend){.opaque = p, .diagnose = note};
	run_start(&p->run, &p->settings, &p->frontend);
	p->document.size = sizeof p->document;
	p->result = parser_interface.parse(&p->run.gx, "some.yaml", copy, bytes, &p->document);
	free(copy);
}

static void
expect_bad_bytes(const char *text, size_t bytes, const char *id, uint32_t line, uint32_t column,
                 const char *words)
{
	struct parsed p;

	parse_bytes(&p, text, bytes);
	assert_int_equal(p.result, GPROFX_FAILED);
	assert_int_equal(p.errors, 1);
	if (strcmp(p.id, id) != 0 || p.line != line || p.column != column ||
	    !strstr(p.message, words))
		fail_msg("\"%.40s\": %s %u:%u: %s", text, p.id, p.line, p.column, p.message);
	run_finish(&p.run);
}

static void
expect_bad(const char *text, const char *id, uint32_t line, uint32_t column, const char *words)
{
	expect_bad_bytes(text, strlen(text), id, line, column, words);
}

/* Writes the tree as one line: "{key:text,…}", "[…]"; the tests' documents are not deep. */
static void
print_tree(const struct gprofx_document *document, uint32_t id, char **at, const char *end)
{
	const struct gprofx_node *node = &document->nodes[id];
	const char *brackets = node->kind == GPROFX_SEQUENCE ? "[]" : "{}";

	if (node->key)
		*at += snprintf(*at, (size_t)(end - *at), "%s:", node->key);
	if (node->kind == GPROFX_SCALAR) {
		*at += snprintf(*at, (size_t)(end - *at), "%s", node->text);
		return;
	}
	*at += snprintf(*at, (size_t)(end - *at), "%c", brackets[0]);
	for (uint32_t child = node->first_child; child != 0; child = document->nodes[child].next) {
		print_tree(document, child, at, end);
		if (document->nodes[child].next != 0)
			*at += snprintf(*at, (size_t)(end - *at), ",");
	}
	*at += snprintf(*at, (size_t)(end - *at), "%c", brackets[1]);
}

static void
expect_tree(const char *text, const char *expected)
{
	char found[1024] = "", *at = found;
	struct parsed p;

	parse_bytes(&p, text, strlen(text));
	if (p.result != GPROFX_OK || p.errors != 0)
		fail_msg("\"%s\": %u:%u: %s", text, p.line, p.column, p.message);
	if (p.document.node_count > 0)
		print_tree(&p.document, 0, &at, found + sizeof found);
	assert_string_equal(found, expected);
	run_finish(&p.run);
}

static void
test_trees(void **state)
{
	(void)state;
	expect_tree("", "");
	expect_tree("# nothing\n\n", "");
	expect_tree("---\n", "");
	expect_tree("word", "word");
	expect_tree("a: 1\nb:\n  c: [x, y, {z: 1}]\n  d: {}\ne: []\nf:\n",
	            "{a:1,b:{c:[x,y,{z:1}],d:{}},e:[],f:}");
	expect_tree("- - a\n  - b\n- c\n", "[[a,b],c]");
	expect_tree("%YAML 1.2\n---\na: 1\n...\n", "{a:1}");
	expect_tree("? long\n: value\n", "{long:value}");
	expect_tree("t: |\n  two\n  lines\nf: >-\n  one\n  line\n", "{t:two\nlines\n,f:one line}");
	expect_tree("q: 'it''s'\nd: \"\\x7fELF\\t\\u00e9\"\n", "{q:it's,d:\177ELF\t\303\251}");
	expect_tree("\357\273\277a: 1\r\nb: 2\r\n", "{a:1,b:2}");
	/* The same key in different mappings is no duplicate. */
	expect_tree("a: {k: 1}\nb: {k: 2}\nk: 3\n", "{a:{k:1},b:{k:2},k:3}");
}

/* More and longer texts than a document of that length usually has. */
static void
test_dense(void **state)
{
	enum { ITEMS = 5000 };
	static char text[6 * ITEMS + 8];
	struct parsed p;
	char *end = text;
	uint32_t id;

	(void)state;
	*end++ = '[';
	for (uint32_t i = 0; i < ITEMS; i++)
		end += sprintf(end, "\"\\L\",");
	*end++ = ']';
	parse_bytes(&p, text, (size_t)(end - text));
	assert_int_equal(p.result, GPROFX_OK);
	assert_int_equal(p.document.node_count, ITEMS + 1);
	id = p.document.nodes[0].first_child;
	for (uint32_t i = 0; i < ITEMS; i++) {
		assert_string_equal(p.document.nodes[id].text, "\342\200\250");
		id = p.document.nodes[id].next;
	}
	assert_int_equal(id, 0);
	run_finish(&p.run);
	/* A few long ones. */
	memset(text, 'x', sizeof text - 1);
	parse_bytes(&p, text, sizeof text - 1);
	assert_int_equal(p.result, GPROFX_OK);
	assert_int_equal(strlen(p.document.nodes[0].text), sizeof text - 1);
	run_finish(&p.run);
}

static void
test_places(void **state)
{
	struct parsed p;
	const struct gprofx_node *nodes;

	(void)state;
	parse_bytes(&p, "# c\nname: x\nlist:\n  - \303\251\n  -  { k: v }\n", 39);
	assert_int_equal(p.result, GPROFX_OK);
	assert_int_equal(p.document.node_count, 6);
	nodes = p.document.nodes;
	assert_int_equal(nodes[0].line, 2);
	assert_int_equal(nodes[0].column, 1);
	assert_null(nodes[0].key);
	assert_string_equal(nodes[1].key, "name");
	assert_int_equal(nodes[1].key_line, 2);
	assert_int_equal(nodes[1].key_column, 1);
	assert_int_equal(nodes[1].column, 7);
	assert_int_equal(nodes[2].key_line, 3);
	assert_int_equal(nodes[2].line, 4);
	assert_int_equal(nodes[2].column, 3);
	assert_int_equal(nodes[4].line, 5);
	assert_int_equal(nodes[4].column, 6);
	assert_int_equal(nodes[5].key_column, 8);
	assert_int_equal(nodes[5].column, 11);
	run_finish(&p.run);
}

static void
test_syntax(void **state)
{
	(void)state;
	expect_bad("a: [1, 2\nb: 3\n", "document.syntax", 2, 2, "did not find expected ',' or ']'");
	expect_bad("a: b: c\n", "document.syntax", 1, 5, "mapping values are not allowed");
	expect_bad("a: \"x\n", "document.syntax", 2, 1, "found unexpected end of stream");
	expect_bad("a: 1\n\tb: 2\n", "document.syntax", 2, 1, "found a tab character");
	expect_bad("a: @x\n", "document.syntax", 1, 4,
	           "found character that cannot start any token");
	expect_bad("a: \"\\q\"\n", "document.syntax", 1, 5, "found unknown escape character");
	expect_bad("%YAML 3.0\n---\na: 1\n", "document.syntax", 1, 1, "incompatible YAML document");
}

static void
test_encoding(void **state)
{
	(void)state;
	expect_bad("a: b\nc\303\251: \377\n", "document.bad-encoding", 2, 5,
	           "invalid leading UTF-8");
	expect_bad("a: \303(\n", "document.bad-encoding", 1, 5, "invalid trailing UTF-8");
	expect_bad("a: \303", "document.bad-encoding", 1, 4, "incomplete UTF-8");
	expect_bad("a: \355\240\200\n", "document.bad-encoding", 1, 4, "invalid Unicode");
	expect_bad("\357\273\277a: \377\n", "document.bad-encoding", 1, 4, "invalid leading UTF-8");
	expect_bad("a: \001\n", "document.bad-encoding", 1, 4,
	           "control characters are not allowed");
	expect_bad_bytes("a: b\0c\n", 7, "document.bad-encoding", 1, 5, "control characters");
	expect_bad_bytes("\377\376a\0:\0", 6, "document.bad-encoding", 1, 1,
	                 "invalid leading UTF-8");
	expect_bad("a: 1\nb: \"x\\0y\"\n", "document.nul", 2, 4, "NUL");
}

static void
test_refused(void **state)
{
	(void)state;
	expect_bad("a: &x 1\nb: *x\n", "document.anchor", 1, 4, "\"x\"");
	expect_bad("a: 1\nb: *nothing\n", "document.anchor", 2, 4, "\"nothing\"");
	expect_bad("&r [1]\n", "document.anchor", 1, 1, "\"r\"");
	expect_bad("a: &m {b: 1}\n", "document.anchor", 1, 4, "\"m\"");
	expect_bad("&k a: 1\n", "document.anchor", 1, 1, "\"k\"");
	expect_bad("a: !!int 1\n", "document.tag", 1, 4, "tag:yaml.org,2002:int");
	expect_bad("a: !own [1]\n", "document.tag", 1, 4, "\"!own\"");
	expect_bad("! {a: 1}\n", "document.tag", 1, 1, "\"!\"");
	expect_bad("a: 1\n---\nb: 2\n", "document.several", 2, 1, "second");
	expect_bad("a: 1\n...\n---\nb: 2\n", "document.several", 3, 1, "second");
	expect_bad("[a, b]: 1\n", "document.bad-key", 1, 1, "found a sequence");
	expect_bad("x:\n  ? {a: 1}\n  : 2\n", "document.bad-key", 2, 5, "found a mapping");
}

static void
test_duplicates(void **state)
{
	(void)state;
	expect_bad("a: 1\nb: 2\na: 3\n", "document.duplicate-key", 3, 1,
	           "\"a\" again after line 1");
	expect_bad("m: {x: 1, y: 2, 'x': 3}\n", "document.duplicate-key", 1, 17, "\"x\"");
	/* The first in the text is reported, whatever the order of the names. */
	expect_bad("z: 1\na: 2\nz: 3\na: 4\n", "document.duplicate-key", 3, 1, "\"z\"");
	expect_bad("a: 1\na: 2\na: 3\n", "document.duplicate-key", 2, 1, "after line 1");
	expect_bad("? \n? \n", "document.duplicate-key", 2, 2, "\"\"");
}

/* Texts that are long, deep, or made to keep libyaml busy. */
static void
test_bounds(void **state)
{
	enum { SIZE = MOST_BYTES + 1 };
	char *text = malloc(SIZE);
	struct parsed p;

	(void)state;
	assert_non_null(text);
	memset(text, 'a', SIZE);
	expect_bad_bytes(text, SIZE, "document.too-large", 0, 0, "1048576");
	parse_bytes(&p, text, MOST_BYTES);
	assert_int_equal(p.result, GPROFX_OK);
	assert_int_equal(p.document.node_count, 1);
	run_finish(&p.run);
	memset(text, '[', MOST_BYTES);
	expect_bad_bytes(text, MOST_BYTES, "document.too-deep", 1, MOST_LEVELS + 1, "64 levels");
	for (int i = 0; i < MOST_BYTES; i++)
		text[i] = "- "[i % 2];
	expect_bad_bytes(text, MOST_BYTES, "document.too-deep", 1, 2 * MOST_LEVELS + 1,
	                 "64 levels");
	for (int i = 0; i < MOST_BYTES; i++)
		text[i] = "-\n"[i % 2];
	parse_bytes(&p, text, MOST_BYTES);
	assert_int_equal(p.result, GPROFX_OK);
	assert_int_equal(p.document.node_count, MOST_BYTES / 2 + 1);
	run_finish(&p.run);
	for (int i = 0; i + 12 <= MOST_BYTES; i += 12)
		snprintf(text + i, 13, "%%TAG !%c%c! x\n", 'a' + i / 12 % 26, 'a' + i / 312 % 26);
	expect_bad_bytes(text, MOST_BYTES, "document.directives", MOST_DIRECTIVES + 1, 1,
	                 "16 lines");
	free(text);
	expect_tree("a: 50%\nb: 'x\n%'\n", "{a:50%,b:x %}");
}

/* As many levels as there may be are fine. */
static void
test_deepest(void **state)
{
	char text[2 * MOST_LEVELS];
	struct parsed p;

	(void)state;
	memset(text, '[', MOST_LEVELS);
	memset(text + MOST_LEVELS, ']', MOST_LEVELS);
	parse_bytes(&p, text, sizeof text);
	assert_int_equal(p.result, GPROFX_OK);
	assert_int_equal(p.document.node_count, MOST_LEVELS);
	run_finish(&p.run);
}

/* Every beginning of a document is either a document or refused, and nothing is read behind it. */
static void
test_cut_documents(void **state)
{
	static const char text[] =
		"%YAML 1.2\n---\n? a\n: [1, {b: \"c\\x41\\u00e9\"}, 'd''e']\nf: |2-\n"
		"   g\n\nh: >+\n i\n j\nk: &x !t\n- \303\251\n...\n";
	uint32_t good = 0;

	(void)state;
	for (size_t bytes = 0; bytes <= sizeof text - 1; bytes++) {
		struct parsed p;

		parse_bytes(&p, text, bytes);
		assert_int_equal(p.errors, p.result == GPROFX_OK ? 0 : 1);
		assert_true(p.document.node_count <= 2 * bytes + 2);
		good += p.result == GPROFX_OK;
		run_finish(&p.run);
	}
	assert_in_range(good, 20, sizeof text - 20);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_trees),      cmocka_unit_test(test_dense),
		cmocka_unit_test(test_places),     cmocka_unit_test(test_syntax),
		cmocka_unit_test(test_encoding),   cmocka_unit_test(test_refused),
		cmocka_unit_test(test_duplicates), cmocka_unit_test(test_bounds),
		cmocka_unit_test(test_deepest),    cmocka_unit_test(test_cut_documents),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
