/* SPDX-License-Identifier: Apache-2.0 */
/* Debug information in a file of its own: where it is looked for, and how it is proven right. */
#include "image.h"

#include <unistd.h>

static const struct line_row rows[] = {{0x1010, 1, 1}, {0x1020, END, 0}};
static const char found[] = "1010-1020=/w/a.c:1";
static const uint8_t build_id[] = {4, 0, 0,   0,   4,   0, 0,    0,    3,    0,
                                   0, 0, 'G', 'N', 'U', 0, 0xab, 0xcd, 0xef, 0x01};
static const uint8_t other_id[] = {4, 0, 0,   0,   4,   0, 0,    0,    3,    0,
                                   0, 0, 'G', 'N', 'U', 0, 0xab, 0xcd, 0xef, 0x02};
static char folder[] = "/tmp/gprofx-test.XXXXXX";
static struct plan debug, main_image;

static int
enter_folder(void **state)
{
	(void)state;
	return mkdtemp(folder) && chdir(folder) == 0 && mkdir(".debug", 0700) == 0 &&
	                       mkdir("sub", 0700) == 0 && mkdir("root", 0700) == 0
	               ? 0
	               : -1;
}

static int
leave_folder(void **state)
{
	char command[sizeof folder + 16];

	(void)state;
	snprintf(command, sizeof command, "rm -rf %s", folder);
	return chdir("/") == 0 && system(command) == 0 ? 0 : -1;
}

static void
write_file(const char *name, const struct bytes *bytes)
{
	FILE *file = fopen(name, "w");

	assert_non_null(file);
	assert_int_equal(fwrite(bytes->data, 1, bytes->length, file), bytes->length);
	assert_int_equal(fclose(file), 0);
}

/* The debug file of the tests, with a build-id or, if it is NULL, without. */
static void
write_debug(const char *name, const uint8_t *id)
{
	plan_start(&debug, true, false, 4);
	plan_unit(&debug, UNIT_NOWHERE, "/w", plan_rows(&debug, rows, COUNT(rows)), 0, 0);
	if (id)
		plan_section(&debug, ".note.gnu.build-id", id, sizeof build_id, SHF_ALLOC);
	write_image(&debug);
	write_file(name, &debug.out);
}

/* A bit at a time, unlike the plugin. */
static uint32_t
plain_checksum(const struct bytes *bytes)
{
	uint32_t sum = UINT32_MAX;

	for (size_t i = 0; i < bytes->length; i++) {
		sum ^= bytes->data[i];
		for (int bit = 0; bit < 8; bit++)
			sum = sum & 1 ? sum >> 1 ^ 0xedb88320 : sum >> 1;
	}
	return ~sum;
}

/* Asks an image with the given link and build-id (or without). */
static void
expect_answer(const char *image, const char *link, bool has_build_id,
              const struct dwarfsym_options *options, const char *expected)
{
	struct bytes section = {.length = 0};
	char text[MOST_TEXT];

	plan_start(&main_image, true, false, 4);
	if (link) {
		put_string(&section, link);
		section.length = (section.length + 3) & ~(size_t)3;
		put(&section, plain_checksum(&debug.out), 4);
		plan_section(&main_image, ".gnu_debuglink", section.data, section.length, 0);
	}
	if (has_build_id)
		plan_section(&main_image, ".note.gnu.build-id", build_id, sizeof build_id,
		             SHF_ALLOC);
	write_image(&main_image);
	write_file("sub/image", &main_image.out);
	locate_all(main_image.out.data, main_image.out.length, image, 0x1000, 0x1100, options,
	           text);
	assert_string_equal(text, expected);
	assert_int_equal(warnings, 0);
}

static void
beside_and_below(void **state)
{
	(void)state;
	write_debug("sub/x.dbg", NULL);
	expect_answer("sub/image", "x.dbg", false, NULL, found);
	expect_answer("image", "x.dbg", false, NULL, "");
	assert_int_equal(rename("sub/x.dbg", ".debug/x.dbg"), 0);
	expect_answer("image", "x.dbg", false, NULL, found);
	expect_answer("sub/image", "x.dbg", false, NULL, "");
	assert_int_equal(unlink(".debug/x.dbg"), 0);
}

/* The debug folder holds the tree of real paths. */
static void
in_the_debug_folder(void **state)
{
	static const char *const lists[][2] = {{"", "/root"},
	                                       {"/nowhere:", "/root"},
	                                       {":", "/root:"}};
	char path[256], text[256], *real = realpath("sub", NULL);
	struct dwarfsym_options options = {text};

	(void)state;
	assert_non_null(real);
	snprintf(path, sizeof path, "mkdir -p root%s", real);
	assert_int_equal(system(path), 0);
	snprintf(path, sizeof path, "root%s/x.dbg", real);
	write_debug(path, NULL);
	assert_int_equal(symlink("sub/image", "other"), 0);
	for (size_t i = 0; i < COUNT(lists); i++) {
		snprintf(text, sizeof text, "%s%s%s", lists[i][0], folder, lists[i][1]);
		expect_answer("sub/image", "x.dbg", false, &options, found);
		expect_answer("other", "x.dbg", false, &options, found);
	}
	expect_answer("sub/image", "x.dbg", false, NULL, "");
	assert_int_equal(unlink(path), 0);
	assert_int_equal(unlink("other"), 0);
	free(real);
}

