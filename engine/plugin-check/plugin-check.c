/* SPDX-License-Identifier: Apache-2.0 */
/* The steps of a check, and what they share. */
#include "plugin-check/plugin-check.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/run.h"
#include "plugin/modules.h"
#include "plugin/manifest.h"
#include "plugin-check/try.h"

/* What the front end may know of the steps. */
static const struct engine_check_step steps[] = {
	{"file", "it can be read, is complete, and is for this machine", true},
	{"module", "it opens with all its libraries and symbols, and has a descriptor", true},
	{"descriptor", "the interface's version, names and callbacks are in order", true},
	{"options", "the table of options is valid", true},
	{"manifest", "it agrees with the module", false},
	{"reader, random bytes", "it claims no file of random bytes", false},
	{"reader, empty file", "it handles an empty file", false},
	{"reader, damaged files", "it handles damaged files", false},
	{"symbols, random bytes", "it claims no image of random bytes", false},
	{"symbols, empty image", "it handles an empty image", false},
	{"symbols, damaged images", "it handles damaged images", false},
	{"findcall, no code", "it finds no calls where there is no code", false},
	{"findcall, random code", "it stays within the code that it is given", false},
	{"emitter, empty report", "it writes an empty report", false},
	{"emitter, small report", "it writes a small report, within its buffer", false},
	{"emitter, stacks", "it writes a report of stacks without call counts", false},
	{"emitter, two metrics", "it writes a report of two metrics", false},
	{"emitter, threads", "it writes a report of two threads", false},
	{"emitter, comparison", "it writes a comparison, if it can show one", false},
	{"document, empty text", "it handles an empty text", false},
	{"document, random texts", "it handles random texts", false},
	{"labels, empty names", "it handles empty patterns and names", false},
};

enum { STEPS = sizeof steps / sizeof steps[0], FIRST_WITH_DESCRIPTOR = 2, FIRST_WITH_OPTIONS = 3 };

/* What takes each step, and with which plugins: with those of a kind, or, for PLUGIN_KINDS, all. */
static const struct {
	void (*take)(struct plugin_check *check);
	enum plugin_kind kind;
} rows[STEPS] = {
	{check_file, PLUGIN_KINDS},
	{check_module, PLUGIN_KINDS},
	{check_descriptor, PLUGIN_KINDS},
	{check_options, PLUGIN_KINDS},
	{check_manifest_agrees, PLUGIN_KINDS},
	{check_reader_random, PLUGIN_READER},
	{check_reader_empty, PLUGIN_READER},
	{check_reader_damaged, PLUGIN_READER},
	{check_symbols_random, PLUGIN_SYMBOLS},
	{check_symbols_empty, PLUGIN_SYMBOLS},
	{check_symbols_damaged, PLUGIN_SYMBOLS},
	{check_scanner_empty, PLUGIN_FINDCALL},
	{check_scanner_random, PLUGIN_FINDCALL},
	{check_emitter_empty, PLUGIN_EMITTER},
	{check_emitter_small, PLUGIN_EMITTER},
	{check_emitter_stacks, PLUGIN_EMITTER},
	{check_emitter_metrics, PLUGIN_EMITTER},
	{check_emitter_slices, PLUGIN_EMITTER},
	{check_emitter_comparison, PLUGIN_EMITTER},
	{check_document_empty, PLUGIN_DOCUMENT},
	{check_document_random, PLUGIN_DOCUMENT},
	{check_labels_empty, PLUGIN_LABELS},
};

const struct engine_check_step *
engine_check_steps(uint32_t *count)
{
	*count = STEPS;
	return steps;
}

/* Appends a line; a fault that is known already is not reported again. */
static void
note(struct plugin_check *check, char kind, const char *format, va_list arguments)
{
	char line[768] = {kind};
	char *words = check->told->words;
	size_t used = strlen(words);
	int length = vsnprintf(line + 1, sizeof line - 2, format, arguments);

	if (length < 0)
		return;
	for (char *at = line; *at != '\0'; at++)
		if (*at == '\n')
			*at = ' ';
	memcpy(line + strlen(line), "\n", sizeof "\n");
	if (!strstr(words, line) && strlen(line) < ENGINE_CHECK_MOST_WORDS - used)
		memcpy(words + used, line, strlen(line) + 1);
}

void
check_fault(struct plugin_check *check, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	note(check, ENGINE_CHECK_FAULT, format, arguments);
	va_end(arguments);
	check->is_faulty = true;
}

void
check_remark(struct plugin_check *check, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	note(check, ENGINE_CHECK_REMARK, format, arguments);
	va_end(arguments);
}

