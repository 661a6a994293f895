/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the manifests of the plugin folders and has them parsed.  Whatever is wrong with one is a
 * warning, since the run may well do without the plugin.
 */
#include "plugin/manifest.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mapfile.h"
#include "base/memory.h"
#include "base/text.h"
#include "schema/parse.h"
#include "plugin/modules.h"
#include "plugin/manifest-schema.h"

enum { MOST_BYTES = 65536 };

static const char suffix[] = ".yaml", parser_name[] = "config-yaml";

struct manifest_set {
	struct manifest *first, **end;
};

static void
warn(struct run *run, const char *id, const char *file, int error, const char *hint,
     const char *what)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = id,
		.file = file,
		.system_error = error,
		.hint = hint,
	};

	run_warn(run, &diagnostic, "%s%s%s", what, error != 0 ? ": " : "",
	         error != 0 ? mapfile_words(error) : "");
}

/* The parser, or NULL after a warning. */
static const struct plugin *
find_parser(struct run *run)
{
	bool before = run->errors_are_warnings, broken;
	const struct plugin *parser;

	run->errors_are_warnings = true;
	parser = plugin_by_name(run, parser_name, &broken);
	run->errors_are_warnings = before;
	if (broken || (parser && parser->document.parse))
		return parser;
	warn(run, "manifest.no-parser", NULL, 0,
	     PLUGIN_INSTALL("config-yaml") "; until then plugins are found only by their names",
	     "cannot read the manifests of plugins: config-yaml is not installed");
	return NULL;
}

/* The bytes of a manifest, or NULL after a warning. */
static struct mapped_file *
open_manifest(struct run *run, const struct manifest *manifest)
{
	static const char hint[] = "make it a readable file, or remove it";
	const char *path = manifest->file;
	const char *name = manifest->is_in_folder ? text_last_name(path) : path;
	struct mapped_file *file;
	struct stat status;
	int error = 0, folder = AT_FDCWD;

	if (manifest->is_in_folder)
		plugin_open_folder(run, manifest->folder, &folder, &error);
	/* Opening a pipe would wait for its writer. */
	if (fstatat(folder, name, &status, 0) == 0 && !S_ISREG(status.st_mode)) {
		warn(run, "manifest.cannot-read", path, 0, hint,
		     "expected a manifest, found something that is not a regular file");
		return NULL;
	}
	file = mapfile_open_in(run, folder, name, MAPFILE_WHOLE, &error);
	if (!file) {
		warn(run, "manifest.cannot-read", path, error, hint, "cannot read the manifest");
		return NULL;
	}
	if (file->length > MOST_BYTES) {
		const struct gprofx_diagnostic diagnostic = {
			.id = "manifest.too-large",
			.file = path,
			.hint = "shorten the manifest to the few lines that it needs",
			.number = {file->length},
		};

		run_warn(run, &diagnostic, "the manifest is longer than %d bytes: %zu", MOST_BYTES,
		         file->length);
		mapfile_close(run, file);
		return NULL;
	}
	return file;
}

/* Fills the manifest from its file. */
static void
read_manifest(struct run *run, struct manifest *manifest, const struct plugin *parser)
{
	struct gprofx_document document;
	struct mapped_file *file = open_manifest(run, manifest);
	bool before = run->errors_are_warnings;
	const char *doing = run->doing;

	if (!file) {
		manifest->is_broken = true;
		return;
	}
	run_doing(run, "reading %s with %s", manifest->file, parser->descriptor.name);
	run->errors_are_warnings = true;
	if (document_parse(run, &parser->document, manifest->file, (const char *)file->bytes,
	                   file->length, &document) == GPROFX_OK)
		manifest_fill(run, manifest, &document);
	else
		manifest->is_broken = true;
	run->errors_are_warnings = before;
	run->doing = doing;
	mapfile_close(run, file);
}

static int
is_manifest(const struct dirent *entry)
{
	size_t length = strlen(entry->d_name), end = sizeof suffix - 1;

	return entry->d_name[0] != '.' && length > end &&
	       strcmp(entry->d_name + length - end, suffix) == 0;
}

