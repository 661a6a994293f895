/* SPDX-License-Identifier: Apache-2.0 */
#include "tail.h"

#include <string.h>
#include <unistd.h>

#include <gprofx/text.h>

#include "../shared/find-source.h"
#include "../shared/head-texts.h"
#include "../shared/names.h"
#include "../shared/rows.h"
#include "../shared/shell-words.h"

enum { HINT_INDENT = 2, HINT_GAP = 3 };

/* A word of a command, quoted if need be; NULL: it cannot be typed. */
static const char *
word_of(struct page *page, const char *text)
{
	size_t length = strlen(text), at;
	const char *word = "";

	if (shell_takes(text))
		return text;
	/* What the host has made printable is not the name any more. */
	if (length == 0 || strchr(text, '\\') || gprofx_printable(text, length) < length)
		return NULL;
	/* A quote cannot be quoted but behind a backslash. */
	for (; (at = strcspn(text, "'")) < strlen(text); text += at + 1)
		word = page_text(page, "%s%.*s'\\''", word, (int)at, text);
	return page_text(page, "'%s%s'", word, text);
}

/* The word that names a file; NULL: it cannot be typed. */
static const char *
file_of(struct page *page, const char *file)
{
	return word_of(page, file[0] == '-' ? page_text(page, "./%s", file) : file);
}

/* A word behind others; NULL: one of them is. */
static const char *
append(struct page *page, const char *text, const char *word)
{
	return text && word ? page_text(page, "%s %s", text, word) : NULL;
}

/*
 * The words that name the program and its profiles, behind options that these need, with a blank
 * before each; NULL: they are not known, or too many.
 */
static const char *
operands_of(struct page *page, const struct gprofx_report *report)
{
	enum { MOST = 40 }; /* of more, no screen has room for the words */
	const struct gprofx_report_origin *origin = report->origin;
	const char *text = "";

	if (origin->option_count > MOST || origin->profile_count > MOST)
		return NULL;
	for (uint32_t i = 0; i < origin->option_count; i++)
		text = append(page, text, word_of(page, origin->options[i]));
	if (origin->image)
		text = append(page, text, file_of(page, origin->image));
	for (uint32_t i = 0; i < origin->profile_count && !origin->profiles_are_found; i++) {
		/* What a pipe had is gone. */
		if (strcmp(origin->profiles[i], "-") == 0)
			return NULL;
		text = append(page, text, file_of(page, origin->profiles[i]));
	}
	return text;
}

/*
 * The name of a function as a symspec, as it is typed; NULL if it is none.  Of C++ it is without
 * parameters and template arguments, and stands for all functions of that name.
 */
static const char *
symspec_of(struct page *page, struct names *names, uint32_t function)
{
	const struct gprofx_report *report = names->report;
	struct gprofx_text name;
	const char *text;
	bool is_scoped;
	enum name_form form = names->form;

	if (report->origin->by_line || (report->graph->flags[function] & GPROFX_NODE_OUTSIDE))
		return NULL;
	names->form = NAME_FULL;
	name = table_without_object(report, function, names_of(names, function));
	/* What is shortened would take an object behind a name of C for parameters. */
	if (memchr(name.bytes, '(', name.length) || memchr(name.bytes, '<', name.length)) {
		names->form = NAME_NO_TEMPLATES;
		name = table_without_object(report, function, names_of(names, function));
	}
	names->form = form;
	text = page_text(page, "%.*s", (int)name.length, name.bytes);
	if (name.length == 0 || strlen(text) != name.length)
		return NULL;
	/* Without a scope such names would be lines or pairs, and behind no colon, files. */
	is_scoped = strstr(text, "::") != NULL;
	if (!is_scoped && ((text[0] >= '0' && text[0] <= '9') ||
	                   (strchr(text, '/') && !strstr(text, "operator/"))))
		return NULL;
	return word_of(page,
	               !is_scoped && strpbrk(text, ".:") ? page_text(page, ":%s", text) : text);
}

/* A command, if it fits the screen.  operands: NULL for those of the command that made this
 * summary. */
static void
add_hint(struct page *page, struct tail_hints *hints, const char *options, const char *operands,
         const char *about)
{
	const char *command = operands ? page_text(page, "gprofx %s%s", options, operands) : NULL;

	/* What nobody can type again, or has room for, stays as it is. */
	if (!command || strlen(command) + HINT_INDENT > page->width)
		command = page_text(page, "add to the command: %s", options);
	if (hints->count < TAIL_MOST_HINTS && strlen(command) + HINT_INDENT <= page->width)
		hints->rows[hints->count++] = (struct tail_hint){command, about};
}

