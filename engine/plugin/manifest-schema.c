/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What may stand in a manifest:
 *
 *     name: KIND-WORD                  as in the name of the file
 *     abi: 1                           major number of the interface it was built for
 *     summary: one line
 *     reader: { format: WORD, magic: [{ at: OFFSET, bytes: TEXT }], unmarked: true }
 *     symbols: { magic: …, positions: true }
 *     findcall: { machines: [NUMBER] }
 *     emitter: { format: WORD }
 *     document: { syntax: WORD }
 *     labels: { syntax: WORD }
 *
 * Each character of "bytes" is one byte, so "\xff" is the byte 255; for bytes that no text can hold
 * it may be a list of numbers.
 */
#include "plugin/manifest-schema.h"

#include <string.h>

#include "base/memory.h"
#include "schema/schema.h"
#include "plugin/plugins.h"

enum {
	MAGIC_WITHIN = 4096, /* bytes of a file that are looked at */
	MOST_QUOTED = 60     /* bytes of a word in a message */
};

/* Fields of the document that lie within others. */
struct filling {
	struct manifest *manifest;
	enum plugin_kind kind;        /* interface under way */
	struct manifest_magic *magic; /* magic under way */
};

static const struct schema_kind manifest_kind = {
	.name = "a manifest",
	.wrong_type = "manifest.wrong-type",
	.bad_value = "manifest.bad-value",
	.unknown_key = "manifest.unknown-key",
	.missing_key = "manifest.missing-key",
	.hint = "correct the manifest; until then the plugin is found only by its name",
};

static bool
take_number(struct schema *s, const struct gprofx_node *node, uint32_t most, uint32_t *number)
{
	const char *at_digit = node->text;
	uint32_t value = 0;

	while (*at_digit >= '0' && *at_digit <= '9' && value <= most)
		value = value * 10 + (uint32_t)(*at_digit++ - '0');
	if (at_digit == node->text || *at_digit != '\0' || value > most) {
		schema_bad_value(s, node, text_format(s->run, "a number from 0 to %u", most), NULL);
		return false;
	}
	*number = value;
	return true;
}

static const char *
take_word(struct schema *s, const struct gprofx_node *node)
{
	if (node->text[0] == '\0')
		schema_bad_value(s, node, "a word", "nothing");
	return node->text;
}

