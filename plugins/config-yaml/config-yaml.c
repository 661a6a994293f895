/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Turns a YAML document into a tree with places, by the events of libyaml.  What a description or a
 * configuration has no use for is refused: aliases, which make small texts large, tags, a second
 * document, keys that are not plain text.
 *
 * No memory of the run is asked for while libyaml holds memory of its own.  Arrays of a size that
 * is enough for what people write are made before; if they turn out to be too small, all has at
 * least been counted, and the text is gone through again with arrays of just that size.
 */
#include <gprofx/document.h>

#include <stdlib.h>
#include <string.h>
#include <yaml.h>

enum {
	MOST_BYTES = 1 << 20,
	MOST_LEVELS = 64,
	/* libyaml compares each %TAG line with all before it. */
	MOST_DIRECTIVES = 16,
	MOST_QUOTED = 60 /* bytes of a word in a message */
};

/* A sequence or mapping that has begun and not yet ended. */
struct level {
	uint32_t node, last_child;
	bool is_mapping;
	/* Of the key whose value comes next; key_line 0: a key comes next. */
	uint32_t key_line, key_column;
	const char *key;
};

struct tree {
	struct gprofx *gx;
	const char *file, *text;
	size_t bytes;
	/* What does not fit into them is only counted. */
	struct gprofx_node *nodes;
	uint32_t *parents;
	char *texts;
	uint32_t room, count;
	size_t text_room, text_bytes;
	struct level levels[MOST_LEVELS];
	uint32_t depth;
	uint32_t documents;
};

/* A key of some mapping, for the search of duplicates. */
struct keyed {
	const char *key;
	uint32_t parent, node;
};

static struct gprofx_diagnostic
at(const struct tree *t, size_t line, size_t column, const char *id, const char *hint)
{
	return (struct gprofx_diagnostic){
		.id = id,
		.file = t->file,
		.place = GPROFX_AT_LINE,
		.line = (uint32_t)line,
		.column = (uint32_t)column,
		.hint = hint,
	};
}

static struct gprofx_diagnostic
at_event(const struct tree *t, const yaml_event_t *event, const char *id, const char *hint)
{
	return at(t, event->start_mark.line + 1, event->start_mark.column + 1, id, hint);
}

static enum gprofx_result
fail_memory(const struct tree *t)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "memory.exhausted",
		.file = t->file,
		.hint = "allow the program more memory",
	};

	return gprofx_fail(t->gx, &diagnostic, "cannot allocate what libyaml needs");
}

/* libyaml states the place of a bad byte as an offset only. */
static enum gprofx_result
fail_reader(const struct tree *t, const yaml_parser_t *parser)
{
	struct gprofx_diagnostic diagnostic;
	size_t line = 1, column = 1;

	for (size_t i = 0; i < parser->problem_offset && i < t->bytes; i++) {
		if (t->text[i] == '\n') {
			line++;
			column = 1;
		} else if (((unsigned char)t->text[i] & 0xc0) != 0x80) {
			column++;
		}
	}
	diagnostic = at(t, line, column, "document.bad-encoding",
	                "write the file as plain text in UTF-8");
	return gprofx_fail(t->gx, &diagnostic, "expected text in UTF-8, but %s", parser->problem);
}

static enum gprofx_result
fail_parser(const struct tree *t, const yaml_parser_t *parser)
{
	struct gprofx_diagnostic diagnostic = at(
		t, parser->problem_mark.line + 1, parser->problem_mark.column + 1,
		"document.syntax",
		"correct the YAML there or just before: indentation, quotes and brackets");

	if (parser->error == YAML_MEMORY_ERROR)
		return fail_memory(t);
	if (parser->error == YAML_READER_ERROR)
		return fail_reader(t, parser);
	return gprofx_fail(t->gx, &diagnostic, "expected YAML, but %s%s%s", parser->problem,
	                   parser->context ? " " : "", parser->context ? parser->context : "");
}

