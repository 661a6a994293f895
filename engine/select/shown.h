/* SPDX-License-Identifier: Apache-2.0 */
/* Functions by the names that a report shows for them, where the symbol table has none of that
 * name. */
#ifndef ENGINE_SELECT_SHOWN_H
#define ENGINE_SELECT_SHOWN_H

#include "base/run.h"
#include "select/match.h"
#include "symbols/symbols.h"

/*
 * Gives each half that names a function and stands for nothing the functions that are shown by that
 * name: parameters and arguments of templates can be left out anywhere.
 * If there are none, those whose names end with it, behind a scope, if these have one name: then
 * this is in its "ends".
 */
void shown_match(struct run *run, const struct symbols *symbols, struct match_half *halves,
                 uint32_t count);

/* A name without result, parameters and arguments of templates. */
const char *shown_bare_name(struct run *run, const char *name);

/*
 * Names of the table as they are shown in that form, those of procedures of Fortran modules with
 * the module; as in the table where that would be too long, or too much.  NULL stays NULL: few of
 * many names can be shortened, which takes long.
 */
const char **shown_short_names(struct run *run, const struct symbols *symbols,
                               const char *const *raw, uint32_t count);

#endif
