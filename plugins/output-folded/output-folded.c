/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calling contexts as folded stacks: a line for each, its frames from the root, and a number; of a
 * comparison two numbers.
 */
#include <string.h>

#include <gprofx/emitter.h>

#include "../shared/export-names.h"
#include "../shared/export-tree.h"
#include "../shared/export-values.h"

enum unit { UNIT_US, UNIT_NS, UNIT_MS, UNIT_TICKS };

static const char *const unit_words[] = {"us", "ns", "ms", "ticks", NULL};
static const double per_second[] = {1e6, 1e9, 1e3};

struct options {
	uint32_t unit; /* enum unit */
	bool inlined;
};

static const struct gprofx_option table[] = {
	{.key = "unit",
         .type = GPROFX_CHOICE,
         .offset = offsetof(struct options, unit),
         .initial = "us",
         .choices = unit_words,
         .help = "the unit of times; other values are always in ticks"},
	{.key = "inlined",
         .type = GPROFX_BOOL,
         .offset = offsetof(struct options, inlined),
         .initial = "false",
         .help = "show inlined subroutines as frames"},
};

/*
 * Each stack is spelled out, so a deep tree of long names can take any room.  Nobody reads files of
 * this size.
 */
#define MOST_BYTES (UINT64_C(1) << 32)

static const char cut_frame[] = EXPORT_CUT_FRAME;
static const char inlined_mark[] = "_[i]", kernel_mark[] = "_[k]";

/* Numbers on a line: one, or those of the base and of the new side. */
enum { MOST_COLUMNS = 2 };

/* The file under way. */
struct folded {
	struct gprofx *gx;
	const struct gprofx_report *report;
	const struct gprofx_report_contexts *contexts;
	const struct gprofx_column *values[MOST_COLUMNS];
	uint32_t column_count;
	struct gprofx_writer *writer;
	struct export_scale scale;
	struct export_sum sum[MOST_COLUMNS];
	const struct gprofx_text *names;  /* per node */
	const struct gprofx_text *places; /* per place: the inlined subroutine; empty: none */
	double *rest[MOST_COLUMNS];       /* per context: inclusive time of children left out */
	uint64_t *length;                 /* per context: bytes of the stack up to it */
	char *path;                       /* the stack under way */
	size_t root;                      /* bytes of the frame that all stacks begin with */
};

/*
 * Where a blank and a number end the name: flame graphs would take it for a second count.  Returns
 * the index of the blank, or the length.
 */
static size_t
find_number(const char *bytes, size_t length)
{
	size_t at = length, digits;

	while (at > 0 && bytes[at - 1] >= '0' && bytes[at - 1] <= '9')
		at--;
	digits = at;
	if (at > 0 && bytes[at - 1] == '.')
		for (at--; at > 0 && bytes[at - 1] >= '0' && bytes[at - 1] <= '9';)
			at--;
	/* "f 12", "f 1.5", "f 1."; "f .5" has no number before the point. */
	if (digits < length && digits > 0 && bytes[digits - 1] == ' ')
		return digits - 1;
	if (at < digits && bytes[at] != '.' && at > 0 && bytes[at - 1] == ' ')
		return at - 1;
	return length;
}

static bool
is_fit(const char *bytes, size_t length)
{
	return !memchr(bytes, ';', length) && bytes[0] != '#' &&
	       find_number(bytes, length) == length;
}

static void
fit(char *bytes, size_t length)
{
	size_t blank = find_number(bytes, length);

	if (blank < length)
		bytes[blank] = '_';
	/* A line that begins with it is a comment. */
	if (bytes[0] == '#')
		bytes[0] = '_';
	for (size_t i = 0; i < length; i++)
		if (bytes[i] == ';')
			bytes[i] = ',';
}

static const struct export_form form = {.is_fit = is_fit, .fit = fit};

/* The object of a node's code if that is the kernel, or NULL. */
static const char *
kernel_of(const struct gprofx_report *report, uint32_t node)
{
	const struct gprofx_report_functions *functions = report->functions;
	const char *object = functions->object_name && node < functions->count
	                             ? functions->object_name[node]
	                             : NULL;

	return object && strncmp(object, "[kernel", strlen("[kernel")) == 0 ? object : NULL;
}

/* The name of a function of the kernel: the mark says what " ([kernel])" does. */
static struct gprofx_text
without_object(struct gprofx_text name, const char *object)
{
	size_t length = strlen(object), end = length + strlen(" ()");

	if (name.length > end && name.bytes[name.length - 1] == ')' &&
	    memcmp(name.bytes + name.length - end, " (", 2) == 0 &&
	    memcmp(name.bytes + name.length - 1 - length, object, length) == 0)
		name.length -= end;
	return name;
}

