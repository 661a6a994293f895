/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The keys of files of settings:
 *
 *     preset: NAME or [NAME]
 *     include: FILE or [FILE]
 *     one for each row of the table below, in the mapping that it names
 *     plugins: [NAME or PATH] or { load: [NAME or PATH], allow: [NAME], deny: [NAME] }
 *     plugin-path: [FOLDER]
 *     outputs: [{ format: WORD, file: PATH, options: { KEY: VALUE } }]
 *     options: { PLUGIN: { KEY: VALUE } }
 *     PLUGIN: { KEY: VALUE }, the same, where PLUGIN can be the format of an emitter, too
 *     corrections: { NAME: true or false, all: true or false }
 *
 * Of a list the last file's counts; mappings are merged.  What presets and included files say is
 * added first, wherever they are named.
 */
#include "config/keys.h"

#include <string.h>

#include "base/memory.h"
#include "base/origins.h"
#include "config/settings-files.h"
#include "schema/schema.h"
#include "plugin/plugins.h"

/* Those that may be left out take anything and look themselves. */
enum { ANYTHING = SCHEMA_TEXT | SCHEMA_LIST | SCHEMA_MAP };

static const struct schema_kind config_kind = {
	.name = "the configuration",
	.wrong_type = "config.wrong-type",
	.bad_value = "config.bad-value",
	.unknown_key = "config.unknown-key",
	.missing_key = "config.missing-key",
	.hint = "use --list-settings to see all settings and their values",
	.is_required = true,
};

static struct engine_origin
origin_at(const struct schema *s, uint32_t line, uint32_t column)
{
	const struct config_source *source = ((const struct config *)s->target)->source;

	return (struct engine_origin){s->file, line, column, source->preset,
	                              source->is_environment};
}

static struct engine_origin
origin_of(const struct schema *s, const struct gprofx_node *node)
{
	return origin_at(s, node->line, node->column);
}

static struct engine_origin
origin_of_key(const struct schema *s, const struct gprofx_node *node)
{
	return origin_at(s, node->key_line, node->key_column);
}

/*
 * Whether a value is nothing at all, as a mapping or list is whose items have all been made
 * comments.
 */
static bool
is_left_out(const struct gprofx_node *node)
{
	return node->kind == GPROFX_SCALAR && node->text[0] == '\0';
}

static void
take_value(struct schema *s, const struct gprofx_node *node)
{
	const struct engine_key *row = s->row;
	struct config *config = s->target;
	struct gprofx_option option = row->option;
	struct gprofx_diagnostic diagnostic = schema_at(s, config_kind.bad_value, node->line,
	                                                node->column, NULL);
	const char *expected, *meant;
	union {
		bool truth;
		int64_t number;
		const char *text;
		uint32_t choice;
	} value;

	option.offset = 0;
	expected = option.type == GPROFX_STRING && node->text[0] == '\0' &&
	                           option.initial[0] != '\0'
	                   ? (meant = NULL, "a word")
	                   : option_store(s->run, &option, node->text, &value, &meant);
	if (expected) {
		s->is_broken = true;
		diagnostic.hint = schema_meant(s->run, meant, option.help);
		run_fail(s->run, &diagnostic, "expected %s for %s, found \"%s\"", expected,
		         option.key, node->text);
		return;
	}
	if (engine_is_given(config->settings, row->setting))
		return;
	engine_put(config->settings, row, &value);
	config->origins->setting[row->setting] = origin_of(s, node);
	if (row->setting == ENGINE_SET_READER) {
		config->settings->reader_otherwise = NULL;
		if (strcmp(node->text, "auto") == 0)
			config->settings->reader = NULL;
	}
}

/* Whether a mapping is there, filled or left out. */
static bool
is_mapping(struct schema *s, const struct gprofx_node *node)
{
	return !is_left_out(node) && schema_is_kind(s, node, SCHEMA_MAP);
}

/* The rows of a mapping, added to its other fields. */
static uint32_t
add_rows(struct schema_field *fields, uint32_t count, const char *section)
{
	uint32_t rows;
	const struct engine_key *table = engine_keys(&rows);

	for (uint32_t i = 0; i < rows && count < SCHEMA_MOST_FIELDS; i++) {
		bool is_here = section ? table[i].section && strcmp(table[i].section, section) == 0
		                       : !table[i].section;

		if (is_here)
			fields[count++] = (struct schema_field){
				.key = table[i].option.key,
				.kinds = SCHEMA_TEXT,
				.take = take_value,
				.row = &table[i],
			};
	}
	return count;
}

