/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stacks for speedscope, in its own format:
 * https://github.com/jlfwong/speedscope/wiki/Importing-from-custom-sources.
 *
 * A profile is a list of stacks, each with a weight; a file can have several.
 */
#include <stdio.h>
#include <string.h>

#include <gprofx/emitter.h>

#include "../shared/digits.h"
#include "../shared/export-bounds.h"
#include "../shared/export-names.h"
#include "../shared/export-rows.h"
#include "../shared/export-tree.h"
#include "../shared/export-values.h"

struct options {
	bool inlined;
};

static const struct gprofx_option table[] = {
	{.key = "inlined",
         .type = GPROFX_BOOL,
         .offset = offsetof(struct options, inlined),
         .initial = "false",
         .help = "show inlined subroutines as frames"},
};

/* Units of times, the finest first. */
static const struct {
	const char *name;
	double per_second;
} units[] = {{"microseconds", 1e6}, {"milliseconds", 1e3}, {"seconds", 1}};

enum { UNITS = sizeof units / sizeof units[0] };
enum { NUMBER_ROOM = DIGITS_ROOM + 1 };

/* The stacks of one profile of the file. */
struct profile {
	const char *unit;
	struct export_scale scale;
	struct export_sum sum;
	uint64_t *weights;
	uint32_t count, room;
	uint64_t total;
	bool is_cut; /* some contexts were left out */
};

/* The file under way. */
struct speedscope {
	struct gprofx *gx;
	const struct gprofx_report *report;
	const struct gprofx_report_contexts *contexts;
	struct gprofx_writer *writer;
	uint32_t node_count;
	bool *is_used;                   /* per node: it has a frame */
	const struct gprofx_text *names; /* per node */
	/* Per node, and then per place: its row in the table of frames; of places only inlined
	 * subroutines. */
	uint32_t *frame_of;
	uint32_t frame_count, root, cut; /* frames so far, and two of them that are made up */
	uint32_t *path;                  /* frames of the stack under way, the innermost first */
	uint32_t profile_count;
};

/* A text as export_names() makes it, in quotes: nothing else needs an escape. */
static void
put_string(struct speedscope *s, struct gprofx_text text)
{
	if (export_put_plain(s->writer, text.bytes, text.length))
		return;
	gprofx_putc(s->writer, '"');
	for (size_t i = 0; i < text.length; i++) {
		if (text.bytes[i] == '"' || text.bytes[i] == '\\')
			gprofx_putc(s->writer, '\\');
		gprofx_putc(s->writer, text.bytes[i]);
	}
	gprofx_putc(s->writer, '"');
}

/* Begins a row of the table of frames, and returns its number. */
static uint32_t
begin_frame(struct speedscope *s, struct gprofx_text name)
{
	char *at = export_room(s->writer);

	if (s->frame_count > 0)
		*at++ = ',';
	export_end(s->writer, EXPORT_WORDS(at, "\n{\"name\":"));
	put_string(s, name);
	return s->frame_count++;
}

static void
put_node(struct speedscope *s, uint32_t node)
{
	const char *file = NULL;
	uint32_t line = 0;

	s->frame_of[node] = begin_frame(s, s->names[node]);
	if (node < s->report->functions->count)
		file = s->report->services->source(s->report, node, &line);
	if (file && file[0]) {
		gprofx_puts(s->writer, ",\"file\":");
		put_string(s, export_word(s->gx, file));
		if (line > 0) {
			gprofx_puts(s->writer, ",\"line\":");
			export_put_number(s->writer, line);
		}
	}
	gprofx_putc(s->writer, '}');
}

/* Inlined subroutines of one name have one frame. */
static void
put_places(struct speedscope *s)
{
	const struct gprofx_report_contexts *contexts = s->contexts;
	uint32_t count = contexts->place ? contexts->place_count : 0, distinct, next = 0, *number;
	struct gprofx_text *texts = gprofx_alloc(s->gx, ((size_t)count + 1) * sizeof *texts);
	uint32_t *frame = gprofx_alloc(s->gx, ((size_t)count + 1) * sizeof *frame);

	for (uint32_t i = 0; i < count; i++)
		texts[i] = export_word(s->gx,
		                       contexts->place_name[i] ? contexts->place_name[i] : "");
	number = export_distinct(s->gx, texts, count, &distinct);
	for (uint32_t i = 0; i < count; i++) {
		if (number[i] == next) {
			next++;
			frame[number[i]] = begin_frame(s, texts[i]);
			gprofx_putc(s->writer, '}');
		}
		s->frame_of[s->node_count + i] = frame[number[i]];
	}
}

