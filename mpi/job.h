/* SPDX-License-Identifier: Apache-2.0 */
/* The processes of the job, and which of them share a list of files. */
#ifndef MPI_JOB_H
#define MPI_JOB_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

enum { JOB_HOST_ROOM = 256 };

struct job {
	/* All processes; with --node-local those of a node follow each other. */
	MPI_Comm world;
	int rank, size;
	/* Those that share a list of files: all, or those of the node.  The first one makes it. */
	MPI_Comm group;
	int group_rank, group_size;
	int number;         /* in MPI_COMM_WORLD: by this, users know the process */
	int processes_here; /* on this machine */
	bool node_local;
	char host[JOB_HOST_ROOM];
};

/* Finds out which process this is. */
void job_begin(struct job *job);
/* Forms the groups. */
void job_form_groups(struct job *job, bool node_local);
/* Ends all processes, once mpirun has had time to read what this one has written. */
void job_abort(int status);
/* Ends MPI. */
void job_end(struct job *job);

/* Whether the process is the first one of its group. */
static inline bool
job_leads(const struct job *job)
{
	return job->group_rank == 0;
}

/*
 * Memory from malloc.  Without it the whole job ends, with a message: no process can go on without
 * the others.
 */
void *job_alloc(size_t bytes);
void *job_grow(void *bytes, size_t count);
char *job_copy(const char *text);

#endif
