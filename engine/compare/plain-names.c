/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions of one source have names of several forms: mangled, or demangled by another program;
 * with what a compiler added to tell its clones from each other; with or without arguments.  A form
 * is made only of functions that no earlier step matched.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/name-table.h"
#include "base/parallel.h"
#include "base/run.h"
#include "compare/matching.h"
#include "shared/names.h"
#include "symbols/demangle.h"
#include "symbols/symbols.h"

enum {
	ROWS_PER_TASK = 1024,
	/*
	 * What names of a task may cost, in bytes that are written or allocated for them: a few
	 * bytes of a mangled name can stand for 1 MB.
	 */
	TASK_BYTES = 512 * ROWS_PER_TASK,
	WORKER_TASKS = 2, /* fewer are not worth a thread */
	HASH_DIGITS = 16
};

/* No name was made. */
#define NOWHERE SIZE_MAX

/* Ends names of parts of functions (.cold, .part), which are no versions of them. */
static const char fragment_mark[] = "\1";

/* The names of consecutive rows. */
struct task {
	struct demangle_text text, core;
	bool is_cut;
};

struct texts {
	struct task *tasks;
	uint32_t count;
};

struct plain {
	struct matching *matching;
	enum engine_demangling style;
	uint32_t *rows, count; /* that need names */
	size_t *at;            /* per row of these, in the text of its task; or NOWHERE */
	struct texts *texts;
	uint32_t *form; /* per row of the matching the number of its name; or MATCHING_NONE */
};

/* Writes a name with suffixes as compilers write them: "f(int).cold" for "f(int) [clone .cold]". */
static void
add_core(struct demangle_text *core, const char *raw)
{
	static const char bracket[] = " [clone ";
	const size_t before = sizeof bracket - 1;
	const char *clone = strstr(raw, bracket);

	demangle_add(core, raw, clone ? (size_t)(clone - raw) : strlen(raw));
	while (clone && strncmp(clone, bracket, before) == 0) {
		size_t length = strcspn(clone + before, "]");

		demangle_add(core, clone + before, length);
		clone += before + length;
		clone += *clone == ']';
	}
	demangle_add(core, "", 1);
}

/* Drops what tells a clone from its function, and the version of a symbol. */
static void
drop_suffix(char *name, bool *is_fragment)
{
	const char *suffix = symbols_clone_suffix(name, is_fragment);
	char *version;

	if (suffix)
		name[suffix - name] = '\0';
	version = strchr(name, '@');
	/* A PLT stub is not its function. */
	if (version && version > name && strncmp(version, "@plt", 4) != 0)
		*version = '\0';
}

/* Drops "::h0123456789abcdef", the hash of a name of Rust, from the end of a text. */
static void
drop_hash(struct demangle_text *text, size_t begin)
{
	static const char mark[] = "::h";
	const size_t bytes = sizeof mark - 1 + HASH_DIGITS;
	const char *end;

	if (text->length - begin <= bytes)
		return;
	end = text->bytes + text->length - bytes;
	if (memcmp(end, mark, sizeof mark - 1) == 0 &&
	    strspn(end + sizeof mark - 1, "0123456789abcdef") == HASH_DIGITS)
		text->length -= bytes;
}

/* Appends the demangled name of a function, ended by a NUL. */
static void
append_full(const struct plain *plain, struct task *task, const char *raw)
{
	struct demangle_text *text = &task->text, *core = &task->core;
	size_t begin = text->length;
	bool is_fragment;

	core->length = 0;
	add_core(core, raw);
	text->failed = text->failed || core->failed;
	if (text->failed)
		return;
	drop_suffix(core->bytes, &is_fragment);
	/* Some formats put an underscore in front of all names. */
	raw = core->bytes;
	if (strncmp(raw, "__Z", 3) == 0 || strncmp(raw, "__R", 3) == 0)
		raw++;
	if (!demangle(plain->style, raw, text))
		demangle_add(text, core->bytes, strlen(core->bytes));
	if (!text->failed)
		demangle_add(text, "", 1);
	if (text->failed)
		return;
	text->length--;
	drop_hash(text, begin);
	if (is_fragment)
		demangle_add(text, fragment_mark, 1);
	demangle_add(text, "", 1);
}

