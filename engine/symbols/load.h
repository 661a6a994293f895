/* SPDX-License-Identifier: Apache-2.0 */
/* How tables of symbols are read; for the files of this folder, and for trials of plugins. */
#ifndef ENGINE_SYMBOLS_LOAD_H
#define ENGINE_SYMBOLS_LOAD_H

#include "plugin/plugins.h"
#include "symbols/symbols.h"

/* Has the provider for a file fill symbols->table, which is empty, and checks it. */
enum gprofx_result
symbols_fill_table(struct run *run, struct symbols *symbols, const struct gprofx_image *file);

/* The same with a certain provider. */
enum gprofx_result
symbols_fill_table_with(struct run *run, struct symbols *symbols, struct plugin *provider,
                        const struct gprofx_image *file);

/* Reads the objects of the settings and puts their symbols behind those of the program. */
enum gprofx_result symbols_read_objects(struct run *run, struct symbols *symbols);

#endif
