/* SPDX-License-Identifier: Apache-2.0 */
/* Lines that perf script writes. */
#ifndef INPUT_PERF_SCRIPT_LINE_H
#define INPUT_PERF_SCRIPT_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../shared/text-lines.h"

/* The next line, without its end; false: there is none. */
bool script_next_line(struct text_lines *lines, struct text_span *line);

/*
 * The first line of a sample, or the only one:
 *
 *     worker 0  6115/6138 [001]  5366.703865791:    4000000 cpu-clock:u:  401136 main+0x16 (/bin/a)
 */
struct sample_line {
	struct text_span command; /* can have blanks; empty: it is not there */
	uint64_t process, thread; /* numbers; 0: not there */
	bool has_period;
	uint64_t period;
	struct text_span
		event; /* without its last colon, and without what stands between slashes */
	struct text_span rest;
};

/* False: it is no such line. */
bool script_read_sample(struct text_span line, struct sample_line *sample);

/*
 * A frame: "401136 main+0x16 (/bin/a)", where numbers are addresses, which depend on the version of
 * perf, and what is in parentheses can have some of its own.
 */
struct frame_line {
	struct text_span key;    /* the function and the object as they stand there */
	struct text_span name;   /* of the function, without the distance from its start */
	struct text_span object; /* without "(deleted)" */
	bool is_inlined;         /* into the function of the next frame, in whose object it is */
};

/* False: it is no such line. */
bool script_read_frame(struct text_span line, struct frame_line *frame);

/* Copies what fits, with an end; "?" for each byte 0, which would be one. */
void script_span_copy(struct text_span span, char *to, size_t bytes);

#endif
