/* SPDX-License-Identifier: Apache-2.0 */
#include "schema/schema.h"

#include <string.h>

#include "base/memory.h"
#include "base/nearest.h"

enum { MOST_QUOTED = 60 /* bytes of a word in a message */ };

struct gprofx_diagnostic
schema_at(const struct schema *s, const char *id, uint32_t line, uint32_t column, const char *hint)
{
	return (struct gprofx_diagnostic){
		.id = id,
		.file = s->file,
		.place = line > 0 ? GPROFX_AT_LINE : GPROFX_NOWHERE,
		.line = line,
		.column = column,
		.hint = hint,
	};
}

static void
tell(struct schema *s, const struct gprofx_diagnostic *diagnostic, const char *message)
{
	if (s->kind->is_required)
		run_fail(s->run, diagnostic, "%s", message);
	else
		run_warn(s->run, diagnostic, "%s", message);
}

static const char *
kind_words(uint32_t kinds)
{
	switch (kinds) {
	case SCHEMA_TEXT:
		return "text";
	case SCHEMA_LIST:
		return "a list";
	case SCHEMA_MAP:
		return "a mapping";
	case SCHEMA_LIST | SCHEMA_MAP:
		return "a list or a mapping";
	default:
		return "text or a list";
	}
}

bool
schema_is_kind(struct schema *s, const struct gprofx_node *node, uint32_t kinds)
{
	struct gprofx_diagnostic diagnostic = schema_at(s, s->kind->wrong_type, node->line,
	                                                node->column, s->kind->hint);

	if (node->kind < 32 && (1u << node->kind & kinds))
		return true;
	s->is_broken = true;
	tell(s, &diagnostic,
	     text_format(s->run, "expected %s%s%.*s, found %s", kind_words(kinds),
	                 node->key ? " for " : "", MOST_QUOTED, node->key ? node->key : "",
	                 kind_words(1u << node->kind)));
	return false;
}

void
schema_bad_value(struct schema *s, const struct gprofx_node *node, const char *expected,
                 const char *found)
{
	struct gprofx_diagnostic diagnostic = schema_at(s, s->kind->bad_value, node->line,
	                                                node->column, s->kind->hint);

	s->is_broken = true;
	tell(s, &diagnostic,
	     found ? text_format(s->run, "expected %s, found %s", expected, found)
	           : text_format(s->run, "expected %s, found \"%.*s\"", expected, MOST_QUOTED,
	                         node->text));
}

const struct gprofx_node *
schema_first(const struct schema *s, const struct gprofx_node *node)
{
	return node->first_child ? &s->nodes[node->first_child] : NULL;
}

const struct gprofx_node *
schema_next(const struct schema *s, const struct gprofx_node *node)
{
	return node->next ? &s->nodes[node->next] : NULL;
}

const char *
schema_meant(struct run *run, const char *word, const char *rest)
{
	return word ? text_format(run, "did you mean %s? %s", word, rest) : rest;
}

void
schema_unknown_key(struct schema *s, const struct gprofx_node *node, const char *const *keys,
                   uint32_t count)
{
	struct gprofx_diagnostic diagnostic = schema_at(s, s->kind->unknown_key, node->key_line,
	                                                node->key_column, NULL);
	const char *list = count > 0 ? keys[0] : "none";
	struct nearest nearest;

	nearest_begin(&nearest, node->key, strlen(node->key));
	for (uint32_t i = 0; i < count; i++) {
		nearest_offer(&nearest, keys[i]);
		if (i > 0)
			list = text_format(s->run, "%s, %s", list, keys[i]);
	}
	diagnostic.hint = schema_meant(s->run, nearest.found,
	                               text_format(s->run, "the keys allowed here are: %s", list));
	diagnostic.text[0] = node->key;
	diagnostic.text[1] = nearest.found;
	/* A manifest for a later version says more, which is no reason to do without the rest. */
	if (s->kind->is_required)
		s->is_broken = true;
	tell(s, &diagnostic,
	     text_format(s->run, "unknown key of %s: \"%.*s\"", s->kind->name, MOST_QUOTED,
	                 node->key));
}

void
schema_take_mapping(struct schema *s, const struct gprofx_node *mapping,
                    const struct schema_field *fields, uint32_t count)
{
	const char *keys[SCHEMA_MOST_FIELDS];
	bool seen[SCHEMA_MOST_FIELDS] = {false};

	for (uint32_t i = 0; i < count; i++)
		keys[i] = fields[i].key;
	for (const struct gprofx_node *node = schema_first(s, mapping); node;
	     node = schema_next(s, node)) {
		uint32_t i = 0;

		while (i < count && strcmp(keys[i], node->key) != 0)
			i++;
		if (i == count && s->take_unknown && node->kind == GPROFX_MAPPING) {
			s->take_unknown(s, node);
			continue;
		}
		if (i == count) {
			schema_unknown_key(s, node, keys, count);
			continue;
		}
		seen[i] = true;
		if (schema_is_kind(s, node, fields[i].kinds)) {
			s->row = fields[i].row;
			fields[i].take(s, node);
		}
	}
	for (uint32_t i = 0; i < count; i++) {
		struct gprofx_diagnostic diagnostic = schema_at(
			s, s->kind->missing_key, mapping->line, mapping->column, s->kind->hint);

		if (!fields[i].is_required || seen[i])
			continue;
		s->is_broken = true;
		tell(s, &diagnostic, text_format(s->run, "the key %s is missing", fields[i].key));
	}
}
