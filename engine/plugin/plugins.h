/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The plugins of a run: opened when they are needed, checked, and copied into structs of the host's
 * own size.
 */
#ifndef ENGINE_PLUGIN_PLUGINS_H
#define ENGINE_PLUGIN_PLUGINS_H

#include "base/nearest.h"
#include "base/run.h"

/* A usable plugin.  The interface members are copies; an interface it lacks has size 0. */
struct plugin {
	struct plugin *next;
	struct gprofx_plugin
		descriptor; /* its interface pointers lead to the copies below, or are NULL */
	struct gprofx_reader reader;
	struct gprofx_symbols symbols;
	struct gprofx_findcall findcall;
	struct gprofx_emitter emitter;
	struct gprofx_needs needs;             /* of the emitter, with any options */
	const struct gprofx_listing *listings; /* of the emitter, emitter.listing_count */
	struct gprofx_document_parser document;
	struct gprofx_labels labels;
	const char *file; /* module, or NULL: linked in */
	bool asked_for;   /* named by --plugin */
	void *options;    /* filled options struct, or NULL */
};

enum plugin_kind {
	PLUGIN_READER,
	PLUGIN_SYMBOLS,
	PLUGIN_FINDCALL,
	PLUGIN_EMITTER,
	PLUGIN_DOCUMENT,
	PLUGIN_LABELS,
	PLUGIN_KINDS
};

/*
 * What to do about a plugin that is not installed, for hints.  Packages are called by the plugins
 * that they have.
 */
#define PLUGIN_INSTALL(name) "install the plugin " name ", package gprofx-" name

/* The same for a name that is not constant, and what is to be said behind it. */
const char *plugin_install_hint(struct run *run, const char *name, const char *rest);

/* The word a plugin kind's names begin with, without the dash: "input", "symbols", … */
const char *plugin_kind_prefix(enum plugin_kind kind);

/* What a kind is called in manifests and lists: "reader", "symbols", … */
const char *plugin_kind_name(enum plugin_kind kind);

/* Whether a plugin is of a kind; it may be of several. */
bool plugin_is(const struct plugin *plugin, enum plugin_kind kind);

/* The format or syntax that a plugin is chosen by as one of a kind, or NULL. */
const char *plugin_word(const struct plugin *plugin, enum plugin_kind kind);

/* The kind that a name begins with, or PLUGIN_KINDS. */
enum plugin_kind plugin_kind_of_name(const char *name);

/* Opens everything that was named by --plugin.  Each that cannot be used is an error. */
enum gprofx_result plugins_open_named(struct run *run);

/* Opens a plugin that was asked for by its name or path.  NULL: an error was reported. */
struct plugin *plugin_open_asked(struct run *run, const char *word);

/*
 * The plugin of that name, opened if it has to be.  NULL: not installed, nothing was said; or it
 * must not be loaded, which is treated as not installed, but with a warning; or it cannot be used,
 * an error was reported and *broken is set.
 */
struct plugin *plugin_by_name(struct run *run, const char *name, bool *broken);

/* Whether there is a plugin of that name, be it one that cannot be used or must not be loaded. */
bool plugin_is_installed(struct run *run, const char *name);

/* Whether an installed emitter writes this format; none is opened to find out. */
bool plugin_has_emitter(struct run *run, const char *format);

/* Offers the names of all installed plugins. */
void plugins_offer_names(struct run *run, struct nearest *nearest);

/* Why the settings do not let a plugin of that name be loaded, in words; NULL: they do. */
const char *plugin_denial(struct run *run, const char *name);

/*
 * The reader or emitter of that format: one already open, else the module named after the kind and
 * the format, else one whose manifest states the format.  As plugin_by_name() otherwise.
 */
struct plugin *
plugin_by_format(struct run *run, enum plugin_kind kind, const char *format, bool *broken);

/* The plugin that has a format as a rule: "input-gmon-magic" for the reader of "magic". */
const char *plugin_of_format(struct run *run, enum plugin_kind kind, const char *format);

/* The format of an installed plugin of that kind that is most like the word, or NULL. */
const char *plugin_nearest_format(struct run *run, enum plugin_kind kind, const char *word);

/*
 * Checks the options table and makes an options struct: initial values, then what the settings say
 * for the plugin, then the options of an output (or NULL), then what the settings say for emitters.
 * NULL for a plugin without options.
 */
enum gprofx_result plugin_make_options(struct run *run, const struct plugin *plugin,
                                       const struct engine_output *output, void **options);

/* Sets one option in such a struct.  GPROFX_DECLINED: the plugin has no option of that name. */
enum gprofx_result plugin_set_option(struct run *run, const struct plugin *plugin, void *options,
                                     const struct engine_option *value);

/* Opens a plugin that the run can do without: it is only warned of what is wrong with it. */
void plugin_try_to_open(struct run *run, const char *name);

/*
 * What decides about an option of a plugin, for an output or, if it is NULL, without one: the last
 * word of the settings.  NULL: its initial value.
 */
const struct engine_option *plugin_last_word(struct run *run, const struct plugin *plugin,
                                             const struct engine_output *output, const char *key);

/* Whether an option of the settings that names a plugin names this one. */
bool plugin_is_meant(const struct plugin *plugin, const struct engine_option *option);

/* The plugin's table: its row i; plugin->descriptor.option_count rows. */
const struct gprofx_option *plugin_option(const struct plugin *plugin, uint32_t i);

/*
 * Stores a value given as text at the option's offset in a struct.  Returns NULL, or what was
 * expected in its place, and in *meant the word that may have been meant, or NULL.
 */
const char *option_store(struct run *run, const struct gprofx_option *option, const char *text,
                         void *options, const char **meant);

/* The values that an option may have, in words: "one of a, b". */
const char *option_values(struct run *run, const struct gprofx_option *option);

/* Tells that none of the plugins has the option. */
enum gprofx_result plugin_unknown_option(struct run *run, const struct plugin *const *plugins,
                                         uint32_t count, const struct engine_option *option);

/* Whether an option of the settings, with its format, is one that the emitter has. */
bool plugin_takes_option(const struct plugin *plugin, const struct engine_option *option);

/* The plugins opened so far, in the order of preference. */
struct plugin *plugins_open(struct run *run);

/*
 * Opens every installed plugin of a kind whose manifest says that it takes a file that begins with
 * these bytes.  They then appear in plugins_open().
 */
void
plugins_open_by_magic(struct run *run, enum plugin_kind kind, const uint8_t *head, size_t bytes);

/* Whether a machine is in a list of a scanner's. */
static inline bool
plugin_serves_machine(const uint16_t *machines, uint32_t count, uint16_t machine)
{
	for (uint32_t i = 0; i < count; i++)
		if (machines[i] == machine)
			return true;
	return false;
}

/*
 * The scanner for code of a machine, by its ELF number: one already open, else the usual one (or
 * NULL), else one whose manifest says so.  NULL: there is none; one that cannot be used was
 * reported about.
 */
struct plugin *plugin_by_machine(struct run *run, uint16_t machine, const char *usual);

/* The name of the scanner that gprofx has for a machine, or NULL.  Static. */
const char *plugin_usual_scanner(uint16_t machine);
/* Whether GNU gprof looks for calls in code of a machine. */
bool plugin_gprof_scans(uint16_t machine);

/*
 * Opens every installed reader whose format has no bytes to be known by: those whose manifests say
 * so, and all that are linked in.  They then appear in plugins_open().
 */
void plugins_open_unmarked_readers(struct run *run);

#endif
