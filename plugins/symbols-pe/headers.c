/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Takes the headers of PE images and COFF objects apart, as far as it must be known before libbfd
 * may look at the file.
 */
#include "headers.h"

#include <string.h>

const char sympe_copy_again[] = "the file is damaged or cut short; copy or link it again";
const char sympe_give_the_program[] =
	"name the linked program that wrote the profile, as it was when it ran";

enum {
	DOS_HEADER = 64,
	DOS_PE_AT = 0x3c, /* member of the DOS header with the place of the PE header */
	PE_MAGIC = 4,
	BIG_HEADER = 56, /* of an object with more than 65279 sections */
	ROW = 18,
	BIG_ROW = 20,
	MACHINE_I386 = 0x14c,
	MACHINE_X86_64 = 0x8664,
	MACHINE_ARM64 = 0xaa64,
	OPTIONAL_64 = 0x20b,
	/* What libbfd may have to do: in all, or for each symbol; and memory for sections. */
	MOST_STEPS = 1 << 22,
	STEPS_EACH = 16,
	MOST_SECTIONS = 1 << 17,
	CLASS_FILE = 103, /* storage class of rows with the name of a source file */
};

/* Marks of an object of the large kind: a first word of 0, a second of ones, and this. */
static const uint8_t big_class[16] = {0xc7, 0xa1, 0xba, 0xd1, 0xee, 0xba, 0xa9, 0x4b,
                                      0xaf, 0x20, 0xfa, 0xf6, 0x6a, 0xa4, 0xdc, 0xb8};

static const struct machine {
	uint16_t number, elf_number;
	uint32_t pointer_bytes;
	const char *image, *object, *big_object; /* libbfd's words; NULL: it has none */
	const char *architecture;                /* likewise */
} machines[] = {
	{MACHINE_I386, 3, 4, "pei-i386", "pe-i386", NULL, "i386"},
	{MACHINE_X86_64, 62, 8, "pei-x86-64", "pe-x86-64", "pe-bigobj-x86-64", "i386:x86-64"},
	{MACHINE_ARM64, 183, 8, "pei-aarch64-little", "pe-aarch64-little", NULL, "aarch64"},
};

static uint32_t
u16(const uint8_t *bytes)
{
	return (uint32_t)gprofx_number_at(bytes, 2, false);
}

static uint32_t
u32(const uint8_t *bytes)
{
	return (uint32_t)gprofx_number_at(bytes, 4, false);
}

static const struct machine *
machine_of(uint32_t number)
{
	for (size_t i = 0; i < sizeof machines / sizeof machines[0]; i++)
		if (machines[i].number == number)
			return &machines[i];
	return NULL;
}

static bool
is_big_object(const uint8_t *bytes, uint64_t length)
{
	return length >= BIG_HEADER && u16(bytes) == 0 && u16(bytes + 2) == 0xffff &&
	       u16(bytes + 4) >= 2 && memcmp(bytes + 12, big_class, sizeof big_class) == 0;
}

/* Objects begin with nothing but the number of a machine: more must fit. */
static bool
may_be_object(const uint8_t *bytes, uint64_t length)
{
	return length >= COFF_HEADER + SECTION_HEADER && machine_of(u16(bytes)) &&
	       u16(bytes + 2) > 0 && u16(bytes + 16) == 0 && u32(bytes + 8) >= COFF_HEADER;
}

int
sympe_probe(const uint8_t *head, size_t bytes)
{
	if (bytes >= 2 && head[0] == 'M' && head[1] == 'Z')
		return 100;
	return is_big_object(head, bytes) || may_be_object(head, bytes) ? 100 : 0;
}

/* Where the COFF header of an image is. */
static enum gprofx_result
find_pe_header(struct pe_headers *headers)
{
	const struct gprofx_image *image = headers->image;
	uint64_t at;

	if (image->length < DOS_HEADER)
		return SYMPE_REJECT(headers, image->length, sympe_copy_again,
		                    "expected a DOS header of %d bytes, found the end of the file",
		                    DOS_HEADER);
	at = u32(image->bytes + DOS_PE_AT);
	if (at > image->length || image->length - at < PE_MAGIC + COFF_HEADER)
		return SYMPE_REJECT(headers, DOS_PE_AT, sympe_copy_again,
		                    "expected a PE header inside the file, found it at %llu",
		                    (unsigned long long)at);
	if (memcmp(image->bytes + at, "PE\0", PE_MAGIC) != 0)
		return SYMPE_REJECT(headers, at, sympe_give_the_program,
		                    "expected a PE header, found a program of another kind");
	headers->at = at + PE_MAGIC;
	return GPROFX_OK;
}

