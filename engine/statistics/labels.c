/* SPDX-License-Identifier: Apache-2.0 */
#include "statistics/labels.h"

#include "base/origins.h"
#include "base/memory.h"
#include "plugin/plugins.h"

static const char maker_name[] = "labels-pcre2";

struct labels {
	const struct plugin *maker;
	void *state;
};

static struct gprofx_setting_text
setting_text(const char *text, const struct engine_origin *origin)
{
	bool is_empty = !text || text[0] == '\0';

	return (struct gprofx_setting_text){is_empty ? NULL : text, origin->file, origin->line,
	                                    origin->column};
}

enum gprofx_result
labels_prepare(struct run *run, struct labels **labels)
{
	const struct engine_settings *settings = run->settings;
	const struct gprofx_label_rule rule = {
		.size = sizeof rule,
		.pattern = setting_text(settings->label, run_origin(run, ENGINE_SET_LABEL)),
		.text = setting_text(settings->label_text, run_origin(run, ENGINE_SET_LABEL_TEXT)),
	};
	struct gprofx_diagnostic diagnostic = {
		.id = "labels.not-installed",
		.hint = PLUGIN_INSTALL("labels-pcre2") ", or leave the pattern out",
		.text = {maker_name},
	};
	const struct plugin *maker;
	enum gprofx_result result;
	bool broken;

	*labels = NULL;
	if (!rule.pattern.text)
		return GPROFX_OK;
	run_set_place(&diagnostic, run_origin(run, ENGINE_SET_LABEL));
	maker = plugin_by_name(run, maker_name, &broken);
	if (!maker || !maker->labels.make)
		return broken ? GPROFX_FAILED
		              : run_fail(run, &diagnostic,
		                         "labels need the plugin %s, which is not installed",
		                         maker_name);
	*labels = memory_alloc(run, sizeof **labels);
	(*labels)->maker = maker;
	run_doing(run, "reading the pattern of labels with %s", maker_name);
	result = maker->labels.prepare(&run->gx, &rule, &(*labels)->state);
	run_doing_nothing(run);
	return result == GPROFX_OK ? GPROFX_OK : GPROFX_FAILED;
}

enum gprofx_result
labels_make(struct run *run, const struct labels *labels, const char *name, const char **label)
{
	struct gprofx_text text = {NULL, 0};
	enum gprofx_result result;

	*label = name;
	if (!labels)
		return GPROFX_OK;
	result = labels->maker->labels.make(&run->gx, labels->state, name, &text);
	if (result == GPROFX_OK)
		*label = text_keep(run, text.bytes, text.length);
	return result == GPROFX_FAILED ? GPROFX_FAILED : GPROFX_OK;
}
