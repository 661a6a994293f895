/* SPDX-License-Identifier: Apache-2.0 */
/* Recalculates a spreadsheet two thousand times and prints one figure for each column. */
#include "sheet.h"

#include <stdio.h>

#define ROUNDS 2000

static struct sheet sheet;

static void
recalculate(double *deviations)
{
	sheet_forget(&sheet);
	for (int column = 0; column < SHEET_COLUMNS; column++)
		deviations[column] = column_deviation(&sheet, column);
}

static void
print_summary(const double *deviations)
{
	for (int column = 0; column < SHEET_COLUMNS; column++)
		printf("column %c: %.3f\n", 'A' + column, deviations[column]);
}

int
main(void)
{
	double deviations[SHEET_COLUMNS];

	for (unsigned round = 0; round < ROUNDS; round++) {
		sheet_fill(&sheet, round);
		recalculate(deviations);
	}
	print_summary(deviations);
	return 0;
}