static void
take_section(struct schema *s, const struct gprofx_node *node)
{
	struct schema_field fields[SCHEMA_MOST_FIELDS];
	uint32_t count = add_rows(fields, 0, s->row);

	if (is_mapping(s, node))
		schema_take_mapping(s, node, fields, count);
}

/* The texts of a list, each of which must not be empty. */
static const char **
take_texts(struct schema *s, const struct gprofx_node *list, uint32_t *count)
{
	uint32_t room = 0;
	const char **texts;

	*count = 0;
	for (const struct gprofx_node *item = schema_first(s, list); item;
	     item = schema_next(s, item))
		room++;
	memory_array(s->run, texts, room);
	if (!is_left_out(list) && !schema_is_kind(s, list, SCHEMA_LIST))
		return texts;
	for (const struct gprofx_node *item = schema_first(s, list); item;
	     item = schema_next(s, item)) {
		if (!schema_is_kind(s, item, SCHEMA_TEXT))
			continue;
		if (item->text[0] == '\0')
			schema_bad_value(s, item, "a name", "nothing");
		else
			texts[(*count)++] = item->text;
	}
	return texts;
}

/* Makes those texts of a list paths that have a slash in them. */
static void
see_from_folder(struct schema *s, const struct gprofx_node *list, const char **texts,
                uint32_t count)
{
	const struct engine_origin origin = origin_of(s, list);

	for (uint32_t i = 0; i < count; i++) {
		if (strchr(texts[i], '/'))
			texts[i] = config_path(s->target, texts[i], &origin);
		/* The run ends; until then it has something to hold. */
		if (!texts[i])
			texts[i] = "";
	}
}

static void
take_load(struct schema *s, const struct gprofx_node *node)
{
	struct config *config = s->target;

	config->plugins = take_texts(s, node, &config->plugin_count);
	config->origins->plugins = origin_of(s, node);
	config->plugins_are_found = config->source->is_found;
	see_from_folder(s, node, config->plugins, config->plugin_count);
}

static void
take_allow(struct schema *s, const struct gprofx_node *node)
{
	struct engine_settings *settings = ((struct config *)s->target)->settings;

	settings->allowed = take_texts(s, node, &settings->allowed_count);
	settings->allowed_origin = origin_of(s, node);
}

static void
take_deny(struct schema *s, const struct gprofx_node *node)
{
	struct engine_settings *settings = ((struct config *)s->target)->settings;

	settings->denied = take_texts(s, node, &settings->denied_count);
	settings->denied_origin = origin_of(s, node);
}

static void
take_plugins(struct schema *s, const struct gprofx_node *node)
{
	static const struct schema_field fields[] = {
		{"load", ANYTHING, false, take_load, NULL},
		{"allow", ANYTHING, false, take_allow, NULL},
		{"deny", ANYTHING, false, take_deny, NULL},
	};

	if (is_left_out(node) || !schema_is_kind(s, node, SCHEMA_LIST | SCHEMA_MAP))
		return;
	if (node->kind == GPROFX_SEQUENCE)
		take_load(s, node);
	else
		schema_take_fields(s, node, fields);
}

static void
take_plugin_folders(struct schema *s, const struct gprofx_node *node)
{
	struct config *config = s->target;

	config->plugin_folders = take_texts(s, node, &config->plugin_folder_count);
	config->origins->plugin_folders = origin_of(s, node);
	config_check_folders(s, node);
}

/* Adds the keys and values of a mapping to a list of options. */
static void
take_options_of(struct schema *s, const struct gprofx_node *mapping,
                const struct engine_option *common, struct engine_option **options, uint32_t *count,
                uint32_t *room)
{
	const struct config_source *source = ((const struct config *)s->target)->source;

	for (const struct gprofx_node *node = schema_first(s, mapping); node;
	     node = schema_next(s, node)) {
		struct engine_option *option;

		if (!schema_is_kind(s, node, SCHEMA_TEXT))
			continue;
		*options = memory_room(s->run, *options, sizeof **options, *count, room, 1);
		option = &(*options)[(*count)++];
		*option = *common;
		option->key = node->key;
		option->value = node->text;
		option->is_asked_for = true;
		option->is_set = source->is_set && !source->is_environment;
		option->key_origin = origin_of_key(s, node);
		option->origin = origin_of(s, node);
	}
}

static void
take_plugin_options(struct schema *s, const struct gprofx_node *node, bool is_required)
{
	struct config *config = s->target;
	const struct engine_option common = {
		.plugin = node->key,
		.plugin_origin = origin_of_key(s, node),
		.is_plugin_required = is_required,
	};

	if (is_mapping(s, node))
		take_options_of(s, node, &common, &config->options, &config->option_count,
		                &config->option_room);
}

