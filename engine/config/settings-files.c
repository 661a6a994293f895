/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads files of settings.  The parser, and the library behind it, is loaded only when there is a
 * file to read.
 */
#include "config/settings-files.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/inputs.h"
#include "base/memory.h"
#include "base/run.h"
#include "base/trust.h"
#include "config/set.h"
#include "schema/parse.h"
#include "plugin/plugins.h"

enum {
	FIRST_BYTES = 8192,
	MOST_BYTES = 256 * 1024,
	MOST_LEVELS = 8,
	/* Files that each include another one twice would otherwise be read thousands of times. */
	MOST_DOCUMENTS = 64
};

static const char parser_name[] = "config-yaml";

/* Reads to the end, or to one byte more than is allowed.  Returns an errno value or 0. */
static int
read_bytes(struct run *run, int descriptor, char **bytes, size_t *length)
{
	size_t room = FIRST_BYTES;

	*bytes = memory_alloc(run, room);
	*length = 0;
	for (;;) {
		ssize_t got = read(descriptor, *bytes + *length, room - *length);

		if (got < 0 && errno != EINTR)
			return errno;
		if (got > 0)
			*length += (size_t)got;
		if (got == 0 || *length > MOST_BYTES)
			return 0;
		if (*length == room) {
			*bytes = memory_grow(run, *bytes, room, MOST_BYTES + 1);
			room = MOST_BYTES + 1;
		}
	}
}

struct gprofx_diagnostic
config_diagnostic(const char *file, const struct engine_origin *origin, const char *id,
                  const char *hint)
{
	struct gprofx_diagnostic diagnostic = {.id = id, .file = file, .hint = hint};

	if (origin && origin->file) {
		run_set_place(&diagnostic, origin);
		diagnostic.text[0] = file;
	}
	return diagnostic;
}

/* What the message is about, which may stand at another place. */
static const char *
name_of(struct run *run, const struct gprofx_diagnostic *diagnostic)
{
	return diagnostic->text[0] ? text_format(run, "the settings file %s", diagnostic->text[0])
	                           : "the settings file";
}

/*
 * A file that was found, not named, says what is loaded and which files are replaced.  It must be
 * the work of the user or the administrator.  way: what is wrong with the way to it.
 */
static bool
is_trusted(struct run *run, const struct config_source *source, const struct stat *status,
           const char *way, const struct engine_origin *origin)
{
	const char *doubt = trust_doubt(run, status, TRUST_WRITERS, "it");
	struct gprofx_diagnostic diagnostic = config_diagnostic(
		source->file, origin, "config.not-trusted",
		"remove write permission for others (chmod go-w), or name the file with --config");

	if (!doubt)
		doubt = way;
	if (!doubt)
		return true;
	if (source->is_optional)
		run_warn(run, &diagnostic, "%s is not trusted: %s; it is not read",
		         name_of(run, &diagnostic), doubt);
	else
		run_fail(run, &diagnostic, "%s is not trusted: %s", name_of(run, &diagnostic),
		         doubt);
	return false;
}

/*
 * Opens the file: one that was found, in the folder that the way to it was judged by.  *way: what
 * is wrong with that.  Returns a descriptor, or -1 with *error.
 */
static int
open_source(struct run *run, const struct config_source *source, const char **way, int *error)
{
	static const struct trust_rules rules = {trust_doubt, TRUST_WRITERS};
	/* Only what is named on the command line may be a pipe, whose writer is waited for. */
	bool waits = !source->is_found && !source->includer;
	int flags = O_RDONLY | O_CLOEXEC | O_NOCTTY | (waits ? 0 : O_NONBLOCK);
	struct trust_place place = {.folder = AT_FDCWD, .name = source->file};
	int descriptor = -1;

	if (source->is_found)
		place = trust_find_file(run, NULL, source->file, &rules);
	*way = place.doubt;
	*error = place.error;
	if (place.error == 0)
		descriptor = openat(place.folder, place.name,
		                    flags | (source->is_found ? O_NOFOLLOW : 0));
	if (place.error == 0 && descriptor < 0)
		*error = errno;
	return descriptor;
}

