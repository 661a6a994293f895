/* SPDX-License-Identifier: Apache-2.0 */
/* Images that readers bring: which are the same, where they are, what symbols they have. */
#include "testrun.h"

#include <sys/stat.h>
#include <unistd.h>

#include "symbols/late.h"
#include "symbols/parts.h"

#define GIB4 ((uint64_t)1 << 32)

enum { TEXT = 0x1000, IN_FILE = 0x400, CODE_BYTES = 0x100, MACHINE = 62 };

/* A file of the provider below: "FAKE", a build ID of one letter or '-', and names of 16 bytes. */
static int
probe(const uint8_t *head, size_t bytes)
{
	return bytes >= 5 && memcmp(head, "FAKE", 4) == 0 ? 100 : 0;
}

static enum gprofx_result
load(struct gprofx *gx, const struct gprofx_image *image, struct gprofx_symtab *symtab,
     const void *options)
{
	static const struct gprofx_code_range code[] = {{TEXT, CODE_BYTES, IN_FILE, ".text"}};
	uint32_t count = (uint32_t)image->length - 5;

	(void)options;
	symtab->target.pointer_bytes = 8;
	symtab->target.machine = MACHINE;
	symtab->has_text = true;
	symtab->text_start = TEXT;
	symtab->text_end = TEXT + CODE_BYTES;
	symtab->code = code;
	symtab->code_count = 1;
	symtab->build_id = image->bytes + 4;
	symtab->build_id_bytes = image->bytes[4] != '-';
	if (symtab->facts_only)
		return GPROFX_OK;
	symtab->builder->reserve(gx, symtab, count);
	for (uint32_t i = 0; i < count; i++) {
		char *name = gprofx_alloc(gx, 2);

		name[0] = (char)image->bytes[5 + i];
		symtab->rows.address[i] = TEXT + 16 * (uint64_t)i;
		symtab->rows.bytes[i] = 16;
		symtab->rows.name[i] = name;
		symtab->rows.flags[i] = GPROFX_SYMBOL_FUNCTION;
	}
	symtab->count = count;
	return GPROFX_OK;
}

static const struct gprofx_symbols provider = {.size = sizeof provider,
                                               .probe = probe,
                                               .load = load};
static const struct gprofx_plugin plugin = {GPROFX_ABI, .name = "symbols-fake", .version = "1",
                                            .summary = "Letters", .symbols = &provider};
static const struct gprofx_plugin *const builtin[] = {&plugin, NULL};

/* A program of two functions with a build ID, and nothing beside it. */
static struct symbols *
begin(struct testrun *test)
{
	static const char *const names[] = {"main", "work"};
	struct symbols *symbols = testrun_symbols(test, names, 2);

	test->settings.builtin = builtin;
	test->settings.clones = ENGINE_CLONES_KEEP;
	symbols->image.name = "/bin/program";
	symbols->table.build_id = (const uint8_t *)"P";
	symbols->table.build_id_bytes = 1;
	symbols->table.target.pointer_bytes = 8;
	symbols->table.target.machine = MACHINE;
	symbols->late = NULL;
	return symbols;
}

static uint32_t
add(struct testrun *test, struct symbols *symbols, const char *path, const char *build_id,
    uint32_t kind)
{
	const struct late_row row = {path, (const uint8_t *)build_id, (uint32_t)strlen(build_id),
	                             kind};

	return late_image_add(&test->run, symbols_late(&test->run, symbols, 0), &row);
}

/* The same, mapped from an offset on. */
static uint32_t
add_mapped(struct testrun *test, struct symbols *symbols, const char *path, uint32_t kind,
           uint64_t low, uint64_t past)
{
	uint32_t image = add(test, symbols, path, "", kind);

	late_image_extend(symbols->late, image, low, past);
	return image;
}

static uint64_t
at(struct testrun *test, struct symbols *symbols, uint32_t image, uint64_t offset)
{
	return late_location(&test->run, symbols->late, image, offset, false);
}

/* The name of the function that a location counts for, or "-". */
static const char *
name_at(const struct symbols *symbols, uint64_t location)
{
	uint32_t symbol = symbols_lookup(symbols, location);

	return symbol == NO_SYMBOL ? "-" : symbols->name[symbols_function(symbols, symbol)];
}

