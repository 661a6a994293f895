/* SPDX-License-Identifier: Apache-2.0 */
/* What is said about words of the command line that are no options. */
#ifndef CLI_FAULTS_H
#define CLI_FAULTS_H

#include "args.h"
#include "command.h"

/* Reports the fault that args_next() found. */
void fault_report(const struct command *command, struct args *args);

#endif
