/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The engine as its front ends see it: settings in, diagnostics, trace and reports out.
 *
 * The engine keeps no globals, prints nothing and never ends the process.  Whatever it has to say
 * goes through struct engine_frontend.
 */
#ifndef ENGINE_ENGINE_H
#define ENGINE_ENGINE_H

/* IWYU pragma: begin_exports */
#include <gprofx/document.h>
#include <gprofx/emitter.h>
#include <gprofx/findcall.h>
#include <gprofx/labels.h>
#include <gprofx/plugin.h>
#include <gprofx/reader.h>
#include <gprofx/symbols.h>
/* IWYU pragma: end_exports */

enum engine_severity { ENGINE_WARNING, ENGINE_ERROR };

/* What explains a report.  Texts: UTF-8 but for names of files and functions; run lifetime. */
struct engine_findings {
	const struct gprofx_finding *findings; /* the weightiest first */
	uint32_t finding_count;
	/* How to read the tables of this run; each a paragraph of sentences without line breaks. */
	const char *const *paragraphs;
	uint32_t paragraph_count; /* 0 unless the settings have "explain" */
	uint32_t listings;        /* bits: those of the settings that standard output will show */
};

/* What can be found: its id, and what is usually to be done about it. */
struct engine_finding_kind {
	const char *id, *advice;
};

/* All of them, the weightiest first.  Static. */
const struct engine_finding_kind *engine_finding_kinds(uint32_t *count);

/* A partial profile: what a run wrote instead of a report, for another one to add. */
struct engine_partial {
	const char *name; /* for messages; of the file or process that it is from */
	const uint8_t *bytes;
	uint64_t length;
};

/* Whether there is another partial profile. */
enum engine_next {
	ENGINE_NEXT_NONE,
	ENGINE_NEXT_PARTIAL,
	ENGINE_NEXT_FAILED /* the front end has reported why; the run fails */
};

/* Where the engine's words go.  Every function is called from the thread that called the engine. */
struct engine_frontend {
	void *opaque; /* first argument of each function */
	/*
	 * One diagnostic.  message: what was expected and found; doing: what the engine was doing
	 * ("reading x with input-y"), or NULL.
	 */
	void (*diagnose)(void *opaque, enum engine_severity severity,
	                 const struct gprofx_diagnostic *diagnostic, const char *message,
	                 const char *doing);
	/* One line of trace, without newline. */
	void (*trace)(void *opaque, const char *line);
	/* Bytes for standard output.  Returns 0 or an errno value. */
	int (*write)(void *opaque, const void *bytes, size_t count);
	/*
	 * Findings about the input, at most once, before the report is written.  NULL: not wanted.
	 */
	void (*find)(void *opaque, const struct engine_findings *findings);
	/* After each profile: how many of all were read.  NULL: not wanted. */
	void (*progress)(void *opaque, uint32_t done, uint32_t total);
	/*
	 * Asked for partial profiles once all files of the settings were read, until there are no
	 * more: each is added as if its files came behind all before.  Name and bytes have to last
	 * until the next call, or until the run ends.  NULL: there are none.
	 */
	enum engine_next (*next_partial)(void *opaque, struct engine_partial *partial);
	/*
	 * Receives what was read as one partial profile, and the run ends with it: nothing else is
	 * written.  Returns 0 or an errno value.  NULL: reports are wanted.
	 */
	int (*take_partial)(void *opaque, const void *bytes, size_t count);
};

/* The sets of symbols that symspecs fill; each has an include and an exclude half. */
enum engine_filter {
	ENGINE_FILTER_GRAPH,
	ENGINE_FILTER_ARCS,
	ENGINE_FILTER_FLAT,
	ENGINE_FILTER_TIME,
	ENGINE_FILTER_ANNOTATE,
	ENGINE_FILTER_COUNTS,
	ENGINE_FILTER_KINDS
};