static void
make_task(void *argument, uint32_t number)
{
	struct plain *plain = argument;
	struct task *task = &plain->texts->tasks[number];
	struct demangle_text *text = &task->text;
	uint32_t begin = number * ROWS_PER_TASK, end = begin + ROWS_PER_TASK;
	size_t cost = 0;

	for (uint32_t i = begin; i < end && i < plain->count; i++) {
		uint32_t row = plain->rows[i];
		const struct gprofx_report *report = matching_report(plain->matching, row);
		size_t length = text->length, wasted = text->wasted;

		plain->at[i] = NOWHERE;
		if (cost >= TASK_BYTES)
			continue;
		append_full(plain, task,
		            report->functions->raw_name[matching_function(plain->matching, row)]);
		cost += text->length - length + (text->wasted - wasted);
		task->is_cut = cost >= TASK_BYTES;
		if (task->is_cut)
			text->length = length;
		else
			plain->at[i] = length;
	}
	free(task->core.bytes);
	task->core = (struct demangle_text){0};
}

/* Frees the texts, which are not the run's; also when the run gives up. */
static void
free_texts(struct run *run, void *argument)
{
	struct texts *texts = argument;

	(void)run;
	for (uint32_t i = 0; i < texts->count; i++) {
		free(texts->tasks[i].text.bytes);
		texts->tasks[i].text = (struct demangle_text){0};
	}
}

static void
check_tasks(const struct plain *plain)
{
	struct matching *matching = plain->matching;

	for (uint32_t i = 0; i < plain->texts->count; i++) {
		if (plain->texts->tasks[i].text.failed)
			memory_exhausted(matching->run, TASK_BYTES);
		matching->is_cut = matching->is_cut || plain->texts->tasks[i].is_cut;
	}
}

static const char *
text_of(const struct plain *plain, uint32_t i)
{
	return plain->at[i] != NOWHERE
	               ? plain->texts->tasks[i / ROWS_PER_TASK].text.bytes + plain->at[i]
	               : NULL;
}

/* Matches by numbers of names: of one file, of one object, of whatever object. */
static void
match_forms(struct matching *matching, const uint32_t *form)
{
	const uint32_t *place = matching->place;
	uint32_t count = matching->row_count;

	for (uint32_t row = 0; row < count; row++)
		if (form[row] != MATCHING_NONE && matching->partner[row] == MATCHING_NONE &&
		    place[row] != MATCHING_NONE)
			matching_add(matching, row, matching_key(form[row], place[row]));
	matching_pair(matching, GPROFX_MATCH_PLAIN, NULL, NULL);
	for (uint32_t row = 0; row < count; row++)
		if (form[row] != MATCHING_NONE && matching->partner[row] == MATCHING_NONE)
			matching_add(matching, row, matching_key(form[row], matching->object[row]));
	matching_pair(matching, GPROFX_MATCH_PLAIN, NULL, NULL);
	for (uint32_t row = 0; row < count; row++)
		if (form[row] != MATCHING_NONE && matching->partner[row] == MATCHING_NONE)
			matching_add(matching, row, form[row]);
	matching_pair(matching, GPROFX_MATCH_PLAIN, matching_is_unique, NULL);
}

