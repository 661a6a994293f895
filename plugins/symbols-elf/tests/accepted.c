/* SPDX-License-Identifier: Apache-2.0 */
/* Which symbols symbols-elf delivers, with which addresses and flags, and the facts it states. */
#include "image.h"

static const uint8_t code[64];

/* .text at 0x1000 and .data at 0x2000; sections 1 and 2. */
static void
start(struct plan *plan, bool is_64, bool big_endian, uint16_t machine)
{
	plan_start(plan, is_64, big_endian, machine);
	plan_section(plan, &(struct plan_section){.name = ".text",
	                                          .type = SHT_PROGBITS,
	                                          .flags = SHF_ALLOC | SHF_EXECINSTR,
	                                          .address = 0x1000,
	                                          .bytes = code,
	                                          .length = sizeof code});
	plan_section(plan, &(struct plan_section){.name = ".data",
	                                          .type = SHT_PROGBITS,
	                                          .flags = SHF_ALLOC | SHF_WRITE,
	                                          .address = 0x2000,
	                                          .bytes = code,
	                                          .length = 16});
}

static void
every_binding_and_type_in_code(void **state)
{
	(void)state;
	for (uint8_t binding = 0; binding < 16; binding++) {
		for (uint8_t type = 0; type < 16; type++) {
			bool excluded = type == STT_SECTION || type == STT_FILE ||
			                type == STT_GNU_IFUNC;
			bool weak_data = binding == STB_WEAK &&
			                 (type == STT_OBJECT || type == STT_COMMON);
			bool accepted = binding <= STB_WEAK && !excluded && !weak_data;
			struct plan plan;
			char expected[64] = "";

			start(&plan, true, false, EM_X86_64);
			plan_symbol(&plan, "it", 0x1004, binding, type, 1);
			plan_tables(&plan);
			if (accepted)
				snprintf(expected, sizeof expected, "it=1004/%s%s",
				         binding == STB_LOCAL ? "l" : "",
				         type == STT_FUNC ? "f" : "");
			expect_symbols(&plan, expected);
		}
	}
}

/* What names code without being a function, in code alone and if the host wants it. */
static void
labels(void **state)
{
	(void)state;
	for (uint8_t binding = 0; binding < 16; binding++) {
		for (uint8_t type = 0; type < 16; type++) {
			bool is_nothing = type == STT_SECTION || type == STT_FILE ||
			                  type == STT_OBJECT || type == STT_COMMON ||
			                  type == STT_TLS;
			bool is_label = !is_nothing &&
			                (type == STT_GNU_IFUNC || binding > STB_WEAK);
			struct gprofx_image file = {.size = sizeof file, .name = "image"};
			struct test_host host;
			struct bytes image;
			struct plan plan;
			uint32_t found = 0;

			start(&plan, true, false, EM_X86_64);
			plan_symbol(&plan, "it", 0x1004, binding, type, 1);
			plan_symbol(&plan, "elsewhere", 0x2004, binding, type, 2);
			plan_symbol(&plan, "main", 0x1000, STB_GLOBAL, STT_FUNC, 1);
			plan_tables(&plan);
			write_image(&plan, &image);
			assert_int_equal(load_bytes(&host, image.data, image.length), GPROFX_OK);
			host.symtab.count = 0;
			host.symtab.wants_labels = true;
			file.bytes = host.file;
			file.length = image.length;
			assert_int_equal(
				gprofx_plugin_1.symbols->load(&host.gx, &file, &host.symtab, NULL),
				GPROFX_OK);
			for (uint32_t i = 0; i < host.symtab.count; i++) {
				if (!(host.symtab.rows.flags[i] & GPROFX_SYMBOL_LABEL))
					continue;
				assert_string_equal(host.symtab.rows.name[i], "it");
				assert_int_equal(host.symtab.rows.address[i], 0x1004);
				found++;
			}
			assert_int_equal(found, is_label);
			forget(&host);
		}
	}
}

