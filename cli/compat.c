/* SPDX-License-Identifier: Apache-2.0 */
/* gprof's options, turned into settings of the engine. */
#include "compat.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "console.h"
#include "engine.h"
#include "numbers.h"
#include "setting.h"

bool
compat_is_gprof(const char *base_name)
{
	size_t length = strlen(base_name);

	return strcmp(base_name, "gprof") == 0 ||
	       (length >= 6 && strcmp(base_name + length - 6, "-gprof") == 0);
}

static void
add_spec(struct command *command, enum engine_filter filter, bool exclude, const char *text)
{
	struct engine_symspec *spec = &command->symspecs[command->settings.symspec_count++];

	spec->filter = filter;
	spec->exclude = exclude;
	spec->text = text;
}

void
compat_list(struct command *command, const struct cli_option *option, const char *spec)
{
	enum engine_filter filter = option->filter;

	command->listings_named |= (uint32_t)option->listing;
	if (option->hides && !spec)
		command->listings &= ~(uint32_t)option->listing;
	else
		command->listings |= (uint32_t)option->listing;
	/* -q and -Q take symbols as well as arcs. */
	if (spec && filter == ENGINE_FILTER_GRAPH && strchr(spec, '/'))
		filter = ENGINE_FILTER_ARCS;
	if (spec)
		add_spec(command, filter, option->hides, spec);
}

/* The level is the bits of all -d so far. */
static void
trace(struct command *command, const char *value)
{
	command->settings.trace_topics |= value ? (uint32_t)number_as_gprof(value) | 1 : UINT32_MAX;
	console_format(command->console, "trace: topics 0x%x\n",
	               (unsigned)command->settings.trace_topics);
}

static bool
choose_style(struct command *command, const char *word)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "usage.unknown-style",
		.hint = "the styles are none, auto, gnu-v3, java, gnat, dlang and rust",
		.text = {word, NULL},
	};

	for (int i = 0; engine_demangling_words[i]; i++)
		if (strcmp(engine_demangling_words[i], word) == 0) {
			command->style = (enum engine_demangling)i;
			return true;
		}
	console_fail(command->console, &diagnostic, "unknown demangling style '%s'", word);
	return false;
}

/*
 * -O: gprof looks at the first letter only.  Under our own name the reader of exactly that name
 * comes first, then those that gprof has.
 */
static bool
choose_reader(struct command *command, const char *word)
{
	static const char *const formats[] = {"auto", "magic", "bsd", "4.4bsd", "prof"};
	const struct gprofx_diagnostic diagnostic = {
		.id = "usage.unknown-format",
		.hint = "the formats are auto, magic, bsd, 4.4bsd, prof and the readers of "
			"--list-plugins",
		.text = {word, NULL},
	};
	struct engine_settings *settings = &command->settings;
	const char *by_letter = NULL;

	for (size_t i = 0; i < sizeof formats / sizeof formats[0] && !by_letter; i++)
		if (word[0] == formats[i][0])
			by_letter = formats[i];
	if (word[0] == '\0' || (command->gnu_mode && !by_letter)) {
		console_fail(command->console, &diagnostic, "unknown profile format '%s'", word);
		return false;
	}
	engine_give(settings, ENGINE_SET_READER);
	settings->reader = command->gnu_mode ? by_letter : word;
	/* That letter never led to anything. */
	settings->reader_otherwise = command->gnu_mode || word[0] == 'p' ? NULL : by_letter;
	if (by_letter == formats[0] && (command->gnu_mode || strcmp(word, by_letter) == 0))
		settings->reader = settings->reader_otherwise = NULL;
	return true;
}

static void
add_emitter_option(struct command *command, const char *key, const char *value)
{
	command->emitter_options[command->settings.emitter_option_count++] = (struct engine_option){
		.key = key,
		.value = value,
	};
}

