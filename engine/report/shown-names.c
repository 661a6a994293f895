/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names as they are shown.  Demangling is most of the work of a C++ report, so the names of a
 * report are made beforehand in parallel; a name that was not announced is made when it is asked
 * for.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "base/compiler.h"
#include "base/run.h"
#include "report/model.h"
#include "report/printable.h"
#include "symbols/demangle.h"
#include "symbols/readable.h"
#include "symbols/late.h"
#include "symbols/symbols.h"

enum {
	NAME_GRAIN = 1500,
	/* A chain has few links and its text some hundred bytes, but in damaged files. */
	LONGEST_CHAIN = 64,
	LONGEST_CHAIN_TEXT = 1 << 14
};

/* In the length of a raw name that a worker found, until it is final. */
static const size_t NEW_RAW_NAME = SIZE_MAX / 2 + 1;

/* Names one after the other. */
struct names_text {
	struct demangle_text text;
	/* The function that was named last, which its lines share; NULL: none, or not shown. */
	const char *raw;
	size_t at, length; /* of its name in the text */
	size_t wasted;     /* by making it */
	uint64_t cost;     /* of all names so far; the same wherever the first of them was */
};

/* Texts are made by workers in their own buffers and found by offset until those are final. */
struct making {
	struct report_model *model;
	const uint8_t *marked;
	struct names_text texts[PARALLEL_MOST_WORKERS];
	uint32_t worker_count;
	uint64_t share; /* of the budget, for each worker */
};

/* What is left of what names of the run may cost together. */
static uint64_t
text_left(const struct report_model *model)
{
	uint64_t most = readable_most_text(model->symbols);

	return model->name_cost < most ? most - model->name_cost : 0;
}

/* Says once that names are no longer made. */
static void
warn_names(struct report_model *model)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "report.long-names",
		.file = model->symbols->image.name,
		.hint = "select functions with a symspec, or use --no-demangle to keep names as "
			"they are",
	};

	if (model->names_cut)
		return;
	model->names_cut = true;
	run_warn(model->run, &diagnostic,
	         "the names have more than %llu bytes together; some are shown as they are in the "
	         "symbol table",
	         (unsigned long long)readable_most_text(model->symbols));
}

static void
append_address(struct demangle_text *text, uint64_t address)
{
	char digits[16];
	size_t length = 0;

	do {
		digits[sizeof digits - ++length] = "0123456789abcdef"[address & 15];
		address >>= 4;
	} while (address > 0);
	demangle_add(text, " @ ", 3);
	demangle_add(text, digits + sizeof digits - length, length);
}

/* File and line, with the bracket before them. */
static void
append_place(struct demangle_text *text, const struct report_model *model, uint32_t number,
             uint32_t rest)
{
	const struct source_file *file = &model->symbols->files[number];
	const char *path = model->parts.origin.full_paths ? file->path : file->base;
	char line[16];
	size_t length = 0;

	for (; rest > 0; rest /= 10)
		line[sizeof line - ++length] = (char)('0' + rest % 10);
	demangle_add(text, " (", 2);
	demangle_add(text, path, strlen(path));
	demangle_add(text, ":", 1);
	demangle_add(text, line + sizeof line - length, length);
}

/* Appends the name of a function as it is shown. */
static void
append_name(struct demangle_text *text, const struct report_model *model, const char *raw)
{
	if (model->run->settings->traditional ||
	    !readable_symbol(model->run, model->symbols, raw, text))
		demangle_add(text, raw, strlen(raw));
}

/* What an inlined subroutine was inlined into, up to a function, with the place of each call. */
static void
append_chain(struct demangle_text *text, const struct report_model *model, uint32_t inlined)
{
	const struct symbols *symbols = model->symbols;

	size_t begin = text->length;

	for (int i = 0;
	     inlined != 0 && i < LONGEST_CHAIN && text->length - begin < LONGEST_CHAIN_TEXT; i++) {
		const struct inlined_instance *instance = &symbols->instances[inlined];

		demangle_add(text, " inlined into ", sizeof " inlined into " - 1);
		append_name(text, model, instance->into ? instance->into : "?");
		if (instance->file != 0) {
			append_place(text, model, instance->file, instance->line);
			demangle_add(text, ")", 1);
		}
		inlined = instance->parent;
	}
	if (inlined != 0)
		demangle_add(text, " ...", 4);
}