static void
places_outside_code(void **state)
{
	static const uint16_t sections[] = {SHN_UNDEF, 2, 3, 77, SHN_ABS, SHN_COMMON};
	static const char *const expected[] = {"",
	                                       "weak=2004/f untyped=2004/",
	                                       "weak=2004/f untyped=2004/",
	                                       "weak=2004/f untyped=2004/",
	                                       "weak=2004/f untyped=2004/",
	                                       ""};

	(void)state;
	for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++) {
		struct plan plan;

		start(&plan, true, false, EM_X86_64);
		plan_symbol(&plan, "local", 0x2004, STB_LOCAL, STT_FUNC, sections[i]);
		plan_symbol(&plan, "global", 0x2004, STB_GLOBAL, STT_FUNC, sections[i]);
		plan_symbol(&plan, "weak", 0x2004, STB_WEAK, STT_FUNC, sections[i]);
		plan_symbol(&plan, "untyped", 0x2004, STB_WEAK, STT_NOTYPE, sections[i]);
		plan_symbol(&plan, "object", 0x2004, STB_WEAK, STT_OBJECT, sections[i]);
		plan_tables(&plan);
		expect_symbols(&plan, expected[i]);
	}
}

static void
reserved_sections_of_machines(void **state)
{
	static const struct {
		uint16_t machine, section;
		const char *expected;
	} cases[] = {
		{EM_MIPS, SHN_MIPS_TEXT, "global=1010/f weak=1010/f"},
		{EM_MIPS, SHN_MIPS_DATA, "weak=1010/f"},
		{EM_MIPS, SHN_MIPS_SCOMMON, ""},
		{EM_MIPS, SHN_MIPS_SUNDEFINED, ""},
		{EM_X86_64, 0xff02, ""},
		{EM_X86_64, 0xff01, "weak=1010/f"},
		{EM_386, 0xff02, "weak=1010/f"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct plan plan;

		start(&plan, false, false, cases[i].machine);
		plan_symbol(&plan, "global", 0x1010, STB_GLOBAL, STT_FUNC, cases[i].section);
		plan_symbol(&plan, "weak", 0x1010, STB_WEAK, STT_FUNC, cases[i].section);
		plan_tables(&plan);
		expect_symbols(&plan, cases[i].expected);
	}
}

static void
names_of_sections_without_code(void **state)
{
	static const struct {
		const char *name;
		bool is_code;
	} cases[] = {{".pdata", false},  {".pdata.x", false}, {".pdata$1", false},
	             {".pdata9", false}, {".pdatax", true},   {".edata", false},
	             {".idata", false},  {".drectve", false}, {".idata_", true},
	             {".init", true},    {".pdat", true},     {"", true}};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct plan plan;

		start(&plan, true, false, EM_X86_64);
		plan_section(&plan, &(struct plan_section){.name = cases[i].name,
		                                           .type = SHT_PROGBITS,
		                                           .flags = SHF_EXECINSTR,
		                                           .address = 0x3000,
		                                           .bytes = code,
		                                           .length = sizeof code});
		plan_symbol(&plan, "it", 0x3000, STB_GLOBAL, STT_FUNC, 3);
		plan_tables(&plan);
		expect_symbols(&plan, cases[i].is_code ? "it=3000/f" : "");
	}
}

