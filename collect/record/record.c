/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* gprofx record: runs a program under the collector. */
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../collect.h"
#include "../values.h"
#include "attach.h"
#include "command.h"
#include "data.h"
#include "launch.h"
#include "message.h"
#include "ring.h"
#include "snapshot.h"

enum { SETTINGS = 2 * PATH_MAX + 1024, FAILED = 125 };

/* What the options say. */
struct request {
	const char *folder;
	const char *recover;
	const char *snapshot;
	const char *pid;
	const char *duration;
	const char *of_program; /* an option that --pid has no use for; NULL: none */
	int64_t every;          /* milliseconds; 0: no snapshots */
	unsigned keep;
	bool shows_report;
	bool has_folder;
	const char *of_run;      /* an option that only says how a program is run; NULL: none */
	char settings[SETTINGS]; /* for GPROFX_COLLECT, behind those of the folder */
	struct settings checked; /* the same, as the collector reads them */
};

/* Options that are settings of the collector by the same name. */
static const struct setting_option {
	const char *name, *argument, *help;
} setting_options[] = {
	{"rate", "HZ", "take HZ samples per second of processor time (100)"},
	{"clock", "CLOCK",
         "cpu; wall: waiting, too; task: finer than 4 ms, if perf_event is allowed; off (cpu)"},
	{"stack", "WAY", "follow stacks by cfi, fp or off (auto)"},
	{"depth", "FRAMES", "keep at most FRAMES frames of a stack (128)"},
	{"threads", "N", "distinguish the first N threads; or separate: all, merge: none (128)"},
	{"children", "WAY", "follow: measure child processes, too; off: do not (follow)"},
	{"only", "WAY", "instrumented: leave out programs without code that counts calls (off)"},
	{"signal", "SIGNAL", "auto, PROF or RTMIN+N: the signal of the samples (auto)"},
	{"control", "SIGNAL",
         "USR1, USR2 or RTMIN+N: sample from this signal on, until the next (off)"},
	{"time", "WAY",
         "exact: measure times at entry and exit (-finstrument-functions) by a clock (off)"},
	{"memory", "SIZE", "use at most SIZE for tables of a process, such as 1G (256M)"},
};

enum { SETTING_OPTIONS = sizeof setting_options / sizeof setting_options[0] };

enum {
	OPTION_SETTING = 256, /* and those behind */
	OPTION_REPORT = OPTION_SETTING + SETTING_OPTIONS,
	OPTION_RECOVER,
	OPTION_SNAPSHOT,
	OPTION_PID,
	OPTION_DURATION,
	OPTION_EVERY,
	OPTION_KEEP,
	OPTION_HELP,
	OPTION_VERSION
};

static void
print_help(void)
{
	puts("Usage: gprofx record [OPTION...] PROGRAM [ARGUMENT...]\n"
	     "       gprofx record --recover=FILE.gxc [-o gmon.out]\n"
	     "       gprofx record --snapshot=PID[:FILE.gxc]\n"
	     "       gprofx record --pid=PID [--duration=SECONDS] [OPTION...]\n"
	     "\n"
	     "Runs PROGRAM and records where it spends its time and, if it is compiled with -pg,\n"
	     "every call: in all threads, child processes and shared libraries.  Then\n"
	     "\"gprofx PROGRAM\" shows the report.\n"
	     "\n"
	     "  -o, --output=FOLDER    record into FOLDER (gprofx.data); an existing one is renamed\n"
	     "                         to FOLDER.old\n"
	     "      --report           show the report when the program has ended\n"
	     "      --recover=FILE     write a gmon.out from a file of a recording, even if the\n"
	     "                         program was killed\n"
	     "      --snapshot=PID[:FILE]\n"
	     "                         copy what a running process has recorded so far; the\n"
	     "                         process runs on\n"
	     "      --pid=PID          take samples of a process that runs already, without the\n"
	     "                         collector, until it ends, or Ctrl-C; calls are not counted\n"
	     "      --duration=SECONDS with --pid: stop after so long\n"
	     "      --every=SECONDS    keep snapshots of the running program in FOLDER.every\n"
	     "      --keep=NUMBER      of these, the last NUMBER (10)\n"
	     "  -F HZ                  the same as --rate=HZ");
	for (int i = 0; i < SETTING_OPTIONS; i++) {
		char option[32];

		snprintf(option, sizeof option, "--%s=%s", setting_options[i].name,
		         setting_options[i].argument);
		printf("      %-18s %s\n", option, setting_options[i].help);
	}
	puts("      --help             print this help\n"
	     "      --version          print the version\n"
	     "\n"
	     "The exit status is that of PROGRAM, or 125 if it could not be run.  See\n"
	     "gprofx-record(1).");
}

