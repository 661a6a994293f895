/* SPDX-License-Identifier: Apache-2.0 */
/* The tree of processes: who is behind whom, and which files each of them reads. */
#include "smallrun.h"

#include "../../../mpi/tree.c"

enum { MOST_PROCESSES = 700 };

/* Each process but the first is the child of one, and blocks divide what is behind a process. */
static void
test_blocks(void **state)
{
	(void)state;
	for (int size = 1; size <= MOST_PROCESSES; size = size < 80 ? size + 1 : size + 31) {
		int parents[MOST_PROCESSES], depth[MOST_PROCESSES] = {0};

		for (int rank = 0; rank < size; rank++)
			parents[rank] = -1;
		for (int rank = 0; rank < size; rank++) {
			struct tree_place place;

			tree_find(&place, rank, size);
			assert_int_equal(place.parent, parents[rank]);
			assert_in_range(place.past, rank + 1, size);
			assert_in_range(place.child_count, 0, TREE_RADIX);
			assert_int_equal(place.child_count == 0, place.past == rank + 1);
			if (place.child_count > 0)
				assert_int_equal(place.child[0], rank + 1);
			for (int i = 0; i < place.child_count; i++) {
				struct tree_place child;

				parents[place.child[i]] = rank;
				depth[place.child[i]] = depth[rank] + 1;
				tree_find(&child, place.child[i], size);
				assert_int_equal(child.past, place.child[i + 1]);
			}
			assert_int_equal(place.child[place.child_count], place.past);
			/* One more than the logarithm to the base of 8, and no more. */
			assert_in_range(depth[rank], 0, size <= 9 ? 1 : size <= 73 ? 2 : 4);
		}
		for (int rank = 1; rank < size; rank++)
			assert_in_range(parents[rank], 0, rank - 1);
	}
}

static void
test_items(void **state)
{
	static const uint64_t counts[] = {0, 1, 2, 7, 100, 4294967295};

	(void)state;
	for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
		for (int size = 1; size <= MOST_PROCESSES; size += 3) {
			uint64_t least = counts[i] / (uint64_t)size;

			assert_int_equal(tree_first_item(counts[i], 0, size), 0);
			assert_int_equal(tree_first_item(counts[i], size, size), counts[i]);
			for (int rank = 0; rank < size; rank++) {
				uint64_t share = tree_first_item(counts[i], rank + 1, size) -
				                 tree_first_item(counts[i], rank, size);

				assert_in_range(share, least, least + 1);
			}
		}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_blocks),
		cmocka_unit_test(test_items),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