static void
classes_and_byte_orders(void **state)
{
	(void)state;
	for (uint32_t kind = 0; kind < 4; kind++) {
		bool is_64 = (kind & 1) != 0, big_endian = (kind & 2) != 0;
		struct plan plan;
		struct bytes image;
		struct test_host host;

		start(&plan, is_64, big_endian, EM_SPARC);
		plan_symbol(&plan, "local", 0x1020, STB_LOCAL, STT_FUNC, 1);
		plan_symbol(&plan, "main", 0x1000, STB_GLOBAL, STT_FUNC, 1);
		plan_tables(&plan);
		write_image(&plan, &image);
		assert_int_equal(load_bytes(&host, image.data, image.length), GPROFX_OK);
		assert_string_equal(listing(&host), "local=1020/lf main=1000/f");
		assert_int_equal(host.symtab.rows.bytes[0], 4);
		assert_int_equal(host.symtab.target.pointer_bytes, is_64 ? 8 : 4);
		assert_int_equal(host.symtab.target.big_endian, big_endian);
		assert_int_equal(host.symtab.target.machine, EM_SPARC);
		assert_false(host.symtab.target.sign_extends);
		/* Names stand in the image, where the host can look at their neighbors. */
		assert_true(host.symtab.strings > (const char *)host.file);
		assert_int_equal(host.symtab.strings_bytes, plan.names_bytes);
		assert_ptr_equal(host.symtab.rows.name[1], host.symtab.strings + 7);
		forget(&host);
	}
}

