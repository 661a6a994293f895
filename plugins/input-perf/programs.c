/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Programs that processes of a recording ran.  A process runs the first file that is mapped as code
 * once it is there, since the kernel maps the program before libraries; or, where the mappings of
 * a running process were listed by address, a file with the name of its command.
 *
 * The records are gone through in the order of their times, as when they are read, so processes
 * have the same numbers both times.
 */
#include <stdlib.h>
#include <string.h>

#include "../shared/grown.h"
#include "../shared/text-table.h"
#include "records.h"
#include "reading.h"

static const char *
last_name(const char *path, size_t *length)
{
	const char *at = path + *length;

	while (at > path && at[-1] != '/')
		at--;
	*length = (size_t)(path + *length - at);
	return at;
}

/* Whether the last part of a path is a name. */
static bool
has_name(const char *path, size_t length, const char *name)
{
	const char *own = last_name(path, &length);

	return strlen(name) == length && memcmp(own, name, length) == 0;
}

static uint32_t
number_of(struct perfdata *p, const char *path, size_t length)
{
	struct perfdata_programs *programs = &p->programs;
	bool is_new;
	/* What was decompressed does not last. */
	char *copy = gprofx_alloc(p->gx, length + 1);
	uint32_t *number;

	memcpy(copy, path, length);
	copy[length] = '\0';
	number = text_table_find(&programs->paths, copy, length, &is_new);
	if (!is_new) {
		p->gx->host->release(p->gx, copy);
		return *number;
	}
	programs->rows = grown(p->gx, programs->rows, sizeof *programs->rows, &programs->room,
	                       programs->count + 1, 16);
	programs->rows[programs->count] = (struct perfdata_program){.path = copy, .length = length};
	return *number = ++programs->count;
}

/* Whether this is the build of the file that the user named. */
static bool
is_wanted_build(const struct perfdata *p, const uint8_t *build_id, uint32_t bytes)
{
	const struct gprofx_file *file = p->file;

	return p->programs.wanted && build_id && bytes > 0 &&
	       file->size > offsetof(struct gprofx_file, program_build_id_bytes) &&
	       file->program_build_id_bytes == bytes &&
	       memcmp(file->program_build_id, build_id, bytes) == 0;
}

void
perfdata_note_program(struct perfdata *p, struct perfdata_process *process, const char *path,
                      size_t length, const uint8_t *build_id, uint32_t build_id_bytes)
{
	struct perfdata_programs *programs = &p->programs;
	bool is_same_build = is_wanted_build(p, build_id, build_id_bytes);

	if (programs->wanted && !programs->is_mapped)
		programs->is_mapped = is_same_build || has_name(path, length, programs->wanted);
	if (process->is_named)
		return;
	process->is_named = perfdata_has_command(p, process, path, length);
	if (process->program != 0 && !process->is_named)
		return;
	process->program = number_of(p, path, length);
	programs->rows[process->program - 1].is_same_build |= is_same_build;
}

void
perfdata_note_sample(struct perfdata *p, struct perfdata_process *process,
                     const struct perfdata_attribute *event, const struct perfdata_record *record)
{
	uint64_t amount = 1;

	if (event != &p->attributes[p->first_event])
		return;
	/* How much values grew that are read with samples is not looked at. */
	if ((event->sample_type & SAMPLE_READ) == 0)
		amount = perfdata_weight(p, event, record);
	process->samples++;
	process->amount += amount < UINT64_MAX - process->amount ? amount
	                                                         : UINT64_MAX - process->amount;
}

/* Adds up what processes have. */
static void
add_up(struct perfdata *p)
{
	struct perfdata_programs *programs = &p->programs;

	for (uint32_t i = 0; i < p->process_count; i++) {
		const struct perfdata_process *process = &p->processes[i];
		struct perfdata_program *row;

		if (process->samples == 0)
			continue;
		row = &programs->rows[process->program > 0 ? process->program - 1 : 0];
		row->processes++;
		row->samples += process->samples;
		row->amount += process->amount < UINT64_MAX - row->amount
		                       ? process->amount
		                       : UINT64_MAX - row->amount;
	}
}

enum gprofx_result
perfdata_find_programs(struct perfdata *p)
{
	struct perfdata_programs *programs = &p->programs;

	/* The one that is not known comes first. */
	number_of(p, "", 0);
	programs->is_listing = true;
	if (perfdata_walk(p, perfdata_visit_in_order) != GPROFX_OK ||
	    perfdata_end_order(p) != GPROFX_OK)
		return GPROFX_FAILED;
	programs->is_listing = false;
	add_up(p);
	return GPROFX_OK;
}

/* Forgets what the next way through the file will find again. */
static void
begin_again(struct perfdata *p)
{
	perfdata_release_processes(p);
	p->processes = NULL;
	p->process_count = p->process_room = 0;
	p->threads = NULL;
	p->thread_count = p->thread_room = 0;
	perfdata_release_order(p);
	p->order = (struct perfdata_order){0};
	p->losses = (struct perfdata_losses){0};
}

