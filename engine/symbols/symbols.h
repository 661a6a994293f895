/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The symbols of a run: one per address, by ascending address, with what is known about them.
 */
#ifndef ENGINE_SYMBOLS_SYMBOLS_H
#define ENGINE_SYMBOLS_SYMBOLS_H

#include "base/compiler.h"
#include "base/run.h"

enum { NO_SYMBOL = UINT32_MAX, SYMBOL_MORE_ROWS = 2 };

/* Flags of symbols that are the host's own; beside enum gprofx_symbol_flag. */
enum { SYMBOL_FOLDED = 0x80, SYMBOL_FRAGMENT = 0x40, SYMBOL_IS_FILE = 0x20, SYMBOL_LINE = 0x10 };

/* Addresses are given to objects in units of 4 GiB: see layout.c. */
enum { LAYOUT_UNIT_BITS = 32 };

struct source_file {
	const char *path;
	const char *base; /* the part after the last slash */
	uint32_t next;    /* of the same hash, or 0 */
};

/* Why a row of the provider's table is a symbol of the report, or is none. */
enum symbol_fate {
	FATE_KEPT,
	FATE_STATIC,   /* local, and these are not wanted */
	FATE_UNTYPED,  /* local and without a type, likewise */
	FATE_CLONE,    /* made from another function, likewise */
	FATE_NAME,     /* GNU gprof knows no such names */
	FATE_NAMELESS, /* its name is empty */
	FATE_LABEL,    /* a label inside of a function */
	FATE_MAPPING,  /* distinguishes instructions from data: no symbol of the program at all */
	FATE_UNCALLED, /* maybe a label: it has no type and no size, and nothing calls it */
	FATE_DATA,     /* outside of code */
	FATE_MAP,      /* the map of files leaves it out */
	FATES
};

struct late_image;
struct late_images;
struct wanted_function;

/* What a map of files says: see map.c. */
struct file_map {
	uint32_t count, room;
	struct map_entry {
		const char *file, *name;
		bool stands_for_file;
	} * entries;       /* in the order of the map */
	uint32_t *by_name; /* entries by name */
};

/* Ascending addresses, and where to begin looking for one: see lookup.c. */
struct address_blocks {
	const uint64_t *address;
	uint64_t origin; /* the first of them */
	uint32_t *first; /* per block the last one at or below its start; one item more */
	uint32_t count, block_count, shift;
};

/* What the provider of an image states about its debug information. */
struct image_debug {
	struct gprofx_target target;
	const struct gprofx_debug_section *sections;
	uint32_t section_count;
	const char *file; /* that has them; NULL: the image */
	bool has_stabs;
};

/*
 * A file that code is of: the program, or an object beside it, such as a shared library.  The
 * program is where it was linked, others stand side by side behind it: see layout.c.
 */
struct symbol_image {
	const char *path;         /* as the user gave it */
	const char *name;         /* without folders */
	const char *library_name; /* that it has itself; NULL: none */
	uint64_t bytes;           /* length of the file, and of that of its symbols */
	const char *symbols_file; /* that has its symbols, if it is another one; or NULL */
	bool has_source;          /* of another object than the program: it has source positions */
	struct image_debug debug; /* likewise */
	/* Of others than the program: from where to where, and what moves its addresses there. */
	uint64_t first, past, base;
	const struct late_image *late; /* the one of a reader that it is, or a part of; or NULL */
	const char *rest;              /* the row of its code without a symbol, or NULL */
	const uint8_t *build_id;       /* of other objects; run lifetime; NULL: not known */
	uint32_t build_id_bytes;
	/* Where its own file has code, as linked; of the program and of objects. */
	const struct gprofx_code_range *code;
	uint32_t code_count;
	uint32_t first_symbol;
	struct address_blocks blocks; /* of its symbols, from the first one on */
};

/*
 * A row of the table for a function of another object: the stub that code calls it by, or, where
 * there is none, the slot that its address is in.
 */
