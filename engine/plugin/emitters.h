/* SPDX-License-Identifier: Apache-2.0 */
/* What emitters declare: needs and listings. */
#ifndef ENGINE_PLUGIN_EMITTERS_H
#define ENGINE_PLUGIN_EMITTERS_H

#include "base/run.h"
#include "plugin/plugins.h"

/* Reports what is wrong with a descriptor. */
enum gprofx_result plugin_bad_descriptor(struct run *run, const char *path, const char *what);

/* Copies a struct that a descriptor leads to; it is named at the start of a sentence. */
enum gprofx_result plugin_copy_struct(struct run *run, const char *path, const char *what, void *to,
                                      size_t to_bytes, const void *from);

/* Copies and checks what the emitter of a descriptor declares. */
enum gprofx_result plugin_copy_emitter(struct run *run, struct plugin *plugin);

/*
 * What an emitter needs with these options.  GPROFX_FAILED: something that the host does not know,
 * and an error was reported.
 */
enum gprofx_result plugin_needs(struct run *run, const struct plugin *plugin, const void *options,
                                struct gprofx_needs *needs);

/* The bits of all listings of an emitter. */
static inline uint32_t
plugin_all_listings(const struct plugin *plugin)
{
	uint32_t count = plugin->emitter.listing_count;

	return count < GPROFX_LISTINGS_AT_MOST ? (UINT32_C(1) << count) - 1 : UINT32_MAX;
}

#endif
