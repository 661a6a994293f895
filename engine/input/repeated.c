/* SPDX-License-Identifier: Apache-2.0 */
/* Profiles that a run names more than once: they are added up as often, which nothing else shows.
 */
#include <string.h>

#include "base/memory.h"
#include "base/run.h"
#include "base/sort.h"
#include "input/input.h"
#include "profile/profile.h"

static bool
is_same(const struct profile_file *a, const struct profile_file *b)
{
	return a->inode == b->inode && a->device == b->device && a->image == b->image;
}

/* How many files behind the first one of a group with one inode are the same file. */
static uint32_t
count_same(const struct profile *profile, const uint32_t *ids, uint32_t count, uint32_t *second)
{
	uint32_t same = 0;

	for (uint32_t i = 1; i < count; i++)
		if (is_same(&profile->files[ids[0]], &profile->files[ids[i]]) && same++ == 0)
			*second = ids[i];
	return same;
}

void
input_warn_repeated(struct run *run, const struct profile *profile)
{
	struct gprofx_diagnostic diagnostic = {
		.id = "profile.given-twice",
		.hint = "name each profile once",
	};
	uint32_t *ids, count = 0, first = 0, second = 0, times = 0;
	uint64_t *inodes;

	/* GNU gprof says nothing. */
	if (run->settings->strict_layouts || profile->file_count < 2)
		return;
	memory_array(run, ids, profile->file_count);
	memory_array(run, inodes, profile->file_count);
	for (uint32_t i = 0; i < profile->file_count; i++) {
		if (profile->files[i].inode == 0)
			continue;
		inodes[count] = profile->files[i].inode;
		ids[count++] = i;
	}
	sort_ascending(run, inodes, ids, count);
	for (uint32_t i = 0, end; i < count; i = end) {
		uint32_t other = 0, same;

		for (end = i + 1; end < count && inodes[end] == inodes[i]; end++)
			;
		same = count_same(profile, ids + i, end - i, &other);
		/* The one that the user wrote first. */
		if (same > 0 && (times == 0 || ids[i] < first)) {
			first = ids[i];
			second = other;
			times = same + 1;
		}
	}
	memory_release(run, ids);
	memory_release(run, inodes);
	if (times == 0)
		return;
	diagnostic.file = profile->files[second].name;
	diagnostic.text[0] = profile->files[first].name;
	if (strcmp(diagnostic.file, diagnostic.text[0]) == 0)
		run_warn(run, &diagnostic, "the profile is named %u times, and added as often",
		         times);
	else
		run_warn(run, &diagnostic,
		         "the profile is named %u times, first as %s, and added as often", times,
		         diagnostic.text[0]);
}
