/* SPDX-License-Identifier: Apache-2.0 */
/* Files of images that readers bring. */
#ifndef ENGINE_SYMBOLS_LATE_FILES_H
#define ENGINE_SYMBOLS_LATE_FILES_H

#include "base/mapfile.h"
#include "base/run.h"
#include "symbols/late.h"
#include "symbols/symbols.h"

/*
 * Reads the file of an image: sets its state, its table, segments and first range.  What a profile
 * names is not to be trusted: only regular files are opened, by absolute paths, not too many, and
 * of another build nothing is taken.
 */
void late_file_read(struct run *run, struct late_images *late, uint32_t number);

/* Reads where the code of the program or of an object of the settings is in its file. */
void late_file_read_segments(struct run *run, struct late_images *late, struct late_image *image);

/*
 * The table of a file, of which nothing but warnings is said; NULL: there is none.  symbols: those
 * that its rows will be of; NULL: only facts about the image are wanted.
 */
struct gprofx_symtab *late_file_table(struct run *run, const char *path,
                                      const struct mapped_file *file, struct symbols *symbols);

/* 1: builds are known to be the same; -1: to differ; 0: one of them is not known. */
int late_compare_builds(const struct late_image *image, const uint8_t *build_id, uint32_t bytes);

/* Gives an image with a table its range.  False: its code lies too far apart, or nothing is left.
 */
bool late_place(struct run *run, struct late_images *late, uint32_t number);

/* Whether two paths lead to the same file. */
bool late_file_is_same(const char *left, const char *right);

#endif