static void
mode_bits_and_sign(void **state)
{
	static const struct {
		uint16_t machine;
		bool is_64;
		const char *expected;
	} cases[] = {
		{EM_ARM, false, "f=80001010/f n=80001011/ o=80001011/"},
		{EM_MIPS, false, "f=ffffffff80001010/f n=ffffffff80001011/ o=ffffffff80001011/"},
		{EM_MIPS, true, "f=80001010/f n=80001011/ o=80001011/"},
		{EM_386, false, "f=80001011/f n=80001011/ o=80001011/"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct plan plan;

		start(&plan, cases[i].is_64, true, cases[i].machine);
		plan_symbol(&plan, "f", 0x80001011, STB_GLOBAL, STT_FUNC, 1);
		plan_symbol(&plan, "n", 0x80001011, STB_GLOBAL, STT_NOTYPE, 1);
		plan_symbol(&plan, "o", 0x80001011, STB_GLOBAL, STT_OBJECT, 1);
		plan_tables(&plan);
		expect_symbols(&plan, cases[i].expected);
	}
}

static void
relocatable_objects(void **state)
{
	struct plan plan;

	(void)state;
	start(&plan, true, false, EM_X86_64);
	plan.type = ET_REL;
	plan_symbol(&plan, "main", 0x10, STB_GLOBAL, STT_FUNC, 1);
	plan_symbol(&plan, "weak", 8, STB_WEAK, STT_FUNC, 2);
	plan_symbol(&plan, "absolute", 8, STB_WEAK, STT_FUNC, SHN_ABS);
	plan_tables(&plan);
	expect_symbols(&plan, "main=1010/f weak=2008/f absolute=8/f");
	start(&plan, false, true, EM_MIPS);
	plan.section[0].address = 0x80001000;
	plan.type = ET_REL;
	plan_symbol(&plan, "main", 0x10, STB_GLOBAL, STT_FUNC, 1);
	plan_tables(&plan);
	expect_symbols(&plan, "main=ffffffff80001010/f");
}

static void
large_section_numbers(void **state)
{
	for (uint32_t kind = 0; kind < 2; kind++) {
		bool big_endian = kind == 1;
		uint8_t numbers[5 * 4] = {0};
		struct plan plan;
		uint16_t table;

		(void)state;
		start(&plan, true, big_endian, EM_X86_64);
		plan_symbol(&plan, "far", 0x1000, STB_GLOBAL, STT_FUNC, SHN_XINDEX);
		plan_symbol(&plan, "near", 0x1004, STB_GLOBAL, STT_FUNC, 1);
		plan_symbol(&plan, "undefined", 0x1008, STB_GLOBAL, STT_FUNC, SHN_XINDEX);
		plan_symbol(&plan, "nowhere", 0x100c, STB_GLOBAL, STT_FUNC, SHN_XINDEX);
		plan_symbol(&plan, "short", 0x1010, STB_GLOBAL, STT_FUNC, SHN_XINDEX);
		put(numbers + 4, 1, 4, big_endian);
		put(numbers + 16, 0xfff1, 4, big_endian);
		table = plan_tables(&plan);
		plan_section(&plan, &(struct plan_section){.name = ".symtab_shndx",
		                                           .type = SHT_SYMTAB_SHNDX,
		                                           .link = table,
		                                           .item_bytes = 4,
		                                           .bytes = numbers,
		                                           .length = sizeof numbers});
		expect_symbols(&plan, "far=1000/f near=1004/f");
	}
}

static void
facts_about_sections(void **state)
{
	struct plan plan;
	struct bytes image;
	struct test_host host;

	(void)state;
	plan_start(&plan, true, false, EM_X86_64);
	plan_section(&plan, &(struct plan_section){.name = "$CODE$",
	                                           .type = SHT_PROGBITS,
	                                           .flags = SHF_ALLOC | SHF_EXECINSTR,
	                                           .address = 0x9000,
	                                           .bytes = code,
	                                           .length = 8});
	write_image(&plan, &image);
	assert_int_equal(load_bytes(&host, image.data, image.length), GPROFX_OK);
	assert_true(host.symtab.has_text);
	assert_int_equal(host.symtab.text_start, 0x9000);
	assert_int_equal(host.symtab.text_end, 0x9008);
	assert_int_equal(host.symtab.count, 0);
	assert_false(host.symtab.has_source);
	forget(&host);

	plan_section(&plan, &(struct plan_section){.name = ".text",
	                                           .type = SHT_PROGBITS,
	                                           .flags = SHF_ALLOC | SHF_EXECINSTR,
	                                           .address = 0x1000,
	                                           .bytes = code,
	                                           .length = 64});
	plan_section(&plan, &(struct plan_section){.name = ".bss",
	                                           .type = SHT_NOBITS,
	                                           .flags = SHF_ALLOC | SHF_EXECINSTR,
	                                           .address = 0x500,
	                                           .length = 64});
	plan_section(&plan, &(struct plan_section){.name = ".debug_line", .type = SHT_PROGBITS});
	write_image(&plan, &image);
	assert_int_equal(load_bytes(&host, image.data, image.length), GPROFX_OK);
	assert_int_equal(host.symtab.text_start, 0x1000);
	assert_int_equal(host.symtab.text_end, 0x1040);
	assert_true(host.symtab.has_source);
	assert_int_equal(host.symtab.code_count, 2);
	assert_int_equal(host.symtab.code[0].address, 0x1000);
	assert_int_equal(host.symtab.code[0].bytes, 64);
	assert_string_equal(host.symtab.code[0].name, ".text");
	assert_int_equal(host.symtab.code[0].file_offset, 72);
	assert_int_equal(host.symtab.code[1].address, 0x9000);
	forget(&host);
}

/* A debug file keeps the addresses of .text, but not its bytes. */
static void
text_without_bytes(void **state)
{
	struct plan plan;
	struct bytes image;
	struct test_host host;

	(void)state;
	start(&plan, true, false, EM_X86_64);
	plan.section[0].type = SHT_NOBITS;
	plan_symbol(&plan, "main", 0x1000, STB_GLOBAL, STT_FUNC, 1);
	plan_tables(&plan);
	write_image(&plan, &image);
	assert_int_equal(load_bytes(&host, image.data, image.length), GPROFX_OK);
	assert_true(host.symtab.has_text);
	assert_int_equal(host.symtab.text_end, 0x1040);
	assert_int_equal(host.symtab.code_count, 0);
	assert_string_equal(listing(&host), "main=1000/f");
	forget(&host);
}

/* .opd at 0x20000 with one descriptor of 24 bytes per code address; its section is number 3. */
static void
start_descriptors(struct plan *plan, uint8_t opd[96], uint32_t convention)
{
	static const uint16_t entries[] = {0x1000, 0x1010, 0x1020, 0x5};

	start(plan, true, true, EM_PPC64);
	plan->flags = convention;
	memset(opd, 0, 96);
	for (uint32_t i = 0; i < 4; i++)
		put(opd + 24 * i, entries[i], 8, true);
	put(opd + 88, 0x1030, 8, true); /* would be code if it were read one byte too late */
	plan_section(plan, &(struct plan_section){.name = ".opd",
	                                          .type = SHT_PROGBITS,
	                                          .flags = SHF_ALLOC | SHF_WRITE,
	                                          .address = 0x20000,
	                                          .bytes = opd,
	                                          .length = 96});
}

static void
function_descriptors(void **state)
{
	struct plan plan;
	uint8_t opd[96];

	(void)state;
	start_descriptors(&plan, opd, 1);
	plan_symbol(&plan, "second", 0x20018, STB_LOCAL, STT_FUNC, 3);
	plan_symbol(&plan, "first_weak", 0x20000, STB_WEAK, STT_FUNC, 3);
	plan_symbol(&plan, "first_untyped", 0x20000, STB_GLOBAL, STT_NOTYPE, 3);
	plan_symbol(&plan, "first", 0x20000, STB_GLOBAL, STT_FUNC, 3);
	plan_symbol(&plan, "first_again", 0x20000, STB_GLOBAL, STT_FUNC, 3);
	plan_symbol(&plan, "third", 0x20030, STB_GLOBAL, STT_FUNC, 3);
	plan_symbol(&plan, "has_code_symbol", 0x1020, STB_GLOBAL, STT_NOTYPE, 1);
	plan_symbol(&plan, "below_code", 0x20048, STB_GLOBAL, STT_FUNC, 3);
	plan_symbol(&plan, "cut", 0x20059, STB_GLOBAL, STT_FUNC, 3);
	plan_symbol(&plan, "beyond", 0x20060, STB_GLOBAL, STT_FUNC, 3);
	plan_symbol(&plan, "before", 0x1fff8, STB_GLOBAL, STT_FUNC, 3);
	plan_symbol(&plan, "object", 0x20018, STB_GLOBAL, STT_OBJECT, 3);
	plan_symbol(&plan, "other_section", 0x20018, STB_GLOBAL, STT_FUNC, 2);
	plan_tables(&plan);
	expect_symbols(&plan, "first_weak=20000/f has_code_symbol=1020/ .first=1000/fs "
	                      ".second=1010/lfs");
}

/* The newer calling convention, and other machines, use .opd for nothing or for something else. */
static void
no_descriptors(void **state)
{
	struct plan plan;
	uint8_t opd[96];

	(void)state;
	start_descriptors(&plan, opd, 2);
	plan_symbol(&plan, "first", 0x20000, STB_GLOBAL, STT_FUNC, 3);
	plan_tables(&plan);
	expect_symbols(&plan, "");
	plan.flags = 0;
	expect_symbols(&plan, ".first=1000/fs");
	plan.machine = EM_SPARCV9;
	expect_symbols(&plan, "");
}

static void
probe_looks_at_the_magic(void **state)
{
	int (*looks)(const uint8_t *, size_t) = gprofx_plugin_1.symbols->probe;

	(void)state;
	assert_int_equal(looks((const uint8_t *)"\x7f"
	                                        "ELF",
	                       4),
	                 100);
	assert_int_equal(looks((const uint8_t *)"\x7f"
	                                        "ELG",
	                       4),
	                 0);
	assert_int_equal(looks((const uint8_t *)"\x7f"
	                                        "EL",
	                       3),
	                 0);
	assert_int_equal(looks(NULL, 0), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_binding_and_type_in_code),
		cmocka_unit_test(labels),
		cmocka_unit_test(places_outside_code),
		cmocka_unit_test(reserved_sections_of_machines),
		cmocka_unit_test(names_of_sections_without_code),
		cmocka_unit_test(classes_and_byte_orders),
		cmocka_unit_test(mode_bits_and_sign),
		cmocka_unit_test(relocatable_objects),
		cmocka_unit_test(large_section_numbers),
		cmocka_unit_test(facts_about_sections),
		cmocka_unit_test(text_without_bytes),
		cmocka_unit_test(function_descriptors),
		cmocka_unit_test(no_descriptors),
		cmocka_unit_test(probe_looks_at_the_magic),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
