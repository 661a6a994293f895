/* SPDX-License-Identifier: Apache-2.0 */
/* Why there may be no profile, as far as the program tells, or which one may be meant. */
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/near-file.h"
#include "base/run.h"
#include "base/text.h"
#include "input/input.h"
#include "input/recording.h"
#include "shared/shell-words.h"
#include "symbols/symbols.h"

/* Looked at in a run: any number of files can be missing. */
enum { MOST_FOLDERS = 16 };

/* The default name of a profile that runs write. */
static const char usual[] = "gmon.out";

/* What ends or leaves a program so that no profile is written where it was started. */
static const char *const ends[] = {"_exit", "_Exit",  "quick_exit", "abort", "execve",
                                   "execv", "execvp", "execl",      "execlp"};
static const char *const moves[] = {"chdir", "fchdir"};

/* Those of some functions that the program has or imports, as "_exit and abort"; NULL: none. */
static const char *
mentioned(struct run *run, const struct symbols *symbols, const char *const *names, size_t count)
{
	const char *list = NULL, *last = NULL;

	for (size_t i = 0; i < count; i++) {
		if (!symbols_mention(symbols, names[i]))
			continue;
		if (last)
			list = list ? text_format(run, "%s, %s", list, last) : last;
		last = names[i];
	}
	return list ? text_format(run, "%s and %s", list, last) : last;
}

static const char unknown[] = "PROGRAM";

/* The program as a shell takes it as a command; "PROGRAM" if it would take the name as more. */
static const char *
command_word(struct run *run)
{
	const char *image = run->settings->image;

	if (!image || image[0] == '-' || !shell_takes(image))
		return unknown;
	return text_format(run, "%s%s", strchr(image, '/') ? "" : "./", image);
}

static bool
has_recording(struct run *run, const char *folder)
{
	struct recording recording = recording_read(run, folder, false);
	const char *key = recording_key(&recording, run->settings->image);

	for (uint32_t i = 0; i < recording.count; i++)
		if (recording_is_of(&recording.rows[i], key))
			return true;
	return false;
}

/* The program's recording or profile, if it is in the program's folder; NULL: none is. */
static const char *
beside(struct run *run)
{
	const struct engine_settings *settings = run->settings;
	const char *image = settings->image, *found, *word;
	bool is_recording;
	int length;

	if (!image || settings->profiles_are_named || !strchr(image, '/'))
		return NULL;
	length = (int)(text_last_name(image) - image);
	found = text_format(run, "%.*s%s", length, image,
	                    settings->recording ? settings->recording : usual);
	is_recording = settings->recording && has_recording(run, found);
	if (!is_recording)
		found = text_format(run, "%.*s%s", length, image, usual);
	if (!is_recording && access(found, R_OK) != 0)
		return NULL;
	word = command_word(run);
	return text_format(run, "there is a %s beside it: gprofx %s %s",
	                   is_recording ? "recording" : "profile", word,
	                   word != unknown ? found : "PROFILE");
}

/* Why a program wrote no profile. */
static const char *
reasons(struct run *run, const struct symbols *symbols)
{
	const char *ending = mentioned(run, symbols, ends, sizeof ends / sizeof ends[0]);
	const char *moving = mentioned(run, symbols, moves, sizeof moves / sizeof moves[0]);
	bool is_known = symbols->table.strings && symbols->table.strings_bytes > 0;

	if (symbols_lack_profiling(symbols) && run->settings->object_count > 0)
		return text_format(run,
		                   "name the program that was built with -pg, and its profile; a "
		                   "library alone is reported by: gprofx %s %s",
		                   run->settings->objects[0].library,
		                   run->settings->objects[0].profile);
	if (symbols_lack_profiling(symbols) && symbols_can_record(symbols))
		return text_format(
			run,
			"sample it as it is: gprofx record %s; it has no profiling call, "
			"so it writes no profile unless compiled and linked with -pg",
			command_word(run));
	if (symbols_lack_profiling(symbols))
		return "compile and link the program with -pg: it has no profiling call, so it "
		       "writes no profile";
	if (!is_known)
		return "compile and link the program with -pg and run it to a normal exit; it "
		       "writes gmon.out into the folder it ends in";
	return text_format(
		run,
		"run the program first, to a normal end (%s%s writes no profile); look in the "
		"folder it %s%s%s, or for NAME.PID if GMON_OUT_PREFIX=NAME",
		ending ? "a signal or its " : "a signal, abort or _exit", ending ? ending : "",
		moving ? "ends in (it calls " : "was started in", moving ? moving : "",
		moving ? ")" : "");
}

const char *
input_missing_hint(struct run *run, const struct symbols *symbols, struct missing *missing,
                   const char *name)
{
	const char *base = text_last_name(name), *hint = NULL;

	if (missing->count++ < MOST_FOLDERS && strcmp(name, usual) != 0)
		hint = near_file(run, name, false);
	if (hint)
		return hint;
	if (strcmp(base, usual) != 0)
		return "check the path: no file there has a similar name";
	if (!missing->reasons)
		missing->reasons = beside(run);
	/* All strings of the image are looked at for that. */
	if (!missing->reasons)
		missing->reasons = reasons(run, symbols);
	return missing->reasons;
}
