/* SPDX-License-Identifier: Apache-2.0 */
#include "export-names.h"

#include <stdio.h>
#include <stdlib.h>

#include <gprofx/text.h>

/* A text that is made piece by piece. */
struct buffer {
	struct gprofx *gx;
	char *bytes;
	size_t length, room;
};

/* A name among the others; equal ones stand side by side when sorted. */
struct entry {
	uint64_t hash;
	const struct gprofx_text *name;
	uint32_t node;
};

enum {
	LEAST_ROOM = 256,
	MOST_SUFFIXES = 8,
	ADDRESS_ROOM = 32,
	MOST_PLACES = 1 << 20,
	MOST_FEW = 8
};

/* What is appended: the file, then the address, then the number of the node. */
enum suffix { SUFFIX_NONE, SUFFIX_FILE, SUFFIX_ADDRESS, SUFFIX_NUMBER };

struct work {
	struct buffer buffer;
	const struct gprofx_report *report;
	const struct export_form *form;
	struct gprofx_text *names;
	struct entry *entries;
	uint32_t entry_count;
	uint8_t *suffixes; /* per node how many were appended */
};

static void
append(struct buffer *buffer, const char *bytes, size_t count)
{
	if (buffer->room - buffer->length < count) {
		size_t room = 2 * (buffer->length + count) + LEAST_ROOM;

		buffer->bytes = buffer->gx->host->grow(buffer->gx, buffer->bytes, buffer->length,
		                                       room);
		buffer->room = room;
	}
	if (count > 0)
		memcpy(buffer->bytes + buffer->length, bytes, count);
	buffer->length += count;
}

static void
append_printable(struct buffer *buffer, const char *bytes, size_t count)
{
	for (;;) {
		size_t length = gprofx_printable(bytes, count);
		char escaped[4];

		append(buffer, bytes, length);
		if (length == count)
			return;
		gprofx_escape(escaped, bytes[length]);
		append(buffer, escaped, sizeof escaped);
		bytes += length + 1;
		count -= length + 1;
	}
}

static void
append_suffix(struct work *work, uint32_t node, enum suffix suffix)
{
	const struct gprofx_report *report = work->report;
	bool is_function = node < report->functions->count;
	char text[ADDRESS_ROOM];
	const char *file = NULL;
	uint32_t line;

	if (suffix == SUFFIX_FILE && is_function) {
		file = report->services->source(report, node, &line);
		if (!file && report->functions->image && report->functions->image[node] > 0)
			file = gprofx_image_at(report, report->functions->image[node] - 1)->path;
		if (!file)
			return;
		append(&work->buffer, " [", 2);
		append_printable(&work->buffer, file, strlen(file));
		append(&work->buffer, "]", 1);
	} else if (suffix == SUFFIX_ADDRESS && is_function && report->origin->image) {
		snprintf(text, sizeof text, " [0x%llx]",
		         (unsigned long long)report->functions->address[node]);
		append(&work->buffer, text, strlen(text));
	} else if (suffix >= SUFFIX_NUMBER) {
		snprintf(text, sizeof text, " [#%u]", (unsigned)node);
		append(&work->buffer, text, strlen(text));
	}
}

/* Keeps what the buffer has, in the form. */
static struct gprofx_text
keep(struct buffer *buffer, const struct export_form *form)
{
	char *kept = gprofx_alloc(buffer->gx, buffer->length);

	memcpy(kept, buffer->bytes, buffer->length);
	if (form && form->is_fit && !form->is_fit(kept, buffer->length))
		form->fit(kept, buffer->length);
	return (struct gprofx_text){kept, buffer->length};
}

/* Whether a text can be written as it is. */
static bool
is_ready(struct gprofx_text text, const struct export_form *form)
{
	return gprofx_printable(text.bytes, text.length) == text.length &&
	       (!form || !form->is_fit || form->is_fit(text.bytes, text.length));
}

static struct gprofx_text
or_unnamed(struct gprofx_text text)
{
	return text.length > 0 ? text : (struct gprofx_text){"?", 1};
}

