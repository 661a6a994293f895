/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A JSON Schema (draft 7, which editors know) of files of settings, made from the tables that files
 * are checked against.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/run.h"
#include "config/keys.h"
#include "emit/writer.h"
#include "inspect/print.h"
#include "plugin/plugins.h"

struct scheme {
	struct run *run;
	struct gprofx_writer *out;
};

/* The start of a mapping that knows its keys; it may be left out as a whole. */
static const char mapping[] = "{\"type\": [\"object\", \"null\"], \"additionalProperties\": false, "
			      "\"properties\": {";

/* A list of texts, or nothing. */
static const char texts[] = "{\"type\": [\"array\", \"null\"], \"items\": {\"type\": \"string\"}}";
static const char folders[] = "{\"type\": [\"array\", \"null\"], "
			      "\"items\": {\"type\": \"string\", \"pattern\": \"^/\"}}";

/* "[a, b]" */
static void
put_choices(struct gprofx_writer *out, const char *const *choices)
{
	gprofx_out(out, "[");
	for (uint32_t i = 0; choices[i]; i++) {
		gprofx_out(out, i > 0 ? ", " : "");
		inspect_put_quoted(out, choices[i]);
	}
	gprofx_out(out, "]");
}

/* Some of the words, with commas between them. */
static void
put_pattern(struct gprofx_writer *out, const char *const *choices)
{
	for (int part = 0; part < 2; part++) {
		gprofx_out(out, part == 0 ? "\"^(" : ")(,(");
		for (uint32_t i = 0; choices[i]; i++) {
			gprofx_out(out, i > 0 ? "|" : "");
			for (const char *c = choices[i]; *c != '\0'; c++)
				gprofx_out(out,
				           isalnum((unsigned char)*c) || *c == '-' || *c == '_'
				                   ? "%c"
				                   : "\\\\%c",
				           *c);
		}
	}
	gprofx_out(out, "))*$\"");
}

static void
put_range(struct gprofx_writer *out, const struct gprofx_option *option)
{
	if (option->minimum != INT64_MIN)
		gprofx_out(out, ", \"minimum\": %" PRId64, option->minimum);
	if (option->maximum != INT64_MAX)
		gprofx_out(out, ", \"maximum\": %" PRId64, option->maximum);
}

/* Type, range and default of an option. */
static void
put_type(struct gprofx_writer *out, const struct gprofx_option *option)
{
	switch (option->type) {
	case GPROFX_BOOL:
		gprofx_out(out, "\"type\": \"boolean\", \"default\": %s", option->initial);
		return;
	case GPROFX_INT:
		gprofx_out(out, "\"type\": \"integer\", \"default\": %lld",
		           strtoll(option->initial, NULL, 10));
		put_range(out, option);
		return;
	case GPROFX_REAL:
		gprofx_out(out, "\"type\": \"number\", \"default\": %.15g",
		           strtod(option->initial, NULL));
		put_range(out, option);
		return;
	case GPROFX_CHOICE:
		gprofx_out(out, "\"enum\": ");
		put_choices(out, option->choices);
		break;
	case GPROFX_CHOICES:
		gprofx_out(out, "\"type\": \"string\", \"pattern\": ");
		put_pattern(out, option->choices);
		break;
	case GPROFX_STRING:
		/* Any scalar is a text. */
		gprofx_out(out, "\"type\": [\"string\", \"number\", \"boolean\"]");
		break;
	}
	gprofx_out(out, ", \"default\": ");
	inspect_put_quoted(out, option->initial);
}

/* The comma and the key of a member; the first one has none before it. */
static void
put_key(const struct scheme *s, bool *is_first, const char *key)
{
	gprofx_out(s->out, *is_first ? "\n\t" : ",\n\t");
	*is_first = false;
	inspect_put_quoted(s->out, key);
	gprofx_out(s->out, ": ");
}

static void
put_option(const struct scheme *s, bool *is_first, const struct gprofx_option *option)
{
	put_key(s, is_first, option->key);
	gprofx_out(s->out, "{");
	put_type(s->out, option);
	if (option->help) {
		gprofx_out(s->out, ", \"description\": ");
		inspect_put_quoted(s->out, option->help);
	}
	gprofx_out(s->out, "}");
}

/* A reference to the definition of a plugin: the name as a JSON pointer in a URI has it. */
static void
put_reference(struct gprofx_writer *out, const char *name)
{
	gprofx_out(out, "{\"$ref\": \"#/definitions/");
	for (const unsigned char *c = (const unsigned char *)name; *c != '\0'; c++) {
		bool is_plain = isalnum(*c) || strchr("-._", *c);

		gprofx_out(out, *c == '~' ? "~0" : is_plain ? "%c" : "%%%02X", *c);
	}
	gprofx_out(out, "\"}");
}

/* The options of each plugin, as a definition of its name. */
static void
put_definitions(const struct scheme *s)
{
	bool is_first = true;

	gprofx_out(s->out, "\"definitions\": {");
	for (const struct plugin *plugin = plugins_open(s->run); plugin; plugin = plugin->next) {
		bool is_first_option = true;

		put_key(s, &is_first, plugin->descriptor.name);
		gprofx_out(s->out, "%s", mapping);
		for (uint32_t i = 0; i < plugin->descriptor.option_count; i++)
			put_option(s, &is_first_option, plugin_option(plugin, i));
		gprofx_out(s->out, "}}");
	}
	gprofx_out(s->out, "},\n");
}

