/* SPDX-License-Identifier: Apache-2.0 */
#include "threads.h"

#include <string.h>

#include "../shared/text-lines.h"
#include "../shared/text-table.h"

enum { LONGEST_NAME = 64 };

/* A command, in perf at most 15 bytes, with its end. */
static const char *
name_of(struct text_span command, char name[LONGEST_NAME])
{
	script_span_copy(command, name, LONGEST_NAME);
	return name[0] != '\0' ? name : NULL;
}

/* A process has the name of the thread that was seen first. */
static uint32_t
process_of(struct threads *threads, struct text_span digits, const struct sample_line *sample)
{
	char name[LONGEST_NAME];
	const struct gprofx_raw_process process = {.size = sizeof process,
	                                           .number = sample->process,
	                                           .name = name_of(sample->command, name)};
	uint32_t *number;
	bool is_new;

	if (sample->process == 0)
		return 0;
	number = text_table_find(&threads->processes, digits.text, digits.length, &is_new);
	if (is_new)
		*number = threads->profile->builder->process(threads->gx, threads->profile,
		                                             threads->file, &process);
	return *number;
}

static uint32_t
add_slice(struct threads *threads, struct text_span digits, const struct sample_line *sample)
{
	char name[LONGEST_NAME];
	const struct gprofx_profile_builder *builder = threads->profile->builder;
	const struct gprofx_raw_thread thread = {.size = sizeof thread,
	                                         .process = process_of(threads, digits, sample),
	                                         .number = sample->thread,
	                                         .name = name_of(sample->command, name)};
	uint32_t number = builder->thread(threads->gx, threads->profile, threads->file, &thread);

	return builder->slice(threads->gx, threads->profile, threads->file, number, 0);
}

/* The command and the numbers as they stand there, without what pads them. */
static struct text_span
text_of(struct text_span line, const struct sample_line *sample)
{
	const char *begin = sample->command.length > 0 ? sample->command.text : line.text, *end;
	const char *past = line.text + line.length;

	while (begin < past && (*begin == ' ' || *begin == '\t'))
		begin++;
	end = sample->command.length > 0 ? begin + sample->command.length : begin;
	while (end < past && (*end == ' ' || *end == '\t'))
		end++;
	while (end < past && *end != ' ' && *end != '\t')
		end++;
	return (struct text_span){begin, (size_t)(end - begin)};
}

/* Of "6115/6138" the first number. */
static struct text_span
digits_of_process(struct text_span text)
{
	struct text_span digits = {text.text + text.length, 0};

	while (digits.text > text.text && digits.text[-1] != ' ' && digits.text[-1] != '\t')
		digits.text--;
	while (digits.text + digits.length < text.text + text.length &&
	       digits.text[digits.length] != '/')
		digits.length++;
	return digits;
}

uint32_t
script_slice(struct threads *threads, struct text_span line, const struct sample_line *sample)
{
	struct text_span text = text_of(line, sample);
	uint32_t *number;
	bool is_new;

	if (sample->thread == 0 && sample->command.length == 0)
		return 0;
	if (threads->last != 0 && text.length == threads->last_text.length &&
	    memcmp(text.text, threads->last_text.text, text.length) == 0)
		return threads->last;
	number = text_table_find(&threads->slices, text.text, text.length, &is_new);
	if (is_new)
		*number = add_slice(threads, digits_of_process(text), sample);
	threads->last_text = text;
	threads->last = *number;
	return *number;
}

void
script_forget_threads(struct threads *threads)
{
	text_table_release(&threads->slices);
	text_table_release(&threads->processes);
}