/* One symspec from the command line. */
struct engine_symspec {
	enum engine_filter filter;
	bool exclude;
	const char *text;
};

/*
 * Functions of the profiling itself, whose time and calls are not the program's: front ends exclude
 * them by these symspecs from the time, the graph and the flat profile, before anything else. Those
 * that gprof knows, too, come first; the others count only where that is corrected.
 */
enum { ENGINE_COLLECTOR_SPECS = 42, ENGINE_COLLECTOR_SPECS_OF_GPROF = 18 };
extern const struct engine_symspec engine_collector_specs[ENGINE_COLLECTOR_SPECS];

/* The parts of a report that there are: all bits of enum gprofx_report_part. */
enum { ENGINE_KNOWN_PARTS = (GPROFX_PART_COMPARED_LINES << 1) - 1 };
/* All bits of enum gprofx_context_need. */
enum { ENGINE_KNOWN_CONTEXTS = (GPROFX_CONTEXTS_HOTTEST << 1) - 1 };
/* All bits of enum gprofx_slice_kind. */
enum { ENGINE_KNOWN_SLICES = GPROFX_SLICE_PROCESS | GPROFX_SLICE_THREAD | GPROFX_SLICE_PHASE };

/* When a format is written to standard output without being asked for. */
enum engine_default {
	ENGINE_NEVER,
	/*
	 * Where nothing was asked for: if the profile has the data for it, as its emitter states.
	 * The emitter is open before profiles are read.
	 */
	ENGINE_WITH_DATA,
	/*
	 * Where none of those has its data.  The emitter is opened then, so it has to do without
	 * parts that are gathered while profiles are read.
	 */
	ENGINE_WITHOUT_DATA,
	/*
	 * Where nothing was asked for, beside whatever stands there, if an emitter is installed for
	 * it.  It is open before profiles are read.
	 */
	ENGINE_WITH_OTHERS,
	/* Where per-file statistics were asked for, and no other output shows them. */
	ENGINE_WITH_PER_FILE,
	/* Likewise statistics by process, thread or phase. */
	ENGINE_WITH_SLICES
};

/* A format that the front end has an option for, or that stands there by default. */
struct engine_listing {
	const char *format;
	enum engine_default by_default;
	bool is_on;    /* asked for */
	bool is_named; /* switched on or off: it is not there by default */
};

enum engine_demangling {
	ENGINE_DEMANGLE_NONE,
	ENGINE_DEMANGLE_AUTO,
	ENGINE_DEMANGLE_GNU_V3,
	ENGINE_DEMANGLE_JAVA,
	ENGINE_DEMANGLE_GNAT,
	ENGINE_DEMANGLE_DLANG,
	ENGINE_DEMANGLE_RUST
};

/*
 * What becomes of local functions that a compiler made from others (".isra", ".part", ".cold", …),
 * if that is corrected.
 */
enum engine_clones {
	ENGINE_CLONES_KEEP, /* they are functions */
	ENGINE_CLONES_FOLD, /* what they did counts for the function that they were made from */
	ENGINE_CLONES_DROP  /* what they did counts for the function before them */
};
/* Their words, in this order; ends with NULL. */
extern const char *const engine_clones_words[];
enum { ENGINE_THREADS_AT_MOST = 1024, ENGINE_QUANTUM_AT_MOST = 64 };

/* Where a word of the settings was written, for messages about it. */
struct engine_origin {
	const char *file;      /* NULL: on the command line */
	uint32_t line, column; /* from 1; 0: the file as a whole */
	const char *preset;    /* name of the preset that the file is, or NULL */
	bool is_environment;   /* the "file" is a variable of the environment */
};

