/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "system.h"

#include <stdio.h>
#include <stdlib.h>

bool
system_read(const char *path, char *text, size_t room)
{
	FILE *file = fopen(path, "re");

	text[0] = '\0';
	if (!file)
		return false;
	text[fread(text, 1, room - 1, file)] = '\0';
	fclose(file);
	return true;
}

long
system_number(const char *path, long otherwise)
{
	char text[64], *end;
	long number;

	if (!system_read(path, text, sizeof text))
		return otherwise;
	number = strtol(text, &end, 10);
	return end == text ? otherwise : number;
}