/* What a node must not carry. */
static enum gprofx_result
check_plain(const struct tree *t, const yaml_event_t *event, const yaml_char_t *anchor,
            const yaml_char_t *tag)
{
	struct gprofx_diagnostic diagnostic;

	if (anchor) {
		diagnostic = at_event(t, event, "document.anchor",
		                      "repeat the text where it is used");
		return gprofx_fail(t->gx, &diagnostic,
		                   "expected no anchors or aliases, found \"%.*s\"", MOST_QUOTED,
		                   (const char *)anchor);
	}
	if (tag) {
		diagnostic = at_event(t, event, "document.tag", "remove the tag");
		return gprofx_fail(t->gx, &diagnostic, "expected no tags, found \"%.*s\"",
		                   MOST_QUOTED, (const char *)tag);
	}
	return GPROFX_OK;
}

/* A copy of a text, or NULL if there is no room for it. */
static const char *
keep_text(struct tree *t, const yaml_char_t *bytes, size_t length)
{
	char *copy = NULL;

	if (t->text_bytes < t->text_room && length < t->text_room - t->text_bytes) {
		copy = t->texts + t->text_bytes;
		memcpy(copy, bytes, length);
		copy[length] = '\0';
	}
	t->text_bytes += length + 1;
	return copy;
}

static uint32_t
add_node(struct tree *t, const yaml_event_t *event, enum gprofx_node_kind kind, const char *text)
{
	struct level *level = t->depth > 0 ? &t->levels[t->depth - 1] : NULL;
	uint32_t id = t->count++;

	if (id < t->room) {
		t->nodes[id] = (struct gprofx_node){
			.kind = kind,
			.line = (uint32_t)event->start_mark.line + 1,
			.column = (uint32_t)event->start_mark.column + 1,
			.text = text,
		};
		if (level) {
			struct gprofx_node *node = &t->nodes[id];

			t->parents[id] = level->node;
			node->key = level->key;
			node->key_line = level->key_line;
			node->key_column = level->key_column;
			if (level->last_child != 0)
				t->nodes[level->last_child].next = id;
			else
				t->nodes[level->node].first_child = id;
		}
	}
	if (level) {
		level->last_child = id;
		level->key = NULL;
		level->key_line = 0;
	}
	return id;
}

static bool
is_key(const struct tree *t)
{
	const struct level *level = t->depth > 0 ? &t->levels[t->depth - 1] : NULL;

	return level && level->is_mapping && level->key_line == 0;
}

static enum gprofx_result
take_scalar(struct tree *t, const yaml_event_t *event)
{
	const yaml_char_t *value = event->data.scalar.value;
	size_t length = event->data.scalar.length;
	const char *text;

	if (check_plain(t, event, event->data.scalar.anchor, event->data.scalar.tag) != GPROFX_OK)
		return GPROFX_FAILED;
	if (memchr(value, 0, length)) {
		struct gprofx_diagnostic diagnostic = at_event(
			t, event, "document.nul", "remove the escape \\0 from the text");

		return gprofx_fail(t->gx, &diagnostic,
		                   "expected text without NUL characters, found one");
	}
	text = keep_text(t, value, length);
	if (is_key(t)) {
		struct level *level = &t->levels[t->depth - 1];

		level->key = text;
		level->key_line = (uint32_t)event->start_mark.line + 1;
		level->key_column = (uint32_t)event->start_mark.column + 1;
	} else {
		add_node(t, event, GPROFX_SCALAR, text);
	}
	return GPROFX_OK;
}

static enum gprofx_result
open_level(struct tree *t, const yaml_event_t *event, enum gprofx_node_kind kind)
{
	struct gprofx_diagnostic diagnostic;
	uint32_t node;

	if (is_key(t)) {
		diagnostic = at_event(t, event, "document.bad-key",
		                      "quote the key if it starts with a bracket or a brace");
		return gprofx_fail(t->gx, &diagnostic, "expected a key that is text, found a %s",
		                   kind == GPROFX_MAPPING ? "mapping" : "sequence");
	}
	if (t->depth == MOST_LEVELS) {
		diagnostic = at_event(t, event, "document.too-deep", "use fewer levels");
		return gprofx_fail(t->gx, &diagnostic, "expected at most %d levels, found more",
		                   MOST_LEVELS);
	}
	node = add_node(t, event, kind, NULL);
	t->levels[t->depth++] = (struct level){.node = node, .is_mapping = kind == GPROFX_MAPPING};
	return GPROFX_OK;
}

