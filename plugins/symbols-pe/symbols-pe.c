/* SPDX-License-Identifier: Apache-2.0 */
/*
 * symbols-pe: function symbols of Windows images, and the facts about an image that readers of
 * profiles need.
 */
#include <string.h>

#include <gprofx/symbols.h>

#include "headers.h"
#include "library.h"

#include "../shared/code-ranges.h"

static void
state_facts(const struct pe_headers *headers, const struct pe_contents *contents)
{
	struct gprofx_symtab *symtab = contents->symtab;
	struct gprofx_code_range *ranges = gprofx_alloc(
		headers->gx, (contents->section_count + 1u) * sizeof *ranges);
	uint32_t count = 0;

	for (uint32_t i = 0; i < contents->section_count; i++) {
		const struct pe_section *section = &contents->sections[i];
		uint64_t left = headers->image->length - section->file_offset;

		if (section->is_text) {
			symtab->has_text = true;
			symtab->text_start = section->address;
			symtab->text_end = section->address + section->bytes;
		}
		if (section->is_code)
			ranges[count++] = (struct gprofx_code_range){
				.address = section->address,
				.bytes = section->bytes < left ? section->bytes : left,
				.file_offset = section->file_offset,
				.name = section->name};
	}
	sort_code_ranges(ranges, count);
	symtab->target = headers->target;
	symtab->architecture = headers->architecture;
	symtab->code = ranges;
	symtab->code_count = count;
}

/* The table of strings, ended by a NUL: in the image, or a copy. */
static void
open_strings(const struct pe_headers *headers, struct gprofx_symtab *symtab)
{
	const char *strings = (const char *)headers->image->bytes + headers->strings;
	char *closed;

	if (headers->strings_bytes == 0)
		return;
	symtab->strings = strings;
	symtab->strings_bytes = headers->strings_bytes;
	if (strings[headers->strings_bytes - 1] == '\0')
		return;
	closed = gprofx_alloc(headers->gx, headers->strings_bytes + 1);
	memcpy(closed, strings, headers->strings_bytes);
	symtab->strings = closed;
	symtab->strings_bytes = headers->strings_bytes + 1;
}

static void
warn_nameless(const struct pe_headers *headers, uint32_t nameless)
{
	gprofx_warn(headers->gx,
	            &(struct gprofx_diagnostic){.id = "image.bad-symbol-name",
	                                        .file = headers->image->name,
	                                        .place = GPROFX_AT_OFFSET,
	                                        .offset = headers->strings,
	                                        .hint = sympe_copy_again,
	                                        .number = {nameless, headers->strings_bytes}},
	            "expected names of symbols inside their table of %llu bytes, found %u beyond "
	            "its end; they are shown as <corrupt>",
	            (unsigned long long)headers->strings_bytes, nameless);
}

static enum gprofx_result
failed(const struct pe_headers *headers, const struct pe_contents *contents)
{
	const char *words = contents->library_words;

	if (contents->is_unknown)
		return SYMPE_REJECT(headers, headers->at,
		                    "read the profile where libbfd supports "
		                    "this kind",
		                    "expected an image of a kind that libbfd knows here, found %s",
		                    headers->format);
	if (contents->is_no_image)
		return SYMPE_REJECT(headers, headers->at, sympe_copy_again,
		                    "expected an image of the kind %s, found what libbfd cannot "
		                    "read: %s",
		                    headers->format, words);
	return SYMPE_BAD_TABLE(headers, headers->symbols, words,
	                       "expected a symbol table, found one that libbfd cannot read: %s",
	                       words);
}

static enum gprofx_result
load(struct gprofx *gx, const struct gprofx_image *image, struct gprofx_symtab *symtab,
     const void *options)
{
	struct pe_contents contents = {.symtab = symtab};
	struct pe_headers headers;
	struct pe_view view;
	enum gprofx_result result = sympe_read_headers(&headers, gx, image);
	bool done;

	(void)options;
	if (result != GPROFX_OK)
		return result;
	open_strings(&headers, symtab);
	symtab->builder->reserve(gx, symtab, headers.symbol_count);
	contents.sections = gprofx_alloc(gx,
	                                 (headers.section_count + 1u) * sizeof *contents.sections);
	contents.names = gprofx_alloc(gx, (headers.symbol_count + 1u) * (size_t)SYMPE_NAME_ROOM);
	sympe_open_view(&view, &headers);
	done = sympe_look(&contents, &headers, &view);
	sympe_close_view(&view, gx);
	if (!done)
		return failed(&headers, &contents);
	state_facts(&headers, &contents);
	sympe_find_libraries(&headers, symtab);
	sympe_find_debug(&headers, symtab);
	if (contents.nameless > 0 && !symtab->facts_only)
		warn_nameless(&headers, contents.nameless);
	return GPROFX_OK;
}

static const struct gprofx_symbols symbols = {.size = sizeof symbols,
                                              .probe = sympe_probe,
                                              .load = load};

GPROFX_PLUGIN = {GPROFX_ABI, .name = "symbols-pe", .version = "1.0",
                 .summary = "Function symbols of Windows images (PE and COFF)",
                 .symbols = &symbols};
