/* SPDX-License-Identifier: Apache-2.0 */
/*
 * symbols-macho: function symbols of Mach-O images, which programs of macOS and its relatives are,
 * and the facts about an image that readers of profiles need.
 */
#include <gprofx/symbols.h>

#include "macho.h"

struct options {
	uint32_t architecture; /* index into macho_processors */
};

static void
state_facts(const struct macho *macho, struct gprofx_symtab *symtab)
{
	symtab->target = macho->target;
	symtab->leading_underscore = true;
	symtab->untyped_format = true;
	if (macho->uuid) {
		symtab->build_id = macho->uuid;
		symtab->build_id_bytes = MACHO_UUID;
	}
	macho_find_code(macho, symtab);
	macho_find_libraries(macho, symtab);
}

/* The file with debug information has the symbols that were stripped from an image, too. */
static void
fill(const struct macho *macho, struct macho *other, struct gprofx_symtab *symtab)
{
	const struct macho *named = macho;

	if (other && macho_check_symbols(other) == GPROFX_OK &&
	    macho_count_functions(other) > macho_count_functions(macho)) {
		macho_open_names(other);
		named = other;
		symtab->symbols_file = other->name;
		symtab->symbols_file_bytes = other->length;
	}
	macho_fill(macho, named, symtab);
}

static enum gprofx_result
load(struct gprofx *gx, const struct gprofx_image *image, struct gprofx_symtab *symtab,
     const void *options)
{
	const struct options *own = options;
	struct macho macho = {.gx = gx, .name = image->name}, other;
	struct macho_part part;
	bool has_other;

	/* GNU gprof does not read them. */
	if (symtab->strict || macho_probe(image->bytes, image->length) == 0)
		return GPROFX_DECLINED;
	if (macho_choose(&macho, image, own ? own->architecture : 0, symtab->facts_only, &part) !=
	            GPROFX_OK ||
	    macho_open(&macho, image, part) != GPROFX_OK)
		return GPROFX_FAILED;
	state_facts(&macho, symtab);
	has_other = macho_find_debug(&macho, symtab, &other);
	if (symtab->facts_only && !symtab->wants_slots)
		return GPROFX_OK;
	if (macho_check_symbols(&macho) != GPROFX_OK)
		return GPROFX_FAILED;
	macho_open_names(&macho);
	if (!symtab->facts_only)
		fill(&macho, has_other ? &other : NULL, symtab);
	if (symtab->wants_slots)
		macho_find_slots(&macho, symtab);
	return GPROFX_OK;
}

static const struct gprofx_option option_table[] = {
	{.key = "architecture",
         .type = GPROFX_CHOICE,
         .offset = offsetof(struct options, architecture),
         .initial = "any",
         .choices = macho_processors,
         .help = "of files for several processors, the one to read"},
};

static const struct gprofx_symbols symbols = {.size = sizeof symbols,
                                              .probe = macho_probe,
                                              .load = load};

GPROFX_PLUGIN = {GPROFX_ABI,
                 .name = "symbols-macho",
                 .version = "1.0",
                 .summary = "Function symbols of Mach-O images",
                 GPROFX_OPTIONS(struct options, option_table),
                 .symbols = &symbols};
