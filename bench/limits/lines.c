/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The limit for line tables: lines libdw|bare PROGRAM
 *
 * libdw lets the library decode the rows of every unit and looks at each. bare runs the programs of
 * .debug_line (versions 2 to 5) itself and keeps 16 bytes for each row; it cannot read compressed
 * sections.
 */
#include "common.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdbool.h>

static uint64_t
uleb(const unsigned char **p)
{
	uint64_t value = 0;
	unsigned char byte;

	for (int shift = 0;; shift += 7) {
		byte = *(*p)++;
		value |= (uint64_t)(byte & 127) << (shift & 63);
		if (byte < 128)
			return value;
	}
}

static int64_t
sleb(const unsigned char **p)
{
	uint64_t value = 0;
	int shift = 0;
	unsigned char byte;

	do {
		byte = *(*p)++;
		value |= (uint64_t)(byte & 127) << (shift & 63);
		shift += 7;
	} while (byte & 128);
	if (shift < 64 && (byte & 64))
		value |= ~(uint64_t)0 << shift;
	return (int64_t)value;
}

struct row {
	uint64_t address;
	uint32_t line;
	uint16_t file, is_end;
};

struct rows {
	struct row *items;
	size_t count, room;
};

static void
keep(struct rows *rows, uint64_t address, uint32_t line, uint32_t file, bool is_end)
{
	if (rows->count == rows->room) {
		rows->room *= 2;
		rows->items = realloc(rows->items, rows->room * sizeof *rows->items);
		if (!rows->items)
			fail("memory");
	}
	rows->items[rows->count++] = (struct row){address, line, (uint16_t)file, is_end};
}

/* Runs one program; figures: those of its header, from the first value of is_stmt on. */
static void
run_program(struct rows *rows, const unsigned char *q, const unsigned char *end, unsigned least,
            const unsigned char *figures)
{
	unsigned range = figures[2], base = figures[3];
	int line_base = (signed char)figures[1];
	const unsigned char *operands = figures + 4;
	uint64_t address = 0, length;
	uint32_t line = 1, file = 1;

	while (q < end) {
		unsigned code = *q++;

		if (code >= base) {
			code -= base;
			address += code / range * least;
			line += (uint32_t)(line_base + (int)(code % range));
			keep(rows, address, line, file, false);
			continue;
		}
		switch (code) {
		case 0:
			length = uleb(&q);
			if (*q == DW_LNE_end_sequence) {
				keep(rows, address, line, file, true);
				address = 0;
				line = file = 1;
			} else if (*q == DW_LNE_set_address) {
				address = get64(q + 1);
			}
			q += length;
			break;
		case DW_LNS_copy:
			keep(rows, address, line, file, false);
			break;
		case DW_LNS_advance_pc:
			address += uleb(&q) * least;
			break;
		case DW_LNS_advance_line:
			line += (uint32_t)sleb(&q);
			break;
		case DW_LNS_set_file:
			file = (uint32_t)uleb(&q);
			break;
		case DW_LNS_const_add_pc:
			address += (255 - base) / range * least;
			break;
		case DW_LNS_fixed_advance_pc:
			address += get16(q);
			q += 2;
			break;
		default:
			for (unsigned k = operands[code - 1]; k; k--)
				uleb(&q);
		}
	}
}

static size_t
bare(const char *path)
{
	struct rows rows = {need(1 << 20, sizeof(struct row)), 0, 1 << 20};
	size_t length;
	const unsigned char *image = map_file(path, &length), *p = NULL, *end = NULL;
	const Elf64_Ehdr *header = (const void *)image;
	const Elf64_Shdr *sections = (const void *)(image + header->e_shoff);
	const char *names = (const char *)image + sections[header->e_shstrndx].sh_offset;

	for (int i = 1; i < header->e_shnum; i++) {
		if (strcmp(names + sections[i].sh_name, ".debug_line") == 0) {
			p = image + sections[i].sh_offset;
			end = p + sections[i].sh_size;
		}
	}
	while (p && p < end) {
		const unsigned char *past = p + 4 + get32(p), *q = p + 6, *program;
		unsigned version = get16(p + 4);

		q += version >= 5 ? 2 : 0;
		program = q + 4 + get32(q);
		q += 4;
		run_program(&rows, program, past, *q, version >= 4 ? q + 2 : q + 1);
		p = past;
	}
	return rows.count;
}

static size_t
with_libdw(const char *path)
{
	int fd = open(path, O_RDONLY);
	Dwarf *dwarf = dwarf_begin(fd, DWARF_C_READ);
	size_t total = 0, bytes, count;
	uint64_t seen = 0;
	Dwarf_Off next;

	if (!dwarf) {
		fprintf(stderr, "%s: %s\n", path, dwarf_errmsg(-1));
		exit(1);
	}
	for (Dwarf_Off at = 0; dwarf_nextcu(dwarf, at, &next, &bytes, NULL, NULL, NULL) == 0;
	     at = next) {
		Dwarf_Die die;
		Dwarf_Lines *lines;

		if (!dwarf_offdie(dwarf, at + bytes, &die) ||
		    dwarf_getsrclines(&die, &lines, &count) != 0)
			continue;
		for (size_t i = 0; i < count; i++) {
			Dwarf_Line *line = dwarf_onesrcline(lines, i);
			Dwarf_Addr address;
			int number;

			dwarf_lineaddr(line, &address);
			dwarf_lineno(line, &number);
			seen += address ^ (unsigned)number;
		}
		total += count;
	}
	return seen ? total : 0;
}

int
main(int argc, char **argv)
{
	double start = milliseconds(), spent;
	size_t rows;

	if (argc != 3 || (strcmp(argv[1], "libdw") != 0 && strcmp(argv[1], "bare") != 0))
		return 2;
	rows = strcmp(argv[1], "bare") == 0 ? bare(argv[2]) : with_libdw(argv[2]);
	spent = milliseconds() - start;
	printf("%zu rows in %.2f ms, %.1f ns a row\n", rows, spent,
	       spent * 1e6 / (double)(rows ? rows : 1));
	return 0;
}
