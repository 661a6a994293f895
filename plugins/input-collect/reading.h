/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of the reader share. */
#ifndef INPUT_COLLECT_READING_H
#define INPUT_COLLECT_READING_H

/* IWYU pragma: begin_exports */
#include <gprofx/gxc.h>
#include <gprofx/reader.h>
/* IWYU pragma: end_exports */

/* An object, in the byte order of this machine. */
struct object {
	uint64_t low, high, bias;
	const uint8_t *build_id;
	const char *path; /* or NULL */
};

/*
 * A thread: its number in the file, and that of the profile builder, 0: not declared yet.  The
 * slice is the one that was declared last, 0: none, for a phase of the profile builder.
 */
struct thread {
	uint32_t number, thread, slice, phase;
};

/* What turns ticks into nanoseconds, and what was taken off. */
struct timing {
	double calls; /* that were timed */
	double ns_per_tick;
	double inside, outside; /* ticks of the collector for a call, in it and in its caller */
	double taken;           /* nanoseconds */
	/* Calls of which nothing is left, and by how many nanoseconds more their time would be
	 * less. */
	double emptied, excess;
};

struct reading {
	struct gprofx *gx;
	const struct gprofx_file *file;
	struct gprofx_profile *profile;
	struct gxc_walk walk;
	uint32_t rate, clock, flags;
	uint32_t process; /* of the profile builder */
	/* By number of a phase in the file, from 0, which is none: the profile builder's; 0: not
	 * declared. */
	uint32_t phases[GXC_MOST_PHASES + 1];
	bool has_phases;
	struct gxc_view *chunks;
	uint32_t chunk_count;
	struct object *objects;
	uint32_t object_count;
	struct thread *threads; /* by their numbers */
	uint32_t thread_count;
	struct thread unknown;             /* what is of none of them */
	uint64_t strings_at, string_bytes; /* the first chunk of them */
	const char *program;               /* its path; NULL: not known */
	/* Weights of samples: of all, with cut stacks, and with broken ones. */
	uint64_t weight, cut, broken;
	uint64_t recorded;            /* of all that the file has */
	uint64_t waits, broken_waits; /* the same of waits */
	/* With clock=wall, the metrics of time that threads ran and waited; and that of times at
	 * entry and exit.  0: there is none. */
	uint32_t metrics[3];
	struct timing timing;
	bool has_blocks;
};

/* A text of the file, or NULL. */
const char *reading_text(const struct reading *r, uint64_t offset);

/* objects.c: notes the objects of a chunk. */
void objects_add(struct reading *r, const struct gxc_view *chunk);
/* Declares their images and where these are mapped. */
enum gprofx_result objects_map(struct reading *r);

/* phases.c: declares those of the file, if it has some. */
void phases_declare(struct reading *r);
/* The profile builder's phase of the rows of a chunk; 0: the file has none. */
uint32_t phases_of(struct reading *r, const struct gxc_view *chunk);

/* threads.c: declares all threads. */
void threads_declare(struct reading *r);
/* The profile builder's slice of the rows of a chunk. */
uint32_t threads_slice(struct reading *r, const struct gxc_view *chunk);
enum { METRIC_CPU, METRIC_WAIT, METRIC_CLOCK };

/* stacks.c: says that samples were taken, be it that there are none. */
enum gprofx_result stacks_declare(struct reading *r);
/* Passes on the samples of a chunk. */
enum gprofx_result stacks_read(struct reading *r, const struct gxc_view *chunk);

/* timed.c: declares the metric of times at entry and exit, if the file has some; before samples,
 * since they come first in reports. */
enum gprofx_result timed_read(struct reading *r);
/* The nanoseconds of the entry at an offset. */
uint64_t timed_weight(struct reading *r, uint64_t at);
/* A whole number of what was added up; a damaged file can have any. */
uint64_t timed_whole(double sum);
/* Says what these times contain, and what they lack. */
void timed_report(const struct reading *r);

#endif
