/* SPDX-License-Identifier: Apache-2.0 */
/* The account below the flat profile: where all samples are, and which time is in none. */
#ifndef OUTPUT_FLAT_ACCOUNT_H
#define OUTPUT_FLAT_ACCOUNT_H

#include <gprofx/emitter.h>

/*
 * Writes the account, which the report must have.  It begins with an empty line, where programs
 * that read gprof's table stop, and none of its lines begins as a row of the table does.
 */
void put_account(const struct gprofx_report *r, struct gprofx_writer *w);

#endif
