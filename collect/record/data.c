/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "data.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <gprofx/gxc.h>

#include "../gmon.h"
#include "message.h"

bool
data_is_file(const char *name)
{
	size_t length = strlen(name);

	return length > 4 && strcmp(name + length - 4, ".gxc") == 0;
}

static bool
is_dots(const char *name)
{
	return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

/* Endings of the names that an earlier recording gets, and the one before it until it is removed.
 */
#define OLD ".old"
#define OLDER ".old.old"

/* Whether a folder has nothing but files of recordings. */
static bool
is_recording(const char *folder)
{
	DIR *names = opendir(folder);
	const struct dirent *entry;
	bool is_one = names != NULL;

	while (is_one && (entry = readdir(names)))
		is_one = is_dots(entry->d_name) || data_is_file(entry->d_name);
	if (names)
		closedir(names);
	return is_one;
}

/* Removes a recording. */
static bool
remove_recording(const char *folder)
{
	DIR *names;
	const struct dirent *entry;
	bool is_removed = true;

	if (access(folder, F_OK) != 0)
		return true;
	if (!is_recording(folder)) {
		message("%s has files that are not part of a recording: move it away", folder);
		return false;
	}
	names = opendir(folder);
	while (names && (entry = readdir(names)))
		if (!is_dots(entry->d_name) && unlinkat(dirfd(names), entry->d_name, 0) != 0)
			is_removed = false;
	if (names)
		closedir(names);
	/* A link in place of the folder goes, and not what it leads to. */
	if (!is_removed || (rmdir(folder) != 0 && (errno != ENOTDIR || unlink(folder) != 0))) {
		message("cannot remove %s: %s", folder, strerror(errno));
		return false;
	}
	return true;
}

/* The name with an ending, to be freed; NULL: there is no memory. */
static char *
with_ending(const char *folder, const char *ending)
{
	size_t length = strlen(folder), room = length + strlen(ending) + 1;
	char *name = malloc(room);

	/* "folder/.old" would be in it. */
	while (length > 1 && folder[length - 1] == '/')
		length--;
	if (name)
		snprintf(name, room, "%.*s%s", (int)length, folder, ending);
	return name;
}

/* Moves a recording to a name that is free, if there is one. */
static bool
move_recording(const char *from, const char *to)
{
	return access(from, F_OK) != 0 || rename(from, to) == 0;
}

/* Makes room for a folder: a recording of that name, and the one before it, get other names. */
static bool
move_earlier(const char *folder)
{
	char *old = with_ending(folder, OLD), *older = with_ending(folder, OLDER);
	bool is_moved = false;

	if (old && access(old, F_OK) == 0 && !is_recording(old)) {
		message("%s has files that are not part of a recording: move it away", old);
	} else if (old && older && remove_recording(older)) {
		is_moved = move_recording(old, older);
		if (is_moved && !move_recording(folder, old)) {
			move_recording(older, old);
			is_moved = false;
		}
		if (!is_moved)
			message("cannot replace the folder %s", folder);
	}
	free(old);
	free(older);
	return is_moved;
}

bool
data_make_folder(const char *folder, bool *has_moved)
{
	*has_moved = false;
	if (mkdir(folder, 0700) == 0)
		return true;
	if (errno != EEXIST) {
		message("cannot make the folder %s: %s", folder, strerror(errno));
		return false;
	}
	if (!is_recording(folder)) {
		message("%s has files that are not part of a recording: name another folder with -o",
		        folder);
		return false;
	}
	if (!move_earlier(folder))
		return false;
	*has_moved = true;
	if (mkdir(folder, 0700) == 0)
		return true;
	message("cannot make the folder %s: %s", folder, strerror(errno));
	return false;
}

void
data_forget_folder(const char *folder, bool has_moved)
{
	char *old = with_ending(folder, OLD), *older = with_ending(folder, OLDER);

	rmdir(folder);
	if (has_moved && old && older && access(folder, F_OK) != 0 && move_recording(old, folder))
		move_recording(older, old);
	free(old);
	free(older);
}

void
data_drop_earlier(const char *folder)
{
	char *older = with_ending(folder, OLDER);

	if (older)
		remove_recording(older);
	free(older);
}

static bool
map_file(int descriptor, struct gxc_walk *walk)
{
	struct stat status;
	void *bytes = MAP_FAILED;

	if (descriptor < 0)
		return false;
	if (fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0)
		bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, descriptor, 0);
	close(descriptor);
	if (bytes == MAP_FAILED)
		return false;
	if (gxc_begin(walk, bytes, (uint64_t)status.st_size) == GXC_FINE && !walk->is_swapped)
		return true;
	munmap(bytes, (size_t)status.st_size);
	return false;
}

