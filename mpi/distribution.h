/* SPDX-License-Identifier: Apache-2.0 */
/* What comes before reading: which process reads which files, and what all of them have to fit. */
#ifndef MPI_DISTRIBUTION_H
#define MPI_DISTRIBUTION_H

#include <stdbool.h>

#include "share.h"

/*
 * Lists the files, gives each process its share, and gets the base to all.  False: the job ends;
 * why was reported.
 */
bool distribution_make(struct share *share);

#endif
