/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records with checksums.
 *
 * Formats: "Hexadecimal Object File Format Specification" of Intel, srec(5) and
 * srec_tektronix_extended(5) of SRecord.
 */
#include "record.h"

#include <stddef.h>

enum {
	INTEL_HEADER = 4,  /* bytes: a length, an address of two bytes, a type */
	SHORTEST = 5,      /* bytes of any record of bytes */
	TEK_HEADER = 5,    /* characters: a length of two, a type, a checksum of two */
	TEK_LONGEST = 255, /* characters, without the first one */
	TEK_DATA = 6,
	TEK_SYMBOLS = 3,
	TEK_END = 8
};

/* The bytes of which all characters up to the end are digits; returns how many, or -1. */
static int
decode(const char *text, const char *end, uint8_t *out, uint32_t *sum)
{
	size_t count = (size_t)(end - text) / 2;
	uint8_t valid = HEX_VALID;

	*sum = 0;
	if ((end - text) % 2 != 0 || count > 260)
		return -1;
	for (size_t i = 0; i < count; i++) {
		uint8_t high = hexdump_digit[(uint8_t)text[2 * i]];
		uint8_t low = hexdump_digit[(uint8_t)text[2 * i + 1]];

		valid &= high & low;
		out[i] = (uint8_t)(high << 4 | (low & 15));
		*sum += out[i];
	}
	return valid ? (int)count : -1;
}

static uint64_t
big_endian(const uint8_t *bytes, uint32_t count)
{
	uint64_t value = 0;

	for (uint32_t i = 0; i < count; i++)
		value = value << 8 | bytes[i];
	return value;
}

static void
keep_data(struct line *line, uint8_t *out, size_t from, size_t count)
{
	for (size_t i = 0; i < count; i++)
		out[i] = out[from + i];
	line->count = count;
	line->item_bytes = 1;
}

static void
intel(struct line *line, const char *text, const char *end, uint64_t *base, uint8_t *out)
{
	uint32_t sum;
	int count = decode(text + 1, end, out, &sum);
	uint8_t type;

	line->what = LINE_CUT;
	if (count < SHORTEST || count != SHORTEST + out[0])
		return;
	line->found = out[count - 1];
	line->expected = (uint8_t)(line->found - sum);
	type = out[3];
	line->what = LINE_NOTE;
	if ((uint8_t)sum != 0) {
		line->what = LINE_BAD_CHECKSUM;
	} else if (type == 0) {
		line->what = LINE_DATA;
		line->address = *base + big_endian(out + 1, 2);
		keep_data(line, out, INTEL_HEADER, (size_t)count - SHORTEST);
	} else if (type == 1) {
		line->what = LINE_END;
	} else if ((type == 2 || type == 4) && out[0] == 2) {
		*base = big_endian(out + INTEL_HEADER, 2) << (type == 2 ? 4 : 16);
	} else if (type != 3 && type != 5) {
		line->what = LINE_BAD_RECORD;
		line->found = type;
	}
}

static void
motorola(struct line *line, const char *text, const char *end, uint8_t *out)
{
	/* Bytes of the address, by type. */
	static const uint8_t address_bytes[10] = {2, 2, 3, 4, 0, 2, 3, 4, 3, 2};
	uint32_t sum, type = (uint32_t)(text[1] - '0');
	int count = decode(text + 2, end, out, &sum);

	line->what = LINE_CUT;
	if (count < 1 || count != 1 + out[0] || out[0] < address_bytes[type] + 1)
		return;
	line->found = out[count - 1];
	line->expected = (uint8_t) ~(sum - line->found);
	line->address = big_endian(out + 1, address_bytes[type]);
	line->what = LINE_NOTE;
	if (line->found != line->expected) {
		line->what = LINE_BAD_CHECKSUM;
	} else if (type >= 1 && type <= 3) {
		line->what = LINE_DATA;
		keep_data(line, out, 1u + address_bytes[type],
		          (size_t)count - 2 - address_bytes[type]);
	} else if (type == 5 || type == 6) {
		line->what = LINE_COUNT;
	} else if (type >= 7) {
		line->what = LINE_END;
	} else if (type == 4) {
		line->what = LINE_BAD_RECORD;
		line->found = type;
	}
}

/* What a character counts in a checksum of Tektronix, or -1. */
static int
tek_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'A' && c <= 'Z')
		return c - 'A' + 10;
	if (c >= 'a' && c <= 'z')
		return c - 'a' + 40;
	return c == '$' ? 36 : c == '%' ? 37 : c == '.' ? 38 : c == '_' ? 39 : -1;
}

