/* SPDX-License-Identifier: Apache-2.0 */
/* A line of a dump of memory as text. */
#ifndef INPUT_HEXDUMP_LINE_H
#define INPUT_HEXDUMP_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	LINE_MOST_ITEMS = 64,
	LINE_MOST_DATA = 256,
	LINE_MOST_PREFIX = 64,
	HEX_VALID = 16,
	HEXDUMP_ESCAPE = 0x1b
};

enum line_kind {
	LINE_OTHER,     /* no line of a dump */
	LINE_ADDRESSED, /* an address, and bytes or words */
	LINE_PLAIN,     /* bytes or words alone */
	LINE_INTEL,
	LINE_MOTOROLA,
	LINE_TEKTRONIX
};

enum line_what {
	LINE_DATA,
	LINE_ADDRESS,      /* an address alone: of what follows, or where the dump ends */
	LINE_REPEATS,      /* "*": as the line before, up to the next address */
	LINE_NOTE,         /* of the format, but without data */
	LINE_COUNT,        /* address: how many lines of data came before */
	LINE_RANGE,        /* the bytes of the dump are from the address to before "past" */
	LINE_END,          /* the last one */
	LINE_BAD_CHECKSUM, /* expected and found are set */
	LINE_BAD_RECORD,   /* found: its type */
	LINE_CUT           /* ends within an item */
};

struct line {
	enum line_kind kind;
	enum line_what what;
	uint64_t address, past;
	/* The digits of the address in the text, for those who write them in another base. */
	const char *digits, *past_digits;
	bool has_colon;      /* behind the address */
	bool has_prefix;     /* items begin with "0x" */
	uint32_t item_bytes; /* bytes of an item, in the order in which they are written */
	size_t count;        /* bytes */
	uint32_t expected, found;
	/* Where the text of the dump starts, its data, and what follows these. */
	const char *start, *data, *past_data;
};

/* How the lines of a dump look: as the first one does. */
struct form {
	enum line_kind kind;
	bool has_colon, has_prefix;
	uint32_t item_bytes;
	size_t count;        /* bytes of a full line */
	size_t start;        /* column */
	uint32_t most_blank; /* between items */
	uint32_t base;       /* of the addresses: 16, 8 or 10 */
	/* For lines that are like the first one, character by character; 0 bytes: not known. */
	size_t fast_bytes;
	char prefix[LINE_MOST_PREFIX]; /* up to the data */
	size_t prefix_length, digits_at, digit_count;
	uint16_t pair[LINE_MOST_DATA]; /* where the digits of each byte are, behind the prefix */
	uint16_t gap[LINE_MOST_DATA];  /* where other characters are */
	char gap_character[LINE_MOST_DATA];
	size_t gap_count, data_length;
};

/* Of each character: its value as a digit with HEX_VALID, or 0. */
extern const uint8_t hexdump_digit[256];

/*
 * Copies a line without the sequences that set colors and move the cursor; returns the length of
 * what is left.
 */
size_t hexdump_plain(char *to, const char *text, size_t length);

/*
 * Reads a line of text, without its end: sets *line, and writes its bytes to "out", which has room
 * for half as many as there are characters, and one more.  form: that of the dump, or NULL.  The
 * kind of other lines is LINE_OTHER.
 */
void hexdump_line(struct line *line, const char *text, const char *end, const struct form *form,
                  uint8_t *out);

/* Learns the form from the first line of a dump that has data. */
void hexdump_learn(struct form *form, const struct line *line, const char *text);

/*
 * Reads a line that is like the first one and has the address that is expected; false: it is not,
 * or something about it has to be looked at.
 */
bool hexdump_fast_line(const struct form *form, const char *text, const char *end, uint64_t address,
                       uint8_t *out);

#endif