static enum gprofx_result
take_event(struct tree *t, const yaml_event_t *event)
{
	struct gprofx_diagnostic diagnostic;

	switch (event->type) {
	case YAML_DOCUMENT_START_EVENT:
		if (t->documents++ == 0)
			return GPROFX_OK;
		diagnostic = at_event(t, event, "document.several",
		                      "put the other documents into files of their own");
		return gprofx_fail(t->gx, &diagnostic, "expected one document, found a second one");
	case YAML_ALIAS_EVENT:
		return check_plain(t, event, event->data.alias.anchor, NULL);
	case YAML_SCALAR_EVENT:
		return take_scalar(t, event);
	case YAML_SEQUENCE_START_EVENT:
		if (check_plain(t, event, event->data.sequence_start.anchor,
		                event->data.sequence_start.tag) != GPROFX_OK)
			return GPROFX_FAILED;
		return open_level(t, event, GPROFX_SEQUENCE);
	case YAML_MAPPING_START_EVENT:
		if (check_plain(t, event, event->data.mapping_start.anchor,
		                event->data.mapping_start.tag) != GPROFX_OK)
			return GPROFX_FAILED;
		return open_level(t, event, GPROFX_MAPPING);
	case YAML_SEQUENCE_END_EVENT:
	case YAML_MAPPING_END_EVENT:
		t->depth--;
		return GPROFX_OK;
	default:
		return GPROFX_OK;
	}
}

/* Goes through the text once. */
static enum gprofx_result
walk(struct tree *t)
{
	enum gprofx_result result = GPROFX_OK;
	bool at_end = false;
	yaml_parser_t parser;

	t->count = t->depth = t->documents = 0;
	t->text_bytes = 0;
	if (!yaml_parser_initialize(&parser))
		return fail_memory(t);
	yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(&parser, (const unsigned char *)t->text, t->bytes);
	while (result == GPROFX_OK && !at_end) {
		yaml_event_t event;

		if (!yaml_parser_parse(&parser, &event)) {
			result = fail_parser(t, &parser);
			break;
		}
		result = take_event(t, &event);
		at_end = event.type == YAML_STREAM_END_EVENT;
		yaml_event_delete(&event);
	}
	yaml_parser_delete(&parser);
	return result;
}

/* Orders by mapping, key and place in the text. */
static int
compare_keyed(const void *left, const void *right)
{
	const struct keyed *a = left, *b = right;
	int order;

	if (a->parent != b->parent)
		return a->parent < b->parent ? -1 : 1;
	order = strcmp(a->key, b->key);
	if (order != 0)
		return order;
	return a->node < b->node ? -1 : 1;
}

static enum gprofx_result
check_keys(struct tree *t)
{
	struct keyed *rows = gprofx_alloc(t->gx, (t->count + (size_t)1) * sizeof *rows);
	const struct keyed *again = NULL;
	uint32_t count = 0;
	enum gprofx_result result = GPROFX_OK;

	for (uint32_t i = 0; i < t->count; i++)
		if (t->nodes[i].key)
			rows[count++] = (struct keyed){t->nodes[i].key, t->parents[i], i};
	qsort(rows, count, sizeof *rows, compare_keyed);
	for (uint32_t i = 1; i < count; i++)
		if (rows[i].parent == rows[i - 1].parent &&
		    strcmp(rows[i].key, rows[i - 1].key) == 0 &&
		    (!again || rows[i].node < again->node))
			again = &rows[i];
	if (again) {
		const struct gprofx_node *node = &t->nodes[again->node];
		const struct gprofx_node *first = &t->nodes[again[-1].node];
		struct gprofx_diagnostic diagnostic = at(t, node->key_line, node->key_column,
		                                         "document.duplicate-key",
		                                         "remove or rename one of the two");

		diagnostic.text[0] = node->key;
		result = gprofx_fail(t->gx, &diagnostic,
		                     "expected each key once, found \"%.*s\" again after line %u",
		                     MOST_QUOTED, node->key, first->key_line);
	}
	t->gx->host->release(t->gx, rows);
	return result;
}

