/* SPDX-License-Identifier: Apache-2.0 */
/* The words of GNU gprof for a diagnostic. */
#ifndef CLI_GNU_MESSAGES_H
#define CLI_GNU_MESSAGES_H

#include <gprofx/plugin.h>

#include "message.h"

/* Puts gprof's text into the message; returns false if gprof has none for it. */
bool gnu_message(struct message *message, const char *program,
                 const struct gprofx_diagnostic *diagnostic);

#endif
