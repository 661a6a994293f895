#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# What a request may ask for: outputs, GNU gprof's figures, corrections, lines of source, files of
# settings, folders of plugins; requests of other sizes; requests that make no sense. The reports are those of
# the program.
. "$GPROFX_SOURCE/tests/library/lib.sh"
make_program
cat >request.c <<'END'
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gprofx/gprofx.h>

static void
tell(void *opaque, const struct gprofx_message *message)
{
	fprintf(opaque, "%s %s\n", message->severity == GPROFX_ERROR ? "error" : "warning",
	        message->diagnostic->id);
}

static int
to_standard_output(void *opaque, const void *bytes, size_t count)
{
	(void)opaque;
	return fwrite(bytes, 1, count, stdout) == count ? 0 : EIO;
}

static int
to_nowhere(void *opaque, const void *bytes, size_t count)
{
	(void)opaque;
	(void)bytes;
	(void)count;
	return ENOSPC;
}

int
main(int argc, char **argv)
{
	/* On the heap, so that nothing of it is there when the report is looked at. */
	char *image = strdup("program"), *profile = strdup("gmon.out");
	const char **profiles = malloc(2 * sizeof *profiles), *folder = "plugins", *plugin = "output-json";
	struct gprofx_request_output *output = malloc(sizeof *output);
	struct gprofx_request request = {
		.size = sizeof request, .image = image, .profiles = profiles, .profile_count = 1,
		.parts = GPROFX_PART_FLAT, .opaque = stderr, .tell = tell};
	struct gprofx_analysis *analysis;
	const struct gprofx_report *report;
	struct gprofx_text name;

	*profiles = profile;
	*output = (struct gprofx_request_output){.format = "flat"};
	for (int i = 1; i < argc; i++) {
		const char *word = argv[i];

		if (strncmp(word, "format=", 7) == 0) {
			output->format = word + 7;
			request.outputs = output;
			request.output_count = 1;
			request.write = to_standard_output;
		} else if (strncmp(word, "file=", 5) == 0)
			output->file = word + 5;
		else if (strncmp(word, "flags=", 6) == 0)
			request.flags = (uint32_t)atoi(word + 6);
		else if (strncmp(word, "parts=", 6) == 0)
			request.parts = (uint32_t)atoi(word + 6);
		else if (strncmp(word, "contexts=", 9) == 0)
			request.contexts = (uint32_t)atoi(word + 9);
		else if (strncmp(word, "slices=", 7) == 0)
			request.slices = (uint32_t)atoi(word + 7);
		else if (strncmp(word, "config=", 7) == 0)
			request.config = word + 7;
		else if (strncmp(word, "reader=", 7) == 0)
			request.reader = word + 7;
		else if (strcmp(word, "full") == 0)
			request.write = to_nowhere;
		else if (strcmp(word, "no-writer") == 0)
			request.write = NULL;
		else if (strcmp(word, "damaged") == 0) {
			profiles[1] = "damaged";
			request.profile_count = 2;
		} else if (strncmp(word, "stacks=", 7) == 0) {
			request.image = NULL;
			profiles[0] = word + 7;
		} else if (strcmp(word, "no-format") == 0)
			output->format = NULL;
		else if (strcmp(word, "relative-folder") == 0) {
			request.plugin_folders = &folder;
			request.plugin_folder_count = 1;
		} else if (strcmp(word, "plugin") == 0) {
			request.plugins = &plugin;
			request.plugin_count = 1;
		} else if (strcmp(word, "silent") == 0)
			request.tell = NULL;
		else if (strcmp(word, "first-release") == 0)
			request.size = offsetof(struct gprofx_request, config);
		else if (strcmp(word, "no-profile") == 0)
			profiles[0] = NULL;
		else if (strcmp(word, "no-plugin") == 0) {
			plugin = NULL;
			request.plugins = &plugin;
			request.plugin_count = 1;
		} else if (strcmp(word, "no-folder") == 0) {
			folder = NULL;
			request.plugin_folders = &folder;
			request.plugin_folder_count = 1;
		} else if (strcmp(word, "no-list") == 0)
			request.output_count = 3;
		else
			abort();
	}
	analysis = gprofx_analyse(&request);
	memset(image, '?', strlen(image));
	memset(profile, '?', strlen(profile));
	free(image);
	free(profile);
	free(profiles);
	free(output);
	if (!analysis)
		return 1;
	fflush(stdout);
	report = gprofx_analysis_report(analysis);
	assert(request.image ? strcmp(report->origin->image, "program") == 0 &&
	                               strcmp(report->origin->profiles[0], "gmon.out") == 0
	                     : !report->origin->image);
	assert(strcmp(report->origin->version, gprofx_version()) == 0);
	/* What was not asked for is not there. */
	assert(!report->source && !report->files && report->graph->index_count == 0);
	assert(!report->findings == !(request.flags & GPROFX_REQUEST_FINDINGS));
	assert(!report->contexts == !request.contexts);
	assert(!report->slices == !request.slices);
	if (report->contexts)
		fprintf(stderr, "%u contexts\n", report->contexts->count);
	name = report->services->name(report, report->graph->flat[0]);
	fprintf(stderr, "%.*s %g\n", (int)name.length, name.bytes, gprofx_self_of(report, report->graph->flat[0]));
	gprofx_analysis_end(analysis);
	gprofx_analysis_end(NULL);
	return 0;
}
END
link_program request request.c