static void
test_same_images(void **state)
{
	struct testrun *test = *state;
	struct symbols *symbols = begin(test);
	const uint32_t kind = GPROFX_IMAGE_LIBRARY;
	uint32_t a = add(test, symbols, "/lib/a", "AA", kind), b, late;

	assert_int_equal(add(test, symbols, "/lib/a", "AA", kind), a);
	assert_int_equal(add(test, symbols, "/else/a", "AA", kind), a);
	assert_int_equal(add(test, symbols, "/lib/a", "", kind), a);
	b = add(test, symbols, "/lib/a", "AB", kind);
	assert_int_not_equal(b, a);
	assert_int_equal(add(test, symbols, "/lib/a", "AB", kind), b);
	/* The build of an image can become known later. */
	late = add(test, symbols, "/lib/c", "", kind);
	assert_int_equal(add(test, symbols, "/lib/c", "CC", kind), late);
	assert_int_equal(add(test, symbols, "/lib/d", "CC", kind), late);
	assert_int_not_equal(add(test, symbols, "/lib/c", "CD", kind), late);
	/* No path is taken for a build. */
	assert_int_not_equal(add(test, symbols, "=41", "", kind),
	                     add(test, symbols, "/x", "A", kind));
	assert_int_equal(symbols->late->count, 6);
}

static void
test_program(void **state)
{
	static const struct {
		const char *path, *build_id;
		uint32_t kind;
		bool is_program;
	} cases[] = {
		{"/elsewhere", "P", GPROFX_IMAGE_LIBRARY, true},
		{"/bin/program", "", GPROFX_IMAGE_LIBRARY, true},
		{"/bin/program", "Q", GPROFX_IMAGE_PROGRAM, false},
		{"/old/program", "", GPROFX_IMAGE_PROGRAM, true},
		{"/old/program", "", GPROFX_IMAGE_LIBRARY, false},
		{"/old/other", "", GPROFX_IMAGE_PROGRAM, false},
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct testrun *test = *state;
		struct symbols *symbols = begin(test);
		uint32_t image = add(test, symbols, cases[i].path, cases[i].build_id,
		                     cases[i].kind);

		late_image_extend(symbols->late, image, 0, 0x2000);
		if ((at(test, symbols, image, 0x1010) == 0x1010) != cases[i].is_program)
			fail_msg("case %zu", i);
		if (!cases[i].is_program)
			assert_false(symbols_is_program(symbols, at(test, symbols, image, 0x10)));
	}
}

/* Offsets are found again, whatever process they come from; all of it is one row. */
static void
test_no_file(void **state)
{
	struct testrun *test = *state;
	struct symbols *symbols = begin(test);
	uint32_t image = add_mapped(test, symbols, "/none/libx.so", GPROFX_IMAGE_LIBRARY, 0x100,
	                            0x5000);
	uint64_t location = at(test, symbols, image, 0x1234);

	assert_true(symbols->others_first == 2 * GIB4 && location == 3 * GIB4 + 0x1234);
	assert_true(at(test, symbols, image, 0x4fff) == location + 0x4fff - 0x1234);
	assert_string_equal(name_at(symbols, location), "-");
	assert_true(late_add_symbols(&test->run, symbols));
	assert_string_equal(test->last_id, "image.no-file");
	assert_int_equal(symbols->count, 3);
	assert_string_equal(name_at(symbols, location), "[libx.so]");
	assert_string_equal(name_at(symbols, 3 * GIB4 + 0x100), "[libx.so]");
	assert_string_equal(name_at(symbols, 3 * GIB4 + 0xff), "-");
	assert_string_equal(name_at(symbols, 3 * GIB4 + 0x4fff), "[libx.so]");
	assert_string_equal(name_at(symbols, 3 * GIB4 + 0x5000), "-");
	/* What was there before is as it was. */
	assert_string_equal(name_at(symbols, 0x101f), "work");
	assert_string_equal(name_at(symbols, 0x1020), "-");
	assert_string_equal(symbols->name[3], "<outside>");
	assert_string_equal(symbols->name[4], "<indirect>");
	assert_string_equal(symbols_object_of(symbols, 2)->name, "libx.so");
	assert_false(late_add_symbols(&test->run, symbols));
}

