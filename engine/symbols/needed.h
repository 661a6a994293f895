/* SPDX-License-Identifier: Apache-2.0 */
/* Shared libraries that the program needs, by itself or through others. */
#ifndef ENGINE_SYMBOLS_NEEDED_H
#define ENGINE_SYMBOLS_NEEDED_H

#include "base/run.h"
#include "symbols/symbols.h"

/* Lists them in symbols->needed, those that the program itself asks for first. */
void symbols_find_needed(struct run *run, struct symbols *symbols);

/*
 * Whether a library, by its path or name, is one that compilers or packages bring.  No file is
 * looked at: the library may be of another machine.
 */
bool symbols_is_of_system(const char *library);

#endif
