/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Writes the classical file of this process. */
#include "collect.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gmon.h"

/* A child of fork must not write over the file of its parent. */
static bool
name_file(char name[COLLECT_PATH])
{
	char number[24];
	size_t length;

	if (!names_fill(name, COLLECT_PATH, collect.settings.out, collect.sequence))
		return false;
	length = strlen(name);
	say_number(number, collect.pid);
	if (!collect.is_forked || strstr(collect.settings.out, "%p") ||
	    length + sizeof number + 1 > COLLECT_PATH)
		return true;
	name[length] = '.';
	memcpy(name + length + 1, number, strlen(number) + 1);
	return true;
}

/* A limit for the size of files is no reason for a signal: blocks it; says whether it was pending.
 */
static bool
block_limit(sigset_t *before)
{
	sigset_t limit;

	(void)sigemptyset(&limit);
	(void)sigaddset(&limit, SIGXFSZ);
	(void)pthread_sigmask(SIG_BLOCK, &limit, before);
	return sigpending(&limit) == 0 && sigismember(&limit, SIGXFSZ) == 1;
}

static void
unblock_limit(bool was_pending, const sigset_t *before)
{
	const struct timespec none = {0, 0};
	sigset_t limit;

	(void)sigemptyset(&limit);
	(void)sigaddset(&limit, SIGXFSZ);
	if (!was_pending)
		(void)sigtimedwait(&limit, NULL, &none);
	(void)pthread_sigmask(SIG_SETMASK, before, NULL);
}

static bool
write_file(const char *name, const struct gmon_input *input)
{
	sigset_t before;
	struct stat status;
	char number[40];
	int error;
	bool was_pending = block_limit(&before), is_written;
	int descriptor = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666);

	is_written = descriptor >= 0 && gmon_write(descriptor, input);
	error = errno;
	/* Readers would take what there is of it for damaged. */
	if (!is_written && descriptor >= 0 && fstat(descriptor, &status) == 0 &&
	    S_ISREG(status.st_mode))
		(void)unlink(name);
	if (descriptor >= 0)
		close(descriptor);
	unblock_limit(was_pending, &before);
	if (!is_written)
		SAY("cannot write ", name, ": ", say_reason(number, error));
	return is_written;
}

bool
gmon_snapshot(const char *path)
{
	struct gmon_input input = {
		.program = objects_program(),
		.low = collect.text_low,
		.high = collect.text_high,
		.rate = collect.header->clock != GXC_CLOCK_OFF ? collect.settings.rate : 0};
	const struct gxc_chunk **chunks;
	char name[COLLECT_PATH];
	size_t room = 0;
	bool is_written;

	if (!input.program || (!path && !name_file(name)))
		return false;
	if (input.high <= input.low || input.low < input.program->low ||
	    input.high > input.program->high) {
		input.low = input.program->low;
		input.high = input.program->high;
	}
	for (const struct chunk_list *row = chunks_all(); row; row = row->next)
		room++;
	chunks = malloc((room + 1) * sizeof(struct gxc_chunk *));
	if (!chunks)
		return false;
	for (const struct chunk_list *row = chunks_all(); row && input.count < room;
	     row = row->next)
		chunks[input.count++] = row->chunk;
	input.chunks = chunks;
	is_written = write_file(path ? path : name, &input);
	free(chunks);
	return is_written;
}

void
collect_write_gmon(void)
{
	static bool has_failed;

	/* It is written at the end of the program, and once more at that of the process. */
	has_failed = has_failed || !gmon_snapshot(NULL);
}
