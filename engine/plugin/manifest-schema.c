/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What may stand in a manifest:
 *
 *     name: KIND-WORD                  as in the name of the file
 *     abi: 1                           major number of the interface it was built for
 *     summary: one line
 *     reader: { format: WORD, magic: [{ at: OFFSET, bytes: TEXT }] }
 *     symbols: { magic: …, positions: true }
 *     findcall: { machines: [NUMBER] }
 *     emitter: { format: WORD }
 *     document: { syntax: WORD }
 *
 * Each character of "bytes" is one byte, so "\xff" is the byte 255; for bytes that no text can hold
 * it may be a list of numbers.
 */
#include "plugin/manifest-schema.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"

enum {
	MAGIC_WITHIN = 4096, /* bytes of a file that are looked at */
	MOST_QUOTED = 60     /* bytes of a word in a message */
};

struct filling {
	struct run *run;
	struct manifest *manifest;
	const struct gprofx_node *nodes;
	enum plugin_kind kind;        /* interface under way */
	struct manifest_magic *magic; /* magic under way */
};

/* One key that a mapping may have. */
struct field {
	const char *key;
	uint32_t kinds; /* bit 1 << enum gprofx_node_kind for each kind that its value may be */
	bool is_required;
	void (*take)(struct filling *f, const struct gprofx_node *node);
};

enum {
	TEXT = 1 << GPROFX_SCALAR,
	LIST = 1 << GPROFX_SEQUENCE,
	MAP = 1 << GPROFX_MAPPING,
	MOST_FIELDS = 16
};

static struct gprofx_diagnostic
at(const struct filling *f, const char *id, uint32_t line, uint32_t column, const char *hint)
{
	return (struct gprofx_diagnostic){
		.id = id,
		.file = f->manifest->file,
		.place = GPROFX_AT_LINE,
		.line = line,
		.column = column,
		.hint = hint,
	};
}

static const char correct_it[] =
	"correct the manifest; until then the plugin is found by its name only";

static const char *
kind_words(uint32_t kinds)
{
	switch (kinds) {
	case TEXT:
		return "a text";
	case LIST:
		return "a list";
	case MAP:
		return "a mapping";
	default:
		return "a text or a list";
	}
}

static void
warn_type(struct filling *f, const struct gprofx_node *node, uint32_t kinds)
{
	struct gprofx_diagnostic diagnostic = at(f, "manifest.wrong-type", node->line, node->column,
	                                         correct_it);

	f->manifest->is_broken = true;
	run_warn(f->run, &diagnostic, "expected %s%s%.*s, found %s", kind_words(kinds),
	         node->key ? " for " : "", MOST_QUOTED, node->key ? node->key : "",
	         kind_words(1u << node->kind));
}

/* found: NULL stands for the node's text. */
static void
warn_value(struct filling *f, const struct gprofx_node *node, const char *expected,
           const char *found)
{
	struct gprofx_diagnostic diagnostic = at(f, "manifest.bad-value", node->line, node->column,
	                                         correct_it);

	f->manifest->is_broken = true;
	if (found)
		run_warn(f->run, &diagnostic, "expected %s, found %s", expected, found);
	else
		run_warn(f->run, &diagnostic, "expected %s, found \"%.*s\"", expected, MOST_QUOTED,
		         node->text);
}

static bool
is_kind(struct filling *f, const struct gprofx_node *node, uint32_t kinds)
{
	if (node->kind < 32 && (1u << node->kind & kinds))
		return true;
	warn_type(f, node, kinds);
	return false;
}

static const struct gprofx_node *
first_child(const struct filling *f, const struct gprofx_node *node)
{
	return node->first_child ? &f->nodes[node->first_child] : NULL;
}

static const struct gprofx_node *
next_sibling(const struct filling *f, const struct gprofx_node *node)
{
	return node->next ? &f->nodes[node->next] : NULL;
}

/* "a, b, c" */
static const char *
list_keys(struct run *run, const struct field *fields, uint32_t count)
{
	const char *words = fields[0].key;

	for (uint32_t i = 1; i < count; i++)
		words = text_format(run, "%s, %s", words, fields[i].key);
	return words;
}