/*
 * The table of directories, with its length in front, at the end of the optional header: libbfd
 * would follow them.
 */
static enum gprofx_result
find_directories(struct pe_headers *headers, uint32_t optional_bytes)
{
	uint64_t at = headers->at + COFF_HEADER;
	uint32_t before = 92;

	if (optional_bytes >= before && u16(headers->image->bytes + at) == OPTIONAL_64)
		before = 108;
	if (optional_bytes < before)
		return SYMPE_REJECT(
			headers, headers->at + 16, sympe_give_the_program,
			"expected an optional header of at least %u bytes, found %u bytes", before,
			optional_bytes);
	headers->directories = at + before;
	return GPROFX_OK;
}

static enum gprofx_result
read_coff_header(struct pe_headers *headers)
{
	const struct gprofx_image *image = headers->image;
	const uint8_t *bytes = image->bytes + headers->at;
	bool is_image = headers->at != 0, is_big = !is_image && is_big_object(bytes, image->length);
	const struct machine *machine;
	uint32_t number, optional_bytes;

	if (!is_image && !is_big && !may_be_object(bytes, image->length))
		return SYMPE_REJECT(headers, 0, sympe_give_the_program,
		                    "expected a PE image or a COFF object, found other data");
	number = u16(bytes + (is_big ? 6 : 0));
	machine = machine_of(number);
	if (machine)
		headers->format = is_image ? machine->image
		                  : is_big ? machine->big_object
		                           : machine->object;
	if (!headers->format)
		return SYMPE_REJECT(
			headers, headers->at + (is_big ? 6 : 0), sympe_give_the_program,
			"expected an image for i386, x86-64 or ARM64, found machine 0x%x", number);
	headers->target = (struct gprofx_target){.size = sizeof headers->target,
	                                         .pointer_bytes = machine->pointer_bytes,
	                                         .machine = machine->elf_number};
	headers->architecture = machine->architecture;
	headers->row_bytes = is_big ? BIG_ROW : ROW;
	headers->section_count = is_big ? u32(bytes + 44) : u16(bytes + 2);
	headers->symbols = u32(bytes + (is_big ? 48 : 8));
	headers->row_count = u32(bytes + (is_big ? 52 : 12));
	optional_bytes = is_big ? 0 : u16(bytes + 16);
	headers->sections = headers->at + (is_big ? BIG_HEADER : COFF_HEADER) + optional_bytes;
	headers->past = headers->sections + (uint64_t)headers->section_count * SECTION_HEADER;
	if (headers->past > image->length)
		return SYMPE_REJECT(
			headers, headers->sections, sympe_copy_again,
			"expected %u section headers inside the file, found them beyond its end",
			headers->section_count);
	if (headers->section_count > MOST_SECTIONS)
		return SYMPE_REJECT(headers, headers->at + 44, sympe_give_the_program,
		                    "expected at most %d sections, found %u", MOST_SECTIONS,
		                    headers->section_count);
	return is_image ? find_directories(headers, optional_bytes) : GPROFX_OK;
}

const uint8_t *
sympe_row(const struct pe_headers *headers, uint32_t index)
{
	return headers->image->bytes + headers->symbols + (uint64_t)index * headers->row_bytes;
}

uint32_t
sympe_auxiliary(const struct pe_headers *headers, const uint8_t *row)
{
	return row[headers->row_bytes - 1];
}

/*
 * To find the section of a symbol, libbfd goes along the list of sections.  In a linked program
 * functions are in the first of them; elsewhere that can take hours.
 */
static uint32_t
steps_to_section(const struct pe_headers *headers, const uint8_t *row)
{
	uint32_t number = headers->row_bytes == BIG_ROW ? u32(row + 12) : u16(row + 12);
	bool is_special = number == 0 || number >= (headers->row_bytes == BIG_ROW ? UINT32_MAX - 1
	                                                                          : UINT16_MAX - 1);

	if (is_special)
		return 0;
	return number < headers->section_count ? number : headers->section_count;
}