/* The value for an option that only fills tables of symspecs; false: it is not one of these. */
static bool
apply_filter(struct command *command, int id, const char *value)
{
	command->selects_entries = command->selects_entries || id == 'e' || id == 'E' ||
	                           id == 'f' || id == 'F';
	switch (id) {
	case 'e':
		add_spec(command, ENGINE_FILTER_GRAPH, true, value);
		return true;
	case 'E':
		add_spec(command, ENGINE_FILTER_TIME, true, value);
		add_spec(command, ENGINE_FILTER_GRAPH, true, value);
		return true;
	case 'f':
		add_spec(command, ENGINE_FILTER_GRAPH, false, value);
		return true;
	case 'F':
		add_spec(command, ENGINE_FILTER_TIME, false, value);
		add_spec(command, ENGINE_FILTER_GRAPH, false, value);
		return true;
	case 'k':
		add_spec(command, ENGINE_FILTER_ARCS, true, value);
		return true;
	case 'n':
		add_spec(command, ENGINE_FILTER_TIME, false, value);
		return true;
	case 'N':
		add_spec(command, ENGINE_FILTER_TIME, true, value);
		return true;
	default:
		return false;
	}
}

/* Switches without an argument. */
static bool
apply_switch(struct command *command, int id)
{
	struct engine_settings *settings = &command->settings;

	switch (id) {
	case 'b':
		command->brief = true;
		return true;
	case 'h':
		command->action = COMMAND_HELP;
		return true;
	case 'l':
		settings->by_line = true;
		return true;
	case 'r':
		command->orders_functions = true;
		return true;
	case 's':
		settings->sum_file = "gmon.sum";
		return true;
	case 'T':
		settings->traditional = true;
		engine_give(settings, ENGINE_SET_DEMANGLING);
		return true;
	case 'v':
		command->action = COMMAND_VERSION;
		return true;
	case 'x':
		command->annotates_all = true;
		return true;
	case 'y':
		command->separates_files = true;
		return true;
	case OPTION_NO_DEMANGLE:
		command->demangle = false;
		engine_give(settings, ENGINE_SET_DEMANGLING);
		return true;
	default:
		return false;
	}
}

bool
compat_apply(struct command *command, const struct cli_option *option, const char *value)
{
	int id = option->id;

	if (option->setting)
		return setting_apply(command, option, value);
	/* What has to be there is no symspec. */
	if (option->listing)
		compat_list(command, option, option->argument == ARGUMENT_OPTIONAL ? value : NULL);
	if (apply_switch(command, id) || apply_filter(command, id, value))
		return true;
	switch (id) {
	case 'd':
		trace(command, value);
		return true;
	case 'I':
		command->source_folders[command->source_folder_count++] = value;
		return true;
	case 'O':
		return choose_reader(command, value);
	case 'R':
		command->orders_files = true;
		command->settings.file_map = value;
		return true;
	case 'S':
		command->settings.symbol_list = value;
		return true;
	case OPTION_DEMANGLE:
		command->demangle = true;
		engine_give(&command->settings, ENGINE_SET_DEMANGLING);
		return !value || choose_style(command, value);
	default:
		return option->listing || number_apply(command, option, value);
	}
}

/*
 * GNU gprof writes the format that -O names.  A sum of our own has the addresses that were
 * recorded, so that it does not depend on the symbols, unless they are to be moved.
 */
static void
finish_sum(struct command *command)
{
	struct engine_settings *settings = &command->settings;
	const char *format = settings->reader;

	settings->sum_as_gprof = command->gnu_mode;
	settings->by_line = settings->by_line || (command->gnu_mode && settings->sum_file);
	if (command->gnu_mode && format && strcmp(format, "bsd") == 0)
		settings->sum_format = ENGINE_SUM_BSD;
	if (command->gnu_mode && format && strcmp(format, "4.4bsd") == 0)
		settings->sum_format = ENGINE_SUM_BSD44;
	if (settings->sum_file && !command->sets_slide)
		settings->slide = ENGINE_SLIDE_NONE;
}

/* The words as one text, with a character between them; NULL: there is no memory for it. */
static const char *
join(struct command *command, const char *const *words, uint32_t count, char between)
{
	size_t length = 1;
	char *joined, *at;

	for (uint32_t i = 0; i < count; i++)
		length += strlen(words[i]) + 1;
	joined = command_keep(command, malloc(length));
	if (!joined)
		return NULL;
	at = joined;
	for (uint32_t i = 0; i < count; i++) {
		if (i > 0)
			*at++ = between;
		at = stpcpy(at, words[i]);
	}
	*at = '\0';
	return joined;
}