/* Whether contexts of a metric were left out, be it that they have nothing of the first one. */
static bool
is_cut(const struct speedscope *s, uint32_t metric)
{
	return s->contexts->bounds != 0 || s->contexts->cut[metric] > 0;
}

static bool
has_cut(const struct speedscope *s)
{
	for (uint32_t i = 0; i < s->report->origin->metric_count; i++)
		if (is_cut(s, i))
			return true;
	return false;
}

static void
put_made_up(struct speedscope *s)
{
	s->root = begin_frame(s, export_estimate_frame(s->gx, s->report, NULL));
	gprofx_putc(s->writer, '}');
	if (!has_cut(s))
		return;
	s->cut = begin_frame(s, export_word(s->gx, EXPORT_CUT_FRAME));
	gprofx_putc(s->writer, '}');
}

/* Functions and cycles that some profile of the file has. */
static void
find_used(struct speedscope *s)
{
	const struct gprofx_report_graph *graph = s->report->graph;

	s->node_count = graph->node_count;
	s->is_used = gprofx_alloc(s->gx, (size_t)s->node_count + 1);
	for (uint32_t i = 0; i < s->contexts->count; i++)
		s->is_used[s->contexts->node[i]] = true;
	for (uint32_t i = 0; i < s->report->functions->count; i++)
		s->is_used[i] = s->is_used[i] || gprofx_known_calls_of(s->report, i) > 0 ||
		                gprofx_whole_self_of(s->report, i) > 0;
}

static void
put_frames(struct speedscope *s)
{
	size_t places = s->contexts->place ? s->contexts->place_count : 0;

	find_used(s);
	s->names = export_names(s->gx, s->report, s->node_count, s->is_used, NULL);
	s->frame_of = gprofx_alloc(s->gx, (s->node_count + places + 1) * sizeof *s->frame_of);
	gprofx_puts(s->writer, "\"shared\":{\"frames\":[");
	if (s->contexts->is_estimated)
		put_made_up(s);
	for (uint32_t i = 0; i < s->node_count; i++)
		if (s->is_used[i])
			put_node(s, i);
	put_places(s);
	gprofx_puts(s->writer, "\n]},\n");
}

static uint32_t
frame_of_context(const struct speedscope *s, uint32_t context)
{
	uint32_t place = s->contexts->place ? s->contexts->place[context] : GPROFX_NO_PLACE;

	return place != GPROFX_NO_PLACE && s->contexts->place_name[place]
	               ? s->frame_of[s->node_count + place]
	               : s->frame_of[s->contexts->node[context]];
}

static void
put_stack(const struct speedscope *s, uint32_t depth, bool is_first)
{
	char *at = export_room(s->writer);

	if (!is_first)
		*at++ = ',';
	*at++ = '\n';
	*at++ = '[';
	for (uint32_t i = depth; i-- > 0;) {
		at = export_number(at, s->path[i]);
		*at++ = i > 0 ? ',' : ']';
		if (s->writer->end - at < NUMBER_ROOM) {
			export_end(s->writer, at);
			at = export_room(s->writer);
		}
	}
	export_end(s->writer, at);
}

/* The stack of the first "depth" frames of the path, if it has some weight. */
static void
add_stack(struct speedscope *s, struct profile *profile, uint32_t depth, double ticks)
{
	uint64_t value = export_round(&profile->sum, export_scaled(&profile->scale, ticks));

	if (value == 0)
		return;
	if (profile->count == profile->room) {
		size_t old = profile->room * sizeof *profile->weights;

		profile->room = profile->room == 0 ? 1024 : 2 * profile->room;
		profile->weights = s->gx->host->grow(s->gx, profile->weights, old,
		                                     profile->room * sizeof *profile->weights);
	}
	put_stack(s, depth, profile->count == 0);
	profile->weights[profile->count++] = value;
	profile->total += value;
}

static void
begin_profile(struct speedscope *s, const char *name, const struct gprofx_metric *metric,
              const struct profile *profile)
{
	struct gprofx_text text;
	char *whole = NULL;

	gprofx_puts(s->writer, s->profile_count++ > 0 ? ",\n" : "\n");
	gprofx_puts(s->writer, "{\"type\":\"sampled\",\"name\":");
	if (metric) {
		whole = gprofx_alloc(s->gx, strlen(name) + strlen(metric->name) + sizeof " of ");
		sprintf(whole, "%s of %s", name, metric->name);
	}
	text = export_word(s->gx, whole ? whole : name);
	put_string(s, text);
	gprofx_out(s->writer, ",\"unit\":\"%s\",\"startValue\":0,\n\"samples\":[", profile->unit);
}

