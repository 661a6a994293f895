/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An ELF image taken apart: its header and sections in one form for both classes and byte orders.
 * Offsets and lengths of sections are as stated; only those marked "in_file" may be followed.
 */
#ifndef SYMBOLS_ELF_OBJECT_H
#define SYMBOLS_ELF_OBJECT_H

#include <elf.h>
#include <libelf.h>

#include <gprofx/symbols.h>

struct section {
	const char *name; /* NUL-terminated; "" if the image has no section names */
	uint64_t address; /* sign-extended where the target does so */
	uint64_t flags, offset, bytes, entry_bytes;
	uint32_t type, info;
	uint32_t link;    /* may be a reserved number above 0xff00 that is no section */
	uint32_t name_at; /* of the name in the table of section names */
	bool in_file;     /* offset and bytes lie inside the file */
};

struct object {
	struct gprofx *gx;
	const struct gprofx_image *image;
	struct gprofx_target target;
	Elf *elf;       /* NULL if the image has no sections */
	uint16_t type;  /* ET_EXEC, ... */
	uint32_t flags; /* of the machine */
	struct section *sections;
	uint32_t section_count;
	bool has_names; /* of sections */
	enum voice {
		VOICE_ERROR,
		VOICE_WARNING,
		VOICE_SILENT
	} voice; /* in which what is wrong with it is reported */
};

/* Symbols of the image as they stand in it, in the order of the table. */
struct symbol_table {
	const struct section *section; /* NULL: the image has no symbol table */
	const void *rows;    /* Elf32_Sym or Elf64_Sym in the host's byte order, maybe misaligned */
	uint32_t count;      /* with the empty row 0 */
	const char *strings; /* ends with a NUL; NULL if there are none */
	uint64_t strings_bytes;
};

/* Ends in GPROFX_FAILED after it reported what is wrong in the voice of the object. */
#define SYMELF_COMPLAIN(object, diagnostic, ...)                                 \
	((object)->voice == VOICE_ERROR                                          \
	         ? gprofx_fail((object)->gx, diagnostic, __VA_ARGS__)            \
	         : ((object)->voice == VOICE_WARNING                             \
	                    ? gprofx_warn((object)->gx, diagnostic, __VA_ARGS__) \
	                    : (void)0,                                           \
	            GPROFX_FAILED))

/* Likewise: the file is no image. */
#define SYMELF_REJECT(object, at, advice, ...)                                      \
	SYMELF_COMPLAIN(object,                                                     \
	                (&(struct gprofx_diagnostic){.id = "image.not-an-object",   \
	                                             .file = (object)->image->name, \
	                                             .place = GPROFX_AT_OFFSET,     \
	                                             .offset = (at),                \
	                                             .hint = (advice)}),            \
	                __VA_ARGS__)

/* The same: the image's symbols cannot be read.  library_words: GNU's, of its library. */
#define SYMELF_BAD_TABLE(object, at, library_words, ...)                            \
	SYMELF_COMPLAIN(object,                                                     \
	                (&(struct gprofx_diagnostic){.id = "image.bad-symtab",      \
	                                             .file = (object)->image->name, \
	                                             .place = GPROFX_AT_OFFSET,     \
	                                             .offset = (at),                \
	                                             .hint = symelf_copy_again,     \
	                                             .text = {(library_words)}}),   \
	                __VA_ARGS__)

/* The advice for damaged files. */
extern const char symelf_copy_again[];

/* object.c: opens an image; the caller ends with symelf_close() whatever the result is. */
enum gprofx_result
symelf_open(struct object *object, struct gprofx *gx, const struct gprofx_image *image);
/* The same of a file that need not be one: nothing is said. */
enum gprofx_result
symelf_try(struct object *object, struct gprofx *gx, const struct gprofx_image *image);
void symelf_close(struct object *object);
/*
 * The bytes of the strings in a section up to the end of the last one: what is behind it is no
 * string, and need not be searched for an end again and again.
 */
uint64_t symelf_strings_bytes(const struct object *object, const struct section *strings);
/* A section by its name, or NULL. */
const struct section *symelf_section(const struct object *object, const char *name);
/*
 * Items of the file in the host's byte order, or NULL when they cannot be had.  The range must lie
 * inside the file.
 */
