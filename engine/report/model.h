/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The report: the frozen arrays that emitters see, and the services behind them.
 */
#ifndef ENGINE_REPORT_MODEL_H
#define ENGINE_REPORT_MODEL_H

#include "base/run.h"
#include "graph/graph.h"
#include "profile/profile.h"
#include "report/slices.h" /* IWYU pragma: export */
#include "select/filters.h"
#include "symbols/symbols.h"

/* The parts of the report, while they are made. */
struct report_parts {
	struct gprofx_report_origin origin;
	struct gprofx_report_functions functions;
	struct gprofx_report_graph graph;
	struct gprofx_report_source source;
	struct gprofx_report_files files;
	struct gprofx_report_findings findings;
	struct gprofx_report_compatibility compatibility;
	/* The kinds that values are split by; none if it was not asked for. */
	struct gprofx_report_slices slices[SLICE_COMBINATIONS];
};

/* Forms of contexts: each is made once, for all who need it. */
enum report_context_form {
	REPORT_CONTEXTS_BY_PLACE = 1,
	REPORT_CONTEXTS_INLINED = 2,
	REPORT_CONTEXTS_HOTTEST = 4,
	REPORT_CONTEXT_FORMS = 8
};

/* The form that is needed: contexts are bits of enum gprofx_context_need. */
static inline uint32_t
report_context_form(uint32_t contexts)
{
	uint32_t bits = contexts & GPROFX_CONTEXTS_BY_PLACE ? REPORT_CONTEXTS_BY_PLACE : 0;

	if (contexts & GPROFX_CONTEXTS_INLINED)
		bits |= REPORT_CONTEXTS_INLINED |
		        (contexts & GPROFX_CONTEXTS_HOTTEST ? REPORT_CONTEXTS_HOTTEST : 0);
	return bits;
}
#define REPORT_NOT_MEASURED UINT32_MAX

struct report_model {
	struct gprofx_report public;
	struct report_parts parts; /* that "public" leads to */
	/* That the parts lead to: what was measured, and its values. */
	struct gprofx_metric metric;
	struct gprofx_column node_column, arc_column, cycle_arc_column; /* of the first metric */
	struct gprofx_call_column node_calls, arc_calls, cycle_arc_calls;
	/* By form; NULL: not needed. */
	const struct gprofx_report_contexts *contexts[REPORT_CONTEXT_FORMS];
	/* NULL: the user named no inlined subroutine; none is known, or nothing shows them. */
	const struct gprofx_report_inlined *inlined, *heavy_inlined;
	/* NULL: no profile states costs of calls, or nothing shows them. */
	const struct gprofx_report_stated *stated;
	/* By run and metric, while they are made. */
	struct {
		struct gprofx_column *nodes, *arcs;
		uint32_t *own; /* which of the run's own metrics it is, or REPORT_NOT_MEASURED */
	} run_columns;
	struct run *run;
	struct symbols *symbols;
	struct graph *graph;
	/* Shown names per node; bytes is NULL until a name was made. */
	struct gprofx_text *names;
	uint32_t name_count;
	uint64_t name_cost; /* of names made so far; bounded */
	bool names_cut;     /* it was said that they passed the bound */
	uint32_t next_row;  /* of the flat profile, whose name is asked for next, probably */
	/*
	 * A view whose texts are printable, on which emitters can look that write them as they are:
	 * its paths by number of file, NULL: none were found; and whether the names are still those
	 * of the report itself.
	 */
	bool is_printable, shares_names;
	const char *const *paths;
	bool by_shown_name; /* lists are sorted by shown names, not those of the symbol table */
	/*
	 * Of a comparison, which has no symbols of its own: per function its source file, or NULL,
	 * and its line, 0: not known.  Otherwise NULL.
	 */
	const char *const *source_files;
	const uint32_t *source_lines;
	const struct gprofx_report_comparison *comparison; /* NULL: nothing was compared */
};

/*
 * Builds the parts (bits of enum gprofx_report_part) that the emitters of the run ask for, and
 * makes the names that they are going to show.
 */
struct report_model *
report_build(struct run *run, struct symbols *symbols, const struct profile *profile,
             struct graph *graph, uint32_t parts);

/*
 * Where all samples are: NULL where there is no histogram, or its bins are not divided exactly. The
 * times of the graph are final.
 */
const struct gprofx_account *
report_account(struct run *run, const struct symbols *symbols, const struct profile *profile,
               const struct graph *graph);

/*
 * A report that has nothing but its origin, the profile files, and, unless symbols is NULL, those
 * that are left out.
 */
struct report_model *
report_build_files(struct run *run, const struct symbols *symbols, const struct profile *profile);
/* Leads from the model's public report to the model and its parts. */
void report_link(struct report_model *model);
static inline const struct report_model *
report_model_of(const struct gprofx_report *report)
{
	return report->host;
}

/*
 * Rows for all metrics: the first one itself if there is no other, else a copy of it with zeros
 * behind it.
 */
