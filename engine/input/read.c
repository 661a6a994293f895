/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads profile files in their order, some at a time: their records are looked at one after the
 * other, then the counters of all of them are added up at once.
 */
#include <errno.h>
#include <string.h>

#include "base/mapfile.h"
#include "base/memory.h"
#include "base/run.h"
#include "input/input.h"
#include "input/parts.h"
#include "input/reading.h"
#include "partial/partial.h"
#include "plugin/plugins.h"
#include "profile/copies.h"
#include "profile/facts.h"
#include "profile/profile.h"
#include "slide/slide.h"
#include "symbols/symbols.h"
#include "scan/scan.h"

enum {
	SHORTEST_PROFILE = 20, /* bytes; no format has a shorter header */
	/*
	 * How much is read before counters are added up: enough to keep several threads busy, and
	 * little enough to be forgotten about in the memory that the sums need.
	 */
	OPEN_BYTES = 6 << 20,
	/* Copies can be taken out of counters only as long as none were added up. */
	HELD_BYTES = 64 << 20
};
_Static_assert((int)OPEN_FILES >= (int)COPIES_MOST_FILES, "files that are compared stay open");

/* Files of several machines can have one name. */
static const char *
shown_name(struct run *run, const char *name)
{
	const char *host = run->settings->host;

	return host ? text_format(run, "%s:%s", host, name) : name;
}

static enum gprofx_result
fail_open(struct reading *reading, const char *name, int error)
{
	struct run *run = reading->run;
	struct gprofx_diagnostic diagnostic = {
		.id = "profile.cannot-open",
		.file = shown_name(run, name),
		.system_error = error,
		.hint = "check the path and the permissions of the file",
	};

	/* GNU gprof gives no hint. */
	if (error == ENOENT && !run->settings->strict_layouts)
		diagnostic.hint = input_missing_hint(run, reading->slide.symbols, &reading->missing,
		                                     name);
	if (error != EISDIR)
		return run_fail(run, &diagnostic, "cannot read the profile: %s",
		                mapfile_words(error));
	diagnostic.id = "profile.is-a-folder";
	diagnostic.hint = "name the profiles in the folder";
	return run_fail(run, &diagnostic, "expected a profile, found a folder");
}

static bool
must_seek(const struct run *run, const struct plugin *reader)
{
	const char *const *format = run->settings->seeking_formats;

	while (format && *format && strcmp(*format, reader->reader.format) != 0)
		format++;
	return format && *format;
}

static enum gprofx_result
fail_seek(struct run *run, const char *name)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "profile.cannot-seek",
		.file = name,
		.system_error = ESPIPE,
		.hint = "write the profile to a file",
	};

	return run_fail(run, &diagnostic, "expected a file, found a pipe");
}

static enum gprofx_result
check_length(struct run *run, const struct gprofx_file *file)
{
	static const char tag[] = "gmon";
	size_t known = file->length < sizeof tag - 1 ? (size_t)file->length : sizeof tag - 1;
	struct gprofx_diagnostic diagnostic = {
		.id = "profile.short-file",
		.file = file->name,
		.hint = "the program stopped before it finished writing; run it to a normal exit",
	};

	if (known == 0)
		diagnostic.hint = "the file is empty: name a profile, or run the program to a "
				  "normal exit";
	else if (memcmp(file->bytes, tag, known) != 0)
		diagnostic.hint = input_text_hint(
			run, file, "name a profile: these bytes are not the start of one");

	/* Text can be shorter. */
	if (file->length >= SHORTEST_PROFILE ||
	    (!file->strict && input_needs_no_program(run, file)))
		return GPROFX_OK;
	return run_fail(run, &diagnostic, "expected at least %d bytes of a profile, found %llu",
	                SHORTEST_PROFILE, (unsigned long long)file->length);
}

static enum gprofx_result
fail_without_program(struct run *run, const struct gprofx_file *file, const struct plugin *reader)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "profile.needs-program",
		.file = file->name,
		.hint = "name the program first: gprofx PROGRAM [PROFILE...]",
	};

	return run_fail(
		run, &diagnostic,
		"expected a profile that names its functions, found one of the format \"%s\", "
		"which has only addresses",
		reader->reader.format);
}

/* Most lists of symbols are of the program; some readers take one of the kernel. */
static enum gprofx_result
check_list(struct run *run, const struct plugin *reader)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "image.needed",
		.hint = "name the program before its profile, or leave out -S",
	};

	if (!run->settings->symbol_list || reader->reader.takes_symbol_list)
		return GPROFX_OK;
	return run_fail(run, &diagnostic, "a list of symbols needs a program, but none was named");
}