/* The options of each plugin at the top, by its name, and those of an emitter by its format. */
static void
put_plugins(const struct scheme *s, bool *is_first)
{
	for (const struct plugin *plugin = plugins_open(s->run); plugin; plugin = plugin->next) {
		put_key(s, is_first, plugin->descriptor.name);
		put_reference(s->out, plugin->descriptor.name);
		if (plugin->descriptor.emitter) {
			put_key(s, is_first, plugin->emitter.format);
			put_reference(s->out, plugin->descriptor.name);
		}
	}
}

/* A plugin may be missing here that files speak of. */
static void
put_plugin_options(const struct scheme *s)
{
	bool is_first = true;

	gprofx_out(s->out,
	           "{\"type\": [\"object\", \"null\"], \"additionalProperties\": {\"type\": "
	           "[\"object\", \"null\"]}, \"properties\": {");
	for (const struct plugin *plugin = plugins_open(s->run); plugin; plugin = plugin->next) {
		put_key(s, &is_first, plugin->descriptor.name);
		put_reference(s->out, plugin->descriptor.name);
	}
	gprofx_out(s->out, "}}");
}

/* What the options of an output may be follows from its format. */
static void
put_outputs(const struct scheme *s)
{
	bool is_first = true;

	gprofx_out(s->out, "{\"type\": [\"array\", \"null\"], \"items\": {\"type\": \"object\", "
	                   "\"required\": [\"format\"], \"additionalProperties\": false, "
	                   "\"properties\": {\n\t\"format\": {\"enum\": [");
	for (const struct plugin *plugin = plugins_open(s->run); plugin; plugin = plugin->next)
		if (plugin->descriptor.emitter) {
			gprofx_out(s->out, is_first ? "" : ", ");
			inspect_put_quoted(s->out, plugin->emitter.format);
			is_first = false;
		}
	gprofx_out(s->out, "]},\n\t\"file\": {\"type\": \"string\", \"minLength\": 1},\n"
	                   "\t\"options\": {\"type\": [\"object\", \"null\"]}}, \"allOf\": [");
	is_first = true;
	for (const struct plugin *plugin = plugins_open(s->run); plugin; plugin = plugin->next) {
		if (!plugin->descriptor.emitter)
			continue;
		gprofx_out(s->out, is_first ? "\n\t" : ",\n\t");
		is_first = false;
		gprofx_out(s->out, "{\"if\": {\"properties\": {\"format\": {\"const\": ");
		inspect_put_quoted(s->out, plugin->emitter.format);
		gprofx_out(s->out, "}}}, \"then\": {\"properties\": {\"options\": ");
		put_reference(s->out, plugin->descriptor.name);
		gprofx_out(s->out, "}}}");
	}
	gprofx_out(s->out, "]}}");
}

static void
put_corrections(const struct scheme *s)
{
	uint32_t count;
	const struct engine_correction *rows = engine_corrections(&count);
	bool is_first = false;

	gprofx_out(s->out, "%s\n\t\"all\": {\"type\": \"boolean\"}", mapping);
	for (uint32_t i = 0; i < count; i++) {
		const struct gprofx_option option = config_correction_option(&rows[i]);

		put_option(s, &is_first, &option);
	}
	gprofx_out(s->out, "}}");
}

/* The rows of the table at the top, or those of a section as one mapping. */
static void
put_rows(const struct scheme *s, bool *is_first)
{
	uint32_t count;
	const struct engine_key *rows = engine_keys(&count);

	for (uint32_t i = 0; i < count; i++) {
		const char *section = rows[i].section;
		bool is_first_row = true;

		if (!section) {
			put_option(s, is_first, &rows[i].option);
			continue;
		}
		put_key(s, is_first, section);
		gprofx_out(s->out, "%s", mapping);
		for (; i < count && rows[i].section && strcmp(rows[i].section, section) == 0; i++)
			put_option(s, &is_first_row, &rows[i].option);
		i--;
		gprofx_out(s->out, "}}");
	}
}

static enum gprofx_result
print_schema(struct run *run, void *argument)
{
	struct scheme s = {.run = run};
	struct writer *writer;
	bool is_first = true;

	(void)argument;
	if (inspect_open_all(run) != GPROFX_OK)
		return GPROFX_FAILED;
	writer = writer_to_standard_output(run);
	s.out = &writer->public;
	gprofx_out(s.out, "{\"$schema\": \"http://json-schema.org/draft-07/schema#\",\n"
	                  "\"title\": \"Settings of gprofx " GPROFX_VERSION "\",\n");
	put_definitions(&s);
	gprofx_out(s.out, "\"type\": [\"object\", \"null\"], \"additionalProperties\": false, "
	                  "\"properties\": {");
	for (int i = 0; i < 2; i++) {
		put_key(&s, &is_first, i == 0 ? "preset" : "include");
		gprofx_out(s.out, "{\"anyOf\": [{\"type\": \"string\"}, %s]}", texts);
	}
	put_rows(&s, &is_first);
	put_key(&s, &is_first, "plugins");
	gprofx_out(s.out, "{\"anyOf\": [%s, %s\"load\": %s, \"allow\": %s, \"deny\": %s}}]}", texts,
	           mapping, texts, texts, texts);
	put_key(&s, &is_first, "plugin-path");
	gprofx_out(s.out, "%s", folders);
	put_key(&s, &is_first, "outputs");
	put_outputs(&s);
	put_key(&s, &is_first, "options");
	put_plugin_options(&s);
	put_key(&s, &is_first, "corrections");
	put_corrections(&s);
	put_plugins(&s, &is_first);
	gprofx_out(s.out, "}}\n");
	return writer_close(run, writer, true);
}

bool
engine_print_config_schema(const struct engine_settings *settings,
                           const struct engine_frontend *frontend)
{
	return run_whole(settings, frontend, print_schema, NULL);
}
