/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a plugin says about itself.  The rules that runs keep to are those of load.c, check.c and
 * options.c; here stand those that a run can do without.
 */
#include <string.h>

#include "base/memory.h"
#include "base/run.h"
#include "base/text.h"
#include "plugin/load.h"
#include "plugin/manifest.h"
#include "plugin/plugins.h"
#include "trial/trial.h"

void
trial_file(struct trial *trial)
{
	struct plugin_module module = plugin_named_module(trial->run, trial->path);

	plugin_check_file(trial->run, &module);
}

void
trial_module(struct trial *trial)
{
	const char *undefined = NULL;
	uint32_t count = 0;
	struct plugin_module module = plugin_named_module(trial->run, trial->path);

	if (!plugin_load(trial->run, &module) && trial->last_id &&
	    strcmp(trial->last_id, "plugin.undefined-symbol") == 0)
		undefined = plugin_undefined_symbols(trial->run, trial->path, &count);
	/* If it is one, it is told already. */
	if (undefined && count > 1)
		trial_fault(trial,
		            "expected definitions of all symbols that it uses, found none of %s",
		            undefined);
}

static void
check_text(struct trial *trial, const char *member, const char *text)
{
	if (!text || text[0] == '\0')
		trial_fault(trial, "expected a %s in the descriptor, found none", member);
	else if (strchr(text, '\n'))
		trial_fault(trial, "expected one line as the %s, found several", member);
}

/* Formats are named in --output=FORMAT:FILE, readers in -O, and both in lists. */
static void
check_words(struct trial *trial)
{
	for (uint32_t kind = 0; kind < PLUGIN_KINDS; kind++) {
		const char *word = plugin_word(trial->plugin, (enum plugin_kind)kind);

		if (plugin_is(trial->plugin, (enum plugin_kind)kind) && word &&
		    (word[0] == '\0' || strpbrk(word, ": \t\n,=/")))
			trial_fault(
				trial,
				"expected a word as the format or syntax of the %s, found \"%s\"",
				plugin_kind_name((enum plugin_kind)kind), word);
	}
}

void
trial_descriptor(struct trial *trial)
{
	const char *name = trial->plugin->descriptor.name, *file = text_last_name(trial->path);
	enum plugin_kind kind = plugin_kind_of_name(name);

	check_text(trial, "version", trial->plugin->descriptor.version);
	check_text(trial, "summary", trial->plugin->descriptor.summary);
	check_words(trial);
	if (kind == PLUGIN_KINDS)
		trial_fault(trial,
		            "expected a name of the form KIND-WORD with the kind input, symbols, "
		            "findcall, output, config or labels, found %s",
		            name);
	else if (!plugin_is(trial->plugin, kind))
		trial_fault(trial,
		            "expected the interface that the name %s promises, found another",
		            name);
	if (strlen(file) != strlen(name) + 3 || strncmp(file, name, strlen(name)) != 0)
		trial_remark(trial,
		             "the file is called %s; in a folder of plugins it is found as %s.so",
		             file, name);
}

/* Lower-case words joined by '-'. */
static bool
is_key(const char *key)
{
	bool in_word = false;

	for (; *key != '\0'; key++) {
		if (*key == '-' && !in_word)
			return false;
		if (*key != '-' && !(*key >= 'a' && *key <= 'z') && !(*key >= '0' && *key <= '9'))
			return false;
		in_word = *key != '-';
	}
	return in_word;
}

void
trial_options(struct trial *trial)
{
	const struct gprofx_plugin *d = &trial->plugin->descriptor;

	for (uint32_t i = 0; i < d->option_count; i++) {
		const struct gprofx_option *option = plugin_option(trial->plugin, i);

		if (!option->help || option->help[0] == '\0')
			trial_fault(trial, "%s: expected a help text, found none", option->key);
		if (!is_key(option->key))
			trial_fault(trial, "%s: expected lower-case words joined by '-' as the key",
			            option->key);
	}
}

