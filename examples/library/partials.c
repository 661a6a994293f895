/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One report of profiles that several machines have, by libgprofx: each writes what it has read of
 * its own, and one adds that up.
 *
 *     cc -o partials partials.c $(pkg-config --cflags --libs gprofx)
 *     ./partials write PROGRAM FILE PROFILE...     on each machine, or in each task
 *     ./partials merge PROGRAM FILE PARTIAL...     maybe, of some of them
 *     ./partials report PROGRAM PARTIAL...         in the end
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gprofx/gprofx.h>

static void
tell(void *opaque, const struct gprofx_message *message)
{
	(void)opaque;
	fprintf(stderr, "%s: %s", message->severity == GPROFX_ERROR ? "error" : "warning",
	        message->text);
	if (message->diagnostic->file)
		fprintf(stderr, " (%s)", message->diagnostic->file);
	fputc('\n', stderr);
}

/* The whole file; NULL: it cannot be read. */
static char *
read_file(const char *name, size_t *length)
{
	FILE *file = fopen(name, "rb");
	char *bytes = NULL;
	size_t room = 0;

	*length = 0;
	for (size_t count = 1; file && count > 0; *length += count) {
		if (*length == room) {
			char *grown = realloc(bytes, room = 2 * room + 4096);

			if (!grown)
				break;
			bytes = grown;
		}
		count = fread(bytes + *length, 1, room - *length, file);
	}
	if (!file)
		perror(name);
	else
		fclose(file);
	return bytes;
}

static void
free_all(struct gprofx_bytes *rows, uint32_t count)
{
	for (uint32_t i = 0; rows && i < count; i++)
		free((void *)rows[i].bytes);
	free(rows);
}

/* The partial profiles of files; NULL: one cannot be read. */
static struct gprofx_bytes *
read_all(char **names, uint32_t count)
{
	struct gprofx_bytes *rows = calloc(count + 1, sizeof *rows);

	for (uint32_t i = 0; rows && i < count; i++) {
		size_t length;

		rows[i].size = sizeof *rows;
		rows[i].name = names[i];
		rows[i].bytes = read_file(names[i], &length);
		rows[i].length = length;
		if (!rows[i].bytes) {
			free_all(rows, i);
			return NULL;
		}
	}
	return rows;
}

static int
write_file(const char *name, struct gprofx_partial *partial)
{
	uint64_t length;
	const void *bytes = gprofx_partial_bytes(partial, &length);
	FILE *file = fopen(name, "wb");
	int failed = !file || fwrite(bytes, 1, length, file) != length;

	if (file && fclose(file) != 0)
		failed = 1;
	if (failed)
		perror(name);
	gprofx_partial_end(partial);
	return failed;
}

static int
print_report(struct gprofx_analysis *analysis)
{
	const struct gprofx_report *report = gprofx_analysis_report(analysis);

	for (uint32_t i = 0; i < report->graph->flat_count; i++) {
		uint32_t function = report->graph->flat[i];
		struct gprofx_text name = report->services->name(report, function);

		printf("%10.2f %.*s\n", gprofx_self_of(report, function), (int)name.length,
		       name.bytes);
	}
	printf("%u files\n", report->files->count);
	gprofx_analysis_end(analysis);
	return 0;
}

int
main(int argc, char **argv)
{
	const char *what = argc > 4 || (argc > 3 && strcmp(argv[1], "report") == 0) ? argv[1] : "";
	struct gprofx_request request = {
		.size = sizeof request,
		.image = argc > 2 ? argv[2] : NULL,
		.parts = GPROFX_PART_FLAT | GPROFX_PART_GRAPH | GPROFX_PART_FILES,
		.tell = tell,
	};
	int first = strcmp(what, "report") == 0 ? 3 : 4;
	uint32_t count = (uint32_t)(argc - first);
	struct gprofx_bytes *rows = NULL;
	struct gprofx_partial *partial;
	struct gprofx_analysis *analysis;

	if (strcmp(what, "write") == 0) {
		request.profiles = (const char *const *)argv + 4;
		request.profile_count = count;
		partial = gprofx_serialize(&request);
		return !partial || write_file(argv[3], partial);
	}
	if (strcmp(what, "merge") != 0 && strcmp(what, "report") != 0) {
		fputs("partials write|merge|report PROGRAM [FILE] ...\n", stderr);
		return 2;
	}
	rows = read_all(argv + first, count);
	if (!rows)
		return 1;
	if (strcmp(what, "merge") == 0) {
		partial = gprofx_merge(&request, rows, count);
		free_all(rows, count);
		return !partial || write_file(argv[3], partial);
	}
	analysis = gprofx_finish(&request, rows, count);
	free_all(rows, count);
	return !analysis || print_report(analysis);
}
