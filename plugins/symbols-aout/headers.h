/* SPDX-License-Identifier: Apache-2.0 */
/* The header of an a.out image, and where its parts are by the rules of the system it is for. */
#ifndef SYMBOLS_AOUT_HEADERS_H
#define SYMBOLS_AOUT_HEADERS_H

#include <gprofx/symbols.h>

/* The header is this long, and so is a row of the symbol table. */
enum { AOUT_HEADER = 32, AOUT_ROW = 12 };

enum aout_magic { AOUT_OMAGIC = 0407, AOUT_NMAGIC = 0410, AOUT_ZMAGIC = 0413, AOUT_QMAGIC = 0314 };

/* How linkers of a system lay images out. */
enum aout_rules {
	AOUT_OLD,     /* 4.3BSD, Ultrix, 386BSD, and whatever else has no number of a machine */
	AOUT_SUN,     /* SunOS: the header is part of the text, from the second page on */
	AOUT_LINUX,   /* text from address 0, after 1024 bytes of the file */
	AOUT_NETWORK, /* NetBSD, OpenBSD, FreeBSD: as SunOS, with the page of the machine */
	AOUT_PAGED    /* text from address 0, after a page of the file */
};

enum { AOUT_LITTLE = 1, AOUT_BIG = 2 };

/* A machine by its number in headers. */
struct aout_machine {
	uint16_t id;
	uint16_t elf_number; /* 0: no ELF images are known */
	uint8_t orders;      /* byte orders that it has: AOUT_LITTLE, AOUT_BIG or both */
	uint8_t pointer_bytes;
	uint8_t relocation_bytes; /* of an entry; 0: 8 or 12 */
	uint8_t rules;            /* enum aout_rules */
	uint16_t page;            /* a power of 2 */
	const char *architecture; /* the GNU binutils' name; NULL: not known */
};

struct aout_header {
	const struct aout_machine *machine; /* never NULL */
	bool big_endian;                    /* all words but maybe the first */
	bool is_network;                    /* the first word is big-endian */
	uint32_t magic;                     /* enum aout_magic */
	uint32_t text, data, symbols, entry, text_relocations, data_relocations;
};

/* Where the parts of an image are. */
struct aout_layout {
	uint64_t text_at;                  /* in the file, with the header if it is part of it */
	uint64_t code_at, address, bytes;  /* the text without the header */
	uint64_t symbols_at, strings_at;   /* tables */
	uint64_t row_count, strings_bytes; /* strings with their own size in front */
	bool has_text;                     /* the text and the data are inside the file */
	bool has_symbols;                  /* so are the tables, or there are none */
	bool is_exact;                     /* the file ends where its last part does */
};

/* The machine with this number; one without rules of its own if the number is not known. */
const struct aout_machine *aoutsym_machine(uint32_t word, bool *is_known);

/* The words of the setting that names the machine, and the machine of each. */
extern const char *const aoutsym_machine_names[];
const struct aout_machine *aoutsym_machine_named(uint32_t index);

/*
 * Takes the header apart; false: these are not the first bytes of an a.out image, of which there
 * are at least AOUT_HEADER.  is_known: the machine is.
 */
bool aoutsym_read_header(struct aout_header *header, const uint8_t *bytes, bool *is_known);

/*
 * Finds the parts of an image of "length" bytes, of which "readable" can be read.  If there are
 * several ways to do so, the one that fits the file; if none does, the usual one.
 */
struct aout_layout aoutsym_lay_out(const struct aout_header *header, const uint8_t *bytes,
                                   uint64_t readable, uint64_t length);

/* symbols.c: fills the rows from the tables, and states whether they have stabs. */
void
aoutsym_fill(struct gprofx *gx, const struct gprofx_image *image, const struct aout_header *header,
             const struct aout_layout *layout, struct gprofx_symtab *symtab);

/* Advice for damaged files. */
extern const char aoutsym_copy_again[];

#endif
