/* SPDX-License-Identifier: Apache-2.0 */
#include "base/trust.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"

enum { MOST_LINKS = 40 };

static bool
is_trusted_user(const struct run *run, uid_t user)
{
	const struct engine_settings *settings = run->settings;

	for (uint32_t i = 0; i < settings->trusted_user_count; i++)
		if (settings->trusted_users[i] == user)
			return true;
	return false;
}

const char *
trust_doubt_about_writers(struct run *run, const struct stat *status, mode_t writers,
                          const char *what)
{
	return (status->st_mode & writers) != 0 ? text_format(run,
	                                                      "other users can write to "
	                                                      "%s",
	                                                      what)
	                                        : NULL;
}

const char *
trust_doubt(struct run *run, const struct stat *status, mode_t writers, const char *what)
{
	if (!is_trusted_user(run, status->st_uid))
		return text_format(run, "%s belongs to user %lu", what,
		                   (unsigned long)status->st_uid);
	return trust_doubt_about_writers(run, status, writers, what);
}

/* A path under way. */
struct way {
	struct run *run;
	const struct trust_rules *rules;
	bool to_folder;
	int folder;         /* what the rest is seen from */
	struct stat status; /* of it */
	const char *at;     /* its path; "": the root */
	const char *rest;
	const char *doubt; /* the first one */
	uint32_t links;
};

/* The word is a folder's descriptor; another one goes. */
static int
step_into(struct way *way, int folder, const char *at)
{
	if (folder < 0)
		return errno;
	if (way->folder >= 0)
		close(way->folder);
	way->folder = folder;
	way->at = at;
	return fstat(folder, &way->status) == 0 ? 0 : errno;
}

static int
start_at_root(struct way *way)
{
	return step_into(way, open("/", O_PATH | O_DIRECTORY | O_CLOEXEC), "");
}

/* Judges the folder under way as one that leads to an entry. */
static void
judge_folder(struct way *way, bool is_last, const char *name, const struct stat *entry)
{
	const char *what = way->at[0] != '\0' ? way->at : "/";
	bool is_shared = (way->status.st_mode & S_ISVTX) != 0;
	trust_judge *judge = way->rules->judge;

	if (way->doubt)
		return;
	if (is_last && !way->to_folder) {
		way->doubt = judge(way->run, &way->status, TRUST_WRITERS, "its folder");
		return;
	}
	way->doubt = judge(way->run, &way->status, is_shared ? 0 : way->rules->ancestors, what);
	/* There no user can replace what belongs to another user. */
	if (is_shared && !way->doubt)
		way->doubt = judge(way->run, entry, 0,
		                   text_format(way->run, "%s/%s", way->at, name));
}

/* Puts what a link holds in front of the rest. */
static int
follow(struct way *way, int link)
{
	char target[PATH_MAX];
	ssize_t length = readlinkat(link, "", target, sizeof target - 1);

	if (length <= 0)
		return length < 0 ? errno : ENOENT;
	if (++way->links > MOST_LINKS)
		return ELOOP;
	target[length] = '\0';
	way->rest = text_format(way->run, "%s%s%s", target, way->rest[0] != '\0' ? "/" : "",
	                        way->rest);
	return target[0] == '/' ? start_at_root(way) : 0;
}

static const char *
parent_of(struct run *run, const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? text_keep(run, path, (size_t)(slash - path)) : "";
}

/* Takes one name off the rest.  Sets *name to that of the file if it is the last. */
static int
take_step(struct way *way, const char **name)
{
	const char *begin = way->rest + strspn(way->rest, "/");
	size_t length = strcspn(begin, "/");
	const char *word = text_keep(way->run, begin, length);
	bool is_last = begin[length + strspn(begin + length, "/")] == '\0';
	bool is_up = strcmp(word, "..") == 0;
	struct stat entry;
	int next, error = 0;

	way->rest = begin + length + strspn(begin + length, "/");
	if (length == 0 || strcmp(word, ".") == 0)
		return is_last && !way->to_folder ? EISDIR : 0;
	next = openat(way->folder, word, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	if (next < 0)
		return errno;
	if (fstat(next, &entry) != 0)
		error = errno;
	else if (!is_up)
		judge_folder(way, is_last, word, &entry);
	if (error == 0 && S_ISLNK(entry.st_mode)) {
		error = follow(way, next);
		close(next);
		return error;
	}
	if (error == 0 && is_last && !way->to_folder) {
		*name = word;
		close(next);
		return is_up ? EISDIR : 0;
	}
	if (error == 0 && !S_ISDIR(entry.st_mode))
		error = ENOTDIR;
	if (error != 0) {
		close(next);
		return error;
	}
	return step_into(way, next,
	                 is_up ? parent_of(way->run, way->at)
	                       : text_format(way->run, "%s/%s", way->at, word));
}

static struct trust_place
walk(struct way *way, int error)
{
	struct trust_place place = {.folder = -1};

	while (error == 0 && way->rest[0] != '\0' && !place.name)
		error = take_step(way, &place.name);
	if (error == 0 && way->to_folder && !way->doubt)
		way->doubt = way->rules->judge(way->run, &way->status, TRUST_WRITERS, "it");
	place.doubt = way->doubt;
	place.error = error;
	if (error == 0) {
		place.folder = way->folder;
		run_keep_descriptor(way->run, way->folder);
		place.path = way->at[0] != '\0' || place.name ? way->at : "/";
	} else if (way->folder >= 0) {
		close(way->folder);
	}
	if (place.name)
		place.path = text_format(way->run, "%s/%s", place.path, place.name);
	return place;
}

/* A path that starts nowhere is seen from the working folder. */
static struct trust_place
walk_from_root(struct way *way, const char *path)
{
	char here[PATH_MAX];

	way->folder = -1;
	way->rest = path;
	if (path[0] == '\0')
		return walk(way, ENOENT);
	if (path[0] != '/') {
		if (!getcwd(here, sizeof here))
			return walk(way, errno);
		way->rest = text_format(way->run, "%s/%s", here, path);
	}
	return walk(way, start_at_root(way));
}

struct trust_place
trust_find_folder(struct run *run, const char *path, const struct trust_rules *rules)
{
	struct way way = {.run = run, .rules = rules, .to_folder = true, .at = ""};

	return walk_from_root(&way, path);
}

struct trust_place
trust_find_file(struct run *run, const struct trust_place *from, const char *path,
                const struct trust_rules *rules)
{
	struct way way = {.run = run, .rules = rules, .at = ""};

	if (!from)
		return walk_from_root(&way, path);
	way.folder = -1;
	way.rest = path;
	return walk(&way, step_into(&way, fcntl(from->folder, F_DUPFD_CLOEXEC, 0), from->path));
}
