/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The one table of command-line options; the parser and the help text are made from it.  Those that
 * gprof does not have are rows of own.def, settings.def or listings.def.
 */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "engine.h"

enum option_argument { ARGUMENT_NONE, ARGUMENT_OPTIONAL, ARGUMENT_REQUIRED };

/*
 * Groups of options, in the order of --help=all: GROUP_NAME, what --help=TOPIC calls the group, and
 * its heading.
 */
#define CLI_GROUPS(GROUP)                                                 \
	GROUP(LISTINGS, "tables", "Tables")                               \
	GROUP(SELECTION, "selection", "Selection of functions and calls") \
	GROUP(SYMBOLS, "symbols", "Symbols and names")                    \
	GROUP(INPUT, "profiles", "Profiles")                              \
	GROUP(LAYOUT, "output", "Output")                                 \
	GROUP(SOURCE, "source", "Annotated source")                       \
	GROUP(CORRECTIONS, "corrections", "Corrections")                  \
	GROUP(CONFIG, "config", "Configuration")                          \
	GROUP(FINDINGS, "findings", "Findings and explanations")          \
	GROUP(PLUGINS, "plugins", "Plugins")                              \
	GROUP(OPEN, "open", "Options of the command open")                \
	GROUP(DIFF, "diff", "Options of the command diff")                \
	GROUP(OTHER, "other", "Other options")

#define GROUP_NUMBER(name, topic, heading) GROUP_##name,
enum option_group { CLI_GROUPS(GROUP_NUMBER) GROUP_COUNT };

/* Options without a letter. */
enum option_id {
	OPTION_DEMANGLE = 256,
	OPTION_NO_DEMANGLE,
	OPTION_INLINE_FILE_NAMES,
#define OWN(name, word, argument, values, topic, explanation) OPTION_##name,
#define ENGINE_KEY(name, type, member, ...)
#define ENGINE_OPTION(name, type, member, key, option) OPTION_##name,
#define LISTING(name, format, by_default)
#define LISTING_OPTION(name, format, by_default, option) OPTION_LIST_##name,
#include "own.def"
};

/* The listings of listings.def: their numbers, and bits. */
#define LISTING(NAME, format, by_default) CLI_LISTING_##NAME,
enum cli_listing_number {
#include "listings.def"
	CLI_LISTING_COUNT
};
#define LISTING(NAME, format, by_default) CLI_LIST_##NAME = 1 << CLI_LISTING_##NAME,
enum cli_listing {
#include "listings.def"
	CLI_LIST_NONE = 0
};
_Static_assert(CLI_LISTING_COUNT < 31, "enum cli_listing has a bit for each");

/* What --help=TOPIC takes besides the names of options. */
#define GROUP_TOPIC(name, topic, heading) " " topic
#define CLI_TOPICS "all commands" CLI_GROUPS(GROUP_TOPIC) " names words"

/* Values that follow from the system or the installation. */
#define OFFER_FILES "<files>"
#define OFFER_FOLDERS "<folders>"
#define OFFER_CORRECTIONS "<corrections>"
#define OFFER_READERS "<readers>"
#define OFFER_OUTPUTS "<outputs>"
#define OFFER_PLUGINS "<plugins>"

struct cli_option {
	int id;           /* the letter, or an enum option_id */
	const char *name; /* of the long form, or NULL; "" is a name, too */
	enum option_argument argument;
	bool own; /* not one of gprof's */
	enum option_group group;
	const char *metavar; /* what the help text calls the argument, or NULL */
	const char *help;
	/*
	 * What shells offer for the argument: words with blanks between them, or one of the OFFER_
	 * words below; NULL: nothing.
	 */
	const char *values;
	/* What it sets, and all that it does; ENGINE_SET_NOTHING: it has code of its own. */
	enum engine_setting setting;
	const char *hint; /* of messages about its argument, or NULL; only with a setting */
	/* The listing that it switches on, or off, and where its symspec goes; CLI_LIST_NONE. */
	enum cli_listing listing;
	enum engine_filter filter;
	bool hides; /* off; with a symspec: on, without what that selects */
};

static inline bool
cli_has_letter(const struct cli_option *option)
{
	return option->id < 128;
}

/* Whether its long form can be typed. */
static inline bool
cli_has_name(const struct cli_option *option)
{
	return option->name && option->name[0] != '\0';
}

/*
 * gprof's options first; those with a long form stand in the order in which gprof names the
 * candidates of an ambiguous abbreviation.
 */
extern const struct cli_option cli_options[];
extern const size_t cli_option_count;

enum { CLI_OPTIONS_AT_MOST = 96 };

/* The rows of listings.def, with nothing asked for. */
extern const struct engine_listing cli_listings[CLI_LISTING_COUNT];

/* How an option is typed, without an argument: "-p", "--entry". */
void cli_spell(char *text, size_t room, const struct cli_option *option);

/* The option with this id, or NULL. */
const struct cli_option *cli_option_by_id(int id);

#endif
