/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Records of the system: samples, and what processes do. */
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include <gprofx/gxc.h>

#include "attach-events.h"
#include "attach-image.h"
#include "attach-process.h"
#include "attach-session.h"
#include "attach.h"

uint64_t
session_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

struct session_thread *
session_find(struct session *session, uint32_t tid)
{
	struct session_thread *thread = session->threads[tid % SESSION_BUCKETS];

	while (thread && thread->tid != tid)
		thread = thread->next;
	return thread;
}

static void
read_name(uint32_t pid, uint32_t tid, char name[PROCESS_NAME])
{
	char path[64];
	FILE *file;

	name[0] = '\0';
	snprintf(path, sizeof path, "/proc/%u/task/%u/comm", pid, tid);
	file = fopen(path, "re");
	if (!file)
		return;
	if (!fgets(name, PROCESS_NAME, file))
		name[0] = '\0';
	name[strcspn(name, "\n")] = '\0';
	fclose(file);
}

struct session_thread *
session_add(struct session *session, struct process *process, uint32_t tid, const char *name,
            uint64_t time)
{
	struct session_thread *thread = session_find(session, tid);
	char read[PROCESS_NAME];

	if (thread && thread->process == process)
		return thread;
	if (!thread) {
		struct session_thread **list = &session->threads[tid % SESSION_BUCKETS];

		thread = calloc(1, sizeof *thread);
		if (!thread)
			return NULL;
		thread->next = *list;
		*list = thread;
	}
	if (!name)
		read_name(process->pid, tid, read);
	thread->process = process;
	thread->tid = tid;
	thread->table = process_start_thread(process, tid, name ? name : read, time);
	return thread;
}

static void
forget_thread(struct session *session, struct session_thread *thread)
{
	struct session_thread **link = &session->threads[thread->tid % SESSION_BUCKETS];

	while (*link != thread)
		link = &(*link)->next;
	*link = thread->next;
	free(thread);
}

/* The last program of a process, or NULL. */
static struct process *
find_process(const struct session *session, uint32_t pid)
{
	struct process *process = session->processes;

	while (process && (process->pid != pid || process->is_replaced))
		process = process->next;
	return process;
}

static struct process *
begin_process(struct session *session, uint32_t pid, uint32_t parent, uint64_t time)
{
	struct process *process = process_make(pid, parent, time);

	if (!process)
		return NULL;
	process->next = session->processes;
	session->processes = process;
	return process;
}

void
session_write(struct session *session, struct process *process)
{
	struct process **link = &session->processes;

	while (*link != process)
		link = &(*link)->next;
	*link = process->next;
	if (attach_write(&session->recording, process))
		session->written++;
	else
		session->has_failed = true;
	session->nodes -= process->tree.count;
	process_release(process);
}

static void
take_sample(struct session *session, const struct perf_event_header *record)
{
	struct events_sample sample;
	struct session_thread *thread;

	if (!events_read(&session->events, record, &sample))
		return;
	thread = session_find(session, sample.tid);
	if (!thread) {
		/* What said that it started was lost. */
		struct process *process = find_process(session, sample.pid);

		thread = process ? session_add(session, process, sample.tid, NULL,
		                               events_time(record))
		                 : NULL;
		if (!thread)
			return;
	}
	if (thread->is_target) {
		const struct target *target = events_target(&session->events, sample.tid);

		/* By the thread that started it, it is seen once more. */
		if (target && !events_is_of(&session->events, target, sample.id))
			return;
	}
	session_sample(session, thread, &sample);
}

struct mmap_record {
	struct perf_event_header header;
	uint32_t pid, tid;
	uint64_t address, bytes, offset;
	uint32_t major, minor;
	uint64_t inode, generation;
	uint32_t protection, flags;
	char path[];
};

static void
take_mmap(struct session *session, const struct perf_event_header *header)
{
	const struct mmap_record *record = (const void *)header;
	struct process *process = find_process(session, record->pid);
	const char *path = record->path;

	if (!process || header->size <= sizeof *record || !(record->protection & PROT_EXEC) ||
	    events_time(header) < process->looked)
		return;
	if (path[0] == '/' && path[1] == '/')
		path = "";
	process_map(process, &session->images,
	            &(struct image_mapping){(int)record->pid, record->address,
	                                    record->address + record->bytes, record->offset,
	                                    (uint64_t)record->major << 32 | record->minor,
	                                    record->inode, path});
}

struct task_record {
	struct perf_event_header header;
	uint32_t pid, parent, tid, parent_tid;
	uint64_t time;
};

