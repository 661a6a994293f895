/* SPDX-License-Identifier: Apache-2.0 */
#include "header.h"

#include <stdio.h>
#include <string.h>

#include "../shared/raw-metric.h"
#include "../shared/text-lines.h"
#include "../shared/text-table.h"

enum {
	COMMAND_BYTES = 64,
	DECLARED_BYTES = 24, /* of a thread: what the host wants a file to have for it */
	KEY_BYTES = 48,
	TIMES_PER_SECOND = 100000000
};

/* The next word, or one that is empty. */
static struct text_span
next_word(struct text_span *rest)
{
	struct text_span word;

	while (rest->length > 0 && (unsigned char)*rest->text <= ' ') {
		rest->text++;
		rest->length--;
	}
	word = (struct text_span){rest->text, 0};
	while (rest->length > 0 && (unsigned char)*rest->text > ' ') {
		rest->text++;
		rest->length--;
		word.length++;
	}
	return word;
}

/* What is behind the colon. */
static struct text_span
value_of(struct text_span line)
{
	const char *colon = memchr(line.text, ':', line.length), *end = line.text + line.length;

	return colon ? (struct text_span){colon + 1, (size_t)(end - colon - 1)}
	             : (struct text_span){"", 0};
}

static uint64_t
number_in(struct text_span line)
{
	struct text_span value = value_of(line), word = next_word(&value);
	uint64_t number;

	text_read_digits(word.text, word.text + word.length, &number);
	return number;
}

static bool
is_same(struct text_span left, struct text_span right)
{
	return left.length == right.length && memcmp(left.text, right.text, left.length) == 0;
}

/*
 * The event of a column, or the number of all.  A name that is in a line twice is two: "times" is
 * how often it was in this line before.
 */
static uint32_t
find_event(const struct cg_header *header, struct text_span name, uint32_t times)
{
	uint32_t i = 0;

	for (; i < header->event_count; i++)
		if (is_same(header->events[i], name) && times-- == 0)
			break;
	return i;
}

static uint32_t
times_before(const struct text_span *words, uint32_t count)
{
	uint32_t times = 0;

	for (uint32_t i = 0; i < count; i++)
		times += is_same(words[i], words[count]);
	return times;
}

/* Reads "events: Ir Dr"; is_adding: those that are not known yet are added. */
static bool
read_events(struct cg_header *header, struct text_span line, bool is_adding)
{
	struct text_span value = value_of(line), words[CG_MOST_EVENTS];

	header->column_count = 0;
	for (;;) {
		struct text_span word = next_word(&value);
		uint32_t column = header->column_count, event;

		if (word.length == 0)
			return true;
		if (column == CG_MOST_EVENTS)
			return false;
		words[column] = word;
		event = find_event(header, word, times_before(words, column));
		if (event == header->event_count) {
			if (!is_adding || event == CG_MOST_EVENTS)
				return false;
			header->events[header->event_count++] = word;
		}
		header->column[header->column_count++] = event;
	}
}

static void
copy_cut(char *to, size_t bytes, struct text_span text)
{
	raw_metric_cut(to, bytes, text.text, text.length);
	/* What cannot be in a name ends it. */
	if (*to == '\0')
		memcpy(to, "?", 2);
}

static bool
has_name_before(const struct cg_header *header, uint32_t i)
{
	char name[RAW_METRIC_NAME_BYTES], other[RAW_METRIC_NAME_BYTES];

	copy_cut(name, sizeof name, header->events[i]);
	for (uint32_t k = 0; k < i; k++) {
		copy_cut(other, sizeof other, header->events[k]);
		if (strcmp(name, other) == 0)
			return true;
	}
	return false;
}

/* Times, as profilers of PHP and gprofx name them. */
static bool
is_time(struct text_span event)
{
	static const char name[] = "Time_(10ns)";

	return event.length == strlen(name) && text_span_begins(event, name);
}

