/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Writes what was seen of a process as the collector writes it. */
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gprofx/gxc.h>

#include "attach-image.h"
#include "attach-process.h"
#include "message.h"
#include "whole.h"

enum { PAGE = 4096, MOST_TEXTS = 1 << 30 };

/* A file in the making. */
struct making {
	const struct recording *recording;
	struct process *process;
	uint8_t *bytes;
	uint64_t length, room;
	char *texts; /* the first one is empty */
	uint32_t text_bytes, text_room;
	uint32_t *renumbered; /* of nodes: what they are in their table, from 1 */
	bool has_failed;
};

/* Room for bytes at the end, which are 0; NULL: there is no memory. */
static void *
extend(struct making *making, uint64_t bytes)
{
	uint64_t room = making->room;
	uint8_t *larger;

	while (room < making->length + bytes)
		room = room * 2 + PAGE;
	if (room > making->room) {
		larger = realloc(making->bytes, (size_t)room);
		if (!larger) {
			making->has_failed = true;
			return NULL;
		}
		making->bytes = larger;
		making->room = room;
	}
	memset(making->bytes + making->length, 0, (size_t)bytes);
	making->length += bytes;
	return making->bytes + making->length - bytes;
}

/* Adds a chunk with so many entries, which are copied. */
static void
add_chunk(struct making *making, enum gxc_type type, uint32_t thread, const void *entries,
          uint64_t count, uint32_t entry_bytes)
{
	uint64_t used = sizeof(struct gxc_chunk) + count * entry_bytes;
	uint64_t size = (used + PAGE - 1) / PAGE * PAGE;
	struct gxc_chunk *chunk = extend(making, size);

	if (!chunk)
		return;
	chunk->magic = GXC_CHUNK;
	chunk->type = (uint16_t)type;
	chunk->entry_bytes = (uint16_t)entry_bytes;
	chunk->size = size;
	chunk->capacity = (size - sizeof *chunk) / entry_bytes;
	chunk->used = count;
	chunk->thread = thread;
	if (count > 0)
		memcpy(chunk + 1, entries, (size_t)(count * entry_bytes));
}

/* The offset of a text; 0: the empty one, or there is no room. */
static uint32_t
add_text(struct making *making, const char *text)
{
	size_t bytes = text ? strlen(text) + 1 : 0;
	uint32_t at = making->text_bytes;
	char *larger;

	if (making->has_failed || bytes <= 1 || bytes > MOST_TEXTS - at)
		return 0;
	if (at + bytes > making->text_room) {
		making->text_room = making->text_room * 2 + (uint32_t)bytes + PAGE;
		larger = realloc(making->texts, making->text_room);
		if (!larger) {
			making->has_failed = true;
			return 0;
		}
		making->texts = larger;
	}
	memcpy(making->texts + at, text, bytes);
	making->text_bytes += (uint32_t)bytes;
	return at;
}

static uint64_t
real_time(const struct making *making, uint64_t time)
{
	return time != 0 ? time + (uint64_t)making->recording->real_time : 0;
}

/* Objects that are gone get addresses that nothing else has. */
static void
place_objects(struct making *making, uint32_t program)
{
	struct process *process = making->process;
	struct gxc_object *rows = calloc(process->object_count + 1, sizeof *rows);
	uint64_t kept = GXC_KEPT;
	uint32_t count = 0;

	if (!rows) {
		making->has_failed = true;
		return;
	}
	for (uint32_t i = 0; i < process->object_count; i++) {
		struct object *object = &process->objects[i];
		struct gxc_object *row = &rows[count];
		const char *path = object->image ? object->image->path : "";

		if (object->is_gone && !object->is_used)
			continue;
		object->kept = object->low;
		if (object->is_gone) {
			object->kept = kept;
			/* Adjacent ones would look like one. */
			kept += (object->high - object->low + PAGE - 1) / PAGE * PAGE + PAGE;
		}
		row->low = object->kept;
		row->high = object->kept + (object->high - object->low);
		row->bias = object->bias + (object->kept - object->low);
		/* Several parts of a file, and files after each other, have the same path. */
		if (process->path && strcmp(path, process->path) == 0)
			row->path = program;
		for (uint32_t k = count; k-- > 0 && row->path == 0;)
			if (strcmp(making->texts + rows[k].path, path) == 0)
				row->path = rows[k].path;
		if (row->path == 0 && path[0] != '\0' && strncmp(path, "//", 2) != 0)
			row->path = add_text(making, path);
		if (object->image)
			memcpy(row->build_id, object->image->build_id, sizeof row->build_id);
		count++;
	}
	add_chunk(making, GXC_OBJECTS, 0, rows, count, sizeof *rows);
	free(rows);
}

static void
add_threads(struct making *making)
{
	const struct process *process = making->process;
	struct gxc_thread rows[PROCESS_TABLES];

	memset(rows, 0, sizeof rows);
	for (uint32_t i = 0; i < process->table_count; i++) {
		const struct table *table = &process->tables[i];

		rows[i].number = i + 1;
		rows[i].tid = table->tid;
		rows[i].start = real_time(making, table->start);
		rows[i].end = real_time(making, table->end);
		rows[i].threads = table->threads;
		memcpy(rows[i].name, table->name, sizeof rows[i].name);
	}
	add_chunk(making, GXC_THREADS, 0, rows, process->table_count, sizeof rows[0]);
}

