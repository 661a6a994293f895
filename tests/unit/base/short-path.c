/* SPDX-License-Identifier: Apache-2.0 */
/* How a file is named from the working folder. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/short-path.h"

static char root[] = "/tmp/gprofx-short-path-XXXXXX";

/* Below the folder of the test, as all other paths here. */
static void
make_file(const char *name)
{
	char path[128];
	int file;

	snprintf(path, sizeof path, "%s/%s", root, name);
	file = open(path, O_WRONLY | O_CREAT, 0600);
	assert_true(file >= 0);
	close(file);
}

static void
make_folder(const char *name)
{
	char path[128];

	snprintf(path, sizeof path, "%s/%s", root, name);
	assert_int_equal(mkdir(path, 0700), 0);
}

static void
enter(const char *name)
{
	char path[128];

	snprintf(path, sizeof path, "%s%s", root, name);
	assert_int_equal(chdir(path), 0);
}

/* The short form of a path, or "-". */
static const char *
shown(const char *name)
{
	static char to[128];
	char path[128];

	snprintf(path, sizeof path, "%s/%s", root, name);
	return short_path(path, to, sizeof to) ? to : "-";
}

static int
set_up(void **state)
{
	(void)state;
	if (!mkdtemp(root))
		return -1;
	make_folder("in");
	make_folder("in/deep");
	make_folder("inner");
	make_file("prog");
	make_file("in/prog");
	make_file("in/-x");
	make_file("inner/prog");
	return 0;
}

static int
tear_down(void **state)
{
	char command[128];

	(void)state;
	snprintf(command, sizeof command, "rm -r %s", root);
	return chdir("/") != 0 || system(command) != 0;
}

static void
folders_are_left_and_entered(void **state)
{
	(void)state;
	enter("");
	assert_string_equal(shown("prog"), "prog");
	assert_string_equal(shown("in/prog"), "in/prog");
	enter("/in");
	assert_string_equal(shown("prog"), "../prog");
	assert_string_equal(shown("in/prog"), "prog");
	assert_string_equal(shown("in/-x"), "./-x");
	/* The names of folders are compared as a whole. */
	assert_string_equal(shown("inner/prog"), "../inner/prog");
	enter("/in/deep");
	assert_string_equal(shown("prog"), "../../prog");
	assert_string_equal(shown("inner/prog"), "../../inner/prog");
	enter("/inner");
	assert_string_equal(shown("in/prog"), "../in/prog");
}

static void
what_is_no_shorter_or_not_there_stays(void **state)
{
	char to[128], path[128];

	(void)state;
	enter("/in/deep");
	assert_string_equal(shown("none"), "-");
	assert_false(short_path("prog", to, sizeof to));
	assert_false(short_path("/etc", to, sizeof to));
	assert_int_equal(chdir("/"), 0);
	assert_true(short_path("/etc", to, sizeof to));
	assert_string_equal(to, "etc");
	/* Room for its end, too. */
	enter("/in/deep");
	snprintf(path, sizeof path, "%s/prog", root);
	assert_true(short_path(path, to, sizeof "../../prog"));
	for (size_t room = 0; room < sizeof "../../prog"; room++)
		assert_false(short_path(path, to, room));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(folders_are_left_and_entered),
		cmocka_unit_test(what_is_no_shorter_or_not_there_stays),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
