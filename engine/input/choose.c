/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chooses a reader for each profile: the one asked for; else the surest of those already open; else
 * those whose manifests know the file's first bytes; else those that have to be asked.
 */
#include "base/memory.h"
#include "base/near-file.h"
#include "base/origins.h"
#include "base/run.h"
#include "input/input.h"

#include <string.h>

#include "schema/schema.h"
#include "partial/partial.h"
#include "plugin/plugins.h"

enum { PROBED_BYTES = 4096, SURE = 100 };

static const char or_another[] =
	", or choose another format with -O; use --list-plugins to see those installed";

#define NOT_INSTALLED "cannot read the format \"%s\": the plugin %s is not installed"

static enum gprofx_result
fail_not_installed(struct run *run, const char *file, const char *format, const char *plugin)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "reader.not-installed",
		.file = file,
		.hint = plugin_install_hint(run, plugin, or_another),
		.text = {format, plugin},
	};

	return run_fail(run, &diagnostic, NOT_INSTALLED, format, plugin);
}

/* No reader has the name that the settings say. */
static enum gprofx_result
fail_unknown(struct run *run, const char *format)
{
	const char *plugin = plugin_of_format(run, PLUGIN_READER, format);
	const char *meant = plugin_nearest_format(run, PLUGIN_READER, format);
	struct gprofx_diagnostic diagnostic = {
		.id = "reader.not-installed",
		.hint = schema_meant(run, meant, plugin_install_hint(run, plugin, or_another)),
		.text = {format, plugin},
	};

	run_set_place(&diagnostic, run_origin(run, ENGINE_SET_READER));
	return run_fail(run, &diagnostic, NOT_INSTALLED, format, plugin);
}

static enum gprofx_result
fail_refused(struct run *run, const char *format)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "reader.prof-unsupported",
		.hint = "leave GNU mode to read profiles of this format",
		.text = {format, NULL},
	};

	return run_fail(run, &diagnostic, "GNU gprof does not read the format \"%s\"", format);
}

enum gprofx_result
input_choose_reader(struct run *run, struct plugin **reader)
{
	const char *format = run->settings->reader, *otherwise = run->settings->reader_otherwise;
	const char *refused = run->settings->refused_format;
	bool broken = false;

	if (format && refused && strcmp(format, refused) == 0)
		return fail_refused(run, format);
	*reader = format ? plugin_by_format(run, PLUGIN_READER, format, &broken) : NULL;
	if (!*reader && !broken && otherwise) {
		if (strcmp(otherwise, "auto") == 0)
			return GPROFX_OK;
		*reader = plugin_by_format(run, PLUGIN_READER, otherwise, &broken);
	}
	if (!format || *reader)
		return GPROFX_OK;
	return broken ? GPROFX_FAILED : fail_unknown(run, format);
}

static size_t
head_bytes(const struct gprofx_file *file)
{
	return file->length < PROBED_BYTES ? (size_t)file->length : PROBED_BYTES;
}

static int
weigh(const struct plugin *plugin, const struct gprofx_file *file,
      const struct gprofx_target *target)
{
	const struct gprofx_reader *reader = plugin->descriptor.reader;

	if (reader && reader->weigh)
		return reader->weigh(file, target);
	return reader && reader->probe ? reader->probe(file->bytes, head_bytes(file)) : 0;
}

/* The surest open reader; earlier ones win ties. */
static struct plugin *
surest(struct run *run, const struct gprofx_file *file, const struct gprofx_target *target,
       int *certainty)
{
	struct plugin *best = NULL;

	*certainty = 0;
	for (struct plugin *plugin = plugins_open(run); plugin; plugin = plugin->next) {
		int own = weigh(plugin, file, target);

		if (own > *certainty) {
			*certainty = own;
			best = plugin;
		}
	}
	return best;
}

/* Opens readers until one is sure; NULL: none of them knows the file. */
static struct plugin *
surest_installed(struct run *run, const struct gprofx_file *file,
                 const struct gprofx_target *target)
{
	struct plugin *reader;
	int certainty;

	reader = surest(run, file, target, &certainty);
	if (certainty >= SURE)
		return reader;
	plugins_open_by_magic(run, PLUGIN_READER, file->bytes, head_bytes(file));
	reader = surest(run, file, target, &certainty);
	if (certainty >= SURE)
		return reader;
	plugins_open_unmarked_readers(run);
	return surest(run, file, target, &certainty);
}