/* A value for an option of a plugin. */
struct engine_option {
	const char *key, *value;
	const char *plugin; /* its name, or the format of an emitter; NULL: not stated here */
	const char *format; /* for emitters of this format only; NULL: for all */
	/*
	 * Just this option was asked for: it is reported if no plugin in question has it.  Else it
	 * is for those that happen to have it.
	 */
	bool is_asked_for;
	bool is_set; /* by itself: the value overrides the options of outputs */
	/* What the front end chose: whatever anyone else says counts more. */
	bool is_default;
	/* "plugin" stands where settings stand: one that is not there is an error. */
	bool is_plugin_required;
	struct engine_origin plugin_origin, key_origin, origin; /* origin: of the value */
};

/* An output asked for by --output=FORMAT[:FILE]. */
struct engine_output {
	const char *format;
	const char *file;                    /* NULL: standard output */
	const struct engine_option *options; /* of its emitter, for this output alone */
	uint32_t option_count;
	struct engine_origin origin; /* of the format */
};

/* Where settings come from. */
enum engine_config_kind {
	ENGINE_CONFIG_FOUND,  /* a file that is read if it is there */
	ENGINE_CONFIG_FILE,   /* a file that was asked for */
	ENGINE_CONFIG_PRESET, /* a preset that was asked for */
	ENGINE_CONFIG_TEXT,   /* a document; paths in it must be absolute */
	ENGINE_CONFIG_VALUE   /* one setting, "PATH=VALUE" */
};
struct engine_config {
	enum engine_config_kind kind;
	const char *word; /* name of the file, the preset or the document; or the setting */
	const char *text; /* of a document */
};

/*
 * Settings that configuration files set as well.  One that the front end was given, and gives
 * (engine_give()), is left alone by files.
 */
#define ENGINE_KEY(name, type, member, ...) ENGINE_SET_##name,
enum engine_setting {
	ENGINE_SET_NOTHING,
#include "settings.def"
	ENGINE_SET_OUTPUTS, /* outputs and listings */
	ENGINE_SET_COUNT
};
_Static_assert(ENGINE_SET_COUNT <= 64, "engine_settings.given has a bit for each");

/* The words for enum engine_demangling, by its values; ends with NULL.  Static. */
extern const char *const engine_demangling_words[];

/* What is taken off the addresses of profiles. */
enum engine_slide {
	ENGINE_SLIDE_NONE,
	ENGINE_SLIDE_AUTO, /* what makes them fit the image, if that is certain */
	ENGINE_SLIDE_GIVEN /* slide_by */
};

/* The formats of sums. */
enum engine_sum_format {
	ENGINE_SUM_TAGGED,
	ENGINE_SUM_BSD, /* that of 4.4BSD if the older one's rate does not fit */
	ENGINE_SUM_BSD44
};

/* A shared library and a profile of it, to be reported with the program. */
struct engine_object {
	const char *library, *profile;
};

/*
 * Profiles that are added up, and reported beside those of other runs: "runs" are what users know,
 * not executions of the engine.
 */
struct engine_run {
	const char *label; /* what distinguishes it from other runs */
	const char *const *profiles;
	uint32_t profile_count;
};
enum { ENGINE_RUNS_AT_MOST = 64 };

/* What a run is asked to do.  All strings are borrowed until the call returns. */
struct engine_settings {
	/*
	 * Files that say more about the members below, in the order in which they are read; of two
	 * that say something about the same, the later one counts.
	 */
	const struct engine_config *configs;
	uint32_t config_count;
	/*
	 * Folders with presets, NAME.yaml; the first one that has a preset counts.  The last one is
	 * that of the program.
	 */
	const char *const *preset_folders, *installed_presets; /* the last may be NULL */
	uint32_t preset_folder_count;                          /* without installed_presets */
	/* Users whose files are trusted although they were found, not named. */
	const uint32_t *trusted_users;
	uint32_t trusted_user_count;
	/* The process has rights that its user has not: nothing is the user's own word. */
	bool is_privileged;
	/* Why the installed folder is the one the program was built for; NULL: it is not. */
	const char *place_problem;
	uint64_t given; /* what the front end was given: bits by enum engine_setting */

