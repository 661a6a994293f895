/* SPDX-License-Identifier: Apache-2.0 */
/* Formulas by recursive descent: numbers, cell names, + - * / and parentheses. */
#include "sheet.h"

#include <ctype.h>
#include <stdlib.h>

struct reader {
	struct sheet *sheet;
	const char *at;
};

static double read_sum(struct reader *reader);

static double
read_reference(struct reader *reader)
{
	char name[8];
	size_t length = 0;
	struct cell *cell;

	while (isalnum((unsigned char)*reader->at) && length < sizeof name - 1)
		name[length++] = *reader->at++;
	name[length] = '\0';
	cell = sheet_find(reader->sheet, name);
	return cell == NULL ? 0.0 : cell_value(reader->sheet, cell);
}

static double
read_number(struct reader *reader)
{
	char *end;
	double value = strtod(reader->at, &end);

	reader->at = end;
	return value;
}

static double
read_operand(struct reader *reader)
{
	double value;

	if (isalpha((unsigned char)*reader->at))
		return read_reference(reader);
	if (*reader->at != '(')
		return read_number(reader);
	reader->at++;
	value = read_sum(reader);
	if (*reader->at == ')')
		reader->at++;
	return value;
}

static double
read_product(struct reader *reader)
{
	double value = read_operand(reader);

	while (*reader->at == '*' || *reader->at == '/') {
		if (*reader->at++ == '*')
			value *= read_operand(reader);
		else
			value /= read_operand(reader);
	}
	return value;
}

static double
read_sum(struct reader *reader)
{
	double value = read_product(reader);

	while (*reader->at == '+' || *reader->at == '-') {
		if (*reader->at++ == '+')
			value += read_product(reader);
		else
			value -= read_product(reader);
	}
	return value;
}

double
formula_value(struct sheet *sheet, const char *text)
{
	struct reader reader = {sheet, text};

	return read_sum(&reader);
}
