/* SPDX-License-Identifier: Apache-2.0 */
/* Which plugin knows the symbols of a file. */
#include <string.h>

#include "base/memory.h"
#include "base/near-file.h"
#include "base/run.h"
#include "plugin/plugins.h"
#include "symbols/parts.h"

enum { PROBED_BYTES = 4096, SURE = 100 };

static struct plugin *
surest(struct run *run, const struct gprofx_image *image, int *certainty)
{
	size_t bytes = image->length < PROBED_BYTES ? (size_t)image->length : PROBED_BYTES;
	struct plugin *best = NULL;

	*certainty = 0;
	for (struct plugin *plugin = plugins_open(run); plugin; plugin = plugin->next) {
		int own;

		if (!plugin->symbols.load || !plugin->symbols.probe)
			continue;
		own = plugin->symbols.probe(image->bytes, bytes);
		if (own > *certainty) {
			*certainty = own;
			best = plugin;
		}
	}
	return best;
}

/* What a file that is no image begins as, in the words of a message. */
static const char *
kind_of(const struct gprofx_image *image)
{
	static const struct {
		const char *first_bytes, *kind;
	} kinds[] = {
		{"#!", "a script"},
		{"!<arch>\n", "an archive"},
		{"gmon", "a profile"},
	};

	if (image->length == 0)
		return "an empty one";
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
		size_t length = strlen(kinds[i].first_bytes);

		if (image->length >= length &&
		    memcmp(image->bytes, kinds[i].first_bytes, length) == 0)
			return kinds[i].kind;
	}
	return near_file_is_text(image->bytes, image->length) ? "a text file"
	                                                      : "another kind of file";
}

/* What to name instead of a file that is no image. */
static const char *
hint_about(struct run *run, const struct gprofx_image *image)
{
	const struct engine_settings *settings = run->settings;
	const char *kind = kind_of(image);

	if (!settings->image || strcmp(image->name, settings->image) != 0)
		return "name a program, a shared library or a list of symbols";
	if (strcmp(kind, "a profile") == 0)
		return text_format(run, "name the program before its profile: gprofx %s %s",
		                   settings->profiles_are_named && settings->profile_count == 1
		                           ? settings->profiles[0]
		                           : "PROGRAM",
		                   image->name);
	if (strcmp(kind, "a text file") == 0 && settings->advice && settings->advised_operand &&
	    strcmp(image->name, settings->advised_operand) == 0)
		return settings->advice;
	if (strcmp(kind, "a text file") == 0)
		return "name the program, not its source; of folded stacks, each line must end "
		       "with a number";
	if (strcmp(kind, "a script") == 0)
		return "name the program that the script runs: gprofx PROGRAM [PROFILE...]";
	return "name the program that wrote the profile: gprofx PROGRAM [PROFILE...]";
}

/* Images whose provider is known by name, so that no manifest has to be read. */
static const struct known_kind {
	const char *first_bytes, *plugin, *hint, *files;
	bool is_unknown_to_gnu; /* GNU gprof says of them what it says of any other file */
} known_kinds[] = {
	{"\177ELF", "symbols-elf", PLUGIN_INSTALL("symbols-elf"), "ELF files", false},
	{"MZ", "symbols-pe", PLUGIN_INSTALL("symbols-pe"), "Windows programs", false},
	{"\xcf\xfa\xed\xfe", "symbols-macho", PLUGIN_INSTALL("symbols-macho"), "Mach-O files",
         true},
	{"\xce\xfa\xed\xfe", "symbols-macho", PLUGIN_INSTALL("symbols-macho"), "Mach-O files",
         true},
	{"\xfe\xed\xfa\xcf", "symbols-macho", PLUGIN_INSTALL("symbols-macho"), "Mach-O files",
         true},
	{"\xfe\xed\xfa\xce", "symbols-macho", PLUGIN_INSTALL("symbols-macho"), "Mach-O files",
         true},
};

static const struct known_kind *
known_kind(const struct run *run, const struct gprofx_image *image)
{
	for (size_t i = 0; i < sizeof known_kinds / sizeof known_kinds[0]; i++) {
		size_t length = strlen(known_kinds[i].first_bytes);

		if (image->length >= length &&
		    memcmp(image->bytes, known_kinds[i].first_bytes, length) == 0 &&
		    !(known_kinds[i].is_unknown_to_gnu && run->settings->strict_lists))
			return &known_kinds[i];
	}
	return NULL;
}

/* Opens those whose manifests fit, unless an open one is sure. */
static struct plugin *
surest_by_magic(struct run *run, const struct gprofx_image *image)
{
	size_t bytes = image->length < PROBED_BYTES ? (size_t)image->length : PROBED_BYTES;
	struct plugin *provider;
	int certainty;

	provider = surest(run, image, &certainty);
	if (certainty >= SURE)
		return provider;
	plugins_open_by_magic(run, PLUGIN_SYMBOLS, image->bytes, bytes);
	return surest(run, image, &certainty);
}

bool
symbols_know_image(struct run *run, const struct gprofx_image *image)
{
	return known_kind(run, image) || surest_by_magic(run, image);
}

/* One already open, the default one, or one whose manifest fits. */
struct plugin *
symbols_provider(struct run *run, const struct gprofx_image *image)
{
	struct gprofx_diagnostic diagnostic = {
		.id = "image.not-an-object",
		.file = image->name,
	};
	const struct known_kind *kind = known_kind(run, image);
	struct plugin *provider;
	bool broken;
	int certainty;

	provider = surest(run, image, &certainty);
	if (certainty >= SURE)
		return provider;
	if (kind && !plugin_by_name(run, kind->plugin, &broken)) {
		diagnostic.id = "symbols.not-installed";
		diagnostic.hint = kind->hint;
		if (!broken)
			run_fail(run, &diagnostic,
			         "there is no symbol provider for %s: %s is not installed",
			         kind->files, kind->plugin);
		return NULL;
	}
	provider = kind ? surest(run, image, &certainty) : surest_by_magic(run, image);
	if (provider)
		return provider;
	diagnostic.hint = hint_about(run, image);
	run_fail(run, &diagnostic, "expected an executable file, found %s", kind_of(image));
	return NULL;
}

struct plugin *
symbols_list_provider(struct run *run, const struct gprofx_image *list)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "symbols.not-installed",
		.file = list->name,
		.hint = PLUGIN_INSTALL("symbols-list"),
	};
	size_t bytes = list->length < PROBED_BYTES ? (size_t)list->length : PROBED_BYTES;
	struct plugin *provider;
	bool broken;

	/* No text has a NUL. */
	if (!run->settings->strict_lists && bytes > 0 && memchr(list->bytes, '\0', bytes))
		return symbols_provider(run, list);
	provider = plugin_by_name(run, "symbols-list", &broken);
	if (!provider && !broken)
		run_fail(run, &diagnostic,
		         "there is no symbol provider for lists: symbols-list is not installed");
	return provider;
}