const struct plugin *
input_reader_without_program(struct run *run, const struct gprofx_file *file)
{
	const struct gprofx_target none = {.size = sizeof none, .pointer_bytes = 8};
	const struct plugin *reader;
	bool broken;

	if (run->settings->reader)
		reader = plugin_by_format(run, PLUGIN_READER, run->settings->reader, &broken);
	else
		reader = surest_installed(run, file, &none);
	return reader && reader->reader.carries_names ? reader : NULL;
}

bool
input_needs_no_program(struct run *run, const struct gprofx_file *file)
{
	return partial_is(file) ? partial_needs_no_program(file)
	                        : input_reader_without_program(run, file) != NULL;
}

/*
 * Whether the bytes could be a header of the untagged BSD formats: two ascending addresses and a
 * size that covers at least the header.
 */
static bool
looks_like_bsd(const struct gprofx_file *file, const struct gprofx_target *target)
{
	struct gprofx_cursor cursor = gprofx_cursor(file, target->big_endian);
	uint64_t low = gprofx_number(&cursor, target->pointer_bytes);
	uint64_t high = gprofx_number(&cursor, target->pointer_bytes);
	uint64_t bytes = gprofx_number(&cursor, 4);

	return cursor.short_by == 0 && low <= high && bytes >= cursor.at &&
	       bytes - cursor.at <= gprofx_left(&cursor);
}

/* Takes the reader of the format that every file has that is not tagged. */
static enum gprofx_result
open_untagged(struct run *run, const struct gprofx_file *file, struct plugin **reader)
{
	const char *format = run->settings->untagged_format;
	bool broken;

	*reader = plugin_by_format(run, PLUGIN_READER, format, &broken);
	if (*reader)
		return GPROFX_OK;
	return broken ? GPROFX_FAILED
	              : fail_not_installed(run, file->name, format,
	                                   plugin_of_format(run, PLUGIN_READER, format));
}

const char *
input_text_hint(struct run *run, const struct gprofx_file *file, const char *otherwise)
{
	bool is_one_of_many = run->settings->profile_count > 1 &&
	                      near_file_is_text(file->bytes, file->length);

	return is_one_of_many ? text_format(run,
	                                    "leave out %s: it is a text, which a pattern such as "
	                                    "NAME.* matches, too",
	                                    file->name)
	                      : otherwise;
}

enum gprofx_result
input_find_reader(struct run *run, const struct gprofx_file *file,
                  const struct gprofx_target *target, struct plugin **reader)
{
	struct gprofx_diagnostic diagnostic = {
		.id = "profile.not-a-profile",
		.file = file->name,
		.hint = "name the program first, then its profile; -O and --plugin choose a reader",
	};
	int certainty;
	bool broken;

	if (*reader)
		return GPROFX_OK;
	*reader = surest(run, file, target, &certainty);
	if (certainty < SURE && !plugin_by_format(run, PLUGIN_READER, "magic", &broken) && broken)
		return GPROFX_FAILED;
	*reader = run->settings->untagged_format ? surest(run, file, target, &certainty)
	                                         : surest_installed(run, file, target);
	if (*reader)
		return GPROFX_OK;
	if (file->length >= 4 && memcmp(file->bytes, "gmon", 4) == 0)
		return fail_not_installed(run, file->name, "magic", "input-gmon-magic");
	if (run->settings->untagged_format)
		return open_untagged(run, file, reader);
	if (looks_like_bsd(file, target))
		return fail_not_installed(run, file->name, "bsd", "input-bsd");
	if (file->length >= 4 && memcmp(file->bytes, "\177ELF", 4) == 0)
		diagnostic.hint = "name the profile that the program wrote, such as gmon.out: this "
				  "is a program";
	else if (near_file_is_text(file->bytes, file->length))
		diagnostic.hint = input_text_hint(run, file,
		                                  "name a profile: this is a text file; of folded "
		                                  "stacks, each line must end with a number");
	return run_fail(run, &diagnostic, "no installed reader recognizes the format of the file");
}
