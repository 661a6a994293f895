/* SPDX-License-Identifier: Apache-2.0 */
/* The cells of the spreadsheet: filling them, finding one by its name, reading its value. */
#include "sheet.h"

#include <stdio.h>
#include <string.h>

static void
set_formula(struct cell *cell, int row, int column, unsigned number)
{
	snprintf(cell->name, sizeof cell->name, "%c%d", 'A' + column, row);
	if (row == 0)
		snprintf(cell->formula, sizeof cell->formula, "%u", number % 97 + 1);
	else if (column == 0)
		snprintf(cell->formula, sizeof cell->formula, "(A%d+%u)*0.5", row - 1, number % 89);
	else
		snprintf(cell->formula, sizeof cell->formula, "%c%d+%c%d*0.25", 'A' + column - 1,
		         row, 'A' + column, row - 1);
}

void
sheet_fill(struct sheet *sheet, unsigned seed)
{
	for (int row = 0; row < SHEET_ROWS; row++)
		for (int column = 0; column < SHEET_COLUMNS; column++) {
			seed = seed * 1664525u + 1013904223u;
			set_formula(&sheet->cells[row * SHEET_COLUMNS + column], row, column,
			            seed >> 8);
		}
}

void
sheet_forget(struct sheet *sheet)
{
	for (int i = 0; i < SHEET_ROWS * SHEET_COLUMNS; i++)
		sheet->cells[i].known = 0;
}

/* Looks at one cell after the other: this is what the profile shows to be worth improving. */
struct cell *
sheet_find(struct sheet *sheet, const char *name)
{
	for (int i = 0; i < SHEET_ROWS * SHEET_COLUMNS; i++) {
		const char *a = sheet->cells[i].name;
		const char *b = name;

		while (*a != '\0' && *a == *b) {
			a++;
			b++;
		}
		if (*a == *b)
			return &sheet->cells[i];
	}
	return NULL;
}

double
cell_value(struct sheet *sheet, struct cell *cell)
{
	if (!cell->known) {
		cell->value = formula_value(sheet, cell->formula);
		cell->known = 1;
	}
	return cell->value;
}
