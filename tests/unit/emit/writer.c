/* SPDX-License-Identifier: Apache-2.0 */
/* The writer: formatting, separators, files that appear whole or not at all. */
#include "testrun.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "emit/writer.h"

static void
test_numbers_and_padding(void **state)
{
	struct testrun *test = *state;
	struct writer *writer = writer_to_standard_output(&test->run);
	struct gprofx_writer *w = &writer->public;
	char expected[512];

	w->services->number(w, 42, 7);
	w->services->number(w, 42, -7);
	w->services->number(w, 12345678, 3);
	w->services->fixed(w, 3.14159, 8, 2);
	w->services->fixed(w, 1e300, 4, 1);
	w->services->format(w, "%s:%d", "x", 5);
	gprofx_blanks(w, 70);
	gprofx_putc(w, '|');
	assert_int_equal(writer_close(&test->run, writer, true), GPROFX_OK);
	snprintf(expected, sizeof expected, "     4242     12345678    3.14%4.1fx:5%70s|", 1e300,
	         "");
	assert_string_equal(test->output, expected);
}

static void
test_long_blocks_pass_whole(void **state)
{
	struct testrun *test = *state;
	struct writer *writer = writer_to_standard_output(&test->run);
	static char block[40000];

	memset(block, 'a', sizeof block);
	gprofx_puts(&writer->public, "first\n");
	gprofx_put(&writer->public, block, sizeof block);
	gprofx_puts(&writer->public, "last\n");
	assert_int_equal(writer_close(&test->run, writer, true), GPROFX_OK);
	assert_int_equal(test->output_length, 6 + sizeof block + 5);
	assert_memory_equal(test->output + 6 + sizeof block, "last\n", 5);
}

static void
test_separator_stands_between_listings(void **state)
{
	struct testrun *test = *state;
	struct writer *writer = writer_to_standard_output(&test->run);
	struct gprofx_writer *w = &writer->public;

	w->services->separator(w);
	gprofx_puts(w, "a\n");
	w->services->separator(w);
	gprofx_puts(w, "b\n");
	assert_int_equal(writer_close(&test->run, writer, true), GPROFX_OK);
	assert_string_equal(test->output, "a\n\f\nb\n");
}

static void
test_first_failure_is_told(void **state)
{
	struct testrun *test = *state;
	struct writer *writer = writer_to_standard_output(&test->run);

	test->write_error = ENOSPC;
	gprofx_puts(&writer->public, "lost");
	assert_int_equal(writer_close(&test->run, writer, true), GPROFX_FAILED);
	assert_string_equal(test->last_id, "output.write-failed");
}

static void
test_file_appears_only_when_whole(void **state)
{
	struct testrun *test = *state;
	char folder[] = "/tmp/gprofx-writer-XXXXXX", name[64];
	struct writer *writer;
	struct stat status;
	FILE *file;

	assert_non_null(mkdtemp(folder));
	snprintf(name, sizeof name, "%s/report", folder);
	file = fopen(name, "w");
	assert_non_null(file);
	fputs("old", file);
	fclose(file);

	/* Given up: the old file stays, nothing else is left. */
	writer = writer_to_file(&test->run, name, "output.write-failed");
	assert_non_null(writer);
	gprofx_puts(&writer->public, "half");
	writer_close(&test->run, writer, false);
	assert_int_equal(stat(name, &status), 0);
	assert_int_equal(status.st_size, 3);

	/* A run that ends in the middle leaves no half file either. */
	writer = writer_to_file(&test->run, name, "output.write-failed");
	assert_non_null(writer);
	assert_int_equal(access(writer->temporary, F_OK), 0);
	snprintf(test->output, sizeof test->output, "%s", writer->temporary);
	close(writer->descriptor);
	run_finish(&test->run);
	run_start(&test->run, &test->settings, &test->frontend);
	assert_int_not_equal(access(test->output, F_OK), 0);

	writer = writer_to_file(&test->run, name, "output.write-failed");
	assert_non_null(writer);
	gprofx_puts(&writer->public, "whole");
	assert_int_equal(writer_close(&test->run, writer, true), GPROFX_OK);
	assert_int_equal(stat(name, &status), 0);
	assert_int_equal(status.st_size, 5);
	assert_int_equal(unlink(name), 0);
	assert_int_equal(rmdir(folder), 0);
}

