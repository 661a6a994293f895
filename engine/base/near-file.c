/* SPDX-License-Identifier: Apache-2.0 */
#include "base/near-file.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/nearest.h"
#include "base/text.h"

enum {
	MOST_FILES = 4096, /* looked at in a folder */
	MOST_TEXT = 512    /* bytes of a file that are looked at */
};

static int
compare_names(const void *left, const void *right)
{
	return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* The names in a folder that count, in their order, up to some; UINT32_MAX: it cannot be read. */
static uint32_t
list_folder(struct run *run, const char *folder, bool is_program, const char **names)
{
	DIR *stream = opendir(folder[0] == '\0' ? "." : folder);
	const struct dirent *entry;
	uint32_t count = 0, seen = 0;

	if (!stream)
		return UINT32_MAX;
	while (seen++ < MOST_FILES && (entry = readdir(stream)) != NULL)
		if (entry->d_name[0] != '.' && entry->d_type != DT_DIR &&
		    (!is_program || faccessat(dirfd(stream), entry->d_name, X_OK, 0) == 0))
			names[count++] = text_format(run, "%s", entry->d_name);
	closedir(stream);
	/* The system lists them in any order. */
	qsort(names, count, sizeof *names, compare_names);
	return count;
}

const char *
near_file(struct run *run, const char *name, bool is_program)
{
	const char *base = text_last_name(name), *longer = NULL;
	const char *names[MOST_FILES], *folder;
	size_t length = strlen(base);
	struct nearest nearest;
	uint32_t count, longer_count = 0;

	if (run->settings->advised_operand && strcmp(name, run->settings->advised_operand) == 0)
		return run->settings->advice;
	folder = text_format(run, "%.*s", (int)(base - name), name);
	count = list_folder(run, folder, is_program, names);
	if (count == UINT32_MAX)
		return "check the path: its folder cannot be read";
	nearest_begin(&nearest, base, length);
	for (uint32_t i = 0; i < count; i++) {
		/* It is there, but leads nowhere. */
		if (strcmp(names[i], base) == 0)
			return "check the symbolic link: the file that it leads to does not exist";
		nearest_offer(&nearest, names[i]);
		/* Runs add the number of their process to the name that they were given. */
		if (length > 0 && strncmp(names[i], base, length) == 0 &&
		    (is_program || names[i][length] == '.') && longer_count++ == 0)
			longer = names[i];
	}
	if (nearest.found)
		return text_format(run, "did you mean %s%s?", folder, nearest.found);
	if (longer_count > 1 && is_program)
		return NULL;
	if (longer_count > 1)
		return text_format(run, "did you mean %s%s, or all of %s.*?", folder, longer, name);
	return longer ? text_format(run, "did you mean %s%s?", folder, longer) : NULL;
}

bool
near_file_is_text(const void *bytes, uint64_t length)
{
	const unsigned char *at = bytes;

	for (uint64_t i = 0; i < length && i < MOST_TEXT; i++)
		if ((at[i] < ' ' && !(at[i] >= '\t' && at[i] <= '\r')) || at[i] == 0x7f)
			return false;
	return length > 0;
}