static void
take_fork(struct session *session, const struct perf_event_header *header)
{
	const struct task_record *record = (const void *)header;
	struct process *parent = find_process(session, record->parent), *process = parent;
	const struct session_thread *starter = session_find(session, record->parent_tid);
	struct session_thread *thread;
	char name[PROCESS_NAME] = "";

	if (!parent)
		return;
	if (record->pid != record->parent) {
		if (!session->attach->follows || find_process(session, record->pid))
			return;
		process_note(parent, record->time, GXC_EVENT_FORK, record->pid);
		process = begin_process(session, record->pid, record->parent, record->time);
		if (!process)
			return;
		process->is_forked = true;
		process_copy_code(process, parent);
	}
	if (starter && starter->table != 0)
		memcpy(name, starter->process->tables[starter->table - 1].name, sizeof name);
	thread = session_find(session, record->tid);
	if (thread && thread->is_target) {
		/* It was there when this looked, and has the events of the one that started it. */
		struct target *target = events_target(&session->events, record->tid);

		if (target)
			events_detach(&session->events, target);
		thread->is_target = false;
		return;
	}
	(void)session_add(session, process, record->tid, name, record->time);
}

static void
end_thread(struct session *session, struct session_thread *thread, uint64_t time)
{
	struct process *process = thread->process;

	if (thread->table != 0)
		process->tables[thread->table - 1].end = time;
	process->running -= process->running > 0;
	forget_thread(session, thread);
	if (process->running > 0)
		return;
	process->has_ended = true;
	process->end = time;
	if (process != session->root)
		session_write(session, process);
}

static void
take_exit(struct session *session, const struct perf_event_header *header)
{
	const struct task_record *record = (const void *)header;
	struct session_thread *thread = session_find(session, record->tid);

	if (thread && thread->process->pid == record->pid)
		end_thread(session, thread, record->time);
}

/* Another program takes the place of the one that a process had. */
static void
begin_program(struct session *session, struct process *former, uint32_t tid, const char *name,
              uint64_t time)
{
	struct process *process = begin_process(session, former->pid, former->parent, time);
	struct session_thread *thread;

	if (!process)
		return;
	process->sequence = former->sequence + 1;
	/* Of its threads, the one that did so is left, and has the number of the process. */
	for (uint32_t i = 0; i < former->table_count; i++)
		if (former->tables[i].end == 0)
			former->tables[i].end = time;
	thread = session_add(session, process, tid, name, time);
	/* It can be another one than had this number when this was attached. */
	if (thread)
		thread->is_target = false;
	process_note(former, time, GXC_EVENT_EXEC, 0);
	former->has_ended = former->is_replaced = true;
	former->end = time;
	if (session->root == former)
		session->root = process;
	for (uint32_t i = 0; i < SESSION_BUCKETS; i++)
		for (struct session_thread *next, *other = session->threads[i]; other;
		     other = next) {
			next = other->next;
			if (other->process == former)
				forget_thread(session, other);
		}
	session_write(session, former);
}

struct comm_record {
	struct perf_event_header header;
	uint32_t pid, tid;
	char name[];
};

static void
take_comm(struct session *session, const struct perf_event_header *header)
{
	const struct comm_record *record = (const void *)header;
	struct process *process = find_process(session, record->pid);
	const struct session_thread *thread = session_find(session, record->tid);
	struct table *table;
	char name[PROCESS_NAME] = "";

	if (!process)
		return;
	snprintf(name, sizeof name, "%.*s", PROCESS_NAME - 1, record->name);
	if (header->misc & PERF_RECORD_MISC_COMM_EXEC) {
		begin_program(session, process, record->tid, name, events_time(header));
		return;
	}
	if (!thread || thread->process != process || thread->table == 0)
		return;
	table = &process->tables[thread->table - 1];
	if (table->threads == 1)
		memcpy(table->name, name, sizeof name);
	else if (strcmp(table->name, name) != 0)
		memset(table->name, 0, sizeof table->name);
}

struct lost_record {
	struct perf_event_header header;
	uint64_t id, lost;
};

static void
take_lost(struct session *session, const struct perf_event_header *header)
{
	const struct lost_record *record = (const void *)header;

	session->root->lost += record->lost;
	session->samples += record->lost;
	session->lost += record->lost;
	session->has_lost_records = true;
}

void
session_take(struct session *session, const struct perf_event_header *record)
{
	switch (record->type) {
	case PERF_RECORD_SAMPLE:
		take_sample(session, record);
		break;
	case PERF_RECORD_MMAP2:
		take_mmap(session, record);
		break;
	case PERF_RECORD_FORK:
		take_fork(session, record);
		break;
	case PERF_RECORD_EXIT:
		take_exit(session, record);
		break;
	case PERF_RECORD_COMM:
		take_comm(session, record);
		break;
	case PERF_RECORD_LOST:
		take_lost(session, record);
		break;
	case PERF_RECORD_THROTTLE:
		session->attach->throttled++;
		break;
	default:
		break;
	}
}
