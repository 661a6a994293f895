/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Code is decoded in blocks, each from the entry of the function that it begins in, or, where that
 * is far, from so far before it that decoding has most likely found the instructions.  The last
 * blocks are kept: who asks does so by ascending address.
 */
#include "scan/begins.h"

#include "base/mapfile.h"
#include "base/memory.h"
#include "base/sort.h"
#include "plugin/plugins.h"
#include "scan/parts.h"
#include "scan/scan.h"
#include "symbols/symbols.h"

enum { BLOCK = 1024, BLOCKS = 64, FAR_ENTRY = 4096, RUN_UP = 256 };

/*
 * Bytes that are decoded: requests by ascending address stay far below.  Histograms in any order
 * would have the same code decoded again and again.
 */
enum { DECODED_AT_LEAST = 1 << 20, DECODED_PER_BYTE = 8 };

struct block {
	uint64_t address;
	bool is_there, is_known;
	uint64_t bits[BLOCK / 64];
};

struct begin_decoder {
	struct run *run;
	struct scanner *scanner;
	struct scan_pieces marks; /* these alone */
	uint64_t *mark_address;
	uint64_t left; /* bytes that may still be decoded */
	/* Per image beside the program: whether its file was asked for, which is open or NULL. */
	bool *was_asked;
	struct mapped_file **file;
	struct block blocks[BLOCKS];
};

/* A walk over instructions. */
struct decoding {
	const struct begin_decoder *decoder;
	const struct symbols *symbols;
	struct gprofx_code code;
	uint32_t symbol, mark; /* the next ones */
	uint64_t at;           /* address */
	bool is_data;
};

void
scan_begins_open(struct run *run, struct scan_begins *begins)
{
	const struct gprofx_findcall *findcall;
	struct begin_decoder *decoder;
	struct scanner *scanner;
	const struct symbols *symbols;

	if (begins->is_open)
		return;
	begins->is_open = true;
	scanner = begins->scan ? scan_open_for_sites(run, begins->scan, false) : NULL;
	if (!scanner)
		return;
	symbols = begins->scan->symbols;
	findcall = &scanner->plugin->findcall;
	decoder = memory_alloc(run, sizeof *decoder);
	decoder->scanner = scanner;
	begins->decoder = decoder;
	if (!findcall->length && findcall->step == 0) {
		scan_begins_close(run, begins);
		return;
	}
	decoder->left = DECODED_AT_LEAST;
	for (uint32_t i = 0; i < symbols->table.code_count; i++)
		decoder->left += symbols->table.code[i].bytes * DECODED_PER_BYTE;
	decoder->run = run;
	memory_array(run, decoder->was_asked, symbols->image_count);
	decoder->file = memory_alloc_array(run, sizeof(struct mapped_file *), symbols->image_count);
	scan_find_marks(run, &decoder->marks, symbols);
	memory_array(run, decoder->mark_address, decoder->marks.mark_count);
	for (uint32_t i = 0; i < decoder->marks.mark_count; i++)
		decoder->mark_address[i] = decoder->marks.marks[i].address;
}

void
scan_begins_close(struct run *run, struct scan_begins *begins)
{
	if (!begins->decoder)
		return;
	for (uint32_t i = 0; begins->decoder->file && i < begins->scan->symbols->image_count; i++)
		if (begins->decoder->file[i])
			mapfile_close(run, begins->decoder->file[i]);
	memory_release(run, (void *)begins->decoder->file);
	memory_release(run, begins->decoder->was_asked);
	/* The scanner is that of the whole run. */
	memory_release(run, begins->decoder->marks.marks);
	memory_release(run, begins->decoder->mark_address);
	memory_release(run, begins->decoder);
	begins->decoder = NULL;
}

/* Goes back to where an instruction starts for sure: at symbols and marks. */
static void
keep_to_names(struct decoding *walk)
{
	const struct begin_decoder *decoder = walk->decoder;
	const struct symbols *symbols = walk->symbols;
	uint64_t at = 0;

	while (walk->symbol < symbols->count && symbols->address[walk->symbol] <= walk->at)
		at = symbols->address[walk->symbol++];
	while (walk->mark < decoder->marks.mark_count &&
	       decoder->mark_address[walk->mark] <= walk->at) {
		walk->code.marks = &decoder->marks.marks[walk->mark++];
		walk->code.mark_count = 1;
		walk->is_data = walk->code.marks->name[1] == 'd';
		at = walk->code.marks->address > at ? walk->code.marks->address : at;
	}
	/* The last mark before the code says no more than what that is. */
	if (at > walk->code.address)
		walk->at = at;
}

/* The address of the next mark, or "high". */
static uint64_t
end_of_data(const struct decoding *walk, uint64_t high)
{
	bool has_more = walk->mark < walk->decoder->marks.mark_count &&
	                walk->decoder->mark_address[walk->mark] < high;

	return has_more ? walk->decoder->mark_address[walk->mark] : high;
}

static uint64_t
length_at(const struct decoding *walk)
{
	const struct scanner *scanner = walk->decoder->scanner;
	const struct gprofx_findcall *findcall = &scanner->plugin->findcall;

	if (!findcall->length)
		return findcall->step - walk->at % findcall->step;
	return findcall->length(scanner->worker, &walk->code, walk->at - walk->code.address);
}

