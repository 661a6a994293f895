/* SPDX-License-Identifier: Apache-2.0 */
/* The forms of an order that linkers read. */
#ifndef OUTPUT_ORDER_FORMS_H
#define OUTPUT_ORDER_FORMS_H

#include <gprofx/emitter.h>

#include "names.h"

/* For lld: names of functions. */
void form_lld(struct gprofx_writer *w, const struct name_list *functions);
/*
 * For gold: names of sections.  all: names of all functions of the program, which say whose parts
 * have a section of their own.
 */
void form_gold(struct gprofx *gx, struct gprofx_writer *w, const struct name_list *functions,
               const struct name_list *all);
/* For GNU ld: a script with names of sections. */
void form_script(struct gprofx *gx, struct gprofx_writer *w, const struct name_list *functions,
                 const struct name_list *all);
/* The same with names of files. */
void form_file_script(struct gprofx_writer *w, const struct name_list *files);

#endif