struct symbol_import {
	uint64_t callee; /* address of the function itself or of its first stub, if not the row's */
	bool is_slot;
	const char
		*library; /* that has it, as far as is known; NULL: the image has it, or unknown */
};

/* What a GOT slot stands for. */
struct symbol_slot {
	uint64_t address;
	uint64_t callee; /* address of a function, a stub, or of the slot itself */
};

/* What the table of an image says about code. */
struct code_name {
	uint64_t address, bytes;
	const char *name;
	uint8_t flags; /* enum gprofx_symbol_flag */
};

/* A symbol that is no function, but has a name for code. */
struct symbol_label {
	struct code_name is;
	uint32_t before; /* row of the table that it stood before */
};

/* A library that is asked for. */
struct needed_library {
	const char *name; /* as it is asked for */
	const char *file; /* NULL: not found, or of the system */
};

struct symbols {
	struct gprofx_image image;
	struct gprofx_image list;           /* what has the names; the image if there is no list */
	const struct gprofx_image *located; /* what has the source positions */
	struct gprofx_image debug_image;    /* which is this, if it is another file */
	bool is_stripped; /* a program was named, but has no symbols: the profiles stand alone */
	bool is_literal;  /* all symbols of the list count, under the names that they have there */
	int64_t image_modified; /* when it was written, in seconds since 1970; 0: not known */
	/* As the provider of the names filled it, with the facts about the image. */
	struct gprofx_symtab table;
	/* Addresses of more than one section of code: overlays, of which one is loaded at a time.
	 */
	struct symbol_overlays {
		uint64_t low, past;         /* of all of them; equal: there are none */
		const char *first, *second; /* names of the first two sections */
		uint32_t sections;
	} overlays;
	uint32_t reserved;           /* rows that the table has room for */
	struct symbol_label *labels; /* in the order of the table, which has them no more */
	uint32_t label_count;
	/* Names of the table that are versions for processors of what a library exports. */
	const char **variants;
	uint32_t variant_count, variant_room;
	/* Libraries that the program needs: see needed.h; none before they were looked for. */
	struct needed_library *needed;
	uint32_t needed_count;
	/* The program, then others, in the order in which they were named: see objects.c. */
	struct symbol_image *images;
	uint32_t image_count;
	uint64_t others_first, others_bytes; /* where the others are; no bytes: there are none */
	struct address_blocks others;        /* where each of them begins */
	struct address_blocks program;       /* those of the first image: most lookups are there */
	struct late_images *late;            /* that readers brought: see late.h; NULL: none */
	/* Rows of the table from the first one on, and slots by ascending address: see imports.c.
	 */
	struct symbol_import *imports;
	uint32_t import_first_row, import_count;
	struct symbol_slot *slots;
	uint32_t slot_count;

	/*
	 * One row per symbol, and SYMBOL_MORE_ROWS more, which "count" leaves out: the first stands
	 * for what lies in no symbol, and its address is the first one behind the last symbol; the
	 * second for whatever is called through a pointer that code tells nothing about.
	 */
	uint32_t count;
	uint64_t *address; /* ascending, unique */
	uint64_t *end;     /* last address; of the last symbol it can lie below its start */
	uint64_t *bytes;   /* size as the image states it, 0: not stated */
	const char **name;
	uint8_t *flags;             /* enum gprofx_symbol_flag */
	uint32_t *row;              /* of the provider's table */
	const struct file_map *map; /* or NULL */
	/* With a map: per row of the provider's table the name that it had before. */
	const char **own_name;
	uint32_t own_name_count; /* rows behind them have their own names */
	/*
	 * Per symbol, and for the rows behind them, the one that its samples and calls belong to:
	 * mostly itself; NULL: each is its own.
	 */
	uint32_t *owner;
	/*
	 * Per symbol, where lines are among them: the function that it is a part of, mostly itself;
	 * NO_SYMBOL: a line of none.  NULL: every symbol is a whole.
	 */
	uint32_t *whole;
	/*
	 * While lines of source are being added, per row of the provider's table: the name that the
	 * debug information has for the function; NULL: none.
	 */
	const char **source_name;

