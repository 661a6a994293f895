/* SPDX-License-Identifier: Apache-2.0 */
#include "base/trust.h"

#include <errno.h>
#include <string.h>

#include "base/memory.h"

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
	return (status->st_mode & writers) != 0 ? text_format(run, "others may write to %s", what)
	                                        : NULL;
}

const char *
trust_doubt(struct run *run, const struct stat *status, mode_t writers, const char *what)
{
	if (!is_trusted_user(run, status->st_uid))
		return text_format(run, "%s belongs to the user %lu", what,
		                   (unsigned long)status->st_uid);
	return trust_doubt_about_writers(run, status, writers, what);
}

const char *
trust_doubt_about_folder(struct run *run, const char *file, mode_t writers, trust_judge *judge)
{
	const char *slash = strrchr(file, '/');
	size_t length = slash ? (size_t)(slash - file) : 1;
	struct stat status;

	if (stat(length > 0 ? text_format(run, "%.*s", (int)length, slash ? file : ".") : "/",
	         &status) != 0)
		return text_format(run, "nothing is known of its folder: %s", strerror(errno));
	return judge(run, &status, writers, "its folder");
}