static uint32_t
declare(const struct cg_header *header, uint32_t i)
{
	enum { NUMBER_BYTES = 12 }; /* a space, ten digits, and the NUL */
	char name[RAW_METRIC_NAME_BYTES], unit[RAW_METRIC_UNIT_BYTES];
	struct gprofx_raw_metric metric = {
		.size = sizeof metric,
		.name = name,
		.unit = unit,
		.ticks_per_unit = 1,
		.kind = GPROFX_COUNTED,
	};

	copy_cut(name, sizeof name, header->events[i]);
	if (has_name_before(header, i))
		snprintf(name + (strlen(name) < RAW_METRIC_NAME_BYTES - NUMBER_BYTES
		                         ? strlen(name)
		                         : RAW_METRIC_NAME_BYTES - NUMBER_BYTES),
		         NUMBER_BYTES, " %u", (unsigned int)i + 1);
	copy_cut(unit, sizeof unit, header->events[i]);
	if (is_time(header->events[i]) && !has_name_before(header, i)) {
		metric.name = "time";
		metric.unit = "seconds";
		metric.abbreviation = 's';
		metric.ticks_per_unit = TIMES_PER_SECOND;
		metric.kind = header->is_by_gprofx ? GPROFX_SAMPLED : GPROFX_CLOCKED;
	}
	return header->profile->builder->metric(header->gx, header->profile, header->file, &metric);
}

/* Cachegrind states nothing before its events but what was simulated, and the command. */
static bool
is_of_cachegrind(struct text_span line)
{
	return text_span_begins(line, "desc:") || text_span_begins(line, "cmd:");
}

enum gprofx_result
cg_header_find_events(struct cg_header *header)
{
	const struct gprofx_diagnostic none = {
		.id = "callgrind.no-events",
		.file = header->file->name,
		.hint = "name a file that callgrind or cachegrind has written"};
	const struct gprofx_diagnostic many = {.id = "callgrind.too-many-events",
	                                       .file = header->file->name,
	                                       .hint = "record fewer events"};
	const char *begin = (const char *)header->file->bytes;
	struct text_lines lines = {begin, begin ? begin + header->file->length : NULL, 0};
	bool can_be_cachegrind = true;
	struct text_span line;

	while (text_lines_next(&lines, &line.text, &line.length)) {
		if (line.length == 0 || (line.text[0] != 'e' && header->event_count > 0))
			continue;
		if (text_span_begins(line, "events:")) {
			if (header->event_count == 0)
				header->is_cachegrind = can_be_cachegrind && lines.number > 1;
			if (!read_events(header, line, true))
				return gprofx_fail(header->gx, &many,
				                   "expected at most %d events, found more",
				                   CG_MOST_EVENTS);
		}
		can_be_cachegrind = can_be_cachegrind && is_of_cachegrind(line);
		if (text_span_begins(line, "creator: gprofx"))
			header->is_by_gprofx = true;
	}
	if (header->event_count == 0)
		return gprofx_fail(header->gx, &none,
		                   "expected a line \"events:\" with names, found none");
	for (uint32_t i = 0; i < header->event_count; i++) {
		header->metrics[i] = declare(header, i);
		if (header->metrics[i] == 0)
			return GPROFX_FAILED;
	}
	header->positions[0] = CG_LINE;
	header->position_count = 1;
	header->column_count = 0;
	return GPROFX_OK;
}

static void
read_positions(struct cg_header *header, struct text_span line)
{
	struct text_span value = value_of(line);

	header->position_count = 0;
	while (header->position_count < CG_MOST_POSITIONS) {
		struct text_span word = next_word(&value);

		if (word.length == 0)
			break;
		header->positions[header->position_count++] = text_span_begins(word, "instr")
		                                                      ? CG_INSTRUCTION
		                                              : text_span_begins(word, "bb")
		                                                      ? CG_BLOCK
		                                                      : CG_LINE;
	}
	if (header->position_count == 0) {
		header->positions[0] = CG_LINE;
		header->position_count = 1;
	}
}

