/* SPDX-License-Identifier: Apache-2.0 */
/* What the engine found out about the input, on standard error. */
#include <string.h>
#include <unistd.h>

#include "console.h"
#include "engine.h"
#include "message.h"
#include "options.h"
#include "terminal.h"

/* A finding takes up to four lines of a screen of 24. */
enum { MOST_IN_SHORT = 5, LAST_COLUMN = 79 };

/* Fills lines of so many columns, 0 if none are given, from one on, where the cursor is. */
static void
put_filled(struct message *message, const char *text, size_t column, size_t columns)
{
	message_fill(message, text, strlen(text),
	             (struct message_margins){.column = column,
	                                      .indent = column,
	                                      .last = columns > 0 ? columns : LAST_COLUMN});
}

static void
put_part(struct message *message, const char *label, const char *text, size_t columns)
{
	message_put(message, "  ");
	message_put(message, label);
	put_filled(message, text, 2 + strlen(label), columns);
}

static void
put_finding(struct message *message, const struct console *console,
            const struct gprofx_finding *finding, bool in_full, size_t columns)
{
	message_put_visible(message, console->program);
	message_format(message, ": finding[%s]: ", finding->id);
	if (finding->file) {
		message_put_visible(message, finding->file);
		message_put(message, ": ");
	}
	message_put_visible(message, finding->summary);
	message_put(message, "\n");
	if (in_full) {
		put_part(message, "evidence: ", finding->evidence, columns);
		put_part(message, "hint: ", finding->advice, columns);
	} else {
		message_put(message, "  hint: ");
		message_put_visible(message, finding->advice);
		message_put(message, "\n");
	}
}

void
console_find(void *opaque, const struct engine_findings *found)
{
	struct console *console = opaque;
	bool in_full = found->paragraph_count > 0,
	     on_terminal = console_is_terminal(console) && isatty(STDERR_FILENO);
	uint32_t told = !in_full && found->finding_count > MOST_IN_SHORT ? MOST_IN_SHORT
	                                                                 : found->finding_count;
	/* As long as the channel is the terminal, not the pager's pipe. */
	size_t columns = terminal_message_width();
	struct message message;

	/* On a terminal, the summary has them. */
	if (!in_full && (found->listings & CLI_LIST_TOP) && on_terminal)
		return;
	/* The report would push them off the screen. */
	if (in_full && on_terminal)
		console_page(console);
	message.used = 0;
	for (uint32_t i = 0; i < told; i++) {
		put_finding(&message, console, &found->findings[i], in_full, columns);
		/* Lines are folded only if all of them are still there. */
		if (in_full)
			message_send_folded(&message, columns);
	}
	if (told < found->finding_count) {
		message_put_visible(&message, console->program);
		message_format(&message, ": %u more: --explain\n", found->finding_count - told);
	}
	if (in_full && told == 0) {
		message_put_visible(&message, console->program);
		message_put(&message, ": no suspicious numbers were found in the profile\n");
	}
	for (uint32_t i = 0; i < found->paragraph_count; i++) {
		message_put(&message, "\n");
		put_filled(&message, found->paragraphs[i], 0, columns);
	}
	if (in_full)
		message_put(&message, "\n");
	message_send_folded(&message, columns);
}