/* Orders by the names without their suffix, byte by byte, whatever the locale. */
static int
compare_names(const struct dirent **left, const struct dirent **right)
{
	const char *a = (*left)->d_name, *b = (*right)->d_name;
	size_t a_length = strlen(a) - (sizeof suffix - 1),
	       b_length = strlen(b) - (sizeof suffix - 1);
	int order = memcmp(a, b, a_length < b_length ? a_length : b_length);

	return order != 0 ? order : (a_length > b_length) - (a_length < b_length);
}

static bool
has_name(const struct manifest *first, const struct manifest *end, const char *name)
{
	for (; first != end; first = first->next)
		if (strcmp(first->name, name) == 0)
			return true;
	return false;
}

/* Appends what the folder has, unread; names that an earlier folder has are left out. */
static void
list_folder(struct run *run, struct manifest_set *set, uint32_t number)
{
	const char *folder = run->settings->plugin_folders[number];
	struct manifest **start = set->end;
	int descriptor, error, count = -1;
	struct dirent **entries;

	if (plugin_open_folder(run, number, &descriptor, &error) != GPROFX_OK)
		return;
	if (descriptor >= 0) {
		count = scandirat(descriptor, ".", &entries, is_manifest, compare_names);
		error = errno;
	}
	if (count < 0) {
		warn(run, "manifest.bad-folder", folder, error,
		     number < run->settings->plugin_folder_count -
		                             run->settings->installed_folder_count
		             ? "name an existing folder; --plugin-path and GPROFX_PLUGIN_PATH set "
		               "folders"
		             : "install plugins, package gprofx-plugins",
		     "cannot read the plugin folder");
		return;
	}
	for (int i = 0; i < count; i++) {
		const char *file = entries[i]->d_name;
		const char *name = text_keep(run, file, strlen(file) - (sizeof suffix - 1));
		struct manifest *manifest;

		free(entries[i]);
		if (has_name(set->first, *start, name))
			continue;
		manifest = memory_alloc(run, sizeof *manifest);
		manifest->name = name;
		manifest->folder = number;
		manifest->is_in_folder = true;
		manifest->file = text_format(run, "%s/%s%s", folder, name, suffix);
		manifest->module = text_format(run, "%s/%s.so", folder, name);
		*set->end = manifest;
		set->end = &manifest->next;
	}
	free(entries);
}

struct manifest *
manifest_beside(struct run *run, const char *module)
{
	size_t length = strlen(module);
	const char *name = text_last_name(module);
	const struct plugin *parser;
	struct manifest *manifest;

	if (length > 3 && strcmp(module + length - 3, ".so") == 0)
		length -= 3;
	manifest = memory_alloc(run, sizeof *manifest);
	manifest->name = text_keep(run, name, (size_t)(module + length - name));
	manifest->file = text_format(run, "%.*s%s", (int)length, module, suffix);
	manifest->module = module;
	if (access(manifest->file, F_OK) != 0)
		return NULL;
	parser = find_parser(run);
	if (!parser)
		return NULL;
	read_manifest(run, manifest, parser);
	return manifest;
}

struct manifest *
manifests(struct run *run)
{
	const struct engine_settings *settings = run->settings;
	struct manifest_set *set = plugin_host(run)->manifests;
	const struct plugin *parser;

	if (settings->builtin)
		return NULL;
	if (set)
		return set->first;
	run->plugin_host->manifests = set = memory_alloc(run, sizeof *set);
	set->end = &set->first;
	for (uint32_t i = 0; i < settings->plugin_folder_count; i++)
		list_folder(run, set, i);
	parser = set->first ? find_parser(run) : NULL;
	if (!parser)
		set->first = NULL;
	for (struct manifest *manifest = set->first; manifest; manifest = manifest->next) {
		read_manifest(run, manifest, parser);
		if (manifest->is_broken) {
			manifest->kinds = 0;
			manifest->is_unmarked = false;
		}
	}
	return set->first;
}

bool
manifest_claims(const struct manifest *manifest, enum plugin_kind kind, const uint8_t *head,
                size_t bytes)
{
	for (const struct manifest_magic *magic = manifest->magic; magic; magic = magic->next)
		if (magic->kind == kind && magic->at <= bytes &&
		    magic->length <= bytes - magic->at &&
		    memcmp(head + magic->at, magic->bytes, magic->length) == 0)
			return true;
	return false;
}