/* The bytes of a text, one for each character.  Returns false if a character is none. */
static bool
bytes_of_text(struct schema *s, const struct gprofx_node *node)
{
	struct filling *f = s->target;
	const uint8_t *text = (const uint8_t *)node->text;
	uint8_t *bytes = memory_alloc(s->run, strlen(node->text) + 1);

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
take_bytes(struct schema *s, const struct gprofx_node *node)
{
	struct filling *f = s->target;
	const struct gprofx_node *item = schema_first(s, node);
	uint32_t count = 0, value;
	uint8_t *bytes;

	if (node->kind == GPROFX_SCALAR) {
		if (!bytes_of_text(s, node))
			schema_bad_value(s, node, "characters from \\x01 to \\xff", NULL);
	} else {
		for (; item; item = schema_next(s, item))
			count++;
		f->magic->bytes = memory_array(s->run, bytes, count);
		for (item = schema_first(s, node); item; item = schema_next(s, item))
			if (schema_is_kind(s, item, SCHEMA_TEXT) &&
			    take_number(s, item, UINT8_MAX, &value))
				bytes[f->magic->length++] = (uint8_t)value;
	}
	if (f->magic->length == 0 && !s->is_broken)
		schema_bad_value(s, node, "at least one byte", "none");
}

static void
take_at(struct schema *s, const struct gprofx_node *node)
{
	struct filling *f = s->target;

	take_number(s, node, MAGIC_WITHIN - 1, &f->magic->at);
}

static const struct schema_field magic_fields[] = {
	{"at", SCHEMA_TEXT, false, take_at, NULL},
	{"bytes", SCHEMA_TEXT | SCHEMA_LIST, true, take_bytes, NULL},
};

static void
take_magic(struct schema *s, const struct gprofx_node *node)
{
	struct filling *f = s->target;

	for (const struct gprofx_node *item = schema_first(s, node); item;
	     item = schema_next(s, item)) {
		if (!schema_is_kind(s, item, SCHEMA_MAP))
			continue;
		f->magic = memory_alloc(s->run, sizeof *f->magic);
		f->magic->kind = f->kind;
		schema_take_fields(s, item, magic_fields);
		if (f->magic->length > MAGIC_WITHIN - f->magic->at)
			schema_bad_value(s, item,
			                 text_format(s->run, "bytes among the first %d of a file",
			                             MAGIC_WITHIN),
			                 "bytes beyond them");
		f->magic->next = f->manifest->magic;
		f->manifest->magic = f->magic;
	}
}

static void
take_format(struct schema *s, const struct gprofx_node *node)
{
	struct filling *f = s->target;

	f->manifest->format[f->kind] = take_word(s, node);
}

static bool
take_switch(struct schema *s, const struct gprofx_node *node)
{
	bool is_true = strcmp(node->text, "true") == 0;

	if (!is_true && strcmp(node->text, "false") != 0)
		schema_bad_value(s, node, "true or false", NULL);
	return is_true;
}

static void
take_positions(struct schema *s, const struct gprofx_node *node)
{
	struct filling *f = s->target;

	f->manifest->has_positions = take_switch(s, node);
}

static void
take_unmarked(struct schema *s, const struct gprofx_node *node)
{
	struct filling *f = s->target;

	f->manifest->is_unmarked = take_switch(s, node);
}

static void
take_machines(struct schema *s, const struct gprofx_node *node)
{
	struct filling *f = s->target;
	struct manifest *m = f->manifest;
	const char *words = NULL;
	uint32_t machine, room = 0;

	m->machine_count = 0;
	m->machine_numbers = NULL;
	for (const struct gprofx_node *item = schema_first(s, node); item;
	     item = schema_next(s, item)) {
		if (!schema_is_kind(s, item, SCHEMA_TEXT) ||
		    !take_number(s, item, UINT16_MAX, &machine))
			continue;
		words = words ? text_format(s->run, "%s, %u", words, machine)
		              : text_format(s->run, "%u", machine);
		m->machine_numbers = memory_room(s->run, m->machine_numbers,
		                                 sizeof *m->machine_numbers, m->machine_count,
		                                 &room, 1);
		m->machine_numbers[m->machine_count++] = (uint16_t)machine;
	}
	if (!node->first_child)
		schema_bad_value(s, node, "the number of a machine", "none");
	f->manifest->machines = words;
}

static const struct schema_field reader_fields[] = {
	{"format", SCHEMA_TEXT, true, take_format, NULL},
	{"magic", SCHEMA_LIST, false, take_magic, NULL},
	{"unmarked", SCHEMA_TEXT, false, take_unmarked, NULL},
};

static const struct schema_field symbols_fields[] = {
	{"magic", SCHEMA_LIST, false, take_magic, NULL},
	{"positions", SCHEMA_TEXT, false, take_positions, NULL},
};

static const struct schema_field findcall_fields[] = {
	{"machines", SCHEMA_LIST, true, take_machines, NULL},
};

static const struct schema_field emitter_fields[] = {
	{"format", SCHEMA_TEXT, true, take_format, NULL},
};

static const struct schema_field document_fields[] = {
	{"syntax", SCHEMA_TEXT, true, take_format, NULL},
};

static void
begin_interface(struct schema *s, enum plugin_kind kind)
{
	struct filling *f = s->target;

	f->kind = kind;
	f->manifest->kinds |= 1u << kind;
}

static void
take_reader(struct schema *s, const struct gprofx_node *node)
{
	begin_interface(s, PLUGIN_READER);
	schema_take_fields(s, node, reader_fields);
}

static void
take_symbols(struct schema *s, const struct gprofx_node *node)
{
	begin_interface(s, PLUGIN_SYMBOLS);
	schema_take_fields(s, node, symbols_fields);
}

static void
take_findcall(struct schema *s, const struct gprofx_node *node)
{
	begin_interface(s, PLUGIN_FINDCALL);
	schema_take_fields(s, node, findcall_fields);
}

static void
take_emitter(struct schema *s, const struct gprofx_node *node)
{
	begin_interface(s, PLUGIN_EMITTER);
	schema_take_fields(s, node, emitter_fields);
}

static void
take_document(struct schema *s, const struct gprofx_node *node)
{
	begin_interface(s, PLUGIN_DOCUMENT);
	schema_take_fields(s, node, document_fields);
}

static void
take_labels(struct schema *s, const struct gprofx_node *node)
{
	begin_interface(s, PLUGIN_LABELS);
	schema_take_fields(s, node, document_fields);
}

static void
take_name(struct schema *s, const struct gprofx_node *node)
{
	struct filling *f = s->target;
	struct gprofx_diagnostic diagnostic = schema_at(
		s, "manifest.name-differs", node->line, node->column,
		"name the manifest and the module after the plugin");

	if (strcmp(node->text, f->manifest->name) == 0)
		return;
	s->is_broken = true;
	run_warn(s->run, &diagnostic, "expected the name of the file, %s, found \"%.*s\"",
	         f->manifest->name, MOST_QUOTED, node->text);
}

static void
take_abi(struct schema *s, const struct gprofx_node *node)
{
	struct filling *f = s->target;

	take_number(s, node, UINT16_MAX, &f->manifest->abi);
}

static void
take_summary(struct schema *s, const struct gprofx_node *node)
{
	struct filling *f = s->target;

	f->manifest->summary = node->text;
}

static const struct schema_field manifest_fields[] = {
	{"name", SCHEMA_TEXT, true, take_name, NULL},
	{"abi", SCHEMA_TEXT, true, take_abi, NULL},
	{"summary", SCHEMA_TEXT, false, take_summary, NULL},
	{"reader", SCHEMA_MAP, false, take_reader, NULL},
	{"symbols", SCHEMA_MAP, false, take_symbols, NULL},
	{"findcall", SCHEMA_MAP, false, take_findcall, NULL},
	{"emitter", SCHEMA_MAP, false, take_emitter, NULL},
	{"document", SCHEMA_MAP, false, take_document, NULL},
	{"labels", SCHEMA_MAP, false, take_labels, NULL},
};

void
manifest_fill(struct run *run, struct manifest *manifest, const struct gprofx_document *document)
{
	static const struct gprofx_node nothing = {.kind = GPROFX_MAPPING, .line = 1, .column = 1};
	struct filling f = {.manifest = manifest};
	struct schema s = {
		.run = run,
		.kind = &manifest_kind,
		.file = manifest->file,
		.nodes = document->nodes,
		.target = &f,
	};
	const struct gprofx_node *root = document->node_count > 0 ? document->nodes : &nothing;

	if (schema_is_kind(&s, root, SCHEMA_MAP))
		schema_take_fields(&s, root, manifest_fields);
	if (manifest->kinds == 0 && !s.is_broken) {
		struct gprofx_diagnostic diagnostic = schema_at(
			&s, "manifest.missing-key", root->line, root->column, manifest_kind.hint);

		s.is_broken = true;
		run_warn(run, &diagnostic,
		         "expected an interface (reader, symbols, findcall, emitter, document, "
		         "labels), found none");
	}
	manifest->is_broken = s.is_broken;
}
