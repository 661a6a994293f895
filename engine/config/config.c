/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads files of settings and adds what they say to the settings of a run.  The parser, and the
 * library behind it, is loaded only when there is a file to read.
 */
#include "config/config.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "config/keys.h"
#include "document/schema.h"
#include "plugin/plugins.h"

enum { FIRST_BYTES = 8192, MOST_BYTES = 256 * 1024 };

static const char parser_name[] = "config-yaml";

/* Reads to the end, or to one byte more than is allowed.  Returns an errno value or 0. */
static int
read_bytes(struct run *run, int descriptor, char **bytes, size_t *length)
{
	size_t room = FIRST_BYTES;

	*bytes = memory_alloc(run, room);
	*length = 0;
	for (;;) {
		ssize_t got = read(descriptor, *bytes + *length, room - *length);

		if (got < 0 && errno != EINTR)
			return errno;
		if (got > 0)
			*length += (size_t)got;
		if (got == 0 || *length > MOST_BYTES)
			return 0;
		if (*length == room) {
			*bytes = memory_grow(run, *bytes, room, MOST_BYTES + 1);
			room = MOST_BYTES + 1;
		}
	}
}

static bool
is_regular(int descriptor)
{
	struct stat status;

	return fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
}

/*
 * The bytes of a file; false: there are none to be had, and if that matters it was told.  A default
 * file that cannot be read is no reason to stop: its folder may be that of another user.
 */
static bool
read_file(struct run *run, const struct engine_config *config, char **bytes, size_t *length)
{
	/* Nobody waits for the writer of a pipe that was not named. */
	int flags = O_RDONLY | O_CLOEXEC | O_NOCTTY | (config->is_default ? O_NONBLOCK : 0);
	int descriptor = open(config->file, flags), error = descriptor < 0 ? errno : 0;
	struct gprofx_diagnostic diagnostic = {
		.id = "config.cannot-read",
		.file = config->file,
		.hint = "name a file of settings that can be read",
	};

	if (config->is_default && (error == ENOENT || error == ENOTDIR))
		return false;
	if (error == 0 && config->is_default && !is_regular(descriptor))
		error = EINVAL;
	if (error == 0)
		error = read_bytes(run, descriptor, bytes, length);
	if (descriptor >= 0)
		close(descriptor);
	if (error == 0 && *length <= MOST_BYTES)
		return true;
	if (error == 0) {
		diagnostic.id = "config.too-large";
		diagnostic.hint = "name a file of settings; those written by hand are short";
		run_fail(run, &diagnostic, "expected at most %d bytes, found more", MOST_BYTES);
		return false;
	}
	diagnostic.system_error = error;
	if (!config->is_default) {
		run_fail(run, &diagnostic, "expected a file of settings, but it cannot be read: %s",
		         strerror(error));
		return false;
	}
	diagnostic.hint = "make it a readable file, remove it, or use --no-config";
	run_warn(run, &diagnostic, "expected a file of settings, but it cannot be read: %s",
	         strerror(error));
	return false;
}

/* The parser, or NULL after an error. */
static const struct plugin *
find_parser(struct run *run, const char *file)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "config.no-parser",
		.file = file,
		.hint = "install the plugin config-yaml, or use --no-config",
	};
	bool broken;
	const struct plugin *parser = plugin_by_name(run, parser_name, &broken);

	if (parser && parser->document.parse)
		return parser;
	if (!broken)
		run_fail(run, &diagnostic,
		         "expected a parser for the file, but config-yaml is not installed");
	return NULL;
}

static void
read_config(struct config *config, const struct engine_config *which)
{
	struct gprofx_document document = {.size = sizeof document};
	struct run *run = config->run;
	const struct plugin *parser;
	size_t length;
	char *bytes;

	if (!read_file(run, which, &bytes, &length))
		return;
	parser = find_parser(run, which->file);
	if (!parser)
		return;
	run_doing(run, "reading %s with %s", which->file, parser->descriptor.name);
	config->file = which->file;
	if (parser->document.parse(&run->gx, which->file, bytes, length, &document) == GPROFX_OK)
		config_take(config, &document);
	run_doing_nothing(run);
	memory_release(run, bytes);
}

/* Two lists of texts as one. */
static const char **
join(struct run *run, const char *const *first, uint32_t first_count, const char *const *second,
     uint32_t second_count)
{
	const char **joined;

	memory_array(run, joined, (size_t)first_count + second_count);
	for (uint32_t i = 0; i < first_count; i++)
		joined[i] = first[i];
	for (uint32_t i = 0; i < second_count; i++)
		joined[first_count + i] = second[i];
	return joined;
}

/* Plugins that were asked for on the command line go before those of files. */
static void
add_plugins(struct config *config)
{
	struct engine_settings *settings = config->settings;
	struct run *run = config->run;
	uint32_t installed = settings->installed_folder_count;
	uint32_t asked = settings->plugin_folder_count - installed;
	const char *const *folders = settings->plugin_folders;

	settings->plugins = join(run, settings->plugins, settings->plugin_count, config->plugins,
	                         config->plugin_count);
	settings->plugin_count += config->plugin_count;
	settings->plugin_folders = join(run, folders, asked, config->plugin_folders,
	                                config->plugin_folder_count);
	asked += config->plugin_folder_count;
	settings->plugin_folders = join(run, settings->plugin_folders, asked,
	                                folders + settings->plugin_folder_count - installed,
	                                installed);
	settings->plugin_folder_count = asked + installed;
}

static void
add_corrections(struct config *config)
{
	struct engine_settings *settings = config->settings;
	uint64_t on = settings->corrections_on, off = settings->corrections_off;

	settings->corrections_on = (config->corrections_on & ~off) | on;
	settings->corrections_off = (config->corrections_off & ~on) | off;
}

enum gprofx_result
config_apply(struct run *run)
{
	const struct engine_settings *given = run->settings;
	struct config config = {.run = run};
	uint32_t errors = run->error_count;

	if (given->config_count == 0)
		return GPROFX_OK;
	config.settings = memory_alloc(run, sizeof *config.settings);
	*config.settings = *given;
	for (uint32_t i = 0; i < given->config_count; i++)
		read_config(&config, &given->configs[i]);
	/* Half of the settings may be worse than none. */
	if (run->error_count > errors)
		return GPROFX_FAILED;
	if (!config.file)
		return GPROFX_OK;
	add_plugins(&config);
	add_corrections(&config);
	if (!(given->given & ENGINE_SET_OUTPUTS) && config.output_count > 0) {
		config.settings->outputs = config.outputs;
		config.settings->output_count = config.output_count;
	}
	config.settings->options = config.options;
	config.settings->option_count = config.option_count;
	run->settings = config.settings;
	run->threads = config.settings->threads;
	return GPROFX_OK;
}
