/* SPDX-License-Identifier: Apache-2.0 */
/* Why there may be no profile, as far as the program tells. */
#include "base/memory.h"
#include "base/run.h"
#include "input/input.h"
#include "symbols/symbols.h"

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

const char *
input_missing_hint(struct run *run, const struct symbols *symbols)
{
	const char *ending = mentioned(run, symbols, ends, sizeof ends / sizeof ends[0]);
	const char *moving = mentioned(run, symbols, moves, sizeof moves / sizeof moves[0]);
	bool is_known = symbols->table.strings && symbols->table.strings_bytes > 0;

	if (symbols_lack_profiling(symbols))
		return "compile and link the program with -pg: it has no profiling call, so it "
		       "writes no profile";
	if (!is_known)
		return "compile and link the program with -pg and run it to a normal exit; it "
		       "writes gmon.out into the folder it ends in";
	return text_format(
		run,
		"run the program to a normal exit: a signal ends it without a profile%s%s; look for "
		"gmon.out in the folder it %s%s, or for NAME.PID if GMON_OUT_PREFIX is set to NAME",
		ending ? ", and so can its calls of "
		       : ", but no call of abort or _exit does: it has none",
		ending ? ending : "",
		moving ? "ends in, which can be another one by its calls of " : "was started in",
		moving ? moving : "");
}