static void
append_position(struct demangle_text *text, const struct report_model *model, uint32_t function)
{
	append_place(text, model, model->symbols->file[function], model->symbols->line[function]);
	if (model->parts.origin.by_line)
		append_address(text, model->parts.functions.address[function]);
	demangle_add(text, ")", 1);
	if (model->symbols->inlined)
		append_chain(text, model, model->symbols->inlined[function]);
}

/*
 * Code without a symbol has the name of its image already, and names outside of functions have no
 * image.
 */
static bool
names_object(const struct symbol_image *object, const char *raw)
{
	return object && raw != object->rest && !(object->late && object->late->is_bare);
}

static void
append_object(struct demangle_text *text, const struct symbol_image *object)
{
	demangle_add(text, " (", 2);
	demangle_add(text, object->name, strlen(object->name));
	demangle_add(text, ")", 1);
}

/* Appends the name of a function, copied where it was made for the one before. */
static void
append_function(struct names_text *names, const struct report_model *model, const char *raw)
{
	struct demangle_text *text = &names->text;
	size_t wasted = text->wasted;

	if (raw == names->raw) {
		/* What it cost does not depend on who made it. */
		text->wasted += names->wasted;
		/* Room comes first: it moves the text. */
		if (text->room - text->length >= names->length ||
		    demangle_reserve(text, names->length))
			demangle_add(text, text->bytes + names->at, names->length);
		return;
	}
	names->raw = raw;
	names->at = text->length;
	append_name(text, model, raw);
	names->length = text->length - names->at;
	names->wasted = text->wasted - wasted;
}

/*
 * Appends the shown name of a function.  False: it is the raw name, and nothing was appended.
 */
static bool
try_name(const struct report_model *model, uint32_t function, struct names_text *names)
{
	const struct engine_settings *settings = model->run->settings;
	const char *raw = model->symbols->name[function];
	const struct symbol_image *object = symbols_object_of(model->symbols, function);
	bool has_position = model->parts.origin.positioned && model->symbols->is_located &&
	                    model->symbols->file[function] != 0;

	if (!names_object(object, raw))
		object = NULL;
	if (!has_position && !object)
		return !settings->traditional &&
		       readable_symbol(model->run, model->symbols, raw, &names->text);
	append_function(names, model, raw);
	if (has_position)
		append_position(&names->text, model, function);
	if (object)
		append_object(&names->text, object);
	return true;
}

/* As try_name(); most: what names may cost by then.  False, too, where they would cost more. */
static bool
make_name(const struct report_model *model, uint32_t function, uint64_t most,
          struct names_text *names)
{
	struct demangle_text *text = &names->text;
	size_t length = text->length, wasted = text->wasted;
	bool made;

	if (names->cost >= most)
		return false;
	made = try_name(model, function, names);
	names->cost += text->length - length + (text->wasted - wasted);
	if (names->cost < most)
		return made;
	text->length = length;
	names->raw = NULL;
	return false;
}

static struct gprofx_text
raw_text(const struct report_model *model, uint32_t function)
{
	const char *raw = model->symbols->name[function];

	return (struct gprofx_text){raw, strlen(raw)};
}

