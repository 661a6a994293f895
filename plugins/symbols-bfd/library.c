/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Asks the shared libbfd that knows all formats; nothing else here knows the library.  Its name
 * changes with each version of the binutils, and so do its structs: it is the version of the
 * headers that this was built with.
 */
#include "symbols-bfd.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Without a package of its own, bfd.h refuses to be included. */
#define PACKAGE "gprofx"
#define PACKAGE_VERSION ""
#include <bfd.h>

#include <gprofx/symbols.h>

#include "../shared/from-bfd.h"

/* Functions of the library; what bfd.h has as macros goes through the object's own table. */
static struct {
	void *handle;
	unsigned int (*init)(void);
	bfd *(*open)(const char *, const char *, void *(*)(struct bfd *, void *), void *,
	             file_ptr (*)(struct bfd *, void *, void *, file_ptr, file_ptr),
	             int (*)(struct bfd *, void *), int (*)(struct bfd *, void *, struct stat *));
	bool (*check_format)(bfd *, bfd_format);
	bfd_error_type (*get_error)(void);
	const char *(*words)(bfd_error_type);
	int (*symbol_class)(asymbol *);
	asection *(*section)(bfd *, const char *);
	const char *(*architecture)(bfd *);
	bfd_error_handler_type (*set_error_handler)(bfd_error_handler_type);
	bfd_assert_handler_type (*set_assert_handler)(bfd_assert_handler_type);
} api;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static bool
find_function(const char *name, void *to, const char **why)
{
	void *function = dlsym(api.handle, name);

	if (!function) {
		*why = dlerror();
		return false;
	}
	memcpy(to, &function, sizeof function);
	return true;
}

static bool
find_functions(const char **why)
{
	return find_function("bfd_init", &api.init, why) &&
	       find_function("bfd_openr_iovec", &api.open, why) &&
	       find_function("bfd_check_format", &api.check_format, why) &&
	       find_function("bfd_get_error", &api.get_error, why) &&
	       find_function("bfd_errmsg", &api.words, why) &&
	       find_function("bfd_decode_symclass", &api.symbol_class, why) &&
	       find_function("bfd_get_section_by_name", &api.section, why) &&
	       find_function("bfd_printable_name", &api.architecture, why) &&
	       find_function("bfd_set_error_handler", &api.set_error_handler, why) &&
	       find_function("bfd_set_assert_handler", &api.set_assert_handler, why);
}

bool
symbfd_open_library(const char *path, char why[SYMBFD_WHY])
{
	const char *words = NULL;
	bool done = true;

	pthread_mutex_lock(&lock);
	if (!api.handle) {
		api.handle = dlopen(path ? path : SYMBFD_LIBRARY, RTLD_NOW | RTLD_LOCAL);
		if (!api.handle)
			words = dlerror();
		done = api.handle && find_functions(&words);
		/* The words do not last. */
		if (!done)
			snprintf(why, SYMBFD_WHY, "%s", words ? words : "no reason is known");
		if (!done && api.handle) {
			dlclose(api.handle);
			api.handle = NULL;
		}
	}
	pthread_mutex_unlock(&lock);
	return done;
}

static void *
image_open(bfd *object, void *image)
{
	(void)object;
	return image;
}

static file_ptr
image_read(bfd *object, void *opaque, void *to, file_ptr bytes, file_ptr offset)
{
	const struct gprofx_image *image = opaque;
	uint64_t left;

	(void)object;
	if (bytes < 0 || offset < 0)
		return -1;
	left = (uint64_t)offset < image->length ? image->length - (uint64_t)offset : 0;
	if ((uint64_t)bytes > left)
		bytes = (file_ptr)left;
	memcpy(to, image->bytes + offset, (size_t)bytes);
	return bytes;
}

static int
image_stat(bfd *object, void *image, struct stat *facts)
{
	(void)object;
	return bfd_file_facts(((const struct gprofx_image *)image)->length, facts);
}

static void
end_with(struct symbfd_table *table, uint32_t state)
{
	const char *words = api.words(api.get_error());

	strncpy(table->words, words ? words : "", SYMBFD_WORDS - 1);
	table->state = state;
}

