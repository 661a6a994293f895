/* SPDX-License-Identifier: Apache-2.0 */
/* The steps of a trial, and what they share. */
#include "trial/trial.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/run.h"
#include "plugin/load.h"
#include "plugin/manifest.h"

/* What the front end may know of the steps. */
static const struct engine_trial_step steps[] = {
	{"file", "it can be read, and is neither cut short nor for another machine", true},
	{"module", "it opens, with all its libraries and symbols, and has a descriptor", true},
	{"descriptor", "the interface's version, names and callbacks are in order", true},
	{"options", "the table of options is sane", true},
	{"manifest", "it says what the module says", false},
	{"reader, random bytes", "it claims no file of random bytes", false},
	{"reader, empty file", "it stands an empty file", false},
	{"reader, damaged files", "it stands damaged files", false},
	{"symbols, random bytes", "it claims no image of random bytes", false},
	{"symbols, empty image", "it stands an empty image", false},
	{"symbols, damaged images", "it stands damaged images", false},
	{"findcall, no code", "it finds no calls where there is no code", false},
	{"findcall, random code", "it keeps to the code that it is given", false},
	{"emitter, empty report", "it writes a report of nothing", false},
	{"emitter, small report", "it writes a small report, within its room", false},
	{"document, empty text", "it stands an empty text", false},
	{"document, random texts", "it stands random texts", false},
	{"labels, empty names", "it stands empty patterns and names", false},
};

enum { STEPS = sizeof steps / sizeof steps[0], FIRST_WITH_DESCRIPTOR = 2, FIRST_WITH_OPTIONS = 3 };

/* What takes each step, and with which plugins: with those of a kind, or, for PLUGIN_KINDS, all. */
static const struct {
	void (*take)(struct trial *trial);
	enum plugin_kind kind;
} rows[STEPS] = {
	{trial_file, PLUGIN_KINDS},
	{trial_module, PLUGIN_KINDS},
	{trial_descriptor, PLUGIN_KINDS},
	{trial_options, PLUGIN_KINDS},
	{trial_manifest_agrees, PLUGIN_KINDS},
	{trial_reader_random, PLUGIN_READER},
	{trial_reader_empty, PLUGIN_READER},
	{trial_reader_damaged, PLUGIN_READER},
	{trial_symbols_random, PLUGIN_SYMBOLS},
	{trial_symbols_empty, PLUGIN_SYMBOLS},
	{trial_symbols_damaged, PLUGIN_SYMBOLS},
	{trial_scanner_empty, PLUGIN_FINDCALL},
	{trial_scanner_random, PLUGIN_FINDCALL},
	{trial_emitter_empty, PLUGIN_EMITTER},
	{trial_emitter_small, PLUGIN_EMITTER},
	{trial_document_empty, PLUGIN_DOCUMENT},
	{trial_document_random, PLUGIN_DOCUMENT},
	{trial_labels_empty, PLUGIN_LABELS},
};

const struct engine_trial_step *
engine_trial_steps(uint32_t *count)
{
	*count = STEPS;
	return steps;
}

/* Appends a line; a fault that is known already is not told again. */
static void
note(struct trial *trial, char kind, const char *format, va_list arguments)
{
	char line[768] = {kind};
	char *words = trial->told->words;
	size_t used = strlen(words);
	int length = vsnprintf(line + 1, sizeof line - 2, format, arguments);

	if (length < 0)
		return;
	for (char *at = line; *at != '\0'; at++)
		if (*at == '\n')
			*at = ' ';
	memcpy(line + strlen(line), "\n", sizeof "\n");
	if (!strstr(words, line) && strlen(line) < ENGINE_TRIAL_MOST_WORDS - used)
		memcpy(words + used, line, strlen(line) + 1);
}

void
trial_fault(struct trial *trial, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	note(trial, ENGINE_TRIAL_FAULT, format, arguments);
	va_end(arguments);
	trial->is_faulty = true;
}

void
trial_remark(struct trial *trial, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	note(trial, ENGINE_TRIAL_REMARK, format, arguments);
	va_end(arguments);
}