static enum gprofx_result
call_reader(struct reading *reading, struct plugin *reader, const struct gprofx_file *file)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "profile.not-a-profile",
		.file = file->name,
		.hint = "choose another reader with -O or --plugin",
	};
	struct run *run = reading->run;
	struct profile *profile = reading->profile;
	enum gprofx_result result;

	run_doing(run, "reading %s with %s", file->name, reader->descriptor.name);
	result = reader->reader.read(&run->gx, file, &reading->slide.symbols->table.target,
	                             &profile->public, reader->options);
	if (result == GPROFX_DECLINED)
		result = run_fail(run, &diagnostic, "the reader does not recognize the file");
	if (result == GPROFX_OK && profile->contained_count == 0) {
		/* Stacks were copied; the bytes are there again if something else leads to them. */
		if (profile->stacks.file_has_any)
			mapfile_let_all_go(run, file->bytes);
		slide_move_file(&reading->slide, profile, file);
		result = profile_commit_file(run, profile, file);
		if (result == GPROFX_OK)
			facts_finish_file(profile, file, reader->reader.format,
			                  reader->descriptor.name);
	} else {
		profile_drop_file(run, profile);
	}
	run_doing_nothing(run);
	return result;
}

/*
 * What was mapped is not needed any more once it is in the sums.  Where profiles were checked
 * against the code, the system may have mapped much of it, which is not needed beside the counters.
 */
void
reading_add_up(struct reading *reading, bool is_all)
{
	if (reading->open_count > 0 && reading->run->settings->slide != ENGINE_SLIDE_NONE)
		symbols_let_go_code(reading->run, reading->slide.symbols);
	copies_compare(reading->run, reading->profile, is_all);
	profile_add_up(reading->run, reading->profile);
	for (uint32_t i = 0; i < reading->open_count; i++)
		mapfile_close(reading->run, reading->open[i]);
	reading->open_count = 0;
	reading->open_bytes = 0;
}

/* What the file system says of a file, and where its code is. */
struct source {
	const struct mapped_file *mapped;
	const struct symbol_image *object; /* NULL: the program, or what the file says */
	uint64_t bytes;                    /* of the file with its parts */
};

/* Reads the bytes of a file, or of a profile in it, with the reader for them. */
static enum gprofx_result
read_bytes(struct reading *reading, struct plugin *reader, struct gprofx_file *file,
           const struct source *from)
{
	struct run *run = reading->run;
	const struct engine_settings *settings = run->settings;
	enum gprofx_result result = check_length(run, file);

	if (!file->strict && partial_is(file))
		return reading_add_partial(reading, file);
	if (result == GPROFX_OK)
		result = input_find_reader(run, file, &reading->slide.symbols->table.target,
		                           &reader);
	if (result == GPROFX_OK && !symbols_have_image(reading->slide.symbols) &&
	    !reader->reader.carries_names)
		result = fail_without_program(run, file, reader);
	if (result == GPROFX_OK && !symbols_have_image(reading->slide.symbols)) {
		result = check_list(run, reader);
		file->symbol_list = settings->symbol_list;
	}
	if (result == GPROFX_OK && from->mapped->is_stream && must_seek(run, reader))
		result = fail_seek(run, file->name);
	if (result != GPROFX_OK)
		return result;
	if (!from->object && !reading->warned_library)
		reading->warned_library = input_warn_of_library(run, reading->slide.symbols,
		                                                file->name);
	profile_begin_file(run, reading->profile, file->name, from->mapped->modified,
	                   !settings->stop_at_first_error || settings->slide != ENGINE_SLIDE_NONE);
	profile_set_length(reading->profile, from->bytes);
	/* On another machine the same numbers are another file. */
	if (!settings->host) {
		profile_current_file(reading->profile)->device = from->mapped->device;
		profile_current_file(reading->profile)->inode = from->mapped->inode;
	}
	/* There can be images that files before this one have brought. */
	if (reading->slide.symbols->others_bytes > 0)
		profile_place_file(reading->profile, reading->slide.symbols, from->object);
	slide_begin_file(&reading->slide, reading->profile);
	return call_reader(reading, reader, file);
}

static enum gprofx_result
fail_nested(struct run *run, const char *name)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "profile.is-nested",
		.file = name,
		.hint = "decode the outer dump first, and name what it contains",
	};

	return run_fail(run, &diagnostic,
	                "expected a profile, found another file that contains one");
}

/*
 * Reads the profiles that the last file contains, each as a file.  A log can have one that is
 * damaged, and then the same again: only the last one has to be whole.
 */
