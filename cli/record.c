/* SPDX-License-Identifier: Apache-2.0 */
#include "record.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "base/text.h"
#include "compat.h"
#include "console.h"
#include "engine.h"

/* As gprofx-record has it for a program that could not be run. */
enum { FAILED = 125 };

bool
record_is_meant(int argc, char **argv)
{
	return argc > 1 && strcmp(argv[1], "record") == 0 &&
	       !compat_is_gprof(text_last_name(argv[0]));
}

static int
refuse(const char *program, const struct gprofx_diagnostic *diagnostic, const char *message)
{
	static struct console console;

	console_open(&console, text_last_name(program));
	console_fail(&console, diagnostic, "%s", message);
	(void)console_close(&console);
	return FAILED;
}

int
record_execute(char **argv)
{
	static const char name[] = "gprofx-record";
	static char called[] = "gprofx record";
	const struct gprofx_diagnostic privileged = {
		.id = "record.privileged",
		.hint = "use a copy of the program without the set-user-ID and set-group-ID bits",
	};
	struct gprofx_diagnostic failed = {
		.id = "record.not-installed",
		.hint = "install the package gprofx-collect",
	};
	const char *program = argv[0];
	char path[PATH_MAX], *slash;
	ssize_t length = readlink("/proc/self/exe", path, sizeof path - sizeof name);

	/* The words would be run with the rights of another user. */
	if (getauxval(AT_SECURE) != 0)
		return refuse(program, &privileged,
		              "the program has rights that the user does not have, so it starts no "
		              "other program");
	path[length > 0 ? length : 0] = '\0';
	slash = strrchr(path, '/');
	memcpy(slash ? slash + 1 : path, name, sizeof name);
	argv[1] = called;
	execv(path, argv + 1);
	failed.file = path;
	if (errno == ENOENT)
		return refuse(program, &failed, "the launcher of gprofx record is not installed");
	failed.id = "record.cannot-run";
	failed.hint = "reinstall the package gprofx-collect";
	failed.number[0] = (uint64_t)errno;
	return refuse(program, &failed, strerror(errno));
}
