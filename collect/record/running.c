/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Finds what a running process records into: a file of the collector that it maps and shares. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <gprofx/gxc.h>

#include "message.h"
#include "snapshot.h"

/* Whether an open file is one of the collector's. */
static bool
is_ours(int descriptor)
{
	char magic[sizeof GXC_MAGIC - 1];

	return pread(descriptor, magic, sizeof magic, 0) == (ssize_t)sizeof magic &&
	       memcmp(magic, GXC_MAGIC, sizeof magic) == 0;
}

/* Opens a regular file with this inode number, by a name that can be that of another file. */
static int
open_mapped(const char *path, uint64_t inode)
{
	struct stat status;
	int descriptor;

	/* Opening another kind of file can have effects. */
	if (stat(path, &status) != 0 || !S_ISREG(status.st_mode) || status.st_ino != inode)
		return -1;
	descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (descriptor >= 0 && fstat(descriptor, &status) == 0 && status.st_ino == inode &&
	    is_ours(descriptor))
		return descriptor;
	if (descriptor >= 0)
		close(descriptor);
	return -1;
}

/* The same where the name leads nowhere: the file was renamed, or removed, or is in a container. */
static int
open_by_descriptor(int pid, uint64_t inode)
{
	char path[320];
	const struct dirent *entry;
	int found = -1;
	DIR *names;

	snprintf(path, sizeof path, "/proc/%d/fd", pid);
	names = opendir(path);
	while (names && found < 0 && (entry = readdir(names))) {
		snprintf(path, sizeof path, "/proc/%d/fd/%s", pid, entry->d_name);
		found = open_mapped(path, inode);
	}
	if (names)
		closedir(names);
	return found;
}

/* What is behind so many words of a line. */
static const char *
behind(const char *line, int words)
{
	for (; words > 0; words--) {
		line += strcspn(line, " ");
		line += strspn(line, " ");
	}
	return line;
}

/*
 * The file of a line of the system's list of mappings, if it is shared and the collector's:
 * "LOW-HIGH rwxs OFFSET DEVICE INODE PATH".
 */
static int
open_line(int pid, const char *line)
{
	enum { PERMISSIONS = 1, INODE = 4, PATH = 5 };
	const char *permissions = behind(line, PERMISSIONS);
	uint64_t inode = strtoull(behind(line, INODE), NULL, 10);
	char rooted[PATH_MAX + 32];
	int found;
	char *path;

	if (strcspn(permissions, " ") != 4 || permissions[3] != 's' || permissions[1] != 'w' ||
	    inode == 0)
		return -1;
	path = strdup(behind(line, PATH));
	if (!path)
		return -1;
	path[strcspn(path, "\n")] = '\0';
	found = open_mapped(path, inode);
	if (found < 0 &&
	    snprintf(rooted, sizeof rooted, "/proc/%d/root%s", pid, path) < (int)sizeof rooted)
		found = open_mapped(rooted, inode);
	if (found < 0)
		found = open_by_descriptor(pid, inode);
	free(path);
	return found;
}

/* Why there is no such file; error: of looking at the process, or 0. */
static void
explain(int pid, int error)
{
	if (error == 0)
		message("process %d does not run under the collector: start its program with "
		        "\"gprofx record\", or link it with -lgprofx-collect",
		        pid);
	else if (error == EACCES || error == EPERM)
		message("cannot look at process %d: it belongs to another user; do this as that "
		        "user, or as root",
		        pid);
	else
		message("process %d does not run: name one that does, such as those that \"pgrep "
		        "PROGRAM\" lists",
		        pid);
}

int
snapshot_find(int pid, int *error)
{
	char name[64], *line = NULL;
	size_t room = 0;
	int found = -1;
	FILE *maps;

	snprintf(name, sizeof name, "/proc/%d/maps", pid);
	maps = fopen(name, "re");
	/* One that has ended, but that nobody waited for, has no memory. */
	*error = maps ? ESRCH : errno;
	while (maps && found < 0 && getline(&line, &room, maps) > 0) {
		*error = 0;
		found = open_line(pid, line);
	}
	if (maps)
		fclose(maps);
	free(line);
	return found;
}

/* The same; -1 after a message. */
static int
open_of_process(int pid)
{
	int error, found = snapshot_find(pid, &error);

	if (found < 0)
		explain(pid, error);
	return found;
}

/* The name of a file that the user did not name: that of the program, and the process. */
static void
name_file(int pid, char to[PATH_MAX])
{
	char path[64], program[64] = "";
	FILE *file;

	snprintf(path, sizeof path, "/proc/%d/comm", pid);
	file = fopen(path, "re");
	if (file && !fgets(program, sizeof program, file))
		program[0] = '\0';
	if (file)
		fclose(file);
	program[strcspn(program, "\n")] = '\0';
	for (char *c = program; *c; c++)
		if (*c == '/' || *c < ' ')
			*c = '_';
	snprintf(to, PATH_MAX, "%s.%d.snapshot.gxc", program[0] ? program : "program", pid);
}

/* Renaming a file would take the place of a device or a pipe, for all who use it. */
static bool
can_replace(const char *to)
{
	struct stat status;

	if (stat(to, &status) != 0 || S_ISREG(status.st_mode) || S_ISDIR(status.st_mode))
		return true;
	message("cannot write %s: it is not a file that a copy can replace; name another one", to);
	return false;
}

enum snapshot
snapshot_take(const char *words, int *pid, char to[PATH_MAX])
{
	enum snapshot result;
	char *end;
	long number;
	int source;

	errno = 0;
	number = strtol(words, &end, 10);
	if (end == words || errno != 0 || number <= 0 || number > INT_MAX ||
	    (*end != '\0' && (*end != ':' || end[1] == '\0'))) {
		message("--snapshot: expected the number of a process, or PID:FILE, found %s",
		        words);
		return SNAPSHOT_FAILED;
	}
	*pid = (int)number;
	source = open_of_process(*pid);
	if (source < 0)
		return SNAPSHOT_FAILED;
	if (*end == '\0') {
		name_file(*pid, to);
	} else if (snprintf(to, PATH_MAX, "%s", end + 1) >= PATH_MAX) {
		message("the name of the file to write is too long");
		close(source);
		return SNAPSHOT_FAILED;
	}
	if (!can_replace(to)) {
		close(source);
		return SNAPSHOT_FAILED;
	}
	result = snapshot_copy(source, *pid, to);
	if (result == SNAPSHOT_FAILED && errno == EAGAIN)
		message("cannot copy what process %d records: it unloads libraries all the time, "
		        "or is stopped in the midst of it; try again",
		        *pid);
	else if (result == SNAPSHOT_FAILED)
		message("cannot write %s: %s", to, strerror(errno));
	close(source);
	return result;
}
