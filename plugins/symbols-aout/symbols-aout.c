/* SPDX-License-Identifier: Apache-2.0 */
/*
 * symbols-aout: function symbols of a.out images, which Unix systems had before there was ELF, and
 * the facts about an image that readers of profiles need.
 */
#include <gprofx/symbols.h>

#include "headers.h"

struct options {
	uint32_t machine; /* of images that do not say it: index into aoutsym_machine_names */
};

enum { PROBED_BYTES = 4096, SURE = 90, LIKELY = 70 };

static int
probe(const uint8_t *head, size_t bytes)
{
	struct aout_header header;
	bool is_known;

	if (bytes < AOUT_HEADER || !aoutsym_read_header(&header, head, &is_known))
		return 0;
	if (is_known)
		return SURE;
	/* The whole file is here if it is short. */
	return aoutsym_lay_out(&header, head, bytes, bytes < PROBED_BYTES ? bytes : UINT64_MAX)
	                       .has_symbols
	               ? LIKELY
	               : 0;
}

static enum gprofx_result
reject(struct gprofx *gx, const struct gprofx_image *image)
{
	return gprofx_fail(gx,
	                   &(struct gprofx_diagnostic){
				   .id = "image.not-an-object",
				   .file = image->name,
				   .place = GPROFX_AT_OFFSET,
				   .hint = "name the linked program that wrote the profile, as it "
					   "was when it ran"},
	                   "expected the header of an a.out image, found other data");
}

static enum gprofx_result
no_text(struct gprofx *gx, const struct gprofx_image *image, const struct aout_header *header,
        const struct aout_layout *layout)
{
	return gprofx_fail(gx,
	                   &(struct gprofx_diagnostic){.id = "image.not-an-object",
	                                               .file = image->name,
	                                               .place = GPROFX_AT_OFFSET,
	                                               .offset = layout->text_at,
	                                               .hint = aoutsym_copy_again},
	                   "expected text and data of %llu bytes inside the file, found its end",
	                   (unsigned long long)header->text + header->data);
}

/* What is wrong with tables that are not inside the file. */
static enum gprofx_result
bad_tables(struct gprofx *gx, const struct gprofx_image *image, const struct aout_layout *layout)
{
	struct gprofx_diagnostic diagnostic = {.id = "image.bad-symtab",
	                                       .file = image->name,
	                                       .place = GPROFX_AT_OFFSET,
	                                       .offset = layout->symbols_at,
	                                       .hint = aoutsym_copy_again,
	                                       .text = {"file truncated"}};

	if (layout->strings_at > image->length)
		return gprofx_fail(gx, &diagnostic,
		                   "expected a symbol table of %llu rows inside the file, found "
		                   "its end",
		                   (unsigned long long)layout->row_count);
	diagnostic.offset = layout->strings_at;
	if (image->length - layout->strings_at < 4)
		return gprofx_fail(gx, &diagnostic,
		                   "expected a table of names after the symbols, found the end of "
		                   "the file");
	if (layout->strings_bytes >= 4)
		return gprofx_fail(gx, &diagnostic,
		                   "expected names of %llu bytes inside the file, found its end",
		                   (unsigned long long)layout->strings_bytes);
	diagnostic.text[0] = "bad value";
	return gprofx_fail(gx, &diagnostic,
	                   "expected a table of names of at least 4 bytes, found %llu",
	                   (unsigned long long)layout->strings_bytes);
}

static void
state_facts(struct gprofx *gx, const struct aout_header *header, const struct aout_layout *layout,
            struct gprofx_symtab *symtab)
{
	struct gprofx_code_range *code = gprofx_alloc(gx, sizeof *code);

	*code = (struct gprofx_code_range){layout->address, layout->bytes, layout->code_at,
	                                   ".text"};
	symtab->target = (struct gprofx_target){.size = sizeof symtab->target,
	                                        .pointer_bytes = header->machine->pointer_bytes,
	                                        .big_endian = header->big_endian,
	                                        .machine = header->machine->elf_number};
	symtab->architecture = header->machine->architecture;
	symtab->has_text = symtab->leading_underscore = symtab->untyped_format = true;
	symtab->text_start = layout->address;
	symtab->text_end = layout->address + layout->bytes;
	symtab->code = code;
	symtab->code_count = 1;
}

static enum gprofx_result
load(struct gprofx *gx, const struct gprofx_image *image, struct gprofx_symtab *symtab,
     const void *options)
{
	const struct options *own = options;
	struct aout_header header;
	struct aout_layout layout;
	bool is_known;

	/* GNU gprof does not read them. */
	if (symtab->strict)
		return GPROFX_DECLINED;
	if (image->length < AOUT_HEADER || !aoutsym_read_header(&header, image->bytes, &is_known))
		return reject(gx, image);
	layout = aoutsym_lay_out(&header, image->bytes, image->length, image->length);
	if (!layout.has_text)
		return no_text(gx, image, &header, &layout);
	if (!is_known && own)
		header.machine = aoutsym_machine_named(own->machine);
	state_facts(gx, &header, &layout, symtab);
	if (layout.has_symbols) {
		aoutsym_fill(gx, image, &header, &layout, symtab);
		return GPROFX_OK;
	}
	return symtab->facts_only ? GPROFX_OK : bad_tables(gx, image, &layout);
}

static const struct gprofx_option option_table[] = {
	{.key = "machine",
         .type = GPROFX_CHOICE,
         .offset = offsetof(struct options, machine),
         .initial = "unknown",
         .choices = aoutsym_machine_names,
         .help = "the machine of images whose header does not say it"},
};

static const struct gprofx_symbols symbols = {.size = sizeof symbols, .probe = probe, .load = load};

GPROFX_PLUGIN = {GPROFX_ABI,
                 .name = "symbols-aout",
                 .version = "1.0",
                 .summary = "Function symbols of a.out images of BSD, SunOS, Ultrix and Linux",
                 GPROFX_OPTIONS(struct options, option_table),
                 .symbols = &symbols};
