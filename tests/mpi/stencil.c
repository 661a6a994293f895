// SPDX-License-Identifier: Apache-2.0
/*
 * A stencil over a grid that is divided into blocks of rows, one for each process. The cells of one
 * process cost more, so that all others wait for it: what profiles of all ranks have to show.
 *
 *   stencil STEPS SLOW-RANK
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 64, COLUMNS = 256, REPEATED = 400 };

static double grid[2][ROWS + 2][COLUMNS];
static int rank, ranks, repeats;

/* What cells cost besides their neighbors. */
__attribute__((noinline)) static void
react(double *row)
{
	for (int i = 0; i < repeats; i++)
		for (int k = 1; k < COLUMNS - 1; k++)
			row[k] += 1e-3 * (0.5 - row[k]) * row[k];
}

__attribute__((noinline)) static void
relax(double (*from)[COLUMNS], double (*to)[COLUMNS])
{
	for (int row = 1; row <= ROWS; row++) {
		for (int i = 1; i < COLUMNS - 1; i++)
			to[row][i] = 0.25 * (from[row - 1][i] + from[row + 1][i] +
			                     from[row][i - 1] + from[row][i + 1]);
		react(to[row]);
	}
}

__attribute__((noinline)) static void
exchange(double (*rows)[COLUMNS])
{
	int above = rank > 0 ? rank - 1 : MPI_PROC_NULL;
	int below = rank < ranks - 1 ? rank + 1 : MPI_PROC_NULL;
	MPI_Sendrecv(rows[1], COLUMNS, MPI_DOUBLE, above, 0, rows[ROWS + 1], COLUMNS, MPI_DOUBLE,
	             below, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Sendrecv(rows[ROWS], COLUMNS, MPI_DOUBLE, below, 1, rows[0], COLUMNS, MPI_DOUBLE, above,
	             1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int
main(int count, char **words)
{
	MPI_Init(&count, &words);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	int steps = count > 1 ? atoi(words[1]) : 60;
	int slow = count > 2 ? atoi(words[2]) : ranks / 2;
	repeats = rank == slow ? 3 * REPEATED : REPEATED;
	for (int i = 0; i < COLUMNS; i++)
		grid[0][0][i] = grid[1][0][i] = 1;
	for (int step = 0; step < steps; step++) {
		exchange(grid[step % 2]);
		relax(grid[step % 2], grid[1 - step % 2]);
	}
	double sum = 0, all;
	for (int row = 1; row <= ROWS; row++)
		for (int i = 0; i < COLUMNS; i++)
			sum += grid[steps % 2][row][i];
	MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
	if (rank == 0)
		printf("%.6f\n", all);
	MPI_Finalize();
	return 0;
}
