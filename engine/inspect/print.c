/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The settings of a run as a file of settings, made from the tables that files are checked against,
 * with the place that each value is from.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/origins.h"
#include "base/run.h"
#include "corrections/corrections.h"
#include "emit/writer.h"
#include "inspect/print.h"
#include "plugin/plugins.h"
#include "statistics/statistics.h"

struct printer {
	struct run *run;
	struct gprofx_writer *out;
	const struct engine_settings *settings, *given;
	const struct run_origins *origins; /* NULL: no files were read */
};

static const struct engine_origin nowhere;

void
inspect_put_quoted(struct gprofx_writer *out, const char *text)
{
	gprofx_out(out, "\"");
	for (const char *c = text; *c != '\0'; c++) {
		if (*c == '"' || *c == '\\')
			gprofx_out(out, "\\%c", *c);
		else if ((unsigned char)*c < ' ' || *c == 0x7f)
			gprofx_out(out, "\\u%04x", (unsigned)(unsigned char)*c);
		else
			gprofx_out(out, "%c", *c);
	}
	gprofx_out(out, "\"");
}

/* Whether a text can stand without quotes, also in braces, and is not taken for something else. */
static bool
is_plain(const char *text)
{
	return text[0] != '\0' && text[0] != '-' &&
	       text[strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-_.")] == '\0' &&
	       strcmp(text, "null") != 0;
}

static void
put_value(struct gprofx_writer *out, enum gprofx_option_type type, const char *text)
{
	if (type == GPROFX_STRING || !is_plain(text))
		inspect_put_quoted(out, text);
	else
		gprofx_out(out, "%s", text);
}

/* A key, which can hold anything if it is of a plugin, and its colon. */
static void
put_key(struct gprofx_writer *out, const char *indent, const char *key)
{
	gprofx_out(out, "%s", indent);
	put_value(out, GPROFX_CHOICE, key);
	gprofx_out(out, ":");
}

/* The end of a line: the origin of the value.  otherwise: if no place is known. */
static void
put_origin(const struct printer *p, const struct engine_origin *origin, const char *otherwise)
{
	struct gprofx_writer *out = p->out;

	gprofx_out(out, " # ");
	if (!origin->file) {
		gprofx_out(out, "%s\n", otherwise);
		return;
	}
	if (origin->preset)
		gprofx_out(out, "preset %s, ", origin->preset);
	else if (origin->is_environment)
		gprofx_out(out, "environment, ");
	else if (origin->line == 0)
		gprofx_out(out, "command line, ");
	/* A line break in a name would end the comment. */
	for (const char *c = origin->file; *c != '\0'; c++)
		gprofx_out(out, (unsigned char)*c < ' ' || *c == 0x7f ? "?" : "%c", *c);
	if (origin->line > 0)
		gprofx_out(out, ":%u:%u", origin->line, origin->column);
	gprofx_out(out, "\n");
}

/* The value of a row as a text. */
static const char *
row_text(const struct printer *p, const struct gprofx_option *option)
{
	const unsigned char *member = (const unsigned char *)p->settings + option->offset;
	const char *text;
	uint32_t number;
	bool truth;

	switch (option->type) {
	case GPROFX_BOOL:
		memcpy(&truth, member, sizeof truth);
		return truth ? "true" : "false";
	case GPROFX_INT:
		memcpy(&number, member, sizeof number);
		return text_format(p->run, "%" PRIu32, number);
	case GPROFX_CHOICE:
		memcpy(&number, member, sizeof number);
		return option->choices[number];
	case GPROFX_STRING:
		memcpy((void *)&text, member, sizeof text);
		return text ? text : option->initial;
	case GPROFX_REAL:
	case GPROFX_CHOICES:
		break; /* no key has these */
	}
	return "";
}

static void
print_row(const struct printer *p, const struct engine_key *row)
{
	gprofx_out(p->out, "%s%s: ", row->section ? "  " : "", row->option.key);
	put_value(p->out, row->option.type, row_text(p, &row->option));
	put_origin(p, p->origins ? &p->origins->setting[row->setting] : &nowhere,
	           engine_is_given(p->given, row->setting) ? "command line" : "default");
}

/* The rows of the table, those of a section together. */
static void
print_rows(const struct printer *p)
{
	const char *section = NULL;
	uint32_t count;
	const struct engine_key *rows = engine_keys(&count);

	for (uint32_t i = 0; i < count; i++) {
		if (rows[i].section && (!section || strcmp(rows[i].section, section) != 0))
			gprofx_out(p->out, "%s:\n", rows[i].section);
		section = rows[i].section;
		print_row(p, &rows[i]);
	}
}

/* A path from the root on, wherever the text will be read. */
static const char *
absolute(const struct printer *p, const char *path)
{
	char *real = path[0] == '/' ? NULL : realpath(path, NULL);
	const char *kept = real ? text_keep(p->run, real, strlen(real)) : path;

	free(real);
	return kept;
}

/* A list of texts, those of the command line and the environment before those of files. */
static void
print_list(const struct printer *p, const char *indent, const char *key, const char *const *texts,
           uint32_t count, uint32_t asked, uint32_t by_environment,
           const struct engine_origin *origin)
{
	gprofx_out(p->out, "%s%s:%s", indent, key, count == 0 ? " []" : "\n");
	if (count == 0)
		put_origin(p, origin, "default");
	for (uint32_t i = 0; i < count; i++) {
		bool is_path = strcmp(key, "plugin-path") == 0 || strchr(texts[i], '/');

		gprofx_out(p->out, "%s  - ", indent);
		inspect_put_quoted(p->out, is_path ? absolute(p, texts[i]) : texts[i]);
		put_origin(p, i < asked + by_environment ? &nowhere : origin,
		           i < asked ? "command line" : "environment, GPROFX_PLUGIN_PATH");
	}
}

static void
print_plugins(const struct printer *p)
{
	const struct engine_settings *settings = p->settings, *given = p->given;
	const struct run_origins *origins = p->origins;
	uint32_t folders = settings->plugin_folder_count - settings->installed_folder_count;
	uint32_t by_environment = given->environment_folder_count;

	gprofx_out(p->out, "plugins:\n");
	print_list(p, "  ", "load", settings->plugins, settings->plugin_count, given->plugin_count,
	           0, origins ? &origins->plugins : &nowhere);
	print_list(p, "  ", "allow", settings->allowed, settings->allowed_count, 0, 0,
	           &settings->allowed_origin);
	print_list(p, "  ", "deny", settings->denied, settings->denied_count, 0, 0,
	           &settings->denied_origin);
	print_list(p, "", "plugin-path", settings->plugin_folders, folders,
	           given->plugin_folder_count - given->installed_folder_count - by_environment,
	           by_environment, origins ? &origins->plugin_folders : &nowhere);
}

/* An option of a plugin that is not there, as the user wrote it. */
static void
print_absent_option(const struct printer *p, const char *indent, const struct engine_option *option)
{
	put_key(p->out, indent, option->key);
	gprofx_out(p->out, " ");
	inspect_put_quoted(p->out, option->value);
	put_origin(p, &option->origin, "command line");
}

/* The last words about the options of one output. */
static void
print_output_options(const struct printer *p, const struct engine_output *output)
{
	bool broken;
	const struct plugin *plugin = plugin_by_format(p->run, PLUGIN_EMITTER, output->format,
	                                               &broken);

	if (output->option_count == 0)
		return;
	gprofx_out(p->out, "    options:\n");
	if (!plugin) {
		for (uint32_t i = 0; i < output->option_count; i++)
			print_absent_option(p, "      ", &output->options[i]);
		return;
	}
	for (uint32_t i = 0; i < plugin->descriptor.option_count; i++) {
		const struct gprofx_option *option = plugin_option(plugin, i);
		const struct engine_option *last = plugin_last_word(p->run, plugin, output,
		                                                    option->key);
		bool is_here = false;

		for (uint32_t k = 0; k < output->option_count; k++)
			is_here |= strcmp(output->options[k].key, option->key) == 0;
		if (!is_here)
			continue;
		put_key(p->out, "      ", option->key);
		gprofx_out(p->out, " ");
		put_value(p->out, option->type, last->value);
		put_origin(p, &last->origin, "command line");
	}
}

static void
print_output(const struct printer *p, const struct engine_output *output)
{
	gprofx_out(p->out, "  - format: ");
	put_value(p->out, GPROFX_CHOICE, output->format);
	put_origin(p, &output->origin, "command line");
	if (output->file) {
		gprofx_out(p->out, "    file: ");
		inspect_put_quoted(p->out, output->file);
		gprofx_out(p->out, "\n");
	}
	print_output_options(p, output);
}

static void
print_outputs(const struct printer *p)
{
	const struct engine_settings *settings = p->settings;
	bool is_given = engine_is_given(p->given, ENGINE_SET_OUTPUTS);
	const struct engine_origin *origin = p->origins && !is_given ? &p->origins->outputs
	                                                             : &nowhere;

	/* If the statistics were asked for like another listing, nothing else is listed. */
	if (!engine_has_outputs(settings) && !statistics_is_aim(settings) &&
	    !slices_are_aim(settings)) {
		gprofx_out(p->out, "outputs: []");
		put_origin(p, origin,
		           is_given ? "command line, which leaves out tables; a settings file "
		                      "cannot say that"
		                    : "default");
		return;
	}
	gprofx_out(p->out, "outputs:\n");
	for (uint32_t i = 0; i < settings->listing_count; i++) {
		const struct engine_listing *listing = &settings->listings[i];
		const struct engine_output output = {.format = listing->format};

		if (listing->is_on ||
		    (listing->by_default == ENGINE_WITH_PER_FILE && statistics_is_aim(settings)) ||
		    (listing->by_default == ENGINE_WITH_SLICES && slices_are_aim(settings)))
			print_output(p, &output);
	}
	for (uint32_t i = 0; i < settings->output_count; i++)
		print_output(p, &settings->outputs[i]);
}

static void
print_plugin_options(const struct printer *p, const struct plugin *plugin)
{
	if (plugin->descriptor.option_count > 0) {
		put_key(p->out, "  ", plugin->descriptor.name);
		gprofx_out(p->out, "\n");
	}
	for (uint32_t i = 0; i < plugin->descriptor.option_count; i++) {
		const struct gprofx_option *option = plugin_option(plugin, i);
		const struct engine_option *last = plugin_last_word(p->run, plugin, NULL,
		                                                    option->key);

		put_key(p->out, "    ", option->key);
		gprofx_out(p->out, " ");
		put_value(p->out, option->type, last ? last->value : option->initial);
		put_origin(p, last ? &last->origin : &nowhere, last ? "command line" : "default");
	}
}

/* Whether one of the options behind i says something about the same. */
static bool
is_said_again(const struct engine_settings *settings, uint32_t i)
{
	const struct engine_option *option = &settings->options[i];

	for (uint32_t k = i + 1; k < settings->option_count; k++)
		if (strcmp(settings->options[k].plugin, option->plugin) == 0 &&
		    strcmp(settings->options[k].key, option->key) == 0)
			return true;
	return false;
}

/* What files say of a plugin that is not there is kept, for where it is. */
static void
print_absent_plugin(const struct printer *p, uint32_t first)
{
	const struct engine_settings *settings = p->settings;
	const char *name = settings->options[first].plugin;

	for (const struct plugin *o = plugins_open(p->run); o; o = o->next)
		if (plugin_is_meant(o, &settings->options[first]))
			return;
	for (uint32_t i = 0; i < first; i++)
		if (strcmp(settings->options[i].plugin, name) == 0)
			return;
	put_key(p->out, "  ", name);
	gprofx_out(p->out, "\n");
	for (uint32_t i = first; i < settings->option_count; i++) {
		const struct engine_option *option = &settings->options[i];

		if (strcmp(option->plugin, name) != 0 || is_said_again(settings, i))
			continue;
		print_absent_option(p, "    ", option);
	}
}

static void
print_corrections(const struct printer *p)
{
	uint32_t count;
	const struct engine_correction *rows = engine_corrections(&count);
	uint64_t said = p->given->corrections_on | p->given->corrections_off;

	gprofx_out(p->out, "corrections:\n");
	for (uint32_t i = 0; i < count; i++) {
		bool is_given = (said & rows[i].bit) != 0;
		const struct engine_origin *origin = &nowhere;

		for (uint32_t bit = 0; p->origins && !is_given && bit < ORIGIN_BITS; bit++)
			if (rows[i].bit >> bit == 1)
				origin = &p->origins->correction[bit];
		gprofx_out(p->out, "  %s: %s", rows[i].name,
		           p->run->corrections & rows[i].bit ? "true" : "false");
		put_origin(p, origin, is_given ? "command line" : "default");
	}
}

/* Whether the options of outputs are those of their emitters, as far as these are there. */
static enum gprofx_result
check_outputs(struct run *run)
{
	const struct engine_settings *settings = run->settings;
	enum gprofx_result result = GPROFX_OK;

	for (uint32_t i = 0; i < settings->output_count; i++) {
		const struct engine_output *output = &settings->outputs[i];
		const struct plugin *plugin;
		bool broken;
		void *options;

		plugin = plugin_by_format(run, PLUGIN_EMITTER, output->format, &broken);
		if (broken ||
		    (plugin && plugin_make_options(run, plugin, output, &options) != GPROFX_OK))
			result = GPROFX_FAILED;
	}
	return result;
}

static enum gprofx_result
print_all(struct run *run, void *argument)
{
	const struct engine_settings *given = run->settings;
	struct printer p = {.run = run, .given = given};
	struct writer *writer;

	(void)argument;
	if (inspect_open_all(run) != GPROFX_OK || check_outputs(run) != GPROFX_OK)
		return GPROFX_FAILED;
	corrections_choose(run);
	writer = writer_to_standard_output(run);
	p.out = &writer->public;
	p.settings = run->settings;
	p.origins = run->origins;
	gprofx_out(
		p.out,
		"# The settings of gprofx " GPROFX_VERSION
		": values and where they come from, for --no-config --config=FILE.\n"
		"# What is not a setting, such as selected functions and files read, is not here.\n");
	print_rows(&p);
	print_plugins(&p);
	print_outputs(&p);
	gprofx_out(p.out, "options:\n");
	for (const struct plugin *plugin = plugins_open(run); plugin; plugin = plugin->next)
		print_plugin_options(&p, plugin);
	for (uint32_t i = 0; i < p.settings->option_count; i++)
		print_absent_plugin(&p, i);
	print_corrections(&p);
	return writer_close(run, writer, true);
}

bool
engine_print_config(const struct engine_settings *settings, const struct engine_frontend *frontend)
{
	return run_whole(settings, frontend, print_all, NULL);
}
