/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A Mach-O image taken apart: its header and load commands in one form for both word sizes and byte
 * orders.  Of a file for several processors it is one part, and what offsets count from is where
 * that part begins.
 */
#ifndef SYMBOLS_MACHO_MACHO_H
#define SYMBOLS_MACHO_MACHO_H

#include <gprofx/symbols.h>

/* Kinds of images that differ here. */
enum { MACHO_OBJECT = 1, MACHO_CORE = 4, MACHO_FILESET = 12 };

enum { MACHO_NAME = 16, MACHO_UUID = 16 };

/* Bits of a section's flags, and the types in their lowest byte. */
enum {
	SECTION_TYPE = 0xff,
	SECTION_ZEROS = 1,
	SECTION_POINTERS = 6,      /* slots that the loader fills when it loads the image */
	SECTION_LAZY_POINTERS = 7, /* ... or when a function is called */
	SECTION_STUBS = 8,         /* code that jumps through slots */
	SECTION_LARGE_ZEROS = 12,
	SECTION_THREAD_ZEROS = 18,
	SECTION_SOME_CODE = 0x400
};
#define SECTION_ALL_CODE 0x80000000u

struct macho_section {
	char name[MACHO_NAME + 1], segment[MACHO_NAME + 1];
	uint64_t address, bytes;
	uint64_t file_offset, file_bytes; /* what the file has of it; offset in the whole file */
	uint32_t flags;
	uint32_t first_indirect; /* of pointers: where their symbols begin in the indirect table */
	bool is_code;            /* symbols in it name code */
};

/* A table that a load command names, as stated. */
struct macho_table {
	uint64_t offset, count; /* count: of bytes or of rows */
};

struct macho {
	struct gprofx *gx;
	const char *name;     /* of the file */
	const uint8_t *bytes; /* the part for this processor */
	uint64_t length;
	uint64_t at; /* where the part begins in the file */
	struct gprofx_target target;
	uint32_t kind;                    /* MACHO_OBJECT, ... */
	bool has_two_levels;              /* undefined symbols say which library has them */
	uint64_t commands_at;             /* of the first load command */
	uint64_t commands_past;           /* the end of the last one */
	uint32_t command_count;           /* each was checked to be inside of the commands' bytes */
	uint64_t header_address;          /* where the image has its own header */
	const uint8_t *uuid;              /* NULL: none */
	uint64_t hidden_at, hidden_bytes; /* the part of the file that is encrypted */
	struct macho_section *sections;
	uint32_t section_count;
	struct macho_table symbols, strings, indirect, starts, data_in_code;
	const char
		*names; /* the strings, with a NUL behind the last one; NULL: not opened, or none */
	uint64_t names_bytes;
	bool is_other; /* what is wrong with it is a warning: it is not the image itself */
};

/* A load command. */
struct macho_command {
	const uint8_t *bytes;
	uint32_t kind, length;
};

/* The part of a file for one processor, and where it begins. */
struct macho_part {
	uint64_t at, length;
};

/* Ends in GPROFX_FAILED after it reported what is wrong. */
#define MACHO_COMPLAIN(macho, diagnostic, ...)                                                  \
	((macho)->is_other ? (gprofx_warn((macho)->gx, diagnostic, __VA_ARGS__), GPROFX_FAILED) \
	                   : gprofx_fail((macho)->gx, diagnostic, __VA_ARGS__))

#define MACHO_AT(macho, word, where, advice)                          \
	(&(struct gprofx_diagnostic){.id = (word),                    \
	                             .file = (macho)->name,           \
	                             .place = GPROFX_AT_OFFSET,       \
	                             .offset = (macho)->at + (where), \
	                             .hint = (advice)})

/* The file is no image; its symbols cannot be read. */
#define MACHO_REJECT(macho, where, advice, ...) \
	MACHO_COMPLAIN(macho, MACHO_AT(macho, "image.not-an-object", where, advice), __VA_ARGS__)
#define MACHO_BAD_TABLE(macho, where, ...)                                                  \
	MACHO_COMPLAIN(macho, MACHO_AT(macho, "image.bad-symtab", where, macho_copy_again), \
	               __VA_ARGS__)

