/* SPDX-License-Identifier: Apache-2.0 */
/* Document parsers and makers of labels, with texts that are none. */
#include <string.h>

#include "base/memory.h"
#include "base/run.h"
#include "document/parse.h"
#include "plugin/plugins.h"
#include "trial/trial.h"

static void
parse(struct trial *trial, const uint8_t *bytes, size_t length, const char *what)
{
	struct gprofx_document document = {.size = sizeof document};
	const char *text = (const char *)trial_bytes(trial, bytes, length, false);
	const char *problem;
	int result;

	trial_begin(trial, "parsing %s", what);
	result = trial->plugin->document.parse(&trial->run->gx, "FILE", text, length, &document);
	problem = result == GPROFX_OK ? document_problem(trial->run, &document, length) : NULL;
	if (problem)
		trial_fault(trial, "%s: expected %s", trial->told->doing, problem);
	trial_end_with(trial, result);
}

void
trial_document_empty(struct trial *trial)
{
	parse(trial, NULL, 0, "an empty text");
}

void
trial_document_random(struct trial *trial)
{
	static const char opened[] = "[{(<\"'*&!|>-:";
	struct trial_input *input;

	input = memory_alloc(trial->run, sizeof *input);
	for (uint32_t i = 0; trial_input(trial, PLUGIN_DOCUMENT, i, input); i++)
		parse(trial, input->bytes, input->length, input->what);
	/* Whatever is opened again and again must not use up the stack. */
	for (size_t i = 0; i < sizeof opened - 1; i++) {
		memset(input->bytes, opened[i], TRIAL_ROOM);
		parse(trial, input->bytes, TRIAL_ROOM, "a text of one character");
	}
}

void
trial_labels_empty(struct trial *trial)
{
	static const char *const patterns[] = {"", "(", "x", "%", "[a", "\xff"};
	static const char *const names[] = {"", "x", "gmon.out", "\xff\xfe"};
	const struct gprofx_labels *labels = &trial->plugin->labels;

	for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; i++) {
		const struct gprofx_label_rule rule = {.size = sizeof rule,
		                                       .pattern.text = patterns[i]};
		void *state = NULL;
		int result;

		trial_begin(trial, "preparing the pattern \"%s\"", patterns[i]);
		result = labels->prepare(&trial->run->gx, &rule, &state);
		trial_end_with(trial, result);
		for (size_t k = 0; k < sizeof names / sizeof names[0] && result == GPROFX_OK; k++) {
			struct gprofx_text label = {NULL, 0};
			int made;

			trial_begin(trial, "labelling the name \"%s\"", names[k]);
			made = labels->make(&trial->run->gx, state, names[k], &label);
			if (made == GPROFX_OK && label.length > 0 && !label.bytes)
				trial_fault(trial, "%s: expected the bytes of a label, found NULL",
				            trial->told->doing);
			trial_end_with(trial, made);
		}
	}
}
