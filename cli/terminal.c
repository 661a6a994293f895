/* SPDX-License-Identifier: Apache-2.0 */
#include "terminal.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "console.h"
#include "engine.h"
#include "numbers.h"
#include "pager.h"

int
terminal_width(int channel)
{
	const char *stated = getenv("COLUMNS");
	char *end;
	long columns = stated ? strtol(stated, &end, 10) : 0;
	struct winsize size;

	if (columns > 0 && columns <= NUMBERS_WIDEST_LINE && *end == '\0')
		return (int)columns;
	if (ioctl(channel, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
		return size.ws_col;
	return TERMINAL_USUAL_WIDTH;
}

size_t
terminal_message_width(void)
{
	return isatty(STDERR_FILENO) ? (size_t)terminal_width(STDERR_FILENO) : 0;
}

/* What makes tables fit a screen, unless the user says otherwise. */
static void
fit_tables(struct command *command)
{
	const struct engine_option options[TERMINAL_EMITTER_OPTIONS] = {
		{.format = "top", .key = "width", .value = command->screen_width},
		{.key = "text-width", .value = command->screen_width},
		{.key = "row-width", .value = command->screen_width},
		/* Full names of C++ can take eight lines each. */
		{.format = "flat", .key = "names", .value = "no-templates"},
		{.format = "callgraph", .key = "names", .value = "no-templates"},
		{.format = "per-file", .key = "names", .value = "no-templates"},
		{.format = "per-thread", .key = "names", .value = "no-templates"},
		{.format = "counts", .key = "names", .value = "no-templates"},
		{.format = "diff", .key = "names", .value = "no-templates"},
		{.format = "callgraph", .key = "width", .value = command->screen_width},
	};

	for (size_t i = 0; i < TERMINAL_EMITTER_OPTIONS; i++) {
		struct engine_option *option = command->emitter_options +
		                               command->settings.emitter_option_count++;

		*option = options[i];
		option->is_default = true;
	}
}

void
terminal_page(struct command *command)
{
	if (command->gnu_mode || !console_is_terminal(command->console))
		return;
	command->console->drops_form_feeds = true;
	/* The environment of another user names no program to run with more rights. */
	if (!command->refuses_pager && !command->settings.is_privileged)
		pager_choose(&command->console->pager);
}

void
terminal_prepare(struct command *command)
{
	struct engine_settings *settings = &command->settings;

	if (command->gnu_mode || !console_is_terminal(command->console) ||
	    (command->action != COMMAND_RUN && command->action != COMMAND_DIFF))
		return;
	command->shows_summary = command->action == COMMAND_RUN;
	settings->on_terminal = true;
	snprintf(command->screen_width, sizeof command->screen_width, "%d",
	         terminal_width(STDOUT_FILENO));
	fit_tables(command);
	terminal_page(command);
}
