/* SPDX-License-Identifier: Apache-2.0 */
/* "gprofx record", which is a program of its own. */
#ifndef CLI_RECORD_H
#define CLI_RECORD_H

#include <stdbool.h>

/* Whether the words of the command line are for it. */
bool record_is_meant(int argc, char **argv);

/*
 * Becomes gprofx-record, which is installed beside this program; nothing of the words has been
 * looked at, since most are those of the program to record.  Returns the status if that fails.
 */
int record_execute(char **argv);

#endif