void *report_rows_of_metrics(struct run *run, const struct report_model *model, void *first,
                             size_t row_bytes);

/* Sets what the report says about where it comes from. */
void report_set_origin(struct run *run, struct report_model *model);

/* The public table of arcs that stand in rows; its values are set in *column and *calls. */
struct gprofx_arcs
report_arcs(const struct report_model *model, const struct graph_arc *rows, uint32_t count,
            struct gprofx_column *column, struct gprofx_call_column *calls);

/* What was measured. */
void report_set_metrics(struct run *run, struct report_model *model, const struct profile *profile);
/* The column of nodes that the graph's own metric has; has_times: it has a histogram. */
struct gprofx_column report_node_column(struct run *run, const struct graph *graph, bool has_times);
/* The columns of all runs and metrics, once those of the first one are set. */
void report_set_columns(struct run *run, struct report_model *model, struct graph *graph,
                        const struct profile *first);
/* Calls of the graph's nodes, in a column of their own. */
struct gprofx_call_column report_node_calls(struct run *run, const struct graph *graph);
/* The columns of values and calls of the graph's own arcs. */
void report_own_arcs(const struct graph *graph, bool has_times, struct gprofx_column *column,
                     struct gprofx_call_column *calls);
/* Where the callees' own parts of arcs come from, in the metric of these stacks. */
enum gprofx_origin report_arc_self_origin(const struct stacks *stacks);
/* Not counted. */
struct gprofx_counts report_unknown_calls(void);
/*
 * Columns of calls by run, if there are several, once those of values are set; what follows from
 * calls is not known of a run that has counted none.
 */
void report_set_run_calls(struct run *run, struct report_model *model, const struct graph *first,
                          const struct profile *profile);
/* The columns of a further run's first metric. */
void report_run_columns(struct run *run, const struct report_model *model,
                        const struct graph *graph, const struct profile *profile,
                        struct gprofx_column *nodes, struct gprofx_column *arcs);
/* What a run has not measured: no values at all. */
struct gprofx_column report_no_column(uint32_t run, uint32_t metric);
/*
 * Squares of a run's metric, by its number there, in the row of its columns; by what factor its
 * ticks have grown.
 */
void
report_set_squares(struct run *run, struct report_model *model, const struct graph *graph,
                   const struct profile *profile, uint32_t number, uint32_t row, double factor);
/* Values of "count" rows, with some that are not known for cycles that the run has none of. */
struct gprofx_reals
report_with_cycles(struct run *run, struct gprofx_reals values, uint32_t count, uint32_t wanted);
/* Adds rows that are not known to a column of "own" rows, for cycles that the run has none of. */
void report_add_cycles(struct run *run, uint32_t own, uint32_t all, struct gprofx_column *nodes);
/* The table of runs. */
void report_set_runs(struct run *run, struct report_model *model, const struct profile *first);

/* Rows and orders; called by report_build(). */
void report_number_entries(struct run *run, struct report_model *model, uint32_t parts);
void report_list_flat(struct run *run, struct report_model *model);
void report_list_entries(struct run *run, struct report_model *model);
void report_list_cycle_callers(struct run *run, struct report_model *model);
void report_list_index(struct run *run, struct report_model *model);
void report_list_counts(struct run *run, struct report_model *model);

/* What was counted in the source. */
void
report_set_executions(struct run *run, struct report_model *model, const struct profile *profile);
/*
 * Which functions of the source are selected: of all symspecs of the filter, those that select
 * symbols of a function select the function.  Per executed_function, or NULL: all, and lines of
 * none.
 */
bool *report_select_executions(struct run *run, const struct gprofx_report *report,
                               const struct symbols *symbols, const struct filters *filters,
                               enum engine_filter filter);
/* The rows of execution counts, once their functions are listed. */
void report_list_counted_rows(struct run *run, struct report_model *model,
                              const struct profile *profile);

/* The shown name of a node, as gprofx_report_services.name. */
struct gprofx_text report_name(const struct gprofx_report *report, uint32_t node);
/* Without the place of a line. */
struct gprofx_text report_function_name(const struct gprofx_report *report, uint32_t node);
/* The source position of a node, as gprofx_report_services.source. */
const char *report_source(const struct gprofx_report *report, uint32_t node, uint32_t *line);
/* The name that is shown for one of the symbol table, of no function; run lifetime. */
const char *report_readable(struct report_model *model, const char *raw);
/* Sets a name that is asked for from now on; one that a view alone has is not the report's. */
void report_set_name(struct report_model *model, uint32_t node, struct gprofx_text name);
/* Makes the names of the marked nodes. */
void report_prepare_names(struct run *run, struct report_model *model, const uint8_t *marked);

/* What the profile of the first run states of lines and calls; NULL: nothing. */
const struct gprofx_report_stated *
report_stated(struct run *run, const struct report_model *model, const struct profile *profile);

/* Sets the images of the profiles. */
void report_set_images(struct run *run, struct report_model *model, const struct symbols *symbols);

#endif