static void
test_names(void **state)
{
	struct testrun *test = *state;
	struct symbols *symbols = begin(test);
	uint32_t image = add_mapped(test, symbols, "[kernel]", GPROFX_IMAGE_KERNEL,
	                            UINT64_MAX - 0xfff, UINT64_MAX);
	const uint64_t base = UINT64_MAX - 0xfff;
	uint64_t location = at(test, symbols, image, base);

	late_image_name(&test->run, symbols->late, image, base + 0x80, 0x10, "second");
	late_image_name(&test->run, symbols->late, image, base + 0x20, 0x10, "first");
	/* Up to the next one. */
	late_image_name(&test->run, symbols->late, image, base + 0x40, 0, "unsized");
	assert_true(late_add_symbols(&test->run, symbols));
	/* There is nothing to complain about. */
	assert_string_equal(test->last_id, "");
	assert_string_equal(name_at(symbols, location), "[kernel]");
	assert_string_equal(name_at(symbols, location + 0x20), "first");
	assert_string_equal(name_at(symbols, location + 0x2f), "first");
	assert_string_equal(name_at(symbols, location + 0x30), "[kernel]");
	assert_string_equal(name_at(symbols, location + 0x7f), "unsized");
	assert_string_equal(name_at(symbols, location + 0x8f), "second");
	assert_string_equal(name_at(symbols, location + 0x90), "[kernel]");
	/* All of what nothing names is one function. */
	assert_int_equal(symbols_function(symbols, symbols_lookup(symbols, location + 0x90)),
	                 symbols_lookup(symbols, location));
}

static void
test_overlapping_names(void **state)
{
	struct testrun *test = *state;
	struct symbols *symbols = begin(test);
	uint32_t image = add(test, symbols, "jit", "", GPROFX_IMAGE_GENERATED);
	uint64_t location;

	late_image_name(&test->run, symbols->late, image, 0x100, 0x40, "outer");
	late_image_name(&test->run, symbols->late, image, 0x110, 0x10, "inner");
	late_image_name(&test->run, symbols->late, image, 0x110, 0x10, "alias");
	late_image_name(&test->run, symbols->late, image, 0x13f, 0x20, "next");
	location = at(test, symbols, image, 0x100);
	assert_true(late_add_symbols(&test->run, symbols));
	assert_string_equal(test->last_id, "image.names-overlap");
	assert_non_null(strstr(test->said, "found 2 that"));
	assert_string_equal(name_at(symbols, location + 0xf), "outer");
	assert_string_equal(name_at(symbols, location + 0x10), "inner");
	assert_string_equal(name_at(symbols, location + 0x3f), "next");
	assert_string_equal(name_at(symbols, location + 0x5e), "next");
	assert_string_equal(name_at(symbols, location + 0x5f), "-");
}

/* What a compiler made of a function counts for that of its own image alone. */
static void
test_clones(void **state)
{
	struct testrun *test = *state;
	struct symbols *symbols = begin(test);
	uint32_t image = add(test, symbols, "jit", "", GPROFX_IMAGE_GENERATED);
	uint64_t location;

	test->settings.clones = ENGINE_CLONES_FOLD;
	test->run.corrections = GPROFX_CORRECT_CLONES;
	memory_array(&test->run, symbols->row, 2);
	memory_array(&test->run, symbols->table.unit, 2);
	symbols->table.count = symbols->reserved = 2;
	memory_array(&test->run, symbols->table.rows.address, 2);
	memory_array(&test->run, symbols->table.rows.bytes, 2);
	symbols->table.rows.name = memory_alloc_array(&test->run, sizeof(char *), 2);
	memory_array(&test->run, symbols->table.rows.flags, 2);
	memory_array(&test->run, symbols->fate, 2);
	late_image_name(&test->run, symbols->late, image, 0x10, 0x10, "work.part.0");
	late_image_name(&test->run, symbols->late, image, 0x20, 0x10, "other.part.0");
	late_image_name(&test->run, symbols->late, image, 0x30, 0x10, "other");
	location = at(test, symbols, image, 0x10);
	assert_true(late_add_symbols(&test->run, symbols));
	assert_string_equal(name_at(symbols, location), "work.part.0");
	assert_string_equal(name_at(symbols, location + 0x10), "other");
}