/* What to do about the fault before. */
static void hint(struct plugin_check *check, const char *format, ...) GPROFX_PRINTF(2, 3);

static void
hint(struct plugin_check *check, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	note(check, ENGINE_CHECK_HINT, format, arguments);
	va_end(arguments);
}

void
check_begin(struct plugin_check *check, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(check->told->doing, sizeof check->told->doing, format, arguments);
	va_end(arguments);
	check->errors = 0;
	check->last_id = NULL;
	check->keeps_diagnostics = check->notes_warnings = false;
}

void
check_end(struct plugin_check *check)
{
	check->told->doing[0] = '\0';
}

void
check_end_with(struct plugin_check *check, int result)
{
	const char *doing = check->told->doing;

	if (result == GPROFX_FAILED && check->errors == 0)
		check_fault(check, "%s: expected a reason for the failure, found none", doing);
	else if (result == GPROFX_OK && check->errors > 0)
		check_fault(check, "%s: expected a failure after the error \"%s\", found GPROFX_OK",
		            doing, check->last_error);
	else if (result == GPROFX_DECLINED && check->errors > 0)
		check_fault(check,
		            "%s: expected no error for a file that is declined, found \"%s\"",
		            doing, check->last_error);
	else if (result != GPROFX_OK && result != GPROFX_DECLINED && result != GPROFX_FAILED)
		check_fault(check, "%s: expected a value of enum gprofx_result, found %d", doing,
		            result);
	check_end(check);
}

uint32_t
check_random(struct plugin_check *check)
{
	check->random = check->random * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(check->random >> 33);
}

void
check_fill(struct plugin_check *check, uint8_t *bytes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		bytes[i] = (uint8_t)(check_random(check) >> 7);
}

static void
map_room(struct plugin_check *check)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	uint8_t *room = mmap(NULL, CHECK_ROOM + page, PROT_READ | PROT_WRITE,
	                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (room == MAP_FAILED || mprotect(room + CHECK_ROOM, page, PROT_NONE) != 0)
		memory_exhausted(check->run, CHECK_ROOM);
	check->room = room;
	check->told->guard = room + CHECK_ROOM;
	check->told->guard_bytes = page;
}

uint8_t *
check_bytes(struct plugin_check *check, const uint8_t *bytes, size_t count, bool writable)
{
	uint8_t *copy;

	if (!check->room)
		map_room(check);
	copy = check->room + CHECK_ROOM - count;
	(void)mprotect(check->room, CHECK_ROOM, PROT_READ | PROT_WRITE);
	if (bytes)
		memcpy(copy, bytes, count);
	if (!writable)
		(void)mprotect(check->room, CHECK_ROOM, PROT_READ);
	return copy;
}

const struct manifest *
check_manifest(struct plugin_check *check)
{
	if (!check->knows_manifest)
		check->manifest = manifest_beside(check->run, check->path);
	check->knows_manifest = true;
	return check->manifest;
}

/* The magic of the interface with this number, or NULL. */
static const struct manifest_magic *
find_magic(struct plugin_check *check, enum plugin_kind kind, uint32_t number)
{
	const struct manifest *manifest = check_manifest(check);
	const struct manifest_magic *magic = manifest ? manifest->magic : NULL;

	for (; magic; magic = magic->next)
		if (magic->kind == kind && number-- == 0)
			break;
	return magic;
}

bool
check_input(struct plugin_check *check, enum plugin_kind kind, uint32_t i,
            struct check_input *input)
{
	enum { LENGTHS = 16, FILLINGS = 4 };
	const struct manifest_magic *magic;

	if (i < LENGTHS) {
		input->length = (size_t)1 << i;
		input->what = "random bytes";
		check_fill(check, input->bytes, input->length);
		return true;
	}
	i -= LENGTHS;
	magic = find_magic(check, kind, i / FILLINGS);
	if (!magic)
		return false;
	input->what = "a damaged file of its format";
	input->length = CHECK_HEAD;
	if (i % FILLINGS == 0)
		input->length = magic->at + magic->length;
	memset(input->bytes, i % FILLINGS == 1 ? 0xff : 0, CHECK_HEAD);
	if (i % FILLINGS == 2)
		check_fill(check, input->bytes, CHECK_HEAD);
	memcpy(input->bytes + magic->at, magic->bytes, magic->length);
	return true;
}