	/* The settings with a single value; what each is stands in its row. */
#define ENGINE_KEY(name, type, member, ...) type member;
#include "settings.def"

	/* Inputs. */
	const char *image;
	/*
	 * NULL in "image": there is none.  Where it is a profile that needs no program, there is
	 * none either, and that profile comes before the others; "-" is one, too.
	 */
	bool program_is_optional;
	/* They were found without a name, and so a command that names none finds them, too. */
	bool profiles_are_found;
	bool profiles_are_named; /* by the user: a profile in the place of the image is not alone */
	/* "-" is standard input; outside of GNU mode a folder stands for the profiles in it. */
	const char *const *profiles;
	uint32_t profile_count;
	/*
	 * Folder of the last recording: if no profile is named, it comes before the usual one, as
	 * long as it is of the program and not older.  NULL: none.
	 */
	const char *recording;
	/* What to do if there is no file of this name; NULL: nothing is known. */
	const char *advised_operand, *advice;
	/* The same for a symspec that nothing matches. */
	const char *advised_symspec, *symspec_advice;
	/*
	 * Further runs, ENGINE_RUNS_AT_MOST with the first one, which is that of "profiles": its
	 * label, or NULL.
	 */
	const char *run_label;
	const struct engine_run *further_runs;
	uint32_t further_run_count;
	const struct engine_object *objects;
	uint32_t object_count;
	/*
	 * A partial profile that all files have to agree with, as if its files came before them;
	 * nothing of it is counted.  Without bytes: there is none.
	 */
	struct engine_partial base;
	/*
	 * Of a run that reads one part of the files, and gets or gives partial profiles: all files,
	 * in their order, and those that it reads itself, in place of those that "profiles" stands
	 * for.  whole: NULL: "profiles" are all.
	 */
	const char *const *whole, *const *share;
	uint32_t whole_count, share_count;
	uint64_t share_first; /* so many of all come before the share, or more */
	/* The machine that they are on, where several have a share: files are HOST:NAME; or NULL.
	 */
	const char *host;
	/* What was read is written to this file as a partial profile, and the run ends; or NULL. */
	const char *partial_file;
	/*
	 * The front end's options without which the report would be of other data or have other
	 * names, as words; reports state them for emitters that suggest commands.
	 */
	const char *const *repeated;
	uint32_t repeated_count;
	/*
	 * The front end's command that shows the same data in another format, for the same
	 * emitters, if there is an emitter for that format; or NULL.
	 */
	const char *page_command, *page_format;
	/* What to take if there is no reader of the name "reader": another one, or "auto"; or NULL.
	 */
	const char *reader_otherwise;
	enum engine_slide slide;
	uint64_t slide_by; /* modulo the size of addresses: negative numbers are large ones */
	double cpu_time;   /* seconds of processor time that all runs took; 0: not known */
	/*
	 * Call sites are multiples of this many bytes, a power of two: ENGINE_QUANTUM_AT_MOST; 1:
	 * they are as they were; 0: to be found out.
	 */
	uint32_t quantum;

	/*
	 * The file that the sum of all profiles is written to, or NULL.  Its records are those of
	 * the profiles, and no symbols are needed; or, in GNU mode, what GNU gprof makes of them.
	 */
	const char *sum_file;
	bool sum_as_gprof;
	enum engine_sum_format sum_format; /* with sum_as_gprof */

	/* Files that the front end has read, which no output may replace. */
	const char *const *word_files; /* with words of the command line */
	uint32_t word_file_count;

	/* Other files that say something about the image. */
	const char *symbol_list; /* -S: takes the place of the image's symbols; or NULL */
	const char *file_map;    /* -R: which file defines which function; or NULL */

