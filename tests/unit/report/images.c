/* SPDX-License-Identifier: Apache-2.0 */
/* Images and their code: the program, libraries that were named, and those that profiles have. */
#include "../testrun.h"

#include "report/model.h"
#include "symbols/late.h"

#define GIB4 ((uint64_t)1 << 32)

static const struct gprofx_code_range program_code[] = {{0x1000, 0x40, 0x200, ".text"},
                                                        {0x3000, 0x10, 0x300, ".far"}};
static const struct gprofx_code_range library_code[] = {{0x10, 0x20, 0x110, ".text"}};
static const uint8_t build_id[] = {0xab, 0x01};

/* What a row says, in one line. */
static const char *
shown(struct testrun *test, const struct gprofx_code_image *row)
{
	const char *text = text_format(&test->run, "%s %s kind %u names %u build %u symbols %s",
	                               row->name, row->path, (unsigned)row->kind,
	                               (unsigned)row->names_from, (unsigned)row->build_id_bytes,
	                               row->symbols_file ? row->symbols_file : "-");

	assert_int_equal(row->size, sizeof *row);
	assert_int_equal(row->build_id != NULL, row->build_id_bytes > 0);
	for (uint32_t i = 0; i < row->code_count; i++) {
		const struct gprofx_image_code *code = gprofx_code_at(row->code, i);

		text = text_format(&test->run, "%s; %#llx+%#llx at %#llx", text,
		                   (unsigned long long)code->address,
		                   (unsigned long long)code->bytes,
		                   (unsigned long long)code->file_offset);
	}
	return text;
}

/* A symbol in each image: of the program, of libone.so, and of the ranges of images of profiles. */
static struct symbols *
begin(struct testrun *test, struct symbol_image *images, uint32_t count)
{
	static const char *const names[] = {"main", "one", "anon", "file", "anon2"};
	struct symbols *symbols = testrun_symbols(test, names, count);

	symbols->image.name = "./program";
	for (uint32_t i = 1; i < count; i++)
		symbols->address[i] = symbols->end[i] = images[i].first = i * GIB4;
	if (count > 1)
		testrun_objects(test, symbols, images, count);
	return symbols;
}

static struct report_model *
make(struct testrun *test, const struct symbols *symbols)
{
	struct report_model *model = memory_alloc(&test->run, sizeof *model);

	report_set_images(&test->run, model, symbols);
	return model;
}

static void
test_program(void **state)
{
	struct testrun *test = *state;
	struct symbols *symbols = begin(test, NULL, 1);
	const struct report_model *model = make(test, symbols);

	assert_int_equal(model->parts.origin.code_count, 0);
	symbols->images[0].code = program_code;
	symbols->images[0].code_count = 2;
	model = make(test, symbols);
	assert_int_equal(model->parts.origin.code_count, 2);
	for (uint32_t i = 0; i < 2; i++) {
		const struct gprofx_image_code *code = gprofx_code_at(model->parts.origin.code, i);

		assert_int_equal(code->address, program_code[i].address);
		assert_int_equal(code->bytes, program_code[i].bytes);
		assert_int_equal(code->file_offset, program_code[i].file_offset);
	}
	assert_int_equal(model->parts.origin.image_count, 0);
	assert_null(model->parts.functions.image);
	/* Without a program there is no code of one. */
	symbols->image.name = NULL;
	model = make(test, symbols);
	assert_int_equal(model->parts.origin.code_count, 0);
}

static void
test_others(void **state)
{
	static const uint32_t numbers[] = {0, 1, 2, 3, 2};
	struct testrun *test = *state;
	struct gprofx_symtab table = {.code = library_code,
	                              .code_count = 1,
	                              .symbols_file = "/debug/file"};
	struct late_image items[3] = {
		{.name = "unused", .path = "/unused"},
		{.name = "file.so",
	         .path = "/file.so",
	         .kind = GPROFX_IMAGE_LIBRARY,
	         .table = &table,
	         .build_id_bytes = 2},
		{.name = "[anon]", .path = "//anon", .kind = GPROFX_IMAGE_GENERATED},
	};
	struct late_range ranges[] = {{.of = 2}, {.of = 1}, {.of = 2}};
	struct late_images late = {.items = items, .count = 3, .ranges = ranges, .range_count = 3};
	struct symbol_image images[] = {
		{.name = "program"},
		{.name = "libone.so",
	         .path = "lib/libone.so",
	         .build_id = build_id,
	         .build_id_bytes = 2,
	         .symbols_file = "/debug/one",
	         .code = library_code,
	         .code_count = 1},
		{.late = &items[2]},
		{.late = &items[1]},
		{.late = &items[2]},
	};
	struct symbols *symbols = begin(test, images, 5);
	const struct gprofx_code_image *rows;
	const struct report_model *model;

	symbols->late = &late;
	model = make(test, symbols);
	rows = model->parts.origin.images;
	assert_int_equal(model->parts.origin.image_count, 3);
	assert_string_equal(shown(test, &rows[0]),
	                    "libone.so lib/libone.so kind 2 names 1 build 2 symbols /debug/one; "
	                    "0x10+0x20 at 0x110");
	/* An image of several ranges is one row, where the first one is. */
	assert_string_equal(shown(test, &rows[1]),
	                    "[anon] //anon kind 5 names 0 build 0 symbols -");
	assert_string_equal(shown(test, &rows[2]),
	                    "file.so /file.so kind 2 names 1 build 2 symbols /debug/file; "
	                    "0x10+0x20 at 0x110");
	for (uint32_t i = 0; i < 5; i++)
		assert_int_equal(model->parts.functions.image[i], numbers[i]);
	/* Names that profiles have; a library without a build ID. */
	items[2].name_count = 1;
	images[1].build_id_bytes = 0;
	model = make(test, symbols);
	rows = model->parts.origin.images;
	assert_string_equal(shown(test, &rows[0]),
	                    "libone.so lib/libone.so kind 2 names 1 build 0 symbols /debug/one; "
	                    "0x10+0x20 at 0x110");
	assert_string_equal(shown(test, &rows[1]),
	                    "[anon] //anon kind 5 names 2 build 0 symbols -");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TESTRUN(test_program),
		TESTRUN(test_others),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