static void
by_build_id(void **state)
{
	char text[256];
	struct dwarfsym_options options = {text};

	(void)state;
	snprintf(text, sizeof text, "%s/root", folder);
	assert_int_equal(system("mkdir -p .build-id/ab .debug/.build-id/ab root/.build-id/ab"), 0);
	write_debug(".build-id/ab/cdef01.debug", build_id);
	expect_answer("sub/image", NULL, true, NULL, found);
	assert_int_equal(rename(".build-id/ab/cdef01.debug", ".debug/.build-id/ab/cdef01.debug"),
	                 0);
	expect_answer("sub/image", NULL, true, NULL, found);
	assert_int_equal(
		rename(".debug/.build-id/ab/cdef01.debug", "root/.build-id/ab/cdef01.debug"), 0);
	expect_answer("sub/image", NULL, true, &options, found);
	expect_answer("sub/image", NULL, true, NULL, "");
	write_debug("root/.build-id/ab/cdef01.debug", other_id);
	expect_answer("sub/image", NULL, true, &options, "");
	/* A file without the build-id, under its name, is not the right one; the link still helps.
	 */
	write_debug("root/.build-id/ab/cdef01.debug", NULL);
	expect_answer("sub/image", NULL, true, &options, "");
	assert_int_equal(rename("root/.build-id/ab/cdef01.debug", "sub/x.dbg"), 0);
	expect_answer("sub/image", "x.dbg", true, &options, found);
	assert_int_equal(unlink("sub/x.dbg"), 0);
}

static void
wrong_files(void **state)
{
	(void)state;
	write_debug("sub/x.dbg", NULL);
	debug.out.data[debug.out.length - 1] ^= 1; /* the link is made from these bytes */
	expect_answer("sub/image", "x.dbg", false, NULL, "");
	debug.out.length = 0;
	write_file("sub/x.dbg", &debug.out);
	expect_answer("sub/image", "x.dbg", false, NULL, "");
	assert_int_equal(unlink("sub/x.dbg"), 0);
	/* Reading a pipe would wait for ever. */
	assert_int_equal(mkfifo("sub/x.dbg", 0600), 0);
	expect_answer("sub/image", "x.dbg", false, NULL, "");
	assert_int_equal(unlink("sub/x.dbg"), 0);
	assert_int_equal(mkdir("sub/x.dbg", 0700), 0);
	expect_answer("sub/image", "x.dbg", false, NULL, "");
	expect_answer("sub/image", "", false, NULL, "");
	assert_int_equal(rmdir("sub/x.dbg"), 0);
}

/* The image's own debug information goes first. */
static void
own_debug_information(void **state)
{
	struct bytes section = {.length = 0};
	char text[MOST_TEXT];

	(void)state;
	write_debug("x.dbg", NULL);
	put_string(&section, "x.dbg");
	put(&section, 0, 2);
	put(&section, plain_checksum(&debug.out), 4);
	plan_start(&main_image, true, false, 4);
	plan_unit(&main_image, UNIT_NOWHERE, "/own", plan_rows(&main_image, rows, COUNT(rows)), 0,
	          0);
	plan_section(&main_image, ".gnu_debuglink", section.data, section.length, 0);
	write_image(&main_image);
	locate_all(main_image.out.data, main_image.out.length, "image", 0x1000, 0x1100, NULL, text);
	assert_string_equal(text, "1010-1020=/own/a.c:1");
	assert_int_equal(unlink("x.dbg"), 0);
}

/* A file that several debug files share is needed, by its name and with its build-id. */
static void
shared_file(void **state)
{
	struct bytes section = {.length = 0};
	char text[MOST_TEXT];

	(void)state;
	put_string(&section, "common");
	put_raw(&section, build_id + 16, 4);
	plan_start(&main_image, true, false, 4);
	plan_unit(&main_image, UNIT_NOWHERE, "/w", plan_rows(&main_image, rows, COUNT(rows)), 0, 0);
	plan_section(&main_image, ".gnu_debugaltlink", section.data, section.length, 0);
	write_image(&main_image);
	locate_all(main_image.out.data, main_image.out.length, "sub/image", 0x1000, 0x1100, NULL,
	           text);
	assert_string_equal(text, "");
	assert_int_equal(warnings, 1);
	assert_string_equal(warning_id, "dwarf.unreadable");
	assert_non_null(strstr(warning_text, "common"));
	write_debug("sub/common", NULL);
	locate_all(main_image.out.data, main_image.out.length, "sub/image", 0x1000, 0x1100, NULL,
	           text);
	assert_int_equal(warnings, 1);
	write_debug("sub/common", other_id);
	locate_all(main_image.out.data, main_image.out.length, "sub/image", 0x1000, 0x1100, NULL,
	           text);
	assert_int_equal(warnings, 1);
	write_debug("sub/common", build_id);
	locate_all(main_image.out.data, main_image.out.length, "sub/image", 0x1000, 0x1100, NULL,
	           text);
	assert_string_equal(text, found);
	assert_int_equal(warnings, 0);
	assert_int_equal(unlink("sub/common"), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(beside_and_below),      cmocka_unit_test(in_the_debug_folder),
		cmocka_unit_test(by_build_id),           cmocka_unit_test(wrong_files),
		cmocka_unit_test(own_debug_information), cmocka_unit_test(shared_file),
	};

	return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
