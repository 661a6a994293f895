/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Each step of the check is taken by a process of its own, with limits for time and memory, so that
 * whatever the plugin does can be reported.
 */
#include "check-plugin.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/compiler.h"
#include "console.h"
#include "engine.h"
#include "plugin-check/try.h"

enum {
	MOST_SECONDS = 5,      /* of the processor, for one step */
	MOST_WAITING = 60,     /* of the clock */
	MOST_MEMORY = 1 << 30, /* bytes, the program included */
	MOST_OUTPUT = 1 << 20, /* bytes in any file */
	MOST_QUOTED = 120
};

/* What a step leaves behind, in memory that the processes share. */
struct outcome {
	struct engine_check check;
	volatile sig_atomic_t touched_guard;
};

/* What came of a process. */
struct ending {
	int status; /* as of waitpid() */
	bool timed_out;
	char printed[MOST_QUOTED + 1]; /* first line that it wrote itself */
};

/* For the signal handler, which has no other way to know. */
static struct outcome *shared;

static void
note_fault(int signal_number, siginfo_t *info, void *context)
{
	const char *guard = shared->check.guard, *address = info->si_addr;

	(void)context;
	shared->touched_guard = guard && address >= guard &&
	                        (size_t)(address - guard) < shared->check.guard_bytes;
	signal(signal_number, SIG_DFL);
	raise(signal_number);
}

static void
watch_faults(void)
{
	static char stack[16384];
	const stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
	struct sigaction action;

	/* A stack that is used up has no room for the handler. */
	sigaltstack(&other, NULL);
	memset(&action, 0, sizeof action);
	action.sa_sigaction = note_fault;
	action.sa_flags = SA_SIGINFO | SA_ONSTACK;
	sigaction(SIGSEGV, &action, NULL);
	sigaction(SIGBUS, &action, NULL);
}

/* A limit that is lower already stays. */
static void
set_limits(void)
{
	static const struct rlimit dump = {0, 0}, seconds = {MOST_SECONDS, MOST_SECONDS + 1},
				   bytes = {MOST_OUTPUT, MOST_OUTPUT},
				   memory = {MOST_MEMORY, MOST_MEMORY};

	(void)setrlimit(RLIMIT_CORE, &dump);
	(void)setrlimit(RLIMIT_CPU, &seconds);
	(void)setrlimit(RLIMIT_FSIZE, &bytes);
	/* A sanitizer maps terabytes, of which it uses little. */
	if (!HAS_ADDRESS_SANITIZER)
		(void)setrlimit(RLIMIT_AS, &memory);
}

/* The life of the process that takes a step.  output: a file for all that the plugin prints. */
static _Noreturn void
take_step(const struct command *command, const char *path, uint32_t step, int output)
{
	int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);

	setpgid(0, 0);
	/* An interrupt of the program is for this process, too. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (nothing < 0 || dup2(nothing, STDIN_FILENO) < 0 || dup2(output, STDOUT_FILENO) < 0 ||
	    dup2(output, STDERR_FILENO) < 0)
		_exit(1);
	set_limits();
	watch_faults();
	engine_try_plugin(&command->settings, path, step, &shared->check);
	fflush(NULL);
	_exit(0);
}

/*
 * Waits for the end of a process that holds the other end of the pipe, as those may do that it left
 * behind.  They end with it.
 */
static void
await(pid_t process, int pipe_end, struct ending *ending)
{
	enum { SELDOM = 100, OFTEN = 1, MOST = MOST_WAITING * 1000 };
	struct pollfd watched = {.fd = pipe_end, .events = POLLIN};
	siginfo_t ended = {.si_pid = 0};
	int waited = 0;

	while (ended.si_pid == 0 && waited < MOST) {
		int step = watched.fd < 0 ? OFTEN : SELDOM;
		int ready = poll(&watched, 1, step);

		/* It is about to end, or it closed the pipe for another reason. */
		if (ready > 0)
			watched.fd = -1;
		if (ready == 0)
			waited += step;
		/* Its number stays its own until it has been waited for. */
		(void)waitid(P_PID, (id_t)process, &ended, WEXITED | WNOHANG | WNOWAIT);
	}
	ending->timed_out = ended.si_pid == 0;
	kill(-process, SIGKILL);
	while (waitpid(process, &ending->status, 0) < 0 && errno == EINTR)
		;
}

/* The first line of what was printed. */
static void
read_printed(int output, struct ending *ending)
{
	ssize_t count = pread(output, ending->printed, MOST_QUOTED, 0);

	ending->printed[count > 0 ? count : 0] = '\0';
	ending->printed[strcspn(ending->printed, "\n")] = '\0';
	if (count > 0 && ending->printed[0] == '\0')
		snprintf(ending->printed, sizeof ending->printed, "an empty line");
}

