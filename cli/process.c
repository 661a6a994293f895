/* SPDX-License-Identifier: Apache-2.0 */
#include "process.h"

#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include <gprofx/plugin.h>

#include "console.h"
#include "words.h"

/* For signal handlers, which have no other way to know. */
static const char *program_name = "gprofx";

void
process_set_name(const char *name)
{
	program_name = name;
}

static void
say(const char *text)
{
	ssize_t written = write(STDERR_FILENO, text, strlen(text));

	(void)written;
}

/* The end of the process from within a signal handler. */
static _Noreturn void
say_and_exit(const char *message)
{
	say(program_name);
	say(message);
	_exit(1);
}

/*
 * Files are read in place.  When one of them is cut while that is going on, the system has nothing
 * to put where its end was.
 */
static void
file_changed(int signal_number, siginfo_t *info, void *context)
{
	static const char message[] =
		": error[input.file-changed]: an input file was truncated while it was being read\n"
		"  hint: wait until the program that writes it has ended, then try again\n";

	(void)context;
	if (info->si_code != BUS_ADRERR) {
		signal(signal_number, SIG_DFL);
		raise(signal_number);
		return;
	}
	say_and_exit(message);
}

void
process_set_signals(void)
{
	struct sigaction action;

	memset(&action, 0, sizeof action);
	action.sa_sigaction = file_changed;
	action.sa_flags = SA_SIGINFO;
	sigaction(SIGBUS, &action, NULL);
	/* Then a write beyond the limit for the size of files fails, and that is reported. */
	signal(SIGXFSZ, SIG_IGN);
}

/*
 * A standard channel that the caller closed must not become the first file that is opened.  What
 * takes its place fails as the closed one would.
 */
void
process_occupy_standard_channels(void)
{
	struct pollfd channels[] = {{.fd = STDIN_FILENO},
	                            {.fd = STDOUT_FILENO},
	                            {.fd = STDERR_FILENO}};

	if (poll(channels, 3, 0) == 0)
		return;
	for (int i = 0; i < 3; i++)
		if ((channels[i].revents & POLLNVAL) &&
		    open("/dev/null", i == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0)
			_exit(1);
}

/*
 * Lets the system have large arrays back as soon as they are freed.  By itself the C library keeps
 * them from the first one on, and what is allocated next seldom fits in their place: a report on a
 * million lines takes a sixth more.
 */
void
process_keep_no_large_arrays(void)
{
#ifdef M_MMAP_THRESHOLD
	enum { LARGE = 1 << 20, KEPT = 8 << 20 };

	(void)mallopt(M_MMAP_THRESHOLD, LARGE);
	(void)mallopt(M_TRIM_THRESHOLD, KEPT);
#endif
}

/* libiberty's answer to a lack of memory outside of the engine is abort(). */
static void
no_memory_for_words(int signal_number)
{
	static const char message[] =
		": error[memory.exhausted]: cannot allocate memory for the words of the @ files\n"
		"  hint: use smaller files, or allow the program more memory\n";

	(void)signal_number;
	say_and_exit(message);
}

void
process_expand_files(struct words *words, int argc, char **argv)
{
	bool has_files = false;

	for (int i = 1; i < argc; i++)
		has_files = has_files || argv[i][0] == '@';
	if (has_files)
		signal(SIGABRT, no_memory_for_words);
	words_expand(words, argc, argv);
	if (has_files)
		signal(SIGABRT, SIG_DFL);
}

void
process_report_large_file(struct console *console, const struct words *words)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "usage.file-too-large",
		.file = words->too_large,
		.hint = "name a file of words of the command line",
	};

	console_fail(console, &diagnostic,
	             "the files named with @ have more than 16 MiB of words together");
}