/* Keeps what is diagnosed for check_end_with(), or as a fault. */
static void
diagnose(void *opaque, enum engine_severity severity, const struct gprofx_diagnostic *diagnostic,
         const char *message, const char *doing)
{
	struct plugin_check *check = opaque;
	const char *file = diagnostic->file ? diagnostic->file : "";

	(void)doing;
	if (strcmp(diagnostic->id, run_no_id) == 0)
		check_fault(check, "expected an id with each diagnostic, found none with \"%s\"",
		            message);
	if (strcmp(file, check->path) == 0)
		file = "";
	if (check->keeps_diagnostics && diagnostic->place == GPROFX_AT_LINE)
		check_fault(check, "%s:%u:%u: %s [%s]", file, diagnostic->line, diagnostic->column,
		            message, diagnostic->id);
	else if (check->keeps_diagnostics)
		check_fault(check, "%s%s%s [%s]", file, file[0] ? ": " : "", message,
		            diagnostic->id);
	if (check->keeps_diagnostics && diagnostic->hint)
		hint(check, "%s", diagnostic->hint);
	if (check->notes_warnings && severity == ENGINE_WARNING)
		check_remark(check, "%s: %s [%s]", check->told->doing, message, diagnostic->id);
	if (severity != ENGINE_ERROR)
		return;
	check->errors++;
	check->last_id = diagnostic->id;
	snprintf(check->last_error, sizeof check->last_error, "%s", message);
}

static void
ignore_trace(void *opaque, const char *line)
{
	(void)opaque;
	(void)line;
}

static int
count_bytes(void *opaque, const void *bytes, size_t count)
{
	struct plugin_check *check = opaque;

	(void)bytes;
	check->written += count;
	return 0;
}

/* What is looked at, without a callback. */
static void
state(struct plugin_check *check, const char *words)
{
	snprintf(check->told->doing, sizeof check->told->doing, "%s", words);
}

static enum gprofx_result
take_step(struct run *run, void *argument)
{
	struct plugin_check *check = argument;
	const struct gprofx_plugin *descriptor;
	uint32_t number = (uint32_t)(check->step - steps);
	struct plugin_module module;

	check->run = run;
	check->keeps_diagnostics = true;
	/* What is required was found in order before, in another process. */
	if (number >= FIRST_WITH_DESCRIPTOR) {
		module = plugin_named_module(run, check->path);
		descriptor = plugin_load(run, &module);
		state(check, "following the pointers in its descriptor");
		check->plugin = descriptor ? plugin_describe(run, descriptor, check->path, NULL)
		                           : NULL;
		if (!check->plugin)
			return GPROFX_OK;
	}
	if (number >= FIRST_WITH_OPTIONS) {
		state(check, "following the pointers in its table of options");
		if (plugin_make_options(run, check->plugin, NULL, &check->plugin->options) !=
		    GPROFX_OK)
			return GPROFX_OK;
	}
	if (number > FIRST_WITH_OPTIONS)
		check_end(check);
	check->told->is_applicable = rows[number].kind == PLUGIN_KINDS ||
	                             plugin_is(check->plugin, rows[number].kind);
	if (check->told->is_applicable)
		rows[number].take(check);
	check->came_to_end = true;
	return GPROFX_OK;
}

void
engine_try_plugin(const struct engine_settings *settings, const char *path, uint32_t step,
                  struct engine_check *check)
{
	struct plugin_check own = {
		.told = check,
		.step = &steps[step],
		.path = path,
		.random = 2026,
		.settings =
			{
				.image = path,
				.profiles = &path,
				.profile_count = 1,
				.plugin_folders = settings->plugin_folders,
				.plugin_folder_count = settings->plugin_folder_count,
				.installed_folder_count = settings->installed_folder_count,
				.user_folder_count = settings->user_folder_count,
				.environment_folder_count = settings->environment_folder_count,
				.trusted_users = settings->trusted_users,
				.trusted_user_count = settings->trusted_user_count,
				.builtin = settings->builtin,
				.correct_by_default = true,
				.threads = 1,
			},
	};
	const struct engine_frontend frontend = {
		.opaque = &own,
		.diagnose = diagnose,
		.trace = ignore_trace,
		.write = count_bytes,
	};

	memset(check, 0, sizeof *check);
	check->is_applicable = true;
	run_whole(&own.settings, &frontend, take_step, &own);
	/* What no file can be the cause of ends any run. */
	if (!own.came_to_end && !own.is_faulty)
		check_fault(&own, "%s%s%s%s", check->doing, check->doing[0] ? ": " : "",
		            own.last_id && strcmp(own.last_id, "reader.bad-record") == 0
		                    ? ""
		                    : "expected it to end, but ",
		            own.last_error);
	check->doing[0] = '\0';
	check->is_finished = true;
}