static void
end_profile(struct speedscope *s, struct profile *profile)
{
	gprofx_puts(s->writer, "\n],\n\"weights\":[");
	for (uint32_t i = 0; i < profile->count; i++) {
		char *at = export_room(s->writer);

		if (i > 0)
			*at++ = i % 16 == 0 ? '\n' : ' ';
		at = export_number(at, profile->weights[i]);
		if (i + 1 < profile->count)
			*at++ = ',';
		export_end(s->writer, at);
	}
	gprofx_puts(s->writer, "],\n\"endValue\":");
	export_put_number(s->writer, profile->total);
	gprofx_putc(s->writer, '}');
	s->gx->host->release(s->gx, profile->weights);
	*profile = (struct profile){0};
}

/* What is below the stack under way, and was left out. */
static void
add_cut(struct speedscope *s, struct profile *profile, uint32_t context, double ticks)
{
	uint32_t depth = 1;

	if (!profile->is_cut)
		return;
	s->path[0] = s->cut;
	for (uint32_t i = context; i != GPROFX_NO_CONTEXT; i = s->contexts->parent[i])
		s->path[depth++] = frame_of_context(s, i);
	s->path[depth++] = s->root;
	add_stack(s, profile, depth, ticks);
}

static void
add_context(struct speedscope *s, struct profile *profile, uint32_t context, double ticks)
{
	uint32_t depth = 0;

	if (!(ticks > 0))
		return;
	for (uint32_t i = context; i != GPROFX_NO_CONTEXT; i = s->contexts->parent[i])
		s->path[depth++] = frame_of_context(s, i);
	if (s->contexts->is_estimated)
		s->path[depth++] = s->root;
	add_stack(s, profile, depth, ticks);
}

static void
put_stacks(struct speedscope *s, const struct gprofx_column *column, struct profile *profile)
{
	const struct gprofx_report_contexts *contexts = s->contexts;
	struct export_tree tree = export_tree(s->gx, contexts);
	double *rest = export_rest(s->gx, contexts, column), whole = column->graph_total;

	for (uint32_t i = tree.root; i != GPROFX_NO_CONTEXT; i = export_next(&tree, i)) {
		add_context(s, profile, i, gprofx_real(&column->self, i));
		add_cut(s, profile, i, rest[i]);
		if (tree.parent[i] == GPROFX_NO_CONTEXT)
			whole -= export_inclusive(column, i);
	}
	add_cut(s, profile, GPROFX_NO_CONTEXT, whole);
	s->gx->host->release(s->gx, rest);
	export_tree_release(s->gx, &tree);
}

/* Integers in the finest unit that readers, which have doubles, tell exactly. */
static struct profile
profile_of(const struct gprofx_metric *metric, double whole)
{
	struct profile profile = {.unit = "none", .scale = {1, 1}};

	for (uint32_t i = 0; export_is_time(metric) && i < UNITS; i++) {
		profile.unit = units[i].name;
		profile.scale = export_time_scale(metric, units[i].per_second);
		if (export_scaled(&profile.scale, whole) < EXPORT_EXACT)
			break;
	}
	return profile;
}

/* One profile for each metric that contexts have. */
static void
put_measured(struct speedscope *s)
{
	uint32_t count = s->report->origin->metric_count;
	const char *name = s->contexts->is_estimated
	                           ? "Estimated stacks (gprof propagation, paths not measured)"
	                           : "Measured stacks";

	for (uint32_t i = 0; i < count; i++) {
		const struct gprofx_column *column = gprofx_column_at(s->contexts->columns, i);
		const struct gprofx_metric *metric = gprofx_metric_at(s->report, i);
		struct profile profile;

		if (column->self_origin == GPROFX_UNKNOWN)
			continue;
		profile = profile_of(metric, column->graph_total);
		profile.is_cut = is_cut(s, i);
		begin_profile(s, name, count > 1 ? metric : NULL, &profile);
		put_stacks(s, column, &profile);
		end_profile(s, &profile);
	}
}

