/* SPDX-License-Identifier: Apache-2.0 */
/* How scanners take code of several functions apart, and how branches of all of them are found. */
#include "testrun.h"

#include <gprofx/branches.h>

enum { MOST_BITS = 256, MOST_BYTES = 1024 };

/* Code, and bits that say where functions begin. */
struct scene {
	struct gprofx_code code;
	struct gprofx_begin_bits begins;
	uint64_t bits[MOST_BITS / 64 + 1];
	uint8_t bytes[MOST_BYTES];
};

static void
begin(struct scene *scene, uint64_t address, uint64_t byte_count, uint64_t low, uint32_t shift,
      uint32_t places)
{
	memset(scene, 0, sizeof *scene);
	scene->begins = (struct gprofx_begin_bits){scene->bits, low,
	                                           (uint64_t)(places - 1) << shift, shift};
	scene->code = (struct gprofx_code){.size = sizeof scene->code,
	                                   .bytes = scene->bytes,
	                                   .byte_count = byte_count,
	                                   .readable = byte_count,
	                                   .address = address,
	                                   .begin_bits = &scene->begins};
}

static void
set(struct scene *scene, uint32_t place)
{
	scene->bits[place / 64] |= (uint64_t)1 << place % 64;
}

static void
set_all(struct scene *scene)
{
	for (uint32_t place = 0; place <= scene->begins.span >> scene->begins.shift; place++)
		set(scene, place);
}

/* The answer for each offset is that of who asks about one address after the other. */
static void
expect_next(const struct scene *scene)
{
	const struct gprofx_code *code = &scene->code;

	for (uint64_t at = 0; at <= code->byte_count; at++) {
		uint64_t next = at + 1;

		while (next < code->byte_count &&
		       !gprofx_has_begin(code->begin_bits, code->address + next))
			next++;
		if (next > code->byte_count)
			next = code->byte_count;
		assert_int_equal(gprofx_next_function(code, at), next);
	}
}

static void
bits_are_looked_up(void **state)
{
	struct scene scene;

	(void)state;
	begin(&scene, 0, 0, 0x1000, 2, 70);
	set(&scene, 0);
	set(&scene, 69);
	for (uint64_t address = 0xff0; address < 0x1200; address++)
		assert_int_equal(gprofx_has_begin(&scene.begins, address),
		                 address == 0x1000 || address == 0x1000 + 4 * 69);
	assert_false(gprofx_has_begin(&scene.begins, 0));
	assert_false(gprofx_has_begin(&scene.begins, UINT64_MAX));
}

/* All ways in which code and bits can lie: before, over, in and behind each other. */
static void
next_function_is_found(void **state)
{
	static const uint64_t distances[] = {0, 1, 2, 3, 4, 100, 255, 256, 257, 300};
	static const uint32_t places[] = {1, 2, 64, 65, 128, MOST_BITS};
	enum { DISTANCES = sizeof distances / sizeof *distances };
	struct scene scene;

	(void)state;
	for (uint32_t i = 0; i < 2 * DISTANCES * 6 * 4; i++) {
		uint64_t distance = distances[i / 2 % DISTANCES], low = 0x2000;
		uint32_t count = places[i / 2 / DISTANCES % 6], shift = i / 2 / DISTANCES / 6;

		begin(&scene, i % 2 ? low + distance : low - distance, 300, low, shift, count);
		expect_next(&scene);
		for (uint32_t place = 0; place < count; place += 1 + place / 3)
			set(&scene, place);
		expect_next(&scene);
		set_all(&scene);
		expect_next(&scene);
	}
}

