/* SPDX-License-Identifier: Apache-2.0 */
/* Profile files: which reader takes which file. */
#ifndef ENGINE_INPUT_INPUT_H
#define ENGINE_INPUT_INPUT_H

#include "profile/profile.h"
#include "symbols/symbols.h"

struct plugin;

/*
 * Finds the reader that was asked for, before any file is opened; NULL: each file shows what it
 * is.
 */
enum gprofx_result input_choose_reader(struct run *run, struct plugin **reader);

/* Reads every profile of the settings, in order, into one profile, by addresses of the image. */
enum gprofx_result input_read_profiles(struct run *run, struct plugin *reader,
                                       const struct symbols *symbols, struct profile *profile);

#endif
