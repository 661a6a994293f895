/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gprofx-mpi: a run of gprofx whose profiles are read by the processes of an MPI job.  Each reads a
 * part of the list of files, adds what the processes behind it have read, and passes the sum on;
 * process 0 writes the report.
 */
#include <inttypes.h>
#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "console.h"
#include "distribution.h"
#include "engine.h"
#include "job.h"
#include "listing.h"
#include "own-words.h"
#include "process.h"
#include "share.h"
#include "subcommands.h"
#include "team.h"
#include "tree.h"
#include "voice.h"
#include "wire.h"
#include "words.h"

#ifdef GPROFX_BUILTIN
extern const struct gprofx_plugin *const gprofx_builtin_plugins[];
#else
static const struct gprofx_plugin *const *const gprofx_builtin_plugins = NULL;
#endif

enum { GOES_ON = -1, WRONG_USE = 2 };

/* The whole program. */
struct program {
	struct share share;
	struct words words;
	struct own_words own;
	struct command command;
	const char **operands; /* with --no-program */
	uint32_t threads;      /* of the settings, files included */
	int status;            /* GOES_ON, or that of the end */
};

static int
refuse(struct program *program, const char *what, const char *hint)
{
	const struct gprofx_diagnostic diagnostic = {.id = "mpi.unsupported", .hint = hint};

	voice_fail(&program->share.voice, &diagnostic, "%s", what);
	return WRONG_USE;
}

/* Commands, and the mode of GNU gprof, are looked for before anything acts. */
static int
check_words(struct program *program)
{
	const struct own_words *own = &program->own;

	if (own->rest_count > 1 && subcommand_named(own->rest[1]))
		return refuse(program, "the commands of gprofx are not for MPI jobs",
		              "write ./NAME for a program of that name");
	for (int i = 1; i < own->rest_count && strcmp(own->rest[i], "--") != 0; i++)
		if (strcmp(own->rest[i], "--gnu") == 0)
			return refuse(program, "the mode of GNU gprof reads files one by one",
			              "use gprofx --gnu");
	return GOES_ON;
}

static int
check_command(struct program *program)
{
	const struct engine_settings *settings = &program->command.settings;

	if (program->command.action != COMMAND_RUN)
		return refuse(program, "the option prints something that needs no job",
		              "use gprofx for it");
	if (settings->object_count > 0)
		return refuse(program, "--object does not work with several processes",
		              "report the library with gprofx");
	return GOES_ON;
}

/* The operands: the program, and profiles. */
static int
take_operands(struct program *program)
{
	struct engine_settings *settings = &program->share.settings;
	const struct gprofx_diagnostic none = {
		.id = "mpi.no-operands",
		.hint = "write gprofx-mpi PROGRAM FOLDER",
	};
	const struct gprofx_diagnostic input = {
		.id = "mpi.standard-input",
		.hint = "write the profile to a file",
	};
	uint32_t count = 0;

	if (program->own.has_no_program && program->command.names_program) {
		uint32_t named = settings->profiles_are_named ? settings->profile_count : 0;

		program->operands = job_alloc(((size_t)named + 1) * sizeof *program->operands);
		program->operands[count++] = settings->image;
		for (uint32_t i = 0; i < named; i++)
			program->operands[count++] = settings->profiles[i];
		settings->image = NULL;
		settings->profiles = program->operands;
		settings->profile_count = count;
		settings->profiles_are_named = true;
		settings->profiles_are_found = false;
	}
	if (!settings->profiles_are_named) {
		voice_fail(&program->share.voice, &none,
		           "expected a program and files, folders or patterns of profiles");
		return WRONG_USE;
	}
	for (uint32_t i = 0; i < settings->profile_count; i++)
		if (strcmp(settings->profiles[i], "-") == 0) {
			voice_fail(&program->share.voice, &input,
			           "profiles cannot come from standard input");
			return WRONG_USE;
		}
	settings->recording = NULL;
	/* The first operand is one of the profiles, or none. */
	settings->program_is_optional = program->own.has_no_program;
	return GOES_ON;
}

static void
look(void *opaque, const struct engine_settings *settled)
{
	struct program *program = opaque;

	program->share.keeps_going = settled->keep_going;
	program->threads = settled->threads;
}

static void
diagnose(void *opaque, enum engine_severity severity, const struct gprofx_diagnostic *diagnostic,
         const char *message, const char *doing)
{
	struct program *program = opaque;

	voice_diagnose(&program->share.voice, severity, diagnostic, message, doing);
}

