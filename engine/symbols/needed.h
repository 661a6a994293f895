/* SPDX-License-Identifier: Apache-2.0 */
/* Shared libraries that the program needs, by itself or through others. */
#ifndef ENGINE_SYMBOLS_NEEDED_H
#define ENGINE_SYMBOLS_NEEDED_H

#include "base/run.h"
#include "symbols/symbols.h"

/* Lists them in symbols->needed, those that the program itself asks for first. */
void symbols_find_needed(struct run *run, struct symbols *symbols);

#endif