	/* Rows of the provider's table that were accepted, in its order; for the order of files. */
	uint32_t *accepted;
	uint32_t accepted_count;
	uint8_t *fate; /* per row of the provider's table: enum symbol_fate */

	/* Source positions, once symbols_locate() ran; 0: unknown. */
	bool is_located, has_provider;
	uint32_t opened_positions; /* bits of kinds of them whose provider was asked for */
	uint32_t *file, *line;
	/*
	 * Per symbol the inlined instance that it is of, 0: none; NULL: not known.  What each
	 * instance was inlined into, and by which call.
	 */
	uint32_t *inlined;
	struct inlined_instance {
		const char *into; /* a function's name, or NULL */
		uint32_t file, line, parent;
	} * instances; /* number 0 is not used */
	uint32_t instance_count, instance_room;
	bool keeps_inlined;                /* what is read of them is for several stages */
	struct inlined_code *kept_inlined; /* that, once it was read, or NULL */
	/* In reports by line: files in the order in which they appear first. */
	uint32_t *file_order;
	uint32_t file_order_count;
	uint8_t *asked;            /* whether a symbol's position was asked for */
	struct source_file *files; /* number 0 is not used */
	uint32_t file_count, file_room;
	uint32_t *file_hash; /* first file of each hash value, or 0 */
	uint32_t file_hash_size;
};

/* The row of what is called indirectly. */
static inline uint32_t
symbols_indirect(const struct symbols *symbols)
{
	return symbols->count + 1;
}

/* The function that a symbol is a line of; of all else, rows behind the symbols too, itself. */
static inline uint32_t
symbols_whole(const struct symbols *symbols, uint32_t symbol)
{
	bool has_whole = symbols->whole && symbol < symbols->count &&
	                 symbols->whole[symbol] != NO_SYMBOL;

	return has_whole ? symbols->whole[symbol] : symbol;
}

/* What a symbol is imported by; NULL: it is a function of the program or of an object. */
static inline const struct symbol_import *
symbols_import(const struct symbols *symbols, uint32_t symbol)
{
	/* Rows below the first one wrap to large numbers, as do those that are none. */
	uint32_t import = symbols->import_count > 0 && symbols->row && symbol < symbols->count
	                          ? symbols->row[symbol] - symbols->import_first_row
	                          : NO_SYMBOL;

	return import < symbols->import_count ? &symbols->imports[import] : NULL;
}

/*
 * Finds the GOT slots, unless they are known or were looked for: what leads where, without any more
 * symbols.
 */
void symbols_find_slots(struct run *run, struct symbols *symbols);

/* What a profile has of PLT stubs. */
struct stub_needs {
	/* Whether any sample or frame can lie from "low" to below "past". */
	bool (*is_hit)(void *hits, uint64_t low, uint64_t past);
	void *hits;
	struct wanted_function *named; /* frames by name, as "exp@plt": see by-name.h */
	uint32_t named_count;
};

/*
 * Names PLT stubs that the profile needs, as "exp@plt", unless all have names already: they become
 * symbols, and others get new numbers.  Returns whether there are any.
 */
bool symbols_name_stubs(struct run *run, struct symbols *symbols, const struct stub_needs *needs);

/* A PLT stub, and the number of the slot that it jumps through. */
struct symbol_stub {
	uint64_t address, bytes;
	uint32_t slot;
};

/*
 * The stubs of the image, by section, found by the scanner for its machine, if there is one; the
 * rows have run lifetime.
 */
struct symbol_stub *symbols_stubs(struct run *run, const struct symbols *symbols, uint32_t *count);

/* The slot at an address, or NULL. */
const struct symbol_slot *symbols_slot(const struct symbols *symbols, uint64_t address);

/* The function that what a symbol does counts for: that of a line, that of a clone. */
static inline uint32_t
symbols_function(const struct symbols *symbols, uint32_t symbol)
{
	uint32_t whole = symbols_whole(symbols, symbol);

	return symbols->owner && whole < symbols->count ? symbols->owner[whole] : whole;
}