static void
one_function_has_no_next(void **state)
{
	struct scene scene;

	(void)state;
	begin(&scene, 0x1000, 1, 0x1000, 0, 64);
	set_all(&scene);
	assert_int_equal(gprofx_next_function(&scene.code, 0), 1);
	scene.code.byte_count = 0;
	assert_int_equal(gprofx_next_function(&scene.code, 0), 0);
	scene.code.byte_count = 8;
	scene.code.begin_bits = NULL;
	assert_int_equal(gprofx_next_function(&scene.code, 0), 8);
	assert_int_equal(gprofx_next_function(&scene.code, 8), 8);
}

/* Code up to the very last address. */
static void
functions_end_with_the_addresses(void **state)
{
	struct scene scene;

	(void)state;
	for (uint32_t shift = 0; shift < 3; shift++) {
		begin(&scene, 0 - (uint64_t)64, 64, 0 - (uint64_t)128, shift, 128u >> shift);
		expect_next(&scene);
		set(&scene, 100 >> shift);
		set(&scene, 127 >> shift);
		expect_next(&scene);
		assert_int_equal(gprofx_next_function(&scene.code, 0), 36);
	}
}

static void
expect_function(struct gprofx_code *rest, uint64_t address, uint64_t byte_count,
                const struct gprofx_code_mark *marks, uint32_t mark_count)
{
	struct gprofx_code function = {0};

	assert_true(gprofx_take_function(rest, &function));
	assert_int_equal(function.address, address);
	assert_int_equal(function.byte_count, byte_count);
	assert_int_equal(function.mark_count, mark_count);
	assert_true(mark_count == 0 || function.marks == marks);
}

/* A function has its marks, and the last one before it that tells something. */
static void
functions_take_their_marks(void **state)
{
	static const struct gprofx_code_mark marks[] = {
		{0xf00, "$x"}, {0x1004, "$d"},    {0x1008, "$x"}, {0x1014, "$d.2"},
		{0x1018, "$"}, {0x101c, "$data"}, {0x1024, "$x"},
	};
	struct gprofx_code rest, function;
	struct scene scene;

	(void)state;
	begin(&scene, 0x1000, 0x2a, 0x1000, 3, 64);
	scene.code.readable = 0x100;
	scene.code.marks = marks;
	scene.code.mark_count = 7;
	set(&scene, 1);
	set(&scene, 2);
	set(&scene, 4);
	set(&scene, 5);
	rest = scene.code;
	expect_function(&rest, 0x1000, 8, marks, 2);
	assert_int_equal(rest.readable, 0xf8);
	assert_ptr_equal(rest.bytes, scene.bytes + 8);
	/* The mark is where the function begins. */
	expect_function(&rest, 0x1008, 8, marks + 1, 2);
	expect_function(&rest, 0x1010, 0x10, marks + 2, 4);
	expect_function(&rest, 0x1020, 8, marks + 3, 4);
	expect_function(&rest, 0x1028, 2, marks + 6, 1);
	assert_int_equal(rest.readable, 0xd6);
	assert_false(gprofx_take_function(&rest, &function));
	assert_false(gprofx_take_function(&rest, &function));
}

static void
functions_without_bits_are_one(void **state)
{
	static const struct gprofx_code_mark marks[] = {{0x1003, "$d"}};
	struct gprofx_code rest;
	struct scene scene;

	(void)state;
	begin(&scene, 0x1001, 7, 0x1000, 0, 64);
	set_all(&scene);
	scene.code.begin_bits = NULL;
	scene.code.marks = marks;
	scene.code.mark_count = 1;
	rest = scene.code;
	expect_function(&rest, 0x1001, 7, marks, 1);
	assert_int_equal(rest.byte_count, 0);
}

