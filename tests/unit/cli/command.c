/* SPDX-License-Identifier: Apache-2.0 */
/* Command lines to settings of the engine. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "command.h"
#include "compat.h"

enum { WORDS_AT_MOST = 16 };

struct line {
	char *words[WORDS_AT_MOST + 2], *text;
	struct console console;
	struct command command;
	int status;
};

/* Parses a line of words with blanks between them. */
static const struct engine_settings *
parse(struct line *line, bool gnu_mode, const char *text)
{
	int argc = 1;
	char *rest, *word;

	line->text = strdup(text);
	line->words[0] = (char *)"gprofx";
	for (word = strtok_r(line->text, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
		assert_true(argc <= WORDS_AT_MOST);
		line->words[argc++] = word;
	}
	line->words[argc] = NULL;
	console_open(&line->console, "gprofx");
	line->console.gnu_mode = gnu_mode;
	line->status = command_parse(&line->command, &line->console, gnu_mode, argc, line->words);
	return &line->command.settings;
}

static void
end(struct line *line)
{
	command_free(&line->command);
	free(line->text);
}

/*
 * The symspecs that were given, in order, as "+p:foo" for an include and "-p:foo" for an exclude.
 */
static void
expect_specs(const char *options, const char *expected)
{
	static const char letters[] = {'g', 'a', 'f', 't', 'n', 'c'}; /* by enum engine_filter */
	struct line line;
	const struct engine_settings *settings = parse(&line, false, options);
	char found[512] = "";

	assert_int_equal(line.status, -1);
	assert_true(settings->symspec_count >= COMPAT_DEFAULT_SPECS);
	for (uint32_t i = 0; i < settings->symspec_count - COMPAT_DEFAULT_SPECS; i++) {
		const struct engine_symspec *spec = &settings->symspecs[i];
		size_t used = strlen(found);

		snprintf(found + used, sizeof found - used, "%s%c%c:%s", i > 0 ? " " : "",
		         spec->exclude ? '-' : '+', letters[spec->filter], spec->text);
	}
	assert_string_equal(found, expected);
	end(&line);
}

static void
options_fill_their_tables(void **state)
{
	(void)state;
	expect_specs("-pa -Pb -qc -Qd -Ce -Zf", "+f:a -f:b +g:c -g:d +c:e -c:f");
	expect_specs("-qa/b -Qc/d -k e/f -k g", "+a:a/b -a:c/d -a:e/f -a:g");
	expect_specs("-e a -E b -f c -F d -n e -N f", "-g:a -t:b -g:b +g:c +t:d +g:d +t:e -t:f");
	expect_specs("--=a --flat-profile= --no-graph=/", "-g:a +f: -a:/");
	expect_specs("-E a -E b -E c -E d -E e",
	             "-t:a -g:a -t:b -g:b -t:c -g:c -t:d -g:d -t:e -g:e");
	expect_specs("-p -P -q -Q -C -Z -B", "");
}

static void
collectors_are_left_out_last(void **state)
{
	struct line line;
	const struct engine_settings *settings = parse(&line, true, "-pmcount");
	uint32_t filters = 0, count = settings->symspec_count;

	(void)state;
	assert_int_equal(count, 1 + COMPAT_DEFAULT_SPECS);
	assert_int_equal(settings->collector_spec_count, COMPAT_DEFAULT_SPECS);
	for (uint32_t i = 1; i < count; i++) {
		assert_true(settings->symspecs[i].exclude);
		assert_ptr_equal(settings->symspecs[i].text, engine_collector_specs[i - 1].text);
		filters |= 1u << settings->symspecs[i].filter;
	}
	assert_int_equal(filters, 1u << ENGINE_FILTER_FLAT | 1u << ENGINE_FILTER_GRAPH |
	                                  1u << ENGINE_FILTER_TIME);
	end(&line);
}

static void
expect_listings(const char *options, uint32_t on, uint32_t named)
{
	struct line line;
	const struct engine_settings *settings = parse(&line, false, options);

	assert_int_equal(settings->listing_count, CLI_LISTING_COUNT);
	for (uint32_t i = 0; i < CLI_LISTING_COUNT; i++) {
		assert_int_equal(settings->listings[i].is_on, on >> i & 1);
		assert_int_equal(settings->listings[i].is_named, named >> i & 1);
	}
	assert_int_equal(engine_has_outputs(settings), on != 0);
	end(&line);
}

static void
listings_go_on_and_off(void **state)
{
	enum { F = CLI_LIST_FLAT, G = CLI_LIST_GRAPH, C = CLI_LIST_COUNTS, I = CLI_LIST_FILES };

	(void)state;
	expect_listings("-b -z -w5", 0, 0);
	expect_listings("-p -P", 0, F);
	expect_listings("-P -p", F, F);
	expect_listings("-Pfoo", F, F);
	expect_listings("-Q -Z", 0, G | C);
	expect_listings("-B", G, G);
	expect_listings("-i -P -Q", I, F | G | I);
	expect_listings("-p --file-info", F | I, F | I);
	expect_listings("-B -Q -C", C, G | C);
	expect_listings("-p -q -C -Zfoo -Qfoo", F | G | C, F | G | C);
	expect_listings("-e a -E b -f c -F d -n e -N f -k g/h", 0, 0);
}

static void
expect_demangling(const char *options, enum engine_demangling expected)
{
	struct line line;

	assert_int_equal(parse(&line, true, options)->demangling, expected);
	end(&line);
}

static void
a_style_outlives_no_demangle(void **state)
{
	(void)state;
	expect_demangling("", ENGINE_DEMANGLE_AUTO);
	expect_demangling("--no-demangle", ENGINE_DEMANGLE_NONE);
	expect_demangling("--demangle=java --no-demangle --demangle", ENGINE_DEMANGLE_JAVA);
	expect_demangling("--demangle=none --demangle", ENGINE_DEMANGLE_NONE);
	expect_demangling("--no-demangle --demangle=rust", ENGINE_DEMANGLE_RUST);
	expect_demangling("--demangle=gnat -T", ENGINE_DEMANGLE_NONE);
}

static void
expect_reader(bool gnu_mode, const char *options, const char *expected, const char *otherwise)
{
	struct line line;
	const struct engine_settings *settings = parse(&line, gnu_mode, options);

	assert_int_equal(line.status, -1);
	if (expected)
		assert_string_equal(settings->reader, expected);
	else
		assert_null(settings->reader);
	if (otherwise)
		assert_string_equal(settings->reader_otherwise, otherwise);
	else
		assert_null(settings->reader_otherwise);
	end(&line);
}

static void
the_first_letter_chooses_the_reader_of_gprof(void **state)
{
	(void)state;
	expect_reader(true, "-Om", "magic", NULL);
	expect_reader(true, "-O monkey", "magic", NULL);
	expect_reader(true, "-Obs", "bsd", NULL);
	expect_reader(true, "-O44", "4.4bsd", NULL);
	expect_reader(true, "-Opxx", "prof", NULL);
	expect_reader(true, "-Om -Oa", NULL, NULL);
}

static void
a_whole_name_goes_before_the_first_letter(void **state)
{
	(void)state;
	expect_reader(false, "-Om", "m", "magic");
	expect_reader(false, "-O monkey", "monkey", "magic");
	expect_reader(false, "-O perf", "perf", NULL);
	expect_reader(false, "-O prof", "prof", NULL);
	expect_reader(false, "-O 4.4", "4.4", "4.4bsd");
	expect_reader(false, "-Oxml", "xml", NULL);
	expect_reader(false, "-Oxml -Oau", "au", "auto");
	expect_reader(false, "-Oxml -Oauto", NULL, NULL);
}

static void
expect_trace(const char *options, uint32_t expected)
{
	struct line line;

	assert_int_equal(parse(&line, true, options)->trace_topics, expected);
	/* Each level is reported when it is met. */
	assert_true(line.console.used > 0);
	end(&line);
}

static void
topics_add_up(void **state)
{
	(void)state;
	expect_trace("-d", UINT32_MAX);
	expect_trace("-d4", 5);
	expect_trace("-d010", 11);
	expect_trace("-d0x10", 1);
	expect_trace("-d4 -d64x --debug=2", 0x47);
	expect_trace("--debug=", 1);
	expect_trace("-d-3", 0xfffffffd);
	expect_trace("-d99999999999", 0x4876e7ff);
}

/* The value of an option of emitters, or NULL. */
static const char *
emitter_option(const struct engine_settings *settings, const char *key)
{
	for (uint32_t i = 0; i < settings->emitter_option_count; i++)
		if (strcmp(settings->emitter_options[i].key, key) == 0)
			return settings->emitter_options[i].value;
	return NULL;
}

static void
expect_width(const char *options, const char *expected)
{
	struct line line;

	assert_string_equal(emitter_option(parse(&line, true, options), "width"), expected);
	end(&line);
}

static void
emitters_get_their_options(void **state)
{
	struct line line;
	const struct engine_settings *settings = parse(&line, true, "-b -T -w 99x");

	(void)state;
	assert_string_equal(emitter_option(settings, "explain"), "false");
	assert_string_equal(emitter_option(settings, "width"), "99");
	end(&line);
	settings = parse(&line, true, "-z");
	assert_int_equal(settings->emitter_option_count, 1);
	assert_string_equal(emitter_option(settings, "layout"), "gprof");
	end(&line);
	assert_int_equal(parse(&line, false, "-z")->emitter_option_count, 0);
	end(&line);
	expect_width("-w0", "1");
	expect_width("-w9 -w-7", "1");
	expect_width("-w abc", "1");
	expect_width("-w2147483647", "32767");
	expect_width("-w9999999999999999999999", "1");
	expect_width("-w1 --width=7", "7");
}

static void
files_have_defaults(void **state)
{
	struct line line;
	const struct engine_settings *settings = parse(&line, false, "-b");

	(void)state;
	assert_string_equal(settings->image, "a.out");
	assert_int_equal(settings->profile_count, 1);
	assert_string_equal(settings->profiles[0], "gmon.out");
	end(&line);
	settings = parse(&line, false, "- -b");
	assert_string_equal(settings->image, "-");
	assert_int_equal(settings->profile_count, 1);
	assert_string_equal(settings->profiles[0], "gmon.out");
	end(&line);
	settings = parse(&line, false, "one -b two --plugin x - -- -b");
	assert_string_equal(settings->image, "one");
	assert_int_equal(settings->profile_count, 3);
	assert_string_equal(settings->profiles[0], "two");
	assert_string_equal(settings->profiles[1], "-");
	assert_string_equal(settings->profiles[2], "-b");
	assert_int_equal(settings->plugin_count, 1);
	end(&line);
}

static void
paths_become_absolute(void **state)
{
	struct line line;
	const struct engine_settings *settings;
	char *here = getcwd(NULL, 0), expected[4096];

	(void)state;
	assert_non_null(here);
	setenv("GPROFX_PLUGIN_PATH", ":/c:d:/e:", 1);
	settings = parse(&line, false,
	                 "--plugin=./x.so --plugin y --plugin=/z.so --plugin-path=a "
	                 "--plugin-path .//b");
	unsetenv("GPROFX_PLUGIN_PATH");
	assert_int_equal(settings->plugin_count, 3);
	snprintf(expected, sizeof expected, "%s/x.so", here);
	assert_string_equal(settings->plugins[0], expected);
	assert_string_equal(settings->plugins[1], "y");
	assert_string_equal(settings->plugins[2], "/z.so");
	assert_int_equal(settings->plugin_folder_count, 5);
	snprintf(expected, sizeof expected, "%s/a", here);
	assert_string_equal(settings->plugin_folders[0], expected);
	assert_string_equal(settings->plugin_folders[2], "/c");
	/* What the environment names must be absolute. */
	assert_string_equal(settings->plugin_folders[3], "/e");
	for (uint32_t i = 0; i < 5; i++)
		assert_int_equal(settings->plugin_folders[i][0], '/');
	end(&line);
	free(here);
}

static void
outputs_are_split(void **state)
{
	struct line line;
	const struct engine_settings *settings = parse(&line, false,
	                                               "--output=flat --output x:a:b --output=y:-");

	(void)state;
	assert_int_equal(settings->output_count, 3);
	assert_string_equal(settings->outputs[0].format, "flat");
	assert_null(settings->outputs[0].file);
	assert_string_equal(settings->outputs[1].format, "x");
	assert_string_equal(settings->outputs[1].file, "a:b");
	assert_string_equal(settings->outputs[2].format, "y");
	assert_null(settings->outputs[2].file);
	end(&line);
}

static void
names_choose_the_mode(void **state)
{
	(void)state;
	assert_true(compat_is_gprof("gprof"));
	assert_true(compat_is_gprof("x86_64-linux-gnu-gprof"));
	assert_true(compat_is_gprof("-gprof"));
	assert_false(compat_is_gprof("gprofx"));
	assert_false(compat_is_gprof("mygprof"));
	assert_false(compat_is_gprof("gprof-2.40"));
	assert_false(compat_is_gprof(""));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(options_fill_their_tables),
		cmocka_unit_test(collectors_are_left_out_last),
		cmocka_unit_test(listings_go_on_and_off),
		cmocka_unit_test(a_style_outlives_no_demangle),
		cmocka_unit_test(the_first_letter_chooses_the_reader_of_gprof),
		cmocka_unit_test(a_whole_name_goes_before_the_first_letter),
		cmocka_unit_test(topics_add_up),
		cmocka_unit_test(emitters_get_their_options),
		cmocka_unit_test(files_have_defaults),
		cmocka_unit_test(paths_become_absolute),
		cmocka_unit_test(outputs_are_split),
		cmocka_unit_test(names_choose_the_mode),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
