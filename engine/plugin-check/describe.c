/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a plugin says about itself.  The rules that runs keep to are those of load.c, check.c and
 * options.c; here stand those that a run can do without.
 */
#include <string.h>

#include "base/memory.h"
#include "base/run.h"
#include "base/text.h"
#include "plugin/modules.h"
#include "plugin/manifest.h"
#include "plugin/plugins.h"
#include "plugin-check/plugin-check.h"

void
check_file(struct plugin_check *check)
{
	struct plugin_module module = plugin_named_module(check->run, check->path);

	plugin_check_file(check->run, &module);
}

void
check_module(struct plugin_check *check)
{
	const char *undefined = NULL;
	uint32_t count = 0;
	struct plugin_module module = plugin_named_module(check->run, check->path);

	if (!plugin_load(check->run, &module) && check->last_id &&
	    strcmp(check->last_id, "plugin.undefined-symbol") == 0)
		undefined = plugin_undefined_symbols(check->run, check->path, &count);
	/* If it is one, it is reported already. */
	if (undefined && count > 1)
		check_fault(check,
		            "expected definitions of all symbols that it uses, found none for %s",
		            undefined);
}

static void
check_text(struct plugin_check *check, const char *member, const char *text)
{
	if (!text || text[0] == '\0')
		check_fault(check, "expected a %s in the descriptor, found none", member);
	else if (strchr(text, '\n'))
		check_fault(check, "expected one line as the %s, found several", member);
}

/* Formats are named in --output=FORMAT:FILE, readers in -O, and both in lists. */
static void
check_words(struct plugin_check *check)
{
	for (uint32_t kind = 0; kind < PLUGIN_KINDS; kind++) {
		const char *word = plugin_word(check->plugin, (enum plugin_kind)kind);

		if (plugin_is(check->plugin, (enum plugin_kind)kind) && word &&
		    (word[0] == '\0' || strpbrk(word, ": \t\n,=/")))
			check_fault(
				check,
				"expected a word as the format or syntax of the %s, found \"%s\"",
				plugin_kind_name((enum plugin_kind)kind), word);
	}
}

void
check_descriptor(struct plugin_check *check)
{
	const char *name = check->plugin->descriptor.name, *file = text_last_name(check->path);
	enum plugin_kind kind = plugin_kind_of_name(name);

	check_text(check, "version", check->plugin->descriptor.version);
	check_text(check, "summary", check->plugin->descriptor.summary);
	check_words(check);
	if (kind == PLUGIN_KINDS)
		check_fault(check,
		            "expected a name of the form KIND-WORD with the kind input, symbols, "
		            "findcall, output, config or labels, found %s",
		            name);
	else if (!plugin_is(check->plugin, kind))
		check_fault(check,
		            "expected the interface that the name %s promises, found another",
		            name);
	if (strlen(file) != strlen(name) + 3 || strncmp(file, name, strlen(name)) != 0)
		check_remark(check,
		             "the file is called %s; in a plugin folder it is found only as %s.so",
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
check_options(struct plugin_check *check)
{
	const struct gprofx_plugin *d = &check->plugin->descriptor;

	for (uint32_t i = 0; i < d->option_count; i++) {
		const struct gprofx_option *option = plugin_option(check->plugin, i);

		if (!option->help || option->help[0] == '\0')
			check_fault(check, "%s: expected a help text, found none", option->key);
		if (!is_key(option->key))
			check_fault(check, "%s: expected lower-case words joined by '-' as the key",
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
compare(struct plugin_check *check, const char *member, const char *manifest, const char *module)
{
	if (!same(manifest, module))
		check_fault(check, "%s: expected \"%s\", as the module says, found \"%s\"", member,
		            module ? module : "", manifest ? manifest : "");
}

static void
compare_machines(struct plugin_check *check, const struct manifest *manifest)
{
	const struct gprofx_findcall *findcall = &check->plugin->findcall;

	for (uint32_t i = 0; i < findcall->machine_count; i++)
		if (!plugin_serves_machine(manifest->machine_numbers, manifest->machine_count,
		                           findcall->machines[i]))
			check_fault(
				check,
				"findcall.machines: expected %u, which the module serves, found %s",
				findcall->machines[i], manifest->machines);
	for (uint32_t i = 0; i < manifest->machine_count; i++)
		if (!plugin_serves_machine(findcall->machines, findcall->machine_count,
		                           manifest->machine_numbers[i]))
			check_fault(
				check,
				"findcall.machines: expected machines that the module serves, found %u",
				manifest->machine_numbers[i]);
}

static void
compare_positions(struct plugin_check *check, const struct manifest *manifest)
{
	bool are_there = check->plugin->symbols.locate != NULL;

	if (manifest->has_positions != are_there)
		check_fault(check, "symbols.positions: expected %s, as the module says, found %s",
		            are_there ? "true" : "false",
		            manifest->has_positions ? "true" : "false");
}

static void
compare_interfaces(struct plugin_check *check, const struct manifest *manifest)
{
	const struct plugin *plugin = check->plugin;

	for (uint32_t kind = 0; kind < PLUGIN_KINDS; kind++) {
		const char *name = plugin_kind_name(kind), *word = plugin_word(plugin, kind);
		bool stated = (manifest->kinds & 1u << kind) != 0, there = plugin_is(plugin, kind);

		if (stated && !there)
			check_fault(check,
			            "%s: the manifest has this interface, but the module "
			            "does not",
			            name);
		if (there && !stated)
			check_fault(check,
			            "%s: the module has this interface, but the manifest does not",
			            name);
		if (!stated || !there)
			continue;
		if (word)
			compare(check, text_format(check->run, "format or syntax of the %s", name),
			        manifest->format[kind], word);
		if (kind == PLUGIN_FINDCALL)
			compare_machines(check, manifest);
		if (kind == PLUGIN_SYMBOLS)
			compare_positions(check, manifest);
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
check_manifest_agrees(struct plugin_check *check)
{
	const struct manifest *manifest = check_manifest(check);
	const struct gprofx_plugin *d = &check->plugin->descriptor;

	if (!manifest) {
		check_remark(check,
		             "there is none next to the module, which is found only by its name");
		return;
	}
	/* The reason was reported when it was read. */
	if (manifest->is_broken)
		return;
	compare(check, "name", manifest->name, d->name);
	if (manifest->summary)
		compare(check, "summary", manifest->summary, d->summary);
	if (manifest->abi != d->abi_major)
		check_fault(check, "abi: expected %u, as the module says, found %u", d->abi_major,
		            manifest->abi);
	compare_interfaces(check, manifest);
	if (d->reader && !manifest->is_unmarked && !has_magic(manifest, PLUGIN_READER) &&
	    (check->plugin->reader.probe || check->plugin->reader.weigh))
		check_remark(check,
		             "reader: without \"magic\" or \"unmarked\", it is used only if it is "
		             "named");
}