static bool
refuse_value(const char *option, const char *expected, const char *found)
{
	message("error[record.bad-value]: expected %s after --%s, found '%s'", expected, option,
	        found);
	return false;
}

/* Appends "key=value", which the collector has to take.  No value has a comma, which would end it.
 */
static bool
add_setting(struct request *request, const char *key, const char *value)
{
	size_t length = strlen(request->settings), room = sizeof request->settings - length;

	if (!values_set(&request->checked, key, strlen(key), value, strlen(value)))
		return refuse_value(key, values_of(key, strlen(key)), value);
	if (snprintf(request->settings + length, room, ",%s=%s", key, value) < (int)room)
		return true;
	message("the options are too long");
	return false;
}

/* What no option says alone. */
static bool
has_settings_that_fit(const struct request *request)
{
	if (!values_share_signal(&request->checked))
		return true;
	message("error[record.same-signal]: --signal and --control are the same signal: choose "
	        "another one for one of them");
	return false;
}

static bool
read_every(struct request *request, const char *text)
{
	const double LEAST = 0.1, MOST = 1e7;
	char *end;
	double seconds = strtod(text, &end);

	if (end == text || *end != '\0' || !(seconds >= LEAST && seconds <= MOST))
		return refuse_value("every", "0.1 to 10000000 seconds", text);
	request->every = (int64_t)(seconds * 1000);
	return true;
}

static bool
read_keep(struct request *request, const char *text)
{
	const unsigned long MOST = 100000;
	char *end;
	unsigned long number = strtoul(text, &end, 10);

	if (text[0] < '0' || text[0] > '9' || *end != '\0' || number == 0 || number > MOST)
		return refuse_value("keep", "a number from 1 to 100000", text);
	request->keep = (unsigned)number;
	return true;
}

/* Returns false if the process is to end with *status. */
static bool
read_options(struct request *request, int argc, char **argv, int *status)
{
	struct option options[SETTING_OPTIONS + 11];
	int option, which = 0;

	for (int i = 0; i < SETTING_OPTIONS; i++)
		options[i] = (struct option){setting_options[i].name, required_argument, NULL,
		                             OPTION_SETTING + i};
	options[SETTING_OPTIONS] = (struct option){"output", required_argument, NULL, 'o'};
	options[SETTING_OPTIONS + 1] = (struct option){"report", no_argument, NULL, OPTION_REPORT};
	options[SETTING_OPTIONS + 2] = (struct option){"recover", required_argument, NULL,
	                                               OPTION_RECOVER};
	options[SETTING_OPTIONS + 3] = (struct option){"help", no_argument, NULL, OPTION_HELP};
	options[SETTING_OPTIONS + 4] = (struct option){"version", no_argument, NULL,
	                                               OPTION_VERSION};
	options[SETTING_OPTIONS + 5] = (struct option){"snapshot", required_argument, NULL,
	                                               OPTION_SNAPSHOT};
	options[SETTING_OPTIONS + 6] = (struct option){"every", required_argument, NULL,
	                                               OPTION_EVERY};
	options[SETTING_OPTIONS + 7] = (struct option){"keep", required_argument, NULL,
	                                               OPTION_KEEP};
	options[SETTING_OPTIONS + 8] = (struct option){"pid", required_argument, NULL, OPTION_PID};
	options[SETTING_OPTIONS + 9] = (struct option){"duration", required_argument, NULL,
	                                               OPTION_DURATION};
	options[SETTING_OPTIONS + 10] = (struct option){NULL, 0, NULL, 0};
	*status = 2;
	/* What follows the program is its own. */
	while ((option = getopt_long(argc, argv, "+o:F:", options, &which)) >= 0) {
		if (option == 'F' || (option >= OPTION_SETTING && option != OPTION_RECOVER &&
		                      option != OPTION_SNAPSHOT))
			request->of_run = option == 'F' ? "rate" : options[which].name;
		switch (option) {
		case 'o':
			request->folder = optarg;
			request->has_folder = true;
			break;
		case 'F':
			if (!add_setting(request, "rate", optarg))
				return false;
			break;
		case OPTION_REPORT:
			request->shows_report = true;
			break;
		case OPTION_RECOVER:
			request->recover = optarg;
			break;
		case OPTION_SNAPSHOT:
			request->snapshot = optarg;
			break;
		case OPTION_PID:
			request->pid = optarg;
			break;
		case OPTION_DURATION:
			request->duration = optarg;
			break;
		case OPTION_EVERY:
			request->of_program = "every";
			if (!read_every(request, optarg))
				return false;
			break;
		case OPTION_KEEP:
			request->of_program = "keep";
			if (!read_keep(request, optarg))
				return false;
			break;
		case OPTION_HELP:
			print_help();
			*status = 0;
			return false;
		case OPTION_VERSION:
			puts("gprofx record " GPROFX_VERSION);
			*status = 0;
			return false;
		default:
			if (option < OPTION_SETTING || option >= OPTION_REPORT) {
				fputs("Try 'gprofx record --help'.\n", stderr);
				return false;
			}
			if (!add_setting(request, setting_options[option - OPTION_SETTING].name,
			                 optarg))
				return false;
		}
	}
	return has_settings_that_fit(request);
}