/* What functions have themselves, which even a profile without stacks has measured. */
static void
put_self(struct speedscope *s)
{
	const struct gprofx_column *column = s->report->graph->columns;
	struct profile profile = profile_of(s->report->origin->metrics, column->flat_total);

	begin_profile(s, "Self time (measured)", NULL, &profile);
	for (uint32_t i = 0; i < s->report->functions->count; i++) {
		s->path[0] = s->frame_of[i];
		if (s->is_used[i])
			add_stack(s, &profile, 1, gprofx_whole_self_in(column, i));
	}
	end_profile(s, &profile);
}

static void
put_calls(struct speedscope *s)
{
	struct profile profile = {.unit = "none", .scale = {1, 1}};
	bool has_calls = false;

	for (uint32_t i = 0; i < s->report->functions->count; i++)
		has_calls = has_calls || gprofx_known_calls_of(s->report, i) > 0;
	if (!has_calls)
		return;
	begin_profile(s, "Calls (counted)", NULL, &profile);
	for (uint32_t i = 0; i < s->report->functions->count; i++) {
		s->path[0] = s->frame_of[i];
		if (s->is_used[i])
			add_stack(s, &profile, 1, (double)gprofx_known_calls_of(s->report, i));
	}
	end_profile(s, &profile);
}

/* *deepest: frames of the longest stack. */
static enum gprofx_result
check(const struct speedscope *s, uint32_t *deepest)
{
	const struct gprofx_report_origin *origin = s->report->origin;
	struct profile self;
	double calls = 0;

	for (uint32_t i = 0; i < origin->metric_count; i++) {
		const struct gprofx_column *column = gprofx_column_at(s->contexts->columns, i);
		struct profile profile = profile_of(gprofx_metric_at(s->report, i),
		                                    column->graph_total);

		if (column->self_origin != GPROFX_UNKNOWN &&
		    export_check_exact(s->gx, export_scaled(&profile.scale, column->graph_total),
		                       "speedscope") != GPROFX_OK)
			return GPROFX_FAILED;
	}
	for (uint32_t i = 0; i < s->report->functions->count; i++)
		calls += (double)gprofx_known_calls_of(s->report, i);
	if (export_check_exact(s->gx, calls, "speedscope") != GPROFX_OK)
		return GPROFX_FAILED;
	self = profile_of(origin->metrics, s->report->graph->columns->flat_total);
	if (s->contexts->is_estimated &&
	    export_check_exact(s->gx,
	                       export_scaled(&self.scale, s->report->graph->columns->flat_total),
	                       "speedscope") != GPROFX_OK)
		return GPROFX_FAILED;
	return export_check_frames(s->gx, s->contexts, "speedscope.too-large", deepest);
}

static enum gprofx_result
emit(struct gprofx *gx, const struct gprofx_emission *emission, const void *options)
{
	const struct gprofx_report *report = emission->report;
	struct speedscope s = {.gx = gx,
	                       .report = report,
	                       .contexts = report->contexts,
	                       .writer = emission->writer};

	uint32_t deepest;

	(void)options;
	if (check(&s, &deepest) != GPROFX_OK)
		return GPROFX_FAILED;
	/* And two frames that are made up. */
	s.path = gprofx_alloc(gx, ((size_t)deepest + 2) * sizeof *s.path);
	gprofx_puts(s.writer,
	            "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\n"
	            "\"name\":");
	put_string(&s, export_word(gx, export_program(report)));
	gprofx_out(s.writer, ",\"exporter\":\"gprofx@%s\",\"activeProfileIndex\":0,\n",
	           report->origin->version);
	put_frames(&s);
	gprofx_puts(s.writer, "\"profiles\":[");
	put_measured(&s);
	if (s.contexts->is_estimated)
		put_self(&s);
	put_calls(&s);
	gprofx_puts(s.writer, "\n]}\n");
	return GPROFX_OK;
}

static void
needs_with(const void *opaque, struct gprofx_needs *needs)
{
	const struct options *options = opaque;

	needs->parts = GPROFX_PART_NODES | GPROFX_PART_SOURCES;
	needs->traits = GPROFX_EMITTER_ALONE | GPROFX_EMITTER_BYTES;
	needs->contexts = GPROFX_CONTEXTS | (options->inlined ? GPROFX_CONTEXTS_INLINED : 0);
}

static const struct gprofx_emitter emitter = {
	.size = sizeof emitter,
	.format = "speedscope",
	.extension = "json",
	.emit = emit,
	.needs_with = needs_with,
};

GPROFX_PLUGIN = {
	GPROFX_ABI,
	.name = "output-speedscope",
	.version = "1.0",
	.summary = "Call stacks for speedscope",
	GPROFX_OPTIONS(struct options, table),
	.emitter = &emitter,
};
