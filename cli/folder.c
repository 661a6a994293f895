/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names below a folder that all users can write to are taken by random letters, and are looked at
 * through descriptors, so that no link of another user leads elsewhere.
 */
#include "folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char prefix[] = "gprofx-open-";

enum {
	LETTERS = 6,          /* behind the prefix */
	MOST_FOLDERS = 65536, /* entries that are looked at */
	MOST_FILES = 64,      /* in each of the folders; there is one as a rule */
	DAY = 24 * 60 * 60
};

bool
folder_is_open_to_all(const char *base)
{
	struct stat status;

	return stat(base, &status) == 0 && (status.st_mode & S_IWOTH) &&
	       !(status.st_mode & S_ISVTX);
}

char *
folder_make(const char *base)
{
	char *path;

	if (asprintf(&path, "%s/%s%.*s", base, prefix, LETTERS, "XXXXXX") < 0) {
		errno = ENOMEM;
		return NULL;
	}
	if (mkdtemp(path))
		return path;
	free(path);
	return NULL;
}

/* Whether a folder is one that this user's runs made, a day ago or longer. */
static bool
is_old(int folder)
{
	struct stat status;

	return fstat(folder, &status) == 0 && status.st_uid == geteuid() &&
	       (status.st_mode & 07777) == 0700 && time(NULL) - status.st_mtim.tv_sec > DAY;
}

/* Takes over the descriptor. */
static void
remove_files(int folder, bool (*is_ours)(const char *name))
{
	DIR *stream = fdopendir(folder);
	const struct dirent *entry;

	if (!stream) {
		close(folder);
		return;
	}
	for (int i = 0; i < MOST_FILES && (entry = readdir(stream)) != NULL; i++)
		if (is_ours(entry->d_name))
			(void)unlinkat(folder, entry->d_name, 0);
	closedir(stream);
}

void
folder_clean(const char *base, bool (*is_ours)(const char *name))
{
	DIR *stream = opendir(base);
	const struct dirent *entry;

	if (!stream)
		return;
	for (int i = 0; i < MOST_FOLDERS && (entry = readdir(stream)) != NULL; i++) {
		const char *name = entry->d_name;
		int folder;

		if (strncmp(name, prefix, sizeof prefix - 1) != 0 ||
		    strlen(name) != sizeof prefix - 1 + LETTERS)
			continue;
		folder = openat(dirfd(stream), name,
		                O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		if (folder < 0)
			continue;
		if (!is_old(folder)) {
			close(folder);
			continue;
		}
		remove_files(folder, is_ours);
		/* It stays if something else is in it. */
		(void)unlinkat(dirfd(stream), name, AT_REMOVEDIR);
	}
	closedir(stream);
}