static uint32_t
two_digits(const char *text)
{
	return (uint32_t)(hexdump_digit[(uint8_t)text[0]] & 15) << 4 |
	       (hexdump_digit[(uint8_t)text[1]] & 15u);
}

/* A number with its count of digits before it; NULL: it does not end with the line. */
static const char *
tek_number(const char *at, const char *end, uint64_t *value)
{
	uint32_t digits;

	if (at >= end)
		return NULL;
	digits = hexdump_digit[(uint8_t)*at++] & 15u;
	digits = digits == 0 ? 16 : digits;
	if (digits > (size_t)(end - at))
		return NULL;
	for (*value = 0; digits > 0; digits--)
		*value = *value << 4 | (hexdump_digit[(uint8_t)*at++] & 15u);
	return at;
}

/* The address and the data of a record, whose checksum is right. */
static void
tek_data(struct line *line, const char *at, const char *end, uint8_t *out)
{
	uint32_t sum;
	int count;

	line->what = LINE_CUT;
	at = tek_number(at, end, &line->address);
	count = at ? decode(at, end, out, &sum) : -1;
	if (count < 0)
		return;
	line->what = LINE_DATA;
	keep_data(line, out, 0, (size_t)count);
}

/* The range of a section, if the record has it: behind its name, after a "1". */
static void
tek_section(struct line *line, const char *at, const char *end)
{
	size_t name = at < end ? hexdump_digit[(uint8_t)*at] & 15u : 0;
	uint64_t low, past;

	name = name == 0 ? 16 : name;
	if ((size_t)(end - at) < name + 2 || at[name + 1] != '1')
		return;
	at = tek_number(at + name + 2, end, &low);
	at = at ? tek_number(at, end, &past) : NULL;
	if (!at)
		return;
	line->what = LINE_RANGE;
	line->address = low;
	line->past = past;
}

static void
tektronix(struct line *line, const char *text, const char *end, uint8_t *out)
{
	uint32_t length = two_digits(text + 1), sum = 0;

	line->what = LINE_CUT;
	if (length != (size_t)(end - text - 1))
		return;
	for (const char *at = text + 1; at < end; at++) {
		int value = tek_value(*at);

		if (value < 0) {
			/* Names can have others, and need not be known. */
			line->what = text[3] == '0' + TEK_SYMBOLS ? LINE_NOTE : LINE_CUT;
			return;
		}
		if (at != text + 4 && at != text + 5)
			sum += (uint32_t)value;
	}
	line->found = two_digits(text + 4);
	line->expected = (uint8_t)sum;
	line->what = LINE_NOTE;
	if (line->found != line->expected) {
		line->what = LINE_BAD_CHECKSUM;
	} else if (text[3] == '0' + TEK_DATA) {
		if (text + 1 + TEK_HEADER < end)
			tek_data(line, text + 1 + TEK_HEADER, end, out);
	} else if (text[3] == '0' + TEK_END) {
		line->what = LINE_END;
	} else if (text[3] == '0' + TEK_SYMBOLS) {
		tek_section(line, text + 1 + TEK_HEADER, end);
	} else {
		line->what = LINE_BAD_RECORD;
		line->found = two_digits(text + 3) >> 4;
	}
}

static bool
are_digits(const char *text, const char *end, size_t count)
{
	if ((size_t)(end - text) < count)
		return false;
	for (size_t i = 0; i < count; i++)
		if (!hexdump_digit[(uint8_t)text[i]])
			return false;
	return true;
}

bool
hexdump_record(struct line *line, const char *text, const char *end, uint64_t *base, uint8_t *out)
{
	size_t length = (size_t)(end - text);

	*line = (struct line){.kind = LINE_OTHER, .start = text};
	if (length < 2)
		return false;
	if (text[0] == ':' && are_digits(text + 1, end, 2 * INTEL_HEADER)) {
		line->kind = LINE_INTEL;
		intel(line, text, end, base, out);
	} else if (text[0] == 'S' && text[1] >= '0' && text[1] <= '9' &&
	           are_digits(text + 2, end, 2 * INTEL_HEADER)) {
		line->kind = LINE_MOTOROLA;
		motorola(line, text, end, out);
	} else if (text[0] == '%' && are_digits(text + 1, end, TEK_HEADER) &&
	           length <= TEK_LONGEST + 1) {
		line->kind = LINE_TEKTRONIX;
		tektronix(line, text, end, out);
	}
	return line->kind != LINE_OTHER;
}
