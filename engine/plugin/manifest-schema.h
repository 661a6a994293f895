/* SPDX-License-Identifier: Apache-2.0 */
/* From the tree of a document to the members of a manifest. */
#ifndef ENGINE_PLUGIN_MANIFEST_SCHEMA_H
#define ENGINE_PLUGIN_MANIFEST_SCHEMA_H

#include "base/run.h"
#include "plugin/manifest.h"

/*
 * Fills a manifest whose file, module and name are set.  What is wrong becomes a warning; the
 * manifest is then marked as broken, except for keys that are not known.
 */
void
manifest_fill(struct run *run, struct manifest *manifest, const struct gprofx_document *document);

#endif