# request STATUS LINES WORD...: runs it; the lines are what is reported and found.
request() {
	expect_status "$1" ./request "${@:3}"
	printf '%b' "$2" | diff - err >&2 || fail "told or found something else: ${*:3}"
}

request 0 'work 30\n'
expect_empty out
request 0 'work 30\n' parts=$((1 + 2))
request 1 'error library.bad-request\n' parts=$((1 << 21))
request 0 '2 contexts\nwork 30\n' contexts=1
request 1 'error report.lacks-contexts\n' contexts=2
request 1 'error library.bad-request\n' contexts=$((1 << 20))
request 0 'work 30\n' slices=7
request 1 'error library.bad-request\n' slices=$((1 << 20))
request 0 'work 30\n' flags=1
request 0 'work 30\n' format=json
cp out json
expect_status 0 "$GPROFX" --no-findings --output=json program gmon.out
diff out json >&2 || fail 'another report than that of the program'
request 0 'work 30\n' format=flat file=listing
expect_empty out
expect_status 0 "$GPROFX" --no-findings -p program gmon.out
diff out listing >&2 || fail 'another listing than that of the program'
request 0 'work 30\n' format=flat flags=1
cp out listing
expect_status 0 "$GPROFX" --no-findings --correct=none -p program gmon.out
diff out listing >&2 || fail 'another listing than that without corrections'

request 0 'work 30\n' reader=magic
request 1 'error reader.not-installed\n' reader=none
request 1 'error emitter.not-installed\n' format=none
request 1 'error output.write-failed\n' format=json full
request 1 'error output.same-file\n' format=json file=program
request 1 '' reader=none silent
printf 'outputs:\n  - format: json\n    file: of-settings\n' >settings.yaml
request 0 'work 30\n' config=settings.yaml
[ ! -e of-settings ] || fail 'an output of the settings was written'
printf 'none: 1\n' >settings.yaml
request 1 'error config.unknown-key\n' config=settings.yaml
request 0 'work 30\n' config=settings.yaml first-release

# A profile that cannot be read ends the analysis, or is left out; what a request says counts.
head -c 30 gmon.out >damaged
damage=$("$GPROFX" program damaged 2>&1 >/dev/null | sed -n 's/^gprofx: error\[\(.*\)\]: .*/\1/p')
[ -n "$damage" ] || fail 'the damaged profile is none'
request 1 "error $damage\n" damaged
request 0 "error $damage\nwork 30\n" damaged flags=64
printf 'profiles:\n  keep-going: false\n' >settings.yaml
request 0 "error $damage\nwork 30\n" damaged flags=64 config=settings.yaml
printf 'profiles:\n  keep-going: true\n' >settings.yaml
request 0 "error $damage\nwork 30\n" damaged config=settings.yaml

# A profile that names its functions itself needs no program.
printf 'main;work 3\nmain 2\n' >stacks
request 0 'work 3\n' stacks=stacks
request 1 'error profile.needs-program\n' stacks=gmon.out

for word in no-writer no-format relative-folder no-list no-profile no-plugin no-folder; do
	words=("$word")
	[[ $word = no-list ]] || words=(format=json "$word")
	request 1 'error library.bad-request\n' "${words[@]}"
done