/* Two texts, of which either may be NULL. */
static bool
same(const char *left, const char *right)
{
	return left == right || (left && right && strcmp(left, right) == 0);
}

static void
compare(struct trial *trial, const char *member, const char *manifest, const char *module)
{
	if (!same(manifest, module))
		trial_fault(trial, "%s: expected \"%s\", as the module says, found \"%s\"", member,
		            module ? module : "", manifest ? manifest : "");
}

static void
compare_machines(struct trial *trial, const struct manifest *manifest)
{
	const struct gprofx_findcall *findcall = &trial->plugin->findcall;

	for (uint32_t i = 0; i < findcall->machine_count; i++)
		if (!plugin_serves_machine(manifest->machine_numbers, manifest->machine_count,
		                           findcall->machines[i]))
			trial_fault(
				trial,
				"findcall.machines: expected %u, which the module serves, found %s",
				findcall->machines[i], manifest->machines);
	for (uint32_t i = 0; i < manifest->machine_count; i++)
		if (!plugin_serves_machine(findcall->machines, findcall->machine_count,
		                           manifest->machine_numbers[i]))
			trial_fault(
				trial,
				"findcall.machines: expected machines that the module serves, found %u",
				manifest->machine_numbers[i]);
}

static void
compare_positions(struct trial *trial, const struct manifest *manifest)
{
	bool are_there = trial->plugin->symbols.locate != NULL;

	if (manifest->has_positions != are_there)
		trial_fault(trial, "symbols.positions: expected %s, as the module says, found %s",
		            are_there ? "true" : "false",
		            manifest->has_positions ? "true" : "false");
}

static void
compare_interfaces(struct trial *trial, const struct manifest *manifest)
{
	const struct plugin *plugin = trial->plugin;

	for (uint32_t kind = 0; kind < PLUGIN_KINDS; kind++) {
		const char *name = plugin_kind_name(kind), *word = plugin_word(plugin, kind);
		bool stated = (manifest->kinds & 1u << kind) != 0, there = plugin_is(plugin, kind);

		if (stated && !there)
			trial_fault(trial, "%s: expected no such interface, as the module has none",
			            name);
		if (there && !stated)
			trial_fault(trial,
			            "%s: expected the interface that the module has, found "
			            "nothing about it",
			            name);
		if (!stated || !there)
			continue;
		if (word)
			compare(trial, text_format(trial->run, "format or syntax of the %s", name),
			        manifest->format[kind], word);
		if (kind == PLUGIN_FINDCALL)
			compare_machines(trial, manifest);
		if (kind == PLUGIN_SYMBOLS)
			compare_positions(trial, manifest);
	}
}

static bool
has_magic(const struct manifest *manifest, enum plugin_kind kind)
{
	const struct manifest_magic *magic = manifest->magic;

	while (magic && magic->kind != kind)
		magic = magic->next;
	return magic != NULL;
}

void
trial_manifest_agrees(struct trial *trial)
{
	const struct manifest *manifest = trial_manifest(trial);
	const struct gprofx_plugin *d = &trial->plugin->descriptor;

	if (!manifest) {
		trial_remark(trial,
		             "there is none beside the module, which is found by its name only");
		return;
	}
	/* The reason was told when it was read. */
	if (manifest->is_broken)
		return;
	compare(trial, "name", manifest->name, d->name);
	if (manifest->summary)
		compare(trial, "summary", manifest->summary, d->summary);
	if (manifest->abi != d->abi_major)
		trial_fault(trial, "abi: expected %u, as the module says, found %u", d->abi_major,
		            manifest->abi);
	compare_interfaces(trial, manifest);
	if (d->reader && !manifest->is_unmarked && !has_magic(manifest, PLUGIN_READER) &&
	    (trial->plugin->reader.probe || trial->plugin->reader.weigh))
		trial_remark(trial,
		             "reader: without \"magic\" or \"unmarked\" it is never asked about "
		             "a file, only named");
}
