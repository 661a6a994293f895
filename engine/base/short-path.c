/* SPDX-License-Identifier: Apache-2.0 */
#include "base/short-path.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Bytes of the folders, with a slash behind each, that both are in. */
static size_t
common_folders(const char *path, const char *here)
{
	size_t common = 0;

	for (size_t i = 0;; i++) {
		if (here[i] == '\0' && path[i] == '/')
			return i + 1;
		if (here[i] == '\0' || path[i] != here[i])
			return common;
		if (path[i] == '/')
			common = i + 1;
	}
}

bool
short_path(const char *path, char *to, size_t room)
{
	static const char up[] = "../";
	char here[PATH_MAX];
	size_t common, used = 0;
	int written;

	if (path[0] != '/' || !getcwd(here, sizeof here) || here[0] != '/')
		return false;
	/* The root has its slash, which other folders lack. */
	if (here[1] == '\0')
		here[0] = '\0';
	common = common_folders(path, here);
	/* Each folder beyond what is common has to be left. */
	for (size_t i = common; i < strlen(here); i += 1 + strcspn(here + i, "/")) {
		if (used + sizeof up > room)
			return false;
		memcpy(to + used, up, sizeof up);
		used += sizeof up - 1;
	}
	/* A name that would be taken for an option needs its folder. */
	written = snprintf(to + used, room - used, "%s%s",
	                   used == 0 && path[common] == '-' ? "./" : "", path + common);
	return written > 0 && (size_t)written < room - used && strlen(to) < strlen(path) &&
	       access(to, F_OK) == 0;
}
