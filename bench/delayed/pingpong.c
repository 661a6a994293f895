/* SPDX-License-Identifier: Apache-2.0 */
/* What a message costs between two processes: pingpong BYTES ROUNDS prints the seconds of one, of
 * this length. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int
main(int count, char **words)
{
	int bytes = count > 1 ? atoi(words[1]) : 8, rounds = count > 2 ? atoi(words[2]) : 1000,
	    rank;
	char *buffer = calloc((size_t)bytes + 1, 1);
	double begun;

	MPI_Init(&count, &words);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Barrier(MPI_COMM_WORLD);
	begun = MPI_Wtime();
	for (int i = 0; i < 2 * rounds; i++) {
		if (rank == i % 2)
			MPI_Send(buffer, bytes, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD);
		else if (rank == 1 - i % 2)
			MPI_Recv(buffer, bytes, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD,
			         MPI_STATUS_IGNORE);
	}
	if (rank == 0)
		printf("%.9f\n", (MPI_Wtime() - begun) / (2 * rounds));
	MPI_Finalize();
	free(buffer);
	return 0;
}
