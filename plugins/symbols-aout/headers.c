/* SPDX-License-Identifier: Apache-2.0 */
/* Takes the header of an a.out image apart, and finds where the parts of the image are. */
#include "headers.h"

const char aoutsym_copy_again[] = "the file is damaged or cut short; copy or link it again";

/* The words of the header, by their places. */
enum {
	TEXT = 4,
	DATA = 8,
	SYMBOLS = 16,
	ENTRY = 20,
	TEXT_RELOCATIONS = 24,
	DATA_RELOCATIONS = 28,
	SIZE_OF_SIZE = 4, /* before the strings */
	LINUX_TEXT_AT = 1024
};

static bool
is_magic(uint32_t number)
{
	return number == AOUT_OMAGIC || number == AOUT_NMAGIC || number == AOUT_ZMAGIC ||
	       number == AOUT_QMAGIC;
}

static bool
contains(uint64_t address, uint64_t bytes, uint64_t entry)
{
	return entry >= address && entry - address < bytes;
}

/* Lengths and entry that an image can have: two bytes of the first word prove nothing. */
static bool
is_plausible(const struct aout_header *header, bool is_known)
{
	const struct aout_machine *machine = header->machine;
	uint64_t all = (uint64_t)header->text + header->data + header->symbols +
	               header->text_relocations + header->data_relocations;
	uint32_t relocations = header->text_relocations | header->data_relocations;
	bool are_8 = header->text_relocations % 8 == 0 && header->data_relocations % 8 == 0,
	     are_12 = header->text_relocations % 12 == 0 && header->data_relocations % 12 == 0;

	if (header->text == 0 || all > INT32_MAX || header->symbols % AOUT_ROW != 0)
		return false;
	if (relocations != 0 && !(are_8 && machine->relocation_bytes != 12) &&
	    !(are_12 && machine->relocation_bytes != 8))
		return false;
	/* A kernel can be anywhere. */
	return is_known || contains(0, header->text, header->entry) ||
	       contains(machine->page, header->text, header->entry);
}

/* Reads the header as one of a byte order; the first word can be in another. */
static bool
read_as(struct aout_header *header, const uint8_t *bytes, bool is_network, bool big_endian,
        bool *is_known)
{
	uint32_t word = gprofx_word_at(bytes, is_network);

	*header = (struct aout_header){
		.machine = aoutsym_machine(word, is_known),
		.big_endian = big_endian,
		.is_network = is_network,
		.magic = word & 0xffff,
		.text = gprofx_word_at(bytes + TEXT, big_endian),
		.data = gprofx_word_at(bytes + DATA, big_endian),
		.symbols = gprofx_word_at(bytes + SYMBOLS, big_endian),
		.entry = gprofx_word_at(bytes + ENTRY, big_endian),
		.text_relocations = gprofx_word_at(bytes + TEXT_RELOCATIONS, big_endian),
		.data_relocations = gprofx_word_at(bytes + DATA_RELOCATIONS, big_endian),
	};
	return is_magic(header->magic) &&
	       (header->machine->orders & (big_endian ? AOUT_BIG : AOUT_LITTLE)) != 0 &&
	       /* Only BSD systems have a first word in another order than all others. */
	       (is_network == big_endian || header->machine->rules == AOUT_NETWORK) &&
	       is_plausible(header, *is_known);
}

bool
aoutsym_read_header(struct aout_header *header, const uint8_t *bytes, bool *is_known)
{
	return read_as(header, bytes, false, false, is_known) ||
	       read_as(header, bytes, true, true, is_known) ||
	       read_as(header, bytes, true, false, is_known);
}

/* Where the text starts in the file; 0: with the header. */
static uint64_t
usual_place(const struct aout_header *header)
{
	if (header->magic == AOUT_QMAGIC)
		return 0;
	if (header->magic != AOUT_ZMAGIC)
		return AOUT_HEADER;
	switch (header->machine->rules) {
	case AOUT_SUN:
		return 0;
	case AOUT_NETWORK:
		return header->is_network ? 0 : header->machine->page;
	case AOUT_PAGED:
		return header->machine->page;
	default:
		return LINUX_TEXT_AT;
	}
}

/* The address of the text, whose first byte is in the file at text_at. */
static uint64_t
text_address(const struct aout_header *header, uint64_t text_at)
{
	uint64_t page = header->machine->page, usual = 0;
	bool can_be_kernel = header->machine->rules != AOUT_OLD;

	if (text_at == 0 || header->machine->rules == AOUT_SUN ||
	    (header->machine->rules == AOUT_NETWORK && text_at == AOUT_HEADER))
		usual = page;
	if (contains(usual, header->text, header->entry))
		return usual;
	/* Objects, and shared libraries. */
	if (contains(0, header->text, header->entry))
		return 0;
	if (contains(page, header->text, header->entry))
		return page;
	return can_be_kernel ? header->entry & ~(page - 1) : usual;
}

static struct aout_layout
lay_out_at(const struct aout_header *header, const uint8_t *bytes, uint64_t readable,
           uint64_t length, uint64_t text_at)
{
	uint64_t data_end = text_at + header->text + header->data,
		 skipped = text_at == 0 && header->text >= AOUT_HEADER ? AOUT_HEADER : 0;
	struct aout_layout layout = {
		.text_at = text_at,
		.code_at = text_at + skipped,
		.address = text_address(header, text_at) + skipped,
		.bytes = header->text - skipped,
		.symbols_at = data_end + header->text_relocations + header->data_relocations,
		.row_count = header->symbols / AOUT_ROW,
		.has_text = data_end <= length,
	};
	uint64_t at = layout.symbols_at + header->symbols, left;

	layout.strings_at = at;
	if (at > length)
		return layout;
	left = length - at;
	layout.has_symbols = header->symbols == 0;
	layout.is_exact = left == 0;
	if (left < SIZE_OF_SIZE)
		return layout;
	/* Not known, as this part of the file cannot be read. */
	if (at + SIZE_OF_SIZE > readable) {
		layout.has_symbols = true;
		return layout;
	}
	layout.strings_bytes = gprofx_word_at(bytes + at, header->big_endian);
	layout.is_exact |= left == layout.strings_bytes;
	if (layout.strings_bytes >= SIZE_OF_SIZE && layout.strings_bytes <= left)
		layout.has_symbols = true;
	else if (layout.has_symbols)
		layout.strings_bytes = 0;
	return layout;
}

struct aout_layout
aoutsym_lay_out(const struct aout_header *header, const uint8_t *bytes, uint64_t readable,
                uint64_t length)
{
	static const uint16_t places[] = {0, 1024, 4096, 8192, 2048};
	struct aout_layout usual, best;

	usual = best = lay_out_at(header, bytes, readable, length, usual_place(header));
	/* Systems of one number, or none, differ in the place of text that is paged in. */
	for (size_t i = 0; header->magic == AOUT_ZMAGIC && i < sizeof places / sizeof places[0] &&
	                   !(best.has_symbols && best.is_exact);
	     i++) {
		struct aout_layout other = lay_out_at(header, bytes, readable, length, places[i]);

		if (other.has_symbols && (other.is_exact || !best.has_symbols))
			best = other;
	}
	return best.has_symbols ? best : usual;
}