/* Advice for damaged files. */
extern const char macho_copy_again[];

/* fat.c: how sure the first bytes of a file are those of such an image. */
int macho_probe(const uint8_t *head, size_t bytes);
/* Names of processors for the option, "any" first; ends with NULL. */
extern const char *const macho_processors[];
/*
 * Finds the part of a file for the processor of this number in macho_processors, and warns of those
 * that "any" leaves out, unless it is_quiet.
 */
enum gprofx_result macho_choose(struct macho *macho, const struct gprofx_image *image,
                                uint32_t processor, bool is_quiet, struct macho_part *part);
/* Opens the part of another file of the build and machine of an image; false: none is sound. */
bool
macho_find_other(struct macho *macho, const struct gprofx_image *file, const struct macho *other);

/* image.c: takes a part of a file apart, whose first bytes fit. */
enum gprofx_result
macho_open(struct macho *macho, const struct gprofx_image *image, struct macho_part part);
/* Numbers in the byte order of the image. */
uint32_t macho_word(const struct macho *macho, const uint8_t *bytes);
uint64_t macho_address(const struct macho *macho, const uint8_t *bytes);
/* The first command, and the one behind another; false: there is none. */
bool macho_first(const struct macho *macho, struct macho_command *command);
bool macho_next(const struct macho *macho, struct macho_command *command);
/* Whether a table of rows of this size is inside of the image. */
bool macho_has(const struct macho *macho, const struct macho_table *table, uint32_t row_bytes);

/* code.c: states where code is, by ascending address. */
void macho_find_code(const struct macho *macho, struct gprofx_symtab *symtab);

/* symtab.c: fails if the symbol table or its names are not inside of the image. */
enum gprofx_result macho_check_symbols(const struct macho *macho);
/* Sets macho->names; the tables were checked. */
void macho_open_names(struct macho *macho);
uint32_t macho_count_functions(const struct macho *macho);
/*
 * Makes room and fills it with the functions of an image, by its own symbols or those of another
 * file about the same code, with those that have no names; and states marks.
 */
void macho_fill(const struct macho *macho, const struct macho *named, struct gprofx_symtab *symtab);

/* A row of the symbol table. */
struct macho_symbol {
	uint64_t name; /* offset in the names */
	uint64_t value;
	uint8_t type, section;
	uint16_t properties;
};

enum {
	SYMBOL_EXTERNAL = 1,
	SYMBOL_PLACE = 0x0e,
	SYMBOL_IN_SECTION = 0x0e,
	SYMBOL_DEBUG = 0xe0,
	SYMBOL_THUMB = 8 /* of its properties */
};

/* Whether it is in a section with code. */
bool macho_is_in_code(const struct macho *macho, const struct macho_symbol *symbol);
uint32_t macho_symbol_bytes(const struct macho *macho);
struct macho_symbol macho_symbol(const struct macho *macho, uint32_t index);

/* starts.c: where functions start, by a table that strippers leave. */
struct macho_starts {
	uint64_t *address; /* ascending, in code; bit 0: Thumb */
	bool *is_named;
	uint32_t count, nameless;
};

void macho_read_starts(const struct macho *macho, const struct gprofx_symtab *symtab,
                       struct macho_starts *starts);
/* Notes that a start has a name. */
void macho_name_start(struct macho_starts *starts, uint64_t address);
/* Appends those without one, for which there is room. */
void macho_fill_nameless(const struct macho *macho, const struct macho_starts *starts,
                         struct gprofx_symtab *symtab);

/* marks.c: states where code of Thumb and ARM, and data in code, begin. */
void macho_find_marks(const struct macho *macho, const struct macho *named,
                      const struct macho_starts *starts, struct gprofx_symtab *symtab);

/* libraries.c: the libraries that the image asks for, and where; slots, if they are wanted. */
void macho_find_libraries(const struct macho *macho, struct gprofx_symtab *symtab);
void macho_find_slots(const struct macho *macho, struct gprofx_symtab *symtab);

/*
 * debug.c: states where debug information is.  If that is in another file, returns true, and
 * "other" is that file, which has symbols, too.
 */
bool macho_find_debug(const struct macho *macho, struct gprofx_symtab *symtab, struct macho *other);

#endif
