/* SPDX-License-Identifier: Apache-2.0 */
/* The table of keys: each row is sane, acts on its own member, and leaves alone what was given. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "config/config.h"
#include "base/origins.h"
#include "config/keys.h"
#include "plugin/plugins.h"

/* Last, since it has a macro "fail". */
#include <cmocka.h>

struct taken {
	struct run run;
	struct engine_settings given, settings;
	struct engine_frontend frontend;
	struct config config;
	struct run_origins origins;
	uint32_t errors;
	char id[64];
};

static void
note(void *opaque, enum engine_severity severity, const struct gprofx_diagnostic *diagnostic,
     const char *message, const char *doing)
{
	struct taken *t = opaque;

	(void)message;
	(void)doing;
	assert_int_equal(severity, ENGINE_ERROR);
	assert_int_equal(diagnostic->place, GPROFX_AT_LINE);
	assert_string_equal(diagnostic->file, "folder/some.yaml");
	assert_non_null(diagnostic->hint);
	snprintf(t->id, sizeof t->id, "%s", diagnostic->id);
	t->errors++;
}

/* Takes a document with one value, below a key or, if section is not NULL, below two. */
static void
take(struct taken *t, uint64_t given, const char *section, const char *key, const char *value)
{
	static const struct config_source source = {.file = "folder/some.yaml"};
	struct gprofx_node nodes[3] = {{.kind = GPROFX_MAPPING, .first_child = 1, .line = 1}};
	struct gprofx_document document = {.nodes = nodes, .node_count = 2};
	uint32_t last = 1;

	if (section) {
		nodes[1] = (struct gprofx_node){.kind = GPROFX_MAPPING,
		                                .first_child = 2,
		                                .line = 2,
		                                .key_line = 2,
		                                .key = section};
		document.node_count = 3;
		last = 2;
	}
	nodes[last] = (struct gprofx_node){.kind = GPROFX_SCALAR,
	                                   .line = 3,
	                                   .key_line = 3,
	                                   .key = key,
	                                   .text = value};
	memset(t, 0, sizeof *t);
	t->frontend = (struct engine_frontend){.opaque = t, .diagnose = note};
	t->settings.given = given;
	t->given = t->settings;
	run_start(&t->run, &t->settings, &t->frontend);
	t->config = (struct config){.run = &t->run,
	                            .settings = &t->settings,
	                            .origins = &t->origins};
	config_take(&t->config, &source, &document);
}

/* A value that an option may have and that is not zero in the settings. */
static const char *
other_value(const struct gprofx_option *option)
{
	switch (option->type) {
	case GPROFX_BOOL:
		return "true";
	case GPROFX_INT:
		return "7";
	case GPROFX_STRING:
		return "text";
	case GPROFX_CHOICE:
		return option->choices[1];
	case GPROFX_REAL:
	case GPROFX_CHOICES:
		break; /* no key has these */
	}
	return NULL;
}

static void
each_row_is_sane(void **state)
{
	uint32_t count;
	const struct engine_key *keys = engine_keys(&count);

	(void)state;
	assert_true(count > 5);
	for (uint32_t i = 0; i < count; i++) {
		const struct gprofx_option *option = &keys[i].option;

		assert_true(strspn(option->key, "abcdefghijklmnopqrstuvwxyz-") ==
		            strlen(option->key));
		assert_non_null(option->help);
		assert_true(option->offset < sizeof(struct engine_settings));
		assert_int_equal(keys[i].setting, i + 1);
		for (uint32_t k = 0; k < i; k++) {
			assert_true(keys[k].option.offset != option->offset);
		}
	}
}