/* An image that grows gets a further range, and stays one row. */
static void
test_ranges(void **state)
{
	struct testrun *test = *state;
	struct symbols *symbols = begin(test);
	uint32_t image = add_mapped(test, symbols, "grows", GPROFX_IMAGE_GENERATED, 0x1000, 0x2000);
	uint64_t first = at(test, symbols, image, 0x1800), second, last;

	late_image_extend(symbols->late, image, 600 * GIB4, 601 * GIB4);
	second = at(test, symbols, image, 600 * GIB4);
	assert_true(at(test, symbols, image, 600 * GIB4 + 1) == second + 1);
	assert_true(at(test, symbols, image, 0x1801) == first + 1);
	assert_int_equal(symbols->late->range_count, 2);
	assert_true(late_add_symbols(&test->run, symbols));
	assert_int_equal(symbols_function(symbols, symbols_lookup(symbols, second)),
	                 symbols_lookup(symbols, first));
	assert_string_equal(name_at(symbols, second), "[grows]");

	/* But not any number of them. */
	symbols = begin(test);
	image = add_mapped(test, symbols, "wide", GPROFX_IMAGE_GENERATED, 0, UINT64_MAX);
	for (uint64_t i = 0; i < LATE_MOST_RANGES; i++)
		assert_false(symbols_is_nowhere(symbols, at(test, symbols, image, i << 44)));
	last = at(test, symbols, image, (uint64_t)LATE_MOST_RANGES << 44);
	assert_true(symbols_is_nowhere(symbols, last));
	assert_string_equal(test->last_id, "image.no-room");
}

static void
test_no_room(void **state)
{
	struct testrun *test = *state;
	struct symbols *symbols = begin(test);
	uint64_t location;
	uint32_t image;

	symbols->table.text_end = UINT64_MAX;
	image = add_mapped(test, symbols, "any", GPROFX_IMAGE_GENERATED, 0, 0x1000);
	location = at(test, symbols, image, 0x10);
	assert_string_equal(test->last_id, "image.no-room");
	assert_string_equal(name_at(symbols, location), "-");
	assert_false(late_add_symbols(&test->run, symbols));
	assert_int_equal(symbols->count, 2);
}

/* A folder for files; its name ends with a slash. */
static char folder[64];

static const char *
write_file(const char *name, const char *bytes)
{
	static char path[128];
	FILE *file;

	snprintf(path, sizeof path, "%s%s", folder, name);
	file = fopen(path, "w");
	assert_non_null(file);
	assert_true(fputs(bytes, file) >= 0 && fclose(file) == 0);
	return path;
}

static void
test_files(void **state)
{
	static const struct {
		const char *bytes, *build_id, *said, *name;
	} cases[] = {
		{"FAKEXabc", "X", "", "b"},
		{"FAKEXabc", "", "", "b"},
		{"FAKE-abc", "", "", "b"},
		{"FAKEXabc", "Y", "image.build-differs", "[lib.so]"},
		{"FAKE-abc", "Y", "image.build-differs", "[lib.so]"},
		{"FAKEX", "X", "image.no-file", "[lib.so]"},
		{"nothing", "", "image.no-file", "[lib.so]"},
		{"", "", "image.no-file", "[lib.so]"},
	};
	struct testrun *test = *state;

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct symbols *symbols = begin(test);
		const char *path = write_file("lib.so", cases[i].bytes);
		uint32_t image = add(test, symbols, path, cases[i].build_id, GPROFX_IMAGE_LIBRARY);
		uint64_t location;

		test->last_id[0] = '\0';
		late_image_extend(symbols->late, image, 0, 0x4000);
		location = at(test, symbols, image, TEXT + 16);
		assert_true(late_add_symbols(&test->run, symbols));
		assert_string_equal(test->last_id, cases[i].said);
		assert_string_equal(name_at(symbols, location), cases[i].name);
		if (cases[i].said[0] != '\0')
			continue;
		/* In the file, code is elsewhere; what is no code is in no function. */
		assert_true(late_location(&test->run, symbols->late, image, IN_FILE + 16, true) ==
		            location);
		assert_string_equal(name_at(symbols, location + CODE_BYTES), "-");
	}
}

