/* SPDX-License-Identifier: Apache-2.0 */
/* Programs of a recording, which front ends list. */
#include <stdlib.h>
#include <string.h>

#include "base/mapfile.h"
#include "base/memory.h"
#include "base/run.h"
#include "input/input.h"
#include "input/parts.h"
#include "input/recording.h"
#include "plugin/plugins.h"

struct listing {
	const char *name; /* of the folder or file */
	void (*each)(void *opaque, const struct engine_recorded_program *program);
	void *opaque;
	struct run *run;
	/* What a reader listed. */
	struct engine_recorded_program *programs;
	uint32_t count, room;
};

/* The heaviest first; of equal ones, by name. */
static int
compare_programs(const void *a, const void *b)
{
	const struct engine_recorded_program *x = a, *y = b;

	if (x->amount != y->amount)
		return x->amount > y->amount ? -1 : 1;
	return strcmp(x->path, y->path);
}

static int
compare_rows(const void *a, const void *b)
{
	return strcmp(((const struct recorded *)a)->program, ((const struct recorded *)b)->program);
}

/* The programs of a folder, whose files are one for each process. */
static void
add_recorded(struct run *run, struct recording *recording, struct listing *listing)
{
	struct engine_recorded_program *programs = memory_alloc_array(run, sizeof *programs,
	                                                              (size_t)recording->count + 1);
	uint32_t count = 0;

	if (recording->count > 0)
		qsort(recording->rows, recording->count, sizeof *recording->rows, compare_rows);
	for (uint32_t i = 0; i < recording->count; i++) {
		const struct recorded *row = &recording->rows[i];

		if (i == 0 || compare_rows(row - 1, row) != 0) {
			programs[count].unit = "seconds";
			programs[count++].path = row->program;
		}
		programs[count - 1].processes++;
		programs[count - 1].samples += row->samples;
		programs[count - 1].calls += row->calls;
		if (row->rate > 0)
			programs[count - 1].amount += (double)row->samples / row->rate;
	}
	listing->programs = programs;
	listing->count = count;
}

static void
take_program(void *opaque, const struct gprofx_raw_program *row)
{
	struct listing *listing = opaque;
	struct run *run = listing->run;
	struct engine_recorded_program *program;

	listing->programs = memory_room(run, listing->programs, sizeof *listing->programs,
	                                listing->count, &listing->room, 1);
	program = &listing->programs[listing->count++];
	*program = (struct engine_recorded_program){
		.path = text_format(run, "%s", row->path),
		.unit = text_format(run, "%s", row->unit),
		.processes = row->processes,
		.samples = row->samples,
		.amount = row->amount,
	};
}

/* The programs of a file; fails where its reader does. */
static enum gprofx_result
add_listed(struct run *run, struct listing *listing)
{
	struct gprofx_file file = {.size = sizeof file};
	const struct plugin *reader;
	struct mapped_file *bytes;
	enum gprofx_result result = GPROFX_OK;
	const char *first = parts_first(run, listing->name);
	uint64_t all_bytes;
	int error;

	file.name = first ? first : listing->name;
	bytes = mapfile_open(run, file.name, MAPFILE_REGULAR | MAPFILE_WHOLE, &error);
	if (!bytes)
		return GPROFX_OK;
	file.bytes = bytes->bytes;
	file.length = bytes->length;
	parts_open(run, &file, &all_bytes);
	reader = input_reader_without_program(run, &file);
	if (reader && reader->reader.programs) {
		run_doing(run, "reading %s with %s", file.name, reader->descriptor.name);
		result = reader->reader.programs(&run->gx, &file, take_program, listing);
		run_doing_nothing(run);
	}
	mapfile_close(run, bytes);
	return result;
}

static enum gprofx_result
list_programs(struct run *run, void *argument)
{
	struct listing *listing = argument;
	struct recording recording = recording_read(run, listing->name, true);
	enum gprofx_result result = GPROFX_OK;

	listing->run = run;
	if (recording.count > 0)
		add_recorded(run, &recording, listing);
	else
		result = add_listed(run, listing);
	if (listing->count > 0)
		qsort(listing->programs, listing->count, sizeof *listing->programs,
		      compare_programs);
	for (uint32_t i = 0; i < listing->count && result == GPROFX_OK; i++)
		listing->each(listing->opaque, &listing->programs[i]);
	return result;
}

bool
engine_list_recording(const struct engine_settings *settings,
                      const struct engine_frontend *frontend, const char *name,
                      void (*each)(void *opaque, const struct engine_recorded_program *program),
                      void *opaque)
{
	struct listing listing = {.name = name, .each = each, .opaque = opaque};

	return run_whole(settings, frontend, list_programs, &listing);
}
