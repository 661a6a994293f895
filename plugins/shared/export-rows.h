/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows that are written with one check of the room for many fields.
 *
 * A row begins with export_room().  Its fields move a pointer of their own behind themselves, which
 * export_end() gives back: a store through a pointer to bytes could change the writer, so that the
 * compiler reads it anew after each byte that goes through it.
 */
#ifndef PLUGINS_SHARED_EXPORT_ROWS_H
#define PLUGINS_SHARED_EXPORT_ROWS_H

#include <string.h>

#include <gprofx/emitter.h>
#include <gprofx/text.h>

#include "digits.h"

/* Where GPROFX_WRITER_ROOM bytes are free. */
static inline char *
export_room(struct gprofx_writer *w)
{
	if (w->end - w->at < GPROFX_WRITER_ROOM)
		w->services->make_room(w);
	return w->at;
}

/* What was written ends here. */
static inline void
export_end(struct gprofx_writer *w, char *at)
{
	w->at = at;
}

/* A literal. */
#define EXPORT_WORDS(at, literal) \
	((char *)memcpy((at), (literal), sizeof(literal) - 1) + sizeof(literal) - 1)

/* A number; the result is behind it. */
static inline char *
export_number(char *at, uint64_t value)
{
	return at + digits_put(at, value);
}

/* A number alone. */
static inline void
export_put_number(struct gprofx_writer *w, uint64_t value)
{
	export_end(w, export_number(export_room(w), value));
}

/* A number as 0x and hexadecimal digits. */
static inline char *
export_address(char *at, uint64_t value)
{
	int bits = 0;

	for (; bits < 60 && value >> bits >= 16; bits += 4)
		;
	*at++ = '0';
	*at++ = 'x';
	for (; bits >= 0; bits -= 4)
		*at++ = "0123456789abcdef"[value >> bits & 15];
	return at;
}

/* What export_put_short() copies, and what can be read behind the texts that it gets. */
enum { EXPORT_SHORT = 32 };

/* Most names are short: copying a constant number of bytes is faster than counting them. */
static inline void
export_put_short(struct gprofx_writer *w, const char *bytes, size_t length)
{
	if (length > EXPORT_SHORT || w->end - w->at < EXPORT_SHORT) {
		gprofx_put(w, bytes, length);
		return;
	}
	memcpy(w->at, bytes, EXPORT_SHORT);
	w->at += length;
}

/* Not 0 if one of the eight bytes is no printable ASCII, or is a quote or a backslash. */
static inline uint64_t
export_odd_word(const char *bytes)
{
	const uint64_t ones = UINT64_C(0x0101010101010101);
	uint64_t word, quotes, slashes;

	memcpy(&word, bytes, sizeof word);
	quotes = word ^ ones * '"';
	slashes = word ^ ones * '\\';
	/* Bytes of 0x80 and more are odd anyway, so it does no harm that these differences mix. */
	return gprofx_odd_word(bytes) | (((quotes - ones) | (slashes - ones)) & ones * 0x80);
}

/* Whether a text stands between quotes as it is: printable ASCII without quotes and backslashes. */
static inline bool
export_is_plain(const char *bytes, size_t length)
{
	size_t at = 0;
	uint64_t odd = 0;

	if (length >= sizeof odd) {
		for (; length - at >= sizeof odd; at += sizeof odd)
			odd |= export_odd_word(bytes + at);
		/* The rest is checked together with bytes before it. */
		return (odd | export_odd_word(bytes + length - sizeof odd)) == 0;
	}
	for (; at < length; at++)
		if (bytes[at] < ' ' || bytes[at] > '~' || bytes[at] == '"' || bytes[at] == '\\')
			return false;
	return true;
}

/* The text between quotes, if it is plain; false: nothing was written. */
static inline bool
export_put_plain(struct gprofx_writer *w, const char *bytes, size_t length)
{
	char *at = w->at;

	if ((size_t)(w->end - at) < length + 2 || !export_is_plain(bytes, length))
		return false;
	*at++ = '"';
	memcpy(at, bytes, length);
	at[length] = '"';
	w->at = at + length + 1;
	return true;
}

#endif