/* The file of two images is read once, and two builds of one path are two images. */
static void
test_same_file(void **state)
{
	struct testrun *test = *state;
	struct symbols *symbols = begin(test);
	const char *path = write_file("lib.so", "FAKEXab");
	char longer[160];
	uint32_t one = add_mapped(test, symbols, path, GPROFX_IMAGE_LIBRARY, 0, 0x4000), two, other;

	snprintf(longer, sizeof longer, "/.%s", path);
	two = add_mapped(test, symbols, longer, GPROFX_IMAGE_LIBRARY, 0, 0x4000);
	assert_true(at(test, symbols, one, TEXT) == at(test, symbols, two, TEXT));
	/* What was read without a build ID is not taken for one that has another. */
	other = add(test, symbols, path, "Z", GPROFX_IMAGE_LIBRARY);
	late_image_extend(symbols->late, other, 0, 0x4000);
	assert_true(at(test, symbols, one, TEXT) != at(test, symbols, other, TEXT));
	assert_true(late_add_symbols(&test->run, symbols));
	assert_int_equal(symbols->late->range_count, 2);
	assert_int_equal(symbols->count, 5);
}

/* Nothing but regular files is opened, by absolute paths. */
static void
test_no_other_files(void **state)
{
	struct testrun *test = *state;
	struct symbols *symbols = begin(test);
	char path[128];
	uint32_t image;

	snprintf(path, sizeof path, "%spipe", folder);
	assert_int_equal(mkfifo(path, 0600), 0);
	image = add_mapped(test, symbols, path, GPROFX_IMAGE_LIBRARY, 0, 0x1000);
	at(test, symbols, image, 1);
	image = add_mapped(test, symbols, folder, GPROFX_IMAGE_PROGRAM, 0, 0x1000);
	at(test, symbols, image, 1);
	image = add_mapped(test, symbols, "/dev/zero", GPROFX_IMAGE_KERNEL, 0, 0x1000);
	at(test, symbols, image, 1);
	assert_int_equal(symbols->late->missing_count, 3);
	write_file("lib.so", "FAKEXab");
	assert_int_equal(chdir(folder), 0);
	image = add_mapped(test, symbols, "lib.so", GPROFX_IMAGE_LIBRARY, 0, 0x1000);
	at(test, symbols, image, 1);
	snprintf(path, sizeof path, "%slib.so", folder);
	image = add_mapped(test, symbols, path, GPROFX_IMAGE_GENERATED, 0, 0x1000);
	at(test, symbols, image, 1);
	assert_int_equal(symbols->late->missing_count, 3);
	assert_int_equal(symbols->late->file_count, 0);
	assert_true(late_add_symbols(&test->run, symbols));
	assert_int_equal(unlink("pipe"), 0);
}

static void
test_too_many_files(void **state)
{
	struct testrun *test = *state;
	struct symbols *symbols = begin(test);
	const char *path = write_file("lib.so", "FAKEXab");
	uint32_t image = add_mapped(test, symbols, path, GPROFX_IMAGE_LIBRARY, 0, 0x1000);

	symbols->late->file_count = LATE_MOST_FILES;
	at(test, symbols, image, TEXT);
	assert_string_equal(test->last_id, "image.too-many");
	assert_true(late_add_symbols(&test->run, symbols));
	assert_string_equal(symbols->name[2], "[lib.so]");
}

static int
begin_with_folder(void **state)
{
	char template[] = "/tmp/late-XXXXXX";

	if (!mkdtemp(template))
		return -1;
	snprintf(folder, sizeof folder, "%s/", template);
	return testrun_begin(state);
}

static int
end_with_folder(void **state)
{
	char path[128];

	snprintf(path, sizeof path, "%slib.so", folder);
	unlink(path);
	return chdir("/") == 0 && rmdir(folder) == 0 ? testrun_end(state) : -1;
}

#define FOLDER_TEST(function) \
	cmocka_unit_test_setup_teardown(function, begin_with_folder, end_with_folder)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TESTRUN(test_same_images),
		TESTRUN(test_program),
		TESTRUN(test_no_file),
		TESTRUN(test_names),
		TESTRUN(test_overlapping_names),
		TESTRUN(test_clones),
		TESTRUN(test_ranges),
		TESTRUN(test_no_room),
		FOLDER_TEST(test_files),
		FOLDER_TEST(test_same_file),
		FOLDER_TEST(test_no_other_files),
		FOLDER_TEST(test_too_many_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