/* The name of a context's frame; *mark: what stands behind it. */
static struct gprofx_text
frame_of(const struct folded *s, uint32_t context, const char **mark)
{
	const struct gprofx_report_contexts *contexts = s->contexts;
	uint32_t place = s->places ? contexts->place[context] : GPROFX_NO_PLACE;
	uint32_t node = contexts->node[context];
	const char *kernel = kernel_of(s->report, node);

	*mark = kernel ? kernel_mark : "";
	if (s->places && (contexts->flags[context] & GPROFX_CONTEXT_INLINED))
		*mark = inlined_mark;
	else if (kernel)
		return without_object(s->names[node], kernel);
	return place != GPROFX_NO_PLACE && s->places[place].length > 0 ? s->places[place]
	                                                               : s->names[node];
}

static void
make_names(struct folded *s)
{
	const struct gprofx_report_contexts *contexts = s->contexts;
	struct gprofx_text *places;
	uint32_t nodes = 0;
	bool *is_used;

	for (uint32_t i = 0; i < contexts->count; i++)
		nodes = contexts->node[i] >= nodes ? contexts->node[i] + 1 : nodes;
	is_used = gprofx_alloc(s->gx, (size_t)nodes + 1);
	for (uint32_t i = 0; i < contexts->count; i++)
		is_used[contexts->node[i]] = true;
	s->names = export_names(s->gx, s->report, nodes, is_used, &form);
	if (!contexts->place)
		return;
	s->places = places = gprofx_alloc(s->gx,
	                                  ((size_t)contexts->place_count + 1) * sizeof *places);
	for (uint32_t i = 0; i < contexts->place_count; i++) {
		const char *name = contexts->place_name[i];

		if (name)
			places[i] = export_text(s->gx, (struct gprofx_text){name, strlen(name)},
			                        &form);
	}
}

/* Whether a context has time of its own, in any column. */
static bool
has_self(const struct folded *s, uint32_t context)
{
	for (uint32_t k = 0; k < s->column_count; k++)
		if (gprofx_real(&s->values[k]->self, context) > 0)
			return true;
	return false;
}

/* The values, and how long each stack is; fails where they are too many bytes. */
static enum gprofx_result
measure(struct folded *s, uint64_t *longest_stack)
{
	static const struct gprofx_diagnostic too_large = {
		.id = "folded.too-large",
		.hint = "write fewer contexts: --set=report.contexts=1000",
	};
	const struct gprofx_report_contexts *contexts = s->contexts;
	uint64_t longest = 0, bytes = 0;

	for (uint32_t i = 0; i < contexts->count; i++) {
		uint32_t parent = contexts->parent[i];
		const char *mark;
		struct gprofx_text name = frame_of(s, i, &mark);
		uint64_t above = parent == GPROFX_NO_CONTEXT ? s->root : s->length[parent];

		s->length[i] = above + (above > 0) + name.length + strlen(mark);
		longest = s->length[i] > longest ? s->length[i] : longest;
		bytes += has_self(s, i) ? s->length[i] : 0;
		if (longest > MOST_BYTES || bytes > MOST_BYTES)
			return gprofx_fail(s->gx, &too_large,
			                   "expected less than 4 GiB of stacks, found more");
	}
	*longest_stack = longest;
	return GPROFX_OK;
}

static size_t
add_frame(struct folded *s, size_t length, const char *bytes, size_t count)
{
	if (length > 0)
		s->path[length++] = ';';
	memcpy(s->path + length, bytes, count);
	return length + count;
}

/* A line of the stack under way; none where all numbers are 0. */
static void
put_values(struct folded *s, size_t length, const uint64_t *values)
{
	uint64_t any = 0;

	for (uint32_t k = 0; k < s->column_count; k++)
		any |= values[k];
	if (any == 0)
		return;
	gprofx_put(s->writer, s->path, length);
	for (uint32_t k = 0; k < s->column_count; k++) {
		gprofx_putc(s->writer, ' ');
		s->writer->services->number(s->writer, values[k], 0);
	}
	gprofx_putc(s->writer, '\n');
}

static void
put_line(struct folded *s, size_t length, const double *ticks)
{
	uint64_t values[MOST_COLUMNS];

	for (uint32_t k = 0; k < s->column_count; k++)
		values[k] = export_round(&s->sum[k], export_scaled(&s->scale, ticks[k]));
	put_values(s, length, values);
}

