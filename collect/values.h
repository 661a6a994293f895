/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The settings and their values; the library and gprofx record share them. */
#ifndef COLLECT_VALUES_H
#define COLLECT_VALUES_H

#include "collect.h"

void values_set_defaults(struct settings *settings);
/* The values that a setting can have, in words; NULL: there is none of this name. */
const char *values_of(const char *key, size_t length);
/* False: it is unknown or cannot have this value, and nothing is changed. */
bool values_set(struct settings *settings, const char *key, size_t key_length, const char *value,
                size_t length);
/* Whether one signal is to take samples and to start and stop them. */
bool values_share_signal(const struct settings *settings);

#endif