const void *
symelf_items(const struct object *object, uint64_t offset, uint64_t bytes, Elf_Type type);
/* An address as the target extends those of 32 bits. */
uint64_t symelf_address(const struct object *object, uint64_t value);
/* Sections of this kind are bookkeeping of the format: no symbol can be in them. */
bool symelf_is_bookkeeping(const struct section *section);
bool symelf_is_code(const struct section *section);

/* symtab.c */
/*
 * Finds the symbol table of a type, SHT_SYMTAB or SHT_DYNSYM; table->section stays NULL if there
 * is none, or an empty one.
 */
enum gprofx_result
symelf_find_table(const struct object *object, uint32_t type, struct symbol_table *table);
/* Makes rows and strings available; fails on a table that cannot be read. */
enum gprofx_result symelf_open_table(const struct object *object, struct symbol_table *table);
/* Sets the names of a table whose section is in the file. */
void symelf_open_strings(const struct object *object, struct symbol_table *table);
/*
 * Appends the symbols that lie in code.  symtab must have room for table->count more rows.  Fails
 * when section numbers cannot be read.
 */
enum gprofx_result symelf_fill(const struct object *object, const struct symbol_table *table,
                               struct gprofx_symtab *symtab);
/* Row "index" in the form of 64-bit images. */
Elf64_Sym symelf_row(const struct object *object, const struct symbol_table *table, uint32_t index);
/* Its name, never NULL. */
const char *symelf_name(const struct symbol_table *table, const Elf64_Sym *row);

/* symbols-elf.c: opens a table that was found, makes room in symtab and appends all that it names.
 */
enum gprofx_result symelf_fill_all(const struct object *object, struct symbol_table *table,
                                   struct gprofx_symtab *symtab);

/* debug-symbols.c: the same of the separate debug file of a stripped image, if there is one. */
void symelf_fill_separate(const struct object *stripped, struct gprofx_symtab *symtab,
                          const char *folders);

/* opd.c: function descriptors of 64-bit PowerPC. */
/* The section of descriptors, or NULL if the image's calling convention has none. */
const struct section *symelf_opd(const struct object *object);
/* How many symbols symelf_opd_fill() can append. */
uint32_t symelf_opd_count(const struct object *object, const struct symbol_table *table,
                          const struct section *opd);
/* Appends a symbol ".name" at the code that each named descriptor points to. */
enum gprofx_result symelf_opd_fill(const struct object *object, const struct symbol_table *table,
                                   const struct section *opd, struct gprofx_symtab *symtab);

/* modes.c: marks the sets of instructions in code of MIPS, if there are several. */
void symelf_modes(const struct object *object, const struct symbol_table *table,
                  struct gprofx_symtab *symtab);

/* slots.c: states the GOT slots. */
void symelf_find_slots(const struct object *object, struct gprofx_symtab *symtab);

/* libraries.c: states which libraries the image asks for, and its own name. */
void symelf_find_libraries(const struct object *object, struct gprofx_symtab *symtab);

/* versions.c: which library has a function of another object. */
enum { VERSIONS = 256 }; /* sound images have some dozens */
struct versions {
	const struct object *object;
	const uint8_t *of_symbol; /* the version of each dynamic symbol, symbol_count of them */
	uint64_t symbol_count;
	const char *file[VERSIONS]; /* the library that has a version; NULL: not known */
	const char *unversioned;    /* the library of symbols without a version, likewise */
};
/* With the libraries that the image asks for; run lifetime. */
struct versions *
symelf_open_versions(const struct object *object, const struct gprofx_symtab *symtab);
/* The library of a dynamic symbol that is not in the image, or NULL. */
const char *symelf_library_of(const struct versions *versions, uint32_t symbol);

/* build-id.c: the build ID that the linker wrote into a note; NULL: there is none that is sound. */
const uint8_t *symelf_build_id(const struct object *object, uint32_t *count);

/* architecture.c: what the GNU binutils call the image's machine; NULL: they do not know it. */
const char *symelf_architecture(const struct object *object);

#endif