static void
fill_file(const char *name, const char *content, mode_t mode)
{
	FILE *file = fopen(name, "w");

	assert_non_null(file);
	fputs(content, file);
	fclose(file);
	assert_int_equal(chmod(name, mode), 0);
}

/* Writes through a link: the file behind it changes, the link and the permissions stay. */
static void
test_links_and_permissions_stay(void **state)
{
	struct testrun *test = *state;
	char folder[] = "/tmp/gprofx-writer-XXXXXX", name[64], link[64];
	struct writer *writer;
	struct stat status;

	assert_non_null(mkdtemp(folder));
	snprintf(name, sizeof name, "%s/report", folder);
	snprintf(link, sizeof link, "%s/link", folder);
	fill_file(name, "old", 0640);
	assert_int_equal(symlink("report", link), 0);
	writer = writer_to_file(&test->run, link, "output.write-failed");
	assert_non_null(writer);
	gprofx_puts(&writer->public, "whole");
	assert_int_equal(writer_close(&test->run, writer, true), GPROFX_OK);
	assert_int_equal(lstat(link, &status), 0);
	assert_true(S_ISLNK(status.st_mode));
	assert_int_equal(lstat(name, &status), 0);
	assert_int_equal(status.st_size, 5);
	assert_int_equal(status.st_mode & 0777, 0640);

	/* A file that must not be written to is not replaced either. */
	if (geteuid() != 0) {
		assert_int_equal(chmod(name, 0400), 0);
		assert_null(writer_to_file(&test->run, name, "output.write-failed"));
		assert_string_equal(test->last_id, "output.write-failed");
	}
	assert_int_equal(unlink(link), 0);
	assert_int_equal(unlink(name), 0);
	assert_int_equal(rmdir(folder), 0);
}

static enum gprofx_result
refuse_input(struct run *run, const void *context, const char *name)
{
	const struct gprofx_diagnostic diagnostic = {.id = "output.same-file", .file = name};

	return strstr(name, context) ? run_fail(run, &diagnostic, "refused") : GPROFX_OK;
}

static void
test_files_beside_the_report(void **state)
{
	struct testrun *test = *state;
	char folder[] = "/tmp/gprofx-writer-XXXXXX", name[64], input[64];
	struct writer *writer = writer_to_standard_output(&test->run);
	struct gprofx_writer *file;

	assert_non_null(mkdtemp(folder));
	snprintf(name, sizeof name, "%s/beside", folder);
	snprintf(input, sizeof input, "%s/input", folder);
	writer->check = refuse_input;
	writer->context = "input";
	test->run.unfinished = "another";
	file = writer->public.services->open(&writer->public, name);
	assert_non_null(file);
	gprofx_puts(file, "beside");
	gprofx_puts(&writer->public, "report");
	assert_int_not_equal(access(name, F_OK), 0);
	assert_int_equal(file->services->close(file, true), GPROFX_OK);
	assert_int_equal(access(name, F_OK), 0);
	assert_string_equal(test->run.unfinished, "another");
	test->run.unfinished = NULL;
	/* Not wanted, refused, impossible: warnings, which the emitter makes errors of. */
	unlink(name);
	file = writer->public.services->open(&writer->public, name);
	assert_int_equal(file->services->close(file, false), GPROFX_OK);
	assert_int_not_equal(access(name, F_OK), 0);
	assert_null(writer->public.services->open(&writer->public, input));
	assert_string_equal(test->last_id, "output.same-file");
	assert_null(writer->public.services->open(&writer->public, folder));
	assert_string_equal(test->last_id, "output.beside-failed");
	assert_int_equal(test->run.error_count, 0);
	assert_int_equal(writer_close(&test->run, writer, true), GPROFX_OK);
	assert_string_equal(test->output, "report");
	assert_int_equal(rmdir(folder), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TESTRUN(test_numbers_and_padding),
		TESTRUN(test_long_blocks_pass_whole),
		TESTRUN(test_separator_stands_between_listings),
		TESTRUN(test_first_failure_is_told),
		TESTRUN(test_file_appears_only_when_whole),
		TESTRUN(test_links_and_permissions_stay),
		TESTRUN(test_files_beside_the_report),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
