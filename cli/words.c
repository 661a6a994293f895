/* SPDX-License-Identifier: Apache-2.0 */
/*
 * @FILE as libiberty's expandargv() takes it, with a bound: it reads whatever a file holds, and
 * moves all words for each file.
 */
#include "words.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <libiberty.h>

enum {
	MOST_FILES = 2000,
	/* Of all files together: the names of 100,000 profiles need a quarter of it. */
	MOST_BYTES = 16 << 20,
	WORD_BYTES = 16 /* what a word counts for besides its letters */
};

/* Words that are being gone through. */
struct level {
	char **next;
	struct level *outer;
};

struct expansion {
	struct words *words;
	struct level *level;
	size_t room, bytes_left;
	const char *program;
};

static void *
grow(void *block, size_t bytes)
{
	block = realloc(block, bytes);
	if (!block)
		abort();
	return block;
}

static _Noreturn void
fail(const struct expansion *e, const char *what)
{
	fprintf(stderr, "%s: error: %s\n", e->program, what);
	exit(1);
}

static void
append(struct expansion *e, char *word)
{
	struct words *words = e->words;

	if ((size_t)words->count + 1 >= e->room) {
		e->room = 2 * e->room + 64;
		words->list = grow(words->list, e->room * sizeof *words->list);
	}
	words->list[words->count++] = word;
	words->list[words->count] = NULL;
}

/*
 * The text of a file; NULL: there is none, and the word stays as it is.  Sets *is_large instead if
 * it is too much.
 */
static char *
read_text(struct expansion *e, const char *name, bool *is_large)
{
	/* Without waiting for the writer of a pipe, which could not be read anyway. */
	int descriptor = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat status;
	size_t length = 0;
	char *text = NULL;
	ssize_t got;

	if (descriptor < 0)
		return NULL;
	if (fstat(descriptor, &status) == 0) {
		if (S_ISDIR(status.st_mode))
			fail(e, "@-file refers to a directory");
		*is_large = S_ISREG(status.st_mode) && status.st_size > (off_t)e->bytes_left;
		/* For libiberty a device is a file without words. */
		if (S_ISCHR(status.st_mode) || S_ISBLK(status.st_mode) || *is_large)
			text = grow(NULL, 1);
		else if (S_ISREG(status.st_mode))
			text = grow(NULL, (size_t)status.st_size + 1);
	}
	while (text && S_ISREG(status.st_mode) && !*is_large && length < (size_t)status.st_size &&
	       (got = read(descriptor, text + length, (size_t)status.st_size - length)) > 0)
		length += (size_t)got;
	close(descriptor);
	if (!text)
		return NULL;
	text[length] = '\0';
	e->bytes_left -= length;
	return text;
}

static void
enter(struct expansion *e, char **list)
{
	struct level *level = grow(NULL, sizeof *level);

	*level = (struct level){list, e->level};
	e->level = level;
}

/* Puts the words of a file in the place of its name; false: the file is no such file. */
static bool
enter_file(struct expansion *e, const char *name)
{
	struct words *words = e->words;
	bool is_large = false;
	char *text = read_text(e, name, &is_large), **list;

	if (!text)
		return false;
	words->names = grow(words->names, ((size_t)words->name_count + 1) * sizeof *words->names);
	words->names[words->name_count++] = name;
	if (is_large)
		words->too_large = name;
	/* Of a text of blanks alone buildargv() makes one empty word. */
	list = text[strspn(text, " \t\n\r\f\v")] ? buildargv(text) : NULL;
	free(text);
	if (!list)
		return true;
	words->files = grow(words->files, ((size_t)words->file_count + 1) * sizeof *words->files);
	words->files[words->file_count++] = list;
	for (char **word = list; *word && e->bytes_left > 0; word++)
		e->bytes_left -= e->bytes_left < WORD_BYTES ? e->bytes_left : WORD_BYTES;
	enter(e, list);
	return true;
}

void
words_expand(struct words *words, int argc, char **argv)
{
	struct expansion e = {words, NULL, 0, MOST_BYTES, argv[0]};
	int files = 0;

	*words = (struct words){.list = NULL};
	append(&e, argv[0]);
	enter(&e, argv + (argc > 0));
	while (e.level) {
		struct level *level = e.level;
		char *word = *level->next;

		if (!word || words->too_large) {
			e.level = level->outer;
			free(level);
			continue;
		}
		level->next++;
		if (word[0] == '@' && ++files > MOST_FILES)
			fail(&e, "too many @-files encountered");
		if (word[0] != '@' || !enter_file(&e, word + 1))
			append(&e, word);
	}
}

void
words_free(struct words *words)
{
	for (int i = 0; i < words->file_count; i++)
		freeargv(words->files[i]);
	free(words->files);
	free(words->names);
	free(words->list);
}
