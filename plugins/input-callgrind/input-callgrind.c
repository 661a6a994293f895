/* SPDX-License-Identifier: Apache-2.0 */
/*
 * input-callgrind: what callgrind and cachegrind of Valgrind write, and other programs in the
 * format of callgrind: for each function its costs by line, and for calls their number and what
 * they cost with all that they called.
 *
 * Format: "Callgrind Format Specification" of Valgrind's manual, and what Valgrind 3.19 writes.
 */
#include <string.h>

#include <gprofx/reader.h>

#include "../shared/text-lines.h"
#include "../shared/text-table.h"
#include "costs.h"
#include "header.h"
#include "names.h"

enum { CERTAIN = 95, LOOKED_AT = 400 /* lines that show what a file is */ };

/* A function that lines belong to, or one that is called. */
struct function {
	uint32_t object, file;
	struct cg_name name;
};

struct reading {
	struct gprofx *gx;
	const struct gprofx_file *file;
	struct text_lines lines;
	struct cg_header header;
	struct cg_names names;
	struct cg_costs costs;
	uint32_t object, source;                   /* those that lines are of */
	struct text_span object_last, callee_last; /* the last parts of paths */
	struct function function, callee;
	bool has_callee_object, has_callee_file, has_callee;

	uint64_t position[CG_MOST_POSITIONS]; /* of the last line with costs */
	uint64_t costs_of_line[CG_MOST_EVENTS];
	bool is_call, is_jump; /* the next line with costs belongs to one */
	uint64_t call_count;
	uint64_t sums[CG_MOST_EVENTS]; /* costs of the part by column */
	bool has_costs;                /* since sums were compared */
	uint32_t bad_lines, bad_sums;
};

static const struct text_span none = {"", 0};

static void
tell_bad_line(struct reading *r, const char *wanted)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "callgrind.bad-line",
		.file = r->file->name,
		.place = GPROFX_AT_LINE,
		.line = r->lines.number,
		.hint = "the file is damaged, or its writer has a defect; this line is left out"};

	if (r->bad_lines++ < CG_MOST_TOLD)
		gprofx_warn(r->gx, &diagnostic, "expected %s, found something else", wanted);
}

static const char *
skip_blanks(const char *at, const char *end)
{
	while (at < end && (*at == ' ' || *at == '\t' || *at == '\r'))
		at++;
	return at;
}

/* Reads a number; NULL: there is none. */
static const char *
read_number(const char *at, const char *end, uint64_t *number)
{
	const char *past;

	if (end - at > 2 && at[0] == '0' && (at[1] | 0x20) == 'x') {
		at += 2;
		past = text_read_hex(at, end, number);
	} else {
		past = text_read_digits(at, end, number);
	}
	if (past == at || (past < end && (unsigned char)*past > ' '))
		return NULL;
	return past;
}

/* Reads a position that can be relative to another one. */
static const char *
read_position(const char *at, const char *end, uint64_t last, uint64_t *position)
{
	uint64_t number;
	const char *past;

	if (at == end)
		return NULL;
	if (*at == '*') {
		*position = last;
		return at + 1 == end || (unsigned char)at[1] <= ' ' ? at + 1 : NULL;
	}
	past = read_number(*at == '+' || *at == '-' ? at + 1 : at, end, &number);
	*position = *at == '+' ? last + number : *at == '-' ? last - number : number;
	return past;
}

/* Reads the positions of a line. */
static const char *
read_positions(const struct reading *r, const char *at, const char *end, uint64_t *positions)
{
	for (uint32_t i = 0; i < r->header.position_count && at; i++) {
		at = skip_blanks(at, end);
		at = read_position(at, end, r->position[i], &positions[i]);
	}
	return at;
}

/* Reads costs, by column; those that are not there are 0.  False: there is something else. */
static bool
read_costs(const struct reading *r, const char *at, const char *end, uint64_t *costs)
{
	for (uint32_t i = 0; i < r->header.column_count; i++) {
		costs[i] = 0;
		at = skip_blanks(at, end);
		if (at == end)
			continue;
		if (*at == '.' && (at + 1 == end || (unsigned char)at[1] <= ' '))
			at++;
		else
			at = read_number(at, end, &costs[i]);
		if (!at)
			return false;
	}
	return skip_blanks(at, end) == end;
}

/* The line of the position; 0: not known. */
static uint32_t
line_at(const struct reading *r)
{
	for (uint32_t i = 0; i < r->header.position_count; i++)
		if (r->header.positions[i] == CG_LINE)
			return r->position[i] <= UINT32_MAX ? (uint32_t)r->position[i] : 0;
	return 0;
}