/* The stacks of one table: callers are before what they call. */
static void
add_stacks(struct making *making, uint32_t table, struct gxc_stack *rows)
{
	const struct process *process = making->process;
	uint32_t count = 0;

	for (uint32_t i = 0; i < process->tree.count; i++) {
		const struct node *node = &process->tree.nodes[i];
		const struct object *object = node->object != 0
		                                      ? &process->objects[node->object - 1]
		                                      : NULL;

		if (node->table != table)
			continue;
		rows[count] = (struct gxc_stack){
			.pc = node->pc + (object ? object->kept - object->low : 0),
			.parent = node->parent != 0 ? making->renumbered[node->parent - 1] : 0,
			.flags = node->flags,
			.count = node->count,
			.squares = node->count,
		};
		making->renumbered[i] = ++count;
	}
	if (count > 0)
		add_chunk(making, GXC_STACKS, table, rows, count, sizeof *rows);
}

static void
add_all_stacks(struct making *making)
{
	uint32_t count = making->process->tree.count;
	struct gxc_stack *rows = calloc((size_t)count + 1, sizeof *rows);

	making->renumbered = calloc((size_t)count + 1, sizeof *making->renumbered);
	if (!rows || !making->renumbered)
		making->has_failed = true;
	for (uint32_t i = 0; !making->has_failed && i <= making->process->table_count; i++)
		add_stacks(making, i, rows);
	free(rows);
	free(making->renumbered);
}

static void
add_events(struct making *making)
{
	const struct process *process = making->process;

	for (uint32_t i = 0; i < process->event_count; i++)
		process->events[i].time = real_time(making, process->events[i].time);
	if (process->event_count > 0)
		add_chunk(making, GXC_EVENTS, 0, process->events, process->event_count,
		          sizeof process->events[0]);
}

static void
fill_header(const struct making *making, uint32_t program)
{
	const struct process *process = making->process;
	struct gxc_header *header = (struct gxc_header *)(void *)making->bytes;

	memcpy(header->magic, GXC_MAGIC, sizeof header->magic);
	header->version = GXC_VERSION;
	header->order = GXC_ORDER;
	header->pointer_bytes = 8;
	header->state = !process->has_ended    ? GXC_RUNNING
	                : process->is_replaced ? GXC_REPLACED
	                                       : GXC_CLOSED;
	header->machine = making->recording->machine;
	header->pid = process->pid;
	header->parent_pid = process->parent;
	header->sequence = process->sequence;
	header->page_bytes = PAGE;
	header->flags = making->recording->flags | GXC_ATTACHED |
	                (process->is_forked ? GXC_FORKED : 0) |
	                (process->has_ended ? 0 : GXC_SNAPSHOT);
	header->start = real_time(making, process->start);
	header->end = real_time(making, process->end);
	header->rate = making->recording->rate;
	header->clock = GXC_CLOCK_TASK;
	header->bytes = making->length;
	header->lost_samples = process->lost;
	header->threads = process->threads;
	header->program_name = program;
	header->unsampled_ns = process->unsampled;
}

/* The name of the file: that of the program, the process, and how often that began another one. */
static bool
name_file(const struct making *making, char to[PATH_MAX])
{
	const char *path = making->process->path, *slash = path ? strrchr(path, '/') : NULL;
	const char *name = slash ? slash + 1 : "program";
	size_t length = strlen(name);

	/* What the system adds where the file was removed. */
	if (length > 10 && strcmp(name + length - 10, " (deleted)") == 0)
		length -= 10;
	return snprintf(to, PATH_MAX, "%s/%.*s.%u.%u.gxc", making->recording->folder, (int)length,
	                name, making->process->pid, making->process->sequence) < PATH_MAX;
}

bool
attach_write(const struct recording *recording, struct process *process)
{
	struct making making = {.recording = recording, .process = process};
	uint32_t program;
	char to[PATH_MAX];
	struct whole whole = {.descriptor = -1};
	bool is_written = false;

	errno = ENOMEM;
	making.texts = calloc(1, 1);
	making.text_bytes = making.text_room = 1;
	making.has_failed = !making.texts;
	(void)extend(&making, PAGE);
	program = add_text(&making, process->path);
	if (!making.has_failed)
		place_objects(&making, program);
	if (!making.has_failed)
		add_chunk(&making, GXC_STRINGS, 0, making.texts, making.text_bytes, 1);
	add_threads(&making);
	if (!making.has_failed)
		add_all_stacks(&making);
	add_events(&making);
	if (!making.has_failed && name_file(&making, to)) {
		fill_header(&making, program);
		is_written = whole_begin(&whole, to) &&
		             whole_end(&whole, to,
		                       whole_write(&whole, making.bytes, making.length, 0));
	}
	if (!is_written)
		message("error[attach.cannot-write]: cannot write what was seen of process %u into %s: "
		        "%s; make room there, or name another folder with -o",
		        process->pid, recording->folder, strerror(errno));
	free(making.bytes);
	free(making.texts);
	return is_written;
}
