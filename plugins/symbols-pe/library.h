/* SPDX-License-Identifier: Apache-2.0 */
/* What libbfd says about an image; nothing else here knows the library. */
#ifndef SYMBOLS_PE_LIBRARY_H
#define SYMBOLS_PE_LIBRARY_H

#include <gprofx/plugin.h>

#include "headers.h"

/* Names that are not in the table of strings have 8 bytes; libbfd shows bad ones as <corrupt>. */
enum { SYMPE_NAME_ROOM = 10 };

struct pe_section {
	uint64_t address, bytes, file_offset;
	bool is_text, is_code; /* is_code: with bytes in the file */
	char name[9];          /* its first bytes */
};

/*
 * What is found.  The caller makes all the room before: what the host allocates can leave by
 * longjmp(), and must not while libbfd is at work.
 */
struct pe_contents {
	struct pe_section *sections;  /* room for all of the headers */
	uint32_t section_count;       /* only .text and those with code */
	struct gprofx_symtab *symtab; /* rows are reserved for all symbols, strings are set */
	char *names;                  /* SYMPE_NAME_ROOM bytes for each symbol */
	uint32_t nameless;            /* symbols whose name lies outside the table of strings */
	/* When it failed: */
	const char *library_words; /* static */
	bool is_no_image;          /* rather than one with a bad symbol table */
	bool is_unknown;           /* this libbfd does not know the format */
};

/* Fills contents and the rows of its symtab; false: it failed. */
bool sympe_look(struct pe_contents *contents, const struct pe_headers *headers,
                const struct pe_view *view);

#endif
