/* SPDX-License-Identifier: Apache-2.0 */
/* Symbols of a stripped image from its separate debug file: which one is taken, and what of it. */
#include "image.h"

#include <sys/stat.h>

enum { TEXT = 1, MOST_LINK = 64 };

static const uint8_t code[64];
static const uint8_t build_id[] = {4, 0, 0,   0,   4,   0, 0,    0,    3,    0,
                                   0, 0, 'G', 'N', 'U', 0, 0xab, 0xcd, 0xef, 0x01};
static const uint8_t other_id[] = {4, 0, 0,   0,   4,   0, 0,    0,    3,    0,
                                   0, 0, 'G', 'N', 'U', 0, 0xab, 0xcd, 0xef, 0x02};
static const char names[] = "own=1000/f hidden=1010/lf";
static const char by_id[] = "debug/.build-id/ab/cdef01.debug";
static const struct options options = {"nowhere:debug"};
static char folder[] = "/tmp/gprofx-test.XXXXXX";
static struct bytes debug;

static int
enter_folder(void **state)
{
	(void)state;
	return mkdtemp(folder) && chdir(folder) == 0 && mkdir("debug", 0700) == 0 &&
	                       mkdir("debug/.build-id", 0700) == 0 &&
	                       mkdir("debug/.build-id/ab", 0700) == 0
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
write_file(const char *name)
{
	FILE *file = fopen(name, "w");

	assert_non_null(file);
	assert_int_equal(fwrite(debug.data, 1, debug.length, file), debug.length);
	assert_int_equal(fclose(file), 0);
}

static void
start(struct plan *plan, uint32_t type, uint64_t address, const uint8_t *id)
{
	plan_start(plan, true, false, EM_X86_64);
	plan_section(plan, &(struct plan_section){.name = ".text",
	                                          .type = type,
	                                          .flags = SHF_ALLOC | SHF_EXECINSTR,
	                                          .address = address,
	                                          .bytes = code,
	                                          .length = sizeof code});
	if (id)
		plan_section(plan, &(struct plan_section){.name = ".note.gnu.build-id",
		                                          .type = SHT_NOTE,
		                                          .flags = SHF_ALLOC,
		                                          .bytes = id,
		                                          .length = sizeof build_id});
}

/* Makes the debug file of an image with .text at an address. */
static void
make_debug(uint64_t address, uint16_t machine, const uint8_t *id)
{
	struct plan plan;

	start(&plan, SHT_NOBITS, address, id);
	plan.machine = machine;
	plan_symbol(&plan, "own", 0x1000, STB_GLOBAL, STT_FUNC, TEXT);
	plan_symbol(&plan, "hidden", 0x1010, STB_LOCAL, STT_FUNC, TEXT);
	plan_tables(&plan);
	write_image(&plan, &debug);
}

/* The image without symbols; link: contents of the section with the debug link, or NULL. */
static void
make_image(struct bytes *image, const char *link, uint64_t link_bytes)
{
	struct plan plan;

	start(&plan, SHT_PROGBITS, 0x1000, build_id);
	if (link)
		plan_section(&plan, &(struct plan_section){.name = ".gnu_debuglink",
		                                           .type = SHT_PROGBITS,
		                                           .bytes = link,
		                                           .length = link_bytes});
	write_image(&plan, image);
}

static void
expect_names(const struct bytes *image, const char *expected, const char *file)
{
	struct test_host host;

	assert_int_equal(load_with(&host, image->data, image->length, false, &options), GPROFX_OK);
	assert_string_equal(listing(&host), expected);
	assert_int_equal(host.files, file != NULL);
	if (file)
		assert_string_equal(host.symtab.symbols_file, file);
	else
		assert_null(host.symtab.symbols_file);
	assert_int_equal(host.symtab.symbols_file_bytes, file ? debug.length : 0);
	assert_int_equal(host.warnings, 0);
	forget(&host);
}

static void
by_build_id(void **state)
{
	struct test_host host;
	struct bytes image;

	(void)state;
	make_image(&image, NULL, 0);
	make_debug(0x1000, EM_X86_64, build_id);
	expect_names(&image, "", NULL);
	write_file(by_id);
	expect_names(&image, names, by_id);
	/* Without options there are no folders. */
	assert_int_equal(load_bytes(&host, image.data, image.length), GPROFX_OK);
	assert_int_equal(host.symtab.count, 0);
	forget(&host);
	/* Other code, though it says that it is the same. */
	make_debug(0x1000, EM_X86_64, other_id);
	write_file(by_id);
	expect_names(&image, "", NULL);
	make_debug(0x2000, EM_X86_64, build_id);
	write_file(by_id);
	expect_names(&image, "", NULL);
	make_debug(0x1000, EM_386, build_id);
	write_file(by_id);
	expect_names(&image, "", NULL);
	make_debug(0x1000, EM_X86_64, NULL);
	write_file(by_id);
	expect_names(&image, "", NULL);
	/* What is no file is not opened; what is no ELF file is not reported. */
	assert_int_equal(unlink(by_id), 0);
	assert_int_equal(mkfifo(by_id, 0600), 0);
	expect_names(&image, "", NULL);
	assert_int_equal(unlink(by_id), 0);
	debug.length = 0;
	write_file(by_id);
	expect_names(&image, "", NULL);
	debug.length = 2;
	write_file(by_id);
	expect_names(&image, "", NULL);
	assert_int_equal(unlink(by_id), 0);
}

static void
by_link(void **state)
{
	char link[MOST_LINK] = "image.dbg"; /* 10 bytes with the NUL, and 2 to align the sum */
	struct bytes image;

	(void)state;
	make_debug(0x1000, EM_X86_64, NULL);
	write_file("image.dbg");
	put((uint8_t *)link + 12, separate_checksum(debug.data, debug.length), 4, false);
	make_image(&image, link, 16);
	expect_names(&image, names, "image.dbg");
	for (uint64_t bytes = 0; bytes < 16; bytes++) {
		make_image(&image, link, bytes);
		expect_names(&image, "", NULL);
	}
	link[12] ^= 1;
	make_image(&image, link, 16);
	expect_names(&image, "", NULL);
	memset(link, 'x', sizeof link);
	make_image(&image, link, sizeof link);
	expect_names(&image, "", NULL);
	memset(link, 0, sizeof link);
	make_image(&image, link, sizeof link);
	expect_names(&image, "", NULL);
	assert_int_equal(unlink("image.dbg"), 0);
}

/* The image's own symbols go first. */
static void
own_symbols(void **state)
{
	struct bytes image;
	struct plan plan;

	(void)state;
	make_debug(0x1000, EM_X86_64, build_id);
	write_file(by_id);
	start(&plan, SHT_PROGBITS, 0x1000, build_id);
	plan_symbol(&plan, "first", 0x1000, STB_GLOBAL, STT_FUNC, TEXT);
	plan_tables(&plan);
	write_image(&plan, &image);
	expect_names(&image, "first=1000/f", NULL);
	assert_int_equal(unlink(by_id), 0);
}

/* Whatever is in the debug file, the image is accepted; what is wrong with it is a warning. */
static void
damaged(void **state)
{
	static const uint8_t values[] = {0, 8, 0xff};
	uint32_t warned = 0;
	struct bytes image;

	(void)state;
	make_image(&image, NULL, 0);
	make_debug(0x1000, EM_X86_64, build_id);
	for (size_t at = 0; at < debug.length; at++) {
		uint8_t old = debug.data[at];

		for (size_t i = 0; i < sizeof values; i++) {
			struct test_host host;

			debug.data[at] = values[i];
			write_file(by_id);
			assert_int_equal(
				load_with(&host, image.data, image.length, false, &options),
				GPROFX_OK);
			assert_int_equal(host.errors, 0);
			assert_true(host.warnings <= 1);
			if (host.warnings > 0)
				assert_string_equal(host.file_name, by_id);
			assert_true(host.allocated <= 32 * (image.length + debug.length) + 256);
			warned += host.warnings;
			listing(&host);
			forget(&host);
		}
		debug.data[at] = old;
	}
	assert_true(warned > 0);
	assert_int_equal(unlink(by_id), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(by_build_id),
		cmocka_unit_test(by_link),
		cmocka_unit_test(own_symbols),
		cmocka_unit_test(damaged),
	};

	return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
