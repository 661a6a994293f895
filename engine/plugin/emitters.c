/* SPDX-License-Identifier: Apache-2.0 */
#include "plugin/emitters.h"

#include "base/memory.h"

enum {
	KNOWN_TRAITS = GPROFX_EMITTER_ALONE | GPROFX_EMITTER_BYTES | GPROFX_EMITTER_BESIDE |
	               GPROFX_EMITTER_RUNS | GPROFX_EMITTER_COMPARES,
	OF_SEVERAL = GPROFX_PART_PER_FILE | GPROFX_PART_FILE_VALUES,
	KNOWN_DATA = GPROFX_DATA_TIMES | GPROFX_DATA_CALLS | GPROFX_DATA_COUNTS | GPROFX_DATA_LINES
};

/* Bits that mean something to a later version only: what is meant would go unheeded. */
static enum gprofx_result
check_bits(struct run *run, const struct plugin *plugin, const char *what, uint32_t bits,
           uint32_t known)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "emitter.unknown-need",
		.file = plugin->file ? plugin->file : plugin->descriptor.name,
		.hint = "use a newer gprofx, or a build of the plugin for this one",
		.text = {what, NULL},
		.number = {bits, known},
	};

	if ((bits & ~known) == 0)
		return GPROFX_OK;
	return run_fail(run, &diagnostic,
	                "the emitter needs %s that this gprofx does not know: bits 0x%lx", what,
	                (unsigned long)(bits & ~known));
}

static enum gprofx_result
check_needs(struct run *run, const struct plugin *plugin, const struct gprofx_needs *needs)
{
	if (check_bits(run, plugin, "parts of the report", needs->parts, ENGINE_KNOWN_PARTS) !=
	            GPROFX_OK ||
	    check_bits(run, plugin, "parts of the report", needs->also, ENGINE_KNOWN_PARTS) !=
	            GPROFX_OK ||
	    check_bits(run, plugin, "parts of the report for several profiles",
	               needs->parts_if_several, OF_SEVERAL) != GPROFX_OK)
		return GPROFX_FAILED;
	if (check_bits(run, plugin, "contexts", needs->contexts, ENGINE_KNOWN_CONTEXTS) !=
	            GPROFX_OK ||
	    check_bits(run, plugin, "slices", needs->slices | needs->slices_if_any,
	               ENGINE_KNOWN_SLICES) != GPROFX_OK)
		return GPROFX_FAILED;
	return check_bits(run, plugin, "traits", needs->traits, KNOWN_TRAITS);
}

static enum gprofx_result
copy_listings(struct run *run, struct plugin *plugin)
{
	const struct gprofx_emitter *emitter = &plugin->emitter;
	const char *row = (const char *)emitter->listings;
	struct gprofx_listing *listings;

	if (emitter->listing_count > GPROFX_LISTINGS_AT_MOST ||
	    (emitter->listing_count > 0 && !row))
		return plugin_bad_descriptor(
			run, plugin->file,
			"the emitter has more than 32 listings, or none of those "
			"that it states");
	memory_array(run, listings, emitter->listing_count);
	for (uint32_t i = 0; i < emitter->listing_count; i++) {
		struct gprofx_listing *listing = &listings[i];

		if (plugin_copy_struct(run, plugin->file, "the struct of a listing", listing,
		                       sizeof *listing, row) != GPROFX_OK ||
		    check_bits(run, plugin, "data", listing->data, KNOWN_DATA) != GPROFX_OK)
			return GPROFX_FAILED;
		if (!listing->name || !listing->name[0] ||
		    (listing->data != 0 && (!listing->subject || !listing->hint)))
			return plugin_bad_descriptor(
				run, plugin->file,
				"a listing of the emitter has no name, or no description of the "
				"data that it needs");
		row += emitter->listings->size;
	}
	plugin->listings = listings;
	return GPROFX_OK;
}

enum gprofx_result
plugin_copy_emitter(struct run *run, struct plugin *plugin)
{
	const struct gprofx_emitter *emitter = &plugin->emitter;

	if (emitter->needs &&
	    plugin_copy_struct(run, plugin->file, "the struct of the emitter's needs",
	                       &plugin->needs, sizeof plugin->needs, emitter->needs) != GPROFX_OK)
		return GPROFX_FAILED;
	if (check_needs(run, plugin, &plugin->needs) != GPROFX_OK)
		return GPROFX_FAILED;
	return copy_listings(run, plugin);
}

enum gprofx_result
plugin_needs(struct run *run, const struct plugin *plugin, const void *options,
             struct gprofx_needs *needs)
{
	*needs = plugin->needs;
	if (!plugin->emitter.needs_with)
		return GPROFX_OK;
	*needs = (struct gprofx_needs){.size = sizeof *needs};
	run_doing(run, "asking %s what it needs", plugin->descriptor.name);
	plugin->emitter.needs_with(options, needs);
	run_doing_nothing(run);
	return check_needs(run, plugin, needs);
}
