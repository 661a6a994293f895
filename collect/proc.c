/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "proc.h"

#include <fcntl.h>

#include "collect.h"
#include "sys.h"

void
proc_path(char to[PROC_PATH], uint32_t tid, const char *name)
{
	char number[24];
	const char *const parts[] = {"/proc/self/task/", say_number(number, tid), "/", name};
	size_t length = 0;

	for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
		for (const char *part = parts[i]; *part != '\0'; part++)
			to[length++] = *part;
	to[length] = '\0';
}

long
proc_read(uint32_t tid, const char *name, char *to, size_t bytes)
{
	char path[PROC_PATH];
	long file, got;

	proc_path(path, tid, name);
	file = SYS4(openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
	if (file < 0)
		return file;
	got = SYS3(read, file, to, bytes);
	SYS1(close, file);
	return got;
}