/* Costs before any function are of one that is not known. */
static uint32_t
text_of(struct reading *r, const struct function *function)
{
	static const struct text_span unknown = {"???", 3};

	if (function->name.text != 0)
		return function->name.text;
	return cg_name_of(&r->names, CG_FUNCTION, unknown, r->lines.number).text;
}

static struct gprofx_raw_code
code_at(struct reading *r)
{
	uint32_t line = line_at(r);

	return (struct gprofx_raw_code){
		.function = text_of(r, &r->function),
		.file = r->function.file,
		.object = r->function.object,
		/* Of a line of a file that is not known, nothing is known. */
		.line = r->source != 0 ? line : 0,
		.line_file = r->source != r->function.file && line != 0 ? r->source : 0,
		.flags = r->function.name.is_nested ? GPROFX_PLACE_NESTED : 0,
	};
}

static void
by_event(const struct reading *r, const uint64_t *costs, uint64_t *values)
{
	memset(values, 0, r->header.event_count * sizeof *values);
	for (uint32_t i = 0; i < r->header.column_count; i++)
		values[r->header.column[i]] = costs[i];
}

static enum gprofx_result
add_calls(struct reading *r, const uint64_t *values)
{
	const struct gprofx_raw_code ends[2] = {
		code_at(r),
		{.function = text_of(r, &r->callee),
	         .file = r->has_callee_file ? r->callee.file : r->source,
	         .object = r->has_callee_object ? r->callee.object : r->object}};
	uint32_t flags = (r->function.name.is_nested ? GPROFX_CALL_FROM_NESTED : 0) |
	                 (r->callee.name.is_nested ? GPROFX_CALL_TO_NESTED : 0);

	return cg_costs_add_calls(&r->costs, ends, flags, r->call_count, values);
}

static void
forget_callee(struct reading *r)
{
	r->is_call = r->has_callee = r->has_callee_object = r->has_callee_file = false;
}

/* A line that begins with a position. */
static enum gprofx_result
read_cost_line(struct reading *r, const char *at, const char *end)
{
	uint64_t position[CG_MOST_POSITIONS] = {0}, values[CG_MOST_EVENTS];
	uint64_t *costs = r->costs_of_line;
	enum gprofx_result result;
	struct gprofx_raw_code code;

	at = read_positions(r, at, end, position);
	if (!at || !read_costs(r, at, end, costs)) {
		tell_bad_line(r, "positions and costs");
		r->is_jump = false;
		forget_callee(r);
		return GPROFX_OK;
	}
	if (r->header.is_open)
		cg_header_begin_costs(&r->header);
	memcpy(r->position, position, sizeof position);
	if (r->is_jump) {
		r->is_jump = false;
		return GPROFX_OK;
	}
	by_event(r, costs, values);
	if (r->is_call) {
		result = add_calls(r, values);
		forget_callee(r);
		return result;
	}
	r->has_costs = true;
	for (uint32_t i = 0; i < r->header.column_count; i++)
		r->sums[i] = cg_sum(r->sums[i], costs[i]);
	code = code_at(r);
	return cg_costs_add(&r->costs, &code, r->header.slice, values);
}

/* "calls=3 12": how often, and where the callee is. */
static void
read_calls(struct reading *r, const char *at, const char *end)
{
	uint64_t position[CG_MOST_POSITIONS];

	at = read_number(skip_blanks(at, end), end, &r->call_count);
	if (!at || !read_positions(r, at, end, position) || !r->has_callee) {
		tell_bad_line(r, "a number of calls of a function");
		forget_callee(r);
		return;
	}
	r->is_call = true;
}

/* Lines "key=value" whose values are names. */
static bool
read_name(struct reading *r, struct text_span line)
{
	struct text_span value = {line.text + 3, line.length - 3};
	const char *key = line.text;

	if (memcmp(key, "fn=", 3) == 0) {
		r->names.object = r->header.is_by_gprofx ? r->object_last : none;
		r->function = (struct function){
			r->object, r->source,
			cg_name_of(&r->names, CG_FUNCTION, value, r->lines.number)};
		return true;
	}
	if (memcmp(key, "fl=", 3) == 0 || memcmp(key, "fi=", 3) == 0 ||
	    memcmp(key, "fe=", 3) == 0) {
		r->source = cg_name_of(&r->names, CG_FILE, value, r->lines.number).text;
		return true;
	}
	if (memcmp(key, "ob=", 3) == 0) {
		const struct cg_name name = cg_name_of(&r->names, CG_OBJECT, value,
		                                       r->lines.number);

		r->object = name.text;
		r->object_last = name.last;
		return true;
	}
	return false;
}

