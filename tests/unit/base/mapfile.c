/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes of a file that memory let go are there again. */
#include "testrun.h"

#include <stdio.h>
#include <unistd.h>

#include "base/mapfile.h"

enum { LENGTH = 300000 };

static void
what_went_comes_back(void **state)
{
	struct testrun *test = *state;
	char name[] = "/tmp/gprofx-mapfile-XXXXXX";
	const struct mapped_file *file;
	int descriptor = mkstemp(name), error = 0;
	FILE *stream = fdopen(descriptor, "wb");

	assert_non_null(stream);
	for (int i = 0; i < LENGTH; i++)
		(void)fputc(i % 251, stream);
	assert_int_equal(fclose(stream), 0);
	file = mapfile_open(&test->run, name, 0, &error);
	assert_int_equal(unlink(name), 0);
	assert_non_null(file);
	assert_true(file->is_mapped);
	assert_int_equal(file->length, LENGTH);
	for (int round = 0; round < 3; round++) {
		for (int i = 0; i < LENGTH; i++)
			assert_int_equal(file->bytes[i], i % 251);
		/* All of it, a part that no page lies in, a part with pages. */
		mapfile_let_go(file, file->bytes + round, LENGTH - 2 * (size_t)round);
		mapfile_let_go(file, file->bytes + 100, 1000);
		mapfile_let_go(file, file->bytes + 5000, 100000);
	}
	/* What is written to bytes goes with them. */
	file->bytes[LENGTH / 2]++;
	mapfile_let_all_go(&test->run, file->bytes + 7);
	assert_int_equal(file->bytes[LENGTH / 2], LENGTH / 2 % 251);
	mapfile_let_all_go(&test->run, NULL);
	assert_ptr_equal(mapfile_of(&test->run, file->bytes), file);
	assert_ptr_equal(mapfile_of(&test->run, file->bytes + LENGTH - 1), file);
	assert_null(mapfile_of(&test->run, file->bytes + LENGTH));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {TESTRUN(what_went_comes_back)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
