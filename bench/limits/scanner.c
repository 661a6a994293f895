/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How fast a call scanner is on a large text: scanner PLUGIN PROGRAM MIB RUNS.
 *
 * PLUGIN is a built findcall-*.so, PROGRAM an ELF file whose .text is repeated, functions, marks
 * and GOT with it, until there are that many MiB.  That is written to a file, without a name, in
 * the current folder.  Then in turn, by one thread,
 *
 *   - the file is mapped, and the text is read once, as words that are added up; and once more,
 *   - the file is mapped, and the text is scanned; and once more,
 *
 * and by as many threads as there are processors
 *
 *   - the file is mapped, and the text is read once,
 *   - the file is mapped, and the text is scanned as the engine does it.
 *
 * Printed are functions, bytes and threads, and then, for each purpose of scanning, the calls that
 * were found and medians, of elapsed milliseconds and of ratios of each turn:
 *
 *   reading, scanning, their ratio             mapped just before, one thread
 *   reading, scanning                          the same by all threads
 *   that scanning to reading by one thread, to reading by all threads
 *   reading, scanning, their ratio             mapped already, one thread
 *
 * Purposes are
 *
 *   calls   for -c
 *   empty   the same, but no function begins anywhere: no call is found, no bit is looked up
 *   slots   as calls, when it is known what the loader writes into the GOT
 *   sites   for finding out who called
 *   strict  by GNU gprof's rules; left out where it knows no calls of the machine
 *
 * The callbacks do next to nothing: a bit is looked up, calls are counted.
 */
#include "common.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>

#include <gprofx/plugin.h>

#include "scanner-text.h"

/* The engine has the same ones: see its parallel.h and calls.c. */
enum { MOST_THREADS = 64, TASK_BYTES = 1 << 18 };

enum { MOST_RUNS = 1000 };

static const char *const ways[] = {"calls", "empty", "slots", "sites", "strict"};

enum { CALLS, EMPTY, SLOTS, SITES, STRICT, WAYS };

/* Pieces of code, and what a thread takes of them at a time. */
struct plan {
	struct gprofx_code *piece;
	size_t *first; /* of each task; one more at the end */
	size_t pieces, tasks;
};

/* What a thread writes to, apart from what others do. */
struct worker {
	_Alignas(128) struct gprofx_calls public; /* first */
	uint64_t count, sum;
	void *state; /* the plugin's */
	struct job *job;
	pthread_t thread;
};

/* What threads do together: they read the text, or where there is a plan they scan it. */
struct job {
	const struct gprofx_findcall *findcall;
	const struct text *text;
	const struct plan *plan;
	struct worker *workers;
	unsigned threads;
	_Alignas(128) atomic_size_t next; /* task */
};

static void
count_calls(struct gprofx_calls *calls, const struct gprofx_found_call *rows, uint32_t count)
{
	struct worker *worker = (struct worker *)calls;

	for (uint32_t i = 0; i < count; i++)
		worker->sum += rows[i].from ^ rows[i].to ^ rows[i].kind;
	worker->count += count;
}

/* Whether the engine puts a function together with the code before it. */
static bool
goes_on(const struct gprofx_code *before, const struct gprofx_code *piece, uint32_t step)
{
	return step > 0 && before->address % step == 0 && piece->address % step == 0 &&
	       piece->address == before->address + before->byte_count;
}

/* Divides the functions as the engine does it; has_runs: the scanner can take several as one. */
static struct plan
divide(const struct text *text, uint32_t step, bool has_runs)
{
	struct plan plan = {need(text->pieces, sizeof *plan.piece),
	                    need(text->pieces, sizeof *plan.first), 0, 0};
	uint64_t bytes = TASK_BYTES;

	for (size_t i = 0; i < text->pieces; i++) {
		const struct gprofx_code *piece = &text->piece[i];
		struct gprofx_code *run = plan.piece + plan.pieces - 1;
		bool is_task = bytes >= TASK_BYTES;

		if (is_task)
			bytes = 0;
		bytes += piece->byte_count;
		if (!is_task && has_runs && goes_on(run, piece, step)) {
			run->byte_count += piece->byte_count;
			run->mark_count = (uint32_t)(piece->marks + piece->mark_count - run->marks);
			continue;
		}
		if (is_task)
			plan.first[plan.tasks++] = plan.pieces;
		plan.piece[plan.pieces++] = *piece;
	}
	plan.first[plan.tasks] = plan.pieces;
	return plan;
}

