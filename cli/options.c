/* SPDX-License-Identifier: Apache-2.0 */
/* The table of options. */
#include "options.h"

#include <stdio.h>

#include "viewer.h" /* IWYU pragma: keep */

#define NONE .argument = ARGUMENT_NONE
#define OPTIONAL(word) .argument = ARGUMENT_OPTIONAL, .metavar = (word)
#define REQUIRED(word) .argument = ARGUMENT_REQUIRED, .metavar = (word)

const struct cli_option cli_options[] = {
	{'a', "no-static", NONE, .setting = ENGINE_SET_DROP_STATIC, .group = GROUP_SYMBOLS,
         .help = "leave out static functions; their time and calls count for the function before "
                 "them"},
	{'A', "annotated-source", OPTIONAL("SPEC"), .listing = CLI_LIST_SOURCE,
         .filter = ENGINE_FILTER_ANNOTATE, .group = GROUP_LISTINGS,
         .help = "list the source annotated with execution counts and times; only of SPEC if "
                 "given"},
	{'J', "no-annotated-source", OPTIONAL("SPEC"), .listing = CLI_LIST_SOURCE,
         .filter = ENGINE_FILTER_ANNOTATE, .hides = true, .group = GROUP_LISTINGS,
         .help = "list no annotated source; with SPEC, all of it except SPEC"},
	{'x', "all-lines", NONE, .group = GROUP_SOURCE,
         .help = "annotate every line with a count, not only the first line of functions and "
                 "basic blocks; see -l"},
	{'b', "brief", NONE, .group = GROUP_LAYOUT,
         .help = "print the tables without the text that explains them"},
	{'p', "flat-profile", OPTIONAL("SPEC"), .listing = CLI_LIST_FLAT,
         .filter = ENGINE_FILTER_FLAT, .group = GROUP_LISTINGS,
         .help = "list the flat profile: the time spent in each function; only of SPEC if given"},
	{'P', "no-flat-profile", OPTIONAL("SPEC"), .listing = CLI_LIST_FLAT,
         .filter = ENGINE_FILTER_FLAT, .hides = true, .group = GROUP_LISTINGS,
         .help = "list no flat profile; with SPEC, one of everything except SPEC"},
	{'q', "graph", OPTIONAL("SPEC"), .listing = CLI_LIST_GRAPH, .filter = ENGINE_FILTER_GRAPH,
         .group = GROUP_LISTINGS,
         .help = "list the call graph: callers and callees of each function, and the cost of the "
                 "calls; only the entries of SPEC, or the arcs of FROM/TO, if given"},
	{'Q', "no-graph", OPTIONAL("SPEC"), .listing = CLI_LIST_GRAPH,
         .filter = ENGINE_FILTER_GRAPH, .hides = true, .group = GROUP_LISTINGS,
         .help = "list no call graph; with SPEC or FROM/TO, one without these entries or arcs"},
	{'B', NULL, NONE, .listing = CLI_LIST_GRAPH, .group = GROUP_LISTINGS,
         .help = "list the call graph, like -q"},
	{'S', "external-symbol-table", REQUIRED("FILE"), .values = OFFER_FILES,
         .group = GROUP_SYMBOLS,
         .help = "read symbols from FILE instead of PROGRAM: output of nm, System.map or "
                 "kallsyms of a kernel, or another program; in GNU mode lines of \"address type "
                 "name\""},
	{'C', "exec-counts", OPTIONAL("SPEC"), .listing = CLI_LIST_COUNTS,
         .filter = ENGINE_FILTER_COUNTS, .group = GROUP_LISTINGS,
         .help = "list how often each function was called; only those of SPEC if given"},
	{'Z', "no-exec-counts", OPTIONAL("SPEC"), .listing = CLI_LIST_COUNTS,
         .filter = ENGINE_FILTER_COUNTS, .hides = true, .group = GROUP_LISTINGS,
         .help = "list no execution counts; with SPEC, all except those of SPEC"},
	{OPTION_DEMANGLE, "demangle", OPTIONAL("STYLE"),
         .values = "none auto gnu-v3 java gnat dlang rust", .group = GROUP_SYMBOLS,
         .help = "show names as in the source (default); STYLE is none, auto, gnu-v3, java, "
                 "gnat, dlang or rust"},
	{OPTION_NO_DEMANGLE, "no-demangle", NONE, .group = GROUP_SYMBOLS,
         .help = "show names as in the symbol table"},
	{'I', "directory-path", REQUIRED("DIRS"), .values = OFFER_FOLDERS, .group = GROUP_SOURCE,
         .help = "also look for source files in DIRS, folders separated by colons; may be "
                 "repeated"},
	{'z', "display-unused-functions", NONE, .setting = ENGINE_SET_SHOW_UNUSED,
         .group = GROUP_SELECTION, .help = "also list functions without calls and time"},
	{'d', "debug", OPTIONAL("TOPICS"), .group = GROUP_OTHER,
         .help = "trace the work on standard output; TOPICS is a sum of 2 depth-first numbering, "
                 "4 cycles, 16 arcs, 32 order of arcs, 64 records and samples, 128 symbols, 512 "
                 "lookups, 1024 propagation, 2048 basic blocks, 4096 symspecs, 8192 source files "
                 "(default: all)"},
	{'r', "function-ordering", NONE, .listing = CLI_LIST_ORDER, .group = GROUP_LISTINGS,
         .help = "list functions in an order that keeps those close that often call each other; "
                 "see --order-format"},
	{'R', "file-ordering", REQUIRED("MAP"), .values = OFFER_FILES, .listing = CLI_LIST_ORDER,
         .group = GROUP_LISTINGS,
         .help = "list files in such an order, and show files instead of functions in all "
                 "tables; MAP says which file defines which function, in lines of \"file:address "
                 "type name\""},
	{'i', "file-info", NONE, .listing = CLI_LIST_FILES, .group = GROUP_LISTINGS,
         .help = "list the profiles and what each of them holds"},
	{'O', "file-format", REQUIRED("FORMAT"), .values = OFFER_READERS, .group = GROUP_INPUT,
         .help = "format of the profiles: auto, magic, bsd, 4.4bsd, or the name of a reader; see "
                 "--list-plugins"},
	{'D', "ignore-non-functions", NONE, .setting = ENGINE_SET_DROP_UNTYPED_STATIC,
         .group = GROUP_SYMBOLS,
         .help = "leave out static symbols that are not known to be functions"},
	{OPTION_INLINE_FILE_NAMES, "inline-file-names", NONE,
         .setting = ENGINE_SET_INLINE_FILE_NAMES, .group = GROUP_LAYOUT,
         .help = "print file and line after each name"},
	{'l', "line", NONE, .group = GROUP_SYMBOLS,
         .help = "profile source lines instead of functions, and count basic blocks"},
	{'L', "print-path", NONE, .setting = ENGINE_SET_FULL_PATHS, .group = GROUP_LAYOUT,
         .help = "print file names with their folders"},
	{'m', "min-count", REQUIRED("N"), .group = GROUP_SOURCE,
         .help = "mark source lines that ran fewer than N times with ##### (default: 1)"},
	{'t', "table-length", REQUIRED("N"), .group = GROUP_SOURCE,
         .help = "length of the table of busiest lines after each source file (default: 10; 0: "
                 "no table)"},
	{'n', "time", REQUIRED("SPEC"), .group = GROUP_SELECTION,
         .help = "propagate only the time of SPEC to callers"},
	{'N', "no-time", REQUIRED("SPEC"), .group = GROUP_SELECTION,
         .help = "propagate no time of SPEC to callers"},
	{'T', "traditional", NONE, .group = GROUP_LAYOUT,
         .help = "use the order and layout of BSD reports, with raw names"},
	{'s', "sum", NONE, .group = GROUP_INPUT,
         .help = "write the sum of all profiles to gmon.sum; tables are printed only if asked "
                 "for"},
	{'y', "separate-files", NONE, .group = GROUP_SOURCE,
         .help = "write each annotated source to a file of its own, NAME-ann"},
	{'c', "static-call-graph", NONE, .setting = ENGINE_SET_STATIC_CALLS, .group = GROUP_INPUT,
         .help = "look for calls in the machine code, and also show those that never happened"},
	{'k', NULL, REQUIRED("FROM/TO"), .group = GROUP_SELECTION,
         .help = "leave out the arcs from FROM to TO; an empty side stands for all functions"},
	{'e', "", REQUIRED("SPEC"), .group = GROUP_SELECTION,
         .help = "print no call graph entries of SPEC"},
	{'E', NULL, REQUIRED("SPEC"), .group = GROUP_SELECTION,
         .help = "like -e, and propagate no time of SPEC"},
	{'f', NULL, REQUIRED("SPEC"), .group = GROUP_SELECTION,
         .help = "print only the call graph entries of SPEC and of what it calls, directly or "
                 "indirectly"},
	{'F', NULL, REQUIRED("SPEC"), .group = GROUP_SELECTION,
         .help = "like -f, and propagate only the time of SPEC"},
	{'w', "width", REQUIRED("N"), .group = GROUP_LAYOUT,
         .help = "width of the function index in columns (default: 80)"},
	{'h', "help", NONE, .group = GROUP_OTHER,
         .help = "show how to use the program, with the most used options, and exit"},
	{'v', "version", NONE, .group = GROUP_OTHER, .help = "show the version and exit"},

#define OWN(name_of, word, argument_of, offered, topic, explanation) \
	{.id = OPTION_##name_of,                                     \
	 .own = true,                                                \
	 .name = (word),                                             \
	 argument_of,                                                \
	 .values = (offered),                                        \
	 .group = GROUP_##topic,                                     \
	 .help = (explanation)},
#define SWITCH NONE
#define VALUE(word, known) REQUIRED(word), .hint = (known)
#define OPTION(word, argument_of, topic, explanation) \
	.name = (word), argument_of, .group = GROUP_##topic, .help = (explanation)
#define ENGINE_KEY(name_of, type, member, ...)
#define ENGINE_OPTION(name_of, type, member, key, option) \
	{.id = OPTION_##name_of, .own = true, .setting = ENGINE_SET_##name_of, option},
#define LISTING(name_of, format, by_default)
#define LISTING_OPTION(name_of, format, by_default, option) \
	{.id = OPTION_LIST_##name_of, .own = true, .listing = CLI_LIST_##name_of, option},
#include "own.def"
};

const size_t cli_option_count = sizeof cli_options / sizeof cli_options[0];

_Static_assert(sizeof cli_options / sizeof cli_options[0] <= CLI_OPTIONS_AT_MOST,
               "raise CLI_OPTIONS_AT_MOST");

#define LISTING(name_of, word, when) \
	[CLI_LISTING_##name_of] = {.format = (word), .by_default = (when)},
const struct engine_listing cli_listings[CLI_LISTING_COUNT] = {
#include "listings.def"
};

void
cli_spell(char *text, size_t room, const struct cli_option *option)
{
	if (cli_has_letter(option))
		snprintf(text, room, "-%c", option->id);
	else
		snprintf(text, room, "--%s", option->name);
}

const struct cli_option *
cli_option_by_id(int id)
{
	for (size_t i = 0; i < cli_option_count; i++)
		if (cli_options[i].id == id)
			return &cli_options[i];
	return NULL;
}
