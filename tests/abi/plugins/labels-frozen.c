/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A maker of labels as it was built against the headers in include/: what stands behind the pattern
 * in a name, behind the words of the rule.
 */
#include <string.h>

#include <gprofx/labels.h>

#ifndef NAME
#define NAME "labels-frozen"
#endif

struct state {
	struct gprofx_label_rule rule;
};

static enum gprofx_result
prepare(struct gprofx *gx, const struct gprofx_label_rule *rule, void **state)
{
	const struct gprofx_diagnostic bad = {
		.id = "frozen.bad",
		.file = rule->pattern.file,
		.place = rule->pattern.file ? GPROFX_AT_LINE : GPROFX_NOWHERE,
		.line = rule->pattern.line,
		.column = rule->pattern.column,
		.hint = "write it again",
	};
	struct state *kept = gprofx_alloc(gx, sizeof *kept);

	if (rule->size < sizeof *rule || rule->pattern.text[0] == '%')
		return gprofx_fail(gx, &bad, "expected a pattern, found \"%s\"",
		                   rule->pattern.text);
	kept->rule = *rule;
	*state = kept;
	return GPROFX_OK;
}

static enum gprofx_result
make(struct gprofx *gx, void *opaque, const char *name, struct gprofx_text *label)
{
	const struct state *state = opaque;
	const char *words = state->rule.text.text ? state->rule.text.text : "";
	const char *found = strstr(name, state->rule.pattern.text);
	size_t begin = strlen(words), rest;
	char *bytes;

	if (!found)
		return GPROFX_DECLINED;
	found += strlen(state->rule.pattern.text);
	rest = strlen(found);
	bytes = gprofx_alloc(gx, begin + rest + 1);
	memcpy(bytes, words, begin);
	memcpy(bytes + begin, found, rest);
	*label = (struct gprofx_text){bytes, begin + rest};
	return GPROFX_OK;
}

static const struct gprofx_labels labels = {.size = sizeof labels,
                                            .syntax = "frozen",
                                            .prepare = prepare,
                                            .make = make};

GPROFX_PLUGIN = {GPROFX_ABI, .name = NAME, .version = "1", .summary = "Frozen labels",
                 .labels = &labels};