/* Reads a mapping whose keys are those of the table. */
static void
take_mapping(struct filling *f, const struct gprofx_node *mapping, const struct field *fields,
             uint32_t count)
{
	bool seen[MOST_FIELDS] = {false};

	for (const struct gprofx_node *node = first_child(f, mapping); node;
	     node = next_sibling(f, node)) {
		uint32_t i = 0;

		while (i < count && strcmp(fields[i].key, node->key) != 0)
			i++;
		if (i == count) {
			const char *hint = text_format(f->run, "the keys known here: %s",
			                               list_keys(f->run, fields, count));
			struct gprofx_diagnostic diagnostic = at(
				f, "manifest.unknown-key", node->key_line, node->key_column, hint);

			run_warn(f->run, &diagnostic,
			         "expected a key of a manifest, found \"%.*s\"", MOST_QUOTED,
			         node->key);
			continue;
		}
		seen[i] = true;
		if (is_kind(f, node, fields[i].kinds))
			fields[i].take(f, node);
	}
	for (uint32_t i = 0; i < count; i++) {
		struct gprofx_diagnostic diagnostic = at(f, "manifest.missing-key", mapping->line,
		                                         mapping->column, correct_it);

		if (!fields[i].is_required || seen[i])
			continue;
		f->manifest->is_broken = true;
		run_warn(f->run, &diagnostic, "expected the key %s, found none", fields[i].key);
	}
}

#define take_fields(f, mapping, table) \
	take_mapping((f), (mapping), (table), (uint32_t)(sizeof(table) / sizeof((table)[0])))

static bool
take_number(struct filling *f, const struct gprofx_node *node, uint32_t most, uint32_t *number)
{
	const char *at_digit = node->text;
	uint32_t value = 0;

	while (*at_digit >= '0' && *at_digit <= '9' && value <= most)
		value = value * 10 + (uint32_t)(*at_digit++ - '0');
	if (at_digit == node->text || *at_digit != '\0' || value > most) {
		warn_value(f, node, text_format(f->run, "a number from 0 to %u", most), NULL);
		return false;
	}
	*number = value;
	return true;
}

static const char *
take_word(struct filling *f, const struct gprofx_node *node)
{
	if (node->text[0] == '\0')
		warn_value(f, node, "a word", "nothing");
	return node->text;
}

/* The bytes of a text, one for each character.  Returns false if a character is none. */
static bool
bytes_of_text(struct filling *f, const struct gprofx_node *node)
{
	const uint8_t *text = (const uint8_t *)node->text;
	uint8_t *bytes = memory_alloc(f->run, strlen(node->text) + 1);

	f->magic->bytes = bytes;
	while (*text != '\0') {
		if (*text < 0x80) {
			bytes[f->magic->length++] = *text++;
		} else if ((*text == 0xc2 || *text == 0xc3) && (text[1] & 0xc0) == 0x80) {
			bytes[f->magic->length++] = (uint8_t)((text[0] & 3) << 6 |
			                                      (text[1] & 0x3f));
			text += 2;
		} else {
			return false;
		}
	}
	return true;
}

static void
take_bytes(struct filling *f, const struct gprofx_node *node)
{
	const struct gprofx_node *item = first_child(f, node);
	uint32_t count = 0, value;
	uint8_t *bytes;

	if (node->kind == GPROFX_SCALAR) {
		if (!bytes_of_text(f, node))
			warn_value(f, node, "characters from \\x01 to \\xff", NULL);
	} else {
		for (; item; item = next_sibling(f, item))
			count++;
		f->magic->bytes = memory_array(f->run, bytes, count);
		for (item = first_child(f, node); item; item = next_sibling(f, item))
			if (is_kind(f, item, TEXT) && take_number(f, item, UINT8_MAX, &value))
				bytes[f->magic->length++] = (uint8_t)value;
	}
	if (f->magic->length == 0 && !f->manifest->is_broken)
		warn_value(f, node, "at least one byte", "none");
}

static void
take_at(struct filling *f, const struct gprofx_node *node)
{
	take_number(f, node, MAGIC_WITHIN - 1, &f->magic->at);
}

static const struct field magic_fields[] = {
	{"at", TEXT, false, take_at},
	{"bytes", TEXT | LIST, true, take_bytes},
};

static void
take_magic(struct filling *f, const struct gprofx_node *node)
{
	for (const struct gprofx_node *item = first_child(f, node); item;
	     item = next_sibling(f, item)) {
		if (!is_kind(f, item, MAP))
			continue;
		f->magic = memory_alloc(f->run, sizeof *f->magic);
		f->magic->kind = f->kind;
		take_fields(f, item, magic_fields);
		if (f->magic->length > MAGIC_WITHIN - f->magic->at)
			warn_value(f, item,
			           text_format(f->run, "bytes among the first %d of a file",
			                       MAGIC_WITHIN),
			           "bytes beyond them");
		f->magic->next = f->manifest->magic;
		f->manifest->magic = f->magic;
	}
}

