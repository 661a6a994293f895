/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "whole.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A file that is gone if this process is, in the folder of the one that it will be. */
static int
open_nameless(const char *to)
{
	const char *slash = strrchr(to, '/');
	char folder[PATH_MAX];

	if (snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - to) + 1 : 1,
	             slash ? to : ".") >= (int)sizeof folder) {
		errno = ENAMETOOLONG;
		return -1;
	}
	return open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
}

bool
whole_begin(struct whole *whole, const char *to)
{
	if (snprintf(whole->temporary, sizeof whole->temporary, "%s.%d.part", to, (int)getpid()) >=
	    (int)sizeof whole->temporary) {
		errno = ENAMETOOLONG;
		return false;
	}
	whole->is_nameless = true;
	whole->descriptor = open_nameless(to);
	/* Not every file system has files without a name. */
	if (whole->descriptor < 0 && (errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL)) {
		whole->is_nameless = false;
		whole->descriptor = open(whole->temporary,
		                         O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	}
	return whole->descriptor >= 0;
}

bool
whole_write(const struct whole *whole, const void *bytes, uint64_t length, uint64_t at)
{
	while (length > 0) {
		ssize_t written = pwrite(whole->descriptor, bytes, length, (off_t)at);

		if (written < 0 && errno == EINTR)
			continue;
		if (written <= 0)
			return false;
		bytes = (const char *)bytes + written;
		length -= (uint64_t)written;
		at += (uint64_t)written;
	}
	return true;
}

static bool
name_it(const struct whole *whole, const char *to)
{
	char itself[64];

	if (!whole->is_nameless)
		return rename(whole->temporary, to) == 0;
	snprintf(itself, sizeof itself, "/proc/self/fd/%d", whole->descriptor);
	if (linkat(AT_FDCWD, itself, AT_FDCWD, whole->temporary, AT_SYMLINK_FOLLOW) != 0)
		return false;
	return rename(whole->temporary, to) == 0;
}

bool
whole_end(struct whole *whole, const char *to, bool is_fine)
{
	bool is_there = is_fine && name_it(whole, to);
	int error = errno;

	if (!is_there && (is_fine || !whole->is_nameless))
		unlink(whole->temporary);
	close(whole->descriptor);
	errno = error;
	return is_there;
}
