/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks a descriptor before anything in it is called, and copies it into structs of the host's
 * size: what a shorter struct lacks is zero, what a longer one adds is not looked at.
 */
#include <string.h>

#include "base/memory.h"
#include "base/run.h"
#include "plugin/modules.h"
#include "plugin/plugins.h"

/* Twice as many machines as have an ELF number; no instructions are further apart. */
enum { MACHINES_AT_MOST = 512, STEP_AT_MOST = 16 };

static enum gprofx_result
fail(struct run *run, const char *id, const char *path, const char *what)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = id,
		.file = path,
		.hint = PLUGIN_DEFECT,
	};

	return run_fail(run, &diagnostic, "%s", what);
}

/*
 * Copies a size-stamped struct: the first member of both is the size in 32 bits.  False: the stated
 * size cannot hold what the first version had.
 */
static bool
copy_sized(void *to, size_t to_size, const void *from, size_t least)
{
	uint32_t stated;

	memcpy(&stated, from, sizeof stated);
	if (stated < least)
		return false;
	memset(to, 0, to_size);
	memcpy(to, from, stated < to_size ? stated : to_size);
	return true;
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

/* Each interface of ABI 1.0 must be there in full, with its required callbacks. */
static const char *
copy_interfaces(struct plugin *plugin)
{
	struct gprofx_plugin *d = &plugin->descriptor;

	if (d->reader) {
		if (!copy_sized(&plugin->reader, sizeof plugin->reader, d->reader,
		                offsetof(struct gprofx_reader, weigh)))
			return "the reader's struct is too small";
		if (!plugin->reader.format || !plugin->reader.format[0] || !plugin->reader.read)
			return "the reader has no format or no read callback";
		d->reader = &plugin->reader;
	}
	if (d->symbols) {
		if (!copy_sized(&plugin->symbols, sizeof plugin->symbols, d->symbols,
		                offsetof(struct gprofx_symbols, lines)))
			return "the symbol provider's struct is too small";
		if (!plugin->symbols.load && !plugin->symbols.locate)
			return "the symbol provider has neither a load nor a locate callback";
		d->symbols = &plugin->symbols;
	}
	if (d->findcall) {
		if (!copy_sized(&plugin->findcall, sizeof plugin->findcall, d->findcall,
		                offsetof(struct gprofx_findcall, stubs)))
			return "the call scanner's struct is too small";
		if (!plugin->findcall.scan || !plugin->findcall.machines ||
		    plugin->findcall.machine_count == 0)
			return "the call scanner has no machines or no scan callback";
		if (plugin->findcall.machine_count > MACHINES_AT_MOST)
			return "the call scanner states more machines than there are";
		if (plugin->findcall.step > STEP_AT_MOST ||
		    (plugin->findcall.step & (plugin->findcall.step - 1)) != 0)
			return "the call scanner's step is no power of two up to 16";
		d->findcall = &plugin->findcall;
	}
	if (d->emitter) {
		if (!copy_sized(&plugin->emitter, sizeof plugin->emitter, d->emitter,
		                offsetof(struct gprofx_emitter, parts_with)))
			return "the emitter's struct is too small";
		if (!plugin->emitter.format || !plugin->emitter.format[0] || !plugin->emitter.emit)
			return "the emitter has no format or no emit callback";
		d->emitter = &plugin->emitter;
	}
	if (d->document) {
		if (!copy_sized(&plugin->document, sizeof plugin->document, d->document,
		                sizeof(struct gprofx_document_parser)))
			return "the document parser's struct is too small";
		if (!plugin->document.syntax || !plugin->document.parse)
			return "the document parser has no syntax or no parse callback";
		d->document = &plugin->document;
	}
	if (d->labels) {
		if (!copy_sized(&plugin->labels, sizeof plugin->labels, d->labels,
		                sizeof(struct gprofx_labels)))
			return "the struct of the maker of labels is too small";
		if (!plugin->labels.syntax || !plugin->labels.prepare || !plugin->labels.make)
			return "the maker of labels has no syntax or lacks a callback";
		d->labels = &plugin->labels;
	}
	if (!d->reader && !d->symbols && !d->findcall && !d->emitter && !d->document && !d->labels)
		return "the descriptor offers no interface";
	return NULL;
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

	if (descriptor->abi_major == GPROFX_ABI_MAJOR && descriptor->abi_minor <= GPROFX_ABI_MINOR)
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
	const char *problem;

	/* The version stands before everything that could differ between versions. */
	if (descriptor->size < offsetof(struct gprofx_plugin, name)) {
		fail(run, "plugin.bad-descriptor", path,
		     "the descriptor states an impossible size");
		return NULL;
	}
	if (check_version(run, descriptor, path) != GPROFX_OK)
		return NULL;
	plugin = memory_alloc(run, sizeof *plugin);
	plugin->file = path;
	if (!copy_sized(&plugin->descriptor, sizeof plugin->descriptor, descriptor,
	                offsetof(struct gprofx_plugin, labels))) {
		fail(run, "plugin.bad-descriptor", path,
		     "the descriptor is smaller than its version");
		return NULL;
	}
	if (!is_usable_name(plugin->descriptor.name)) {
		fail(run, "plugin.bad-descriptor", path,
		     "the descriptor has no usable name, which has at most 100 bytes and neither "
		     "blanks nor slashes");
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
	problem = copy_interfaces(plugin);
	if (problem) {
		fail(run, "plugin.bad-descriptor", path, problem);
		return NULL;
	}
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