static void
make_full(struct plain *plain)
{
	struct matching *matching = plain->matching;
	struct run *run = matching->run;
	struct name_table names = {0};
	struct texts *texts = plain->texts = memory_alloc(run, sizeof *texts);
	uint32_t tasks = (plain->count + ROWS_PER_TASK - 1) / ROWS_PER_TASK;

	memory_array(run, texts->tasks, tasks);
	memory_array(run, plain->at, plain->count);
	texts->count = tasks;
	run_close_later(run, free_texts, texts);
	parallel_tasks(run, tasks, parallel_workers(run, tasks, WORKER_TASKS), make_task, plain);
	check_tasks(plain);
	for (uint32_t i = 0; i < plain->count; i++) {
		const char *text = text_of(plain, i);

		if (text)
			plain->form[plain->rows[i]] = name_table_add_kept(run, &names, text);
	}
	name_table_release(run, &names);
}

/* "f" for "f (lib.so)", as it is called in formats that have no place for its object. */
static size_t
length_without_object(const char *text, size_t length)
{
	size_t open = length;

	if (length == 0 || text[length - 1] != ')')
		return length;
	while (open > 0 && text[open - 1] != '(' && (open == length || text[open - 1] != ')'))
		open--;
	/* Now behind the bracket. */
	return open > 2 && text[open - 1] == '(' && text[open - 2] == ' ' ? open - 2 : length;
}

/* A text without object and arguments, and without underscores in front: some formats add one. */
static struct gprofx_text
shorten(struct names *names, const char *full)
{
	struct gprofx_text text = {full, strcspn(full, fragment_mark)};

	text.length = length_without_object(text.bytes, text.length);
	text = names_shorten(names, text);
	while (text.length > 1 && text.bytes[0] == '_') {
		text.bytes++;
		text.length--;
	}
	return text;
}

/* Replaces the full names of rows that are left by short ones. */
static void
make_short(struct plain *plain)
{
	struct matching *matching = plain->matching;
	struct run *run = matching->run;
	struct name_table table = {0};
	struct names names;
	char *copy = NULL;
	size_t room = 0, length;

	names_begin(&names, &run->gx, matching->reports[1], NAME_NO_ARGUMENTS);
	for (uint32_t i = 0; i < plain->count; i++) {
		const char *full = text_of(plain, i);
		struct gprofx_text text;

		if (!full || matching->partner[plain->rows[i]] != MATCHING_NONE)
			continue;
		text = shorten(&names, full);
		if (text.length >= room) {
			memory_release(run, copy);
			room = 2 * text.length + 256;
			copy = memory_alloc_unset(run, room);
		}
		length = 0;
		/* Some demanglers write "a<b<c>>", others "a<b<c> >". */
		for (size_t k = 0; k < text.length; k++)
			if (text.bytes[k] != ' ' || k == 0 || text.bytes[k - 1] != '>' ||
			    k + 1 == text.length || text.bytes[k + 1] != '>')
				copy[length++] = text.bytes[k];
		copy[length] = '\0';
		plain->form[plain->rows[i]] = name_table_add(run, &table, copy);
	}
	memory_release(run, copy);
	name_table_release(run, &table);
}

void
matching_plain_names(struct matching *matching)
{
	struct run *run = matching->run;
	struct plain plain = {.matching = matching, .style = run->settings->demangling};

	if (!matching_has_left(matching))
		return;
	/* Users who want to see raw names have not asked for fewer matches. */
	if (plain.style == ENGINE_DEMANGLE_NONE)
		plain.style = ENGINE_DEMANGLE_AUTO;
	memory_array(run, plain.rows, matching->row_count);
	memory_array(run, plain.form, matching->row_count);
	memset(plain.form, 0xff, matching->row_count * sizeof *plain.form);
	for (uint32_t row = 0; row < matching->row_count; row++)
		if (matching_is_left(matching, row, MATCHING_FUNCTION))
			plain.rows[plain.count++] = row;
	make_full(&plain);
	match_forms(matching, plain.form);
	make_short(&plain);
	match_forms(matching, plain.form);
	free_texts(run, plain.texts);
	memory_release(run, plain.at);
	memory_release(run, plain.form);
	memory_release(run, plain.rows);
}
