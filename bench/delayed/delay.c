/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes a small machine look like a large one: loaded before an MPI program, it delays what the
 * program does.
 *
 *   DELAY_MESSAGE  microseconds that each message takes, at its sender
 *   DELAY_BYTES    bytes of messages in a microsecond; 0: they take no time
 *   DELAY_FILE     microseconds to open each file whose name contains DELAY_NAME
 *   DELAY_REPORT   a file: process 0 writes the seconds there from the start of all processes to
 * the end of MPI, and how many messages it got, with how many bytes
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

static double begun, processor_begun;
static long messages, bytes;

static double
now(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static double
setting(const char *name)
{
	const char *value = getenv(name);

	return value ? atof(value) : 0;
}

static void
wait_for(double microseconds)
{
	struct timespec time = {.tv_sec = (time_t)(microseconds / 1e6)};

	if (microseconds < 1)
		return;
	time.tv_nsec = (long)((microseconds - 1e6 * (double)time.tv_sec) * 1e3);
	while (nanosleep(&time, &time) != 0)
		continue;
}

static void
wait_for_message(int count, MPI_Datatype type)
{
	double per_microsecond = setting("DELAY_BYTES");
	int size;

	PMPI_Type_size(type, &size);
	wait_for(setting("DELAY_MESSAGE") +
	         (per_microsecond > 0 ? (double)count * size / per_microsecond : 0));
}

int
MPI_Isend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm world,
          MPI_Request *request)
{
	wait_for_message(count, type);
	return PMPI_Isend(buffer, count, type, to, tag, world, request);
}

int
MPI_Send(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm world)
{
	wait_for_message(count, type);
	return PMPI_Send(buffer, count, type, to, tag, world);
}

static void
count_message(int count, MPI_Datatype type)
{
	int size;

	PMPI_Type_size(type, &size);
	messages++;
	bytes += (long)count * size;
}

int
MPI_Recv(void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm world,
         MPI_Status *status)
{
	count_message(count, type);
	return PMPI_Recv(buffer, count, type, from, tag, world, status);
}

int
MPI_Irecv(void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm world,
          MPI_Request *request)
{
	count_message(count, type);
	return PMPI_Irecv(buffer, count, type, from, tag, world, request);
}

static void
begin(void)
{
	PMPI_Barrier(MPI_COMM_WORLD);
	begun = now(CLOCK_MONOTONIC);
	processor_begun = now(CLOCK_PROCESS_CPUTIME_ID);
}

int
MPI_Init(int *count, char ***words)
{
	int result = PMPI_Init(count, words);

	begin();
	return result;
}

int
MPI_Init_thread(int *count, char ***words, int wanted, int *provided)
{
	int result = PMPI_Init_thread(count, words, wanted, provided);

	begin();
	return result;
}

int
MPI_Finalize(void)
{
	double seconds = now(CLOCK_MONOTONIC) - begun;
	double processor = now(CLOCK_PROCESS_CPUTIME_ID) - processor_begun;
	const char *path = getenv("DELAY_REPORT");
	struct rusage usage;
	long memory = 0;
	FILE *report;
	int rank;

	getrusage(RUSAGE_SELF, &usage);
	PMPI_Reduce(&usage.ru_maxrss, &memory, 1, MPI_LONG, MPI_MAX, 0, MPI_COMM_WORLD);
	PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
	report = rank == 0 && path ? fopen(path, "w") : NULL;
	if (report) {
		fprintf(report, "%.6f %.6f %ld %ld %ld\n", seconds, processor, messages, bytes,
		        memory);
		fclose(report);
	}
	return PMPI_Finalize();
}

/* Profiles are opened by this function. */
static int
open_delayed(const char *function, int folder, const char *path, int flags, mode_t mode)
{
	int (*next)(int, const char *, int, ...);
	void *found = dlsym(RTLD_NEXT, function);
	const char *name = getenv("DELAY_NAME");

	memcpy(&next, &found, sizeof next);
	if (name && strstr(path, name))
		wait_for(setting("DELAY_FILE"));
	return next(folder, path, flags, mode);
}

int
openat(int folder, const char *path, int flags, ...)
{
	va_list more;
	mode_t mode;

	va_start(more, flags);
	mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0;
	va_end(more);
	return open_delayed("openat", folder, path, flags, mode);
}

int
openat64(int folder, const char *path, int flags, ...)
{
	va_list more;
	mode_t mode;

	va_start(more, flags);
	mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0;
	va_end(more);
	return open_delayed("openat64", folder, path, flags, mode);
}