static void
place_is_in_its_function(void **state)
{
	struct gprofx_call_batch batch;
	struct scene scene;

	(void)state;
	begin(&scene, 0x1000, 0x40, 0x1000, 2, 64);
	set(&scene, 0);
	set(&scene, 1);
	set(&scene, 8);
	gprofx_begin_batch(&batch, &scene.code, NULL);
	for (uint64_t at = 0; at < 0x40; at++) {
		uint64_t begins = at < 4 ? 0 : at < 0x20 ? 4 : 0x20;
		uint64_t ends = at < 4 ? 4 : at < 0x20 ? 0x20 : 0x40, place = at;
		struct gprofx_code function = gprofx_function_at(&batch, &place);

		assert_int_equal(place, at - begins);
		assert_int_equal(function.address, 0x1000 + begins);
		assert_int_equal(function.byte_count, ends - begins);
		assert_int_equal(function.readable, 0x40 - begins);
		assert_ptr_equal(function.bytes, scene.bytes + begins);
	}
	/* Some functions are skipped. */
	gprofx_begin_batch(&batch, &scene.code, NULL);
	for (uint64_t place = 0x3f, i = 0; i < 2; i++, place = 0x3f)
		assert_int_equal(gprofx_function_at(&batch, &place).address, 0x1020);
}

struct list {
	struct gprofx_calls public; /* first */
	struct gprofx_found_call rows[MOST_BYTES];
	uint32_t count;
};

static void
take_calls(struct gprofx_calls *public, const struct gprofx_found_call *rows, uint32_t count)
{
	struct list *list = (struct list *)public;

	assert_true(count > 0);
	memcpy(&list->rows[list->count], rows, count * sizeof *rows);
	list->count += count;
}

/*
 * Instructions: to a place that is the lower half, a jump with 0x10000, none with 0x20000, through
 * a register with 0x40000; two calls with 0x80000.
 */
static inline struct gprofx_branch
branch_at(const void *how, const struct gprofx_code *code, uint64_t from, uint32_t word)
{
	(void)how;
	(void)code;
	(void)from;
	return (struct gprofx_branch){.to = word & 0xffff,
	                              .returns = 4,
	                              .is_tail = (word & 0x10000) != 0,
	                              .is_call = (word & 0x20000) == 0,
	                              .is_indirect = (word & 0x40000) != 0,
	                              .is_special = (word & 0x80000) != 0};
}

static void
take_special(const void *how, const struct gprofx_code *function, uint64_t at, uint32_t word,
             struct gprofx_call_batch *batch)
{
	(void)how;
	assert_true(at < function->byte_count);
	gprofx_batch_call(batch, function->address + at, word & 0xffff, GPROFX_CALL_SLOT, 4);
}

static void
find(const struct scene *scene, uint32_t before, struct list *list)
{
	static const struct gprofx_word_form forms[] = {{0xff000000, 0xc0000000}};

	memset(list, 0, sizeof *list);
	list->public.add = take_calls;
	gprofx_find_branches(&scene->code, &list->public, forms, 1,
	                     (struct gprofx_branches){.branch_at = branch_at,
	                                              .take_special = take_special,
	                                              .before = before,
	                                              .step = 4});
}

static bool
is_slot(const struct gprofx_entries *entries, uint64_t address)
{
	(void)entries;
	return address == 0x10;
}

static void
put(struct scene *scene, uint32_t at, uint32_t word)
{
	for (uint32_t i = 0; i < 4; i++)
		scene->bytes[at + i] = (uint8_t)(word >> 8 * i);
}

static void
expect_row(const struct list *list, uint32_t i, uint64_t from, uint64_t to,
           enum gprofx_call_kind kind, uint32_t returns)
{
	assert_true(i < list->count);
	assert_int_equal(list->rows[i].from, from);
	assert_int_equal(list->rows[i].to, to);
	assert_int_equal(list->rows[i].kind, kind);
	assert_int_equal(list->rows[i].returns, returns);
}