/* What is below the stack under way, and was left out. */
static void
put_cut(struct folded *s, size_t length, const double *ticks)
{
	if (s->contexts->bounds != 0)
		put_line(s, add_frame(s, length, cut_frame, sizeof cut_frame - 1), ticks);
}

/* What a context has itself, and what was left out below it. */
static void
put_context(struct folded *s, uint32_t context, size_t length)
{
	double self[MOST_COLUMNS] = {0}, rest[MOST_COLUMNS] = {0};

	for (uint32_t k = 0; k < s->column_count; k++) {
		self[k] = gprofx_real(&s->values[k]->self, context);
		rest[k] = s->rest[k][context];
	}
	if (export_is_exact(&s->scale, s->contexts))
		put_values(s, length, &s->contexts->self_ticks[context]);
	else
		put_line(s, length, self);
	put_cut(s, length, rest);
}

static void
put_stacks(struct folded *s)
{
	struct export_tree tree = export_tree(s->gx, s->contexts);
	double rest[MOST_COLUMNS] = {0};

	for (uint32_t k = 0; k < s->column_count; k++)
		rest[k] = s->values[k]->graph_total;
	for (uint32_t i = tree.root; i != GPROFX_NO_CONTEXT; i = export_next(&tree, i)) {
		uint32_t parent = tree.parent[i];
		const char *mark;
		struct gprofx_text name = frame_of(s, i, &mark);
		size_t length = parent == GPROFX_NO_CONTEXT ? s->root : (size_t)s->length[parent];

		length = add_frame(s, length, name.bytes, name.length);
		memcpy(s->path + length, mark, strlen(mark));
		length += strlen(mark);
		put_context(s, i, length);
		for (uint32_t k = 0; k < s->column_count && parent == GPROFX_NO_CONTEXT; k++)
			rest[k] -= export_inclusive(s->values[k], i);
	}
	put_cut(s, s->root, rest);
}

static enum gprofx_result
emit(struct gprofx *gx, const struct gprofx_emission *emission, const void *opaque)
{
	const struct options *options = opaque;
	const struct gprofx_report *report = emission->report;
	const struct gprofx_metric *metric = report->origin->metrics;
	size_t count = (size_t)report->contexts->count + 1;
	struct folded s = {
		.gx = gx,
		.report = report,
		.contexts = report->contexts,
		.column_count = report->comparison ? MOST_COLUMNS : 1,
		.writer = emission->writer,
		.scale = options->unit == UNIT_TICKS
	                         ? (struct export_scale){1, 1}
	                         : export_time_scale(metric, per_second[options->unit]),
	};
	struct gprofx_text root = {0};
	uint64_t longest = 0;

	for (uint32_t k = 0; k < s.column_count; k++) {
		s.values[k] = gprofx_column_of(report, s.contexts->columns, k, 0);
		if (export_check_whole(gx, export_scaled(&s.scale, s.values[k]->graph_total),
		                       "folded") != GPROFX_OK)
			return GPROFX_FAILED;
		s.rest[k] = export_rest(gx, s.contexts, s.values[k]);
	}
	s.length = gprofx_alloc(gx, count * sizeof *s.length);
	if (s.contexts->is_estimated)
		root = export_estimate_frame(gx, report, &form);
	s.root = root.length;
	make_names(&s);
	if (measure(&s, &longest) != GPROFX_OK)
		return GPROFX_FAILED;
	s.path = gprofx_alloc(gx, (size_t)longest + s.root + sizeof cut_frame + 1);
	if (root.length > 0)
		memcpy(s.path, root.bytes, root.length);
	put_stacks(&s);
	return GPROFX_OK;
}

static void
needs_with(const void *opaque, struct gprofx_needs *needs)
{
	const struct options *options = opaque;

	needs->parts = GPROFX_PART_NODES | GPROFX_PART_SOURCES;
	needs->also = GPROFX_PART_COMPARISON;
	needs->traits = GPROFX_EMITTER_ALONE | GPROFX_EMITTER_BYTES | GPROFX_EMITTER_COMPARES;
	needs->contexts = GPROFX_CONTEXTS | (options->inlined ? GPROFX_CONTEXTS_INLINED : 0);
}

static const struct gprofx_emitter emitter = {
	.size = sizeof emitter,
	.format = "folded",
	.extension = "folded",
	.emit = emit,
	.needs_with = needs_with,
};

GPROFX_PLUGIN = {
	GPROFX_ABI,
	.name = "output-folded",
	.version = "1.0",
	.summary = "Folded call stacks, for flame graphs",
	GPROFX_OPTIONS(struct options, table),
	.emitter = &emitter,
};
