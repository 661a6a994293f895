/* SPDX-License-Identifier: Apache-2.0 */
#include "share.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "console.h"
#include "tree.h"

/* How many files are tried for a base: more and more at a time, as they can all be damaged. */
enum { FIRST_TRY = 1, MORE_FOR_NEXT_TRY = 8, LAST_TRY = 1 << 24 };

void
share_free_bytes(struct share_bytes *bytes)
{
	free(bytes->items);
	memset(bytes, 0, sizeof *bytes);
}

static void
add_bytes(struct share_bytes *to, const void *bytes, size_t count)
{
	if (count > to->room - to->count) {
		to->room = to->count + count + to->room / 2;
		to->items = job_grow(to->items, to->room);
	}
	if (count > 0)
		memcpy(to->items + to->count, bytes, count);
	to->count += count;
}

/* All processes have the same files and options, so it is the program that differs. */
static void
fail_build(struct share *share)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "mpi.other-program",
		.file = share->settings.image,
		.hint = "copy the same build of the program to all nodes",
	};

	share->voice.has_failed = true;
	voice_fail(&share->voice, &diagnostic,
	           "expected the program that process 0 has, found another one or another build");
}

static void
diagnose(void *opaque, enum engine_severity severity, const struct gprofx_diagnostic *diagnostic,
         const char *message, const char *doing)
{
	struct share *share = opaque;

	/* Process 0 can read so few files itself. */
	if (strcmp(diagnostic->id, "partial.copies") == 0 && !share->job.node_local) {
		share->has_copies = true;
		return;
	}
	/* Likewise, unless that is an error anyhow. */
	if (strcmp(diagnostic->id, "partial.does-not-fit") == 0 && share->keeps_going) {
		share->has_misfit = true;
		if (!share->job.node_local)
			return;
	}
	if (strcmp(diagnostic->id, "partial.other-program") == 0) {
		fail_build(share);
		return;
	}
	share->is_refused = share->is_refused ||
	                    (severity == ENGINE_ERROR && diagnostic->file &&
	                     strcmp(diagnostic->file, share->partial_name) == 0);
	voice_diagnose(&share->voice, severity, diagnostic, message, doing);
}

static void
trace(void *opaque, const char *line)
{
	struct share *share = opaque;

	if (share->job.rank == 0 && !share->voice.is_trying)
		console_trace(&share->voice.console, line);
}

static int
write_out(void *opaque, const void *bytes, size_t count)
{
	struct share *share = opaque;

	return console_write(&share->voice.console, bytes, count);
}

static void
find(void *opaque, const struct engine_findings *found)
{
	struct share *share = opaque;

	console_find(&share->voice.console, found);
}

static void
note_progress(void *opaque, uint32_t done, uint32_t total)
{
	struct share *share = opaque;

	(void)total;
	share->team.done = done;
	(void)team_go_on(&share->team);
}

static int
keep_partial(void *opaque, const void *bytes, size_t count)
{
	struct share *share = opaque;

	add_bytes(&share->partial, bytes, count);
	share->has_partial = true;
	return 0;
}

static int
keep_base(void *opaque, const void *bytes, size_t count)
{
	struct share *share = opaque;

	add_bytes(&share->base, bytes, count);
	return 0;
}

/* What process 0 knows of all files; the others only know whether there are several. */
static void
set_files(const struct share *share, struct engine_settings *settings, const char *const *names,
          uint32_t count)
{
	uint32_t listed = (uint32_t)share->list.count;

	settings->whole = share->names;
	settings->whole_count = listed > 1 ? listed : share->team.total > 1 ? 2 : 1;
	settings->share = names;
	settings->share_count = count;
	settings->share_first = share->first;
}

bool
share_make_base(struct share *share)
{
	const struct engine_frontend frontend = {
		.opaque = share,
		.diagnose = diagnose,
		.trace = trace,
		.take_partial = keep_base,
	};
	struct engine_settings settings = share->settings;
	struct voice *voice = &share->voice;
	uint64_t tried = 0, batch = FIRST_TRY, count = share->list.count;

	settings.keep_going = true;
	engine_give(&settings, ENGINE_SET_KEEP_GOING);
	voice->is_trying = true;
	voice_set_files(voice, share->names, count, settings.host);
	while (tried == voice->left_out && tried < count && batch <= LAST_TRY &&
	       !voice->has_failed) {
		uint64_t size = batch < count - tried ? batch : count - tried;

		share->base.count = 0;
		set_files(share, &settings, share->names + tried, (uint32_t)size);
		(void)engine_run(&settings, &frontend);
		tried += size;
		batch *= MORE_FOR_NEXT_TRY;
	}
	/* It has no files, and so says nothing about those to come. */
	if (tried == voice->left_out)
		share->base.count = 0;
	voice->is_trying = false;
	return !voice->has_failed;
}