static void
take_options(struct schema *s, const struct gprofx_node *node)
{
	bool is_set = ((const struct config *)s->target)->source->is_set;

	if (!is_mapping(s, node))
		return;
	for (const struct gprofx_node *item = schema_first(s, node); item;
	     item = schema_next(s, item))
		take_plugin_options(s, item, is_set);
}

static void
take_options_by_name(struct schema *s, const struct gprofx_node *node)
{
	take_plugin_options(s, node, true);
}

static void
take_format(struct schema *s, const struct gprofx_node *node)
{
	struct config *config = s->target;
	struct engine_output *output = &config->outputs[config->output_count - 1];

	if (node->text[0] == '\0')
		schema_bad_value(s, node, "the format of an output", "nothing");
	output->format = node->text;
	output->origin = origin_of(s, node);
}

static void
take_file(struct schema *s, const struct gprofx_node *node)
{
	struct config *config = s->target;

	if (node->text[0] == '\0')
		schema_bad_value(s, node, "the name of a file, or -", "nothing");
	if (strcmp(node->text, "-") != 0)
		config->outputs[config->output_count - 1].file = node->text;
}

static void
take_output_options(struct schema *s, const struct gprofx_node *node)
{
	static const struct engine_option common = {.key = NULL};
	struct config *config = s->target;
	struct engine_output *output = &config->outputs[config->output_count - 1];
	struct engine_option *options = NULL;
	uint32_t room = 0;

	if (is_mapping(s, node))
		take_options_of(s, node, &common, &options, &output->option_count, &room);
	output->options = options;
}

static const struct schema_field output_fields[] = {
	{"format", SCHEMA_TEXT, true, take_format, NULL},
	{"file", SCHEMA_TEXT, false, take_file, NULL},
	{"options", SCHEMA_TEXT | SCHEMA_LIST | SCHEMA_MAP, false, take_output_options, NULL},
};

static void
take_outputs(struct schema *s, const struct gprofx_node *node)
{
	struct config *config = s->target;

	config->output_count = 0;
	config->origins->outputs = origin_of(s, node);
	if (is_left_out(node) || !schema_is_kind(s, node, SCHEMA_LIST))
		return;
	for (const struct gprofx_node *item = schema_first(s, node); item;
	     item = schema_next(s, item)) {
		if (!schema_is_kind(s, item, SCHEMA_MAP))
			continue;
		config->outputs = memory_room(s->run, config->outputs, sizeof *config->outputs,
		                              config->output_count, &config->output_room, 1);
		config->outputs[config->output_count++] = (struct engine_output){.format = NULL};
		schema_take_fields(s, item, output_fields);
	}
}

/* True or false, or reported. */
static bool
take_truth(struct schema *s, const struct gprofx_node *node, bool *truth)
{
	static const struct gprofx_option option = {.key = "", .type = GPROFX_BOOL};
	const char *meant, *expected;

	if (!schema_is_kind(s, node, SCHEMA_TEXT))
		return false;
	expected = option_store(s->run, &option, node->text, truth, &meant);
	if (expected) {
		struct gprofx_diagnostic diagnostic = schema_at(
			s, config_kind.bad_value, node->line, node->column,
			schema_meant(s->run, meant,
		                     "true switches the correction on, false "
		                     "switches it off"));

		s->is_broken = true;
		run_fail(s->run, &diagnostic, "expected %s for %s, found \"%s\"", expected,
		         node->key, node->text);
	}
	return !expected;
}

static void
switch_corrections(struct config *config, uint64_t bits, bool on, struct engine_origin origin)
{
	for (uint32_t i = 0; i < 64; i++)
		if (bits >> i & 1)
			config->origins->correction[i] = origin;
	if (on) {
		config->corrections_on |= bits;
		config->corrections_off &= ~bits;
	} else {
		config->corrections_off |= bits;
		config->corrections_on &= ~bits;
	}
}