/* Tells that a file cannot be read. */
static void
tell_unreadable(struct run *run, const struct config_source *source,
                const struct engine_origin *origin, int error)
{
	struct gprofx_diagnostic diagnostic = config_diagnostic(
		source->file, origin, "config.cannot-read",
		"name a settings file that can be read");

	diagnostic.system_error = error;
	if (!source->is_optional) {
		run_fail(run, &diagnostic, "cannot read %s: %s", name_of(run, &diagnostic),
		         strerror(error));
		return;
	}
	diagnostic.hint = "make it readable, remove it, or use --no-config";
	run_warn(run, &diagnostic, "cannot read %s: %s", name_of(run, &diagnostic),
	         strerror(error));
}

/*
 * The bytes of a file; false: there are none to be had, and if that matters it was reported.  A
 * file that was not asked for and that cannot be read is no reason to stop: its folder may be that
 * of another user.
 */
static bool
read_file(struct run *run, struct config_source *source, const struct engine_origin *origin,
          char **bytes, size_t *length)
{
	bool waits = !source->is_found && !source->includer;
	const char *way;
	int error, descriptor = open_source(run, source, &way, &error);
	const struct gprofx_diagnostic too_large = config_diagnostic(
		source->file, origin, "config.too-large",
		"name a settings file; this one is too large to be written by hand");
	struct stat status;

	if (source->is_optional && (error == ENOENT || error == ENOTDIR))
		return false;
	if (error == 0 && fstat(descriptor, &status) != 0)
		error = errno;
	if (error == 0 && !waits && !S_ISREG(status.st_mode))
		error = EINVAL;
	if (error == 0 && source->is_found && !is_trusted(run, source, &status, way, origin)) {
		close(descriptor);
		return false;
	}
	if (error == 0) {
		source->device = status.st_dev;
		source->inode = status.st_ino;
		inputs_note(run, descriptor, "a file of settings");
		error = read_bytes(run, descriptor, bytes, length);
	}
	if (descriptor >= 0)
		close(descriptor);
	if (error != 0)
		tell_unreadable(run, source, origin, error);
	else if (*length > MOST_BYTES)
		run_fail(run, &too_large, "the file has more than %d bytes", MOST_BYTES);
	return error == 0 && *length <= MOST_BYTES;
}

/* The parser, or NULL after an error. */
static const struct plugin *
find_parser(struct run *run, const char *file)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "config.no-parser",
		.file = file,
		.hint = PLUGIN_INSTALL("config-yaml") ", or use --no-config",
	};
	bool broken;
	const struct plugin *parser = plugin_by_name(run, parser_name, &broken);

	if (parser && parser->document.parse)
		return parser;
	if (!broken)
		run_fail(run, &diagnostic,
		         "cannot read the file: the plugin config-yaml is not installed");
	return NULL;
}

/* Adds what a text says, as what is under way. */
static void
take_text(struct config *config, const struct config_source *source, const char *bytes,
          size_t length)
{
	struct gprofx_document document;
	struct run *run = config->run;
	const struct plugin *parser = find_parser(run, source->file);
	const char *doing = run->doing;

	if (!parser)
		return;
	run_doing(run, "reading %s with %s", source->file, parser->descriptor.name);
	config->documents++;
	if (document_parse(run, &parser->document, source->file, bytes, length, &document) ==
	    GPROFX_OK)
		config_take(config, source, &document);
	run_doing_nothing(run);
	run->doing = doing;
}

/* Whether a file includes itself, directly or through others; that is reported. */
static bool
is_circle(struct run *run, const struct config_source *source, const struct engine_origin *origin)
{
	const struct gprofx_diagnostic diagnostic = config_diagnostic(
		source->file, origin, "config.include-loop",
		"remove one of the includes from the loop");

	for (const struct config_source *s = source->includer; s; s = s->includer)
		if (s->device == source->device && s->inode == source->inode && s->inode != 0) {
			run_fail(run, &diagnostic,
			         "the files include each other in a loop: %s is already being read",
			         source->file);
			return true;
		}
	return false;
}

