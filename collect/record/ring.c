/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A snapshot of a recording is a folder like that of the recording itself.  It is made under
 * another name, so that a folder with a number is complete.
 */
#include "ring.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <gprofx/gxc.h>

#include "data.h"
#include "message.h"
#include "snapshot.h"

#define ENDING ".every"
#define UNFINISHED "part"

static bool
has_only_digits(const char *name)
{
	return name[0] != '\0' && name[strspn(name, "0123456789")] == '\0';
}

static bool
join(char to[PATH_MAX], const char *folder, const char *name)
{
	return snprintf(to, PATH_MAX, "%s/%s", folder, name) < PATH_MAX;
}

/* Removes a snapshot; what else there is in it stays, and so does the folder then. */
static bool
remove_one(const char *folder, const char *name)
{
	char path[PATH_MAX];
	const struct dirent *entry;
	DIR *names;

	if (!join(path, folder, name))
		return false;
	names = opendir(path);
	while (names && (entry = readdir(names)))
		if (data_is_file(entry->d_name))
			unlinkat(dirfd(names), entry->d_name, 0);
	if (names)
		closedir(names);
	return rmdir(path) == 0 || errno == ENOENT;
}

static void
remove_all(const char *folder)
{
	DIR *names = opendir(folder);
	const struct dirent *entry;

	while (names && (entry = readdir(names)))
		if (has_only_digits(entry->d_name) || strcmp(entry->d_name, UNFINISHED) == 0)
			remove_one(folder, entry->d_name);
	if (names)
		closedir(names);
}

bool
ring_begin(struct ring *ring)
{
	size_t length = strlen(ring->recording);

	while (length > 1 && ring->recording[length - 1] == '/')
		length--;
	if (snprintf(ring->folder, sizeof ring->folder, "%.*s" ENDING, (int)length,
	             ring->recording) >= (int)sizeof ring->folder - 32) {
		message("the name of the folder is too long for --every");
		return false;
	}
	remove_all(ring->folder);
	if (rmdir(ring->folder) != 0 && errno != ENOENT) {
		message("%s has files that are not snapshots: move it away", ring->folder);
		return false;
	}
	if (mkdir(ring->folder, 0700) == 0)
		return true;
	message("cannot make the folder %s: %s", ring->folder, strerror(errno));
	return false;
}

/* Copies the file of one process, unless it has ended.  false: that failed. */
static bool
copy_one(const char *from, const char *to, bool *has_any)
{
	int source = open(from, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	enum snapshot result = SNAPSHOT_ENDED;
	struct gxc_header header;
	int error;

	if (source < 0)
		return true;
	if (pread(source, &header, sizeof header, 0) == (ssize_t)sizeof header &&
	    memcmp(header.magic, GXC_MAGIC, sizeof header.magic) == 0 &&
	    header.state == GXC_RUNNING)
		result = snapshot_copy(source, (int)header.pid, to);
	error = errno;
	close(source);
	errno = error;
	*has_any = *has_any || result == SNAPSHOT_RUNNING;
	return result != SNAPSHOT_FAILED;
}

static bool
copy_all(const struct ring *ring, const char *part, bool *has_any)
{
	DIR *names = opendir(ring->recording);
	const struct dirent *entry;
	bool is_copied = true;
	int error;

	while (names && is_copied && (entry = readdir(names))) {
		char from[PATH_MAX], to[PATH_MAX];

		if (data_is_file(entry->d_name) && join(from, ring->recording, entry->d_name) &&
		    join(to, part, entry->d_name))
			is_copied = copy_one(from, to, has_any);
	}
	error = errno;
	if (names)
		closedir(names);
	errno = error;
	return is_copied;
}

void
ring_take(struct ring *ring)
{
	char part[PATH_MAX], to[PATH_MAX], name[32];
	bool has_any = false, is_taken;

	if (!join(part, ring->folder, UNFINISHED))
		return;
	snprintf(name, sizeof name, "%06u", ring->count + 1);
	is_taken = mkdir(part, 0700) == 0 && copy_all(ring, part, &has_any);
	if (is_taken && has_any)
		is_taken = join(to, ring->folder, name) && rename(part, to) == 0;
	if (!is_taken && !ring->has_failed) {
		message("cannot write a snapshot into %s: %s; the recording goes on, and the next "
		        "snapshot is tried",
		        ring->folder, strerror(errno));
		ring->has_failed = true;
	}
	if (!is_taken || !has_any) {
		remove_one(ring->folder, UNFINISHED);
		return;
	}
	ring->count++;
	if (ring->count > ring->keep) {
		snprintf(name, sizeof name, "%06u", ring->count - ring->keep);
		remove_one(ring->folder, name);
	}
}

void
ring_end(const struct ring *ring)
{
	unsigned kept = ring->count < ring->keep ? ring->count : ring->keep;

	if (ring->count == 0)
		rmdir(ring->folder);
	else
		message("%u %s of the running program in %s, the last one is %06u", kept,
		        kept == 1 ? "snapshot" : "snapshots", ring->folder, ring->count);
}
