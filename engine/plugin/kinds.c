/* SPDX-License-Identifier: Apache-2.0 */
/* The kinds of plugins: their words, and which of them a plugin is. */
#include <string.h>

#include "base/run.h"
#include "plugin/plugins.h"

/* How names begin, without the dash, and the key of manifests. */
static const struct {
	const char *prefix, *name;
} kinds[PLUGIN_KINDS] = {
	[PLUGIN_READER] = {"input", "reader"},        [PLUGIN_SYMBOLS] = {"symbols", "symbols"},
	[PLUGIN_FINDCALL] = {"findcall", "findcall"}, [PLUGIN_EMITTER] = {"output", "emitter"},
	[PLUGIN_DOCUMENT] = {"config", "document"},   [PLUGIN_LABELS] = {"labels", "labels"},
};

const char *
plugin_kind_prefix(enum plugin_kind kind)
{
	return kinds[kind].prefix;
}

enum plugin_kind
plugin_kind_of_name(const char *name)
{
	uint32_t kind = 0;

	for (; kind < PLUGIN_KINDS; kind++) {
		const char *prefix = kinds[kind].prefix;
		size_t length = strlen(prefix);

		if (strncmp(name, prefix, length) == 0 && name[length] == '-' &&
		    name[length + 1] != '\0')
			break;
	}
	return (enum plugin_kind)kind;
}

const char *
plugin_kind_name(enum plugin_kind kind)
{
	return kinds[kind].name;
}

bool
plugin_is(const struct plugin *plugin, enum plugin_kind kind)
{
	const struct gprofx_plugin *d = &plugin->descriptor;

	switch (kind) {
	case PLUGIN_READER:
		return d->reader;
	case PLUGIN_SYMBOLS:
		return d->symbols;
	case PLUGIN_FINDCALL:
		return d->findcall;
	case PLUGIN_EMITTER:
		return d->emitter;
	case PLUGIN_DOCUMENT:
		return d->document;
	case PLUGIN_LABELS:
		return d->labels;
	case PLUGIN_KINDS:
		break;
	}
	return false;
}

/* The copies of what a plugin lacks are zero. */
const char *
plugin_word(const struct plugin *plugin, enum plugin_kind kind)
{
	switch (kind) {
	case PLUGIN_READER:
		return plugin->reader.format;
	case PLUGIN_EMITTER:
		return plugin->emitter.format;
	case PLUGIN_DOCUMENT:
		return plugin->document.syntax;
	case PLUGIN_LABELS:
		return plugin->labels.syntax;
	default:
		return NULL;
	}
}