/* The image as scanners of its code get it, by no rules of GNU gprof's and for calls of all kinds.
 */
struct gprofx_scanned_image symbols_scanned_image(const struct symbols *symbols);

/*
 * Opens the image and reads its symbols.  NULL after an error was reported.  If no provider knows
 * the file, and is_profile says that it is a profile that needs no program, there is no program;
 * nor if it has no symbols, and can_do_without says that the profiles do not need it.
 */
struct symbols *
symbols_load(struct run *run, bool (*is_profile)(struct run *run, const struct gprofx_file *file),
             bool (*can_do_without)(struct run *run));

/* Symbols of no program, of which there are none yet. */
struct symbols *symbols_without_image(struct run *run);

/* Makes names the symbols of no program: one for each, in this order; run lifetime. */
void symbols_set_names(struct run *run, struct symbols *symbols, const char *const *names,
                       uint32_t count);

/* The symbol that has the row of a line: the first piece of its code; of all else, itself. */
static inline uint32_t
symbols_first_piece(const struct symbols *symbols, uint32_t symbol)
{
	bool is_piece = symbols->owner && symbol < symbols->count &&
	                (symbols->flags[symbol] & SYMBOL_LINE);

	return is_piece ? symbols->owner[symbol] : symbol;
}

/* Whether there is a program. */
static inline bool
symbols_have_image(const struct symbols *symbols)
{
	return symbols->image.name != NULL;
}

/* How many other objects there are beside the program. */
static inline uint32_t
symbols_objects(const struct symbols *symbols)
{
	return symbols->image_count > 1 ? symbols->image_count - 1 : 0;
}

/* Whether an address is none of another object than the program. */
static inline bool
symbols_is_program(const struct symbols *symbols, uint64_t address)
{
	/* What lies below wraps to more bytes than there are. */
	return address - symbols->others_first >= symbols->others_bytes;
}

/*
 * What is of no image has a place of its own, the first, by its last bits, so that addresses mostly
 * stay apart.
 */
static inline uint64_t
symbols_nowhere(const struct symbols *symbols, uint64_t address)
{
	return symbols->others_first + (address & (((uint64_t)1 << LAYOUT_UNIT_BITS) - 1));
}

static inline bool
symbols_is_nowhere(const struct symbols *symbols, uint64_t address)
{
	return symbols->others_bytes > 0 &&
	       address - symbols->others_first < (uint64_t)1 << LAYOUT_UNIT_BITS;
}

/* An address as the target keeps it, with a slide taken off. */
static inline uint64_t
symbols_unslid(const struct gprofx_target *target, uint64_t address, uint64_t slide)
{
	address -= slide;
	if (target->pointer_bytes == 4)
		address = target->sign_extends ? (uint64_t)(int64_t)(int32_t)(uint32_t)address
		                               : (uint32_t)address;
	return address;
}

/* Where an address of an object is, or of the program (NULL), by which others are distinguished. */
uint64_t
symbols_location(const struct symbols *symbols, const struct symbol_image *image, uint64_t address);

/*
 * Moves a range of them.  False: it is not near the code of its object, or it is the program's and
 * reaches to where others are.  An empty one can be anywhere.
 */
bool symbols_move_range(const struct symbols *symbols, const struct symbol_image *image,
                        uint64_t *low, uint64_t *past);

/* Lets images that come later begin behind an address, unless there are no others at all. */
void symbols_keep_free(struct symbols *symbols, uint64_t past);

/* The last image that begins at or below an address that is not of the program. */
const struct symbol_image *symbols_other_image_at(const struct symbols *symbols, uint64_t address);

static inline const struct symbol_image *
symbols_image_at(const struct symbols *symbols, uint64_t address)
{
	return symbols_is_program(symbols, address) ? symbols->images
	                                            : symbols_other_image_at(symbols, address);
}

/* The object of that path, or of a symbol; NULL: there is none, it is the program's. */
const struct symbol_image *symbols_object_by_path(const struct symbols *symbols, const char *path);