/* Whether a line begins at a byte of the text, by the line breaks of YAML 1.1. */
static bool
begins_line(const char *text, size_t i)
{
	return i == 0 || text[i - 1] == '\n' || text[i - 1] == '\r' ||
	       (i >= 2 && memcmp(text + i - 2, "\xc2\x85", 2) == 0) ||
	       (i >= 3 && memcmp(text + i - 3, "\xe2\x80", 2) == 0 &&
	        (text[i - 1] == '\xa8' || text[i - 1] == '\xa9'));
}

/* Refuses what libyaml would be slow with. */
static enum gprofx_result
check_size(const struct tree *t)
{
	struct gprofx_diagnostic diagnostic;
	size_t line = 1, directives = 0;

	if (t->bytes > MOST_BYTES) {
		diagnostic = (struct gprofx_diagnostic){
			.id = "document.too-large",
			.file = t->file,
			.hint = "name a text that was written by hand",
			.number = {t->bytes},
		};
		return gprofx_fail(t->gx, &diagnostic, "expected at most %d bytes, found %zu",
		                   MOST_BYTES, t->bytes);
	}
	for (size_t i = 0; i < t->bytes; i++) {
		if (t->text[i] == '%' && begins_line(t->text, i) &&
		    ++directives > MOST_DIRECTIVES) {
			diagnostic = at(t, line, 1, "document.directives",
			                "remove lines that start with %");
			return gprofx_fail(t->gx, &diagnostic,
			                   "expected at most %d lines that start with %%, found "
			                   "more",
			                   MOST_DIRECTIVES);
		}
		line += t->text[i] == '\n';
	}
	return GPROFX_OK;
}

static void
make_room(struct tree *t, uint32_t nodes, size_t text_bytes)
{
	t->room = nodes;
	t->text_room = text_bytes;
	t->nodes = gprofx_alloc(t->gx, (nodes + (size_t)1) * sizeof *t->nodes);
	t->parents = gprofx_alloc(t->gx, (nodes + (size_t)1) * sizeof *t->parents);
	t->texts = gprofx_alloc(t->gx, text_bytes + 1);
}

static void
free_room(struct tree *t)
{
	t->gx->host->release(t->gx, t->nodes);
	t->gx->host->release(t->gx, t->parents);
	t->gx->host->release(t->gx, t->texts);
}

static enum gprofx_result
parse(struct gprofx *gx, const char *file, const char *text, size_t bytes,
      struct gprofx_document *document)
{
	struct tree t = {.gx = gx, .file = file, .text = bytes > 0 ? text : "", .bytes = bytes};
	enum gprofx_result result = check_size(&t);

	/* libyaml counts a byte order mark as a column, which puts the first key out of line. */
	if (t.bytes >= 3 && memcmp(t.text, "\xef\xbb\xbf", 3) == 0) {
		t.text += 3;
		t.bytes -= 3;
	}
	if (result != GPROFX_OK)
		return result;
	make_room(&t, (uint32_t)(t.bytes / 8) + 16, t.bytes + t.bytes / 4 + 16);
	result = walk(&t);
	if (result == GPROFX_OK && (t.count > t.room || t.text_bytes > t.text_room)) {
		free_room(&t);
		make_room(&t, t.count, t.text_bytes);
		result = walk(&t);
	}
	if (result == GPROFX_OK)
		result = check_keys(&t);
	gx->host->release(gx, t.parents);
	document->nodes = t.nodes;
	document->node_count = t.count;
	return result;
}

static const struct gprofx_document_parser parser_interface = {
	.size = sizeof parser_interface,
	.syntax = "yaml",
	.parse = parse,
};

GPROFX_PLUGIN = {
	GPROFX_ABI,
	.name = "config-yaml",
	.version = "1.0",
	.summary = "YAML documents: settings and manifests of plugins",
	.document = &parser_interface,
};