static void
make_name(struct work *work, uint32_t node)
{
	const struct gprofx_report *report = work->report;
	const struct export_form *form = work->form;
	bool has_lines = form && (form->has_lines || form->names_lines) ? form->has_lines
	                                                                : export_has_wholes(report);
	struct gprofx_text name = has_lines ? report->services->function_name(report, node)
	                                    : report->services->name(report, node);

	name = or_unnamed(name);
	if (work->suffixes[node] == SUFFIX_NONE && is_ready(name, work->form)) {
		work->names[node] = name;
		return;
	}
	work->buffer.length = 0;
	append_printable(&work->buffer, name.bytes, name.length);
	for (uint32_t i = SUFFIX_FILE; i <= work->suffixes[node]; i++)
		append_suffix(work, node, (enum suffix)i);
	work->names[node] = keep(&work->buffer, work->form);
}

/* FNV-1a, eight bytes at a time.  It only decides on an order: equal hashes cost a comparison. */
static uint64_t
hash_of(struct gprofx_text text)
{
	const uint64_t prime = UINT64_C(0x100000001b3);
	uint64_t hash = UINT64_C(0xcbf29ce484222325), word;
	size_t at = 0;

	for (; text.length - at >= sizeof word; at += sizeof word) {
		memcpy(&word, text.bytes + at, sizeof word);
		hash = (hash ^ word) * prime;
		hash ^= hash >> 32;
	}
	for (; at < text.length; at++)
		hash = (hash ^ (unsigned char)text.bytes[at]) * prime;
	return hash;
}

static int
compare_names(const struct entry *a, const struct entry *b)
{
	if (a->hash != b->hash)
		return a->hash < b->hash ? -1 : 1;
	if (a->name->length != b->name->length)
		return a->name->length < b->name->length ? -1 : 1;
	return memcmp(a->name->bytes, b->name->bytes, a->name->length);
}

static int
compare_entries(const void *first, const void *second)
{
	const struct entry *a = first, *b = second;
	int order = compare_names(a, b);

	return order != 0 ? order : a->node < b->node ? -1 : a->node > b->node;
}

/* From the highest bits, to which all bytes of a name contribute. */
static uint32_t
place_of(const struct entry *entry, int shift)
{
	const uint64_t golden = UINT64_C(0x9e3779b97f4a7c15);

	return (uint32_t)(entry->hash * golden >> shift);
}

/* In place, for the few entries that a place of the table has. */
static void
sort_few(struct entry *entries, uint32_t count)
{
	for (uint32_t i = 1; i < count; i++) {
		struct entry entry = entries[i];
		uint32_t to = i;

		for (; to > 0 && compare_entries(&entries[to - 1], &entry) > 0; to--)
			entries[to] = entries[to - 1];
		entries[to] = entry;
	}
}

/*
 * Brings entries with equal names side by side, each group ascending by node.  A table of hashes
 * leaves groups of two or three to sort, unless names are equal: sorting all of them took longer
 * than writing some of the formats.
 */
static void
bring_together(struct gprofx *gx, struct entry *entries, uint32_t count)
{
	struct entry *old = gprofx_alloc(gx, ((size_t)count + 1) * sizeof *old);
	uint32_t *starts, places = 2, begin = 0;
	int shift = 63;

	for (; places < count && places < MOST_PLACES; places *= 2)
		shift--;
	starts = gprofx_alloc(gx, ((size_t)places + 1) * sizeof *starts);
	memset(starts, 0, ((size_t)places + 1) * sizeof *starts);
	memcpy(old, entries, count * sizeof *old);
	for (uint32_t i = 0; i < count; i++)
		starts[place_of(&old[i], shift) + 1]++;
	for (uint32_t i = 0; i < places; i++)
		starts[i + 1] += starts[i];
	/* Afterwards the start of a place is where the next one begins. */
	for (uint32_t i = 0; i < count; i++)
		entries[starts[place_of(&old[i], shift)]++] = old[i];
	for (uint32_t i = 0; i < places; begin = starts[i++]) {
		uint32_t many = starts[i] - begin;

		if (many <= MOST_FEW)
			sort_few(entries + begin, many);
		else
			qsort(entries + begin, many, sizeof *entries, compare_entries);
	}
	gx->host->release(gx, starts);
	gx->host->release(gx, old);
}

/* Whether it is the very same text as the one before: most functions are of its file. */
static bool
is_repeated(const struct gprofx_text *texts, uint32_t i)
{
	return i > 0 && texts[i].bytes == texts[i - 1].bytes &&
	       texts[i].length == texts[i - 1].length;
}