/* Notes the files of the process that were left out. */
static void
note_left_out(struct share *share)
{
	const struct voice *voice = &share->voice;
	char note[WIRE_TEXT];

	if (share->has_noted)
		return;
	share->has_noted = true;
	for (uint64_t i = 0; i < voice->file_count && voice->left_out > 0; i++) {
		if (!voice_left_out(voice, i))
			continue;
		snprintf(note, sizeof note, "%s (process %d on %s)", voice->files[i],
		         share->job.number, share->job.host);
		team_note(&share->team, note);
	}
	share->team.left_out += voice->left_out;
}

/* Nothing was read by anyone. */
static enum engine_next
end_of_partials(struct share *share)
{
	const struct gprofx_diagnostic diagnostic = {
		.id = "mpi.no-profiles",
		.hint = "see the messages above for what is wrong with each",
	};

	if (share->job.rank > 0 || !share->keeps_going || share->team.left_out < share->team.total)
		return ENGINE_NEXT_NONE;
	voice_fail(&share->voice, &diagnostic, "no profile could be read");
	return ENGINE_NEXT_FAILED;
}

/* Forgets the last result, of whose files none counts if the engine has refused it. */
static void
forget_result(struct share *share)
{
	struct team *team = &share->team;
	const struct wire_head *result;

	if (share->is_refused) {
		result = &team->children[share->next_child - 1].result;
		team->left_out += result->done - result->left_out;
		team_note(team, share->partial_name);
	}
	share->is_refused = false;
	share->partial_name[0] = '\0';
	free(share->received);
	share->received = NULL;
}

/* Takes the result of the next child that has one. */
static enum engine_next
next_partial(void *opaque, struct engine_partial *partial)
{
	struct share *share = opaque;
	struct team *team = &share->team;

	note_left_out(share);
	forget_result(share);
	while (share->next_child < team->place.child_count) {
		struct child *child = &team->children[share->next_child++];
		bool has_failed = !team_await(team, child) || child->result.status == WIRE_FAILED;

		if (child->state == CHILD_HAS_RESULT && child->result.status == WIRE_MISFIT) {
			share->has_misfit = true;
			return ENGINE_NEXT_FAILED;
		}

		if (!has_failed && child->result.status == WIRE_WENT_WELL) {
			partial->length = child->result.length;
			share->received = team_take(team, child);
			has_failed = !share->received;
		}
		if (child->state == CHILD_HAS_RESULT)
			team_finish_child(team, child);
		if (has_failed && !share->keeps_going)
			return ENGINE_NEXT_FAILED;
		if (!share->received)
			continue;
		snprintf(share->partial_name, sizeof share->partial_name, "process %d on %s (%s%s)",
		         child->number, child->host,
		         child->first_file ? "files from " : "no files of its own",
		         child->first_file ? child->first_file : "");
		partial->name = share->partial_name;
		partial->bytes = share->received;
		return ENGINE_NEXT_PARTIAL;
	}
	return end_of_partials(share);
}

/* Runs the engine on these files; alone: on nothing else. */
static bool
run(struct share *share, uint32_t name_count, bool alone)
{
	bool is_first = share->job.rank == 0;
	const struct engine_frontend frontend = {
		.opaque = share,
		.diagnose = diagnose,
		.trace = trace,
		.write = write_out,
		.find = is_first ? find : NULL,
		.progress = note_progress,
		.next_partial = share->job.size > 1 && !alone ? next_partial : NULL,
		.take_partial = is_first ? NULL : keep_partial,
	};
	struct engine_settings settings = share->settings;

	set_files(share, &settings, share->names, name_count);
	if (share->base.count > 0 && !alone)
		settings.base = (struct engine_partial){
			.name = "the first profile",
			.bytes = share->base.items,
			.length = share->base.count,
		};
	return engine_run(&settings, &frontend);
}

bool
share_run(struct share *share)
{
	bool is_first = share->job.rank == 0, went_well = false;

	voice_set_files(&share->voice, share->names, share->name_count, share->settings.host);
	/* Who has nothing to read and nobody to ask needs no run. */
	if (!is_first && share->name_count == 0 && share->team.place.child_count == 0)
		return true;
	went_well = run(share, share->name_count, false);
	forget_result(share);
	note_left_out(share);
	team_dismiss(&share->team);
	/*
	 * Which files are copies is seen before counters are added up, and which of two files that
	 * both fit the first one is the earlier.
	 */
	if (is_first && !went_well &&
	    (share->has_copies || (share->has_misfit && !share->job.node_local))) {
		team_forget_notes(&share->team);
		voice_set_files(&share->voice, share->names, share->list.count,
		                share->settings.host);
		share->voice.repeats = !share->has_misfit;
		went_well = run(share, (uint32_t)share->list.count, true);
		share->has_noted = false;
		note_left_out(share);
	}
	return went_well || (share->keeps_going && share->has_partial);
}
