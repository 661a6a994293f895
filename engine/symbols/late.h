/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Images that readers bring: files that code was mapped from while the profile was recorded, and
 * code that only profiles have names for.  Each gets ranges of the layout as soon as something is
 * in it, and its symbols once all profiles were read, behind all others.
 */
#ifndef ENGINE_SYMBOLS_LATE_H
#define ENGINE_SYMBOLS_LATE_H

#include "base/name-table.h"
#include "base/run.h"
#include "symbols/symbols.h"

enum {
	NO_LATE_IMAGE = UINT32_MAX,
	LATE_BUILD_ID_BYTES = 64,
	LATE_PATH_BYTES = 4096, /* with the NUL */
	/* A profile names so many files to read symbols from; together they have so many GiB. */
	LATE_MOST_FILES = 4096,
	LATE_MOST_GIB = 16,
	/* An image without a file has so many ranges at most. */
	LATE_MOST_RANGES = 64
};

/* What an image turned out to be when something in it was looked up first. */
enum late_state {
	LATE_UNREAD,
	LATE_PROGRAM, /* the program of the run */
	LATE_OBJECT,  /* an object that the settings name */
	LATE_FILE,    /* its file was read */
	LATE_ALIAS,   /* its file is that of another image */
	LATE_NO_FILE  /* it has the names that readers gave, or none */
};

/* An image as a reader describes it; the host's copies. */
struct late_row {
	const char *path;
	const uint8_t *build_id;
	uint32_t build_id_bytes; /* 0: not known */
	uint32_t kind;           /* enum gprofx_image_kind */
};

/* A name that a reader gave, with run lifetime. */
struct late_name {
	uint64_t offset, bytes;
	const char *name;
};

struct late_image {
	const char *path, *name; /* the name is without folders */
	const char *row_name;    /* of code without a symbol: "[libz.so.1]" */
	uint8_t build_id[LATE_BUILD_ID_BYTES];
	uint32_t build_id_bytes;
	uint32_t kind;
	enum late_state state;
	uint32_t alias; /* in LATE_ALIAS: the other image */
	const struct symbol_image *object;
	struct late_name *names;
	uint32_t name_count, name_room;
	uint64_t name_bytes;
	bool is_bare; /* it is no image, but names of frames without a function: see below */
	/* Offsets that mappings and names speak of. */
	uint64_t low, past;
	uint64_t device, inode, file_bytes; /* of LATE_FILE */
	const struct gprofx_symtab *table;  /* of LATE_FILE */
	/* Where code is in the file; of the program and of objects only when needed. */
	struct late_segment *segments;
	uint32_t segment_count;
	/* Its ranges, a chain of numbers plus 1, the first one first. */
	uint32_t first_range, last_range, range_count;
};

/* Where the code of an image is in its file: from an offset on, addresses are that far away. */
struct late_segment {
	uint64_t offset, move;
};

struct late_range {
	struct symbol_image image; /* what it is among the images in the end */
	uint32_t of, next;         /* next: number plus 1, or 0 */
};

struct late_images {
	struct symbols *symbols;
	struct late_image *items;
	uint32_t count, room;
	struct late_range *ranges; /* ascending */
	uint32_t range_count, range_room;
	/* By what images are identified: "/path" or "=build ID" in hexadecimal digits. */
	struct name_table keys;
	uint32_t *of_key;
	uint32_t key_room;
	uint32_t file_count; /* that were looked at */
	uint64_t file_bytes;
	uint32_t *files; /* images that were read from one */
	uint32_t read_count;
	bool has_layout, said_no_room, said_limit;
	/* Files that are not there or cannot be used, those of other builds, and the first ones. */
	uint32_t missing_count, other_count;
	const char *missing, *other;
	bool was_added; /* the symbols of what is there now are among the others */
};

/* The images of a run, made at the first call; up to "least" there is something else. */
struct late_images *symbols_late(struct run *run, struct symbols *symbols, uint64_t least);

/* The number of an image; the same one of the same build ID or path. */
uint32_t late_image_add(struct run *run, struct late_images *late, const struct late_row *row);

/*
 * A new image of nothing but the names that are given to it, which is never another one.  path: of
 * the object that has them, kept by the caller; NULL: of no object.
 */
uint32_t late_image_of_names(struct run *run, struct late_images *late, const char *path);

/* Says that offsets from low to below past are mapped, or named. */
void late_image_extend(struct late_images *late, uint32_t image, uint64_t low, uint64_t past);

/* Gives code of an image a name, which is copied, for the case that it has no file. */
void late_image_name(struct run *run, struct late_images *late, uint32_t image, uint64_t offset,
                     uint64_t bytes, const char *name);

/* Where an offset of an image is; in_file: as the bytes of its file are counted. */
uint64_t late_location(struct run *run, struct late_images *late, uint32_t image, uint64_t offset,
                       bool in_file);

/* Where an address that is in no image is. */
uint64_t late_nowhere(const struct late_images *late, uint64_t address);

/* What was added to the offset of an image for a location; 0: it is in the program. */
uint64_t late_base(const struct symbols *symbols, uint64_t location);

/* Whether a location is in code of an image, before its symbols are there. */
bool late_is_known(const struct symbols *symbols, uint64_t location);

/* The address, as linked, of an offset in the file of an image, which is read for that. */
uint64_t late_linked(struct run *run, struct late_images *late, uint32_t image, uint64_t offset);

/*
 * Puts the symbols of the images behind all others, whose numbers stay, and reports what could not
 * be read.  False: there are none.
 */
bool late_add_symbols(struct run *run, struct symbols *symbols);

#endif
