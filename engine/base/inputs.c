/* SPDX-License-Identifier: Apache-2.0 */
/* A hash table of devices and inodes, at most half full. */
#include "base/inputs.h"

#include "base/memory.h"

struct input_file {
	dev_t device;
	ino_t inode;
	const char *what; /* NULL: a free place */
};

struct input_files {
	struct input_file *places;
	uint32_t count, size; /* size: a power of two */
};

enum { FIRST_SIZE = 64 };

/* The place that the file has, or would have. */
static struct input_file *
place_of(const struct input_files *inputs, dev_t device, ino_t inode)
{
	uint64_t hash = ((uint64_t)inode ^ (uint64_t)device << 32) * UINT64_C(0x9e3779b97f4a7c15);
	uint32_t at = (uint32_t)(hash >> 32) & (inputs->size - 1);

	while (inputs->places[at].what &&
	       (inputs->places[at].device != device || inputs->places[at].inode != inode))
		at = (at + 1) & (inputs->size - 1);
	return &inputs->places[at];
}

static void
make_larger(struct run *run, struct input_files *inputs)
{
	const struct input_files old = *inputs;

	inputs->size = old.size > 0 ? 2 * old.size : FIRST_SIZE;
	memory_array(run, inputs->places, inputs->size);
	for (uint32_t i = 0; i < old.size; i++)
		if (old.places[i].what)
			*place_of(inputs, old.places[i].device,
			          old.places[i].inode) = old.places[i];
	memory_release(run, old.places);
}

static void
note(struct run *run, const struct stat *status, const char *what)
{
	struct input_files *inputs = run->inputs;
	struct input_file *place;

	if (!S_ISREG(status->st_mode))
		return;
	if (!inputs)
		inputs = run->inputs = memory_alloc(run, sizeof *inputs);
	if (2 * inputs->count >= inputs->size)
		make_larger(run, inputs);
	place = place_of(inputs, status->st_dev, status->st_ino);
	if (place->what)
		return;
	*place = (struct input_file){status->st_dev, status->st_ino, what};
	inputs->count++;
}

void
inputs_note(struct run *run, int descriptor, const char *what)
{
	struct stat status;

	if (fstat(descriptor, &status) == 0)
		note(run, &status, what);
}

void
inputs_note_name(struct run *run, const char *name, const char *what)
{
	struct stat status;

	if (stat(name, &status) == 0)
		note(run, &status, what);
}

const char *
inputs_find(const struct run *run, const struct stat *status)
{
	if (!run->inputs || !S_ISREG(status->st_mode))
		return NULL;
	return place_of(run->inputs, status->st_dev, status->st_ino)->what;
}

enum gprofx_result
inputs_refuse(struct run *run, const char *output, const char *other)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "output.same-file",
		.file = output,
		.hint = "write each output to a file of its own that is not an input",
		.text = {other},
	};

	return run_fail(run, &diagnostic, "cannot write to this file: it is also %s", other);
}
