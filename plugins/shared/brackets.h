/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of a demangled name that are stepped over as a whole. */
#ifndef PLUGINS_SHARED_BRACKETS_H
#define PLUGINS_SHARED_BRACKETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline bool
is_word(char c)
{
	unsigned char byte = (unsigned char)c;

	return (byte >= '0' && byte <= '9') || ((byte | 0x20) >= 'a' && (byte | 0x20) <= 'z') ||
	       byte == '_' || byte == '$' || byte >= 0x80;
}

static inline bool
is_one_of(const char *bytes, char c)
{
	return c != '\0' && strchr(bytes, c) != NULL;
}

/* NUL at the start of the text. */
static inline char
byte_before(const char *text, size_t at)
{
	if (at == 0)
		return '\0';
	return text[at - 1];
}

/* Whether a text goes on with these words. */
static inline bool
goes_on(const char *text, size_t at, size_t end, const char *words)
{
	size_t length = strlen(words);

	return end - at >= length && memcmp(text + at, words, length) == 0;
}

/* The bracket that this one closes, or NUL. */
char brackets_partner(char c);

/*
 * Finds for each byte of a text where what begins there ends: a bracket behind its partner, an
 * operator behind its word and sign, a byte behind itself.  "open" is for the work; both have room
 * for "end" numbers.
 */
void brackets_pair(uint32_t *ends, uint32_t *open, const char *text, size_t end);

#endif