static const struct gxc_header *
header_of(const struct gxc_walk *walk)
{
	return (const struct gxc_header *)(const void *)walk->bytes;
}

/* Entries of later versions can be larger, and so at any address. */
static const uint8_t *
row_of(const struct gxc_walk *walk, const struct gxc_view *view, uint64_t i)
{
	return walk->bytes + view->at + i * view->entry_bytes;
}

static void
add_chunk(const struct gxc_walk *walk, const struct gxc_view *view, struct summary *summary)
{
	uint64_t waits = 0, *sum;
	size_t place;

	switch (view->type) {
	case GXC_ARCS:
		sum = &summary->calls;
		place = offsetof(struct gxc_arc, count);
		break;
	case GXC_STACKS:
		sum = &summary->samples;
		place = offsetof(struct gxc_stack, count);
		break;
	case GXC_WAITS:
		sum = &waits;
		place = offsetof(struct gxc_stack, count);
		break;
	case GXC_BLOCKS:
		sum = &summary->blocks;
		place = offsetof(struct gxc_block, count);
		break;
	default:
		return;
	}
	for (uint64_t i = 0; i < view->count; i++)
		*sum += gxc_u64(walk, view->at + i * view->entry_bytes + place);
	if (header_of(walk)->rate != 0)
		summary->waited += (double)waits / header_of(walk)->rate;
}

/* The name of the program, in the first chunk of strings; NULL: not known. */
static const char *
program_of(struct gxc_walk walk)
{
	uint64_t at = header_of(&walk)->program_name;
	struct gxc_view view;

	while (gxc_next(&walk, &view) > 0) {
		const char *text;

		if (view.type != GXC_STRINGS)
			continue;
		if (at >= view.count)
			break;
		text = (const char *)walk.bytes + view.at + at;
		return memchr(text, '\0', (size_t)(view.count - at)) ? text : NULL;
	}
	return NULL;
}

/* Notes whether there are several programs: each name is compared with the first one. */
static void
see_program(const struct gxc_walk *walk, struct summary *summary)
{
	const char *program = program_of(*walk);

	if (!program)
		return;
	if (summary->program[0] == '\0')
		snprintf(summary->program, sizeof summary->program, "%s", program);
	else if (strncmp(program, summary->program, sizeof summary->program - 1) != 0)
		summary->has_several = true;
}

static void
add_file(struct gxc_walk *walk, struct summary *summary)
{
	const struct gxc_header *header = header_of(walk);
	struct gxc_view view;

	see_program(walk, summary);
	summary->processes++;
	summary->threads += header->threads;
	summary->has_waits = summary->has_waits || header->clock == GXC_CLOCK_WALL;
	summary->lost_calls += header->lost_calls;
	summary->lost_samples += header->lost_samples;
	summary->lost_blocks += header->lost_blocks;
	summary->is_unwritten = summary->is_unwritten || (header->flags & GXC_UNWRITTEN) != 0;
	summary->unfinished += header->state == GXC_RUNNING;
	summary->is_instrumented = summary->is_instrumented ||
	                           (header->flags & GXC_INSTRUMENTED) != 0;
	summary->has_other_clock = summary->has_other_clock ||
	                           (header->flags & GXC_OTHER_CLOCK) != 0;
	summary->is_attached = summary->is_attached || (header->flags & GXC_ATTACHED) != 0;
	if (header->flags & GXC_ATTACHED)
		summary->unsampled += (double)header->unsampled_ns / 1e9;
	while (gxc_next(walk, &view) > 0)
		add_chunk(walk, &view, summary);
}

