/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Line-number tables of DWARF 2 to 5, read from the bytes of .debug_line.
 *
 * libdw decodes line tables as well, but its rows no longer have the number in the file register,
 * the directory of a file or the sequence a row stands in, and all three decide what GNU gprof
 * prints.
 */
#ifndef DWARFSYM_LINE_TABLE_H
#define DWARFSYM_LINE_TABLE_H

#include <gprofx/symbols.h>

/* Makes room for one more element of an array. */
#define DWARFSYM_ROOM(gx, array, count, room)                                        \
	do {                                                                         \
		if ((count) == (room)) {                                             \
			size_t more_ = (room) ? 2 * (size_t)(room) : 64;             \
			(array) = (gx)->host->grow((gx), (array),                    \
			                           (size_t)(room) * sizeof *(array), \
			                           more_ * sizeof *(array));         \
			(room) = (uint32_t)more_;                                    \
		}                                                                    \
	} while (0)

/* Contents of one section, decompressed. */
struct dwarfsym_section {
	const uint8_t *bytes;
	uint64_t length;
	uint64_t closed; /* bytes up to the last NUL, which it includes; 0: there is none */
};

/* The sections that are read here. */
struct dwarfsym_sections {
	struct dwarfsym_section line, line_strings, strings;
	struct dwarfsym_section shared_strings; /* of the file that debug files have in common */
	struct dwarfsym_section info, abbreviations, ranges, range_lists, addresses, string_offsets;
	uint64_t file_bytes; /* of the whole file, as it is stored */
	bool big_endian;
	bool begins_in_file_0; /* line programs of version 5 do, as for GNU gprof */
	uint64_t shift;        /* from addresses of symbols to those of tables */
};

/*
 * How many rows of line tables, and ranges of functions, are kept at most: so many in any file, and
 * for each byte of the file.  Decompressed, a few bytes can be millions.  Programs seen (ceph-osd,
 * librados, libpython, cargo) have 0.01 for each byte and less.
 */
static inline uint64_t
dwarfsym_most_rows(const struct dwarfsym_sections *sections)
{
	const uint64_t in_any_file = 1 << 19;

	return in_any_file + sections->file_bytes / 2;
}

/* A name in the tables of a header; directory: number of its directory, as written. */
struct dwarfsym_entry {
	const char *name;
	uint64_t directory;
};

/* A growing array of names, numbered from 0. */
struct dwarfsym_entries {
	struct dwarfsym_entry *rows;
	uint32_t count, room;
};

/* Header of one table.  Names point into the sections. */
struct dwarfsym_header {
	const struct dwarfsym_sections *sections;
	uint64_t bytes;      /* of the whole table, 0: not known; set even if it is damaged */
	uint64_t bytes_read; /* of the header, wherever it says that it ends; 0: next to nothing */
	uint16_t version;
	uint8_t offset_bytes; /* 4 or 8 */
	uint8_t minimum_instruction, maximum_operations;
	int8_t line_base;
	uint8_t line_range, opcode_base;
	const uint8_t *operand_counts; /* of opcodes 1 … opcode_base - 1 */
	struct gprofx_cursor program;
	struct dwarfsym_entries directories, files;
};

/* One row of the table. */
struct dwarfsym_row {
	uint64_t address;
	uint64_t file; /* the file register */
	uint32_t line;
	bool end; /* the address is the first after the sequence */
};

/* Takes the rows of a sequence in order. */
typedef void dwarfsym_take_row(void *opaque, const struct dwarfsym_row *row);

/*
 * Reads the header at an offset of .debug_line.  The arrays of *header are used again when it was
 * filled before; zero it before the first use.  Returns NULL, or what is wrong with the table.
 */
const char *dwarfsym_read_header(struct gprofx *gx, const struct dwarfsym_sections *sections,
                                 uint64_t offset, struct dwarfsym_header *header);

/*
 * Runs the program of a header from "at" up to the end of one sequence, or of the program, and
 * moves "at" there.  gx: files that the program defines are added to header->files; NULL: they are
 * there from an earlier run.  Returns NULL, or what is wrong; rows up to there were handed out.
 */
const char *
dwarfsym_run_sequence(struct gprofx *gx, struct dwarfsym_header *header, struct gprofx_cursor *at,
                      dwarfsym_take_row *take_row, void *opaque);

/*
 * The path of the file with the given number in the file register.  folder: the compilation
 * directory, or NULL.  Memory of the host, never NULL.
 */
char *dwarfsym_file_path(struct gprofx *gx, const struct dwarfsym_header *header, uint64_t file,
                         const char *folder);

/* For readers of headers. */

/* Appends a name. */
void dwarfsym_add_entry(struct gprofx *gx, struct dwarfsym_entries *entries, const char *name,
                        uint64_t directory);
/* Reads the tables of directories and files.  Returns NULL, or what is wrong. */
const char *dwarfsym_read_names(struct gprofx *gx, const struct dwarfsym_sections *sections,
                                struct gprofx_cursor *cursor, struct dwarfsym_header *header);
/* A number of 7 bits a byte; bits that do not fit are lost. */
uint64_t dwarfsym_uleb(struct gprofx_cursor *cursor);
int64_t dwarfsym_sleb(struct gprofx_cursor *cursor);
/* A string that ends before the cursor's end, or NULL. */
const char *dwarfsym_string(struct gprofx_cursor *cursor);
/* The string at an offset of a section, or NULL. */
const char *dwarfsym_string_at(const struct dwarfsym_section *section, uint64_t offset);

#endif