static void
branches_are_found(void **state)
{
	static const struct gprofx_code_mark marks[] = {{0x1030, "$d"}, {0x1036, "$x"}};
	static struct list list;
	struct scene scene;

	(void)state;
	begin(&scene, 0x1000, 0x41, 0x1000, 2, 64);
	set(&scene, 0);
	set(&scene, 4);
	set(&scene, 8);
	scene.code.marks = marks;
	scene.code.mark_count = 2;
	put(&scene, 0x0, 0xc0001010);  /* a call of the next function */
	put(&scene, 0x4, 0xc0001004);  /* no function begins there */
	put(&scene, 0x8, 0xc0011020);  /* a jump to the one behind */
	put(&scene, 0xc, 0xc0021010);  /* nothing that counts */
	put(&scene, 0x10, 0xc0001018); /* what begins 8 bytes before */
	put(&scene, 0x14, 0xc0041010); /* a call through a register */
	put(&scene, 0x18, 0xc0081234); /* something else */
	put(&scene, 0x20, 0xc0061234); /* nothing through a register */
	put(&scene, 0x2c, 0xc0001000);
	put(&scene, 0x30, 0xc0001000); /* data, up to a mark inside of a word */
	put(&scene, 0x34, 0xc0001000);
	put(&scene, 0x38, 0xc0011000);
	put(&scene, 0x40, 0xc0011000); /* of which one byte is there */
	find(&scene, 0, &list);
	assert_int_equal(list.count, 6);
	expect_row(&list, 0, 0x1000, 0x1010, GPROFX_CALL_DIRECT, 4);
	expect_row(&list, 1, 0x1008, 0x1020, GPROFX_CALL_TAIL, GPROFX_NO_RETURN);
	expect_row(&list, 2, 0x1014, 0, GPROFX_CALL_INDIRECT, 4);
	expect_row(&list, 3, 0x1018, 0x1234, GPROFX_CALL_SLOT, 4);
	expect_row(&list, 4, 0x102c, 0x1000, GPROFX_CALL_DIRECT, 4);
	expect_row(&list, 5, 0x1038, 0x1000, GPROFX_CALL_TAIL, GPROFX_NO_RETURN);
	scene.code.readable = 0x44;
	find(&scene, 8, &list);
	assert_int_equal(list.count, 8);
	expect_row(&list, 2, 0x1010, 0x1010, GPROFX_CALL_DIRECT, 4);
	expect_row(&list, 7, 0x1040, 0x1000, GPROFX_CALL_TAIL, GPROFX_NO_RETURN);
	/* A function between is another one. */
	set(&scene, 5);
	find(&scene, 8, &list);
	assert_int_equal(list.count, 7);
}

/* More branches than there is room for, all of them calls, or some that are more than that. */
static void
many_branches_are_found(void **state)
{
	static struct list list;
	struct scene scene;

	(void)state;
	for (uint32_t special = 0; special < 3; special++) {
		begin(&scene, 0x1000, MOST_BYTES, 0x1000, 2, MOST_BITS);
		set_all(&scene);
		for (uint32_t at = 0; at < MOST_BYTES; at += 4)
			put(&scene, at,
			    0xc0001000 | at |
			            (uint32_t)(special > 0 && at / 4 % special == 0) << 19);
		find(&scene, 0, &list);
		assert_int_equal(list.count, MOST_BYTES / 4);
		for (uint32_t i = 0; i < list.count; i++) {
			assert_int_equal(list.rows[i].from, 0x1000 + 4 * i);
			assert_int_equal(list.rows[i].to, 0x1000 + 4 * i);
		}
	}
}

/* Branches that are added one by one lead to other functions of the same piece, too. */
static void
branches_are_added_one_by_one(void **state)
{
	static struct list list;
	struct gprofx_call_batch batch;
	struct scene scene;

	(void)state;
	begin(&scene, 0x1000, 0x40, 0x1000, 2, 64);
	set(&scene, 0);
	set(&scene, 4);
	memset(&list, 0, sizeof list);
	list.public.add = take_calls;
	gprofx_begin_batch(&batch, &scene.code, &list.public);
	gprofx_batch_branch(&batch, 0x1004, 0x1010, false, 4);
	gprofx_batch_branch(&batch, 0x1008, 0x1014, false, 4);
	gprofx_batch_callee(&batch, 0x100c, 0x1018, true, 4, 8, 4);
	gprofx_hand_over(&batch);
	assert_int_equal(list.count, 2);
	expect_row(&list, 0, 0x1004, 0x1010, GPROFX_CALL_DIRECT, 4);
	expect_row(&list, 1, 0x100c, 0x1010, GPROFX_CALL_TAIL, GPROFX_NO_RETURN);
}

