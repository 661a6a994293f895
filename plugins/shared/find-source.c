/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Opens sources: under the name that the debug information has, in the folders that the user names,
 * and, if the user's environment says so, on build servers.
 */
#include "find-source.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "source-server.h"

static void
list_folders(struct finder *finder, const char *text)
{
	size_t count = 1;

	if (text[0] == '\0')
		return;
	for (const char *at = text; *at; at++)
		count += *at == ':';
	finder->folders = gprofx_alloc(finder->gx, count * sizeof *finder->folders);
	for (const char *end; text; text = *end ? end + 1 : NULL) {
		end = strchrnul(text, ':');
		finder->folders[finder->folder_count++] = (struct found_folder){
			text, (size_t)(end - text)};
	}
}

static enum gprofx_result
fail_map(struct finder *finder, const char *line, size_t length)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "source.bad-map",
		.hint = "write --source-map=FROM=TO, as in --source-map=/build/app=/home/me/app",
	};

	return gprofx_fail(finder->gx, &diagnostic,
	                   "expected two folders with '=' between them, found '%.*s'",
	                   (int)(length < 1000 ? length : 1000), line);
}

static enum gprofx_result
list_maps(struct finder *finder, const char *text)
{
	size_t count = 1;

	for (const char *at = text; *at; at++)
		count += *at == '\n';
	finder->maps = gprofx_alloc(finder->gx, count * sizeof *finder->maps);
	for (const char *end; text; text = *end ? end + 1 : NULL) {
		struct found_map *map = &finder->maps[finder->map_count];
		const char *equals;

		end = strchrnul(text, '\n');
		if (end == text)
			continue;
		equals = memchr(text, '=', (size_t)(end - text));
		if (!equals || equals == text)
			return fail_map(finder, text, (size_t)(end - text));
		*map = (struct found_map){text, equals + 1, (size_t)(equals - text),
		                          (size_t)(end - equals - 1)};
		finder->map_count++;
	}
	return GPROFX_OK;
}

enum gprofx_result
finder_begin(struct finder *finder, struct gprofx *gx, const struct gprofx_report *report,
             bool as_gprof, const char *folders, const char *maps)
{
	*finder = (struct finder){.gx = gx,
	                          .report = report,
	                          .as_gprof = as_gprof,
	                          .questions = UINT32_MAX};
	list_folders(finder, folders);
	return list_maps(finder, maps);
}

static void
make_room(struct finder *finder, char **text, size_t *room, size_t length)
{
	size_t wanted = 2 * length + 64;

	if (length < *room)
		return;
	*text = finder->gx->host->grow(finder->gx, *text, *room, wanted);
	*room = wanted;
}

/* Notes a place that was looked at, and what was there instead. */
static void
note(struct finder *finder, const char *place, const char *why)
{
	size_t length = strlen(place) + strlen(why);
	char *at;

	make_room(finder, &finder->tried, &finder->tried_room, finder->tried_length + length + 8);
	at = finder->tried + finder->tried_length;
	if (finder->tried_length > 0)
		at = stpcpy(at, ", ");
	at = stpcpy(at, place);
	if (why[0] != '\0') {
		at = stpcpy(at, " (");
		at = stpcpy(at, why);
		at = stpcpy(at, ")");
	}
	finder->tried_length = (size_t)(at - finder->tried);
}

static void
note_error(struct finder *finder)
{
	if (finder->as_gprof)
		return;
	note(finder, finder->path, finder->error == ENOENT ? "" : strerror(finder->error));
}

/*
 * Opens finder->path.  Nothing waits for the other end of a pipe, or takes what a device has; for
 * GNU gprof a folder is a file without lines.
 */
