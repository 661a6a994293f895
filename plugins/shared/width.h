/* SPDX-License-Identifier: Apache-2.0 */
/* How much room a text takes on a terminal. */
#ifndef PLUGINS_SHARED_WIDTH_H
#define PLUGINS_SHARED_WIDTH_H

#include <gprofx/emitter.h>

/*
 * Columns of a text in UTF-8, whatever the language of the user.  A byte that is no part of a
 * character counts as one.
 */
size_t width_of(struct gprofx_text text);

#endif
