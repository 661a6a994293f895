/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names as they are shown.  Demangling is most of the work of a C++ report, so the names of a
 * report are made beforehand in parallel; a name that nobody announced is made when it is asked
 * for.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "base/prefetch.h"
#include "base/run.h"
#include "report/model.h"
#include "symbols/demangle.h"
#include "symbols/symbols.h"

/* A chain has few links, but in damaged files. */
enum { NAME_GRAIN = 1500, LONGEST_CHAIN = 64 };

/* Names one after the other. */
struct names_text {
	struct demangle_text text;
	/* The function that was named last, which its lines share; NULL: none, or not shown. */
	const char *raw;
	size_t at, length; /* of its name in the text */
};

/* Texts are made by workers in their own buffers and found by offset until those are final. */
struct making {
	struct report_model *model;
	const uint8_t *marked;
	struct names_text texts[PARALLEL_MOST_WORKERS];
	uint32_t worker_count;
};

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
	const char *path = model->public.full_paths ? file->path : file->base;
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
	const struct engine_settings *settings = model->run->settings;

	if (settings->traditional || !demangle_symbol(settings, &model->symbols->table, raw, text))
		demangle_add(text, raw, strlen(raw));
}

/* What inlined code was inlined into, up to a function, with the place of each call. */
static void
append_chain(struct demangle_text *text, const struct report_model *model, uint32_t inlined)
{
	const struct symbols *symbols = model->symbols;

	for (int i = 0; inlined != 0 && i < LONGEST_CHAIN; i++) {
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
	if (model->public.by_line)
		append_address(text, model->public.address[function]);
	demangle_add(text, ")", 1);
	if (model->symbols->inlined)
		append_chain(text, model, model->symbols->inlined[function]);
}

static void
append_object(struct demangle_text *text, const struct symbol_object *object)
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

	if (raw == names->raw) {
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
}

/*
 * Appends the shown name of a function.  False: it is the raw name, and nothing was appended.
 */
static bool
make_name(const struct report_model *model, uint32_t function, struct names_text *names)
{
	const struct engine_settings *settings = model->run->settings;
	const char *raw = model->public.raw_name[function];
	const struct symbol_object *object = symbols_object_of(model->symbols, function);
	bool has_position = model->public.positioned && model->symbols->is_located &&
	                    model->symbols->file[function] != 0;

	if (!has_position && !object)
		return !settings->traditional &&
		       demangle_symbol(settings, &model->symbols->table, raw, &names->text);
	append_function(names, model, raw);
	if (has_position)
		append_position(&names->text, model, function);
	if (object)
		append_object(&names->text, object);
	return true;
}

static struct gprofx_text
raw_text(const struct report_model *model, uint32_t function)
{
	const char *raw = model->public.raw_name[function];

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
		if (make_name(model, function, names))
			/* An offset for now, told apart from a name by its missing bytes. */
			model->names[function] = (struct gprofx_text){NULL,
			                                              names->text.length - before};
		else
			model->names[function] = raw_text(model, function);
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

		if (!making->marked[function] || name->bytes)
			continue;
		name->bytes = bytes + at;
		at += name->length;
	}
	return true;
}

void
report_prepare_names(struct run *run, struct report_model *model, const uint8_t *marked)
{
	struct making making = {.model = model, .marked = marked};
	uint32_t count = model->public.function_count;
	size_t length = 0;
	bool settled = true;

	making.worker_count = parallel_workers(run, count, NAME_GRAIN);
	parallel_loop(run, count, making.worker_count, make_names, &making);
	/* The workers' texts are not the run's: nothing may give up before they are freed. */
	for (uint32_t i = 0; i < making.worker_count; i++) {
		uint32_t begin = (uint32_t)((uint64_t)count * i / making.worker_count);
		uint32_t end = (uint32_t)((uint64_t)count * (i + 1) / making.worker_count);

		settled = settled && settle(run, &making, i, begin, end);
		length += making.texts[i].text.length;
		free(making.texts[i].text.bytes);
	}
	if (!settled)
		memory_exhausted(run, length);
}

/* Emitters go through the flat profile row by row, and its names lie all over memory. */
static inline void
fetch_names(struct report_model *model, uint32_t node)
{
	const uint32_t *flat = model->public.flat;
	uint32_t count = model->public.flat_count, row = model->next_row;

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

struct gprofx_text
report_name(const struct gprofx_report *report, uint32_t node)
{
	/* The report is the emitters' to read; the names that fill up belong to the host. */
	struct report_model *model = (struct report_model *)report;
	struct gprofx_text *name = &model->names[node];
	struct names_text names = {0};
	struct demangle_text *text = &names.text;

	fetch_names(model, node);
	if (name->bytes)
		return *name;
	if (node >= report->function_count) {
		name->bytes = text_format(model->run, "<cycle %u>", report->cycle[node]);
		name->length = strlen(name->bytes);
		return *name;
	}
	if (make_name(model, node, &names) && !text->failed) {
		char *bytes = memory_try(model->run, text->length);

		if (bytes)
			*name = (struct gprofx_text){memcpy(bytes, text->bytes, text->length),
			                             text->length};
		text->failed = !bytes;
	} else {
		*name = raw_text(model, node);
	}
	free(text->bytes);
	if (text->failed)
		memory_exhausted(model->run, text->length);
	return *name;
}
