/* SPDX-License-Identifier: Apache-2.0 */
#include "field.h"

#include <string.h>

#include <gprofx/text.h>

#include "../shared/export-rows.h"

/*
 * What makes a spreadsheet take a text for a formula when it is the first character; the last four
 * are wide forms, which some take for the same.
 */
static bool
starts_formula(uint32_t code)
{
	static const uint32_t starts[] = {'=',  '+',    '-',    '@',    '\t',  '\r',
	                                  '\n', 0xff1d, 0xff0b, 0xff0d, 0xff20};

	for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++)
		if (code == starts[i])
			return true;
	return false;
}

/*
 * Whether the text begins with what would be taken for an escaped byte: its backslash is escaped,
 * so that every \xNN in the file is a byte.
 */
static bool
starts_escape(const char *bytes, size_t length)
{
	static const char digits[] = "0123456789abcdef";

	return length >= 4 && bytes[0] == '\\' && bytes[1] == 'x' && bytes[2] != '\0' &&
	       bytes[3] != '\0' && strchr(digits, bytes[2]) && strchr(digits, bytes[3]);
}

static void
put_escaped(struct gprofx_writer *w, char byte)
{
	char escaped[4];

	gprofx_escape(escaped, byte);
	gprofx_put(w, escaped, sizeof escaped);
}

static void
put_odd_text(struct gprofx_writer *w, const char *bytes, size_t length, bool defuses)
{
	uint32_t code;

	gprofx_putc(w, '"');
	if (defuses && gprofx_utf8(bytes, length, &code) > 0 && starts_formula(code))
		gprofx_putc(w, '\'');
	for (size_t at = 0, end; at < length; at++) {
		size_t begin = at;

		end = at + gprofx_printable(bytes + at, length - at);
		while (at < end && bytes[at] != '"' &&
		       (bytes[at] != '\\' || !starts_escape(bytes + at, length - at)))
			at++;
		gprofx_put(w, bytes + begin, at - begin);
		if (at == length)
			break;
		if (bytes[at] == '"')
			gprofx_put(w, "\"\"", 2);
		else if (bytes[at] == '\n' || bytes[at] == '\r')
			gprofx_putc(w, bytes[at]);
		else
			put_escaped(w, bytes[at]);
	}
	gprofx_putc(w, '"');
}

void
field_put_text(struct gprofx_writer *w, const char *bytes, size_t length, bool defuses)
{
	bool is_formula = defuses && length > 0 && starts_formula((unsigned char)bytes[0]);

	if (is_formula || !export_put_plain(w, bytes, length))
		put_odd_text(w, bytes, length, defuses);
}