/* "1.89 M", with three digits. */
static const char *
short_number(char to[32], uint64_t number)
{
	static const char units[] = " kMGTPE";
	double value = (double)number;
	int unit = 0;

	for (; value >= 999.5; unit++)
		value /= 1000;
	if (unit == 0)
		snprintf(to, 32, "%llu", (unsigned long long)number);
	else
		snprintf(to, 32, "%.*f %c",
		         value < 9.995   ? 2
		         : value < 99.95 ? 1
		                         : 0,
		         value, units[unit]);
	return to;
}

static const char *
ending(uint64_t count, const char *one, const char *several)
{
	return count == 1 ? one : several;
}

/* A line of the summary, which goes on in a further one where a terminal ends. */
struct line {
	size_t column;
};

__attribute__((format(printf, 2, 3))) static void
put_part(struct line *line, const char *format, ...)
{
	enum { LAST_COLUMN = 79, INDENT = 2 };
	char text[256];
	size_t length;
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	length = strlen(text);
	if (line->column == 0) {
		line->column = (size_t)fprintf(stderr, "gprofx record: ");
	} else if (line->column + 2 + length >= LAST_COLUMN) {
		/* With the comma that can follow. */
		fprintf(stderr, ",\n%*s", INDENT, "");
		line->column = INDENT;
	} else {
		fputs(", ", stderr);
		line->column += 2;
	}
	fputs(text, stderr);
	line->column += length;
}

/* What was lost, or that nothing was. */
static void
put_losses(struct line *line, const struct summary *summary)
{
	const char *advice = summary->is_unwritten ? "no room on the disk, or ulimit -f"
	                                           : "allow more with --memory";
	char calls[32], samples[32];

	if (summary->lost_blocks > 0)
		put_part(line, "%s runs of basic blocks lost (%s)",
		         short_number(calls, summary->lost_blocks), advice);
	else if (summary->lost_calls == 0 && summary->lost_samples == 0)
		put_part(line, "nothing lost");
	else if (summary->is_attached)
		put_part(line, "%s samples lost (could not keep up: a lower --rate helps)",
		         short_number(samples, summary->lost_samples));
	if (!summary->is_attached && (summary->lost_calls > 0 || summary->lost_samples > 0))
		put_part(line, "%s calls and %s samples lost (%s)",
		         short_number(calls, summary->lost_calls),
		         short_number(samples, summary->lost_samples), advice);
}

