/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "collect.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sys.h"
#include "waits.h"

static struct stat error_output;

void
say_prepare(void)
{
	if (SYS2(fstat, STDERR_FILENO, &error_output) < 0)
		error_output.st_ino = 0;
}

/* What a program opened by itself can have the number now. */
static bool
is_error_output(long descriptor)
{
	struct stat now;

	return error_output.st_ino != 0 && SYS2(fstat, descriptor, &now) == 0 &&
	       now.st_dev == error_output.st_dev && now.st_ino == error_output.st_ino;
}

void
say(const char *const *texts)
{
	char line[1024];
	size_t length = 0;
	long to = STDERR_FILENO;
	static const char who[] = "gprofx-collect: ";

	for (size_t i = 0; who[i]; i++)
		line[length++] = who[i];
	for (; *texts; texts++)
		for (const char *from = *texts; *from && length < sizeof line - 1; from++)
			line[length++] = (char)((unsigned char)*from < ' ' ? '?' : *from);
	line[length++] = '\n';
	/* The collector's own thread has none of the program's descriptors. */
	if (waits_is_here())
		to = SYS4(openat, AT_FDCWD, "/proc/self/fd/2",
		          O_WRONLY | O_APPEND | O_NOCTTY | O_CLOEXEC, 0);
	if (is_error_output(to))
		SYS3(write, to, line, length);
	if (to > STDERR_FILENO)
		SYS1(close, to);
}

const char *
say_reason(char to[40], long error)
{
	static const struct {
		long error;
		const char *words;
	} known[] = {
		{ENOSPC, "the disk is full"},
		{EDQUOT, "the user's quota of the disk is used up"},
		{EFBIG, "the user may not write larger files, ulimit -f"},
		{EROFS, "the disk is read-only"},
		{EACCES, "that is not allowed"},
		{EPERM, "that is not allowed"},
		{ENOENT, "its folder does not exist"},
		{ENOMEM, "there is no memory"},
	};
	static const char unknown[] = "error ";

	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
		if (known[i].error == error)
			return known[i].words;
	for (size_t i = 0; i < sizeof unknown; i++)
		to[i] = unknown[i];
	say_number(to + sizeof unknown - 1, (uint64_t)error);
	return to;
}

char *
say_number(char to[24], uint64_t number)
{
	char digits[24];
	size_t count = 0, at = 0;

	do
		digits[count++] = (char)('0' + number % 10);
	while ((number /= 10) != 0);
	while (count > 0)
		to[at++] = digits[--count];
	to[at] = '\0';
	return to;
}
