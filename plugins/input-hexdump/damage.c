/* SPDX-License-Identifier: Apache-2.0 */
#include "damage.h"

#include <inttypes.h>
#include <stdio.h>

#include <gprofx/reader.h>

static const char dump_again[] = "capture the dump again, without other output in between";

static struct gprofx_diagnostic
at_line(const struct capture *c, const char *id, const char *hint)
{
	return (struct gprofx_diagnostic){.id = id,
	                                  .file = c->file->name,
	                                  .place = GPROFX_AT_LINE,
	                                  .line = c->line_number,
	                                  .hint = hint};
}

static void note(struct capture *c, uint32_t dump, const struct gprofx_diagnostic *diagnostic,
                 const char *format, ...) GPROFX_PRINTF(4, 5);

static void
note(struct capture *c, uint32_t dump, const struct gprofx_diagnostic *diagnostic,
     const char *format, ...)
{
	va_list arguments;

	c->dumps[dump].is_damaged = true;
	if (c->is_open && dump == c->dump_count - 1)
		c->is_open = c->is_profile = false;
	if (c->left.is_set && dump == c->left.dump)
		c->left.is_set = false;
	if (c->damaged++ > 0)
		return;
	c->damage.diagnostic = *diagnostic;
	va_start(arguments, format);
	vsnprintf(c->damage.text, sizeof c->damage.text, format, arguments);
	va_end(arguments);
}

void
damage_too_long(struct capture *c)
{
	const struct gprofx_diagnostic diagnostic = at_line(
		c, "hexdump.too-long", "dump all lines, as hexdump -v and od -v do");

	note(c, c->dump_count - 1, &diagnostic,
	     "expected the next address within reach, found one that equal lines would have to "
	     "fill up to");
}

void
damage_short(struct capture *c, size_t expected, size_t found)
{
	const struct gprofx_diagnostic diagnostic = at_line(c, "hexdump.short-line", dump_again);

	note(c, c->dump_count - 1, &diagnostic,
	     "expected %zu bytes in the line of the dump before, found %zu", expected, found);
}

void
damage_gap(struct capture *c, uint64_t address)
{
	struct gprofx_diagnostic diagnostic = at_line(c, "hexdump.gap", dump_again);

	if (c->last_count < c->form.count && address == c->next + c->form.count - c->last_count) {
		damage_short(c, c->form.count, c->last_count);
		return;
	}
	diagnostic.number[0] = c->next;
	diagnostic.number[1] = address;
	note(c, c->dump_count - 1, &diagnostic,
	     "expected the bytes at 0x%" PRIx64 ", found those at 0x%" PRIx64, c->next, address);
}

void
damage_left(struct capture *c, uint64_t address)
{
	struct gprofx_diagnostic diagnostic = at_line(c, "hexdump.gap", dump_again);

	diagnostic.line = c->left.line;
	diagnostic.number[0] = c->left.next;
	diagnostic.number[1] = address;
	note(c, c->left.dump, &diagnostic,
	     "expected the bytes at 0x%" PRIx64 " of the dump that goes on in line %" PRIu32
	     ", found another dump",
	     c->left.next, c->line_number);
}

void
damage_part(struct capture *c)
{
	const struct gprofx_diagnostic diagnostic = at_line(c, "hexdump.short-line", dump_again);

	note(c, c->dump_count - 1, &diagnostic,
	     "expected whole bytes up to the end of the line, found a part of one");
}

void
damage_overlap(struct capture *c, uint64_t address, unsigned expected, unsigned found)
{
	struct gprofx_diagnostic diagnostic = at_line(c, "hexdump.overlap", dump_again);

	diagnostic.number[0] = address;
	note(c, c->dump_count - 1, &diagnostic,
	     "expected 0x%02x at 0x%" PRIx64 ", as in a line before, found 0x%02x", expected,
	     address, found);
}

void
damage_no_end(struct capture *c)
{
	const struct gprofx_diagnostic diagnostic = at_line(c, "hexdump.no-end",
	                                                    "transfer the whole file again");

	note(c, c->dump_count - 1, &diagnostic,
	     "expected the record that ends the file, found the end of the text");
}

void
damage_record(struct capture *c, const struct line *line)
{
	struct gprofx_diagnostic diagnostic = at_line(
		c, "hexdump.bad-checksum",
		"transfer the file again, as it is in the device or tool");
	uint32_t dump = c->dump_count - 1;

	diagnostic.number[0] = line->expected;
	diagnostic.number[1] = line->found;
	switch (line->what) {
	case LINE_BAD_CHECKSUM:
		note(c, dump, &diagnostic, "expected the checksum %02x, found %02x", line->expected,
		     line->found);
		break;
	case LINE_BAD_RECORD:
		diagnostic.id = "hexdump.bad-record";
		note(c, dump, &diagnostic, "expected a type of records of the format, found %u",
		     line->found);
		break;
	case LINE_COUNT:
		diagnostic.id = "hexdump.missing-records";
		diagnostic.number[0] = line->address;
		diagnostic.number[1] = c->records;
		note(c, dump, &diagnostic,
		     "expected %" PRIu64 " records of data before this one, found %u",
		     line->address, c->records);
		break;
	default:
		diagnostic.id = "hexdump.short-line";
		note(c, dump, &diagnostic,
		     "expected a record of the length that it states, found another one");
	}
}