/* Takes a step in a process; false: there can be none. */
static bool
run_step(const struct command *command, const char *path, uint32_t step, struct ending *ending)
{
	int output = memfd_create("printed", MFD_CLOEXEC), ends[2];
	pid_t process;

	if (output < 0)
		return false;
	if (pipe2(ends, O_CLOEXEC) != 0) {
		close(output);
		return false;
	}
	memset(shared, 0, sizeof *shared);
	process = fork();
	if (process == 0)
		take_step(command, path, step, output);
	close(ends[1]);
	if (process > 0) {
		/* Done by both, as either may be the first to need it. */
		setpgid(process, process);
		await(process, ends[0], ending);
		read_printed(output, ending);
	}
	close(ends[0]);
	close(output);
	return process > 0;
}

/* What became of a process that did not come to the end of its step. */
static void
describe_ending(const struct ending *ending, char *words, size_t room)
{
	int signal_number = WIFSIGNALED(ending->status) ? WTERMSIG(ending->status) : 0;

	if (ending->timed_out)
		snprintf(words, room, "it did not return within %d seconds", MOST_WAITING);
	else if (signal_number == SIGXCPU)
		snprintf(words, room, "it did not return within %d seconds of processor time",
		         MOST_SECONDS);
	else if (signal_number != 0)
		snprintf(words, room, "it was ended by signal %d (%s)%s", signal_number,
		         strsignal(signal_number),
		         shared->touched_guard ? ", past the end of the bytes that it was "
		                                 "given"
		                               : "");
	else
		snprintf(words, room, "it ended the process with status %d",
		         WEXITSTATUS(ending->status));
}

static void
print_line(struct console *console, const char *verdict, const char *step, const char *words,
           size_t length)
{
	char text[ENGINE_CHECK_MOST_WORDS];

	snprintf(text, sizeof text, "%.*s", (int)length, words);
	console_format(console, "  %-7s %s: ", verdict, step);
	console_put_visible(console, text);
	console_put(console, "\n");
}

/* Prints what came of a step; returns whether nothing is wrong. */
static bool
print_step(struct console *console, const struct engine_check_step *step,
           const struct ending *ending)
{
	const struct engine_check *check = &shared->check;
	bool is_good = check->is_finished && ending->printed[0] == '\0';
	char words[ENGINE_CHECK_MOST_DOING + MOST_QUOTED + 256];

	for (const char *line = check->words; *line != '\0';) {
		size_t length = strcspn(line, "\n");
		bool is_fault = line[0] == ENGINE_CHECK_FAULT;
		const char *verdict = is_fault                       ? "FAILED"
		                      : line[0] == ENGINE_CHECK_HINT ? "hint"
		                                                     : "note";

		print_line(console, verdict, step->name, line + 1, length - 1);
		is_good = is_good && !is_fault;
		line += length + (line[length] == '\n');
	}
	if (!check->is_finished) {
		size_t length = 0;

		if (check->doing[0] != '\0')
			length = (size_t)snprintf(words, sizeof words, "%s: ", check->doing);
		describe_ending(ending, words + length, sizeof words - length);
		print_line(console, "FAILED", step->name, words, strlen(words));
	}
	if (ending->printed[0] != '\0') {
		snprintf(words, sizeof words, "expected it to print nothing itself, found \"%s\"",
		         ending->printed);
		print_line(console, "FAILED", step->name, words, strlen(words));
	}
	return is_good;
}

static bool
fail_process(struct console *console)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "check.no-process",
		.system_error = errno,
		.hint = "allow the program more processes, memory or open files",
	};

	console_fail(console, &diagnostic, "cannot start a process to check the plugin in: %s",
	             strerror(errno));
	return false;
}

static bool
check_plugin(const struct command *command, const char *path)
{
	struct console *console = command->console;
	uint32_t steps, passed = 0, failed = 0;
	const struct engine_check_step *step = engine_check_steps(&steps);

	console_put_visible(console, path);
	console_put(console, "\n");
	for (uint32_t i = 0; i < steps; i++, step++) {
		struct ending ending = {0};

		if (!run_step(command, path, i, &ending))
			return fail_process(console);
		if (shared->check.is_finished && !shared->check.is_applicable &&
		    shared->check.words[0] == '\0')
			continue;
		if (print_step(console, step, &ending)) {
			print_line(console, "passed", step->name, step->passed,
			           strlen(step->passed));
			passed++;
			continue;
		}
		failed++;
		if (step->is_required) {
			console_put(console, "  the rest cannot be checked\n");
			break;
		}
	}
	console_format(console, "  %u passed, %u failed\n", passed, failed);
	return failed == 0;
}

bool
check_plugins(const struct command *command)
{
	bool is_good = true;

	shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
	              0);
	if (shared == MAP_FAILED)
		return fail_process(command->console);
	for (uint32_t i = 0; i < command->checked_count; i++)
		is_good = check_plugin(command, command->checked[i]) && is_good;
	munmap(shared, sizeof *shared);
	return is_good;
}