/* What to do about the fault before. */
static void hint(struct trial *trial, const char *format, ...) GPROFX_PRINTF(2, 3);

static void
hint(struct trial *trial, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	note(trial, ENGINE_TRIAL_HINT, format, arguments);
	va_end(arguments);
}

void
trial_begin(struct trial *trial, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(trial->told->doing, sizeof trial->told->doing, format, arguments);
	va_end(arguments);
	trial->errors = 0;
	trial->last_id = NULL;
	trial->keeps_diagnostics = false;
}

void
trial_end(struct trial *trial)
{
	trial->told->doing[0] = '\0';
}

void
trial_end_with(struct trial *trial, int result)
{
	const char *doing = trial->told->doing;

	if (result == GPROFX_FAILED && trial->errors == 0)
		trial_fault(trial, "%s: expected a reason for the failure, found none", doing);
	else if (result == GPROFX_OK && trial->errors > 0)
		trial_fault(trial, "%s: expected a failure after the error \"%s\", found GPROFX_OK",
		            doing, trial->last_error);
	else if (result == GPROFX_DECLINED && trial->errors > 0)
		trial_fault(trial,
		            "%s: expected nothing to be told about a file that is declined, found "
		            "the error \"%s\"",
		            doing, trial->last_error);
	else if (result != GPROFX_OK && result != GPROFX_DECLINED && result != GPROFX_FAILED)
		trial_fault(trial, "%s: expected a value of enum gprofx_result, found %d", doing,
		            result);
	trial_end(trial);
}

uint32_t
trial_random(struct trial *trial)
{
	trial->random = trial->random * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(trial->random >> 33);
}

void
trial_fill(struct trial *trial, uint8_t *bytes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		bytes[i] = (uint8_t)(trial_random(trial) >> 7);
}

static void
map_room(struct trial *trial)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	uint8_t *room = mmap(NULL, TRIAL_ROOM + page, PROT_READ | PROT_WRITE,
	                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (room == MAP_FAILED || mprotect(room + TRIAL_ROOM, page, PROT_NONE) != 0)
		memory_exhausted(trial->run, TRIAL_ROOM);
	trial->room = room;
	trial->told->guard = room + TRIAL_ROOM;
	trial->told->guard_bytes = page;
}

uint8_t *
trial_bytes(struct trial *trial, const uint8_t *bytes, size_t count, bool writable)
{
	uint8_t *copy;

	if (!trial->room)
		map_room(trial);
	copy = trial->room + TRIAL_ROOM - count;
	(void)mprotect(trial->room, TRIAL_ROOM, PROT_READ | PROT_WRITE);
	if (bytes)
		memcpy(copy, bytes, count);
	if (!writable)
		(void)mprotect(trial->room, TRIAL_ROOM, PROT_READ);
	return copy;
}

const struct manifest *
trial_manifest(struct trial *trial)
{
	if (!trial->knows_manifest)
		trial->manifest = manifest_beside(trial->run, trial->path);
	trial->knows_manifest = true;
	return trial->manifest;
}

/* The magic of the interface with this number, or NULL. */
static const struct manifest_magic *
find_magic(struct trial *trial, enum plugin_kind kind, uint32_t number)
{
	const struct manifest *manifest = trial_manifest(trial);
	const struct manifest_magic *magic = manifest ? manifest->magic : NULL;

	for (; magic; magic = magic->next)
		if (magic->kind == kind && number-- == 0)
			break;
	return magic;
}

bool
trial_input(struct trial *trial, enum plugin_kind kind, uint32_t i, struct trial_input *input)
{
	enum { LENGTHS = 16, FILLINGS = 4 };
	const struct manifest_magic *magic;

	if (i < LENGTHS) {
		input->length = (size_t)1 << i;
		input->what = "random bytes";
		trial_fill(trial, input->bytes, input->length);
		return true;
	}
	i -= LENGTHS;
	magic = find_magic(trial, kind, i / FILLINGS);
	if (!magic)
		return false;
	input->what = "a damaged file of its format";
	input->length = TRIAL_HEAD;
	if (i % FILLINGS == 0)
		input->length = magic->at + magic->length;
	memset(input->bytes, i % FILLINGS == 1 ? 0xff : 0, TRIAL_HEAD);
	if (i % FILLINGS == 2)
		trial_fill(trial, input->bytes, TRIAL_HEAD);
	memcpy(input->bytes + magic->at, magic->bytes, magic->length);
	return true;
}

