/* SPDX-License-Identifier: Apache-2.0 */
#include "emit/targets.h"

#include <string.h>
#include <sys/stat.h>

#include "base/inputs.h"
#include "base/memory.h"
#include "base/text.h"
#include "profile/profile.h"

/* Where an output is to go, looked at once: it may be compared with thousands of files. */
struct target_file {
	const char *name;
	struct stat status;
	bool is_there;
};

static struct target_file
look_at(const char *name)
{
	struct target_file target = {.name = name};

	target.is_there = stat(name, &target.status) == 0;
	return target;
}

static bool
stat_folder(struct run *run, const char *name, struct stat *folder)
{
	size_t length = (size_t)(text_last_name(name) - name);

	return stat(length == 0 ? "." : text_format(run, "%.*s", (int)length, name), folder) == 0;
}

/* Whether two files that are not there yet would be the same one. */
static bool
becomes_same_file(struct run *run, const char *name, const char *other)
{
	struct stat folder, others;

	return strcmp(text_last_name(name), text_last_name(other)) == 0 &&
	       stat_folder(run, name, &folder) && stat_folder(run, other, &others) &&
	       folder.st_dev == others.st_dev && folder.st_ino == others.st_ino;
}

/* Whether another name leads to the same regular file. */
static bool
is_same_file(struct run *run, const struct target_file *target, const char *other)
{
	struct stat status;

	if (!target->is_there)
		return becomes_same_file(run, target->name, other);
	return S_ISREG(target->status.st_mode) && stat(other, &status) == 0 &&
	       target->status.st_dev == status.st_dev && target->status.st_ino == status.st_ino;
}

/* Files about the program are not to be replaced by anything that is written. */
static enum gprofx_result
check_against_program(struct run *run, const struct target_file *target)
{
	const struct engine_settings *settings = run->settings;

	if (settings->image && is_same_file(run, target, settings->image))
		return inputs_refuse(run, target->name, "the program");
	if (settings->symbol_list && is_same_file(run, target, settings->symbol_list))
		return inputs_refuse(run, target->name, "the list of symbols");
	if (settings->file_map && is_same_file(run, target, settings->file_map))
		return inputs_refuse(run, target->name, "the map of files");
	return GPROFX_OK;
}

enum gprofx_result
emit_check_sum(struct run *run)
{
	const struct engine_settings *settings = run->settings;
	const char *file = settings->sum_file;
	struct target_file target;

	if (!file)
		return GPROFX_OK;
	target = look_at(file);
	for (uint32_t i = 0; i < settings->output_count; i++)
		if (settings->outputs[i].file &&
		    is_same_file(run, &target, settings->outputs[i].file))
			return inputs_refuse(run, file, "another output");
	return check_against_program(run, &target);
}

enum gprofx_result
emit_check_file(struct run *run, const struct emit_plan *plan, const char *file)
{
	const struct engine_settings *settings = run->settings;
	const struct profile *profile = plan->profile;
	struct target_file target = look_at(file);

	if (check_against_program(run, &target) != GPROFX_OK)
		return GPROFX_FAILED;
	for (uint32_t i = 0; profile && i < profile->source_count; i++)
		if (is_same_file(run, &target, profile->sources[i]))
			return inputs_refuse(run, file, "a profile");
	for (uint32_t i = 0; i < settings->object_count; i++)
		if (is_same_file(run, &target, settings->objects[i].library) ||
		    is_same_file(run, &target, settings->objects[i].profile))
			return inputs_refuse(run, file, "another input");
	for (uint32_t i = 0; i < plan->count; i++) {
		const char *other = plan->jobs[i].use->output->file;

		if (other && is_same_file(run, &target, other))
			return inputs_refuse(run, file, "another output");
	}
	return GPROFX_OK;
}
