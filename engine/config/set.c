/* SPDX-License-Identifier: Apache-2.0 */
/*
 * "PATH=VALUE": the path is the keys of a file from the outside in, with dots between them, or, for
 * an option of a plugin, the name of the plugin or the format of an emitter, and the option.  A
 * document of that one setting is made and goes the way of all others.
 */
#include "config/set.h"

#include <string.h>

#include <gprofx/document.h>

#include "base/memory.h"
#include "engine.h"

enum { MOST_NODES = 4 };

/* Of keys, names of plugins and formats, with dots between them; no YAML that is settings starts
 * so. */
static const char path_bytes[] =
	"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.";

/* A document that grows inwards. */
struct nest {
	struct gprofx_node nodes[MOST_NODES];
	uint32_t count;
};

static void
add_inside(struct nest *nest, const char *key)
{
	struct gprofx_node *node = &nest->nodes[nest->count];

	node->kind = GPROFX_MAPPING;
	node->key = key;
	if (nest->count > 0)
		nest->nodes[nest->count - 1].first_child = nest->count;
	nest->count++;
}

/* Whether the word is a key of files in which there are others. */
static bool
is_section(const char *word)
{
	uint32_t rows;
	const struct engine_key *table = engine_keys(&rows);

	for (uint32_t i = 0; i < rows; i++)
		if (table[i].section && strcmp(table[i].section, word) == 0)
			return true;
	return strcmp(word, "corrections") == 0 || strcmp(word, "plugins") == 0;
}

void
config_offer_sections(struct nearest *nearest)
{
	uint32_t rows;
	const struct engine_key *table = engine_keys(&rows);

	for (uint32_t i = 0; i < rows; i++)
		if (table[i].section)
			nearest_offer(nearest, table[i].section);
	nearest_offer(nearest, "corrections");
}

bool
config_is_setting(const char *text)
{
	size_t length = strspn(text, path_bytes);

	return length > 0 && text[length] == '=';
}

void
config_set(struct config *config, const char *speaker, bool is_environment, const char *words)
{
	static const char options[] = "options.";
	struct config_source *source = memory_alloc(config->run, sizeof *source);
	const char *equals = strchr(words, '=');
	const char *path = text_keep(config->run, words, (size_t)(equals - words));
	const char *dot = strrchr(path, '.'), *outer = NULL;
	struct nest nest = {.count = 0};
	struct gprofx_document document = {.size = sizeof document, .nodes = nest.nodes};

	add_inside(&nest, NULL);
	if (dot)
		outer = text_keep(config->run, path, (size_t)(dot - path));
	if (outer && !is_section(outer)) {
		if (strncmp(outer, options, sizeof options - 1) == 0)
			outer += sizeof options - 1;
		add_inside(&nest, "options");
	}
	if (outer)
		add_inside(&nest, outer);
	add_inside(&nest, dot ? dot + 1 : path);
	nest.nodes[nest.count - 1].kind = GPROFX_SCALAR;
	nest.nodes[nest.count - 1].text = equals + 1;
	source->file = text_format(config->run, "%s %s", speaker, words);
	source->has_no_folder = source->is_set = true;
	source->is_environment = is_environment;
	document.node_count = nest.count;
	config->documents++;
	config_take(config, source, &document);
}
