/* SPDX-License-Identifier: Apache-2.0 */
/* The table of options. */
#include "options.h"

#define NONE .argument = ARGUMENT_NONE
#define OPTIONAL(word) .argument = ARGUMENT_OPTIONAL, .metavar = (word)
#define REQUIRED(word) .argument = ARGUMENT_REQUIRED, .metavar = (word)

const struct cli_option cli_options[] = {
	{'a', "no-static", NONE, .setting = ENGINE_SET_DROP_STATIC, .group = GROUP_SYMBOLS,
         .help = "leave out static functions; what they did counts for the function before them"},
	{'A', "annotated-source", OPTIONAL("SPEC"), .listing = CLI_LIST_SOURCE,
         .filter = ENGINE_FILTER_ANNOTATE, .group = GROUP_LISTINGS,
         .help = "list the source annotated with execution counts and times, only of SPEC if given"},
	{'J', "no-annotated-source", OPTIONAL("SPEC"), .listing = CLI_LIST_SOURCE,
         .filter = ENGINE_FILTER_ANNOTATE, .hides = true, .group = GROUP_LISTINGS,
         .help = "no annotated source, or all of it but SPEC"},
	{'x', "all-lines", NONE, .group = GROUP_SOURCE,
         .help = "annotate every line that is known, not only where functions and basic blocks begin; see -l"},
	{'b', "brief", NONE, .group = GROUP_LAYOUT,
         .help = "print the tables without the text that explains them"},
	{'p', "flat-profile", OPTIONAL("SPEC"), .listing = CLI_LIST_FLAT,
         .filter = ENGINE_FILTER_FLAT, .group = GROUP_LISTINGS,
         .help = "list the flat profile: the time spent in each function; only of SPEC if given"},
	{'P', "no-flat-profile", OPTIONAL("SPEC"), .listing = CLI_LIST_FLAT,
         .filter = ENGINE_FILTER_FLAT, .hides = true, .group = GROUP_LISTINGS,
         .help = "no flat profile, or one of everything but SPEC"},
	{'q', "graph", OPTIONAL("SPEC"), .listing = CLI_LIST_GRAPH, .filter = ENGINE_FILTER_GRAPH,
         .group = GROUP_LISTINGS,
         .help = "list the call graph: who calls whom, and at what cost; only the entries of SPEC, or "
                 "the arcs of FROM/TO, if given"},
	{'Q', "no-graph", OPTIONAL("SPEC"), .listing = CLI_LIST_GRAPH,
         .filter = ENGINE_FILTER_GRAPH, .hides = true, .group = GROUP_LISTINGS,
         .help = "no call graph, or one without the entries of SPEC or the arcs of FROM/TO"},
	{'B', NULL, NONE, .listing = CLI_LIST_GRAPH, .group = GROUP_LISTINGS,
         .help = "list the call graph, as -q does"},
	{'S', "external-symbol-table", REQUIRED("FILE"), .values = OFFER_FILES,
         .group = GROUP_SYMBOLS,
         .help = "take the symbols from FILE, not from the image: what nm prints, the System.map or "
                 "kallsyms of a kernel, or another image; in GNU mode lines of \"address type name\""},
	{'C', "exec-counts", OPTIONAL("SPEC"), .listing = CLI_LIST_COUNTS,
         .filter = ENGINE_FILTER_COUNTS, .group = GROUP_LISTINGS,
         .help = "list how often each function was called, only those of SPEC if given"},
	{'Z', "no-exec-counts", OPTIONAL("SPEC"), .listing = CLI_LIST_COUNTS,
         .filter = ENGINE_FILTER_COUNTS, .hides = true, .group = GROUP_LISTINGS,
         .help = "no list of execution counts, or one without SPEC"},
	{OPTION_DEMANGLE, "demangle", OPTIONAL("STYLE"),
         .values = "none auto gnu-v3 java gnat dlang rust", .group = GROUP_SYMBOLS,
         .help = "show names as they stand in the source, which is the default; STYLE is none, auto, "
                 "gnu-v3, java, gnat, dlang or rust"},
	{OPTION_NO_DEMANGLE, "no-demangle", NONE, .group = GROUP_SYMBOLS,
         .help = "show names as they stand in the symbol table"},
	{'I', "directory-path", REQUIRED("DIRS"), .values = OFFER_FOLDERS, .group = GROUP_SOURCE,
         .help = "look for source files in DIRS, too: folders with colons between them; may be repeated"},
	{'z', "display-unused-functions", NONE, .setting = ENGINE_SET_SHOW_UNUSED,
         .group = GROUP_SELECTION,
         .help = "list functions that were never called and took no time, too"},
	{'d', "debug", OPTIONAL("TOPICS"), .group = GROUP_OTHER,
         .help = "trace the work on standard output; TOPICS is a sum of 2 depth-first numbering, "
                 "4 cycles, 16 arcs, 32 order of arcs, 64 records and samples, 128 symbols, "
                 "512 lookups, 1024 propagation, 2048 basic blocks, 4096 symspecs, "
                 "8192 source files; without it, all of them"},
	{'r', "function-ordering", NONE, .listing = CLI_LIST_ORDER, .group = GROUP_LISTINGS,
         .help = "list the functions in an order that keeps those together that call each other most; see "
                 "--order-format"},
	{'R', "file-ordering", REQUIRED("MAP"), .values = OFFER_FILES, .listing = CLI_LIST_ORDER,
         .group = GROUP_LISTINGS,
         .help = "list files in such an order, and show files in place of functions in all tables; MAP tells "
                 "which file defines which function, in lines \"file:address type name\""},
	{'i', "file-info", NONE, .listing = CLI_LIST_FILES, .group = GROUP_LISTINGS,
         .help = "list the profiles with what each of them holds"},
	{'O', "file-format", REQUIRED("FORMAT"), .values = OFFER_READERS, .group = GROUP_INPUT,
         .help = "format of the profiles: auto, magic, bsd, 4.4bsd, or the name of a reader; see "
                 "--list-plugins"},
	{'D', "ignore-non-functions", NONE, .setting = ENGINE_SET_DROP_UNTYPED_STATIC,
         .group = GROUP_SYMBOLS,
         .help = "leave out static symbols that are not known to be functions"},
	{OPTION_INLINE_FILE_NAMES, "inline-file-names", NONE,
         .setting = ENGINE_SET_INLINE_FILE_NAMES, .group = GROUP_LAYOUT,
         .help = "print file and line behind each name"},
	{'l', "line", NONE, .group = GROUP_SYMBOLS,
         .help = "profile lines of source instead of functions, and count basic blocks"},
	{'L', "print-path", NONE, .setting = ENGINE_SET_FULL_PATHS, .group = GROUP_LAYOUT,
         .help = "print names of files with their folders"},
	{'m', "min-count", REQUIRED("N"), .group = GROUP_SOURCE,
         .help = "mark source lines that ran fewer than N times with #####; 1 if not given"},
	{'t', "table-length", REQUIRED("N"), .group = GROUP_SOURCE,
         .help = "length of the table of busiest lines behind each source; 10 if not given, 0 for none"},
	{'n', "time", REQUIRED("SPEC"), .group = GROUP_SELECTION,
         .help = "hand up the graph only the time of SPEC"},
	{'N', "no-time", REQUIRED("SPEC"), .group = GROUP_SELECTION,
         .help = "hand up the graph no time of SPEC"},
	{'T', "traditional", NONE, .group = GROUP_LAYOUT,
         .help = "order and layout of BSD reports, with raw names"},
	{'s', "sum", NONE, .group = GROUP_INPUT,
         .help = "write the sum of all profiles to gmon.sum; no table is printed unless it is asked for"},
	{'y', "separate-files", NONE, .group = GROUP_SOURCE,
         .help = "write each annotated source to a file of its own, NAME-ann"},
	{'c', "static-call-graph", NONE, .setting = ENGINE_SET_STATIC_CALLS, .group = GROUP_INPUT,
         .help = "look for calls in the machine code and show those that never happened, too"},
	{'k', NULL, REQUIRED("FROM/TO"), .group = GROUP_SELECTION,
         .help = "leave out the arcs from FROM to TO; an empty side stands for everything"},
	{'e', "", REQUIRED("SPEC"), .group = GROUP_SELECTION,
         .help = "print no call graph entries of SPEC"},
	{'E', NULL, REQUIRED("SPEC"), .group = GROUP_SELECTION,
         .help = "as -e, and hand up no time of SPEC"},
	{'f', NULL, REQUIRED("SPEC"), .group = GROUP_SELECTION,
         .help = "print only the call graph entries of SPEC and what they reach"},
	{'F', NULL, REQUIRED("SPEC"), .group = GROUP_SELECTION,
         .help = "as -f, and hand up only the time of SPEC"},
	{'w', "width", REQUIRED("N"), .group = GROUP_LAYOUT,
         .help = "width of the function index in columns; 80 if not given"},
	{'h', "help", NONE, .group = GROUP_OTHER, .help = "print this text and exit"},
	{'v', "version", NONE, .group = GROUP_OTHER, .help = "print the version and exit"},

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

const struct cli_option *
cli_option_by_id(int id)
{
	for (size_t i = 0; i < cli_option_count; i++)
		if (cli_options[i].id == id)
			return &cli_options[i];
	return NULL;
}
