/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include <gprofx/emitter.h>

#include "../shared/export-names.h"
#include "../shared/names.h"
#include "markdown.h"

void
markdown_put_prose(struct markdown *m, const char *text)
{
	for (; *text != '\0'; text++) {
		if (strchr("\\`*_[]<>&#|~@", *text))
			gprofx_putc(m->w, '\\');
		gprofx_putc(m->w, *text);
	}
}

/*
 * Whether a text can be between two backticks, in a table, and is then shown as it is: blanks at
 * both ends would be removed.
 */
static bool
is_span(struct gprofx_text text)
{
	return text.bytes[text.length - 1] != ' ' && !memchr(text.bytes, '`', text.length) &&
	       !memchr(text.bytes, '|', text.length);
}

static bool
is_plain(unsigned char byte)
{
	return byte >= 0x80 || (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') ||
	       (byte >= 'a' && byte <= 'z');
}

/*
 * Character references are neither syntax nor do they end a cell.  GitHub makes an address of mail
 * of what is around an @ even then, unless something else comes between.
 */
static void
put_references(struct gprofx_writer *w, struct gprofx_text text)
{
	gprofx_puts(w, "<code>");
	for (size_t i = 0; i < text.length; i++) {
		unsigned char byte = (unsigned char)text.bytes[i];

		if (byte == '@')
			gprofx_puts(w, "<!-- -->");
		if (is_plain(byte))
			gprofx_putc(w, (char)byte);
		else
			gprofx_out(w, "&#%u;", (unsigned)byte);
	}
	gprofx_puts(w, "</code>");
}

void
markdown_put_code(struct markdown *m, struct gprofx_text text)
{
	/* Never a line end: that would end the table. */
	struct gprofx_text printable = export_text(m->gx, text, NULL);

	if (!is_span(printable)) {
		put_references(m->w, printable);
		return;
	}
	gprofx_putc(m->w, '`');
	gprofx_put(m->w, printable.bytes, printable.length);
	gprofx_putc(m->w, '`');
}

void
markdown_put_word(struct markdown *m, const char *word)
{
	markdown_put_code(m, (struct gprofx_text){word, strlen(word)});
}

void
markdown_put_term(struct markdown *m, const char *word)
{
	for (const char *at = word; *at != '\0'; at++)
		if (*at != '-' && ((unsigned char)*at >= 0x80 || !is_plain((unsigned char)*at))) {
			markdown_put_word(m, word);
			return;
		}
	gprofx_puts(m->w, word);
}

void
markdown_put_name(struct markdown *m, uint32_t node)
{
	markdown_put_code(m, names_shorten(&m->names, m->report->services->name(m->report, node)));
}

void
markdown_put_beyond(struct markdown *m, uint32_t count)
{
	if (count > 0)
		gprofx_out(m->w, "\n%u more function%s not in this table.\n", count,
		           count == 1 ? " is" : "s are");
}

uint32_t
markdown_rows(const struct markdown *m, uint32_t count)
{
	return m->options->top > 0 && count > m->options->top ? (uint32_t)m->options->top : count;
}