static void
take_format(struct filling *f, const struct gprofx_node *node)
{
	f->manifest->format[f->kind] = take_word(f, node);
}

static void
take_positions(struct filling *f, const struct gprofx_node *node)
{
	f->manifest->has_positions = strcmp(node->text, "true") == 0;
	if (!f->manifest->has_positions && strcmp(node->text, "false") != 0)
		warn_value(f, node, "true or false", NULL);
}

static void
take_machines(struct filling *f, const struct gprofx_node *node)
{
	const char *words = NULL;
	uint32_t machine;

	for (const struct gprofx_node *item = first_child(f, node); item;
	     item = next_sibling(f, item))
		if (is_kind(f, item, TEXT) && take_number(f, item, UINT16_MAX, &machine))
			words = words ? text_format(f->run, "%s, %u", words, machine)
			              : text_format(f->run, "%u", machine);
	if (!node->first_child)
		warn_value(f, node, "the number of a machine", "none");
	f->manifest->machines = words;
}

static const struct field reader_fields[] = {
	{"format", TEXT, true, take_format},
	{"magic", LIST, false, take_magic},
};

static const struct field symbols_fields[] = {
	{"magic", LIST, false, take_magic},
	{"positions", TEXT, false, take_positions},
};

static const struct field findcall_fields[] = {
	{"machines", LIST, true, take_machines},
};

static const struct field emitter_fields[] = {
	{"format", TEXT, true, take_format},
};

static const struct field document_fields[] = {
	{"syntax", TEXT, true, take_format},
};

static void
begin_interface(struct filling *f, enum plugin_kind kind)
{
	f->kind = kind;
	f->manifest->kinds |= 1u << kind;
}

static void
take_reader(struct filling *f, const struct gprofx_node *node)
{
	begin_interface(f, PLUGIN_READER);
	take_fields(f, node, reader_fields);
}

static void
take_symbols(struct filling *f, const struct gprofx_node *node)
{
	begin_interface(f, PLUGIN_SYMBOLS);
	take_fields(f, node, symbols_fields);
}

static void
take_findcall(struct filling *f, const struct gprofx_node *node)
{
	begin_interface(f, PLUGIN_FINDCALL);
	take_fields(f, node, findcall_fields);
}

static void
take_emitter(struct filling *f, const struct gprofx_node *node)
{
	begin_interface(f, PLUGIN_EMITTER);
	take_fields(f, node, emitter_fields);
}

static void
take_document(struct filling *f, const struct gprofx_node *node)
{
	begin_interface(f, PLUGIN_DOCUMENT);
	take_fields(f, node, document_fields);
}

static void
take_name(struct filling *f, const struct gprofx_node *node)
{
	struct gprofx_diagnostic diagnostic = at(
		f, "manifest.name-differs", node->line, node->column,
		"name the manifest and the module after the plugin");

	if (strcmp(node->text, f->manifest->name) == 0)
		return;
	f->manifest->is_broken = true;
	run_warn(f->run, &diagnostic, "expected the name of the file, %s, found \"%.*s\"",
	         f->manifest->name, MOST_QUOTED, node->text);
}

static void
take_abi(struct filling *f, const struct gprofx_node *node)
{
	take_number(f, node, UINT16_MAX, &f->manifest->abi);
}

static void
take_summary(struct filling *f, const struct gprofx_node *node)
{
	f->manifest->summary = node->text;
}

static const struct field manifest_fields[] = {
	{"name", TEXT, true, take_name},        {"abi", TEXT, true, take_abi},
	{"summary", TEXT, false, take_summary}, {"reader", MAP, false, take_reader},
	{"symbols", MAP, false, take_symbols},  {"findcall", MAP, false, take_findcall},
	{"emitter", MAP, false, take_emitter},  {"document", MAP, false, take_document},
};

void
manifest_fill(struct run *run, struct manifest *manifest, const struct gprofx_document *document)
{
	static const struct gprofx_node nothing = {.kind = GPROFX_MAPPING, .line = 1, .column = 1};
	struct filling f = {.run = run, .manifest = manifest, .nodes = document->nodes};
	const struct gprofx_node *root = document->node_count > 0 ? document->nodes : &nothing;

	if (is_kind(&f, root, MAP))
		take_fields(&f, root, manifest_fields);
	if (manifest->kinds == 0 && !manifest->is_broken) {
		struct gprofx_diagnostic diagnostic = at(&f, "manifest.missing-key", root->line,
		                                         root->column, correct_it);

		manifest->is_broken = true;
		run_warn(run, &diagnostic,
		         "expected an interface (reader, symbols, findcall, emitter, document), "
		         "found none");
	}
}