static inline const struct symbol_image *
symbols_object_of(const struct symbols *symbols, uint32_t symbol)
{
	return symbol >= symbols->count || symbols_is_program(symbols, symbols->address[symbol])
	               ? NULL
	               : symbols_other_image_at(symbols, symbols->address[symbol]);
}

/*
 * The address in .text from which on symbols name code.  To BFD, and so to GNU gprof, data in front
 * of that has no position in the source, unless the debug information knows a function there.
 */
uint64_t symbols_named_from(const struct symbols *symbols);

/* Whether there are local symbols: an image without them has no name for many of its functions. */
static inline bool
symbols_has_locals(const struct symbols *symbols)
{
	for (uint32_t i = 0; i < symbols->table.count; i++)
		if (symbols->table.rows.flags[i] & GPROFX_SYMBOL_LOCAL)
			return true;
	return false;
}

/* Whether the image names a function, which it has or imports. */
bool symbols_mention(const struct symbols *symbols, const char *name);
/* Whether the image names no function that programs compiled with -pg call. */
bool symbols_lack_profiling(const struct symbols *symbols);
/* Whether it names none that counts their calls: linking with -pg alone does not need one. */
bool symbols_lack_counting(const struct symbols *symbols);
/* Whether a name, which is the very text of the table, is such a version; see readable.h. */
bool symbols_is_variant(const struct symbols *symbols, const char *name);
/* Whether there is a "gprofx record" for the machine of the image. */
bool symbols_can_record(const struct symbols *symbols);

/* The symbol that holds an address, or NO_SYMBOL. */
uint32_t symbols_lookup(const struct symbols *symbols, uint64_t address);

/* The symbol that begins at an address, or NO_SYMBOL. */
uint32_t symbols_at(const struct symbols *symbols, uint64_t address);

/*
 * Fetches what looking up an address will need: first where its block begins, some lookups later
 * what is there.
 */
/* Those of the image that an address is of. */
static inline const struct address_blocks *
symbols_blocks_at(const struct symbols *symbols, uint64_t address)
{
	return symbols_is_program(symbols, address)
	               ? &symbols->program
	               : &symbols_other_image_at(symbols, address)->blocks;
}

static FETCHING void
symbols_fetch_block(const struct symbols *symbols, uint64_t address)
{
	const struct address_blocks *blocks = symbols_blocks_at(symbols, address);
	uint64_t block = (address - blocks->origin) >> blocks->shift;

	if (block < blocks->block_count)
		PREFETCH(&blocks->first[block]);
}

static FETCHING void
symbols_fetch(const struct symbols *symbols, uint64_t address)
{
	const struct address_blocks *blocks = symbols_blocks_at(symbols, address);
	uint64_t block = (address - blocks->origin) >> blocks->shift;
	const uint64_t *nearest;

	if (block >= blocks->block_count)
		return;
	nearest = &blocks->address[blocks->first[block]];
	PREFETCH(nearest);
	PREFETCH(&symbols->end[nearest - symbols->address]);
}

/*
 * Whose samples an address holds: space i, from start[i] to below start[i + 1], is that of symbol
 * owner[i], or of symbol i where owner is NULL.
 */
struct symbol_spaces {
	const uint64_t *start; /* ascending; one item more than there are spaces */
	const uint32_t *owner; /* NO_SYMBOL: samples here are outside of all symbols, as are those
	                          below and above all spaces; LOST_SYMBOL: they are not shown */
	uint32_t count;
	bool shows_outside; /* whether samples outside are shown */
};

enum { LOST_SYMBOL = UINT32_MAX - 1 };

struct symbol_spaces symbols_spaces(struct run *run, const struct symbols *symbols);

/* The symbol whose space an address is in; NO_SYMBOL: it is in none. */
uint32_t symbols_space_owner(const struct symbol_spaces *spaces, uint64_t address);

/* What shows where the code of a function ends before its space does. */
struct code_fills {
	const struct symbols *symbols;
	struct gprofx_scanned_image image;
	uint64_t (*fill)(const struct gprofx_code *code, uint64_t stated); /* or NULL */
	bool is_open;
};

