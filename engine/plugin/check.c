/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks a descriptor before anything in it is called, and copies it into structs of the host's
 * size: what a longer struct adds has to be zero.
 */
#include <string.h>

#include "base/memory.h"
#include "base/run.h"
#include "base/sized.h"
#include "plugin/emitters.h"
#include "plugin/modules.h"
#include "plugin/plugins.h"

/* Twice as many machines as have an ELF number; no instructions are further apart. */
enum { MACHINES_AT_MOST = 512, STEP_AT_MOST = 16 };

enum gprofx_result
plugin_bad_descriptor(struct run *run, const char *path, const char *what)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "plugin.bad-descriptor",
		.file = path,
		.hint = PLUGIN_DEFECT,
	};

	return run_fail(run, &diagnostic, "%s", what);
}

/* Each struct is there in full: with all that the first version had. */
enum gprofx_result
plugin_copy_struct(struct run *run, const char *path, const char *what, void *to, size_t to_bytes,
                   const void *from)
{
	const struct sized_source source = {
		.what = what,
		.id = "plugin.bad-descriptor",
		.hint = PLUGIN_DEFECT,
		.file = path,
		.least = to_bytes,
	};

	return sized_copy(run, &source, to, to_bytes, from);
}

/* A name is part of the names of files and stands in lists. */
static bool
is_usable_name(const char *name)
{
	enum { MOST_BYTES = 100 };
	size_t length = name ? strnlen(name, MOST_BYTES + 1) : 0;

	for (size_t i = 0; i < length; i++)
		if ((unsigned char)name[i] <= ' ' || name[i] == '/' || name[i] == 0x7f)
			return false;
	return length > 0 && length <= MOST_BYTES;
}

static const char *
problem_of_findcall(const struct gprofx_findcall *findcall)
{
	if (!findcall->scan || !findcall->machines || findcall->machine_count == 0)
		return "the call scanner has no machines or no scan callback";
	if (findcall->machine_count > MACHINES_AT_MOST)
		return "the call scanner states more machines than there are";
	if (findcall->step > STEP_AT_MOST || (findcall->step & (findcall->step - 1)) != 0)
		return "the call scanner's step is not a power of two up to 16";
	return NULL;
}

/* What an interface lacks that every one of its kind must have, or NULL. */
static const char *
problem_of_interfaces(const struct gprofx_plugin *d)
{
	if (d->reader && (!d->reader->format || !d->reader->format[0] || !d->reader->read))
		return "the reader has no format or no read callback";
	if (d->symbols && !d->symbols->load && !d->symbols->locate)
		return "the symbol provider has neither a load nor a locate callback";
	if (d->emitter && (!d->emitter->format || !d->emitter->format[0] || !d->emitter->emit))
		return "the emitter has no format or no emit callback";
	if (d->document && (!d->document->syntax || !d->document->parse))
		return "the document parser has no syntax or no parse callback";
	if (d->labels && (!d->labels->syntax || !d->labels->prepare || !d->labels->make))
		return "the label maker has no syntax or lacks a callback";
	if (!d->reader && !d->symbols && !d->findcall && !d->emitter && !d->document && !d->labels)
		return "the descriptor offers no interface";
	return d->findcall ? problem_of_findcall(d->findcall) : NULL;
}

/* Each interface that is there is there in full. */
static enum gprofx_result
copy_interfaces(struct run *run, const char *path, struct plugin *plugin)
{
	struct gprofx_plugin *d = &plugin->descriptor;
	const char *problem;

#define COPY(kind, what)                                                                   \
	do {                                                                               \
		if (d->kind) {                                                             \
			if (plugin_copy_struct(run, path, what, &plugin->kind,             \
			                       sizeof plugin->kind, d->kind) != GPROFX_OK) \
				return GPROFX_FAILED;                                      \
			d->kind = &plugin->kind;                                           \
		}                                                                          \
	} while (0)
	COPY(reader, "the reader's struct");
	COPY(symbols, "the symbol provider's struct");
	COPY(findcall, "the call scanner's struct");
	COPY(emitter, "the emitter's struct");
	COPY(document, "the document parser's struct");
	COPY(labels, "the label maker's struct");
#undef COPY
	problem = problem_of_interfaces(d);
	if (problem)
		return plugin_bad_descriptor(run, path, problem);
	return d->emitter ? plugin_copy_emitter(run, plugin) : GPROFX_OK;
}

static enum gprofx_result
check_version(struct run *run, const struct gprofx_plugin *descriptor, const char *path)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "plugin.wrong-abi",
		.file = path,
		.hint = "use the build of the plugin made for this version of gprofx",
		.number = {descriptor->abi_major, descriptor->abi_minor},
	};

	/* The cast is for cppcheck: with a minor number of 0 it sees a number below none. */
	if (descriptor->abi_major == GPROFX_ABI_MAJOR &&
	    (int)descriptor->abi_minor <= GPROFX_ABI_MINOR)
		return GPROFX_OK;
	return run_fail(run, &diagnostic,
	                "expected a plugin for interface %d.0 to %d.%d, found one that needs %u.%u",
	                GPROFX_ABI_MAJOR, GPROFX_ABI_MAJOR, GPROFX_ABI_MINOR,
	                (unsigned)descriptor->abi_major, (unsigned)descriptor->abi_minor);
}

struct plugin *
plugin_describe(struct run *run, const struct gprofx_plugin *descriptor, const char *path,
                const char *expected_name)
{
	struct plugin *plugin;

	/* The version stands before everything that could differ between versions. */
	if (descriptor->size < offsetof(struct gprofx_plugin, name)) {
		plugin_bad_descriptor(run, path, "the descriptor states an impossible size");
		return NULL;
	}
	if (check_version(run, descriptor, path) != GPROFX_OK)
		return NULL;
	plugin = memory_alloc(run, sizeof *plugin);
	plugin->file = path;
	if (plugin_copy_struct(run, path, "the descriptor", &plugin->descriptor,
	                       sizeof plugin->descriptor, descriptor) != GPROFX_OK)
		return NULL;
	if (!is_usable_name(plugin->descriptor.name)) {
		plugin_bad_descriptor(
			run, path,
			"the descriptor has no valid name: at most 100 bytes, without blanks and "
			"slashes");
		return NULL;
	}
	if (expected_name && strcmp(expected_name, plugin->descriptor.name) != 0) {
		const struct gprofx_diagnostic diagnostic = {
			.id = "plugin.name-differs",
			.file = path,
			.hint = "rename the file, or name it by its path with --plugin",
			.text = {expected_name, plugin->descriptor.name},
		};

		run_fail(run, &diagnostic, "expected the plugin %s, found %s", expected_name,
		         plugin->descriptor.name);
		return NULL;
	}
	if (copy_interfaces(run, path, plugin) != GPROFX_OK)
		return NULL;
	return plugin;
}

struct plugin *
plugin_check(struct run *run, const struct gprofx_plugin *descriptor, const char *path,
             const char *expected_name)
{
	struct plugin *plugin = plugin_describe(run, descriptor, path, expected_name);
	bool is_good = plugin &&
	               plugin_make_options(run, plugin, NULL, &plugin->options) == GPROFX_OK;

	return is_good ? plugin : NULL;
}
