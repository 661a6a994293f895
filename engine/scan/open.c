/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the scanner for a machine. */
#include "base/memory.h"
#include "base/run.h"
#include "plugin/plugins.h"
#include "profile/profile.h"
#include "scan/parts.h"
#include "scan/scan.h"
#include "symbols/symbols.h"

/* What to do so that there is a scanner, and what is to be said behind it. */
static const char *
hint_for(struct run *run, uint16_t machine, const char *rest)
{
	const char *plugin = plugin_usual_scanner(machine), *denial;

	if (!plugin)
		return NULL;
	if (!plugin_is_installed(run, plugin))
		return plugin_install_hint(run, plugin, rest);
	denial = plugin_denial(run, plugin);
	/* Of one that cannot be used, it was said why. */
	return denial ? text_format(run, "let the plugin %s be loaded: %s%s", plugin, denial, rest)
	              : NULL;
}

const char *
scan_advice(struct run *run, uint16_t machine)
{
	return hint_for(run, machine, "");
}

static void
tell_missing(struct run *run, const struct symbols *symbols)
{
	uint16_t machine = symbols->table.target.machine;
	static const char without[] = "; the report continues without static arcs";
	const char *hint = hint_for(run, machine, without);
	const struct gprofx_diagnostic diagnostic = {
		.id = "scan.not-installed",
		.file = symbols->image.name,
		.hint = hint ? hint : &without[2],
		.number = {machine},
		.text = {plugin_usual_scanner(machine)},
	};

	run_warn(run, &diagnostic, "there is no call scanner for code of ELF machine %u",
	         (unsigned)machine);
}

static void
tell_unknown(struct run *run, const struct symbols *symbols)
{
	const char *architecture = symbols->table.architecture;
	const struct gprofx_diagnostic diagnostic = {
		.id = "scan.unknown-machine",
		.file = symbols->image.name,
		.hint = "the report continues without static arcs",
		.text = {architecture ? architecture : "unknown"},
	};

	run_warn(run, &diagnostic, "calls cannot be found in code of %s", diagnostic.text[0]);
}

struct scanner *
scan_open(struct run *run, const struct symbols *symbols, const struct profile *profile)
{
	const struct gprofx_symtab *table = &symbols->table;
	uint16_t machine = table->target.machine;
	bool strict = !run_corrects(run, GPROFX_CORRECT_STATIC_CALLS);
	/* An image that the GNU binutils do not know has no machine for GNU gprof. */
	bool is_image_known = !strict || table->architecture;
	struct plugin *plugin;
	struct scanner *scanner;
	enum gprofx_result result = GPROFX_OK;

	/* To GNU gprof, a profile without calls has no graph. */
	if (!run->settings->static_calls || (strict && !profile->has_arcs))
		return NULL;
	plugin = is_image_known ? plugin_by_machine(run, machine, plugin_usual_scanner(machine))
	                        : NULL;
	if (!plugin) {
		/* To it, machines are known or not; what it knows has to be installed here. */
		if (!is_image_known || (strict && !plugin_gprof_scans(machine)))
			tell_unknown(run, symbols);
		else
			tell_missing(run, symbols);
		return NULL;
	}
	scanner = memory_alloc(run, sizeof *scanner);
	scanner->plugin = plugin;
	scanner->symbols = symbols;
	scanner->image = symbols_scanned_image(symbols);
	scanner->image.strict = strict;
	if (plugin->findcall.worker_open)
		result = plugin->findcall.worker_open(&run->gx, &scanner->image, plugin->options,
		                                      &scanner->worker);
	if (result == GPROFX_DECLINED)
		tell_unknown(run, symbols);
	return result == GPROFX_OK ? scanner : NULL;
}

/* Of several workers, the first one is made with the scanner. */
static void
close_scanner(struct run *run, void *argument)
{
	const struct scanner *scanner = argument;

	if (scanner->plugin->findcall.worker_close && scanner->worker)
		scanner->plugin->findcall.worker_close(&run->gx, scanner->worker);
}

struct scan *
scan_new(struct run *run, const struct symbols *symbols)
{
	struct scan *scan = memory_alloc(run, sizeof *scan);

	scan->symbols = symbols;
	return scan;
}

struct scanner *
scan_open_for_sites(struct run *run, struct scan *scan, bool says)
{
	const struct symbols *symbols = scan->symbols;
	uint16_t machine = symbols->table.target.machine;
	bool errors_were_warnings = run->errors_are_warnings;
	enum gprofx_result result = GPROFX_OK;
	struct scanner *scanner;

	if (scan->scanner)
		return scan->scanner;
	/* What cannot work is not tried again, unless that is yet to be said. */
	if (scan->lacks_scanner && !says)
		return NULL;
	scanner = memory_alloc(run, sizeof *scanner);
	/* The report can do without. */
	run->errors_are_warnings = true;
	scanner->plugin = plugin_by_machine(run, machine, plugin_usual_scanner(machine));
	scanner->symbols = symbols;
	scanner->image = symbols_scanned_image(symbols);
	scanner->image.wants_sites = true;
	run->is_silent = !says;
	if (scanner->plugin && scanner->plugin->findcall.worker_open)
		result = scanner->plugin->findcall.worker_open(
			&run->gx, &scanner->image, scanner->plugin->options, &scanner->worker);
	run->is_silent = false;
	run->errors_are_warnings = errors_were_warnings;
	scan->lacks_scanner = !scanner->plugin || result != GPROFX_OK;
	if (scan->lacks_scanner)
		return NULL;
	run_close_later(run, close_scanner, scanner);
	return scan->scanner = scanner;
}