static void
take_corrections(struct schema *s, const struct gprofx_node *mapping)
{
	static const char all[] = "all";
	const struct engine_correction *rows;
	struct config *config = s->target;
	const char **names;
	uint32_t count;
	bool on;

	if (!is_mapping(s, mapping))
		return;
	rows = engine_corrections(&count);
	memory_array(s->run, names, (size_t)count + 1);
	names[count] = all;
	for (uint32_t i = 0; i < count; i++)
		names[i] = rows[i].name;
	/* "all" is meant as the ground for the others, wherever it stands. */
	for (const struct gprofx_node *node = schema_first(s, mapping); node;
	     node = schema_next(s, node))
		if (strcmp(node->key, all) == 0 && take_truth(s, node, &on))
			switch_corrections(config, UINT64_MAX, on, origin_of(s, node));
	for (const struct gprofx_node *node = schema_first(s, mapping); node;
	     node = schema_next(s, node)) {
		const struct engine_correction *row = engine_correction_by_name(node->key);

		if (strcmp(node->key, all) == 0)
			continue;
		if (!row)
			schema_unknown_key(s, node, names, count + 1);
		else if (take_truth(s, node, &on))
			switch_corrections(config, row->bit, on, origin_of(s, node));
	}
}

/* What is a text or a list of them, as one. */
static const char **
take_names(struct schema *s, const struct gprofx_node *node, uint32_t *count)
{
	const char **names;

	*count = 0;
	if (!schema_is_kind(s, node, SCHEMA_TEXT | SCHEMA_LIST))
		return NULL;
	if (node->kind != GPROFX_SCALAR || is_left_out(node))
		return take_texts(s, node, count);
	memory_array(s->run, names, 1);
	names[0] = node->text;
	*count = 1;
	return names;
}

static void
take_presets(struct schema *s, const struct gprofx_node *node)
{
	const struct engine_origin origin = origin_of(s, node);
	uint32_t count;
	const char **names = take_names(s, node, &count);

	for (uint32_t i = 0; i < count; i++)
		config_read_preset(s->target, names[i], &origin);
}

static void
take_includes(struct schema *s, const struct gprofx_node *node)
{
	const struct engine_origin origin = origin_of(s, node);
	uint32_t count;
	const char **files = take_names(s, node, &count);

	for (uint32_t i = 0; i < count; i++)
		config_include(s->target, files[i], &origin);
}

/* What is under the ground of all else. */
static void
take_grounds(struct schema *s, const struct gprofx_node *mapping)
{
	for (const struct gprofx_node *node = schema_first(s, mapping); node;
	     node = schema_next(s, node))
		if (strcmp(node->key, "preset") == 0)
			take_presets(s, node);
	for (const struct gprofx_node *node = schema_first(s, mapping); node;
	     node = schema_next(s, node))
		if (strcmp(node->key, "include") == 0)
			take_includes(s, node);
}

static void
take_nothing(struct schema *s, const struct gprofx_node *node)
{
	(void)s;
	(void)node;
}

static const struct schema_field structured[] = {
	{"preset", ANYTHING, false, take_nothing, NULL},
	{"include", ANYTHING, false, take_nothing, NULL},
	{"plugins", ANYTHING, false, take_plugins, NULL},
	{"plugin-path", ANYTHING, false, take_plugin_folders, NULL},
	{"outputs", ANYTHING, false, take_outputs, NULL},
	{"options", ANYTHING, false, take_options, NULL},
	{"corrections", ANYTHING, false, take_corrections, NULL},
};

enum { STRUCTURED = sizeof structured / sizeof structured[0] };

static bool
has_field(const struct schema_field *fields, uint32_t count, const char *key)
{
	for (uint32_t i = 0; i < count; i++)
		if (strcmp(fields[i].key, key) == 0)
			return true;
	return false;
}

static void
take_document(struct config *config, const struct gprofx_document *document)
{
	struct schema_field fields[SCHEMA_MOST_FIELDS];
	uint32_t count = add_rows(fields, 0, NULL), rows;
	const struct engine_key *table = engine_keys(&rows);
	struct schema s = {
		.run = config->run,
		.kind = &config_kind,
		.file = config->source->file,
		.nodes = document->nodes,
		.target = config,
	};

	for (uint32_t i = 0; i < rows; i++)
		if (table[i].section && !has_field(fields, count, table[i].section))
			fields[count++] = (struct schema_field){
				.key = table[i].section,
				.kinds = ANYTHING,
				.take = take_section,
				.row = table[i].section,
			};
	for (uint32_t i = 0; i < STRUCTURED; i++)
		fields[count++] = structured[i];
	if (document->node_count == 0 || is_left_out(document->nodes) ||
	    !schema_is_kind(&s, document->nodes, SCHEMA_MAP))
		return;
	take_grounds(&s, document->nodes);
	s.take_unknown = take_options_by_name;
	schema_take_mapping(&s, document->nodes, fields, count);
}

void
config_take(struct config *config, const struct config_source *source,
            const struct gprofx_document *document)
{
	const struct config_source *before = config->source;

	config->source = source;
	take_document(config, document);
	config->source = before;
}