/* By itself the engine takes a thread for each processor, which several processes have to share. */
static void
choose_threads(struct program *program)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN) / program->share.job.processes_here;
	cpu_set_t allowed;

	if (program->threads != 0)
		return;
	if (sched_getaffinity(0, sizeof allowed, &allowed) == 0 && CPU_COUNT(&allowed) < processors)
		processors = CPU_COUNT(&allowed);
	processors = processors < 1                        ? 1
	             : processors > ENGINE_THREADS_AT_MOST ? ENGINE_THREADS_AT_MOST
	                                                   : processors;
	program->share.settings.threads = (uint32_t)processors;
	engine_give(&program->share.settings, ENGINE_SET_THREADS);
}

/* Reads the command line and the files of settings.  Returns GOES_ON or an exit status. */
static int
prepare(struct program *program, int argc, char **argv)
{
	const struct engine_frontend frontend = {.opaque = program, .diagnose = diagnose};
	struct share *share = &program->share;
	struct console *console = &share->voice.console;
	struct own_words *own = &program->own;
	int status;

	if (program->words.too_large) {
		process_report_large_file(console, &program->words);
		return 1;
	}
	if (!own_words_take(own, console, argc, argv))
		return WRONG_USE;
	if (own->wants_help || own->wants_version)
		return 0;
	status = check_words(program);
	if (status == GOES_ON)
		status = command_parse(&program->command, console, false, own->rest_count,
		                       own->rest);
	if (status == GOES_ON)
		status = check_command(program);
	if (status != GOES_ON)
		return status;
	share->settings = program->command.settings;
	share->settings.builtin = gprofx_builtin_plugins;
	share->settings.word_files = program->words.names;
	share->settings.word_file_count = (uint32_t)program->words.name_count;
	status = take_operands(program);
	if (status != GOES_ON)
		return status;
	if (!engine_settle(&share->settings, &frontend, look, program))
		return 1;
	choose_threads(program);
	if (own->node_local)
		share->settings.host = share->job.host;
	return GOES_ON;
}