static void
take_twice(const void *how, const struct gprofx_code *code, uint64_t at, uint32_t word,
           struct gprofx_call_batch *batch)
{
	take_special(how, code, at, word, batch);
	take_special(how, code, at, word, batch);
}

/* What is more than a branch can be several calls, however many there are already. */
static void
some_words_are_several_calls(void **state)
{
	enum { FIRST = 64, SEVERAL = 31, LAST = 33 };
	static const struct gprofx_word_form forms[] = {{0xff000000, 0xc0000000}};
	static struct list list;
	struct scene scene;

	(void)state;
	begin(&scene, 0x1000, 4 * (FIRST + SEVERAL + LAST), 0x1000, 2, MOST_BITS);
	set(&scene, 0);
	for (uint32_t i = 0; i < FIRST + SEVERAL + LAST; i++)
		put(&scene, 4 * i,
		    0xc0001000 | (uint32_t)(i >= FIRST && i < FIRST + SEVERAL) << 19);
	memset(&list, 0, sizeof list);
	list.public.add = take_calls;
	gprofx_find_branches(
		&scene.code, &list.public, forms, 1,
		(struct gprofx_branches){.branch_at = branch_at, .take_special = take_twice});
	assert_int_equal(list.count, FIRST + 2 * SEVERAL + LAST);
	for (uint32_t i = 1; i < list.count; i++)
		assert_true(list.rows[i].from >= list.rows[i - 1].from);
	assert_int_equal(list.rows[list.count - 1].from, 0x1000 + scene.code.byte_count - 4);
}

/*
 * However many branches wait when the next words come, and wherever the one is that is several
 * calls.
 */
static void
any_number_waits(void **state)
{
	static const struct gprofx_word_form forms[] = {{0xff000000, 0xc0000000}};
	const struct gprofx_branches branches = {.branch_at = branch_at,
	                                         .take_special = take_twice};
	static struct list list;
	struct scene scene;

	(void)state;
	for (uint32_t some = 0; some <= 2 * GPROFX_MOST_WORDS; some++) {
		uint32_t first = some % GPROFX_MOST_WORDS;
		bool has_several = some >= GPROFX_MOST_WORDS;

		begin(&scene, 0x1000, MOST_BYTES, 0x1000, 2, MOST_BITS);
		set(&scene, 0);
		for (uint32_t i = 0; i < MOST_BYTES / 4; i++)
			if (has_several || i < first || i >= GPROFX_MOST_WORDS)
				put(&scene, 4 * i,
				    0xc0001000 | (uint32_t)(has_several && i == first) << 19);
		memset(&list, 0, sizeof list);
		list.public.add = take_calls;
		gprofx_find_branches(&scene.code, &list.public, forms, 1, branches);
		assert_int_equal(list.count,
		                 MOST_BYTES / 4 + 1 -
		                         (has_several ? 0 : GPROFX_MOST_WORDS + 1 - first));
		for (uint32_t i = 1; i < list.count; i++)
			assert_true(list.rows[i].from >= list.rows[i - 1].from);
		assert_int_equal(list.rows[list.count - 1].from, 0x1000 + MOST_BYTES - 4);
	}
}

