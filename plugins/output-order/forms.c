/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Orders as linkers read them.  With -ffunction-sections a function f is in the section .text.f;
 * what the compiler holds for often, rarely, first or last used is in others whose names end in f.
 * Names of sections and files are patterns: what is not plain in a name stands as "any byte".
 */
#include "forms.h"

#include <string.h>

#include "order.h"

#define HINT_COMPILE "compiled with -ffunction-sections"

/* Sections for a function as a whole, but those of rarely used ones. */
static const char *const sections[] = {".text.", ".text.hot.", ".text.startup.", ".text.exit."};
/* A function that is rarely used, or a part of one that is used more. */
static const char rare_section[] = ".text.unlikely.";

enum { SECTIONS = sizeof sections / sizeof sections[0] };

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool
is_plain(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
	       c == '.' || c == '$';
}

static void
put_pattern(struct gprofx_writer *w, const char *name, size_t length, const char *also_plain)
{
	for (size_t i = 0; i < length; i++) {
		char c = name[i];

		if (!is_plain(c) && !strchr(also_plain, c))
			c = '?';
		gprofx_putc(w, c);
	}
}

/* The length of the function's name in that of a part of it, f.cold or f.cold.1; or 0. */
static size_t
whole_length(const char *name)
{
	static const char cold[] = ".cold";
	size_t length = strlen(name), tail = length;

	while (tail > 0 && is_digit(name[tail - 1]))
		tail--;
	if (tail < length && tail > 0 && name[tail - 1] == '.')
		length = tail - 1;
	if (length < sizeof cold ||
	    memcmp(name + length - (sizeof cold - 1), cold, sizeof cold - 1) != 0)
		return 0;
	return length - (sizeof cold - 1);
}

/* Per function of the list whether a part of it has a name of its own. */
static uint8_t *
find_split(struct gprofx *gx, const struct name_list *functions, const struct name_list *all)
{
	uint8_t *split = order_array(gx, 1, functions->count);
	struct name_rows rows = names_sort(gx, functions);

	for (uint32_t i = 0; i < all->count; i++) {
		size_t length = whole_length(all->items[i]);
		uint32_t row = length > 0 ? names_find(&rows, all->items[i], length) : rows.count;

		if (row < rows.count)
			split[rows.items[row].position] = 1;
	}
	gx->host->release(gx, rows.items);
	return split;
}

/* The sections where a function can be, each between two texts. */
static void
put_sections(struct gprofx_writer *w, const char *name, bool is_split, const char *before,
             const char *between)
{
	size_t part = whole_length(name), length = part > 0 ? part : strlen(name);

	gprofx_puts(w, before);
	for (int i = 0; part == 0 && i < SECTIONS; i++) {
		gprofx_puts(w, i == 0 ? "" : between);
		gprofx_puts(w, sections[i]);
		put_pattern(w, name, length, "");
	}
	if (is_split && part == 0)
		return;
	gprofx_puts(w, part > 0 ? "" : between);
	gprofx_puts(w, rare_section);
	put_pattern(w, name, length, "");
}

void
form_lld(struct gprofx_writer *w, const struct name_list *functions)
{
	gprofx_puts(w, "# For lld, of files that were " HINT_COMPILE ": "
	               "-Wl,--symbol-ordering-file=FILE\n");
	for (uint32_t i = 0; i < functions->count; i++) {
		const char *name = functions->items[i];
		bool has_blanks = false;

		for (const char *at = name; *at != '\0'; at++)
			has_blanks |= (unsigned char)*at <= ' ';
		/* These cannot be written down. */
		if (has_blanks || name[0] == '\0' || name[0] == '#')
			continue;
		gprofx_puts(w, name);
		gprofx_putc(w, '\n');
	}
}

void
form_gold(struct gprofx *gx, struct gprofx_writer *w, const struct name_list *functions,
          const struct name_list *all)
{
	uint8_t *split = find_split(gx, functions, all);

	gprofx_puts(w, "# For gold, of files that were " HINT_COMPILE ": "
	               "-Wl,--section-ordering-file=FILE\n");
	for (uint32_t i = 0; i < functions->count; i++) {
		put_sections(w, functions->items[i], split[i], "", "\n");
		gprofx_putc(w, '\n');
	}
}

static void
begin_script(struct gprofx_writer *w, const char *hint)
{
	gprofx_puts(w, "/* For GNU ld");
	gprofx_puts(w, hint);
	gprofx_puts(w, ": -Wl,-T,FILE */\nSECTIONS\n{\n\t.text.ordered :\n\t{\n");
}

static void
end_script(struct gprofx_writer *w)
{
	gprofx_puts(w, "\t}\n}\nINSERT BEFORE .text;\n");
}

void
form_script(struct gprofx *gx, struct gprofx_writer *w, const struct name_list *functions,
            const struct name_list *all)
{
	uint8_t *split = find_split(gx, functions, all);

	begin_script(w, ", of files that were " HINT_COMPILE);
	for (uint32_t i = 0; i < functions->count; i++) {
		put_sections(w, functions->items[i], split[i], "\t\t*(", " ");
		gprofx_puts(w, ")\n");
	}
	end_script(w);
}

/* A file is matched by the name that the linker has for it. */
static void
put_file(struct gprofx_writer *w, const char *before, const char *name)
{
	size_t length = strlen(name);
	bool is_archive = length > 2 && strcmp(name + length - 2, ".a") == 0;

	gprofx_puts(w, "\t\t");
	gprofx_puts(w, before);
	put_pattern(w, name, length, "/+-");
	gprofx_puts(w, is_archive ? ":(.text .text.*)\n" : "(.text .text.*)\n");
}

void
form_file_script(struct gprofx_writer *w, const struct name_list *files)
{
	begin_script(w, "");
	for (uint32_t i = 0; i < files->count; i++) {
		put_file(w, "", files->items[i]);
		/* It can have been named from another folder. */
		if (files->items[i][0] != '/')
			put_file(w, "*/", files->items[i]);
	}
	end_script(w);
}