	/* Plugins. */
	const char *const *plugins; /* names or paths, from --plugin */
	uint32_t plugin_count;
	const char *const *plugin_folders; /* absolute, searched in order */
	uint32_t plugin_folder_count;
	uint32_t installed_folder_count;   /* of these, at the end: they were not asked for */
	uint32_t user_folder_count;        /* the first of the installed ones: the user's own */
	uint32_t environment_folder_count; /* before those: named by the environment */
	uint32_t config_folder_count;      /* and behind these: by files of settings */
	const struct gprofx_plugin *const *builtin; /* linked in; ends with NULL; or NULL */
	bool only_installed; /* what files say of plugins to load and of folders is not heard */
	/*
	 * The names of the project's own plugins, NULL-terminated: with only_installed others are
	 * not used, installed or not.  NULL: all that are installed are.
	 */
	const char *const *own_plugins;
	/*
	 * Patterns (of the shell) for names of plugins: those that may be loaded, if there are any,
	 * and those that may not.
	 */
	const char *const *allowed, *const *denied;
	uint32_t allowed_count, denied_count;
	struct engine_origin allowed_origin, denied_origin;

	/*
	 * Corrections: those of the default, plus "on", less "off" (bits GPROFX_CORRECT_…).
	 */
	bool correct_by_default;
	uint64_t corrections_on, corrections_off;

	/* Compatibility.  Each flag is consulted at one place. */
	bool stop_at_first_error; /* GNU: one message ends the run */
	bool sums_wrap;           /* GNU: of bins modulo 2^32, of calls modulo 2^64 */
	bool strict_layouts;      /* GNU: see the member "strict" of struct gprofx_file */
	/*
	 * GNU: lists of symbols are lines of text and are taken literally: their symbols are not
	 * dropped, mapped or located.  Lines of maps of files are cut.
	 */
	bool strict_lists;
	/* GNU: where files have one histogram each, each must be like the very first one. */
	bool only_histograms_match;
	bool one_metric; /* GNU: all histograms are in the unit of the first one */
	/*
	 * GNU: the format of every file that is not tagged; else NULL, and readers are asked.
	 */
	const char *untagged_format;
	/* GNU: a format that it announces and does not read, whatever reader is there; or NULL. */
	const char *refused_format;
	/* GNU: formats that are not read from a pipe; ends with NULL; or NULL. */
	const char *const *seeking_formats;

	/* Symbols. */
	bool by_line; /* -l: lines of source are symbols, too; basic blocks belong to symbols */
	/*
	 * Names are shown as they stand in the symbol table; else those of C lose the underscore
	 * that some formats put in front, whatever the demangling.
	 */
	bool raw_names;

	/* Selection. */
	const struct engine_symspec *symspecs; /* in the order given */
	uint32_t symspec_count;
	uint32_t collector_spec_count; /* how many of them are of engine_collector_specs */
	bool tells_unmatched;          /* own mode: symspecs that match nothing are reported */

	/* Parts of the report (enum gprofx_report_part) that the front end itself looks at. */
	uint32_t report_parts;
	uint32_t report_contexts; /* likewise: enum gprofx_context_need */
	uint32_t report_slices;   /* enum gprofx_slice_kind: by which it has values, likewise */
	/*
	 * Orders are of no interest: the flat profile is in that of addresses, and numbers of
	 * entries are 0.
	 */
	bool report_is_unordered;
	/* Formats for standard output, each once, in the order in which they are listed. */
	const struct engine_listing *listings;
	uint32_t listing_count;
	const struct engine_output *outputs;
	uint32_t output_count;
	/*
	 * Options of plugins.  Those of "options" are for the plugins they name; those of an output
	 * override them, what was set by itself (is_set) overrides both, and emitter_options, which
	 * are for emitters only, override all.
	 */
	const struct engine_option *options, *emitter_options;
	uint32_t option_count, emitter_option_count;
	bool color;          /* standard output shows colors, and is to */
	bool on_terminal;    /* standard output is shown on a terminal, possibly through a pager */
	bool bytes_as_gprof; /* GNU: to a terminal, too */
	bool traditional;    /* -T */

	uint32_t trace_topics; /* bits of enum gprofx_trace */
};

