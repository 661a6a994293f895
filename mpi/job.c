/* SPDX-License-Identifier: Apache-2.0 */
#include "job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

void
job_begin(struct job *job)
{
	MPI_Comm here;

	memset(job, 0, sizeof *job);
	job->world = job->group = MPI_COMM_WORLD;
	MPI_Comm_rank(MPI_COMM_WORLD, &job->rank);
	MPI_Comm_size(MPI_COMM_WORLD, &job->size);
	job->number = job->group_rank = job->rank;
	job->group_size = job->size;
	if (gethostname(job->host, sizeof job->host - 1) != 0)
		snprintf(job->host, sizeof job->host, "unknown");
	MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, job->rank, MPI_INFO_NULL, &here);
	MPI_Comm_size(here, &job->processes_here);
	MPI_Comm_free(&here);
}

struct member {
	const char *host;
	int rank, node;
};

static int
compare_hosts(const void *left, const void *right)
{
	const struct member *one = left, *other = right;
	int order = strcmp(one->host, other->host);

	return order != 0 ? order : (one->rank > other->rank) - (one->rank < other->rank);
}

/* Nodes in the order of their first processes. */
static int
compare_nodes(const void *left, const void *right)
{
	const struct member *one = left, *other = right;

	return one->node != other->node ? (one->node > other->node) - (one->node < other->node)
	                                : (one->rank > other->rank) - (one->rank < other->rank);
}

/* For each process its node, which is the rank of the node's first process, and its new rank. */
static void
number_members(const char *hosts, int size, int *numbers)
{
	struct member *members = job_alloc((size_t)size * sizeof *members);

	for (int i = 0; i < size; i++)
		members[i] = (struct member){.host = hosts + (size_t)i * JOB_HOST_ROOM, .rank = i};
	qsort(members, (size_t)size, sizeof *members, compare_hosts);
	for (int i = 0; i < size; i++)
		members[i].node = i > 0 && strcmp(members[i].host, members[i - 1].host) == 0
		                          ? members[i - 1].node
		                          : members[i].rank;
	qsort(members, (size_t)size, sizeof *members, compare_nodes);
	for (int i = 0; i < size; i++) {
		numbers[2 * members[i].rank] = members[i].node;
		numbers[2 * members[i].rank + 1] = i;
	}
	free(members);
}

void
job_form_groups(struct job *job, bool node_local)
{
	char *hosts = NULL;
	int *numbers = NULL, own[2];

	job->node_local = node_local;
	if (!node_local)
		return;
	if (job->number == 0) {
		hosts = job_alloc((size_t)job->size * JOB_HOST_ROOM);
		numbers = job_alloc((size_t)job->size * sizeof own);
	}
	MPI_Gather(job->host, JOB_HOST_ROOM, MPI_CHAR, hosts, JOB_HOST_ROOM, MPI_CHAR, 0,
	           MPI_COMM_WORLD);
	if (job->number == 0)
		number_members(hosts, job->size, numbers);
	MPI_Scatter(numbers, 2, MPI_INT, own, 2, MPI_INT, 0, MPI_COMM_WORLD);
	free(hosts);
	free(numbers);
	MPI_Comm_split(MPI_COMM_WORLD, 0, own[1], &job->world);
	MPI_Comm_rank(job->world, &job->rank);
	MPI_Comm_split(MPI_COMM_WORLD, own[0], own[1], &job->group);
	MPI_Comm_rank(job->group, &job->group_rank);
	MPI_Comm_size(job->group, &job->group_size);
}

void
job_end(struct job *job)
{
	if (job->node_local) {
		MPI_Comm_free(&job->group);
		MPI_Comm_free(&job->world);
	}
	MPI_Finalize();
}

static void *
check(void *bytes)
{
	static const char message[] =
		"gprofx-mpi: error[memory.exhausted]: cannot allocate memory\n"
		"  hint: allow the processes more memory, or run fewer of them on a node\n";

	if (bytes)
		return bytes;
	fputs(message, stderr);
	MPI_Abort(MPI_COMM_WORLD, 1);
	abort();
}

void *
job_alloc(size_t bytes)
{
	return check(calloc(1, bytes > 0 ? bytes : 1));
}

void *
job_grow(void *bytes, size_t count)
{
	return check(realloc(bytes, count > 0 ? count : 1));
}

char *
job_copy(const char *text)
{
	return check(strdup(text));
}

/* Waits until mpirun has read what is in the pipe, which MPI_Abort may lose. */
static void
drain(int channel)
{
	enum { STEPS_AT_MOST = 200 };
	const struct timespec step = {.tv_nsec = 10 * 1000 * 1000};
	struct stat status;
	int left = 0;

	if (fstat(channel, &status) != 0 || !S_ISFIFO(status.st_mode))
		return;
	for (int i = 0; i < STEPS_AT_MOST; i++) {
		if (ioctl(channel, FIONREAD, &left) != 0 || left == 0)
			break;
		nanosleep(&step, NULL);
	}
}

void
job_abort(int status)
{
	const struct timespec passing_on = {.tv_nsec = 500 * 1000 * 1000};

	fflush(NULL);
	drain(STDOUT_FILENO);
	drain(STDERR_FILENO);
	/* From the node of the process to that of mpirun. */
	nanosleep(&passing_on, NULL);
	MPI_Abort(MPI_COMM_WORLD, status);
}