static enum gprofx_result
read_contained(struct reading *reading, const struct gprofx_file *outer, const struct source *from)
{
	struct profile *profile = reading->profile;
	uint32_t count = profile->contained_count;
	struct contained_profile *contained;
	enum gprofx_result own = GPROFX_OK;
	bool errors_are_warnings = reading->run->errors_are_warnings;

	memory_array(reading->run, contained, count);
	memcpy(contained, profile->contained, count * sizeof *contained);
	for (uint32_t i = 0; i < count; i++) {
		struct gprofx_file file = *outer;
		struct mapped_file mapped = *from->mapped;
		struct source inner = {&mapped, from->object, contained[i].length};

		file.name = contained[i].name;
		file.bytes = contained[i].bytes;
		file.length = contained[i].length;
		file.padding_bytes = contained[i].padding_bytes;
		file.parts = NULL;
		file.part_count = 0;
		/* The others are no repetition of the first one. */
		if (i > 0)
			mapped.device = mapped.inode = 0;
		reading->run->errors_are_warnings = errors_are_warnings || i + 1 < count;
		own = read_bytes(reading, NULL, &file, &inner);
		if (own == GPROFX_OK && profile->contained_count > 0)
			own = fail_nested(reading->run, file.name);
		profile->contained_count = 0;
	}
	reading->run->errors_are_warnings = errors_are_warnings;
	return own;
}

static enum gprofx_result
read_one(struct reading *reading, const char *name, const struct symbol_image *object)
{
	struct run *run = reading->run;
	const struct engine_settings *settings = run->settings;
	int error = 0;
	struct mapped_file *bytes = mapfile_open(run, name, MAPFILE_STANDARD_INPUT | MAPFILE_WHOLE,
	                                         &error);
	struct gprofx_file file = {.size = sizeof file, .name = name};
	struct source from = {.mapped = bytes, .object = object};
	enum gprofx_result result;

	if (!bytes)
		return fail_open(reading, name, error);
	file.bytes = bytes->bytes;
	file.length = bytes->length;
	file.strict = settings->strict_layouts;
	if (!object && !file.strict && symbols_have_image(reading->slide.symbols)) {
		const struct gprofx_symtab *table = &reading->slide.symbols->table;

		file.program = settings->image;
		file.program_build_id = table->build_id_bytes > 0 ? table->build_id : NULL;
		file.program_build_id_bytes = table->build_id_bytes;
	}
	reading->open[reading->open_count++] = bytes;
	parts_open(run, &file, &from.bytes);
	file.name = shown_name(run, name);
	reading->open_bytes += from.bytes;
	reading->profile->contained_count = 0;
	result = read_bytes(reading, object ? NULL : reading->reader, &file, &from);
	return result == GPROFX_OK && reading->profile->contained_count > 0
	               ? read_contained(reading, &file, &from)
	               : result;
}

/* The files to read, those of the first run maybe as a part of all. */
static enum gprofx_result
list_files(struct run *run, const struct engine_run *of, struct profile *profile,
           const char *const **names, uint32_t *count)
{
	const struct engine_settings *settings = run->settings;
	enum gprofx_result result;

	profile->label = of->label;
	if (settings->whole && profile->first_run == profile) {
		profile->sources = settings->whole;
		profile->source_count = settings->whole_count;
		*names = settings->share;
		*count = settings->share_count;
		return GPROFX_OK;
	}
	result = input_list_files(run, of, names, count);
	profile->sources = *names;
	profile->source_count = *count;
	return result;
}

void
reading_want_copies(struct reading *reading, bool of_objects)
{
	struct run *run = reading->run;
	const struct engine_settings *settings = run->settings;

	if (settings->findings || settings->explain ||
	    run_corrects(run, GPROFX_CORRECT_FORKED_COPIES))
		copies_want(run, reading->profile, of_objects, settings->share_first);
}

/* Has copies of counters looked for, if there are several files that can have some. */
static void
want_copies(struct reading *reading, uint32_t own, uint32_t count)
{
	struct run *run = reading->run;
	bool has_several = own > 1 || count - own > symbols_objects(reading->slide.symbols);

	reading->most_bytes = OPEN_BYTES;
	if (has_several && count <= COPIES_MOST_FILES &&
	    run_corrects(run, GPROFX_CORRECT_FORKED_COPIES))
		reading->most_bytes = HELD_BYTES;
	/* One file alone is no copy of another, and at fault if any is. */
	if (count > 1 || input_shares_files(run))
		reading_want_copies(reading, has_several);
}

