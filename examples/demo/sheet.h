/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A small spreadsheet, the program that scripts/demo profiles. A cell holds a formula; evaluating
 * one evaluates the cells it refers to, so sheet.c and formula.c call each other in a cycle.
 */
#ifndef SHEET_H
#define SHEET_H

#define SHEET_ROWS 64
#define SHEET_COLUMNS 8

struct cell {
	char name[8];
	char formula[32];
	double value;
	int known; /* value is up to date */
};

struct sheet {
	struct cell cells[SHEET_ROWS * SHEET_COLUMNS];
};

void sheet_fill(struct sheet *sheet, unsigned seed);
void sheet_forget(struct sheet *sheet);
struct cell *sheet_find(struct sheet *sheet, const char *name);
double cell_value(struct sheet *sheet, struct cell *cell);

double formula_value(struct sheet *sheet, const char *text);

double column_mean(struct sheet *sheet, int column);
double column_deviation(struct sheet *sheet, int column);

#endif
