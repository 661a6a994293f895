/* SPDX-License-Identifier: Apache-2.0 */
/* The files: what they are called, and the table of them. */
#ifndef OUTPUT_PER_FILE_FILES_H
#define OUTPUT_PER_FILE_FILES_H

#include <gprofx/emitter.h>

/* The label of a file, harmless on a terminal. */
struct gprofx_text
per_file_label(struct gprofx *gx, const struct gprofx_report *report, uint32_t file);

/* A row for each file, with its label, samples, time and share of the time of all. */
void per_file_put_files(struct gprofx *gx, const struct gprofx_report *report,
                        struct gprofx_writer *w, bool explain, size_t text_width);

#endif
