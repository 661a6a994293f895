/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What files of the system say. */
#ifndef RECORD_SYSTEM_H
#define RECORD_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>

/* Reads the start of a file as a text, which ends with a zero byte; false: it cannot be read. */
bool system_read(const char *path, char *text, size_t room);

/* The number that a file begins with, or another one if there is none. */
long system_number(const char *path, long otherwise);

#endif