uint32_t *
export_distinct(struct gprofx *gx, const struct gprofx_text *texts, uint32_t count,
                uint32_t *distinct)
{
	struct entry *entries = gprofx_alloc(gx, ((size_t)count + 1) * sizeof *entries);
	uint32_t *numbers = gprofx_alloc(gx, ((size_t)count + 1) * sizeof *numbers);
	uint32_t entry_count = 0;

	for (uint32_t i = 0; i < count; i++)
		if (!is_repeated(texts, i))
			entries[entry_count++] = (struct entry){hash_of(texts[i]), &texts[i], i};
	bring_together(gx, entries, entry_count);
	/* First the number of the first one with the text, then that among them. */
	for (uint32_t i = 0; i < entry_count; i++) {
		bool is_same = i > 0 && compare_names(&entries[i - 1], &entries[i]) == 0;

		numbers[entries[i].node] = is_same ? numbers[entries[i - 1].node] : entries[i].node;
	}
	*distinct = 0;
	for (uint32_t i = 0; i < count; i++)
		numbers[i] = is_repeated(texts, i) ? numbers[i - 1]
		             : numbers[i] == i     ? (*distinct)++
		                                   : numbers[numbers[i]];
	gx->host->release(gx, entries);
	return numbers;
}

/* Appends to names that several nodes have; false: there are none. */
static bool
part_equal_names(struct work *work)
{
	struct entry *entries = work->entries;
	bool found = false;

	for (uint32_t i = 0; i < work->entry_count; i++)
		entries[i].hash = hash_of(*entries[i].name);
	bring_together(work->buffer.gx, entries, work->entry_count);
	/* The names are compared with each other before one of them changes. */
	for (uint32_t i = 0, end; i < work->entry_count; i = end) {
		for (end = i + 1;
		     end < work->entry_count && compare_names(&entries[i], &entries[end]) == 0;)
			end++;
		if (end - i == 1)
			continue;
		found = true;
		for (uint32_t j = i; j < end; j++)
			work->suffixes[entries[j].node]++;
		for (uint32_t j = i; j < end; j++)
			make_name(work, entries[j].node);
	}
	return found;
}

const struct gprofx_text *
export_names(struct gprofx *gx, const struct gprofx_report *report, uint32_t count,
             const bool *is_used, const struct export_form *form)
{
	struct work work = {
		.buffer.gx = gx,
		.report = report,
		.form = form,
		.names = gprofx_alloc(gx, ((size_t)count + 1) * sizeof *work.names),
		.entries = gprofx_alloc(gx, ((size_t)count + 1) * sizeof *work.entries),
		.suffixes = gprofx_alloc(gx, (size_t)count + 1),
	};

	for (uint32_t i = 0; i < count; i++) {
		if (is_used && !is_used[i])
			continue;
		make_name(&work, i);
		work.entries[work.entry_count++] = (struct entry){.name = &work.names[i],
		                                                  .node = i};
	}
	for (int i = 0; i < MOST_SUFFIXES && part_equal_names(&work); i++)
		;
	gx->host->release(gx, work.buffer.bytes);
	gx->host->release(gx, work.entries);
	gx->host->release(gx, work.suffixes);
	return work.names;
}

struct gprofx_text
export_text(struct gprofx *gx, struct gprofx_text text, const struct export_form *form)
{
	struct buffer buffer = {.gx = gx};
	struct gprofx_text kept = or_unnamed(text);

	if (is_ready(kept, form))
		return kept;
	append_printable(&buffer, kept.bytes, kept.length);
	kept = keep(&buffer, form);
	gx->host->release(gx, buffer.bytes);
	return kept;
}

struct gprofx_text
export_estimate_frame(struct gprofx *gx, const struct gprofx_report *report,
                      const struct export_form *form)
{
	static const char mark[] = " (gprof estimate, paths not measured)";
	const char *program = export_program(report);
	struct gprofx_text name = export_text(gx, (struct gprofx_text){program, strlen(program)},
	                                      form);
	char *frame = gprofx_alloc(gx, name.length + sizeof mark - 1);

	memcpy(frame, name.bytes, name.length);
	memcpy(frame + name.length, mark, sizeof mark - 1);
	return (struct gprofx_text){frame, name.length + sizeof mark - 1};
}