bool
data_has_room(const char *folder)
{
	enum { PAGE = 4096 };
	struct statvfs disk;
	struct rlimit limit;

	return (getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur >= PAGE) &&
	       (statvfs(folder, &disk) != 0 || disk.f_bavail > 0);
}

bool
data_summarize(const char *folder, struct summary *summary)
{
	DIR *names = opendir(folder);
	const struct dirent *entry;

	*summary = (struct summary){0};
	while (names && (entry = readdir(names))) {
		struct gxc_walk walk;

		if (!data_is_file(entry->d_name) ||
		    !map_file(
			    openat(dirfd(names), entry->d_name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW),
			    &walk))
			continue;
		add_file(&walk, summary);
		munmap((void *)(uintptr_t)walk.bytes, walk.length);
	}
	if (names)
		closedir(names);
	return summary->processes > 0;
}

bool
data_summarize_file(const char *file, struct summary *summary)
{
	struct gxc_walk walk;

	*summary = (struct summary){0};
	if (!map_file(open(file, O_RDONLY | O_CLOEXEC), &walk))
		return false;
	add_file(&walk, summary);
	munmap((void *)(uintptr_t)walk.bytes, walk.length);
	return true;
}

/* The object of the program: its path is that of the header. */
static bool
find_program(struct gxc_walk walk, struct gxc_object *program)
{
	uint64_t name = header_of(&walk)->program_name;
	struct gxc_view view;

	while (gxc_next(&walk, &view) > 0)
		for (uint64_t i = 0; view.type == GXC_OBJECTS && i < view.count; i++) {
			memcpy(program, row_of(&walk, &view, i), sizeof *program);
			if (program->path == name && program->high > program->low)
				return true;
		}
	return false;
}

/* The chunks of calls and samples, for the classical file. */
static const struct gxc_chunk **
list_chunks(struct gxc_walk walk, size_t *count)
{
	const struct gxc_chunk **list = malloc((size_t)(walk.length / walk.page_bytes + 1) *
	                                       sizeof(struct gxc_chunk *));
	struct gxc_view view;

	*count = 0;
	while (list && gxc_next(&walk, &view) > 0)
		/* Larger entries are of a later version. */
		if ((view.type == GXC_ARCS || view.type == GXC_STACKS || view.type == GXC_BLOCKS) &&
		    view.entry_bytes == gxc_entry_bytes(view.type) && view.count > 0)
			list[(*count)++] = (const struct gxc_chunk *)(const void *)row_of(
						   &walk, &view, 0) -
			                   1;
	return list;
}

bool
data_recover(const char *name, const char *to)
{
	struct gxc_object program;
	struct gmon_input input = {.program = &program, .has_blocks = true};
	struct gxc_walk walk;
	struct stat status;
	const struct gxc_chunk **chunks;
	bool is_written = false;
	int descriptor;

	if (!map_file(open(name, O_RDONLY | O_CLOEXEC), &walk)) {
		message("%s is not a file of the collector, or is from a machine with another byte order",
		        name);
		return false;
	}
	if (!find_program(walk, &program)) {
		message("%s does not state where its program was loaded", name);
		return false;
	}
	input.low = program.low;
	input.high = program.high;
	input.rate = header_of(&walk)->clock != GXC_CLOCK_OFF ? header_of(&walk)->rate : 0;
	chunks = list_chunks(walk, &input.count);
	if (!chunks)
		return false;
	input.chunks = chunks;
	descriptor = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666);
	is_written = descriptor >= 0 && gmon_write(descriptor, &input);
	if (!is_written)
		message("cannot write %s: %s", to, strerror(errno));
	if (!is_written && descriptor >= 0 && fstat(descriptor, &status) == 0 &&
	    S_ISREG(status.st_mode))
		(void)unlink(to);
	if (descriptor >= 0)
		close(descriptor);
	free(chunks);
	return is_written;
}
