/* SPDX-License-Identifier: Apache-2.0 */
/* How tables of symbols are read; for the files of this folder, and for plugin checks. */
#ifndef ENGINE_SYMBOLS_PARTS_H
#define ENGINE_SYMBOLS_PARTS_H

#include "base/run.h"
#include "plugin/plugins.h"
#include "symbols/symbols.h"

/* Whether there is a provider for an image, be it one that is not installed; nothing is said. */
bool symbols_know_image(struct run *run, const struct gprofx_image *image);
/* The provider for an image, or NULL after an error was reported. */
struct plugin *symbols_provider(struct run *run, const struct gprofx_image *image);
/* That for a list: one that knows the file, as other images are; else that of text. */
struct plugin *symbols_list_provider(struct run *run, const struct gprofx_image *list);

/* Has the provider for a file fill symbols->table, which is empty, and checks it. */
enum gprofx_result
symbols_fill_table(struct run *run, struct symbols *symbols, const struct gprofx_image *file);

/* The same with a certain provider. */
enum gprofx_result
symbols_fill_table_with(struct run *run, struct symbols *symbols, struct plugin *provider,
                        const struct gprofx_image *file);

/*
 * Leaves each address, and as many bytes as the file has, to one range of code: those of a sound
 * image are apart, and in a hostile one thousands can be the whole file, to be looked at by each
 * stage that looks at code.
 */
void symbols_part_code(struct run *run, struct gprofx_symtab *table, uint64_t file_bytes);

/* The address of the last symbol of a name in the table; false: there is none. */
bool symbols_address_of(const struct gprofx_symtab *table, const char *name, uint64_t *address);

/* Notes overlays, before the code is divided into parts that do not overlap. */
void symbols_note_overlays(struct symbols *symbols);

/* Whether another object than the program has source positions. */
bool symbols_has_source(const struct symbol_image *object);
/*
 * Whether to ask for positions in another object than the program: of libraries of the system, a
 * reader can bring many, which take long, and their names say more than files that few have.
 */
bool symbols_is_to_locate(const struct symbol_image *object);

/* What a table states about debug information. */
struct image_debug symbols_debug_of(const struct gprofx_symtab *table);

/*
 * Sets what has the source positions of the program: "image", which symbols->table is of, or the
 * file beside it that the table names.
 */
void symbols_set_located(struct run *run, struct symbols *symbols, struct gprofx_image *image);

/*
 * Opens what has the source positions of another object than the program, to be closed afterwards.
 * NULL: it cannot be read.  image: refers to it, and to the object's own table.
 */
struct mapped_file *
symbols_open_debug(struct run *run, const struct symbol_image *object, struct gprofx_image *image);

/* Whether a table knows of code at an address. */
bool symbols_table_has_code(const struct gprofx_symtab *table, uint64_t address);

/*
 * Fails if the names of a table are longer together than those of a file of this length can soundly
 * be.
 */
enum gprofx_result symbols_check_names(struct run *run, const struct gprofx_symtab *table,
                                       const char *file, uint64_t bytes);

/* Decides which rows are symbols: sets symbols->fate and symbols->accepted. */
enum gprofx_result
symbols_accept_rows(struct run *run, struct symbols *symbols, const struct file_map *map);
/* The same of rows behind "first" others that were decided about; there is room for them. */
void symbols_accept_more(struct run *run, struct symbols *symbols, uint32_t first);
/* Keeps those of the FATE_UNCALLED rows, "count" of them, that the program's code calls. */
void symbols_find_called(struct run *run, struct symbols *symbols, uint32_t count);

/* Whether functions of other objects are to be symbols. */
bool symbols_wants_imports(const struct run *run);
/* Puts functions of other objects that the program calls behind its symbols. */
void symbols_add_imports(struct run *run, struct symbols *symbols);
/* Ends them, and what stands before them, where they end. */
void symbols_end_imports(struct symbols *symbols);

/* Makes symbols of rows as well that were added to the table behind "first" others. */
void symbols_add_rows(struct run *run, struct symbols *symbols, uint32_t first);

/*
 * Makes symbols of rows behind "first" others that lie behind all symbols that there are, which
 * keep their numbers and their ends.
 */
void symbols_append_rows(struct run *run, struct symbols *symbols, uint32_t first);

/*
 * For reports by line: the same as symbols_add_lines() for images that readers brought, whose
 * functions are those from number "first" on, behind all others.  False: nothing was added.
 */
bool symbols_add_late_lines(struct run *run, struct symbols *symbols, uint32_t first);

/* Adds rows for code of an image that has its place and that its own table does not name. */
void symbols_add_rests(struct run *run, struct symbols *symbols, struct symbol_image *image,
                       const struct gprofx_symtab *from);

/* Makes all pieces of code without a symbol in an image beside the program one function. */
void symbols_fold_rests(struct run *run, struct symbols *symbols);

/* Lets each symbol be its own, unless some are others'. */
void symbols_own_each(struct run *run, struct symbols *symbols);

/* Traces symbols from number "first" on, if that was asked for. */
void symbols_trace(struct run *run, const struct symbols *symbols, uint32_t first);

/* Sets where objects begin.  False: the program leaves no room behind it. */
bool symbols_open_layout(struct symbols *symbols);
/* The same, behind all below "least" as well. */
bool symbols_open_layout_from(struct symbols *symbols, uint64_t least);
/* Gives an object the next free range.  False: its code, by its table, lies too far apart. */
bool symbols_place_image(struct symbols *symbols, struct symbol_image *image,
                         const struct gprofx_symtab *table);
/* The same for offsets from the start of one unit to the end of another.  False: no room. */
bool symbols_place_units(struct symbols *symbols, struct symbol_image *image, uint64_t low,
                         uint64_t high);

/* The highest number of a unit in the table; 0: it has none. */
uint32_t symbols_highest_unit(const struct gprofx_symtab *table);

/* Makes room for so many more rows of the table. */
void symbols_make_room(struct run *run, struct symbols *symbols, uint32_t more);

/* Reads the objects of the settings and puts their symbols behind those of the program. */
enum gprofx_result symbols_read_objects(struct run *run, struct symbols *symbols);

/* Takes rows that are labels out of the table. */
void symbols_set_labels_aside(struct run *run, struct symbols *symbols);

/*
 * append.c: the name that people write of one with the version that calls get by default: pow of
 * pow@@GLIBC_2.29, as debug files of libraries have it.
 */
const char *symbols_without_version(struct run *run, const char *name);

/*
 * variants.c: notes which names of an image, whose labels were set aside, are versions for
 * processors; once all images are known, they are to be sorted.
 */
void symbols_find_variants(struct run *run, struct symbols *symbols, const struct symbols *image);
void symbols_sort_variants(struct symbols *symbols);

#endif
