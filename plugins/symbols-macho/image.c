/* SPDX-License-Identifier: Apache-2.0 */
/* Takes the header and the load commands of a Mach-O image apart. */
#include <elf.h>
#include <string.h>

#include <gprofx/symbols.h>

#include "macho.h"

const char macho_copy_again[] = "the file is damaged or cut short; copy or link it again";

static const char name_the_program[] =
	"name the linked program that wrote the profile, as it was when it ran";

enum {
	HEADER = 28,
	HEADER_64 = 32,
	HAS_TWO_LEVELS = 0x80,
	COMMAND = 8, /* its kind and length */
	SEGMENT = 1,
	SYMBOLS = 2,
	MORE_SYMBOLS = 11,
	SEGMENT_64 = 25,
	UUID = 27,
	ENCRYPTION = 33,
	ENCRYPTION_64 = 44,
	FUNCTION_STARTS = 38,
	DATA_IN_CODE = 41
};

/* Members of segments and of sections that differ in 64-bit images. */
static const struct layout {
	uint32_t segment_bytes, section_bytes;
	uint32_t address, file_bytes, section_count;                   /* of a segment */
	uint32_t section_address, section_size, section_offset, flags; /* of a section */
} layouts[] = {
	{56, 68, 24, 36, 48, 32, 36, 40, 56},
	{72, 80, 24, 48, 64, 32, 40, 48, 64},
};

uint32_t
macho_word(const struct macho *macho, const uint8_t *bytes)
{
	return gprofx_word_at(bytes, macho->target.big_endian);
}

/* Of the word size of the file's structures. */
uint64_t
macho_address(const struct macho *macho, const uint8_t *bytes)
{
	return gprofx_number_at(bytes, macho->target.pointer_bytes, macho->target.big_endian);
}

static uint16_t
machine_of(uint32_t processor)
{
	static const struct {
		uint32_t processor;
		uint16_t machine;
	} machines[] = {
		{6, EM_68K},
		{7, EM_386},
		{0x01000007, EM_X86_64},
		{8, EM_MIPS},
		{11, EM_PARISC},
		{12, EM_ARM},
		{14, EM_SPARC},
		{0x0100000c, EM_AARCH64},
		{0x0200000c, EM_AARCH64},
		{18, EM_PPC},
		{0x01000012, EM_PPC64},
	};

	for (size_t i = 0; i < sizeof machines / sizeof machines[0]; i++)
		if (machines[i].processor == processor)
			return machines[i].machine;
	return EM_NONE;
}

static bool
is_64(const struct macho *macho)
{
	return macho->target.pointer_bytes == 8;
}

static enum gprofx_result
read_header(struct macho *macho)
{
	const uint8_t *bytes = macho->bytes;
	uint32_t header, magic, commands_bytes;

	if (macho->length < HEADER)
		return MACHO_REJECT(
			macho, macho->length, macho_copy_again,
			"expected a Mach-O header of %d bytes, found the end of the file", HEADER);
	macho->target.size = sizeof macho->target;
	macho->target.big_endian = bytes[0] == 0xfe;
	magic = macho_word(macho, bytes);
	macho->target.pointer_bytes = (magic & 1) != 0 ? 8 : 4;
	header = is_64(macho) ? HEADER_64 : HEADER;
	if (macho->length < header)
		return MACHO_REJECT(
			macho, macho->length, macho_copy_again,
			"expected a Mach-O header of %u bytes, found the end of the file", header);
	macho->target.machine = machine_of(macho_word(macho, bytes + 4));
	macho->kind = macho_word(macho, bytes + 12);
	macho->command_count = macho_word(macho, bytes + 16);
	commands_bytes = macho_word(macho, bytes + 20);
	macho->has_two_levels = (macho_word(macho, bytes + 24) & HAS_TWO_LEVELS) != 0;
	macho->commands_at = header;
	macho->commands_past = header + (uint64_t)commands_bytes;
	if (macho->kind == MACHO_CORE || macho->kind == MACHO_FILESET)
		return MACHO_REJECT(macho, 12, name_the_program,
		                    "expected a program, a library or an object, found %s",
		                    macho->kind == MACHO_CORE
		                            ? "a core file"
		                            : "a collection of kernel extensions");
	if (macho->commands_past > macho->length)
		return MACHO_REJECT(macho, 20, macho_copy_again,
		                    "expected load commands of %u bytes, found the end of the file",
		                    commands_bytes);
	return GPROFX_OK;
}

bool
macho_first(const struct macho *macho, struct macho_command *command)
{
	command->bytes = macho->bytes + macho->commands_at;
	command->length = 0;
	return macho_next(macho, command);
}

bool
macho_next(const struct macho *macho, struct macho_command *command)
{
	const uint8_t *bytes = command->bytes + command->length;
	uint64_t left = macho->commands_past - (uint64_t)(bytes - macho->bytes);

	if (left < COMMAND)
		return false;
	*command = (struct macho_command){bytes, macho_word(macho, bytes),
	                                  macho_word(macho, bytes + 4)};
	return command->length >= COMMAND && command->length <= left;
}

static enum gprofx_result
check_segment(struct macho *macho, const struct macho_command *command)
{
	const struct layout *layout = &layouts[is_64(macho)];
	uint64_t at = (uint64_t)(command->bytes - macho->bytes);
	uint32_t count;

	if (command->length < layout->segment_bytes)
		return MACHO_REJECT(macho, at, macho_copy_again,
		                    "expected a segment of at least %u bytes, found %u bytes",
		                    layout->segment_bytes, command->length);
	count = macho_word(macho, command->bytes + layout->section_count);
	if (count > (command->length - layout->segment_bytes) / layout->section_bytes)
		return MACHO_REJECT(macho, at, macho_copy_again,
		                    "expected %u sections in a segment of %u bytes, found its end",
		                    count, command->length);
	macho->section_count += count;
	return GPROFX_OK;
}