static enum gprofx_result
count_symbols(struct pe_headers *headers)
{
	uint32_t i = 0, auxiliary;
	uint64_t steps = 0;

	for (; i < headers->row_count; i += 1 + auxiliary) {
		const uint8_t *row = sympe_row(headers, i);

		auxiliary = sympe_auxiliary(headers, row);
		steps += steps_to_section(headers, row);
		if (auxiliary >= headers->row_count - i)
			return SYMPE_BAD_TABLE(
				headers, headers->symbols + (uint64_t)i * headers->row_bytes,
				"bad value",
				"expected at most %u auxiliary rows behind symbol row %u, found %u",
				headers->row_count - i - 1, i, auxiliary);
		headers->symbol_count++;
	}
	if (steps > MOST_STEPS && steps / STEPS_EACH > headers->symbol_count)
		return gprofx_fail(
			headers->gx,
			&(struct gprofx_diagnostic){.id = "image.bad-symtab",
		                                    .file = headers->image->name,
		                                    .place = GPROFX_AT_OFFSET,
		                                    .offset = headers->symbols,
		                                    .hint = sympe_give_the_program,
		                                    .text = {"bad value"}},
			"expected functions in few sections, found %u symbols in %u sections",
			headers->symbol_count, headers->section_count);
	return GPROFX_OK;
}

static uint64_t
past_symbols(const struct pe_headers *headers)
{
	return headers->symbols + (uint64_t)headers->row_count * headers->row_bytes;
}

/* The table of names, which sections have a use for even where there are no symbols. */
static enum gprofx_result
find_strings(struct pe_headers *headers)
{
	const struct gprofx_image *image = headers->image;
	uint64_t at = past_symbols(headers), bytes;

	headers->strings = at;
	/* Linkers leave it out when all names are short. */
	if (at > image->length || image->length - at < 4)
		return GPROFX_OK;
	bytes = u32(image->bytes + at);
	if (bytes >= 4 && bytes <= image->length - at) {
		headers->strings_bytes = bytes;
		return GPROFX_OK;
	}
	if (headers->row_count == 0)
		return GPROFX_OK;
	if (bytes < 4)
		return SYMPE_BAD_TABLE(headers, at, "bad value",
		                       "expected a table of names of at least 4 bytes, found %llu",
		                       (unsigned long long)bytes);
	return SYMPE_BAD_TABLE(headers, at, "file truncated",
	                       "expected names of %llu bytes inside the file, found its end",
	                       (unsigned long long)bytes);
}

/* The table of symbols and that of their names. */
static enum gprofx_result
find_tables(struct pe_headers *headers)
{
	const struct gprofx_image *image = headers->image;
	enum gprofx_result result;
	uint64_t left;

	if (headers->symbols == 0)
		headers->row_count = 0;
	if (headers->row_count == 0)
		return headers->symbols == 0 ? GPROFX_OK : find_strings(headers);
	if (headers->symbols < headers->past)
		return SYMPE_BAD_TABLE(
			headers, headers->symbols, "bad value",
			"expected the symbol table after the headers, found it inside them");
	left = headers->symbols <= image->length ? image->length - headers->symbols : 0;
	if (headers->row_count > left / headers->row_bytes)
		return SYMPE_BAD_TABLE(
			headers, headers->symbols, "file truncated",
			"expected a symbol table of %u rows inside the file, found its end",
			headers->row_count);
	result = find_strings(headers);
	return result == GPROFX_OK ? count_symbols(headers) : result;
}

enum gprofx_result
sympe_read_headers(struct pe_headers *headers, struct gprofx *gx, const struct gprofx_image *image)
{
	enum gprofx_result result = GPROFX_OK;

	*headers = (struct pe_headers){.gx = gx, .image = image};
	if (image->length < 2)
		return SYMPE_REJECT(headers, image->length, sympe_give_the_program,
		                    "expected a PE image, found the end of the file");
	if (image->bytes[0] == 'M' && image->bytes[1] == 'Z')
		result = find_pe_header(headers);
	if (result == GPROFX_OK)
		result = read_coff_header(headers);
	if (result == GPROFX_OK)
		result = find_tables(headers);
	return result;
}

static uint8_t *
copy_range(struct pe_patch *patch, const struct pe_headers *headers, uint64_t at, uint64_t past)
{
	*patch = (struct pe_patch){at, past - at, gprofx_alloc(headers->gx, past - at)};
	memcpy(patch->copy, headers->image->bytes + at, past - at);
	return patch->copy;
}

static void
put_u32(uint8_t *bytes, uint32_t value)
{
	for (uint32_t i = 0; i < 4; i++)
		bytes[i] = (uint8_t)(value >> 8 * i);
}

static void
zero(uint8_t *bytes, uint64_t from, uint64_t past)
{
	memset(bytes + from, 0, past - from);
}