/* Keeps what is diagnosed for trial_end_with(), or as a fault. */
static void
diagnose(void *opaque, enum engine_severity severity, const struct gprofx_diagnostic *diagnostic,
         const char *message, const char *doing)
{
	struct trial *trial = opaque;
	const char *file = diagnostic->file ? diagnostic->file : "";

	(void)doing;
	if (strcmp(diagnostic->id, run_no_id) == 0)
		trial_fault(trial, "expected an id with each diagnostic, found none with \"%s\"",
		            message);
	if (strcmp(file, trial->path) == 0)
		file = "";
	if (trial->keeps_diagnostics && diagnostic->place == GPROFX_AT_LINE)
		trial_fault(trial, "%s:%u:%u: %s [%s]", file, diagnostic->line, diagnostic->column,
		            message, diagnostic->id);
	else if (trial->keeps_diagnostics)
		trial_fault(trial, "%s%s%s [%s]", file, file[0] ? ": " : "", message,
		            diagnostic->id);
	if (trial->keeps_diagnostics && diagnostic->hint)
		hint(trial, "%s", diagnostic->hint);
	if (severity != ENGINE_ERROR)
		return;
	trial->errors++;
	trial->last_id = diagnostic->id;
	snprintf(trial->last_error, sizeof trial->last_error, "%s", message);
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
	struct trial *trial = opaque;

	(void)bytes;
	trial->written += count;
	return 0;
}

/* What is looked at, without a callback. */
static void
state(struct trial *trial, const char *words)
{
	snprintf(trial->told->doing, sizeof trial->told->doing, "%s", words);
}

static enum gprofx_result
take_step(struct run *run, void *argument)
{
	struct trial *trial = argument;
	const struct gprofx_plugin *descriptor;
	uint32_t number = (uint32_t)(trial->step - steps);
	struct plugin_module module;

	trial->run = run;
	trial->keeps_diagnostics = true;
	/* What is required was found in order before, in another process. */
	if (number >= FIRST_WITH_DESCRIPTOR) {
		module = plugin_named_module(run, trial->path);
		descriptor = plugin_load(run, &module);
		state(trial, "following the pointers in its descriptor");
		trial->plugin = descriptor ? plugin_describe(run, descriptor, trial->path, NULL)
		                           : NULL;
		if (!trial->plugin)
			return GPROFX_OK;
	}
	if (number >= FIRST_WITH_OPTIONS) {
		state(trial, "following the pointers in its table of options");
		if (plugin_make_options(run, trial->plugin, NULL, &trial->plugin->options) !=
		    GPROFX_OK)
			return GPROFX_OK;
	}
	if (number > FIRST_WITH_OPTIONS)
		trial_end(trial);
	trial->told->is_applicable = rows[number].kind == PLUGIN_KINDS ||
	                             plugin_is(trial->plugin, rows[number].kind);
	if (trial->told->is_applicable)
		rows[number].take(trial);
	trial->came_to_end = true;
	return GPROFX_OK;
}

void
engine_try_plugin(const struct engine_settings *settings, const char *path, uint32_t step,
                  struct engine_trial *trial)
{
	struct trial own = {
		.told = trial,
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
				.listings_named = UINT32_MAX,
				.threads = 1,
			},
	};
	const struct engine_frontend frontend = {
		.opaque = &own,
		.diagnose = diagnose,
		.trace = ignore_trace,
		.write = count_bytes,
	};

	memset(trial, 0, sizeof *trial);
	trial->is_applicable = true;
	run_whole(&own.settings, &frontend, take_step, &own);
	if (!own.came_to_end && !own.is_faulty)
		trial_fault(&own, "%s%sexpected it to come to an end, but %s", trial->doing,
		            trial->doing[0] ? ": " : "", own.last_error);
	trial->doing[0] = '\0';
	trial->is_finished = true;
}