/* Branches through registers count where slots are known, and wanted. */
static void
slots_are_asked_for(void **state)
{
	static const struct gprofx_word_form forms[] = {{0xff000000, 0xc0000000},
	                                                {0xff000000, 0xd0000000}};
	const struct gprofx_branches branches = {.branch_at = branch_at,
	                                         .take_special = take_special};
	static struct list list;
	struct scene scene;

	(void)state;
	begin(&scene, 0x1000, 16, 0x1000, 2, 64);
	set(&scene, 0);
	set(&scene, 2);
	put(&scene, 0, 0xc0001008);
	put(&scene, 12, 0xd0080010);
	for (uint32_t i = 0; i < 4; i++) {
		const struct gprofx_scan_options options = {.got = i & 1};
		const struct gprofx_entries entries = {.is_slot = i & 2 ? is_slot : NULL};

		memset(&list, 0, sizeof list);
		list.public.add = take_calls;
		scene.code.entries = &entries;
		gprofx_find_branches_and_slots(&scene.code, &list.public, &options, forms, 2,
		                               branches);
		assert_int_equal(list.count, i == 3 ? 2 : 1);
		expect_row(&list, 0, 0x1000, 0x1008, GPROFX_CALL_DIRECT, 4);
	}
	expect_row(&list, 1, 0x100c, 0x10, GPROFX_CALL_SLOT, 4);
}

static void
scan_all(const struct gprofx_scan_options *options, const struct gprofx_code *code,
         struct gprofx_calls *calls)
{
	(void)options;
	gprofx_add_call(calls, code->address, code->byte_count, GPROFX_CALL_DIRECT);
}

static void
scan_each(const struct gprofx_scan_options *options, const struct gprofx_code *code,
          struct gprofx_calls *calls)
{
	(void)options;
	gprofx_add_call(calls, code->address, code->byte_count, GPROFX_CALL_TAIL);
}

/* All functions at once where a scan is about branches, else each alone. */
static void
scans_are_chosen(void **state)
{
	static struct list list;
	struct scene scene;

	(void)state;
	begin(&scene, 0x1000, 12, 0x1000, 2, 64);
	set(&scene, 1);
	for (uint32_t i = 0; i < 32; i++) {
		const struct gprofx_scanned_image image = {.size = sizeof image,
		                                           .strict = i & 1,
		                                           .wants_sites = i & 2};
		const struct gprofx_scan_options options = {.pointers = i & 4};

		memset(&list, 0, sizeof list);
		list.public.add = take_calls;
		scene.code.image = &image;
		scene.code.begin_bits = i & 8 ? NULL : &scene.begins;
		gprofx_scan_functions(&options, &scene.code, &list.public, i & 16 ? NULL : scan_all,
		                      scan_each);
		if (i == 0) {
			assert_int_equal(list.count, 1);
			expect_row(&list, 0, 0x1000, 12, GPROFX_CALL_DIRECT, GPROFX_NO_RETURN);
			continue;
		}
		assert_int_equal(list.count, i & 8 ? 1 : 2);
		expect_row(&list, 0, 0x1000, i & 8 ? 12 : 4, GPROFX_CALL_TAIL, GPROFX_NO_RETURN);
		if (!(i & 8))
			expect_row(&list, 1, 0x1004, 8, GPROFX_CALL_TAIL, GPROFX_NO_RETURN);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bits_are_looked_up),
		cmocka_unit_test(next_function_is_found),
		cmocka_unit_test(one_function_has_no_next),
		cmocka_unit_test(functions_end_with_the_addresses),
		cmocka_unit_test(functions_take_their_marks),
		cmocka_unit_test(functions_without_bits_are_one),
		cmocka_unit_test(place_is_in_its_function),
		cmocka_unit_test(branches_are_found),
		cmocka_unit_test(many_branches_are_found),
		cmocka_unit_test(branches_are_added_one_by_one),
		cmocka_unit_test(some_words_are_several_calls),
		cmocka_unit_test(any_number_waits),
		cmocka_unit_test(slots_are_asked_for),
		cmocka_unit_test(scans_are_chosen),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
