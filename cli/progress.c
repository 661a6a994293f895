/* SPDX-License-Identifier: Apache-2.0 */
/* A line on the terminal that shows how far the reading of many profiles has come. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "console.h"
#include "message.h"

/* Milliseconds. */
enum { PATIENCE = 2000, REFRESH = 100 };

static int64_t
now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

bool
console_wants_progress(const struct console *console)
{
	const char *terminal = getenv("TERM");

	return !console->gnu_mode && isatty(STDERR_FILENO) && terminal &&
	       strcmp(terminal, "dumb") != 0;
}

void
console_clear_progress(struct console *console)
{
	struct message line = {.used = 0};

	if (!console->shows_progress)
		return;
	console->shows_progress = false;
	message_put(&line, "\r\033[K");
	message_send(&line);
}

void
console_progress(void *opaque, uint32_t done, uint32_t total)
{
	struct console *console = opaque;
	int64_t time = now();
	struct message line = {.used = 0};

	if (console->progress_next == 0)
		console->progress_next = time + PATIENCE;
	if (done == total) {
		console_clear_progress(console);
		return;
	}
	if (time < console->progress_next)
		return;
	console->progress_next = time + REFRESH;
	console->shows_progress = true;
	message_format(&line, "\rread %" PRIu32 " of %" PRIu32 " profiles\033[K", done, total);
	message_send(&line);
}
