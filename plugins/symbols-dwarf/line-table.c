/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Line-number tables of DWARF 2 to 5: the header and the program that makes the rows.
 */
#include <dwarf.h>
#include <string.h>

#include "line-table.h"

/* The registers of a program, and where its rows go. */
struct machine {
	struct dwarfsym_row row;
	uint32_t operation; /* in a bundle of instructions */
	const struct dwarfsym_header *header;
	dwarfsym_take_row *take_row;
	void *opaque;
};

const char *
dwarfsym_read_header(struct gprofx *gx, const struct dwarfsym_sections *sections, uint64_t offset,
                     struct dwarfsym_header *header)
{
	struct gprofx_cursor cursor = {sections->line.bytes, sections->line.length, 0, 0,
	                               sections->big_endian};
	uint64_t length, header_length, program;
	const char *wrong;

	header->sections = sections;
	header->directories.count = 0;
	header->files.count = 0;
	header->bytes = 0;
	header->bytes_read = 0;
	if (offset >= cursor.length)
		return "it lies outside of .debug_line";
	cursor.at = offset;
	header->offset_bytes = 4;
	length = gprofx_number(&cursor, 4);
	if (length == 0xffffffff) {
		header->offset_bytes = 8;
		length = gprofx_number(&cursor, 8);
	}
	if (length > gprofx_left(&cursor))
		return "it ends after .debug_line";
	cursor.length = cursor.at + length;
	header->bytes = cursor.length - offset;
	header->version = (uint16_t)gprofx_number(&cursor, 2);
	if (header->version < 2 || header->version > 5)
		return "it is of an unknown version";
	if (header->version == 5)
		gprofx_number(&cursor, 2); /* bytes of an address, of a segment */
	header_length = gprofx_number(&cursor, header->offset_bytes);
	if (header_length > gprofx_left(&cursor))
		return "its header ends after the table";
	program = cursor.at + header_length;
	header->minimum_instruction = (uint8_t)gprofx_number(&cursor, 1);
	header->maximum_operations = 1;
	if (header->version >= 4)
		header->maximum_operations = (uint8_t)gprofx_number(&cursor, 1);
	gprofx_number(&cursor, 1); /* first value of is_stmt */
	header->line_base = (int8_t)gprofx_number(&cursor, 1);
	header->line_range = (uint8_t)gprofx_number(&cursor, 1);
	header->opcode_base = (uint8_t)gprofx_number(&cursor, 1);
	if (header->maximum_operations == 0 || header->line_range == 0 || header->opcode_base == 0)
		return "a figure in its header is 0";
	header->operand_counts = gprofx_take(&cursor, (uint64_t)header->opcode_base - 1);
	wrong = dwarfsym_read_names(gx, sections, &cursor, header);
	if (!wrong && cursor.short_by)
		wrong = "its header is too short";
	header->bytes_read = cursor.at - offset;
	header->program = cursor;
	header->program.at = program;
	return wrong;
}

static void
reset(struct machine *machine)
{
	memset(&machine->row, 0, sizeof machine->row);
	machine->operation = 0;
	machine->row.line = 1;
	/* GNU gprof takes entry 0, the primary file, until the program names one. */
	machine->row.file = machine->header->version < 5 ||
	                    !machine->header->sections->begins_in_file_0;
}

static void
advance(struct machine *machine, uint64_t operations)
{
	const struct dwarfsym_header *header = machine->header;

	if (header->maximum_operations == 1) {
		machine->row.address += operations * header->minimum_instruction;
		return;
	}
	operations += machine->operation;
	machine->row.address += operations / header->maximum_operations *
	                        header->minimum_instruction;
	machine->operation = (uint32_t)(operations % header->maximum_operations);
}

static void
special(struct machine *machine, uint8_t opcode)
{
	const struct dwarfsym_header *header = machine->header;
	uint32_t adjusted = (uint32_t)(opcode - header->opcode_base);

	advance(machine, adjusted / header->line_range);
	machine->row.line += (uint32_t)(header->line_base + (int)(adjusted % header->line_range));
	machine->take_row(machine->opaque, &machine->row);
}

/* An opcode that carries its length.  Returns NULL or what is wrong. */
static const char *
extended(struct gprofx *gx, struct machine *machine, struct dwarfsym_header *header,
         struct gprofx_cursor *cursor)
{
	struct gprofx_cursor operands;
	uint64_t length = dwarfsym_uleb(cursor);
	const char *name;

	operands = *cursor;
	if (!gprofx_take(cursor, length))
		return "an instruction of it is too long";
	operands.length = cursor->at;
	if (length == 0)
		return NULL;
	switch (gprofx_number(&operands, 1)) {
	case DW_LNE_end_sequence:
		machine->row.end = true;
		machine->take_row(machine->opaque, &machine->row);
		break;
	case DW_LNE_set_address:
		if (length < 2 || length > 9)
			return "an address in it is too long";
		machine->row.address = gprofx_number(&operands, (uint32_t)length - 1) -
		                       header->sections->shift;
		machine->operation = 0;
		break;
	case DW_LNE_define_file:
		name = dwarfsym_string(&operands);
		if (!name)
			return "the name of a file in it does not end";
		if (gx)
			dwarfsym_add_entry(gx, &header->files, name, dwarfsym_uleb(&operands));
		break;
	default:
		break;
	}
	return NULL;
}

static void
standard(struct machine *machine, uint8_t opcode, struct gprofx_cursor *cursor)
{
	const struct dwarfsym_header *header = machine->header;

	switch (opcode) {
	case DW_LNS_copy:
		machine->take_row(machine->opaque, &machine->row);
		break;
	case DW_LNS_advance_pc:
		advance(machine, dwarfsym_uleb(cursor));
		break;
	case DW_LNS_advance_line:
		machine->row.line += (uint32_t)dwarfsym_sleb(cursor);
		break;
	case DW_LNS_set_file:
		machine->row.file = dwarfsym_uleb(cursor);
		break;
	case DW_LNS_const_add_pc:
		advance(machine, (uint32_t)(255 - header->opcode_base) / header->line_range);
		break;
	case DW_LNS_fixed_advance_pc:
		machine->row.address += gprofx_number(cursor, 2);
		machine->operation = 0;
		break;
	default: /* columns, statements, blocks, and what later versions may add */
		for (uint8_t i = 0; i < header->operand_counts[opcode - 1]; i++)
			dwarfsym_uleb(cursor);
		break;
	}
}

const char *
dwarfsym_run_sequence(struct gprofx *gx, struct dwarfsym_header *header, struct gprofx_cursor *at,
                      dwarfsym_take_row *take_row, void *opaque)
{
	struct machine machine = {.header = header, .take_row = take_row, .opaque = opaque};
	const char *wrong = NULL;

	reset(&machine);
	while (!wrong && !machine.row.end && gprofx_left(at) > 0) {
		uint8_t opcode = (uint8_t)gprofx_number(at, 1);

		if (opcode >= header->opcode_base)
			special(&machine, opcode);
		else if (opcode == 0)
			wrong = extended(gx, &machine, header, at);
		else
			standard(&machine, opcode, at);
		if (!wrong && at->short_by)
			wrong = "its program is cut off";
	}
	return wrong;
}