/* A setting with a single value. */
struct engine_key {
	const char *section; /* the mapping that it stands in; NULL: at the top of a file */
	enum engine_setting setting;
	/*
	 * Its key, values and default.  The offset is that of a member of struct engine_settings,
	 * which is a uint32_t for a number.
	 */
	struct gprofx_option option;
};

/* All of them, in the order of enum engine_setting from its second on.  Static. */
const struct engine_key *engine_keys(uint32_t *count);
/*
 * Sets the member.  value: a bool, int64_t, const char * (borrowed) or uint32_t (the number of the
 * word), as the type of the option wants it and allows it.
 */
void engine_put(struct engine_settings *settings, const struct engine_key *key, const void *value);
/* Gives each its default, but for texts, which stay as they are. */
void engine_set_defaults(struct engine_settings *settings);
/* Whether a listing or another output was asked for, be it in a file of settings. */
bool engine_has_outputs(const struct engine_settings *settings);
/* Notes that the front end was given a setting, and whether it was. */
void engine_give(struct engine_settings *settings, enum engine_setting setting);
bool engine_is_given(const struct engine_settings *settings, enum engine_setting setting);

/* A row of the table of corrections. */
struct engine_correction {
	uint64_t bit;     /* GPROFX_CORRECT_… */
	const char *name; /* as --correct takes it: [a-z-] */
	/* What gprof gets wrong, and what is done instead; one line. */
	const char *reason;
	bool is_default; /* outside of GNU mode */
};

/* The table.  Static. */
const struct engine_correction *engine_corrections(uint32_t *count);
/* Its row of that name, or NULL. */
const struct engine_correction *engine_correction_by_name(const char *name);
/* What a run with these settings corrects, files of settings aside: bits. */
uint64_t engine_corrections_chosen(const struct engine_settings *settings);
/* Likewise, with the files.  Returns whether all went well; else an error was diagnosed. */
bool engine_corrections_configured(const struct engine_settings *settings,
                                   const struct engine_frontend *frontend, uint64_t *chosen);

/*
 * Calls "look" with the settings as files of settings complete them; valid for the call.  Returns
 * whether all went well; else an error was diagnosed.
 */
bool engine_settle(const struct engine_settings *settings, const struct engine_frontend *frontend,
                   void (*look)(void *opaque, const struct engine_settings *settled), void *opaque);

/* Runs everything.  Returns true if it went well; else at least one error was diagnosed. */
bool engine_run(const struct engine_settings *settings, const struct engine_frontend *frontend);

/* A run that went well, with what it found out. */
struct engine_analysis;

/*
 * Runs everything and keeps the report, with the parts that settings->report_parts names.  NULL: it
 * went wrong, and at least one error was diagnosed; with settings->keep_going that profiles are
 * left out is no such case.  What the settings and the front end refer to
 * has to last until engine_analysis_end().
 */
struct engine_analysis *
engine_analyse(const struct engine_settings *settings, const struct engine_frontend *frontend);
/* The report; its services may be called as long as the analysis lives, by one thread at a time. */
const struct gprofx_report *engine_analysis_report(const struct engine_analysis *analysis);
/* Frees the analysis with all that belongs to it.  NULL is allowed. */
void engine_analysis_end(struct engine_analysis *analysis);

/* A side of a comparison. */
struct engine_side {
	const char *image; /* NULL: there is none, and the profiles have the names */
	/* A profile, a recording, or a folder of such: repeated runs, ENGINE_RUNS_AT_MOST. */
	const char *name;
};

/* What is compared, and what for. */
struct engine_comparison {
	struct engine_side base, new_side;
	uint32_t normalization; /* enum gprofx_normalization */
	/* Percent by which the total, or a function with min_share percent of it, may be slower. */
	bool has_limit;
	double limit, min_share;
	bool is_slower; /* set by the engine: it is slower than that */
};

