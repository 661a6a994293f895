/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pairtime - run one or two programs with the same arguments, in turn, and tell what each run cost.
 *
 * Linked statically and kept small: a child's peak memory counts from the fork, so it can never be
 * seen below that of the program that forked it. For a tool that needs 3 MiB an interpreter is
 * already too large for that.
 *
 * One line for each run on standard output, separated by spaces:
 *     which (0 or 1), "exit" or "signal", its number, user us, system us, wall us, peak KiB
 * The outputs of the last run of each are left in PREFIX.0.out, PREFIX.0.err, PREFIX.1.out ...
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* How often to run: `least` times, more while it is cheap, less when it is dear. */
struct plan {
	long least, most;
	double enough;  /* seconds a tool may use up before runs beyond `least` are left out */
	double dear;    /* seconds after which even those up to `least` are left out */
	unsigned limit; /* processor seconds after which a run is killed; 0: never */
};

struct tool {
	const char *path;
	char **argv;  /* its words, its name first */
	int out, err; /* files that take what it prints */
	long runs;
	double spent; /* wall seconds in all its runs */
	int broken;   /* killed or not startable: not tried again */
};

static _Noreturn void
die(const char *what)
{
	fprintf(stderr, "pairtime: %s: %s\n", what, strerror(errno));
	exit(1);
}

static int
wants_run(const struct tool *t, const struct plan *p)
{
	if (!t->path || t->broken)
		return 0;
	if (t->runs == 0)
		return 1;
	if (t->runs < p->least)
		return t->spent < p->dear;
	return t->runs < p->most && t->spent < p->enough;
}

static void
empty(int fd)
{
	if (ftruncate(fd, 0) || lseek(fd, 0, SEEK_SET))
		die("output file");
}

static _Noreturn void
become(const struct tool *t, unsigned limit)
{
	int in = open("/dev/null", O_RDONLY);

	if (in < 0 || dup2(in, 0) < 0 || dup2(t->out, 1) < 0 || dup2(t->err, 2) < 0)
		_exit(127);
	/*
	 * Processor time ends a run that takes too long, so that a busy machine does not. One that
	 * hangs is ended by the alarm, which survives execve.
	 */
	if (limit > 0) {
		struct rlimit processor = {limit, limit};
		setrlimit(RLIMIT_CPU, &processor);
		alarm(limit * 10);
	}
	execv(t->path, t->argv);
	_exit(127);
}

static double
seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static long long
microseconds(struct timeval t)
{
	return (long long)t.tv_sec * 1000000 + t.tv_usec;
}

static void
run(struct tool *t, int which, unsigned limit)
{
	struct rusage used;
	int status;

	empty(t->out);
	empty(t->err);
	double began = seconds();
	pid_t child = fork();
	if (child < 0)
		die("fork");
	if (child == 0)
		become(t, limit);
	while (wait4(child, &status, 0, &used) < 0)
		if (errno != EINTR)
			die("wait4");
	double wall = seconds() - began;
	t->runs++;
	t->spent += wall;
	int killed = WIFSIGNALED(status);
	int code = killed ? WTERMSIG(status) : WEXITSTATUS(status);
	t->broken = killed || code == 127;
	printf("%d %s %d %lld %lld %.0f %ld\n", which, killed ? "signal" : "exit", code,
	       microseconds(used.ru_utime), microseconds(used.ru_stime), wall * 1e6,
	       used.ru_maxrss);
}

static int
output_file(const char *prefix, int which, const char *suffix)
{
	char path[4096];

	if (snprintf(path, sizeof path, "%s.%d.%s", prefix, which, suffix) >= (int)sizeof path) {
		errno = ENAMETOOLONG;
		die(prefix);
	}
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (fd < 0)
		die(path);
	return fd;
}

static _Noreturn void
usage(void)
{
	fputs("usage: pairtime [options] PREFIX NAME ARGUMENT...\n"
	      "  -0 PATH, -1 PATH  the programs; both see NAME as their name\n"
	      "  -o NAME[:WORD]    the second sees this name and, before the others, this argument\n"
	      "  -n RUNS -x RUNS   at least, at most\n"
	      "  -e SECONDS        after so long, no more than the least number\n"
	      "  -d SECONDS        after so long, no more at all\n"
	      "  -l SECONDS        kill a run that takes more processor time\n",
	      stderr);
	exit(2);
}

int
main(int argc, char **argv)
{
	struct plan plan = {.least = 1, .most = 1, .enough = 1, .dear = 60};
	struct tool tool[2] = {{0}};
	char *own = NULL, *colon = NULL;
	int o;

	while ((o = getopt(argc, argv, "+0:1:o:n:x:e:d:l:")) != -1) {
		switch (o) {
		case '0':
		case '1':
			tool[o - '0'].path = optarg;
			break;
		case 'o':
			own = optarg;
			colon = strchr(own, ':');
			if (colon)
				*colon = '\0';
			break;
		case 'n':
			plan.least = atol(optarg);
			break;
		case 'x':
			plan.most = atol(optarg);
			break;
		case 'e':
			plan.enough = atof(optarg);
			break;
		case 'd':
			plan.dear = atof(optarg);
			break;
		case 'l':
			plan.limit = (unsigned)atoi(optarg);
			break;
		default:
			usage();
		}
	}
	if (argc - optind < 2)
		usage();
	for (int i = 0; i < 2; i++) {
		if (!tool[i].path)
			continue;
		tool[i].out = output_file(argv[optind], i, "out");
		tool[i].err = output_file(argv[optind], i, "err");
	}
	tool[0].argv = tool[1].argv = argv + optind + 1;
	if (own) {
		char **words = calloc((size_t)(argc - optind) + 2, sizeof *words);
		int count = 0;

		if (!words)
			die("words");
		words[count++] = own;
		if (colon)
			words[count++] = colon + 1;
		memcpy(words + count, argv + optind + 2,
		       (size_t)(argc - optind - 2) * sizeof *words);
		tool[1].argv = words;
	}
	for (int again = 1; again;) {
		again = 0;
		for (int i = 0; i < 2; i++) {
			if (wants_run(&tool[i], &plan)) {
				run(&tool[i], i, plan.limit);
				again = 1;
			}
		}
	}
	return fflush(stdout) ? 1 : 0;
}
