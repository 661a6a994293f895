/* SPDX-License-Identifier: Apache-2.0 */
/* Document parsers and makers of labels, with texts that are none. */
#include <string.h>

#include "base/memory.h"
#include "base/run.h"
#include "schema/parse.h"
#include "plugin/plugins.h"
#include "plugin-check/plugin-check.h"
#include "plugin-check/try.h"

static void
parse(struct plugin_check *check, const uint8_t *bytes, size_t length, const char *what)
{
	struct gprofx_document document = {.size = sizeof document};
	const char *text = (const char *)check_bytes(check, bytes, length, false);
	const char *problem;
	int result;

	check_begin(check, "parsing %s", what);
	result = check->plugin->document.parse(&check->run->gx, "FILE", text, length, &document);
	problem = result == GPROFX_OK ? document_problem(check->run, &document, length) : NULL;
	if (problem)
		check_fault(check, "%s: expected %s", check->told->doing, problem);
	check_end_with(check, result);
}

void
check_document_empty(struct plugin_check *check)
{
	parse(check, NULL, 0, "an empty text");
}

void
check_document_random(struct plugin_check *check)
{
	static const char opened[] = "[{(<\"'*&!|>-:";
	struct check_input *input;

	input = memory_alloc(check->run, sizeof *input);
	for (uint32_t i = 0; check_input(check, PLUGIN_DOCUMENT, i, input); i++)
		parse(check, input->bytes, input->length, input->what);
	/* Whatever is opened again and again must not use up the stack. */
	for (size_t i = 0; i < sizeof opened - 1; i++) {
		memset(input->bytes, opened[i], CHECK_ROOM);
		parse(check, input->bytes, CHECK_ROOM, "a text of one character");
	}
}

void
check_labels_empty(struct plugin_check *check)
{
	static const char *const patterns[] = {"", "(", "x", "%", "[a", "\xff"};
	static const char *const names[] = {"", "x", "gmon.out", "\xff\xfe"};
	const struct gprofx_labels *labels = &check->plugin->labels;

	for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; i++) {
		const struct gprofx_label_rule rule = {.size = sizeof rule,
		                                       .pattern.text = patterns[i]};
		void *state = NULL;
		int result;

		check_begin(check, "preparing the pattern \"%s\"", patterns[i]);
		result = labels->prepare(&check->run->gx, &rule, &state);
		check_end_with(check, result);
		for (size_t k = 0; k < sizeof names / sizeof names[0] && result == GPROFX_OK; k++) {
			struct gprofx_text label = {NULL, 0};
			int made;

			check_begin(check, "labelling the name \"%s\"", names[k]);
			made = labels->make(&check->run->gx, state, names[k], &label);
			if (made == GPROFX_OK && label.length > 0 && !label.bytes)
				check_fault(check, "%s: expected the bytes of a label, found NULL",
				            check->told->doing);
			check_end_with(check, made);
		}
	}
}
