/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A source's listing is called as the source, without its folders, with "-ann" behind.  Of several
 * sources that would share a name all but the first get a number as well.
 */
#include "names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "counts.h"

static const char *
base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static int
compare_bases(const void *left, const void *right, void *context)
{
	const char *const *files = context;
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	int order = strcmp(base_name(files[a]), base_name(files[b]));

	if (order != 0)
		return order;
	return a < b ? -1 : a > b;
}

void
file_names_begin(struct file_names *names, struct gprofx *gx, const struct gprofx_report *report)
{
	uint32_t count = report->source->file_count;
	size_t bytes = (size_t)count * sizeof(uint32_t) + 1;

	*names = (struct file_names){.gx = gx, .report = report};
	names->are_distinct = corrects(report, GPROFX_CORRECT_SAME_NAMES);
	if (!names->are_distinct)
		return;
	names->sorted = gprofx_alloc(gx, bytes);
	names->place = gprofx_alloc(gx, bytes);
	names->group = gprofx_alloc(gx, bytes);
	names->taken = gprofx_alloc(gx, bytes);
	for (uint32_t i = 0; i < count; i++)
		names->sorted[i] = i;
	qsort_r(names->sorted, count, sizeof *names->sorted, compare_bases,
	        (void *)report->source->file);
	for (uint32_t i = 0; i < count; i++) {
		const char *base = base_name(report->source->file[names->sorted[i]]);

		names->place[names->sorted[i]] = i;
		names->group[i] = i;
		if (i > 0 &&
		    strcmp(base_name(report->source->file[names->sorted[i - 1]]), base) == 0)
			names->group[i] = names->group[i - 1];
	}
}

/* Whether a source has this base name. */
static bool
is_base(const struct file_names *names, const char *name)
{
	uint32_t low = 0, high = names->report->source->file_count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		const char *file = names->report->source->file[names->sorted[middle]];
		int order = strcmp(base_name(file), name);

		if (order == 0)
			return true;
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return false;
}

/* number: from 1; 1 is left out. */
static void
make_name(struct file_names *names, const char *base, uint32_t number, const char *behind)
{
	size_t room = strlen(base) + 32;

	if (room > names->room) {
		names->name = names->gx->host->grow(names->gx, names->name, names->room, room);
		names->room = room;
	}
	if (number > 1)
		snprintf(names->name, names->room, "%s-%u%s", base, number, behind);
	else
		snprintf(names->name, names->room, "%s%s", base, behind);
}

const char *
file_name_for(struct file_names *names, uint32_t file)
{
	const char *path = names->report->source->file[file], *base = base_name(path);
	struct gprofx_diagnostic diagnostic = {
		.id = "source.same-name",
		.file = path,
		.hint = "annotate only one of the sources, with -A and its name",
	};
	uint32_t *taken;

	if (!names->are_distinct) {
		make_name(names, base, 1, "-ann");
		return names->name;
	}
	taken = &names->taken[names->group[names->place[file]]];
	/* Neither another source's listing nor another source may have the name. */
	for (;;) {
		make_name(names, base, ++*taken, "");
		if (*taken > 1 && is_base(names, names->name))
			continue;
		make_name(names, base, *taken, "-ann");
		if (!is_base(names, names->name))
			break;
	}
	diagnostic.text[0] = names->name;
	if (*taken > 1)
		gprofx_warn(names->gx, &diagnostic,
		            "another source has the same name: its listing is in %s", names->name);
	return names->name;
}