static bool
requests(const struct command *command, const char *format)
{
	for (size_t i = 0; i < command->settings.output_count; i++)
		if (strcmp(command->outputs[i].format, format) == 0)
			return true;
	return false;
}

static bool
finish_source(struct command *command)
{
	const char *listed = secure_getenv("GPROF_PATH"), *folders, *maps;

	if (listed)
		command->source_folders[command->source_folder_count++] = listed;
	if (command->source_folder_count > 0) {
		folders = join(command, command->source_folders, command->source_folder_count, ':');
		if (!folders)
			return false;
		/* An empty word is a folder, too: the root. */
		add_emitter_option(command, "source-folders", folders[0] == '\0' ? "/" : folders);
	}
	if (command->source_map_count > 0) {
		maps = join(command, command->source_maps, command->source_map_count, '\n');
		if (!maps)
			return false;
		add_emitter_option(command, "source-map", maps);
		/* Where nothing shows sources, this is reported; commands have been checked. */
		if (!command->subcommand && !requests(command, "html"))
			command_add_output_option(command, "annotate", "source-map", maps);
	}
	if (command->annotates_all)
		add_emitter_option(command, "all-lines", "true");
	if (command->separates_files)
		add_emitter_option(command, "separate-files", "true");
	if (command->has_table_length)
		add_emitter_option(command, "table-length", command->table_length);
	if (command->has_min_count)
		add_emitter_option(command, "min-count", command->min_count);
	return true;
}

/* Which listings were asked for. */
static void
finish_listings(struct command *command)
{
	struct engine_settings *settings = &command->settings;

	for (uint32_t i = 0; i < CLI_LISTING_COUNT; i++) {
		struct engine_listing *row = &command->listing_rows[i];

		*row = cli_listings[i];
		/* Who asks for explanations has seen the summary, which suggests them. */
		if (i == CLI_LISTING_TOP && command->shows_summary && !settings->explain &&
		    command->listings_named == 0 && !command->selects_entries)
			row->by_default = ENGINE_WITH_OTHERS;
		row->is_on = (command->listings >> i & 1) != 0;
		row->is_named = (command->listings_named >> i & 1) != 0;
	}
	settings->listings = command->listing_rows;
	settings->listing_count = CLI_LISTING_COUNT;
	if (command->listings_named != 0)
		engine_give(settings, ENGINE_SET_OUTPUTS);
}

bool
compat_finish(struct command *command)
{
	static const char *const seeking_formats[] = {"bsd", "4.4bsd", NULL};
	struct engine_settings *settings = &command->settings;

	settings->collector_spec_count = ENGINE_COLLECTOR_SPECS;
	for (uint32_t i = 0; i < ENGINE_COLLECTOR_SPECS; i++)
		command->symspecs[settings->symspec_count++] = engine_collector_specs[i];
	/* BSD reports show names as they stand in the symbol table. */
	settings->raw_names = !command->demangle || settings->traditional;
	settings->demangling = settings->raw_names ? ENGINE_DEMANGLE_NONE : command->style;
	settings->stop_at_first_error = command->gnu_mode;
	settings->sums_wrap = command->gnu_mode;
	settings->strict_layouts = command->gnu_mode;
	settings->tells_unmatched = !command->gnu_mode;
	settings->strict_lists = command->gnu_mode;
	settings->only_histograms_match = command->gnu_mode;
	settings->one_metric = command->gnu_mode;
	settings->untagged_format = command->gnu_mode ? "bsd" : NULL;
	settings->refused_format = command->gnu_mode ? "prof" : NULL;
	settings->seeking_formats = command->gnu_mode ? seeking_formats : NULL;
	settings->correct_by_default = !command->gnu_mode;
	settings->bytes_as_gprof = command->gnu_mode;
	finish_sum(command);
	finish_listings(command);
	if (command->brief)
		add_emitter_option(command, "explain", "false");
	if (command->gnu_mode)
		add_emitter_option(command, "layout", "gprof");
	if (command->width > 0) {
		snprintf(command->width_text, sizeof command->width_text, "%d", command->width);
		add_emitter_option(command, "width", command->width_text);
	}
	return finish_source(command);
}