/*
 * Opens the scanner for the machine, unless that was done; if there is none, or it does not know,
 * nothing is said.
 */
void symbols_open_fills(struct run *run, struct code_fills *fills);

/*
 * How many bytes before an address are never executed since they only fill up what is behind a
 * function: one whose space, or a part of it, reaches from "start" up to the address.  From any
 * thread.
 */
uint64_t symbols_fill_before(const struct code_fills *fills, uint64_t start, uint64_t past);

/* Code in no function, and everything behind the last one.  Ascending, disjoint. */
struct symbol_gaps {
	struct symbol_gap {
		uint64_t start, end; /* first address, address after the last */
	} * items;
	uint32_t count, room;
};

struct symbol_gaps symbols_gaps(struct run *run, const struct symbols *symbols);

/* Adds a gap, less what only aligns code at either end of it. */
void symbols_add_gap(struct run *run, struct symbol_gaps *gaps, uint64_t start, uint64_t end);
/* The same where functions without a symbol are common: one can be as short as fill. */
void symbols_add_hidden(struct run *run, struct symbol_gaps *gaps, uint64_t start, uint64_t end);

/* The first address behind this many bytes: the highest one if there is none. */
static inline uint64_t
symbols_past(uint64_t address, uint64_t bytes)
{
	return bytes < UINT64_MAX - address ? address + bytes : UINT64_MAX;
}

/* The file that names the program's symbols, if it is another one: of -S, or found; or NULL. */
static inline const char *
symbols_names_file(const struct symbols *symbols)
{
	return symbols->list.name != symbols->image.name ? symbols->list.name
	                                                 : symbols->table.symbols_file;
}

/* The bytes of the files that symbols are of. */
static inline uint64_t
symbols_file_bytes(const struct symbols *symbols)
{
	uint64_t bytes = symbols_past(symbols->list.length, symbols->table.symbols_file_bytes);

	for (uint32_t i = 1; i < symbols->image_count; i++)
		bytes = symbols_past(bytes, symbols->images[i].bytes);
	return bytes;
}

/* Whether the image has all bytes that it says a range of code has. */
static inline bool
symbols_has_code(const struct symbols *symbols, const struct gprofx_code_range *code)
{
	return code->file_offset <= symbols->image.length &&
	       code->bytes <= symbols->image.length - code->file_offset;
}

/* Lets memory go that holds code of the image: it is there again when it is read. */
void symbols_let_go_code(const struct run *run, const struct symbols *symbols);

/*
 * The first address behind the code section that holds an address; the address itself if none does.
 */
uint64_t symbols_code_end(const struct symbols *symbols, uint64_t address);

/* The section with the code before an address, or NULL. */
const struct gprofx_code_range *symbols_code_before(const struct symbols *symbols, uint64_t past);

/* The end of the section .text, if it holds the address; the address itself if it does not. */
static inline uint64_t
symbols_text_end(const struct symbols *symbols, uint64_t address)
{
	const struct gprofx_symtab *symtab = &symbols->table;

	return address >= symtab->text_start && address < symtab->text_end ? symtab->text_end
	                                                                   : address;
}

/* Whether some code of the image or of another object lies in [first, past). */
bool symbols_overlap_code(const struct symbols *symbols, uint64_t first, uint64_t past);

/*
 * For reports by line: adds a symbol, marked SYMBOL_LINE, wherever another line or function begins
 * in .text, if the debug information knows.  All positions are known then.  Functions keep their
 * ends; those that end below their start are gone.
 */
void symbols_add_lines(struct run *run, struct symbols *symbols);

/* Finds out which functions lines are parts of, if the graph is to have functions as wholes. */
void symbols_find_wholes(struct run *run, struct symbols *symbols);

/*
 * Lets the first piece of the code of a line stand for the others, if each line is to have one row
 * and functions are wholes; of symbols from number "first" on.
 */
void symbols_merge_lines(struct run *run, struct symbols *symbols, uint32_t first);