bool
sympe_name_offset(const uint8_t name[8], uint64_t *offset)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	bool is_base64 = name[1] == '/';
	uint32_t first = is_base64 ? 2 : 1;

	*offset = 0;
	if (name[0] != '/' || name[first] == '\0')
		return false;
	for (uint32_t i = first; i < 8 && name[i] != '\0'; i++) {
		const char *digit = strchr(digits, name[i]);

		if (is_base64 ? !digit : name[i] < '0' || name[i] > '9')
			return false;
		*offset = is_base64 ? *offset * 64 + (uint64_t)(digit - digits)
		                    : *offset * 10 + name[i] - '0';
	}
	return true;
}

/*
 * The start of a long name is as good as all of it, and libbfd makes a copy for every section: a
 * table with one name as long as the file is enough for terabytes.
 */
static void
shorten_name(const struct pe_headers *headers, uint8_t name[8])
{
	const uint8_t *strings = headers->image->bytes + headers->strings;
	uint64_t offset, left;

	if (!sympe_name_offset(name, &offset) || offset < 4 || offset >= headers->strings_bytes)
		return;
	left = headers->strings_bytes - offset;
	memset(name, 0, 8);
	memcpy(name, strings + offset,
	       strnlen((const char *)strings + offset, left < 8 ? left : 8));
}

/*
 * Takes out of section headers what leads to relocations and line numbers, and all flags but those
 * for kind of contents, alignment and access: to find out which of several sections of a kind one
 * is, libbfd goes through all symbols for each of them, and about others it prints messages.
 */
static void
patch_sections(const struct pe_headers *headers, uint8_t *section)
{
	static const uint32_t harmless = 0xf2f00ae0;

	for (uint32_t i = 0; i < headers->section_count; i++, section += SECTION_HEADER) {
		uint32_t flags = u32(section + 36) & harmless;

		shorten_name(headers, section);
		zero(section, 24, 36);
		put_u32(section + 36, flags);
	}
}

/*
 * Empties the auxiliary rows, which refer to other rows and to lines; nothing of it is wanted.  The
 * name of a source file stands in such a row, and must not be empty.
 */
static void
patch_rows(const struct pe_headers *headers, uint8_t *row)
{
	uint32_t bytes = headers->row_bytes;

	for (uint32_t i = 0, auxiliary; i < headers->row_count; i += 1 + auxiliary) {
		auxiliary = sympe_auxiliary(headers, row);
		zero(row, bytes, bytes * (1 + auxiliary));
		if (auxiliary > 0 && row[bytes - 2] == CLASS_FILE)
			row[bytes] = '-';
		row += bytes * (1 + auxiliary);
	}
}

/* Alignments that libbfd would print messages about, and the directories. */
static void
patch_optional_header(const struct pe_headers *headers, uint8_t *copy)
{
	uint8_t *optional = copy + COFF_HEADER;

	put_u32(optional + 32, 0x1000);
	put_u32(optional + 36, 0x200);
	zero(copy, headers->directories - headers->at, headers->sections - headers->at);
}

void
sympe_open_view(struct pe_view *view, const struct pe_headers *headers)
{
	uint8_t *copy;

	*view = (struct pe_view){.image = headers->image};
	copy = copy_range(&view->patches[0], headers, headers->at, headers->past);
	if (headers->directories != 0)
		patch_optional_header(headers, copy);
	patch_sections(headers, copy + (headers->sections - headers->at));
	if (headers->row_count > 0)
		patch_rows(headers, copy_range(&view->patches[1], headers, headers->symbols,
		                               past_symbols(headers)));
}

void
sympe_close_view(struct pe_view *view, struct gprofx *gx)
{
	for (size_t i = 0; i < sizeof view->patches / sizeof view->patches[0]; i++)
		gx->host->release(gx, view->patches[i].copy);
}

uint64_t
sympe_read_view(const struct pe_view *view, void *to, uint64_t offset, uint64_t bytes)
{
	uint64_t length = view->image->length;

	if (offset >= length)
		return 0;
	if (bytes > length - offset)
		bytes = length - offset;
	memcpy(to, view->image->bytes + offset, bytes);
	for (size_t i = 0; i < sizeof view->patches / sizeof view->patches[0]; i++) {
		const struct pe_patch *patch = &view->patches[i];
		uint64_t from = patch->at > offset ? patch->at : offset;
		uint64_t past = patch->at + patch->bytes < offset + bytes ? patch->at + patch->bytes
		                                                          : offset + bytes;

		if (from < past)
			memcpy((uint8_t *)to + (from - offset), patch->copy + (from - patch->at),
			       past - from);
	}
	return bytes;
}