static void
print_summary(const struct request *request, const char *program, const struct summary *summary)
{
	char number[32];
	struct line line = {0};

	put_part(&line, "%s %s", short_number(number, summary->samples),
	         ending(summary->samples, "sample", "samples"));
	if (summary->has_waits)
		put_part(&line, "%.2f s of waiting", summary->waited);
	if (summary->is_attached && summary->calls == 0)
		put_part(&line, "calls not counted");
	else if (summary->calls == 0 && !summary->is_instrumented)
		put_part(&line, "no calls (no -pg)");
	else
		put_part(&line, "%s %s", short_number(number, summary->calls),
		         ending(summary->calls, "call", "calls"));
	if (summary->blocks > 0)
		put_part(&line, "%s basic blocks run", short_number(number, summary->blocks));
	put_part(&line, "%llu %s", (unsigned long long)summary->threads,
	         ending(summary->threads, "thread", "threads"));
	put_part(&line, "%llu %s", (unsigned long long)summary->processes,
	         ending(summary->processes, "process", "processes"));
	put_losses(&line, summary);
	fputc('\n', stderr);
	command_print(request->has_folder ? request->folder : NULL, program, summary);
}

/* Why there is nothing. */
static void
explain_nothing(const char *program, const char *folder)
{
	enum launch_loader loader = launch_loader_of(program);

	if (!data_has_room(folder))
		message("nothing was recorded: %s has no room for files, since the disk is full or "
		        "the user may not write so large ones (ulimit -f)",
		        folder);
	else if (loader == LOADER_NONE || loader == LOADER_MUSL)
		message("nothing was recorded: %s %s; link it with libgprofx-collect.a", program,
		        loader == LOADER_MUSL ? "uses musl" : "is linked statically");
	else
		message("nothing was recorded: %s runs with the rights of another user, or removes "
		        "LD_PRELOAD from its environment",
		        program);
}

/* Shows the report; returns only if that fails.  program: NULL: the recording says which. */
static void
show_report(const struct request *request, const char *program)
{
	char path[PATH_MAX], *slash;
	ssize_t length = readlink("/proc/self/exe", path, sizeof path - 8);

	path[length > 0 ? length : 0] = '\0';
	slash = strrchr(path, '/');
	memcpy(slash ? slash + 1 : path, "gprofx", sizeof "gprofx");
	execl(access(path, X_OK) == 0 ? path : "gprofx", "gprofx", "--",
	      program ? program : request->folder, program ? request->folder : NULL, (char *)NULL);
	message("cannot run %s: %s", path, strerror(errno));
}

/* Runs the report in a child, so that the status stays that of the program. */
static void
report(const struct request *request, const char *program)
{
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		show_report(request, program);
		_exit(1);
	}
	if (pid > 0)
		waitpid(pid, &status, 0);
}

/* Makes the folder, and what tells the collector to write there. */
static bool
begin(const struct request *request, char settings[SETTINGS], bool *has_moved)
{
	char *folder;
	bool is_fine;

	if (!data_make_folder(request->folder, has_moved))
		return false;
	folder = realpath(request->folder, NULL);
	is_fine = folder && !strchr(folder, ',') && !strchr(folder, '%') &&
	          snprintf(settings, SETTINGS, "gmon=off,only=off,live=%s/%%e.%%p.%%n.gxc%s",
	                   folder, request->settings) < (int)SETTINGS;
	if (!is_fine)
		message("cannot record into %s: its path is too long, or has a comma or a %%",
		        request->folder);
	free(folder);
	return is_fine;
}

static void
take_one(void *ring)
{
	ring_take(ring);
}

static int
record(struct request *request, char *const words[])
{
	struct ring ring = {.recording = request->folder, .keep = request->keep};
	const struct launch_ticks ticks = {request->every, take_one, &ring};
	char settings[SETTINGS];
	struct summary summary;
	bool has_moved, is_there;
	int status = 0;