static void
each_row_acts_on_its_member(void **state)
{
	uint32_t count;
	const struct engine_key *keys = engine_keys(&count);

	(void)state;
	for (uint32_t i = 0; i < count; i++) {
		const struct gprofx_option *option = &keys[i].option;
		const unsigned char *member;
		struct taken t;

		take(&t, 0, keys[i].section, option->key, option->initial);
		assert_int_equal(t.errors, 0);
		run_finish(&t.run);
		take(&t, 0, keys[i].section, option->key, other_value(option));
		assert_int_equal(t.errors, 0);
		member = (const unsigned char *)&t.settings + option->offset;
		if (option->type == GPROFX_BOOL)
			assert_int_equal(*member, 1);
		else if (option->type == GPROFX_INT)
			assert_int_equal(*(const uint32_t *)(const void *)member, 7);
		else if (option->type == GPROFX_CHOICE)
			assert_int_equal(*(const uint32_t *)(const void *)member, 1);
		else
			assert_string_equal(*(const char *const *)(const void *)member, "text");
		run_finish(&t.run);
		/* What the front end was given stays. */
		take(&t, UINT64_C(1) << keys[i].setting, keys[i].section, option->key,
		     other_value(option));
		assert_int_equal(t.errors, 0);
		assert_memory_equal(&t.settings, &t.given, sizeof t.given);
		run_finish(&t.run);
		/* At another place the key is not known. */
		take(&t, 0, keys[i].section ? NULL : "symbols", option->key, option->initial);
		assert_string_equal(t.id, "config.unknown-key");
		run_finish(&t.run);
	}
}

/* What front ends begin with is what a file with the defaults says. */
static void
defaults_are_those_of_the_rows(void **state)
{
	uint32_t count;
	const struct engine_key *keys = engine_keys(&count);
	struct engine_settings settings;

	(void)state;
	memset(&settings, 0x55, sizeof settings);
	engine_set_defaults(&settings);
	for (uint32_t i = 0; i < count; i++) {
		size_t offset = keys[i].option.offset;
		bool is_truth = keys[i].option.type == GPROFX_BOOL;
		struct taken t;

		if (keys[i].option.type == GPROFX_STRING)
			continue;
		take(&t, 0, keys[i].section, keys[i].option.key, keys[i].option.initial);
		assert_memory_equal((unsigned char *)&settings + offset,
		                    (unsigned char *)&t.settings + offset,
		                    is_truth ? sizeof(bool) : sizeof(uint32_t));
		run_finish(&t.run);
	}
}

static void
numbers_stay_in_their_range(void **state)
{
	static const char *const bad[] = {"1025", "-1", "4294967296", "1e3", "", NULL};
	struct taken t;

	(void)state;
	for (uint32_t i = 0; bad[i]; i++) {
		take(&t, 0, NULL, "threads", bad[i]);
		assert_int_equal(t.errors, 1);
		assert_string_equal(t.id, "config.bad-value");
		assert_int_equal(t.settings.threads, 0);
		run_finish(&t.run);
	}
	take(&t, 0, NULL, "threads", "1024");
	assert_int_equal(t.settings.threads, 1024);
	run_finish(&t.run);
}

static void
the_reader_is_remembered_with_its_place(void **state)
{
	struct taken t;

	(void)state;
	take(&t, 0, NULL, "reader", "perf");
	assert_string_equal(t.settings.reader, "perf");
	t.run.origins = t.config.origins;
	assert_string_equal(run_origin(&t.run, ENGINE_SET_READER)->file, "folder/some.yaml");
	assert_int_equal(run_origin(&t.run, ENGINE_SET_READER)->line, 3);
	assert_null(run_origin(&t.run, ENGINE_SET_LABEL)->file);
	run_finish(&t.run);
	take(&t, 0, NULL, "reader", "auto");
	assert_null(t.settings.reader);
	run_finish(&t.run);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_row_is_sane),
		cmocka_unit_test(each_row_acts_on_its_member),
		cmocka_unit_test(defaults_are_those_of_the_rows),
		cmocka_unit_test(numbers_stay_in_their_range),
		cmocka_unit_test(the_reader_is_remembered_with_its_place),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
