/* SPDX-License-Identifier: Apache-2.0 */
/* What lines before the costs say: what was measured, in which thread, and where costs are. */
#ifndef INPUT_CALLGRIND_HEADER_H
#define INPUT_CALLGRIND_HEADER_H

#include <gprofx/reader.h>

#include "../shared/text-table.h"
#include "../shared/text-lines.h"

enum { CG_MOST_EVENTS = 128, CG_MOST_POSITIONS = 3 };

/* The columns of positions. */
enum cg_position { CG_INSTRUCTION, CG_BLOCK, CG_LINE };

/* Sums that a file states of the costs of a part. */
struct cg_sums {
	uint64_t values[CG_MOST_EVENTS]; /* by column */
	uint32_t count;
};

struct cg_header {
	struct gprofx *gx;
	const struct gprofx_file *file;
	struct gprofx_profile *profile;
	bool is_cachegrind;
	bool is_by_gprofx;   /* which writes objects of functions behind their names, too */
	bool has_estimates;  /* the costs of calls are none that were measured */
	bool is_by_valgrind; /* which writes the sums behind the costs of a part */
	/* All events of the file; each is a metric. */
	struct text_span events[CG_MOST_EVENTS];
	uint32_t metrics[CG_MOST_EVENTS]; /* numbers of the host */
	uint32_t event_count;

	/* Of the part at hand. */
	uint32_t column[CG_MOST_EVENTS]; /* the event of each column */
	uint32_t column_count;
	enum cg_position positions[CG_MOST_POSITIONS];
	uint32_t position_count;
	uint64_t process, thread, part;
	struct text_span command;
	bool has_process, has_thread;
	uint32_t slice; /* the host's number; 0: of no thread */
	bool is_open;   /* its lines are being read */

	struct text_table slices, processes; /* the host's numbers, by the text of their numbers */
	uint64_t bytes, spent;               /* of lines of headers; what was declared of them */
};

/* What a line of a header is. */
enum cg_header_line {
	CG_OTHER_LINE, /* nothing that counts */
	CG_EVENTS,     /* a part begins */
	CG_TOTALS,     /* the part ends: sums of its costs */
	CG_SUMMARY     /* the same, where the file is of cachegrind */
};

/* Finds all events, before anything else is read.  Fails, with the diagnostic reported. */
enum gprofx_result cg_header_find_events(struct cg_header *header);

/* Reads a line "key: value". */
enum cg_header_line cg_header_read(struct cg_header *header, struct text_span line);

/* The sums that a line states. */
void cg_header_read_sums(struct text_span line, struct cg_sums *sums);

/* The thread of the part at hand is declared, once its costs begin. */
void cg_header_begin_costs(struct cg_header *header);

void cg_header_release(struct cg_header *header);

#endif
