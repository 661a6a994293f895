/* SPDX-License-Identifier: Apache-2.0 */
/* Calls the assembler and the file without debug information. */
int first(void), second(void), third(void), in_data(void);
int quiet(int number);

static int
near(int number)
{
	return number ^ 3;
}

int
main(int count, char **words)
{
	(void)words;
	if (count > 1000)
		return first() + second() + third() + in_data();
	return near(count) + quiet(2) < 0;
}
