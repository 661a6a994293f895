/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the system says of a thread of this process, in /proc/self/task; anywhere. */
#ifndef COLLECT_PROC_H
#define COLLECT_PROC_H

#include <stddef.h>
#include <stdint.h>

enum { PROC_PATH = 64 };

/* Writes the path of one of its files, such as "stat". */
void proc_path(char to[PROC_PATH], uint32_t tid, const char *name);

/* Reads the start of it; how many bytes, or less than 0: an error. */
long proc_read(uint32_t tid, const char *name, char *to, size_t bytes);

#endif
