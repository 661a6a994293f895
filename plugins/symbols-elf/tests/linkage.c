/* SPDX-License-Identifier: Apache-2.0 */
/* What symbols-elf reports about GOT slots, also of damaged images. */
#include "image.h"

static const uint8_t code[64];

enum { TEXT = 1, TABLE, DYNAMIC_NAMES, DYNAMIC, RELOCATIONS, SLOTS_AT = 0x3000, ROUNDS = 20000 };

/* Relocations in the form of 64-bit images, and dynamic symbols. */
struct linkage {
	struct plan plan, dynamic;
	uint8_t rows[16 * sizeof(Elf64_Rela)];
	uint64_t rows_bytes, row_bytes; /* of each: as the image states */
};

static void
start(struct linkage *linkage)
{
	memset(linkage, 0, sizeof *linkage);
	linkage->row_bytes = sizeof(Elf64_Rela);
	plan_start(&linkage->plan, true, false, EM_X86_64);
	plan_start(&linkage->dynamic, true, false, EM_X86_64);
	plan_section(&linkage->plan, &(struct plan_section){.name = ".text",
	                                                    .type = SHT_PROGBITS,
	                                                    .flags = SHF_ALLOC | SHF_EXECINSTR,
	                                                    .address = 0x1000,
	                                                    .bytes = code,
	                                                    .length = sizeof code});
	plan_section(&linkage->plan, &(struct plan_section){.name = ".got",
	                                                    .type = SHT_PROGBITS,
	                                                    .flags = SHF_ALLOC | SHF_WRITE,
	                                                    .address = SLOTS_AT,
	                                                    .bytes = code,
	                                                    .length = 48});
}

static void
relocate(struct linkage *linkage, uint64_t address, uint32_t kind, uint32_t symbol, uint64_t addend)
{
	uint8_t *row = linkage->rows + linkage->rows_bytes;

	assert_true(linkage->rows_bytes < sizeof linkage->rows);
	put(row, address, 8, false);
	put(row + 8, (uint64_t)symbol << 32 | kind, 8, false);
	put(row + 16, addend, 8, false);
	linkage->rows_bytes += sizeof(Elf64_Rela);
}

static void
finish(struct linkage *linkage, struct bytes *image)
{
	struct plan *plan = &linkage->plan;

	plan_section(plan, &(struct plan_section){.name = ".dynstr",
	                                          .type = SHT_STRTAB,
	                                          .bytes = linkage->dynamic.names,
	                                          .length = linkage->dynamic.names_bytes});
	plan_section(plan, &(struct plan_section){.name = ".dynsym",
	                                          .type = SHT_DYNSYM,
	                                          .link = DYNAMIC_NAMES,
	                                          .item_bytes = sizeof(Elf64_Sym),
	                                          .bytes = linkage->dynamic.symbols,
	                                          .length = linkage->dynamic.symbols_bytes});
	plan_section(plan, &(struct plan_section){.name = ".rela.dyn",
	                                          .type = SHT_RELA,
	                                          .flags = SHF_ALLOC,
	                                          .link = DYNAMIC,
	                                          .item_bytes = linkage->row_bytes,
	                                          .bytes = linkage->rows,
	                                          .length = linkage->rows_bytes});
	plan_symbol(plan, "main", 0x1000, STB_GLOBAL, STT_FUNC, TEXT);
	plan_symbol(plan, "__memcpy", 0x1010, STB_GLOBAL, STT_GNU_IFUNC, TEXT);
	plan_symbol(plan, "memcpy", 0x1010, STB_GLOBAL, STT_GNU_IFUNC, TEXT);
	plan_tables(plan);
	write_image(plan, image);
}

static void
sound(struct linkage *linkage)
{
	start(linkage);
	plan_symbol(&linkage->dynamic, "printf", 0, STB_GLOBAL, STT_FUNC, SHN_UNDEF);
	plan_symbol(&linkage->dynamic, "environ", 0, STB_GLOBAL, STT_OBJECT, SHN_UNDEF);
	plan_symbol(&linkage->dynamic, "own", 0x1020, STB_GLOBAL, STT_FUNC, TEXT);
	plan_symbol(&linkage->dynamic, "chosen", 0x1030, STB_GLOBAL, STT_GNU_IFUNC, TEXT);
	relocate(linkage, SLOTS_AT, R_X86_64_JUMP_SLOT, 1, 0);
	relocate(linkage, SLOTS_AT + 8, R_X86_64_GLOB_DAT, 2, 0); /* data */
	relocate(linkage, SLOTS_AT + 16, R_X86_64_GLOB_DAT, 3, 0);
	relocate(linkage, SLOTS_AT + 24, R_X86_64_IRELATIVE, 0, 0x1010);
	relocate(linkage, SLOTS_AT + 32, R_X86_64_RELATIVE, 0, 0x1000);
	relocate(linkage, SLOTS_AT + 40, R_X86_64_JUMP_SLOT, 4, 0);
}