/*
 * Compares two sides and writes the outputs of the settings, whose image and profiles mean nothing.
 * Returns true if it went well; else at least one error was diagnosed.
 */
bool engine_compare(const struct engine_settings *settings, const struct engine_frontend *frontend,
                    struct engine_comparison *comparison);

/* What is known about a plugin without running it. */
struct engine_plugin_info {
	const char *name, *summary; /* summary may be NULL */
	const char *kind;    /* "reader", "symbols", "findcall", "emitter", "document", "labels" */
	const char *detail;  /* format or machines it serves, or NULL */
	const char *file;    /* module; NULL: linked in */
	const char *problem; /* why it cannot be used, or NULL */
};

/*
 * Lists every plugin that a run with these settings could use, in the order of preference, by
 * calling "each" with a description that is valid for the call.
 */
bool
engine_list_plugins(const struct engine_settings *settings, const struct engine_frontend *frontend,
                    void (*each)(void *opaque, const struct engine_plugin_info *info));

/* What a plugin says of itself, and what can be set. */
struct engine_plugin_details {
	const char *name, *version, *summary; /* the last two may be NULL */
	const char *file;                     /* module; NULL: linked in */
	uint16_t abi_major, abi_minor;        /* the interface that it needs */
	const struct engine_plugin_info *interfaces;
	const struct gprofx_option *const *options;
	const char *const *values; /* of each option, in words */
	uint32_t interface_count, option_count;
};

/*
 * Opens the plugin of that name, or, with a slash in the word, the module of that path, and calls
 * "each" with a description that is valid for the call.
 */
bool
engine_describe_plugin(const struct engine_settings *settings,
                       const struct engine_frontend *frontend, const char *word,
                       void (*each)(void *opaque, const struct engine_plugin_details *details));

/* Something that a file of settings may say. */
struct engine_setting_info {
	const char *path;    /* keys from the outside in, joined by dots */
	const char *initial; /* the value if it is not set */
	const char *values;  /* what it may be, in words; NULL: any text */
	const char *help;    /* or NULL */
};

/*
 * Lists everything that a file of settings may say, the options of all installed plugins included,
 * by calling "each" with a description that is valid for the call.
 */
bool
engine_list_settings(const struct engine_settings *settings, const struct engine_frontend *frontend,
                     void (*each)(void *opaque, const struct engine_setting_info *info));

/* A program of a recording, with all its processes. */
struct engine_recorded_program {
	const char *path; /* "": not known; call lifetime */
	uint32_t processes;
	uint64_t samples, calls;
	double amount;    /* that was sampled */
	const char *unit; /* of it, the same in all rows: "seconds", "cycles"; call lifetime */
};

/*
 * Lists the programs of a recording, those with the most first, by calling "each".  It is a folder
 * of files of the collector, or a file whose reader knows of several programs; where the name is
 * that of nothing like this, there is none.
 */
bool
engine_list_recording(const struct engine_settings *settings,
                      const struct engine_frontend *frontend, const char *name,
                      void (*each)(void *opaque, const struct engine_recorded_program *program),
                      void *opaque);

/*
 * Lists the files that the profiles of the settings stand for, in the order in which a run reads
 * them: a folder stands for those in it.  "each" gets names that are valid for the call.  Returns
 * false if a folder has none or cannot be read, which was diagnosed; the others are listed.
 */
bool
engine_list_files(const struct engine_settings *settings, const struct engine_frontend *frontend,
                  void (*each)(void *opaque, const char *name), void *opaque);

/*
 * Writes the settings of a run to standard output as a file of settings that has the same effect,
 * each with a comment that gives its origin.
 */
bool
engine_print_config(const struct engine_settings *settings, const struct engine_frontend *frontend);

/*
 * Writes a JSON Schema of files of settings, for editors and other programs, to standard output.
 * Options are those of the plugins that are installed.
 */
bool engine_print_config_schema(const struct engine_settings *settings,
                                const struct engine_frontend *frontend);

#endif