static void
take_table(const struct macho *macho, const struct macho_command *command, uint32_t at,
           struct macho_table *table)
{
	if (command->length < at + 8)
		return;
	table->offset = macho_word(macho, command->bytes + at);
	table->count = macho_word(macho, command->bytes + at + 4);
}

/* What is not a segment. */
static void
take_command(struct macho *macho, const struct macho_command *command)
{
	struct macho_table hidden = {0};

	switch (command->kind) {
	case SYMBOLS:
		take_table(macho, command, 8, &macho->symbols);
		take_table(macho, command, 16, &macho->strings);
		break;
	case MORE_SYMBOLS:
		take_table(macho, command, 56, &macho->indirect);
		break;
	case FUNCTION_STARTS:
		take_table(macho, command, 8, &macho->starts);
		break;
	case DATA_IN_CODE:
		take_table(macho, command, 8, &macho->data_in_code);
		break;
	case UUID:
		if (command->length >= COMMAND + MACHO_UUID)
			macho->uuid = command->bytes + COMMAND;
		break;
	case ENCRYPTION:
	case ENCRYPTION_64:
		if (command->length < 20 || macho_word(macho, command->bytes + 16) == 0)
			break;
		take_table(macho, command, 8, &hidden);
		macho->hidden_at = hidden.offset;
		macho->hidden_bytes = hidden.count;
		break;
	default:
		break;
	}
}

/* Walks the commands, and checks that all of them are there. */
static enum gprofx_result
read_commands(struct macho *macho)
{
	uint32_t segment_kind = is_64(macho) ? SEGMENT_64 : SEGMENT, found = 0;
	struct macho_command command;
	uint64_t past = macho->commands_at;

	for (bool more = macho->command_count > 0 && macho_first(macho, &command); more;
	     more = found < macho->command_count && macho_next(macho, &command)) {
		found++;
		past = (uint64_t)(command.bytes - macho->bytes) + command.length;
		if (command.kind != segment_kind)
			take_command(macho, &command);
		else if (check_segment(macho, &command) != GPROFX_OK)
			return GPROFX_FAILED;
	}
	if (found < macho->command_count)
		return MACHO_REJECT(macho, past, macho_copy_again,
		                    "expected %u load commands, found %u", macho->command_count,
		                    found);
	macho->commands_past = past;
	return GPROFX_OK;
}

/* How much of a section the file has. */
static void
find_bytes(const struct macho *macho, struct macho_section *section, uint32_t offset, bool has_file)
{
	uint32_t type = section->flags & SECTION_TYPE;

	if (!has_file || offset == 0 || type == SECTION_ZEROS || type == SECTION_LARGE_ZEROS ||
	    type == SECTION_THREAD_ZEROS || offset >= macho->length)
		return;
	section->file_offset = macho->at + offset;
	section->file_bytes = section->bytes < macho->length - offset ? section->bytes
	                                                              : macho->length - offset;
}

static void
take_sections(struct macho *macho, const struct macho_command *command)
{
	const struct layout *layout = &layouts[is_64(macho)];
	const uint8_t *segment = command->bytes, *row = segment + layout->segment_bytes;
	uint32_t count = macho_word(macho, segment + layout->section_count);
	bool has_file = macho_address(macho, segment + layout->file_bytes) > 0;

	if (macho->kind != MACHO_OBJECT &&
	    strncmp((const char *)segment + 8, "__TEXT", MACHO_NAME) == 0)
		macho->header_address = macho_address(macho, segment + layout->address);
	for (uint32_t i = 0; i < count; i++, row += layout->section_bytes) {
		struct macho_section *section = &macho->sections[macho->section_count++];

		memcpy(section->name, row, MACHO_NAME);
		memcpy(section->segment, row + MACHO_NAME, MACHO_NAME);
		section->address = macho_address(macho, row + layout->section_address);
		section->bytes = macho_address(macho, row + layout->section_size);
		section->flags = macho_word(macho, row + layout->flags);
		section->first_indirect = macho_word(macho, row + layout->flags + 4);
		section->is_code = (section->flags & (SECTION_ALL_CODE | SECTION_SOME_CODE)) != 0;
		find_bytes(macho, section, macho_word(macho, row + layout->section_offset),
		           has_file);
	}
}

bool
macho_has(const struct macho *macho, const struct macho_table *table, uint32_t row_bytes)
{
	return table->offset <= macho->length &&
	       table->count <= (macho->length - table->offset) / row_bytes;
}

enum gprofx_result
macho_open(struct macho *macho, const struct gprofx_image *image, struct macho_part part)
{
	uint32_t segment_kind;
	struct macho_command command;

	macho->bytes = image->bytes + part.at;
	macho->length = part.length;
	macho->at = part.at;
	if (read_header(macho) != GPROFX_OK || read_commands(macho) != GPROFX_OK)
		return GPROFX_FAILED;
	segment_kind = is_64(macho) ? SEGMENT_64 : SEGMENT;
	macho->sections = gprofx_alloc(macho->gx, (macho->section_count + (size_t)1) *
	                                                  sizeof *macho->sections);
	macho->section_count = 0;
	for (bool more = macho_first(macho, &command); more; more = macho_next(macho, &command))
		if (command.kind == segment_kind)
			take_sections(macho, &command);
	return GPROFX_OK;
}