static void
add_graph(struct page *page, struct tail_hints *hints, const char *name, const char *operands,
          const char *about)
{
	/* A slash would make a pair of it. */
	if (!strchr(name, '/'))
		add_hint(page, hints, page_text(page, "--entry=%s", name), operands, about);
}

/* The function that decides on calls of another one, and why to look at it; NULL: none does. */
static const char *
caller_of(struct page *page, struct names *names, uint32_t function, const char **about)
{
	const struct gprofx_report *report = names->report;
	uint32_t caller = rows_caller_with_choice(page->gx, report, function);
	double share;

	*about = "where these calls come from";
	if (caller == ROWS_NONE) {
		caller = rows_main_caller(page->gx, report, function, &share);
		*about = page_text(page, "the caller of %s%.0f %% of its %s",
		                   share > 0.995 ? ">" : "", share > 0.995 ? 99 : 100 * share,
		                   gprofx_is_measured(report) ? "time" : "calls");
	}
	return caller != ROWS_NONE ? symspec_of(page, names, caller) : NULL;
}

uint32_t
tail_urgent(const struct gprofx_report *report)
{
	static const char about_image[6] = "image.";
	uint32_t count = 0;

	/* They are the weightiest ones. */
	while (count < report->findings->count &&
	       strncmp(gprofx_finding_at(report, count)->id, about_image, sizeof about_image) == 0)
		count++;
	return count;
}

/* Whether libraries took time of which only the CPU time of the run could tell how much it is. */
static bool
has_unknown_time(const struct gprofx_report *report)
{
	const struct gprofx_account *account = report->findings->account;

	return account && account->library_count > 0 && !(account->cpu_time > 0) &&
	       tail_urgent(report) == 0 && strcmp(report->origin->metrics->unit, "seconds") == 0;
}

/* Whether most of what a program does is often in one of these libraries. */
static bool
is_of_language(const char *library)
{
	static const char *const prefixes[] = {"libstdc++.so", "libc++.so", "libgfortran.so",
	                                       "libgnat"};

	for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++)
		if (strncmp(library, prefixes[i], strlen(prefixes[i])) == 0)
			return true;
	return false;
}

static const char in_libraries[] = "a run with the time in libraries, too";

/* Whether the program can be run again with its libraries sampled. */
static bool
is_recordable(const struct gprofx_report *report)
{
	const struct gprofx_account *account = report->findings->account;

	return account && account->is_recordable && tail_urgent(report) == 0 &&
	       strcmp(report->origin->metrics->unit, "seconds") == 0;
}

/*
 * Why to do that before anything else; NULL: nothing suggests that much is missing, or it would not
 * help.
 */
static const char *
why_record(const struct gprofx_report *report)
{
	enum { MUCH = 3 };
	const struct gprofx_account *account = report->findings->account;

	if (!is_recordable(report))
		return NULL;
	if (account->cpu_time > 0)
		return account->unsampled * MUCH >= account->cpu_time
		               ? "the time that is not sampled here"
		               : NULL;
	for (uint32_t i = 0; i < account->library_count; i++)
		if (is_of_language(account->libraries[i]))
			return in_libraries;
	return account->samples < HEAD_FEW_SAMPLES ? in_libraries : NULL;
}

/* The command that does so, unless there is nothing to say about it; whether there is one. */
static bool
add_record(struct page *page, const struct gprofx_report *report, struct tail_hints *hints,
           const char *about)
{
	const char *image = report->origin->image;
	const char *program = NULL;

	/* A name without a folder would be looked for in others. */
	if (about && image)
		program = word_of(page,
		                  strchr(image, '/') ? image : page_text(page, "./%s", image));
	if (!program || HINT_INDENT + strlen("gprofx record ") + strlen(program) > page->width)
		return false;
	add_hint(page, hints, "record", page_text(page, " %s", program), about);
	return true;
}

/*
 * How to know what was not sampled: by another run, or else by the CPU time of this one.
 */
static void
add_unsampled(struct page *page, const struct gprofx_report *report, struct tail_hints *hints,
              const char *operands)
{
	if (!has_unknown_time(report))
		return;
	if (!is_recordable(report) || !add_record(page, report, hints, in_libraries))
		add_hint(page, hints, "--cpu-time=SECONDS", operands,
		         "what was not sampled (user + sys)");
}

/* The function to ask for calls of in the code, since none was counted; ROWS_NONE: none. */
static uint32_t
uncounted_one(struct page *page, const struct gprofx_report *report, const struct table *table)
{
	/* Calls in the code are there already, or of no use. */
	if (!report->origin->image || !report->origin->has_arcs || !table->has_times ||
	    report->graph->arc_static || gprofx_is_measured(report))
		return ROWS_NONE;
	return rows_without_calls(page->gx, report, table->count);
}