static void
make_names(void *argument, uint32_t worker, uint32_t begin, uint32_t end)
{
	struct making *making = argument;
	struct report_model *model = making->model;
	struct names_text *names = &making->texts[worker];

	for (uint32_t function = begin; function < end; function++) {
		size_t before = names->text.length;

		if (!making->marked[function] || model->names[function].bytes)
			continue;
		if (make_name(model, function, making->share, names))
			/* An offset for now, distinguished from a name by its missing bytes. */
			model->names[function] = (struct gprofx_text){NULL,
			                                              names->text.length - before};
		else
			model->names[function] = raw_text(model, function);
		if (model->names[function].bytes)
			model->names[function].length |= NEW_RAW_NAME;
	}
}

/*
 * Makes a worker's text the run's and lets its names point there.  False: there is no memory for
 * it.
 */
static bool
settle(struct run *run, struct making *making, uint32_t worker, uint32_t begin, uint32_t end)
{
	struct demangle_text *text = &making->texts[worker].text;
	char *bytes = text->bytes, *smaller;
	size_t at = 0;

	if (text->failed)
		return false;
	if (bytes) {
		smaller = realloc(bytes, text->length > 0 ? text->length : 1);
		text->bytes = bytes = smaller ? smaller : bytes;
		if (!memory_adopt(run, bytes))
			return false;
		text->bytes = NULL;
	}
	for (uint32_t function = begin; function < end; function++) {
		struct gprofx_text *name = &making->model->names[function];

		if (!making->marked[function])
			continue;
		if (name->bytes) {
			name->length &= ~NEW_RAW_NAME;
			continue;
		}
		name->bytes = bytes + at;
		at += name->length;
	}
	return true;
}

/* Whether a worker came to the end of its share. */
static bool
are_cut(const struct making *making)
{
	for (uint32_t i = 0; i < making->worker_count; i++)
		if (making->texts[i].cost >= making->share)
			return true;
	return false;
}

/* The first function of a worker. */
static uint32_t
begin_of(const struct making *making, uint32_t worker)
{
	return (uint32_t)((uint64_t)making->model->parts.functions.count * worker /
	                  making->worker_count);
}

/* Forgets what the workers made, and leaves one of them. */
static void
forget_names(struct making *making)
{
	struct report_model *model = making->model;

	for (uint32_t i = 0; i < making->worker_count; i++) {
		uint32_t begin = begin_of(making, i), end = begin_of(making, i + 1);

		for (uint32_t function = begin; function < end; function++) {
			struct gprofx_text *name = &model->names[function];

			if (making->marked[function] &&
			    (!name->bytes || (name->length & NEW_RAW_NAME)))
				*name = (struct gprofx_text){0};
		}
		free(making->texts[i].text.bytes);
		making->texts[i] = (struct names_text){0};
	}
	making->worker_count = 1;
}

void
report_prepare_names(struct run *run, struct report_model *model, const uint8_t *marked)
{
	struct making making = {.model = model, .marked = marked};
	uint32_t count = model->parts.functions.count;
	size_t length = 0;
	bool settled = true;

	making.worker_count = parallel_workers(run, count, NAME_GRAIN);
	making.share = text_left(model) / making.worker_count;
	parallel_loop(run, count, making.worker_count, make_names, &making);
	if (are_cut(&making)) {
		/* One after the other, so that it is the same names for any number of threads. */
		forget_names(&making);
		making.share = text_left(model);
		make_names(&making, 0, 0, count);
		if (are_cut(&making))
			warn_names(model);
	}
	/* The workers' texts are not the run's: nothing may give up before they are freed. */
	for (uint32_t i = 0; i < making.worker_count; i++) {
		settled = settled &&
		          settle(run, &making, i, begin_of(&making, i), begin_of(&making, i + 1));
		model->name_cost += making.texts[i].cost;
		length += making.texts[i].text.length;
		free(making.texts[i].text.bytes);
	}
	if (!settled)
		memory_exhausted(run, length);
}

