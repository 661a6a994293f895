/* SPDX-License-Identifier: Apache-2.0 */
/* The list of plugins, as far as it is known without running them. */
#include "plugins.h"

static void
print_line(struct console *console, const char *label, const char *text)
{
	if (!text)
		return;
	console_put(console, "    ");
	console_put(console, label);
	console_put_visible(console, text);
	console_put(console, "\n");
}

static void
print_plugin(void *opaque, const struct engine_plugin_info *info)
{
	struct console *console = opaque;

	console_put_visible(console, info->name);
	console_put(console, " (");
	console_put_visible(console, info->kind);
	if (info->detail) {
		console_put(console, " ");
		console_put_visible(console, info->detail);
	}
	console_put(console, ")\n");
	print_line(console, "", info->summary);
	print_line(console, "", info->file ? info->file : "linked in");
	print_line(console, "cannot be used: ", info->problem);
}

bool
plugins_print(const struct command *command, const struct engine_frontend *frontend)
{
	return engine_list_plugins(&command->settings, frontend, print_plugin);
}
