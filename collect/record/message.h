/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef RECORD_MESSAGE_H
#define RECORD_MESSAGE_H

/* Prints a line on standard error, with the name of the program in front. */
void message(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
