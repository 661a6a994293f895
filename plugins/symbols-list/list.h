/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of symbols-list have in common: text, symbols found in it, and where they go. */
#ifndef SYMBOLS_LIST_LIST_H
#define SYMBOLS_LIST_LIST_H

#include <gprofx/symbols.h>

/* Bytes of a line that GNU gprof reads at once. */
enum { STRICT_PIECE = 1022 };

/* A stretch of the file; not NUL-terminated. */
struct stretch {
	const char *at, *end;
};

/* A symbol as a line states it. */
struct entry {
	uint64_t address, bytes; /* bytes: 0 if the line states no size */
	struct stretch name;     /* without NULs, not empty */
	uint8_t flags;           /* enum gprofx_symbol_flag */
};

/* The symbols of a list under construction. */
struct list {
	struct gprofx *gx;
	const struct gprofx_image *file;
	struct gprofx_symtab *symtab;
	char *room; /* for names */
	size_t room_bytes;
};

static inline struct stretch
list_text(const struct list *list)
{
	const char *bytes = (const char *)list->file->bytes;

	return (struct stretch){bytes, bytes + list->file->length};
}

/*
 * The number that a text begins with: its hexadecimal digits up to the first byte that is none,
 * which *end points to.  Returns false if it is larger than 64 bits hold; *number is cut then.
 */
bool symlist_digits(struct stretch text, uint64_t *number, const char **end);

/* Appends a symbol.  The host was asked for room for all that the file can hold. */
void symlist_add(struct list *list, const struct entry *entry);

/* strict.c: reads the list as GNU gprof does. */
void symlist_read_strict(struct list *list);

/*
 * layouts.c: reads the list in whichever layout it has.  Lines that fit none are left out and
 * reported about; fails if nothing else is left.
 */
enum gprofx_result symlist_read(struct list *list);

#endif
