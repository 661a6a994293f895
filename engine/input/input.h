/* SPDX-License-Identifier: Apache-2.0 */
/* Profile files: which reader takes which file. */
#ifndef ENGINE_INPUT_INPUT_H
#define ENGINE_INPUT_INPUT_H

#include "profile/profile.h"

/* Checks the format asked for before any file is opened. */
enum gprofx_result input_check_format(struct run *run);

/* Reads every profile of the settings, in order, into one profile. */
enum gprofx_result
input_read_profiles(struct run *run, const struct gprofx_target *target, struct profile *profile);

#endif
