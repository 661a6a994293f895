/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Files that appear when they are complete. */
#ifndef RECORD_WHOLE_H
#define RECORD_WHOLE_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

struct whole {
	int descriptor;
	bool is_nameless; /* it is gone if this process is */
	char temporary[PATH_MAX];
};

/* Begins a file in the folder of the one that it will be; false: errno says why. */
bool whole_begin(struct whole *whole, const char *to);

/* Writes bytes at an offset; false: errno says why. */
bool whole_write(const struct whole *whole, const void *bytes, uint64_t length, uint64_t at);

/* Gives it its name, in place of a file that is there, if is_fine; otherwise nothing is left, and
 * errno stays.  Returns whether the file is there. */
bool whole_end(struct whole *whole, const char *to, bool is_fine);

#endif