/* The same of what is called, and of what is jumped to, which counts only for its numbers. */
static bool
read_other_name(struct reading *r, struct text_span line)
{
	struct text_span value = {line.text + 4, line.length - 4};
	const char *key = line.text;
	uint32_t number = r->lines.number;

	if (memcmp(key, "cfn=", 4) == 0) {
		r->names.object = !r->header.is_by_gprofx ? none
		                  : r->has_callee_object  ? r->callee_last
		                                          : r->object_last;
		r->callee.name = cg_name_of(&r->names, CG_FUNCTION, value, number);
		r->has_callee = true;
	} else if (memcmp(key, "cfi=", 4) == 0 || memcmp(key, "cfl=", 4) == 0) {
		r->callee.file = cg_name_of(&r->names, CG_FILE, value, number).text;
		r->has_callee_file = true;
	} else if (memcmp(key, "cob=", 4) == 0) {
		const struct cg_name name = cg_name_of(&r->names, CG_OBJECT, value, number);

		r->callee.object = name.text;
		r->callee_last = name.last;
		r->has_callee_object = true;
	} else if (memcmp(key, "jfi=", 4) == 0) {
		cg_name_of(&r->names, CG_FILE, value, number);
	} else if (memcmp(key, "jfn=", 4) == 0) {
		cg_name_of(&r->names, CG_FUNCTION, value, number);
	} else {
		return false;
	}
	return true;
}

/* Lines of costs and those that a file has stated must be the same. */
static void
compare_sums(struct reading *r, struct text_span line)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "callgrind.other-totals",
		.file = r->file->name,
		.place = GPROFX_AT_LINE,
		.line = r->lines.number,
		.hint = "the file is damaged, or its writer has a defect: record it again"};
	struct cg_sums sums;

	cg_header_read_sums(line, &sums);
	for (uint32_t i = 0; i < r->header.column_count; i++) {
		uint64_t stated = i < sums.count ? sums.values[i] : 0;

		if (stated != r->sums[i] && r->bad_sums++ < CG_MOST_TOLD)
			gprofx_warn(r->gx, &diagnostic,
			            "expected costs of %llu in all, found lines with %llu",
			            (unsigned long long)stated, (unsigned long long)r->sums[i]);
	}
	memset(r->sums, 0, sizeof r->sums);
	r->has_costs = false;
}

/* A part of the file begins, with positions of its own. */
static void
begin_part(struct reading *r)
{
	memset(r->position, 0, sizeof r->position);
	memset(r->sums, 0, sizeof r->sums);
	r->object = r->source = 0;
	r->object_last = none;
	r->function = (struct function){0};
	r->is_jump = false;
	forget_callee(r);
}

/* "key: value" */
static bool
is_header(struct text_span line)
{
	size_t i = 0;

	while (i < line.length && (line.text[i] | 0x20) >= 'a' && (line.text[i] | 0x20) <= 'z')
		i++;
	return i > 0 && i < line.length && line.text[i] == ':';
}

static void
read_text_line(struct reading *r, struct text_span line)
{
	if (r->is_call || r->is_jump) {
		tell_bad_line(r, "costs of a call, or where a jump is");
		r->is_jump = false;
		forget_callee(r);
	}
	if (line.length >= 3 && read_name(r, line))
		return;
	if (line.length >= 4 && read_other_name(r, line))
		return;
	if (text_span_begins(line, "calls=")) {
		read_calls(r, line.text + strlen("calls="), line.text + line.length);
	} else if (text_span_begins(line, "jump=") || text_span_begins(line, "jcnd=")) {
		r->is_jump = true;
	} else if (is_header(line)) {
		switch (cg_header_read(&r->header, line)) {
		case CG_EVENTS:
			begin_part(r);
			break;
		case CG_TOTALS:
		case CG_SUMMARY:
			compare_sums(r, line);
			break;
		case CG_OTHER_LINE:
			break;
		}
	} else {
		tell_bad_line(r, "a line of callgrind");
	}
}

static enum gprofx_result
read_lines(struct reading *r)
{
	enum gprofx_result result = GPROFX_OK;
	struct text_span line;

	while (result == GPROFX_OK && text_lines_next(&r->lines, &line.text, &line.length)) {
		const char *at = line.text, *end = line.text + line.length;

		at = skip_blanks(at, end);
		if (at == end || *at == '#')
			continue;
		if (text_is_digit(*at) || *at == '+' || *at == '-' || *at == '*')
			result = read_cost_line(r, at, end);
		else
			read_text_line(r, (struct text_span){at, (size_t)(end - at)});
	}
	return result == GPROFX_OK ? cg_costs_pass(&r->costs) : result;
}

