/* SPDX-License-Identifier: Apache-2.0 */
/* Checks a parsed document against tables of keys, and passes each value to its owner. */
#ifndef ENGINE_SCHEMA_SCHEMA_H
#define ENGINE_SCHEMA_SCHEMA_H

#include "base/run.h"

/* What a value may be: bits. */
enum {
	SCHEMA_TEXT = 1 << GPROFX_SCALAR,
	SCHEMA_LIST = 1 << GPROFX_SEQUENCE,
	SCHEMA_MAP = 1 << GPROFX_MAPPING
};

/* A sort of document. */
struct schema_kind {
	const char *name; /* "a manifest" */
	/* Ids of diagnostics. */
	const char *wrong_type, *bad_value, *unknown_key, *missing_key;
	const char *hint; /* what to do about a document that is wrong */
	bool is_required; /* what is wrong is an error, an unknown key included */
};

/* A document under way. */
struct schema {
	struct run *run;
	const struct schema_kind *kind;
	const char *file;
	const struct gprofx_node *nodes;
	bool is_broken; /* something in it cannot be used */
	void *target;   /* for those who take the values */
	const void *row;
	/* Takes a mapping whose key is none of those known; NULL: it is an error as any other. */
	void (*take_unknown)(struct schema *s, const struct gprofx_node *node);
};

/* One key that a mapping may have. */
struct schema_field {
	const char *key;
	uint32_t kinds; /* SCHEMA_… */
	bool is_required;
	void (*take)(struct schema *s, const struct gprofx_node *node);
	const void *row; /* for "take", in schema.row when it is called */
};

enum { SCHEMA_MOST_FIELDS = 32 };

/* Prefixes of messages about a place; the caller adds to them. */
struct gprofx_diagnostic
schema_at(const struct schema *s, const char *id, uint32_t line, uint32_t column, const char *hint);

/* Whether the node is of one of the kinds; if not, that is reported. */
bool schema_is_kind(struct schema *s, const struct gprofx_node *node, uint32_t kinds);

/* Tells that the node's value is wrong.  found: NULL stands for its text. */
void schema_bad_value(struct schema *s, const struct gprofx_node *node, const char *expected,
                      const char *found);

/* Tells that the mapping's child has a key that is not among those given. */
void schema_unknown_key(struct schema *s, const struct gprofx_node *node, const char *const *keys,
                        uint32_t count);

/* Takes every value of a mapping whose keys are those of the table; at most SCHEMA_MOST_FIELDS. */
void schema_take_mapping(struct schema *s, const struct gprofx_node *mapping,
                         const struct schema_field *fields, uint32_t count);

#define schema_take_fields(s, mapping, table) \
	schema_take_mapping((s), (mapping), (table), (uint32_t)(sizeof(table) / sizeof((table)[0])))

/* The nodes below a node, one after the other; NULL: no more. */
const struct gprofx_node *schema_first(const struct schema *s, const struct gprofx_node *node);
const struct gprofx_node *schema_next(const struct schema *s, const struct gprofx_node *node);

/* The hint "did you mean WORD? REST", or just the rest if word is NULL. */
const char *schema_meant(struct run *run, const char *word, const char *rest);

#endif