/* Divides the functions among threads, as the engine does where it looks for callers. */
static struct plan
share(const struct text *text, unsigned threads)
{
	struct plan plan = {need(text->pieces, sizeof *plan.piece),
	                    need(threads, sizeof *plan.first), text->pieces, threads};

	memcpy(plan.piece, text->piece, text->pieces * sizeof *plan.piece);
	for (unsigned i = 0; i <= threads; i++)
		plan.first[i] = text->pieces * i / threads;
	return plan;
}

static struct plan
plan_for(const struct text *text, const struct gprofx_findcall *findcall, int way, unsigned threads)
{
	bool has_step = findcall->size > offsetof(struct gprofx_findcall, step);
	struct plan plan = way == SITES
	                           ? share(text, threads)
	                           : divide(text, has_step ? findcall->step : 0, way != STRICT);

	for (size_t i = 0; i < plan.pieces; i++) {
		if (way == STRICT)
			plan.piece[i].mark_count = 0;
		if (way ==
		    SITES) /* the engine makes no bits for the few functions that it looks at */
			plan.piece[i].begin_bits = NULL;
	}
	return plan;
}

/*
 * The plain program that the scanners are compared with; not inlined, so that it is run each time.
 * 64 bytes at a time: a loop of five instructions takes up to twice as long as memory does, by
 * where in the program it happens to lie.
 */
__attribute__((noinline)) static uint32_t
read_once(const unsigned char *bytes, size_t count)
{
	uint32_t sums[16] = {0}, sum = 0;
	size_t at = 0;

	for (; count - at >= sizeof sums; at += sizeof sums)
		for (int k = 0; k < 16; k++)
			sums[k] += get32(bytes + at + 4 * k);
	for (; at < count; at += 4)
		sum += get32(bytes + at);
	for (int k = 0; k < 16; k++)
		sum += sums[k];
	return sum;
}

static void *
work(void *argument)
{
	struct worker *worker = argument;
	struct job *job = worker->job;
	size_t size = job->text->size, task,
	       tasks = job->plan ? job->plan->tasks : (size - 1) / TASK_BYTES + 1;

	while ((task = atomic_fetch_add_explicit(&job->next, 1, memory_order_relaxed)) < tasks) {
		size_t begin = task * TASK_BYTES;

		if (!job->plan) {
			worker->sum += read_once(job->text->bytes + begin, size - begin < TASK_BYTES
			                                                           ? size - begin
			                                                           : TASK_BYTES);
			continue;
		}
		for (size_t i = job->plan->first[task]; i < job->plan->first[task + 1]; i++)
			job->findcall->scan(worker->state, &job->plan->piece[i], &worker->public);
	}
	return NULL;
}

/* Elapsed time.  Threads are made and joined by each run, as the engine does it. */
static double
run_threads(const struct text *text, struct job *job, const struct plan *plan, unsigned threads)
{
	double start = elapsed_milliseconds();

	job->text = text;
	job->plan = plan;
	job->threads = threads;
	atomic_store(&job->next, 0);
	for (unsigned i = 0; i < threads; i++) {
		struct worker *worker = &job->workers[i];

		worker->public.add = count_calls;
		worker->count = worker->sum = 0;
		worker->job = job;
		if (i > 0 && pthread_create(&worker->thread, NULL, work, worker) != 0)
			give_up("no thread");
	}
	work(&job->workers[0]);
	for (unsigned i = 1; i < threads; i++)
		pthread_join(job->workers[i].thread, NULL);
	return elapsed_milliseconds() - start;
}

static double
map_anew(const struct text *text)
{
	double start;

	/* Taking the old mapping away is not counted. */
	munmap(text->bytes, text->size);
	start = elapsed_milliseconds();
	text_map(text);
	return elapsed_milliseconds() - start;
}

/* How many calls the threads found, and a sum of all that was said of them. */
static uint64_t
total(const struct job *job, uint64_t *sum)
{
	uint64_t count = 0;

	*sum = 0;
	for (unsigned i = 0; i < job->threads; i++) {
		count += job->workers[i].count;
		*sum += job->workers[i].sum;
	}
	return count;
}

static int
by_size(const void *x, const void *y)
{
	double a = *(const double *)x, b = *(const double *)y;

	return (a > b) - (a < b);
}