static void
tell_rest(const struct reading *r)
{
	const struct gprofx_diagnostic many = {
		.id = "callgrind.bad-lines",
		.file = r->file->name,
		.hint = "check the file: what these lines say is in no table"};
	const struct gprofx_diagnostic no_calls = {
		.id = "callgrind.no-calls",
		.file = r->file->name,
		.hint = "record with valgrind --tool=callgrind to see what functions call"};
	const struct gprofx_diagnostic estimates = {
		.id = "callgrind.estimates",
		.file = r->file->name,
		.hint = "read total values and those of arcs with care, or report the profile that "
			"the file was made of"};
	const struct gprofx_diagnostic cut = {
		.id = "callgrind.incomplete",
		.file = r->file->name,
		.hint = "the file has no sums at its end: copy it again, or wait until it is written"};

	if (r->header.is_cachegrind)
		gprofx_warn(
			r->gx, &no_calls,
			"cachegrind counts no calls: total values are those of functions alone");
	if (r->header.has_estimates)
		gprofx_warn(r->gx, &estimates,
		            "costs of calls were estimated, and not measured, when the file was "
		            "written");
	if (r->bad_lines > CG_MOST_TOLD)
		gprofx_warn(r->gx, &many, "%u more lines are left out",
		            (unsigned int)(r->bad_lines - CG_MOST_TOLD));
	cg_names_tell(&r->names);
	if (r->has_costs && (r->header.is_by_valgrind || r->header.is_cachegrind))
		gprofx_warn(r->gx, &cut, "the end of the file is missing");
}

static enum gprofx_result
read_costs_of(struct reading *r)
{
	const char *begin = (const char *)r->file->bytes;

	if (cg_header_find_events(&r->header) != GPROFX_OK)
		return GPROFX_FAILED;
	r->names.is_plain = r->header.is_cachegrind;
	cg_names_prepare(&r->names);
	r->costs.metrics = r->header.metrics;
	r->costs.metric_count = r->header.event_count;
	cg_costs_begin(&r->costs);
	r->lines = (struct text_lines){begin, begin ? begin + r->file->length : NULL, 0};
	if (read_lines(r) != GPROFX_OK)
		return GPROFX_FAILED;
	tell_rest(r);
	return GPROFX_OK;
}

static enum gprofx_result
read_callgrind(struct gprofx *gx, const struct gprofx_file *file,
               const struct gprofx_target *target, struct gprofx_profile *profile,
               const void *options)
{
	/* Too large for a stack. */
	struct reading *r = gprofx_alloc(gx, sizeof *r);
	enum gprofx_result result;

	(void)target;
	(void)options;
	*r = (struct reading){
		.gx = gx,
		.file = file,
		.header = {.gx = gx,
	                   .file = file,
	                   .profile = profile,
	                   .slices = {.gx = gx},
	                   .processes = {.gx = gx}},
		.names = {.gx = gx, .file = file, .profile = profile, .functions = {.gx = gx}},
		.costs = {.gx = gx, .file = file, .profile = profile},
	};
	for (uint32_t i = 0; i < CG_SPACES; i++)
		r->names.ids[i].gx = r->names.texts[i].gx = gx;
	result = read_costs_of(r);
	cg_names_release(&r->names);
	cg_header_release(&r->header);
	cg_costs_release(&r->costs);
	gx->host->release(gx, r);
	return result;
}

/* Text with the events of costs, and a function. */
static int
weigh(const struct gprofx_file *file, const struct gprofx_target *target)
{
	const char *begin = (const char *)file->bytes;
	struct text_lines lines = {begin, begin ? begin + file->length : NULL, 0};
	bool has_events = false;
	struct text_span line;

	(void)target;
	while (lines.number < LOOKED_AT && text_lines_next(&lines, &line.text, &line.length)) {
		if (memchr(line.text, '\0', line.length))
			return 0;
		if (lines.number == 1 && text_span_begins(line, "# callgrind format"))
			return CERTAIN;
		has_events = has_events || text_span_begins(line, "events:");
		if (has_events && text_span_begins(line, "fn="))
			return CERTAIN;
	}
	return 0;
}

static const struct gprofx_reader reader = {.size = sizeof reader,
                                            .format = "callgrind",
                                            .read = read_callgrind,
                                            .weigh = weigh,
                                            .carries_names = true};

GPROFX_PLUGIN = {GPROFX_ABI, .name = "input-callgrind", .version = "1.0",
                 .summary = "Profiles of callgrind and cachegrind, with exact calls and measured "
                            "costs",
                 .reader = &reader};