static void
add_code(struct page *page, struct tail_hints *hints, const char *name, const char *operands)
{
	add_graph(page, hints, page_text(page, "%s -c", name), operands,
	          "its callers in the code, not counted");
}

/* Whether neither the profile nor the code can have callers of a function. */
static bool
has_no_callers(const struct gprofx_report *report, uint32_t function)
{
	double calls, recursive;

	return !gprofx_is_measured(report) && !rows_calls(report, function, &calls, &recursive) &&
	       rows_is_for_processors(report->services->name(report, function));
}

/* Whether a source can be read where it was compiled. */
static bool
has_text(struct page *page, const struct gprofx_report *report, const char *file)
{
	struct finder finder;
	int descriptor;

	if (finder_begin(&finder, page->gx, report, false, "", "") != GPROFX_OK)
		return false;
	/* Servers are asked only for what is shown. */
	finder.questions = 0;
	descriptor = finder_look(&finder, file);
	if (descriptor >= 0)
		close(descriptor);
	return descriptor >= 0;
}

/* The lines of a function: with what they call in its source, which stacks tell, or their own. */
static void
add_lines(struct page *page, const struct gprofx_report *report, struct tail_hints *hints,
          const char *operands, uint32_t function, const char *name)
{
	uint32_t line;
	const char *file = report->services->source(report, function, &line);

	if (!file || line == 0)
		return;
	if (gprofx_is_measured(report) && rows_total(report, function) > 0 &&
	    has_text(page, report, file))
		add_hint(page, hints, page_text(page, "-b -A%s", name), operands,
		         "its source, with times");
	else if (gprofx_self_of(report, function) > 0)
		add_hint(page, hints, page_text(page, "-b -l -p%s", name), operands,
		         "its lines that take the time");
}

/* Commands about a function, which are about no other one. */
static void
add_about(struct page *page, const struct gprofx_report *report, const struct table *table,
          struct tail_hints *hints, const char *operands, uint32_t function, const char *name,
          uint32_t uncounted)
{
	if (function == uncounted)
		add_code(page, hints, name, operands);
	else if (report->origin->has_arcs && !has_no_callers(report, function))
		add_graph(page, hints, name, operands, "its callers and callees");
	if (report->origin->image && table->has_times)
		add_lines(page, report, hints, operands, function, name);
}

/* The function that commands are about, as the first choice and the next ones; ROWS_NONE: none. */
static uint32_t
function_for(struct page *page, const struct gprofx_report *report, const struct table *table,
             uint32_t choice)
{
	uint32_t function;

	if (choice == 0)
		return rows_responsible(page->gx, report);
	if (choice > table->count)
		return ROWS_NONE;
	function = table->rows[choice - 1].function;
	/* What to change has source. */
	return table->rows[choice - 1].file ? function
	                                    : rows_in_program(page->gx, report, function);
}

/* Of the first functions, the heaviest that a command about it fits of, and who decides on it. */
static void
add_function(struct page *page, struct names *names, const struct table *table,
             struct tail_hints *hints, const char *operands, bool is_to_record)
{
	enum { LOOKED_AT = 3 };
	const struct gprofx_report *report = names->report;
	uint32_t before = hints->count, function = ROWS_NONE;
	uint32_t uncounted = uncounted_one(page, report, table);
	const char *name, *about, *code;

	for (uint32_t i = 0; i <= LOOKED_AT && hints->count == before; i++) {
		function = function_for(page, report, table, i);
		name = function != ROWS_NONE ? symspec_of(page, names, function) : NULL;
		if (name)
			add_about(page, report, table, hints, operands, function, name, uncounted);
	}
	name = hints->count > before ? caller_of(page, names, function, &about) : NULL;
	if (!is_to_record)
		add_unsampled(page, report, hints, operands);
	code = uncounted != ROWS_NONE && uncounted != function ? symspec_of(page, names, uncounted)
	                                                       : NULL;
	if (code)
		add_code(page, hints, code, operands);
	if (name)
		add_graph(page, hints, name, operands, about);
}

/* The same data as a page, where the user's program can show one. */
static void
add_page(struct page *page, const struct gprofx_report *report, struct tail_hints *hints,
         const char *operands)
{
	const char *word = report->origin->page_command;

	if (word && operands && hints->count < TAIL_MOST_HINTS &&
	    HINT_INDENT + strlen("gprofx ") + strlen(word) + strlen(operands) <= page->width)
		add_hint(page, hints, word, operands, "the same as a page in a browser");
}

/* Where threads wait, if that is most of the time, and another metric is shown. */
static void
add_waiting(struct page *page, const struct gprofx_report *report, struct tail_hints *hints,
            const char *operands)
{
	for (uint32_t i = 0; i < report->origin->option_count; i++)
		if (strncmp(report->origin->options[i], "--metric", strlen("--metric")) == 0)
			return;
	for (uint32_t i = 0; i < report->findings->count; i++)
		if (strcmp(gprofx_finding_at(report, i)->id, "time.waiting") == 0)
			add_hint(page, hints, "--summary --metric=wait", operands,
			         "where threads wait");
}

