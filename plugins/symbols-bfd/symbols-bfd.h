/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What libbfd says about an image.  Hostile files are not for it: it runs in a child process, which
 * leaves a table in memory that both share; all in it is checked once the child has ended.
 */
#ifndef SYMBOLS_BFD_H
#define SYMBOLS_BFD_H

#include <gprofx/symbols.h>

enum { SYMBFD_MOST_SECTIONS = 64, SYMBFD_SECTION_NAME = 16, SYMBFD_WORDS = 64 };

/* Kinds of images, by their first bytes. */
struct symbfd_kind {
	uint8_t magic[2];
	const char *format; /* libbfd's word */
	const char *words;  /* for messages */
	bool big_endian;
	uint32_t pointer_bytes;
	uint16_t machine; /* ELF's number */
};

struct symbfd_section {
	uint64_t address, bytes, file_offset;
	uint32_t is_text, is_code; /* is_code: with bytes in the file */
	char name[SYMBFD_SECTION_NAME];
};

struct symbfd_symbol {
	uint64_t address;
	uint32_t name; /* offset in names */
	uint32_t unit;
	uint32_t flags; /* enum gprofx_symbol_flag */
};

/* How the child ended. */
enum symbfd_state {
	SYMBFD_UNFINISHED = 0,
	SYMBFD_DONE,
	SYMBFD_NO_FORMAT,  /* this libbfd does not know the format */
	SYMBFD_NO_IMAGE,   /* it is no image of the kind; words: why */
	SYMBFD_NO_SYMBOLS, /* its symbols cannot be read; words: why */
	SYMBFD_NO_ROOM     /* there are more than the file can soundly have */
};

/* The memory that is shared: symbols, then names, follow this. */
struct symbfd_table {
	uint32_t state;
	uint32_t section_count, symbol_count;
	uint32_t name_bytes, leading_underscore, sign_extends;
	uint32_t most_symbols, most_name_bytes; /* room there is */
	char words[SYMBFD_WORDS];               /* libbfd's */
	char architecture[SYMBFD_WORDS];        /* likewise */
	struct symbfd_section sections[SYMBFD_MOST_SECTIONS];
};

static inline struct symbfd_symbol *
symbfd_symbols(struct symbfd_table *table)
{
	return (struct symbfd_symbol *)(table + 1);
}

static inline char *
symbfd_names(struct symbfd_table *table)
{
	return (char *)(symbfd_symbols(table) + table->most_symbols);
}

/* Loads the library, once; path: NULL: that of the system.  False: it cannot be; why: words. */
enum { SYMBFD_WHY = 256 };
bool symbfd_open_library(const char *path, char why[SYMBFD_WHY]);

/* library.c: asks libbfd, in the child. */
void symbfd_look(const struct symbfd_kind *kind, const struct gprofx_image *image,
                 struct symbfd_table *table);

/* Why a child left nothing. */
enum symbfd_end {
	SYMBFD_ENDED,   /* table->state says how */
	SYMBFD_CRASHED, /* *detail: the signal */
	SYMBFD_TOO_LONG,
	SYMBFD_NO_CHILD /* *detail: an errno value */
};

/* child.c: runs symbfd_look() in a child process with limits. */
enum symbfd_end symbfd_run(const struct symbfd_kind *kind, const struct gprofx_image *image,
                           struct symbfd_table *table, int *detail);

#endif
