/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Symbol providers (symbols-*): name the addresses of an image and find their source positions.
 *
 * A provider fills arrays in bulk.  The host decides which symbols are functions of the report,
 * what happens to several names of one address, and where a symbol ends.
 */
#ifndef GPROFX_SYMBOLS_H
#define GPROFX_SYMBOLS_H

#include <gprofx/reader.h> /* IWYU pragma: export */

#ifdef __cplusplus
extern "C" {
#endif

/* A section of an image, or of a file that belongs to it, with debug information. */
struct gprofx_debug_section {
	const char *name; /* as ELF files name it: ".debug_info", ".stabstr"; run lifetime */
	uint64_t file_offset, bytes; /* inside of the file */
};

/*
 * An image file, mapped or read completely; or another file that names its addresses.
 * Lifetime: run.
 */
struct gprofx_image {
	uint32_t size;
	const char *name; /* path as the user gave it */
	uint8_t *bytes;   /* length bytes; private to the process, may be written */
	uint64_t length;
	/*
	 * Of an image whose source positions are asked for, what its provider stated: which machine
	 * it is of, and the sections with debug information.  NULL and 0: not known, or the
	 * provider of positions finds them itself.
	 */
	const struct gprofx_target *target;
	const struct gprofx_debug_section *debug;
	uint32_t debug_count;
};

/* Properties of one symbol. */
enum gprofx_symbol_flag {
	GPROFX_SYMBOL_LOCAL = 1,     /* static: not visible to other object files */
	GPROFX_SYMBOL_FUNCTION = 2,  /* typed as a function */
	GPROFX_SYMBOL_SYNTHETIC = 4, /* made up by the provider (entry of a function descriptor) */
	/*
	 * Typed as data, though it is in code; or outside of code, and not typed as a function.
	 */
	GPROFX_SYMBOL_DATA = 8,
	/*
	 * No function of a report, but the name of code: an indirect function, whose symbol is that
	 * of its resolver, or a unique one.  Only if symtab->wants_labels.
	 */
	GPROFX_SYMBOL_LABEL = 16
};

/*
 * A range of the image that holds code.
 */
struct gprofx_code_range {
	uint64_t address, bytes;
	uint64_t file_offset; /* of the first byte in the image file */
	const char *name;     /* of the section; run lifetime */
};

/*
 * A GOT slot: the loader writes the address of a function into it, and code calls the function
 * through it.
 */
struct gprofx_slot {
	uint64_t address;
	uint64_t function; /* entry of the function; 0: it is not in the image */
	const char *name;  /* of the function, raw; run lifetime; NULL: only "function" is known */
	/* The library that has the function, as the image names it; run lifetime; NULL: not known.
	 */
	const char *library;
};

/* Rows reserved by gprofx_symtab_builder.reserve: parallel arrays, one element per symbol. */
struct gprofx_symbol_rows {
	uint64_t *address; /* first address, without mode bits (Thumb, MIPS16) */
	uint64_t *bytes;   /* size as the image states it, 0: not stated */
	const char **name; /* NUL-terminated, raw (mangled); run lifetime */
	uint8_t *flags;    /* enum gprofx_symbol_flag */
};

struct gprofx_code_mark;

/*
 * The symbols of an image in the order of its symbol table, and facts about the image.  The
 * provider sets the members; "builder" belongs to the host.
 */
struct gprofx_symtab {
	uint32_t size;
	const struct gprofx_symtab_builder *builder;
	struct gprofx_target target;
	bool has_text; /* the image has a section named .text */
	/* The image carries, or points to, source positions in DWARF. */
	bool has_source;
	bool leading_underscore; /* names of C functions carry one more '_' in this format */
	bool untyped_format; /* the format has no function type; all symbols count as functions */
	uint64_t text_start, text_end; /* of the section named .text; end: address after the last */
	/* The table that names point into, for the range check of neighboring strings; or NULL. */
	const char *strings;
	uint64_t strings_bytes;
	/* Executable ranges by ascending address; run lifetime. */
	const struct gprofx_code_range *code;
	uint32_t code_count;
	/* Set through the builder. */
	struct gprofx_symbol_rows rows;
	uint32_t count; /* rows filled by the provider, at most what was reserved */
	/*
	 * Set through the builder: for each row the number of the object file that a local symbol
	 * was defined in; 0, as for all others: not known.
	 */
	uint32_t *unit;

	/* Set by the host. */
	/*
	 * The image's names are taken from another file: only facts about the image are used, and
	 * errors in its symbols do not matter.  Rows are ignored.
	 */
	bool facts_only;
	/* Text is read by GNU gprof's rules; what does not match them is not reported. */
	bool strict;

	/* Set by the provider. */
	/* The build ID that the linker wrote; run lifetime; NULL: none. */
	const uint8_t *build_id;
	uint32_t build_id_bytes;
	uint32_t machine_flags; /* e_flags of an ELF image; 0: not known */
	/*
	 * The GNU binutils' name of the image's machine, such as "riscv:rv64": GNU gprof prints it
	 * in a message.  Static, or run lifetime; NULL: they do not know it, or the provider does
	 * not.
	 */
	const char *architecture;
	/*
	 * Where instruction sets and data in code start, if the image says so by other means than
	 * symbols whose names start with '$'; in any order; run lifetime.  See gprofx/findcall.h.
	 */
	const struct gprofx_code_mark *marks;
	uint32_t mark_count;

	/* Set by the host: it asks for the members below. */
	bool wants_slots;

	/* Set by the provider. */
	/* Slots, in any order; run lifetime. */
	const struct gprofx_slot *slots;
	uint32_t slot_count;
	/*
	 * The base to which code adds an offset, by the rules of the machine, to address a slot:
	 * i386: _GLOBAL_OFFSET_TABLE_; MIPS: _gp; 64-bit PowerPC: .TOC.  0: not known.
	 */
	uint64_t linkage_base;

	/* Set by the host: rows that are labels are asked for, too. */
	bool wants_labels;

	/* Set by the provider. */
	/*
	 * Shared libraries that the image itself asks for (DT_NEEDED; imported DLLs), in the
	 * image's order, by its names for them; together no longer than the file.  Run lifetime.
	 */
	const char *const *libraries;
	uint32_t library_count;
	/* The name that the image has as a library (DT_SONAME); run lifetime; NULL: it has none. */
	const char *library_name;
	/*
	 * The folders in which the image asks for its libraries first (DT_RUNPATH, else DT_RPATH),
	 * with colons between them, as the image has it; run lifetime; NULL: none.
	 */
	const char *run_path;
	/*
	 * The file that has the symbols, if the provider found them in another one that belongs to
	 * the image, such as a separate debug file, and its length.  Run lifetime; NULL: they are
	 * in the image, or there are none.
	 */
	const char *symbols_file;
	uint64_t symbols_file_bytes;

	/*
	 * Set by the host: where the image has no symbols for linking any more (it is stripped),
	 * and no other file has them either, those that it exports are wanted.
	 */
	bool wants_exported;

	/* Set by the provider. */
	bool has_exported; /* rows are what the image exports, and no other functions */
	/*
	 * Source positions are in stabs, in the sections ".stab" and ".stabstr" of "debug":
	 * entries of 12 bytes in the byte order of the machine, and the strings that they name.
	 */
	bool has_stabs;
	/*
	 * Where debug information is, for providers of positions that do not know the format of
	 * the image: DWARF is listed of images that are not ELF.  In any order; run lifetime.
	 */
	const struct gprofx_debug_section *debug;
	uint32_t debug_count;
	/* The file that has these sections; run lifetime; NULL: the image has them itself. */
	const char *debug_file;
	/*
	 * What to do where there are no source positions, an imperative; static, or run lifetime;
	 * NULL: compile the program with -g.
	 */
	const char *lines_hint;
};

struct gprofx_symtab_builder {
	uint32_t size;
	/*
	 * Makes room for "count" rows in total and sets symtab->rows.  Call it once, with a number
	 * that the image's own size justifies.  Never fails.
	 */
	void (*reserve)(struct gprofx *gx, struct gprofx_symtab *symtab, uint32_t count);
};

/*
 * Source positions of addresses: "address" is given, "file" and "line" are filled by the provider.
 */
struct gprofx_positions {
	uint32_t size;
	const struct gprofx_positions_builder *builder;
	uint32_t count;
	const uint64_t *address; /* ascending */
	uint32_t *file;          /* number from builder->file, or 0: unknown */
	uint32_t *line;          /* from 1, or 0: unknown */
	/*
	 * Set by the host: line programs of DWARF 5 start in file 0, as for GNU gprof, and not in
	 * file 1.
	 */
	bool begins_in_file_0;
	/*
	 * Set by the host: stabs are read as by GNU gprof, for which lines do not end before others
	 * begin, and functions that stand in another order than their stabs have none.
	 */
	bool in_order_of_stabs;
	/*
	 * Set by the host: functions that GNU gprof does not find are not known, and have no lines
	 * where it asks debug information alone, as of images that are not ELF.
	 */
	bool strict;
};

struct gprofx_positions_builder {
	uint32_t size;
	/* The number of a source file; equal paths have equal numbers.  The path is copied. */
	uint32_t (*file)(struct gprofx *gx, struct gprofx_positions *positions, const char *path);
	/*
	 * The address of the image's last symbol of a name, as in the symbol table; false: there is
	 * none.
	 */
	bool (*address_of)(struct gprofx *gx, struct gprofx_positions *positions, const char *name,
	                   uint64_t *address);
};

/*
 * Rows of gprofx_lines, parallel arrays: each row is about the code from its address to below that
 * of the next one.
 */
struct gprofx_line_rows {
	uint64_t *address; /* ascending, unique; on 32-bit machines not sign-extended */
	uint32_t *file;    /* number from builder->file, or 0: the line is not known */
	uint32_t *line;    /* from 1; 0: not known, in a known file also by other providers */
	/*
	 * The innermost function or inlined instance that contains the code: number from
	 * builder->name, or 0: the debug information has no name for it.  NULL if lines->nameless.
	 */
	uint32_t *name;
	/*
	 * The innermost inlined instance that contains the code: number from builder->inlined, or
	 * 0: the code is that of the function itself, or the debug information does not say.  NULL
	 * unless lines->wants_inlined.
	 */
	uint32_t *inlined;
};

/*
 * The lines of all code of an image, in one go.  "builder" belongs to the host, the provider fills
 * rows and count.
 */
struct gprofx_lines {
	uint32_t size;
	const struct gprofx_lines_builder *builder;
	struct gprofx_line_rows rows;
	uint32_t count; /* rows filled, at most what was reserved */
	/* Set by the host: functions that GNU gprof does not find are not known. */
	bool strict;
	/*
	 * Set by the host: line programs of DWARF 5 start in file 0, as for GNU gprof, and not in
	 * file 1.
	 */
	bool begins_in_file_0;
	/* Set by the host: it asks for inlined instances. */
	bool wants_inlined;
	/* Set by the host: names of functions are not used, and there is no room for them. */
	bool nameless;
	bool in_order_of_stabs; /* as in struct gprofx_positions */
};

struct gprofx_lines_builder {
	uint32_t size;
	/*
	 * Makes room for "count" rows in total and sets lines->rows.  Call it once, with a number
	 * that the debug information's own size justifies.  Never fails.
	 */
	void (*reserve)(struct gprofx *gx, struct gprofx_lines *lines, uint32_t count);
	/* The number of a source file; equal paths have equal numbers.  The path is copied. */
	uint32_t (*file)(struct gprofx *gx, struct gprofx_lines *lines, const char *path);
	/*
	 * The number of a function's name as in symbol tables (mangled); equal names have equal
	 * numbers.  The name is copied.
	 */
	uint32_t (*name)(struct gprofx *gx, struct gprofx_lines *lines, const char *name);
	/*
	 * The number of the name of the image's symbol that starts at an address, which is not
	 * sign-extended; 0: there is none.
	 */
	uint32_t (*name_at)(struct gprofx *gx, struct gprofx_lines *lines, uint64_t address);
	/*
	 * The number of an inlined instance; equal ones have equal numbers.  into: number of the
	 * name of the function or instance that it was inlined into, 0: not known; file and line:
	 * of the call that it stands for, numbered as in rows, both 0: not known; parent: number of
	 * the instance that it was inlined into, 0: it was inlined into a function.
	 */
	uint32_t (*inlined)(struct gprofx *gx, struct gprofx_lines *lines, uint32_t into,
	                    uint32_t file, uint32_t line, uint32_t parent);
	/* As in struct gprofx_positions_builder. */
	bool (*address_of)(struct gprofx *gx, struct gprofx_lines *lines, const char *name,
	                   uint64_t *address);
};

struct gprofx_symbols {
	uint32_t size;
	/*
	 * How sure the provider is, 0 … 100, that it knows this kind of image; head: its first
	 * bytes.
	 */
	int (*probe)(const uint8_t *head, size_t bytes);
	/*
	 * Fills symtab with every symbol in code.  Symbols of the wrong kind (data, files,
	 * sections, undefined) are left out by the provider.  NULL: the provider has positions
	 * only.
	 *
	 * The file can also be one that names the addresses of an image (-S): another image, or
	 * what a provider without a probe, which is asked for by name, makes of it.  Facts about
	 * the image are then taken from the image itself.
	 */
	enum gprofx_result (*load)(struct gprofx *gx, const struct gprofx_image *image,
	                           struct gprofx_symtab *symtab, const void *options);
	/*
	 * Fills file and line for each address.  An address the debug information does not cover
	 * stays 0.  A file without a line: the line is not known, and other providers are not
	 * asked.  NULL: the provider knows no source positions.
	 */
	enum gprofx_result (*locate)(struct gprofx *gx, const struct gprofx_image *image,
	                             struct gprofx_positions *positions, const void *options);
	/*
	 * Fills lines with those of all code, from the same information as locate, and with the
	 * same answers.  NULL: the provider knows none.
	 */
	enum gprofx_result (*lines)(struct gprofx *gx, const struct gprofx_image *image,
	                            struct gprofx_lines *lines, const void *options);
};

#ifdef __cplusplus
}
#endif

#endif
