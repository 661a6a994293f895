/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The collector in a program that is linked with it (-lgprofx-collect): what the program can ask of
 * it.  Without these calls it measures from the start to the end of the process; see
 * gprofx-collect(3) for its settings.
 *
 * A program that must also run without the collector declares the functions weak and checks that
 * they are there.  All of them can be called from any thread, but not from signal handlers; where
 * the collector is off, they do nothing.
 */
#ifndef GPROFX_COLLECT_H
#define GPROFX_COLLECT_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Whether the collector measures, and what it has so far. */
struct gprofx_collect_status {
	uint32_t size;    /* of the struct; the caller sets it */
	uint32_t is_on;   /* 1: calls are counted */
	uint32_t samples; /* 1: samples are taken */
	uint32_t threads; /* that were measured so far */
	uint64_t bytes;   /* of tables */
	uint64_t lost_calls, lost_samples;
	const char *file; /* what is written while the program runs; NULL: nothing */
};

/* Starts and stops sampling; calls are always counted. */
void gprofx_collect_start(void);
void gprofx_collect_stop(void);
/*
 * Writes the classical file, gmon.out, with what was measured so far.  path: its name, or NULL:
 * that of the settings.  Returns 0, or -1 if it cannot be written.
 */
int gprofx_collect_snapshot(const char *path);
/* Names the running thread: at most 15 bytes are kept. */
void gprofx_collect_thread_name(const char *name);
/*
 * Begins a phase of the program, in all threads: calls and samples belong to the phase in which
 * they happen.  A name that was used before continues that phase; NULL or "" ends it.  63 bytes of
 * names are kept, and 64 phases; further ones are counted together.
 */
void gprofx_collect_mark(const char *phase);
/* Fills the struct.  Returns 0, or -1 if its size is less than that of the first version. */
int gprofx_collect_status(struct gprofx_collect_status *status);

#ifdef __cplusplus
}
#endif

#endif