static void
take_sections(struct symbfd_table *table, const struct gprofx_image *image, bfd *object)
{
	const asection *text = api.section(object, ".text");

	for (const asection *from = object->sections; from; from = from->next) {
		struct symbfd_section *to = &table->sections[table->section_count];
		bool has_bytes = (from->flags & SEC_HAS_CONTENTS) != 0 && from->filepos >= 0 &&
		                 (uint64_t)from->filepos < image->length && from->size > 0;
		bool is_code = has_bytes && (from->flags & SEC_CODE) != 0;

		if ((from != text && !is_code) || table->section_count == SYMBFD_MOST_SECTIONS)
			continue;
		to->is_text = from == text;
		to->is_code = is_code;
		to->address = from->vma;
		to->bytes = from->size;
		to->file_offset = (uint64_t)from->filepos;
		strncpy(to->name, from->name ? from->name : "", SYMBFD_SECTION_NAME - 1);
		table->section_count++;
	}
}

/* As GNU gprof has them: functions are what is in code. */
static bool
take_symbol(struct symbfd_table *table, asymbol *symbol, uint32_t unit)
{
	struct symbfd_symbol *to = &symbfd_symbols(table)[table->symbol_count];
	int class = api.symbol_class(symbol);
	const char *name = bfd_asymbol_name(symbol);
	uint8_t flags;
	size_t bytes;

	if (!bfd_symbol_flags(class, (symbol->flags & BSF_FUNCTION) != 0, &flags) || !name)
		return true;
	bytes = strnlen(name, table->most_name_bytes) + 1;
	if (table->symbol_count == table->most_symbols ||
	    bytes > table->most_name_bytes - table->name_bytes)
		return false;
	to->address = bfd_asymbol_value(symbol);
	to->name = table->name_bytes;
	to->unit = flags & GPROFX_SYMBOL_LOCAL ? unit : 0;
	to->flags = flags;
	memcpy(symbfd_names(table) + table->name_bytes, name, bytes);
	table->name_bytes += (uint32_t)bytes;
	table->symbol_count++;
	return true;
}

static void
take_symbols(struct symbfd_table *table, bfd *object)
{
	long room = bfd_get_symtab_upper_bound(object), count;
	uint32_t unit = 0;
	asymbol **symbols;

	if (room < 0) {
		end_with(table, SYMBFD_NO_SYMBOLS);
		return;
	}
	if (room == 0) {
		table->state = SYMBFD_DONE;
		return;
	}
	symbols = malloc((size_t)room);
	count = symbols ? bfd_canonicalize_symtab(object, symbols) : -1;
	if (count < 0) {
		end_with(table, SYMBFD_NO_SYMBOLS);
		return;
	}
	for (long i = 0; i < count; i++) {
		unit += (symbols[i]->flags & BSF_FILE) != 0;
		if (!take_symbol(table, symbols[i], unit)) {
			table->state = SYMBFD_NO_ROOM;
			return;
		}
	}
	table->state = SYMBFD_DONE;
}

/* Nothing is freed: the child ends. */
void
symbfd_look(const struct symbfd_kind *kind, const struct gprofx_image *image,
            struct symbfd_table *table)
{
	const char *architecture;
	bfd *object;

	api.init();
	api.set_error_handler(bfd_no_message);
	api.set_assert_handler(bfd_no_assertion);
	object = api.open(image->name, kind->format, image_open, (void *)(uintptr_t)image,
	                  image_read, NULL, image_stat);
	if (!object) {
		end_with(table, api.get_error() == bfd_error_invalid_target ? SYMBFD_NO_FORMAT
		                                                            : SYMBFD_NO_IMAGE);
		return;
	}
	if (!api.check_format(object, bfd_object)) {
		end_with(table, SYMBFD_NO_IMAGE);
		return;
	}
	architecture = api.architecture(object);
	strncpy(table->architecture, architecture ? architecture : "", SYMBFD_WORDS - 1);
	table->leading_underscore = bfd_get_symbol_leading_char(object) == '_';
	take_sections(table, image, object);
	take_symbols(table, object);
}