static int
open_path(struct finder *finder)
{
	struct stat status;
	int descriptor = open(finder->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

	finder->error = errno;
	if (gprofx_tracing(finder->gx, GPROFX_TRACE_SOURCE_FILES))
		finder->gx->host->trace(finder->gx, "source at %s: %s", finder->path,
		                        descriptor < 0 ? strerror(finder->error) : "is there");
	if (descriptor < 0 && finder->as_gprof && finder->error == ENXIO)
		descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC);
	if (descriptor < 0) {
		note_error(finder);
		return -1;
	}
	if (fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode)) {
		gprofx_note_input(finder->gx, descriptor);
		finder->modified = status.st_mtim.tv_sec;
		return descriptor;
	}
	close(descriptor);
	if (finder->as_gprof)
		return open("/dev/null", O_RDONLY | O_CLOEXEC);
	finder->error = S_ISDIR(status.st_mode) ? EISDIR : EINVAL;
	note(finder, finder->path, S_ISDIR(status.st_mode) ? "a folder" : "not a regular file");
	return -1;
}

/* Tries FOLDER + between + NAME. */
static int
open_in(struct finder *finder, const char *folder, size_t length, const char *between,
        const char *name)
{
	char *at;

	make_room(finder, &finder->path, &finder->path_room,
	          length + strlen(between) + strlen(name) + 1);
	at = mempcpy(finder->path, folder, length);
	at = stpcpy(at, between);
	stpcpy(at, name);
	return open_path(finder);
}

/* The first map that fits is the one that counts. */
static int
open_mapped(struct finder *finder, const char *name)
{
	for (uint32_t i = 0; i < finder->map_count; i++) {
		const struct found_map *map = &finder->maps[i];
		const char *rest = name + map->from_length;

		if (strncmp(name, map->from, map->from_length) != 0)
			continue;
		/* Folders are meant, not prefixes of their names. */
		if (map->from[map->from_length - 1] != '/' && *rest != '/' && *rest != '\0')
			continue;
		return open_in(finder, map->to, map->to_length, "", rest);
	}
	return -1;
}

static int
open_in_folders(struct finder *finder, const char *name)
{
	int descriptor = -1;

	for (uint32_t i = 0; i < finder->folder_count && descriptor < 0; i++)
		descriptor = open_in(finder, finder->folders[i].name, finder->folders[i].length,
		                     "/", name);
	return descriptor;
}

static void
warn_missing(struct finder *finder, const char *name)
{
	struct gprofx *gx = finder->gx;
	char *hint = NULL;
	size_t room = 0;
	struct gprofx_diagnostic diagnostic = {
		.id = finder->error == ENOENT ? "source.not-found" : "source.cannot-open",
		.file = name,
		.system_error = finder->error,
		.text = {finder->tried, NULL},
	};

	if (!finder->as_gprof) {
		make_room(finder, &hint, &room, finder->tried_length + 128);
		stpcpy(stpcpy(stpcpy(hint, "tried "), finder->tried),
		       "; name folders with -I, or map old to new folders with "
		       "--source-map=FROM=TO");
	}
	diagnostic.hint = hint;
	gprofx_warn(gx, &diagnostic, "cannot find the source file");
	gx->host->release(gx, hint);
}

int
finder_look(struct finder *finder, const char *name)
{
	const char *slash = strrchr(name, '/'), *why;
	int descriptor;

	finder->tried_length = 0;
	finder->modified = 0;
	descriptor = open_mapped(finder, name);
	if (descriptor < 0)
		descriptor = open_in(finder, "", 0, "", name);
	if (descriptor < 0 && name[0] != '/')
		descriptor = open_in_folders(finder, name);
	if (descriptor < 0 && slash)
		descriptor = open_in_folders(finder, slash + 1);
	if (descriptor < 0 && !finder->as_gprof && finder->questions > 0) {
		finder->questions--;
		descriptor = server_open(finder->report, name, &why);
		if (descriptor < 0 && why)
			note(finder, "DEBUGINFOD_URLS", why);
	}
	return descriptor;
}

int
finder_open(struct finder *finder, const char *name)
{
	int descriptor = finder_look(finder, name);

	if (descriptor < 0)
		warn_missing(finder, name);
	return descriptor;
}