enum cg_header_line
cg_header_read(struct cg_header *header, struct text_span line)
{
	header->bytes += line.length;
	if (text_span_begins(line, "totals:"))
		return CG_TOTALS;
	if (text_span_begins(line, "summary:"))
		return header->is_cachegrind ? CG_SUMMARY : CG_OTHER_LINE;
	if (text_span_begins(line, "events:")) {
		/* They are all known. */
		read_events(header, line, false);
		header->is_open = true;
		return CG_EVENTS;
	}
	if (text_span_begins(line, "positions:")) {
		read_positions(header, line);
	} else if (text_span_begins(line, "creator: callgrind")) {
		header->is_by_valgrind = true;
	} else if (text_span_begins(line, "desc: Note: costs of calls are estimates")) {
		header->has_estimates = true;
	} else if (text_span_begins(line, "pid:")) {
		header->process = number_in(line);
		header->has_process = true;
	} else if (text_span_begins(line, "part:")) {
		header->part = number_in(line);
		header->has_thread = false;
	} else if (text_span_begins(line, "thread:")) {
		header->thread = number_in(line);
		header->has_thread = true;
	} else if (text_span_begins(line, "cmd:")) {
		header->command = value_of(line);
	}
	return CG_OTHER_LINE;
}

void
cg_header_read_sums(struct text_span line, struct cg_sums *sums)
{
	struct text_span value = value_of(line);

	for (sums->count = 0; sums->count < CG_MOST_EVENTS; sums->count++) {
		struct text_span word = next_word(&value);

		if (word.length == 0)
			return;
		text_read_digits(word.text, word.text + word.length, &sums->values[sums->count]);
	}
}

/* The last part of the path of the program. */
static void
copy_command(const struct cg_header *header, char name[COMMAND_BYTES])
{
	struct text_span rest = header->command, word = next_word(&rest);
	const char *slash = word.length > 0 ? memrchr(word.text, '/', word.length) : NULL;

	if (slash) {
		word.length -= (size_t)(slash + 1 - word.text);
		word.text = slash + 1;
	}
	if (word.length >= COMMAND_BYTES)
		word.length = COMMAND_BYTES - 1;
	if (word.length > 0)
		memcpy(name, word.text, word.length);
	name[word.length] = '\0';
}

/* The text of numbers, kept for as long as the table of it. */
static uint32_t *
entry_of(const struct cg_header *header, struct text_table *table, uint64_t first, uint64_t second,
         bool *is_new)
{
	char *key = gprofx_alloc(header->gx, KEY_BYTES);
	int length = snprintf(key, KEY_BYTES, "%llu %llu", (unsigned long long)first,
	                      (unsigned long long)second);

	return text_table_find(table, key, (size_t)length, is_new);
}

static uint32_t
process_of(struct cg_header *header, const char *name)
{
	const struct gprofx_raw_process row = {.size = sizeof row,
	                                       .number = header->process,
	                                       .name = *name ? name : NULL};
	uint32_t *number;
	bool is_new;

	if (!header->has_process)
		return 0;
	number = entry_of(header, &header->processes, header->process, 0, &is_new);
	if (is_new)
		*number = header->profile->builder->process(header->gx, header->profile,
		                                            header->file, &row);
	return *number;
}

static uint32_t
add_slice(struct cg_header *header, const char *name)
{
	const struct gprofx_profile_builder *builder = header->profile->builder;
	struct gprofx_raw_thread thread = {.size = sizeof thread, .number = header->thread};
	uint32_t number;

	thread.process = process_of(header, name);
	number = builder->thread(header->gx, header->profile, header->file, &thread);
	return builder->slice(header->gx, header->profile, header->file, number, 0);
}

void
cg_header_begin_costs(struct cg_header *header)
{
	char name[COMMAND_BYTES];
	uint64_t bytes;
	uint32_t *number;
	bool is_new;

	header->is_open = false;
	header->slice = 0;
	if (!header->has_thread && !header->has_process)
		return;
	number = entry_of(header, &header->slices, header->process,
	                  header->has_thread ? header->thread : 0, &is_new);
	copy_command(header, name);
	bytes = DECLARED_BYTES + strlen(name);
	/* Lines that are too short for what they state are of no thread. */
	if (is_new && header->bytes - header->spent >= bytes) {
		header->spent += bytes;
		*number = add_slice(header, name);
	}
	header->slice = *number;
}

void
cg_header_release(struct cg_header *header)
{
	text_table_release(&header->slices);
	text_table_release(&header->processes);
}
