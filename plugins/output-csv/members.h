/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of what files, threads, processes and phases have, and how functions differ between them.
 */
#ifndef OUTPUT_CSV_MEMBERS_H
#define OUTPUT_CSV_MEMBERS_H

#include <gprofx/emitter.h>

#include "sheet.h"

/* A row for each function that differs between files. */
enum gprofx_result members_put_files(struct gprofx *gx, struct sheet *s);

/* A row for each thread or whatever the kind is, or for each function that differs between them. */
void members_put_slices(struct sheet *s, uint32_t kind, bool is_of_functions);

#endif
