/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Asks libbfd for the sections and symbols of an image.  As GNU gprof does so, too, the same
 * symbols are functions for both.
 */
#include "library.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Without a package of its own, bfd.h refuses to be included. */
#define PACKAGE "gprofx"
#define PACKAGE_VERSION ""
#include <bfd.h>

#include <gprofx/symbols.h>

#include "../shared/from-bfd.h"

/* libbfd keeps its state in globals. */
static pthread_mutex_t library = PTHREAD_MUTEX_INITIALIZER;

static void *
view_open(bfd *object, void *view)
{
	(void)object;
	return view;
}

static file_ptr
view_read(bfd *object, void *view, void *to, file_ptr bytes, file_ptr offset)
{
	uint64_t had;

	(void)object;
	if (bytes < 0 || offset < 0)
		return -1;
	had = sympe_read_view(view, to, (uint64_t)offset, (uint64_t)bytes);
	if (had < (uint64_t)bytes)
		bfd_set_error(bfd_error_file_truncated);
	return (file_ptr)had;
}

static int
view_stat(bfd *object, void *view, struct stat *facts)
{
	(void)object;
	return bfd_file_facts(((const struct pe_view *)view)->image->length, facts);
}

static void
take_sections(struct pe_contents *contents, const struct pe_headers *headers, bfd *object)
{
	const asection *text = bfd_get_section_by_name(object, ".text");

	if (!text)
		text = bfd_get_section_by_name(object, "$CODE$");
	for (const asection *from = object->sections; from; from = from->next) {
		struct pe_section *section = &contents->sections[contents->section_count];
		uint64_t offset = (uint64_t)from->filepos;
		bool has_bytes = (from->flags & SEC_HAS_CONTENTS) != 0 &&
		                 offset < headers->image->length && from->size > 0;

		section->is_text = from == text;
		section->is_code = has_bytes && (from->flags & SEC_CODE) != 0;
		if ((!section->is_text && !section->is_code) ||
		    contents->section_count == headers->section_count)
			continue;
		strncpy(section->name, bfd_section_name(from), sizeof section->name - 1);
		section->address = bfd_section_vma(from);
		section->bytes = bfd_section_size(from);
		section->file_offset = offset;
		contents->section_count++;
	}
}

/* Whether a symbol is that of a section, which has further rows about it. */
static bool
is_section(const struct pe_headers *headers, const uint8_t *row, const asymbol *symbol)
{
	return (symbol->flags & BSF_LOCAL) != 0 && bfd_asymbol_name(symbol)[0] == '.' &&
	       sympe_auxiliary(headers, row) > 0;
}

/* A name in the table of strings stays there, where the host can look at its neighbor. */
static const char *
name_of(struct pe_contents *contents, const struct pe_headers *headers, const uint8_t *row,
        const asymbol *symbol)
{
	bool is_long = gprofx_number_at(row, 4, false) == 0;
	uint64_t string = gprofx_number_at(row + 4, 4, false);
	char *name;

	if (is_long && string >= 4 && string < headers->strings_bytes)
		return contents->symtab->strings + string;
	contents->nameless += is_long && string >= headers->strings_bytes;
	name = contents->names + (size_t)contents->symtab->count * SYMPE_NAME_ROOM;
	return strncpy(name, bfd_asymbol_name(symbol), SYMPE_NAME_ROOM - 1);
}

/* The rows of the file and libbfd's symbols are in the same order. */
static void
take_symbols(struct pe_contents *contents, const struct pe_headers *headers, asymbol **symbols)
{
	struct gprofx_symtab *symtab = contents->symtab;
	const uint8_t *row = sympe_row(headers, 0);
	uint32_t unit = 0;

	for (uint32_t i = 0; i < headers->symbol_count; i++) {
		uint32_t at = symtab->count;

		/* The local symbols of an object file stand behind its name. */
		unit += (symbols[i]->flags & BSF_FILE) != 0;
		if (!is_section(headers, row, symbols[i]) &&
		    bfd_symbol_flags(bfd_decode_symclass(symbols[i]),
		                     (symbols[i]->flags & BSF_FUNCTION) != 0,
		                     &symtab->rows.flags[at])) {
			symtab->rows.name[at] = name_of(contents, headers, row, symbols[i]);
			symtab->rows.address[at] = bfd_asymbol_value(symbols[i]);
			symtab->unit[at] = symtab->rows.flags[at] & GPROFX_SYMBOL_LOCAL ? unit : 0;
			symtab->count++;
		}
		row += (1 + sympe_auxiliary(headers, row)) * headers->row_bytes;
	}
}

static bool
read_symbols(struct pe_contents *contents, const struct pe_headers *headers, bfd *object)
{
	long room = bfd_get_symtab_upper_bound(object), count;
	asymbol **symbols;

	if (room < 0)
		return false;
	symbols = malloc((size_t)room);
	if (!symbols) {
		bfd_set_error(bfd_error_no_memory);
		return false;
	}
	count = bfd_canonicalize_symtab(object, symbols);
	if (count == (long)headers->symbol_count)
		take_symbols(contents, headers, symbols);
	else if (count >= 0)
		bfd_set_error(bfd_error_bad_value);
	free(symbols);
	return count == (long)headers->symbol_count;
}

static bool
look(struct pe_contents *contents, const struct pe_headers *headers, const struct pe_view *view)
{
	bool done;
	bfd *object;

	bfd_init();
	bfd_set_error_handler(bfd_no_message);
	bfd_set_assert_handler(bfd_no_assertion);
	/* The view is not written to. */
	object = bfd_openr_iovec(headers->image->name, headers->format, view_open, (void *)view,
	                         view_read, NULL, view_stat);
	if (!object) {
		contents->is_unknown = bfd_get_error() == bfd_error_invalid_target;
		contents->is_no_image = true;
		contents->library_words = bfd_errmsg(bfd_get_error());
		return false;
	}
	done = bfd_check_format(object, bfd_object);
	contents->is_no_image = !done;
	if (done) {
		contents->symtab->leading_underscore = bfd_get_symbol_leading_char(object) == '_';
		take_sections(contents, headers, object);
	}
	if (done && headers->symbol_count > 0)
		done = read_symbols(contents, headers, object);
	/* A symbol of an unknown kind is no error of its own. */
	if (bfd_get_error() == bfd_error_no_error)
		bfd_set_error(bfd_error_wrong_format);
	contents->library_words = bfd_errmsg(bfd_get_error());
	bfd_close(object);
	return done;
}

bool
sympe_look(struct pe_contents *contents, const struct pe_headers *headers,
           const struct pe_view *view)
{
	bool done;

	pthread_mutex_lock(&library);
	done = look(contents, headers, view);
	pthread_mutex_unlock(&library);
	return done;
}
