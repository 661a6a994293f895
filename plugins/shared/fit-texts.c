/* SPDX-License-Identifier: Apache-2.0 */
#include "fit-texts.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

const char *
fit_base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] != '\0' ? slash + 1 : path;
}

/* Whether another path ends with this end of a path. */
static bool
is_end_of_other(const char *path, const char *end, const char *other)
{
	size_t length = strlen(end), others;

	if (!other || strcmp(other, path) == 0)
		return false;
	others = strlen(other);
	return others >= length && strcmp(other + others - length, end) == 0 &&
	       (others == length || other[others - length - 1] == '/');
}

const char *
fit_path(const char *path, const char *const *others, uint32_t count)
{
	const char *from = fit_base_name(path);

	for (uint32_t i = 0; i < count && from > path; i++) {
		if (!is_end_of_other(path, from, others[i]))
			continue;
		/* One folder more, and once more from the first one on. */
		for (from--; from > path && from[-1] != '/'; from--)
			;
		i = UINT32_MAX;
	}
	return from;
}

const char *
fit_count(char text[FIT_COUNT_BYTES], double value)
{
	static const char units[] = " kMGTPE";
	size_t unit = 0;

	/* What would read as 1000 is 1.00 of the next unit. */
	while (value >= 999.5 && units[unit + 1] != '\0') {
		value /= 1000;
		unit++;
	}
	if (unit == 0)
		snprintf(text, FIT_COUNT_BYTES, "%.0f", value);
	else
		snprintf(text, FIT_COUNT_BYTES, "%.*f %c",
		         value < 9.995   ? 2
		         : value < 99.95 ? 1
		                         : 0,
		         value, units[unit]);
	return text;
}