/*
 * The lines of all code of the program, without names of functions, into rows that are to be given
 * back; none if the debug information does not know.  Files that are new get numbers.  If no
 * position was asked for yet, all are known afterwards.
 */
void symbols_read_lines(struct run *run, struct symbols *symbols, struct gprofx_lines *lines);
void symbols_release_lines(struct run *run, struct gprofx_lines *lines);

/*
 * The files of functions in the order in which they appear first, by the symbol table's own order,
 * and, in reports by line, behind them those of lines: into "order", which has room for all files.
 * Returns how many; positions must be known.
 */
uint32_t symbols_order_files(struct run *run, const struct symbols *symbols, uint32_t *order);

/* The provider of source positions that is open or can be; false: there is none. */
bool symbols_has_provider(struct run *run, struct symbols *symbols);
/* The number of a source file; equal paths have equal numbers. */
uint32_t symbols_intern_file(struct run *run, struct symbols *symbols, const char *path);

/* Builds the lookup table; called once by symbols_load(). */
void symbols_index(struct run *run, struct symbols *symbols);

/*
 * Finds the source position of the given symbols (ids), or of all if ids is NULL.  Positions that
 * were asked for before are not looked up again.
 */
void symbols_locate(struct run *run, struct symbols *symbols, const uint32_t *ids, uint32_t count);

/* Code to locate, and what is found of it; positions are not changed where they are not known. */
struct located_code {
	const uint64_t *location; /* ascending */
	uint32_t *file, *line;
	uint32_t count;
};

/* The same of code, wherever it is; of libraries of the system it is never known. */
void symbols_locate_code(struct run *run, struct symbols *symbols, const struct located_code *code);

/* If the output would replace a source file of the program, notes that as an input of the run. */
void symbols_note_source(struct run *run, const struct symbols *symbols, const char *output);

/*
 * Reads the map of files that the settings ask for; NULL if there is none.  After an error, which
 * was reported, *result is GPROFX_FAILED.
 */
struct file_map *symbols_read_map(struct run *run, enum gprofx_result *result);
/* What a map makes of a symbol's name: the same, that of a file, or NULL: there is no symbol. */
const char *symbols_mapped_name(const struct file_map *map, const char *name);

/* The rule for names of local symbols, with what it has found out so far. */
struct name_rule {
	struct run *run;
	const struct gprofx_symtab *table;
	uint8_t *verdicts; /* see filter.c; NULL: none noted */
	/* Corrected: the rule as gprof means it, and names of all clones count, or of none. */
	bool knows_clones, drops_clones;
	/* Corrected: what has code counts, whatever its name. */
	bool knows_names;
	bool lacks_sizes; /* the table is a list: sizes may be missing, and all is typed */
};

/* Whether a local symbol's name is one that the report knows, by the name alone. */
bool symbols_name_counts(struct name_rule *rule, const char *name);
/* The same by all that is known about the symbol: its flags and size, 0 if it states none. */
enum symbol_fate
symbols_name_fate(struct name_rule *rule, const char *name, uint8_t flags, uint64_t bytes);

/*
 * Where the suffix starts by which a compiler distinguishes a clone from the function it was made
 * from, or NULL.  *is_fragment: it is a part of that function, which only that function enters.
 */
const char *symbols_clone_suffix(const char *name, bool *is_fragment);

/*
 * Finds the functions that clones were made from, if they are to stand for their clones; of symbols
 * from number "first" on.
 */
void symbols_fold_clones(struct run *run, struct symbols *symbols, uint32_t first);

/* Whether a symbol takes the place of the one kept so far at the same address. */
bool
symbols_is_better(uint8_t new_flags, const char *new_name, uint8_t old_flags, const char *old_name);

/*
 * Sorts candidate symbols by address and keeps one per address.  keys and ids are parallel arrays
 * of count items, both rearranged; the result is the number of ids kept at the front.
 */
uint32_t symbols_resolve(struct run *run, const struct gprofx_symtab *table, uint64_t *keys,
                         uint32_t *ids, uint32_t count);

#endif