	if (!begin(request, settings, &has_moved) || (request->every > 0 && !ring_begin(&ring)) ||
	    !launch(words, settings, request->every > 0 ? &ticks : NULL, &status)) {
		if (ring.folder[0] != '\0')
			rmdir(ring.folder);
		data_forget_folder(request->folder, has_moved);
		return FAILED;
	}
	data_drop_earlier(request->folder);
	is_there = data_summarize(request->folder, &summary);
	if (!is_there)
		explain_nothing(words[0], request->folder);
	else
		print_summary(request, words[0], &summary);
	if (request->every > 0)
		ring_end(&ring);
	if (request->shows_report)
		report(request,
		       is_there ? command_program(request->folder, words[0], &summary) : words[0]);
	launch_end(status);
}

/* Records a process that runs already. */
static int
record_running(struct request *request)
{
	struct attach attach = {.folder = request->folder};
	struct summary summary;
	const char *other = request->of_program;

	if (request->snapshot || request->recover)
		other = request->snapshot ? "snapshot" : "recover";
	if (other) {
		message("error[attach.unused-option]: --pid has no use for --%s: leave it out",
		        other);
		return 2;
	}
	if (!attach_read_pid(request->pid, &attach.pid) ||
	    !attach_read_settings(&attach, request->settings) ||
	    (request->duration && !attach_read_duration(request->duration, &attach.duration)))
		return 2;
	if (!attach_run(&attach) || !data_summarize(request->folder, &summary))
		return 1;
	print_summary(request, summary.program, &summary);
	if (attach.throttled > 0)
		message("the system sampled less than it was asked to, %llu times: a lower --rate "
		        "is sampled evenly",
		        (unsigned long long)attach.throttled);
	if (request->shows_report)
		report(request, summary.program);
	return 0;
}

/* A line on what a snapshot has, and one with the command that shows it. */
static int
take_snapshot(const char *words)
{
	char to[PATH_MAX], samples[32], calls[32];
	struct summary summary;
	int pid;
	enum snapshot result = snapshot_take(words, &pid, to);

	if (result == SNAPSHOT_FAILED || !data_summarize_file(to, &summary))
		return 1;
	message(result == SNAPSHOT_RUNNING
	                ? "process %d is still running: %s %s, %s %s so far"
	                : "process %d has ended: this is all that it recorded: %s %s, %s %s",
	        pid, short_number(samples, summary.samples),
	        ending(summary.samples, "sample", "samples"), short_number(calls, summary.calls),
	        ending(summary.calls, "call", "calls"));
	fputs("  gprofx", stderr);
	command_put_word(stderr, summary.program[0] != '\0' ? summary.program : "PROGRAM");
	command_put_word(stderr, to);
	fputc('\n', stderr);
	return 0;
}

/* Whether nothing was said that has no effect on what does not run a program. */
static bool
is_alone(const struct request *request, const char *option, bool has_program, bool takes_folder)
{
	const char *other = request->of_run;

	if (!other && request->has_folder && !takes_folder)
		other = "output";
	if (!other && request->snapshot && request->recover)
		other = "recover";
	if (has_program)
		message("--%s takes no program", option);
	else if (other)
		message("--%s has no use for --%s", option, other);
	return !has_program && !other;
}

int
main(int argc, char **argv)
{
	static struct request request = {.folder = "gprofx.data", .keep = 10};
	int status;

	values_set_defaults(&request.checked);
	if (!read_options(&request, argc, argv, &status))
		return status;
	/* A limit of files is an error of the one that is written, and no reason to end. */
	if (request.snapshot || request.recover)
		signal(SIGXFSZ, SIG_IGN);
	if (request.pid) {
		if (optind < argc) {
			message("error[attach.takes-no-program]: --pid takes no program: leave out "
			        "'%s', or the option",
			        argv[optind]);
			return 2;
		}
		return record_running(&request);
	}
	if (request.duration) {
		message("error[attach.no-pid]: --duration needs --pid=PID");
		return 2;
	}
	if (request.snapshot) {
		if (!is_alone(&request, "snapshot", optind < argc, false))
			return 2;
		return take_snapshot(request.snapshot);
	}
	if (request.recover) {
		if (!is_alone(&request, "recover", optind < argc, true))
			return 2;
		return data_recover(request.recover,
		                    request.has_folder ? request.folder : "gmon.out")
		               ? 0
		               : 1;
	}
	if (optind >= argc) {
		message("expected a program to run, as in: gprofx record ./prog");
		return 2;
	}
	return record(&request, argv + optind);
}
