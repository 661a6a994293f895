/* SPDX-License-Identifier: Apache-2.0 */
#include "differences-looks.h"

#include <stddef.h>

#include "differences.h"

/* What rows are sorted by: figures of the columns up to that of totals. */
enum { SORT_KEYS = COLUMN_TOTAL + 1 };

const char *const differences_columns[] = {
	"excess", "mean",       "min",   "max",  "sd",      "imbalance", "total", "files", "first",
	"second", "difference", "worst", "best", "verdict", "name",      "auto",  NULL};
const char *const differences_member_columns[] = {
	"excess", "mean",       "min",   "max",  "sd",      "imbalance", "total", "count", "first",
	"second", "difference", "worst", "best", "verdict", "name",      "auto",  NULL};
const char *const differences_sorts[] = {"excess", "mean",      "min",   "max",
                                         "sd",     "imbalance", "total", NULL};

_Static_assert(sizeof differences_sorts / sizeof differences_sorts[0] == SORT_KEYS + 1,
               "a word for each");

const struct differences_look differences_looks[] = {
	[COLUMN_EXCESS] = {9, "excess", NULL,
                           " excess    how far the slowest @ is above the mean: what an even "
                           "distribution\n"
                           "           would gain where the others wait for it\n"},
	[COLUMN_MEAN] = {9, "mean", NULL, " mean      the average time over all #\n"},
	[COLUMN_MIN] = {9, "min", NULL, " min       the shortest time in any @\n"},
	[COLUMN_MAX] = {9, "max", NULL, " max       the longest time in any @\n"},
	[COLUMN_SD] = {9, "sd", NULL, " sd        the standard deviation over all #\n"},
	[COLUMN_IMBALANCE] =
		{8, "max", "/mean",
                 " max/mean  the imbalance: 1 if all # are equal, at most the number of "
                 "#\n"},
	[COLUMN_TOTAL] = {9, "total", NULL, " total     the sum of the times of all #\n"},
	[COLUMN_FILES] = {7, "", "#",
                          " #     the number of # with samples in the "
                          "function\n"},
	[COLUMN_FIRST] = {9, "first", NULL, " first      the time in the first @\n"},
	[COLUMN_SECOND] = {9, "second", NULL, " second     the time in the second @\n"},
	[COLUMN_DIFFERENCE] = {10, "difference", NULL, " difference second minus first\n"},
	[COLUMN_WORST] = {0, "slowest", "@",
                          " slowest   the @ with the longest time; -: chance explains that "
                          "it is\n"
                          "           longer; in parentheses: its error is not known\n"},
	[COLUMN_BEST] = {0, "fastest", "@", " fastest   the @ with the shortest time, likewise\n"},
	[COLUMN_VERDICT] = {10, "", "verdict",
                            " verdict    none shown: chance explains the difference; not tested: "
                            "its error\n"
                            "            is not known\n"},
	[COLUMN_NAME] = {0, "", "name", ""},
};
