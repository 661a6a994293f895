/* SPDX-License-Identifier: Apache-2.0 */
/* Mean and standard deviation of a column. */
#include "sheet.h"

static double
square_root(double x)
{
	double guess = x > 1.0 ? x : 1.0;

	for (int i = 0; i < 64; i++)
		guess = (guess + x / guess) / 2.0;
	return guess;
}

double
column_mean(struct sheet *sheet, int column)
{
	double sum = 0.0;

	for (int row = 0; row < SHEET_ROWS; row++)
		sum += cell_value(sheet, &sheet->cells[row * SHEET_COLUMNS + column]);
	return sum / SHEET_ROWS;
}

double
column_deviation(struct sheet *sheet, int column)
{
	double mean = column_mean(sheet, column);
	double sum = 0.0;

	for (int row = 0; row < SHEET_ROWS; row++) {
		double distance = cell_value(sheet, &sheet->cells[row * SHEET_COLUMNS + column]) -
		                  mean;

		sum += square_root(distance * distance + 1.0);
	}
	return square_root(sum / SHEET_ROWS);
}