static void
expect_slots(const struct bytes *image, const char *expected)
{
	char text[1024] = "";
	struct test_host host;
	size_t used = 0;

	assert_int_equal(load_wanting(&host, image->data, image->length, true), GPROFX_OK);
	assert_int_equal(host.errors + host.warnings, 0);
	for (uint32_t i = 0; i < host.symtab.slot_count; i++) {
		const struct gprofx_slot *slot = &host.symtab.slots[i];

		used += (size_t)snprintf(text + used, sizeof text - used, "%s%llx=%s/%llx",
		                         i > 0 ? " " : "", (unsigned long long)slot->address,
		                         slot->name ? slot->name : "",
		                         (unsigned long long)slot->function);
	}
	assert_string_equal(text, expected);
	forget(&host);
}

static void
relocations_name_functions(void **state)
{
	struct linkage linkage;
	struct bytes image;
	struct test_host host;

	(void)state;
	sound(&linkage);
	finish(&linkage, &image);
	expect_slots(&image, "3000=printf/0 3010=own/1020 3018=memcpy/0 3020=/1000 3028=chosen/0");
	/* Only if asked for. */
	assert_int_equal(load_bytes(&host, image.data, image.length), GPROFX_OK);
	assert_int_equal(host.symtab.slot_count, 0);
	forget(&host);
}

static void
damage_is_passed_over(void **state)
{
	struct linkage linkage;
	struct bytes image;

	(void)state;
	sound(&linkage);
	linkage.rows_bytes = 0;
	relocate(&linkage, SLOTS_AT, R_X86_64_JUMP_SLOT, 5, 0); /* no such symbol */
	relocate(&linkage, SLOTS_AT, R_X86_64_JUMP_SLOT, 0, 0);
	relocate(&linkage, SLOTS_AT, R_X86_64_JUMP_SLOT, UINT32_MAX, 0);
	relocate(&linkage, SLOTS_AT + 41, R_X86_64_JUMP_SLOT, 1, 0); /* ends outside */
	relocate(&linkage, SLOTS_AT - 8, R_X86_64_JUMP_SLOT, 1, 0);
	relocate(&linkage, UINT64_MAX, R_X86_64_JUMP_SLOT, 1, 0);
	relocate(&linkage, SLOTS_AT, R_X86_64_IRELATIVE, 0, 0x1011); /* no function there */
	relocate(&linkage, SLOTS_AT, R_X86_64_RELATIVE, 0, 0);
	relocate(&linkage, SLOTS_AT, R_X86_64_NONE, 1, 0);
	relocate(&linkage, SLOTS_AT + 8, 4711, 1, 0);
	finish(&linkage, &image);
	expect_slots(&image, "");
	/* Names outside of their table, or without any. */
	sound(&linkage);
	put(linkage.dynamic.symbols + sizeof(Elf64_Sym), 5000, 4, false);
	finish(&linkage, &image);
	expect_slots(&image, "3010=own/1020 3018=memcpy/0 3020=/1000 3028=chosen/0");
	sound(&linkage);
	linkage.dynamic.names_bytes = 0;
	finish(&linkage, &image);
	expect_slots(&image, "3018=memcpy/0 3020=/1000");
}

/*
 * Without names of sections, the size of their items does not matter: rows of another size than
 * they can have are not looked at, as more of them seem to fit than there are.  In an order of
 * bytes that is not the host's they are copies, and what is behind them is not the image.
 */
static void
odd_rows_are_passed_over(void **state)
{
	enum { SECTION_NAMES = 62 };

	(void)state;
	for (uint64_t bytes = 0; bytes < 2 * sizeof(Elf64_Rela); bytes++) {
		struct linkage linkage;
		struct bytes image;

		sound(&linkage);
		linkage.plan.big_endian = true;
		linkage.row_bytes = bytes;
		finish(&linkage, &image);
		put(image.data + SECTION_NAMES, 0, 2, true);
		expect_slots(&image, "");
	}
}

/* Whatever is changed, nothing outside of the file is looked at, and names end. */
static void
any_change_is_survived(void **state)
{
	struct linkage linkage;
	struct bytes image;
	uint64_t seed = 1;

	(void)state;
	sound(&linkage);
	finish(&linkage, &image);
	for (int round = 0; round < ROUNDS; round++) {
		struct bytes changed = image;
		struct test_host host;
		size_t names = 0;

		for (int i = 0; i < 1 + round % 4; i++) {
			seed = seed * 6364136223846793005u + 1442695040888963407u;
			changed.data[(seed >> 33) % changed.length] = (uint8_t)(seed >> 25);
		}
		load_wanting(&host, changed.data, changed.length, true);
		for (uint32_t i = 0; i < host.symtab.slot_count; i++)
			if (host.symtab.slots[i].name)
				names += strlen(host.symtab.slots[i].name);
		assert_true(names < sizeof changed.data * 16);
		forget(&host);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(relocations_name_functions),
		cmocka_unit_test(damage_is_passed_over),
		cmocka_unit_test(odd_rows_are_passed_over),
		cmocka_unit_test(any_change_is_survived),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