/* Reads one file after the other; *good: so many could be. */
static enum gprofx_result
read_files(struct reading *reading, const char *const *names, uint32_t count, uint32_t *good)
{
	struct run *run = reading->run;
	const struct engine_frontend *frontend = run->frontend;
	enum gprofx_result result = GPROFX_OK;

	for (uint32_t i = 0; i < count; i++) {
		if (read_one(reading, names[i], NULL) == GPROFX_OK)
			++*good;
		else
			result = GPROFX_FAILED;
		if (result != GPROFX_OK && run->settings->stop_at_first_error)
			break;
		if (i + 1 < count && (reading->open_bytes >= reading->most_bytes ||
		                      reading->open_count == OPEN_FILES))
			reading_add_up(reading, false);
		if (frontend->progress)
			frontend->progress(frontend->opaque, i + 1, count);
	}
	return result;
}

/* The same for the profiles of other objects. */
static enum gprofx_result
read_objects(struct reading *reading, uint32_t count, uint32_t *good)
{
	const struct engine_settings *settings = reading->run->settings;
	enum gprofx_result result = GPROFX_OK;

	for (uint32_t i = 0; i < count; i++) {
		const struct engine_object *object = &settings->objects[i];

		if (reading->open_bytes >= reading->most_bytes || reading->open_count == OPEN_FILES)
			reading_add_up(reading, false);
		if (read_one(reading, object->profile,
		             symbols_object_by_path(reading->slide.symbols, object->library)) ==
		    GPROFX_OK)
			++*good;
		else
			result = GPROFX_FAILED;
		if (result != GPROFX_OK && settings->stop_at_first_error)
			break;
	}
	return result;
}

/* Reads the profiles of a run; behind those of the first one stand those of objects. */
static enum gprofx_result
read_run(struct run *run, struct plugin *reader, struct scan *scan, const struct engine_run *of,
         uint32_t object_count, struct profile *profile)
{
	const struct engine_settings *settings = run->settings;
	struct reading reading = {.run = run, .reader = reader, .profile = profile};
	bool is_first = profile->first_run == profile;
	const char *const *names;
	uint32_t own, good = 0;
	enum gprofx_result result;

	slide_start(&reading.slide, run, scan);
	result = list_files(run, of, profile, &names, &own);
	want_copies(&reading, own, own + object_count);
	if (is_first && reading_add_base(&reading) != GPROFX_OK)
		return GPROFX_FAILED;
	if (read_files(&reading, names, own, &good) != GPROFX_OK)
		result = GPROFX_FAILED;
	if (is_first && run->frontend->next_partial &&
	    reading_add_passed(&reading, &good) != GPROFX_OK)
		result = GPROFX_FAILED;
	/* The profiles of other objects come behind all of the program's. */
	if ((result == GPROFX_OK || !settings->stop_at_first_error) &&
	    read_objects(&reading, object_count, &good) != GPROFX_OK)
		result = GPROFX_FAILED;
	reading_add_up(&reading, true);
	if (!input_makes_partial(run))
		input_warn_repeated(run, profile);
	if (!input_makes_partial(run) && reading_check_copies(&reading) != GPROFX_OK)
		return GPROFX_FAILED;
	if (input_makes_partial(run))
		profile->partial = partial_write(run, profile, &profile->partial_bytes);
	else if (profile_finish(run, profile) != GPROFX_OK)
		result = GPROFX_FAILED;
	if (reading_check_whole(&reading) != GPROFX_OK)
		return GPROFX_FAILED;
	/* What is wrong with the others was reported; other processes may have read some. */
	if (settings->keep_going && (good > 0 || input_makes_partial(run)))
		return GPROFX_OK;
	return result;
}

enum gprofx_result
input_read_profiles(struct run *run, struct plugin *reader, struct scan *scan,
                    struct profile *profile)
{
	const struct engine_settings *settings = run->settings;
	const struct engine_run first = {settings->run_label, settings->profiles,
	                                 settings->profile_count};
	/* A partial profile has none of other objects: the run that adds it reads them. */
	uint32_t objects = symbols_objects(scan->symbols) > 0 && !input_makes_partial(run)
	                           ? settings->object_count
	                           : 0;
	enum gprofx_result result = read_run(run, reader, scan, &first, objects, profile);

	for (uint32_t i = 0; i < settings->further_run_count; i++) {
		profile = profile->next_run;
		if (result != GPROFX_OK && settings->stop_at_first_error)
			break;
		if (read_run(run, reader, scan, &settings->further_runs[i], 0, profile) !=
		    GPROFX_OK)
			result = GPROFX_FAILED;
	}
	return result;
}