/* Where to begin so that instructions are known from an address of a section on. */
static uint64_t
first_to_decode(const struct symbols *symbols, const struct gprofx_code_range *range, uint64_t low)
{
	uint32_t symbol = sorted_up_to(symbols->address, symbols->count, low);
	uint64_t entry = symbol > 0 ? symbols->address[symbol - 1] : 0;
	uint64_t before = low - range->address;

	if (symbol > 0 && entry >= range->address && low - entry <= FAR_ENTRY)
		return entry;
	return low - (before < RUN_UP ? before : RUN_UP);
}

/* The file of another object, which is opened when the first code of it is needed; or NULL. */
static const struct mapped_file *
file_of(struct begin_decoder *decoder, const struct symbols *symbols, uint32_t image)
{
	int error = 0;

	if (!decoder->was_asked[image] && symbols->images[image].path)
		decoder->file[image] = mapfile_open(decoder->run, symbols->images[image].path,
		                                    MAPFILE_REGULAR, &error);
	decoder->was_asked[image] = true;
	return decoder->file[image];
}

/* The bytes of a section, or NULL: no file has them all. */
static const uint8_t *
bytes_of(struct begin_decoder *decoder, const struct symbols *symbols,
         const struct gprofx_code_range *range)
{
	const struct symbol_image *image;
	const struct gprofx_code_range *own;
	const struct mapped_file *file;
	uint32_t low = 0, high;

	if (symbols_is_program(symbols, range->address))
		return symbols_has_code(symbols, range) ? symbols->image.bytes + range->file_offset
		                                        : NULL;
	image = symbols_image_at(symbols, range->address);
	high = image->code_count;
	/* Its own table, which is as sorted, says where the section is in its file. */
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (image->code[middle].address + image->base < range->address)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == image->code_count || image->code[low].address + image->base != range->address)
		return NULL;
	file = file_of(decoder, symbols, (uint32_t)(image - symbols->images));
	own = &image->code[low];
	return file && own->file_offset <= file->length && range->bytes <= own->bytes &&
	                       own->bytes <= file->length - own->file_offset
	               ? file->bytes + own->file_offset
	               : NULL;
}

/*
 * Decodes what a section, of these bytes, has of a block from "low" to below "high"; false: that is
 * too much.
 */
static bool
decode(struct begin_decoder *decoder, const struct symbols *symbols,
       const struct gprofx_code_range *range, const uint8_t *bytes, uint64_t low, uint64_t high,
       struct block *block)
{
	uint64_t first = first_to_decode(symbols, range, low);
	struct decoding walk = {
		.decoder = decoder,
		.symbols = symbols,
		.code = {.size = sizeof walk.code,
	                 .bytes = bytes + (first - range->address),
	                 .byte_count = high - first,
	                 .readable = range->bytes - (first - range->address),
	                 .address = first,
	                 .image = &decoder->scanner->image,
	                 .section = range->name},
		.symbol = sorted_up_to(symbols->address, symbols->count, first),
		.mark = sorted_up_to(decoder->mark_address, decoder->marks.mark_count, first),
		.at = first};

	if (high - first > decoder->left)
		return false;
	decoder->left -= high - first;
	/* The last mark before says what the code begins with. */
	walk.mark -= walk.mark > 0;
	while (walk.at < high) {
		uint64_t length;

		keep_to_names(&walk);
		if (walk.is_data) {
			walk.at = end_of_data(&walk, high);
			continue;
		}
		if (walk.at >= low)
			block->bits[(walk.at - block->address) / 64] |= (uint64_t)1
			                                                << (walk.at -
			                                                    block->address) %
			                                                           64;
		length = length_at(&walk);
		walk.at += length > 0 && length < high - walk.at ? length
		           : length > 0                          ? high - walk.at
		                                                 : 1;
	}
	return true;
}

static const struct block *
block_at(const struct scan_begins *begins, uint64_t address)
{
	const struct symbols *symbols = begins->scan->symbols;
	const struct gprofx_symtab *table = &symbols->table;
	struct block *block = &begins->decoder->blocks[address / BLOCK % BLOCKS];
	uint64_t low = address - address % BLOCK, past = symbols_past(low, BLOCK);
	uint32_t first = 0, high = table->code_count;

	if (block->is_there && block->address == low)
		return block;
	*block = (struct block){.address = low, .is_there = true, .is_known = high > 0};
	while (first < high) {
		uint32_t middle = first + (high - first) / 2;

		if (symbols_past(table->code[middle].address, table->code[middle].bytes) <= low)
			first = middle + 1;
		else
			high = middle;
	}
	for (; first < table->code_count && table->code[first].address < past; first++) {
		const struct gprofx_code_range *range = &table->code[first];
		uint64_t end = symbols_past(range->address, range->bytes);
		const uint8_t *bytes = bytes_of(begins->decoder, symbols, range);

		if (!bytes || !decode(begins->decoder, symbols, range, bytes,
		                      range->address > low ? range->address : low,
		                      end < past ? end : past, block))
			block->is_known = false;
	}
	return block;
}

bool
scan_begins_count(struct scan_begins *begins, uint64_t low, uint64_t past, uint64_t *count)
{
	*count = 0;
	if (!begins->decoder)
		return false;
	while (low < past) {
		const struct block *block = block_at(begins, low);
		uint64_t end = past - block->address < BLOCK ? past - block->address : BLOCK;

		if (!block->is_known)
			return false;
		for (uint64_t i = low - block->address; i < end; i++)
			*count += block->bits[i / 64] >> i % 64 & 1;
		if (end < BLOCK || symbols_past(block->address, BLOCK) == UINT64_MAX)
			break;
		low = block->address + BLOCK;
	}
	return true;
}