static double
median(double *values, int count)
{
	qsort(values, (size_t)count, sizeof *values, by_size);
	return values[count / 2];
}

enum {
	READ,
	SCAN,
	TIMES,
	READ_ALL,
	SCAN_ALL,
	TIMES_ALL,
	TIMES_BOTH_ALL,
	READ_AGAIN,
	SCAN_AGAIN,
	TIMES_AGAIN,
	FIGURES
};

static void
measure(const struct text *text, struct job *job, const char *name, const struct plan *plan,
        const struct plan *plan_of_all, unsigned threads, int runs)
{
	static double figures[FIGURES][MOST_RUNS];
	uint64_t count = 0, sum, sum_of_all;

	for (int i = 0; i < runs; i++) {
		double f[FIGURES];

		f[READ] = map_anew(text) + run_threads(text, job, NULL, 1);
		f[READ_AGAIN] = run_threads(text, job, NULL, 1);
		f[SCAN] = map_anew(text) + run_threads(text, job, plan, 1);
		f[SCAN_AGAIN] = run_threads(text, job, plan, 1);
		count = total(job, &sum);
		f[READ_ALL] = map_anew(text) + run_threads(text, job, NULL, threads);
		f[SCAN_ALL] = map_anew(text) + run_threads(text, job, plan_of_all, threads);
		if (total(job, &sum_of_all) != count || sum_of_all != sum)
			give_up("several threads find something else than one");
		f[TIMES] = f[SCAN] / f[READ];
		f[TIMES_ALL] = f[SCAN_ALL] / f[READ];
		f[TIMES_BOTH_ALL] = f[SCAN_ALL] / f[READ_ALL];
		f[TIMES_AGAIN] = f[SCAN_AGAIN] / f[READ_AGAIN];
		for (int k = 0; k < FIGURES; k++)
			figures[k][i] = f[k];
	}
	printf("%s %llu", name, (unsigned long long)count);
	for (int k = 0; k < FIGURES; k++)
		printf(" %.3f", median(figures[k], runs));
	printf("\n");
}

/* Makes the state of each thread; false: the scanner does not know this way. */
static bool
open_workers(const struct text *text, struct job *job, unsigned threads)
{
	static const struct gprofx_scan_options options = {true, true, true, false};

	for (unsigned i = 0; i < threads; i++) {
		job->workers[i].state = NULL;
		if (job->findcall->worker_open &&
		    job->findcall->worker_open(NULL, &text->image, &options,
		                               &job->workers[i].state) != GPROFX_OK)
			return false;
	}
	return true;
}

static void
try_way(struct text *text, struct job *job, int way, unsigned threads, int runs)
{
	struct plan plan, plan_of_all;

	text->image.strict = way == STRICT;
	text->image.wants_sites = way == SITES;
	if (!text_know(text, way != EMPTY, way == SLOTS) || !open_workers(text, job, threads))
		return;
	plan = plan_for(text, job->findcall, way, 1);
	plan_of_all = plan_for(text, job->findcall, way, threads);
	measure(text, job, ways[way], &plan, &plan_of_all, threads, runs);
	free(plan.piece);
	free(plan.first);
	free(plan_of_all.piece);
	free(plan_of_all.first);
	for (unsigned i = 0; i < threads && job->findcall->worker_close; i++)
		job->findcall->worker_close(NULL, job->workers[i].state);
}

static const struct gprofx_findcall *
load(const char *path)
{
	void *module = dlopen(path, RTLD_NOW);
	const struct gprofx_plugin *plugin = module ? dlsym(module, "gprofx_plugin_1") : NULL;

	if (!plugin)
		give_up(dlerror());
	return plugin->findcall;
}

int
main(int argc, char **argv)
{
	static struct text text;
	static struct worker workers[MOST_THREADS];
	static struct job job;
	int runs = argc == 5 ? atoi(argv[4]) : 0;
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	unsigned threads = processors < 1              ? 1
	                   : processors > MOST_THREADS ? MOST_THREADS
	                                               : (unsigned)processors;

	if (runs < 1 || runs > MOST_RUNS)
		return 2;
	job.findcall = load(argv[1]);
	job.workers = workers;
	text_read(&text, argv[2], (size_t)atoi(argv[3]) << 20);
	printf("text %zu %llu %u\n", text.pieces, (unsigned long long)text.size, threads);
	for (int way = 0; way < WAYS; way++)
		try_way(&text, &job, way, threads, runs);
	return 0;
}
