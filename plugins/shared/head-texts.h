/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What was run and measured, and where all of the time is, in words.  Texts have run lifetime;
 * words of the report in them are as the host has them.  Needs GPROFX_PART_FILES and
 * GPROFX_PART_FINDINGS.
 */
#ifndef PLUGINS_SHARED_HEAD_TEXTS_H
#define PLUGINS_SHARED_HEAD_TEXTS_H

#include <gprofx/emitter.h>

/* With fewer samples of a program, most of its time can be in libraries that are not sampled. */
enum { HEAD_FEW_SAMPLES = 30 };

/* The name of the program or, without one, of the profile. */
const char *head_name(const struct gprofx_report *report);

/* The name of a profile, with folders if another one of the report has the same name. */
const char *head_file_name(struct gprofx *gx, const struct gprofx_report *report, const char *file);

/* Ticks in the unit of what was measured: "2.52 s", "1.20 G cycles", "17 samples". */
const char *head_amount(struct gprofx *gx, const struct gprofx_report *report, double ticks);

/* "12.5 s sampled, 1250 samples at 100 Hz" */
const char *head_measured(struct gprofx *gx, const struct gprofx_report *report);

/* "gmon.out of 2026-11-23 20:44", "written 2026-11-23 20:44", or how many there are. */
const char *head_profiles(struct gprofx *gx, const struct gprofx_report *report);

enum { HEAD_MOST_PARTS = 5 };

/* A part of the account of time. */
struct head_part {
	const char *amount; /* as head_amount() */
	double percent;     /* of everything that was sampled */
	const char *word;   /* "shown", "profiling", "outside", "excluded", "beyond" */
	const char *where;  /* "in the functions below"; the first one says of what percent is */
};

/* The parts with time; returns how many there are. */
uint32_t head_parts(struct gprofx *gx, const struct gprofx_report *report,
                    struct head_part parts[HEAD_MOST_PARTS]);

/* Samples that are in no part since they are copies; NULL: there are none. */
const char *head_copied(struct gprofx *gx, const struct gprofx_report *report);

/* Time that no sample covers; NULL: none is known. */
const char *head_unsampled(struct gprofx *gx, const struct gprofx_report *report);

/* Time in which threads could run, but no processor was free; NULL: none worth a word. */
const char *head_delayed(struct gprofx *gx, const struct gprofx_report *report);

/*
 * "few samples (56): the 16.1 % of the first row can be 9 to 28 %": the interval of the flat
 * profile; NULL if it is narrow, or not known.  function: of the first row; total: ticks that
 * shares refer to.  Needs times, and GPROFX_PART_GRAPH.
 */
const char *head_few_samples(struct gprofx *gx, const struct gprofx_report *report,
                             uint32_t function, double total);

#endif
