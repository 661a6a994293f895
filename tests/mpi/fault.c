/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Faults of processes and messages, for tests of gprofx-mpi: a library to be loaded before that of
 * MPI, which calls it by the names of its profiling interface.  The environment says what happens:
 *
 *     FAULT_RANK   the process, by its rank in MPI_COMM_WORLD; without: all
 *     FAULT        stop, kill: the process stops, or dies;
 *                  head: a byte of the head of a message is changed; body: one of what follows;
 *                  delay: a message waits for FAULT_US microseconds
 *     FAULT_SKIP   how many such messages pass by before; 0: none
 */
#include <mpi.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Heads begin with these bytes, and then have the version. */
static const char magic[] = "pmxforpg";
enum { VERSION_BYTE = sizeof magic - 1 };

static int messages;

static long
number(const char *name, long otherwise)
{
	const char *text = getenv(name);

	return text ? strtol(text, NULL, 10) : otherwise;
}

static void
wait_for(long microseconds)
{
	struct timespec time = {microseconds / 1000000, microseconds % 1000000 * 1000};

	nanosleep(&time, NULL);
}

/* Whether this message is the one with the fault. */
static bool
is_meant(bool is_head)
{
	const char *fault = getenv("FAULT");
	int rank;

	if (!fault || (strcmp(fault, "body") == 0 && is_head) ||
	    (strcmp(fault, "head") == 0 && !is_head))
		return false;
	PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (number("FAULT_RANK", rank) != rank)
		return false;
	return strcmp(fault, "delay") == 0 || messages++ == number("FAULT_SKIP", 0);
}

/* The bytes to send: those that were given, or a copy that is never freed. */
static const void *
meet_fault(const void *bytes, int count)
{
	const char *fault = getenv("FAULT");
	unsigned char *copy;

	if (!is_meant(count > VERSION_BYTE && memcmp(bytes, magic, VERSION_BYTE) == 0))
		return bytes;
	if (strcmp(fault, "stop") == 0)
		raise(SIGSTOP);
	else if (strcmp(fault, "kill") == 0)
		raise(SIGKILL);
	else if (strcmp(fault, "delay") == 0)
		wait_for(number("FAULT_US", 0));
	if (strcmp(fault, "head") != 0 && strcmp(fault, "body") != 0)
		return bytes;
	copy = malloc((size_t)count);
	if (!copy)
		abort();
	memcpy(copy, bytes, (size_t)count);
	copy[strcmp(fault, "head") == 0 ? VERSION_BYTE : count / 2] ^= 0x20;
	return copy;
}

int
MPI_Isend(const void *bytes, int count, MPI_Datatype type, int to, int tag, MPI_Comm world,
          MPI_Request *request)
{
	return PMPI_Isend(meet_fault(bytes, count), count, type, to, tag, world, request);
}