/* Whether a program is of the build that the user named, or of this name. */
static bool
is_like_wanted(const struct perfdata_programs *programs, uint32_t i, bool by_build)
{
	const struct perfdata_program *row = &programs->rows[i];

	return by_build ? row->is_same_build : has_name(row->path, row->length, programs->wanted);
}

/*
 * Marks the programs with samples that the user named: the one with this path, or else those of
 * this build, or else those with this name, since programs are moved.  False: there is none.
 */
static bool
mark_wanted(struct perfdata_programs *programs, const char *wanted)
{
	char *path = realpath(wanted, NULL);
	bool is_found = false;

	for (uint32_t i = 1; i < programs->count && path; i++)
		if (programs->rows[i].samples > 0 && strcmp(path, programs->rows[i].path) == 0)
			is_found = programs->rows[i].is_wanted = true;
	free(path);
	for (int by_build = 1; by_build >= 0 && !is_found; by_build--) {
		for (uint32_t i = 1; i < programs->count; i++)
			if (programs->rows[i].samples > 0 && is_like_wanted(programs, i, by_build))
				is_found = programs->rows[i].is_wanted = true;
	}
	return is_found;
}

/* Whether processes without samples ran the program that the user named. */
static bool
ran_wanted(const struct perfdata_programs *programs)
{
	for (uint32_t i = 1; i < programs->count; i++)
		if (is_like_wanted(programs, i, true) || is_like_wanted(programs, i, false))
			return true;
	return false;
}

/* Marks the processes that did not run one of the wanted programs. */
static void
leave_out(struct perfdata *p)
{
	struct perfdata_programs *programs = &p->programs;
	size_t words = (size_t)p->process_count / 64 + 1;

	programs->left_out = gprofx_alloc(p->gx, words * sizeof *programs->left_out);
	memset(programs->left_out, 0, words * sizeof *programs->left_out);
	programs->process_count = p->process_count;
	for (uint32_t i = 0; i < p->process_count; i++) {
		uint32_t number = p->processes[i].program;

		if (number == 0 || !programs->rows[number - 1].is_wanted)
			programs->left_out[i / 64] |= UINT64_C(1) << i % 64;
	}
}

static void
warn_of_others(const struct perfdata *p)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "perfdata.other-program",
		.file = p->file->name,
		.text = {p->file->program},
		.hint = "name a program that was recorded; without a program, gprofx lists them",
	};

	gprofx_warn(p->gx, &diagnostic,
	            "no sample is of a process of %s: those of all programs are shown",
	            p->file->program);
}

/* How many programs have samples that are known. */
static uint32_t
known_programs(const struct perfdata_programs *programs)
{
	uint32_t known = 0;

	for (uint32_t i = 1; i < programs->count; i++)
		known += programs->rows[i].samples > 0;
	return known;
}

enum gprofx_result
perfdata_choose_program(struct perfdata *p)
{
	struct perfdata_programs *programs = &p->programs;
	uint32_t known;
	size_t length;

	if (p->file->size <= offsetof(struct gprofx_file, program) || !p->file->program)
		return GPROFX_OK;
	length = strlen(p->file->program);
	programs->wanted = last_name(p->file->program, &length);
	if (perfdata_find_programs(p) != GPROFX_OK)
		return GPROFX_FAILED;
	known = known_programs(programs);
	if (known > 0 && !mark_wanted(programs, p->file->program)) {
		if (!programs->is_mapped || ran_wanted(programs))
			warn_of_others(p);
	} else if (known > 1) {
		leave_out(p);
	}
	begin_again(p);
	return GPROFX_OK;
}

bool
perfdata_is_left_out(const struct perfdata *p, uint32_t process)
{
	const struct perfdata_programs *programs = &p->programs;

	if (programs->is_listing)
		return true;
	return programs->left_out && process < programs->process_count &&
	       (programs->left_out[process / 64] >> process % 64 & 1) != 0;
}

void
perfdata_list_programs(struct perfdata *p, gprofx_program_sink *each, void *opaque)
{
	const struct perfdata_programs *programs = &p->programs;
	const struct perfdata_attribute *event = &p->attributes[p->first_event];
	bool is_time = perfdata_is_clock(event);
	bool is_read = (event->sample_type & SAMPLE_READ) != 0;

	for (uint32_t i = 0; i < programs->count; i++) {
		const struct perfdata_program *from = &programs->rows[i];
		const struct gprofx_raw_program row = {
			.size = sizeof row,
			.processes = from->processes,
			.path = from->path,
			.unit = is_read   ? "samples"
		                : is_time ? "seconds"
		                          : event->name,
			.samples = from->samples,
			.amount = (double)from->amount / (is_time && !is_read ? 1e9 : 1),
		};

		if (row.samples > 0)
			each(opaque, &row);
	}
}

void
perfdata_release_programs(struct perfdata *p)
{
	struct perfdata_programs *programs = &p->programs;

	for (uint32_t i = 0; i < programs->count; i++)
		p->gx->host->release(p->gx, programs->rows[i].path);
	p->gx->host->release(p->gx, programs->rows);
	p->gx->host->release(p->gx, programs->left_out);
	text_table_release(&programs->paths);
}