/* Whether there are too many files, which is reported. */
static bool
is_too_much(struct config *config, const struct config_source *source,
            const struct engine_origin *origin)
{
	const struct gprofx_diagnostic deep = config_diagnostic(
		source->file, origin, "config.include-depth",
		"include the file closer to the first one");
	const struct gprofx_diagnostic many = config_diagnostic(
		source->file, origin, "config.too-many-files", "put the settings into fewer files");
	uint32_t levels = 0;

	for (const struct config_source *s = source->includer; s; s = s->includer)
		levels++;
	if (levels > MOST_LEVELS)
		run_fail(config->run, &deep, "includes are nested more than %d levels deep",
		         MOST_LEVELS);
	else if (config->documents >= MOST_DOCUMENTS)
		run_fail(config->run, &many, "there are more than %d settings files",
		         MOST_DOCUMENTS);
	else
		return false;
	return true;
}

static void
read_source(struct config *config, struct config_source *source, const struct engine_origin *origin)
{
	size_t length;
	char *bytes;

	if (is_too_much(config, source, origin) ||
	    !read_file(config->run, source, origin, &bytes, &length))
		return;
	if (!is_circle(config->run, source, origin))
		take_text(config, source, bytes, length);
	memory_release(config->run, bytes);
}

static struct config_source *
new_source(struct config *config, const char *file)
{
	struct config_source *source = memory_alloc(config->run, sizeof *source);

	source->file = file;
	source->includer = config->source;
	source->is_found = config->source && config->source->is_found;
	return source;
}

void
config_read_file(struct config *config, const char *file, bool is_optional)
{
	struct config_source *source = new_source(config, file);

	source->is_optional = source->is_found = is_optional;
	read_source(config, source, NULL);
}

/* Settings as of --set, one a line. */
static void
set_lines(struct config *config, const char *name, const char *text)
{
	struct gprofx_diagnostic diagnostic = config_diagnostic(
		name, NULL, "config.wrong-type",
		"write one KEY=VALUE per line, or the text of a settings file");

	for (uint32_t number = 1; *text != '\0'; number++) {
		size_t length;

		text += strspn(text, " \t");
		length = strcspn(text, "\n");
		if (config_is_setting(text)) {
			config_set(config, name, true, text_keep(config->run, text, length));
		} else if (length > 0) {
			diagnostic.place = GPROFX_AT_LINE;
			diagnostic.line = number;
			run_fail(config->run, &diagnostic, "not a setting with a value: \"%.*s\"",
			         (int)length, text);
		}
		text += length + (text[length] == '\n');
	}
}

void
config_read_text(struct config *config, const char *name, const char *text)
{
	struct config_source *source = new_source(config, name);
	const struct gprofx_diagnostic too_large = config_diagnostic(
		name, NULL, "config.too-large", "put the settings into a file, and name that file");
	size_t length = strlen(text);

	source->has_no_folder = source->is_environment = true;
	if (length > MOST_BYTES)
		run_fail(config->run, &too_large, "the text is longer than %d bytes: %zu",
		         MOST_BYTES, length);
	else if (config_is_setting(text))
		set_lines(config, name, text);
	else
		take_text(config, source, text, length);
}

void
config_read_named(struct config *config, const char *file, const char *preset, bool is_found,
                  const struct engine_origin *origin)
{
	struct config_source *source = new_source(config, file);

	source->preset = preset;
	source->is_found = is_found;
	read_source(config, source, origin);
}

void
config_include(struct config *config, const char *file, const struct engine_origin *origin)
{
	file = config_path(config, file, origin);
	if (file)
		read_source(config, new_source(config, file), origin);
}