/* Emitters go through the flat profile row by row, and its names lie all over memory. */
static FETCHING void
fetch_names(struct report_model *model, uint32_t node)
{
	const uint32_t *flat = model->parts.graph.flat;
	uint32_t count = model->parts.graph.flat_count, row = model->next_row;

	if (row >= count || flat[row] != node) {
		if (count == 0 || flat[0] != node)
			return;
		row = 0;
	}
	model->next_row = row + 1;
	if (row + 2 * PREFETCH_AHEAD < count) {
		PREFETCH(&model->names[flat[row + 2 * PREFETCH_AHEAD]]);
		PREFETCH(model->names[flat[row + PREFETCH_AHEAD]].bytes);
	}
}

void
report_set_name(struct report_model *model, uint32_t node, struct gprofx_text name)
{
	struct gprofx_text *names;

	if (model->names[node].bytes == name.bytes)
		return;
	if (model->shares_names) {
		memory_array(model->run, names, model->name_count);
		memcpy(names, model->names, model->name_count * sizeof *names);
		model->names = names;
		model->shares_names = false;
	}
	model->names[node] = name;
}

/* A name that was made by itself; run lifetime. */
static struct gprofx_text
keep_single(struct report_model *model, struct names_text *names, bool made,
            struct gprofx_text name)
{
	struct demangle_text *text = &names->text;

	model->name_cost += names->cost;
	/* An empty name has no bytes. */
	if (made && text->bytes && !text->failed) {
		char *bytes = memory_try(model->run, text->length + 1);

		if (bytes) {
			memcpy(bytes, text->bytes, text->length);
			bytes[text->length] = '\0';
			name = (struct gprofx_text){bytes, text->length};
		}
		text->failed = !bytes;
	}
	free(text->bytes);
	if (text->failed)
		memory_exhausted(model->run, text->length);
	return name;
}

/* The name of a node that was not asked for before. */
static struct gprofx_text
make_single_name(struct report_model *model, uint32_t node)
{
	uint64_t left = text_left(model);
	struct names_text names = {0};
	struct gprofx_text name;
	bool made;

	if (node >= model->parts.functions.count) {
		name.bytes = text_format(model->run, "<cycle %u>", model->parts.graph.cycle[node]);
		name.length = strlen(name.bytes);
		return name;
	}
	made = make_name(model, node, left, &names);
	if (names.cost >= left)
		warn_names(model);
	return keep_single(model, &names, made, raw_text(model, node));
}

const char *
report_readable(struct report_model *model, const char *raw)
{
	uint64_t left = text_left(model);
	struct names_text names = {0};
	bool made;

	if (left > 0)
		append_name(&names.text, model, raw);
	names.cost = names.text.length + names.text.wasted;
	made = names.cost < left;
	if (!made)
		warn_names(model);
	return keep_single(model, &names, made, (struct gprofx_text){raw, 0}).bytes;
}

struct gprofx_text
report_name(const struct gprofx_report *report, uint32_t node)
{
	/* The report is the emitters' to read; the names that fill up belong to the host. */
	struct report_model *model = (struct report_model *)report_model_of(report);
	struct gprofx_text name;

	if (node >= model->name_count)
		return (struct gprofx_text){"?", 1};
	fetch_names(model, node);
	if (model->names[node].bytes)
		return model->names[node];
	name = make_single_name(model, node);
	if (model->is_printable) {
		struct gprofx_text shown = report_printable_text(model->run, name);

		if (shown.bytes != name.bytes) {
			report_set_name(model, node, shown);
			return shown;
		}
	}
	/* The report itself can have this one, too. */
	model->names[node] = name;
	return name;
}

struct gprofx_text
report_function_name(const struct gprofx_report *report, uint32_t node)
{
	struct report_model *model = (struct report_model *)report_model_of(report);
	const char *name;
	struct gprofx_text text;

	const char *const *objects = model->parts.functions.object_name;

	if (node >= model->parts.functions.count || !model->parts.origin.by_line ||
	    (objects && objects[node]))
		return report_name(report, node);
	name = report_readable(model, model->parts.functions.raw_name[node]);
	text = (struct gprofx_text){name, strlen(name)};
	return model->is_printable ? report_printable_text(model->run, text) : text;
}
