/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Reads what the system says of threads, in /proc. */
#include "waits-state.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "proc.h"
#include "sys.h"

static uint32_t files, most_files;

void
waits_begin_states(uint32_t most)
{
	files = 0;
	most_files = most;
}

void
waits_forget_thread(struct watched *watched)
{
	if (watched->tid != 0 && watched->file >= 0) {
		SYS1(close, watched->file);
		files--;
	}
	*watched = (struct watched){.file = -1, .own = watched->own};
}

/* What a thread waits for: "NUMBER of the call, six arguments, SP PC"; as long as there are
 * descriptors, the file stays open. */
static long
read_call(struct watched *watched, char *to, size_t bytes)
{
	char path[PROC_PATH];

	if (watched->file < 0 && files < most_files) {
		proc_path(path, watched->tid, "syscall");
		watched->file = (int)SYS4(openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
		files += watched->file >= 0;
	}
	if (watched->file < 0)
		return proc_read(watched->tid, "syscall", to, bytes);
	return SYS4(pread64, watched->file, to, bytes, 0);
}

/* The last two numbers of a text: those behind "0x". */
static bool
read_registers(const char *text, long length, uint64_t *sp, uint64_t *pc)
{
	uint64_t numbers[2] = {0, 0};
	int count = 0;

	for (long i = 0; i + 1 < length; i++) {
		if (text[i] != '0' || text[i + 1] != 'x')
			continue;
		numbers[0] = numbers[1];
		numbers[1] = 0;
		for (i += 2; i < length; i++) {
			char digit = text[i];

			if (digit >= '0' && digit <= '9')
				numbers[1] = numbers[1] << 4 | (uint64_t)(digit - '0');
			else if (digit >= 'a' && digit <= 'f')
				numbers[1] = numbers[1] << 4 | (uint64_t)(digit - 'a' + 10);
			else
				break;
		}
		count++;
	}
	*sp = numbers[0];
	*pc = numbers[1];
	return count >= 2;
}

/* Whether it waits, by the letter behind its name; where nothing says in which call. */
static enum waits_state
coarse_state(uint32_t tid)
{
	char text[128];
	long length = proc_read(tid, "stat", text, sizeof text), at = length;

	while (at > 0 && text[at - 1] != ')')
		at--;
	if (at > 0 && at + 1 < length && (text[at + 1] == 'S' || text[at + 1] == 'D'))
		return STATE_WAITS_ANYWHERE;
	return STATE_RUNS;
}

enum waits_state
waits_state_of(struct watched *watched, uint64_t *sp, uint64_t *pc)
{
	char text[256];
	long length = read_call(watched, text, sizeof text);

	if (length <= 0)
		return coarse_state(watched->tid);
	/* "running": or it could, if there were a processor.  One that ended has no registers. */
	return read_registers(text, length, sp, pc) && *sp != 0 ? STATE_WAITS : STATE_RUNS;
}

bool
waits_is_alone(long *status)
{
	enum { ENTRIES = 2, BOTH = 2 };
	struct stat folder;
	char text[1024];
	long length, at;

	if (SYS4(newfstatat, AT_FDCWD, "/proc/self/task", &folder, 0) < 0 ||
	    folder.st_nlink > ENTRIES + BOTH)
		return false;
	length = at = proc_read(collect.pid, "stat", text, sizeof text);
	while (at > 0 && text[at - 1] != ')')
		at--;
	if (at <= 0 || at + 1 >= length || (text[at + 1] != 'Z' && text[at + 1] != 'X'))
		return false;
	/* The last number. */
	while (length > 0 && text[length - 1] != ' ')
		length--;
	*status = 0;
	for (; text[length] >= '0' && text[length] <= '9'; length++)
		*status = *status * 10 + text[length] - '0';
	*status >>= 8;
	return true;
}
