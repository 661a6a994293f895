/* SPDX-License-Identifier: Apache-2.0 */
/* Processes and threads, each as long as its number stands for it. */
#include <stdio.h>
#include <string.h>

#include "../shared/grown.h"
#include "records.h"
#include "numbers.h"
#include "reading.h"

static uint32_t
add_process(struct perfdata *p, uint32_t pid)
{
	p->processes = grown(p->gx, p->processes, sizeof *p->processes, &p->process_room,
	                     p->process_count + 1, 64);
	p->processes[p->process_count] = (struct perfdata_process){.pid = pid};
	perfdata_set_number(p->gx, &p->of_pid, pid, ++p->process_count);
	return p->process_count - 1;
}

uint32_t
perfdata_process(struct perfdata *p, uint32_t pid)
{
	uint32_t number = perfdata_number(&p->of_pid, pid);

	return number > 0 ? number - 1 : add_process(p, pid);
}

static struct perfdata_thread *
thread_of(struct perfdata *p, uint32_t tid)
{
	uint32_t number = perfdata_number(&p->of_tid, tid);

	if (number == 0) {
		p->threads = grown(p->gx, p->threads, sizeof *p->threads, &p->thread_room,
		                   p->thread_count + 1, 64);
		p->threads[p->thread_count] = (struct perfdata_thread){.tid = tid};
		number = ++p->thread_count;
		perfdata_set_number(p->gx, &p->of_tid, tid, number);
	}
	return &p->threads[number - 1];
}

const char *
perfdata_command(const struct perfdata *p, uint32_t pid)
{
	uint32_t number = perfdata_number(&p->of_tid, pid);

	return number > 0 && p->threads[number - 1].command[0] != '\0'
	               ? p->threads[number - 1].command
	               : NULL;
}

/* What perf calls a thread whose command it does not know. */
static const char *
name_of(const struct perfdata *p, uint32_t tid, char *text, size_t room)
{
	const char *command = perfdata_command(p, tid);

	if (command)
		return command;
	if (tid == 0)
		return "swapper";
	snprintf(text, room, ":%u", (unsigned int)tid);
	return text;
}

/* parent: of the host, or 0. */
static uint32_t
declare(struct perfdata *p, struct perfdata_process *process, uint32_t parent)
{
	char text[COMMAND_BYTES];
	const struct gprofx_raw_process row = {
		.size = sizeof row,
		.parent = parent,
		.number = process->pid,
		.name = name_of(p, process->pid, text, sizeof text),
	};

	process->number = p->profile->builder->process(p->gx, p->profile, p->file, &row);
	return process->number;
}

uint32_t
perfdata_host_process(struct perfdata *p, struct perfdata_process *process)
{
	return process->number > 0 ? process->number : declare(p, process, 0);
}

static void
set_command(struct perfdata_thread *thread, const char *text, size_t length)
{
	char command[COMMAND_BYTES + 1] = "";

	memcpy(command, text, length < COMMAND_BYTES ? length : COMMAND_BYTES);
	if (strcmp(command, thread->command) == 0)
		return;
	memcpy(thread->command, command, sizeof command);
	thread->slice = 0;
}

void
perfdata_take_command(struct perfdata *p, const struct perfdata_record *record)
{
	enum { AT_PID = 8, AT_TID = 12, AT_NAME = 16 };
	struct perfdata_thread *thread;
	const char *text;
	size_t length;
	uint32_t pid;

	if (record->bytes < AT_NAME)
		return;
	pid = perfdata_u32(p, record->at + AT_PID);
	length = perfdata_text(record, AT_NAME, &text);
	thread = thread_of(p, perfdata_u32(p, record->at + AT_TID));
	set_command(thread, text, length);
	/* Another program takes the place of the process, and of all that it had mapped. */
	if (record->misc & MISC_EXEC)
		add_process(p, pid);
}

void
perfdata_take_fork(struct perfdata *p, const struct perfdata_record *record)
{
	enum { AT_PID = 8, AT_PARENT = 12, AT_TID = 16, AT_PARENT_TID = 20, AT_TIME = 24 };
	uint32_t pid, parent, tid, parent_tid, from, to;
	char command[COMMAND_BYTES + 1] = "";

	if (record->bytes < AT_TIME)
		return;
	pid = perfdata_u32(p, record->at + AT_PID);
	parent = perfdata_u32(p, record->at + AT_PARENT);
	tid = perfdata_u32(p, record->at + AT_TID);
	parent_tid = perfdata_u32(p, record->at + AT_PARENT_TID);
	/* The array of threads can move. */
	memcpy(command, thread_of(p, parent_tid)->command, sizeof command);
	set_command(thread_of(p, tid), command, strlen(command));
	if (pid == parent)
		return;
	from = perfdata_process(p, parent);
	to = add_process(p, pid);
	if ((record->misc & MISC_EXEC) == 0)
		p->processes[to].program = p->processes[from].program;
	/* perf describes processes that were there before by forks, too, and then their mappings.
	 */
	if ((record->misc & MISC_EXEC) == 0 && p->processes[from].number > 0)
		declare(p, &p->processes[to], p->processes[from].number);
}

uint32_t
perfdata_slice(struct perfdata *p, uint32_t process, uint32_t tid)
{
	const struct gprofx_profile_builder *builder = p->profile->builder;
	struct perfdata_thread *thread = thread_of(p, tid);
	char text[COMMAND_BYTES];
	struct gprofx_raw_thread row = {.size = sizeof row, .number = tid};
	uint32_t number;

	if (thread->slice > 0 && thread->process == process + 1)
		return thread->slice;
	row.process = perfdata_host_process(p, &p->processes[process]);
	row.name = name_of(p, tid, text, sizeof text);
	number = builder->thread(p->gx, p->profile, p->file, &row);
	thread->process = process + 1;
	thread->slice = builder->slice(p->gx, p->profile, p->file, number, 0);
	return thread->slice;
}

void
perfdata_release_processes(struct perfdata *p)
{
	p->gx->host->release(p->gx, p->processes);
	p->gx->host->release(p->gx, p->threads);
	perfdata_forget_numbers(p->gx, &p->of_pid);
	perfdata_forget_numbers(p->gx, &p->of_tid);
}