/* All processes have the same words: what is wrong with them is said once. */
static void
prepare_all(struct program *program, int argc, char **argv)
{
	struct console *console = &program->share.voice.console;
	int status = GOES_ON, worst;

	if (program->share.job.rank == 0) {
		status = prepare(program, argc, argv);
		if (program->own.wants_help)
			own_words_print_help(console);
		else if (program->own.wants_version)
			console_put(console, "gprofx-mpi " GPROFX_VERSION "\n");
	}
	MPI_Bcast(&status, 1, MPI_INT, 0, MPI_COMM_WORLD);
	if (status == GOES_ON && program->share.job.rank > 0) {
		console->only_errors = true;
		status = prepare(program, argc, argv);
		console->only_errors = false;
	}
	MPI_Allreduce(&status, &worst, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
	program->status = worst;
}

/* Gives the parent what was read, if it wants it. */
static void
report_result(struct share *share, bool went_well)
{
	struct team *team = &share->team;
	struct wire_head head;
	char note[JOB_HOST_ROOM + 64];

	wire_set_head(&head, WIRE_IS_RESULT);
	head.files = team->files;
	head.done = team->files + team->done_behind;
	head.left_out = team->left_out;
	head.lost = team->lost;
	head.status = share->has_partial && went_well ? WIRE_WENT_WELL
	              : went_well                     ? WIRE_EMPTY
	              : share->has_misfit             ? WIRE_MISFIT
	                                              : WIRE_FAILED;
	if (head.status == WIRE_FAILED) {
		head.left_out = head.done;
		snprintf(note, sizeof note, "all of process %d on %s", share->job.number,
		         share->job.host);
		team_note(team, note);
	}
	if (head.status == WIRE_WENT_WELL)
		head.length = share->partial.count;
	wire_set_text(&head, team->notes, team->notes_length);
	wire_send_head(&team->outbox, share->job.world, team->place.parent, WIRE_UP, &head);
	if (head.length == 0)
		return;
	wire_await(&team->outbox, share->job.world, team->place.parent, WIRE_DOWN);
	if (wire_take_head(share->job.world, team->place.parent, WIRE_DOWN, &head) &&
	    head.kind == WIRE_IS_TAKEN)
		wire_send_bytes(&team->outbox, share->job.world, team->place.parent, WIRE_UP,
		                share->partial.items, share->partial.count);
}

/* Gets the end from the parent. */
static int
await_end(struct share *share)
{
	struct wire_head head;
	struct team *team = &share->team;

	wire_await(&team->outbox, share->job.world, team->place.parent, WIRE_DOWN);
	if (!wire_take_head(share->job.world, team->place.parent, WIRE_DOWN, &head))
		return 1;
	return head.status != 0;
}

static void
pass_end_on(struct share *share, int status)
{
	struct wire_head head;

	wire_set_head(&head, WIRE_IS_END);
	head.status = (uint64_t)status;
	for (int i = 0; i < share->team.place.child_count; i++)
		wire_send_head(&share->team.outbox, share->job.world, share->team.children[i].rank,
		               WIRE_DOWN, &head);
	team_flush(&share->team);
	if (share->team.is_underway)
		MPI_Wait(&share->team.alive_request, MPI_STATUS_IGNORE);
}

/* The notes as one line. */
static void
join_notes(const struct team *team, char *text)
{
	const char *at = team->notes;

	*text = '\0';
	while (*at != '\0') {
		size_t length = strcspn(at, "\n");

		sprintf(text, "%s%.*s", at == team->notes ? "" : ", ", (int)length, at);
		text += strlen(text);
		at += length + 1;
	}
}

static void
summarize(struct share *share)
{
	const struct team *team = &share->team;
	const struct gprofx_diagnostic diagnostic = {
		.id = "mpi.left-out",
		.hint = "see the messages above for what is wrong with each",
	};
	char notes[2 * WIRE_TEXT], lost[64] = "";

	if (!share->keeps_going || (team->left_out == 0 && team->lost == 0))
		return;
	join_notes(team, notes);
	if (team->lost > 0)
		snprintf(lost, sizeof lost, ", with %" PRIu64 " process%s that did not answer,",
		         team->lost, team->lost == 1 ? "" : "es");
	voice_warn(&share->voice, &diagnostic,
	           "%" PRIu64 " of %" PRIu64 " files%s were left out: %s%s", team->left_out,
	           team->total, lost, team->lacks_notes ? "first of all " : "", notes);
}

/* The end of process 0: everything is written. */
static int
conclude(struct share *share, bool went_well)
{
	int status;

	summarize(share);
	status = went_well && !share->lacks_operands && share->team.left_out == 0 &&
	                         share->team.lost == 0
	                 ? 0
	                 : 1;
	if (!voice_close(&share->voice))
		status = 1;
	/* Who does not answer would be waited for. */
	if (share->team.lost > 0)
		job_abort(status);
	return status;
}

static int
work(struct share *share, bool shows_progress)
{
	struct team *team = &share->team;
	bool is_first = share->job.rank == 0, went_well;
	int status;

	if (!distribution_make(share)) {
		team_flush(team);
		return 1;
	}
	team->shows_progress = is_first && console_wants_progress(&share->voice.console);
	team->prints_progress = is_first && shows_progress;
	team->keeps_alive = !is_first;
	went_well = share_run(share);
	team->keeps_alive = false;
	if (team->prints_progress)
		team_print_progress(team);
	if (is_first) {
		status = conclude(share, went_well);
	} else {
		report_result(share, went_well);
		status = await_end(share);
	}
	pass_end_on(share, status);
	return status;
}

static void
free_program(struct program *program)
{
	struct share *share = &program->share;

	team_end(&share->team);
	share_free_bytes(&share->base);
	share_free_bytes(&share->partial);
	name_list_free(&share->list);
	free(share->names);
	free(program->operands);
	command_free(&program->command);
	free(program->own.rest);
	words_free(&program->words);
}

int
main(int argc, char **argv)
{
	static struct program program;
	struct share *share = &program.share;
	int support, status;

	process_keep_no_large_arrays();
	process_occupy_standard_channels();
	MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &support);
	job_begin(&share->job);
	voice_open(&share->voice, &share->job);
	process_set_name(share->voice.name);
	process_expand_files(&program.words, argc, argv);
	process_set_signals();
	prepare_all(&program, program.words.count, program.words.list);
	if (program.status == GOES_ON) {
		job_form_groups(&share->job, program.own.node_local);
		team_begin(&share->team, &share->job, &share->voice);
		share->team.timeout = program.own.timeout;
		status = work(share, program.own.shows_progress);
	} else {
		status = program.status;
	}
	if (!voice_close(&share->voice) && status == 0)
		status = 1;
	job_end(&share->job);
	free_program(&program);
	return status;
}
