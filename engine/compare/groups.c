/* SPDX-License-Identifier: Apache-2.0 */
/* Functions with something in common are found by sorting keys: no input makes that slow. */
#include "base/run.h"
#include "base/sort.h"
#include "compare/matching.h"

void
matching_add(struct matching *matching, uint32_t row, uint64_t key)
{
	matching->keys[matching->count] = key;
	matching->rows[matching->count++] = row;
}

bool
matching_next(struct matching *matching, uint32_t *at, struct matching_group *group)
{
	const uint64_t *keys = matching->keys;
	uint32_t i = *at, count = matching->count;

	/* Rows were noted in ascending order, and equal keys keep it. */
	if (i == 0)
		sort_ascending(matching->run, matching->keys, matching->rows, count);
	*group = (struct matching_group){0};
	for (uint32_t side = 0; side < 2; side++) {
		group->rows[side] = matching->rows + i;
		while (i < count && keys[i] == keys[*at] &&
		       matching_is_new(matching, matching->rows[i]) == (side == 1)) {
			group->counts[side]++;
			i++;
		}
	}
	if (i == *at) {
		matching->count = 0;
		return false;
	}
	*at = i;
	return true;
}

void
matching_number(struct matching *matching, uint32_t *number)
{
	struct matching_group group;
	uint32_t at = 0;

	for (uint32_t n = 0; matching_next(matching, &at, &group); n++)
		for (uint32_t side = 0; side < 2; side++)
			for (uint32_t i = 0; i < group.counts[side]; i++)
				number[group.rows[side][i]] = n;
}

void
matching_set(struct matching *matching, uint32_t base, uint32_t new, enum gprofx_match how)
{
	uint32_t function = matching_function(matching, new);

	matching->partner[base] = function;
	matching->partner[new] = base;
	matching->how[function] = (uint8_t)how;
}

uint32_t
matching_pair(struct matching *matching, enum gprofx_match how, matching_rule *rule,
              const void *context)
{
	struct matching_group group;
	uint32_t at = 0, pairs = 0;

	while (matching_next(matching, &at, &group)) {
		if (group.counts[0] != group.counts[1] ||
		    (rule && !rule(matching, &group, context)))
			continue;
		for (uint32_t i = 0; i < group.counts[0]; i++)
			matching_set(matching, group.rows[0][i], group.rows[1][i], how);
		pairs += group.counts[0];
	}
	return pairs;
}

bool
matching_is_unique(const struct matching *matching, const struct matching_group *group,
                   const void *context)
{
	(void)matching;
	(void)context;
	return group->counts[0] == 1;
}

bool
matching_lacks_files(const struct matching *matching, const struct matching_group *group,
                     const void *context)
{
	uint32_t known[2] = {0, 0};

	(void)context;
	for (uint32_t side = 0; side < 2; side++)
		for (uint32_t i = 0; i < group->counts[side]; i++)
			known[side] += matching->place[group->rows[side][i]] != MATCHING_NONE;
	return known[0] == 0 || known[1] == 0;
}