struct tail_hints
tail_hints(struct page *page, struct names *names, const struct table *table)
{
	const struct gprofx_report *report = names->report;
	const char *operands = operands_of(page, report);
	uint32_t findings = report->findings->count;
	bool is_other_program = tail_urgent(report) > 0, is_to_record;
	struct tail_hints hints = {.count = 0};

	if (findings > 0)
		add_hint(page, &hints, "--explain", operands,
		         findings > TAIL_MOST_FINDINGS
		                 ? page_text(page, "all %u findings, and what to do", findings)
		                 : "what was found, and what to do");
	add_waiting(page, report, &hints, operands);
	is_to_record = add_record(page, report, &hints, why_record(report));
	/* Functions that the profile is not of deserve no look. */
	if (!is_other_program)
		add_function(page, names, table, &hints, operands, is_to_record);
	if (!is_other_program && table->count > 0)
		add_page(page, report, &hints, operands);
	return hints;
}

/* What a finding says, with the profile that it is about if there are several. */
static const char *
text_of(struct page *page, const struct gprofx_report *report, const struct gprofx_finding *finding)
{
	if (finding->file && report->files->count > 1)
		return page_text(page, "%s: %s", head_file_name(page->gx, report, finding->file),
		                 finding->summary);
	return finding->summary;
}

void
tail_put_urgent(struct page *page, const struct gprofx_report *report)
{
	enum { INDENT = 2 };
	uint32_t count = tail_urgent(report);

	for (uint32_t i = 0; i < count; i++) {
		const struct gprofx_finding *finding = gprofx_finding_at(report, i);

		page_style(page, PAGE_YELLOW);
		page_puts(page, "!");
		page_fill(page, INDENT, text_of(page, report, finding));
		page_style(page, NULL);
		page_fill(page, INDENT, page_text(page, "(%s)", finding->id));
		page_end_line(page);
		page_fill(page, INDENT, page_text(page, "hint: %s", finding->advice));
		page_end_line(page);
	}
	if (count > 0)
		page_end_line(page);
}

/* A finding, with its id at the right of its last line, or of a line of its own. */
static void
put_finding(struct page *page, const struct gprofx_report *report,
            const struct gprofx_finding *finding)
{
	enum { INDENT = 2, GAP = 2 };
	size_t id = strlen(finding->id);

	page_style(page, PAGE_YELLOW);
	page_puts(page, "!");
	page_fill(page, INDENT, text_of(page, report, finding));
	page_style(page, NULL);
	if (page->column + GAP + id > page->width)
		page_end_line(page);
	if (INDENT + id <= page->width) {
		page_to(page, page->width - id);
		page_puts(page, finding->id);
	} else {
		page_fill(page, INDENT, finding->id);
	}
	page_end_line(page);
}

void
tail_put_findings(struct page *page, const struct gprofx_report *report, uint32_t count)
{
	uint32_t first = tail_urgent(report);

	for (uint32_t i = first; i < first + count; i++)
		put_finding(page, report, gprofx_finding_at(report, i));
}

uint32_t
tail_finding_lines(const struct page *page, const struct gprofx_report *report, uint32_t i)
{
	struct page lines;

	page_begin(&lines, page->gx, page->width, false);
	put_finding(&lines, report, gprofx_finding_at(report, tail_urgent(report) + i));
	return lines.lines;
}

/* Whether a command and what it shows fit a line, if that stands at a column at least. */
static bool
has_room(const struct page *page, const struct tail_hint *hint, size_t column)
{
	size_t own = HINT_INDENT + strlen(hint->command) + HINT_GAP;

	return (own > column ? own : column) + strlen(hint->about) <= page->width;
}

void
tail_put_hints(struct page *page, const struct tail_hints *hints, uint32_t count)
{
	size_t column = 0;

	/* Commands that leave no room do not take it from others. */
	for (uint32_t i = 0; i < count; i++) {
		size_t length = strlen(hints->rows[i].command) + HINT_INDENT + HINT_GAP;

		if (length > column && has_room(page, &hints->rows[i], 0))
			column = length;
	}
	for (uint32_t i = 0; i < count; i++) {
		const struct tail_hint *hint = &hints->rows[i];

		page_to(page, HINT_INDENT);
		page_puts(page, hint->command);
		if (has_room(page, hint, 0)) {
			page_to(page,
			        has_room(page, hint, column) ? column : page->column + HINT_GAP);
			page_puts(page, hint->about);
		}
		page_end_line(page);
	}
}
