/* SPDX-License-Identifier: Apache-2.0 */
/* Fields are what printf writes, and nothing is written beyond the room of a writer. */
#include "../../shared/export-rows.h"

/* After the plugin's header, since cmocka has a macro "fail". */
#include "testrun.h"

#include <inttypes.h>

enum { ROOM = 64, MARK = '#' };

/* A writer without a host: what does not fit is counted. */
struct sink {
	struct gprofx_writer writer; /* first */
	char bytes[2 * ROOM];
	size_t refused;
};

static void
refuse(struct gprofx_writer *writer, const void *bytes, size_t count)
{
	struct sink *sink = (struct sink *)writer;

	(void)bytes;
	sink->refused += count;
}

static const struct gprofx_writer_services services = {.size = sizeof services, .put = refuse};

static void
begin(struct sink *sink, size_t room)
{
	memset(sink->bytes, MARK, sizeof sink->bytes);
	sink->writer = (struct gprofx_writer){sink->bytes, sink->bytes + room, &services};
	sink->refused = 0;
}

static void
expect_bytes(const struct sink *sink, const char *text, size_t length)
{
	assert_int_equal(sink->writer.at - sink->bytes, length);
	assert_memory_equal(sink->bytes, text, length);
	for (const char *at = sink->writer.end; at < sink->bytes + sizeof sink->bytes; at++)
		assert_int_equal(*at, MARK);
}

static void
addresses_and_numbers(void **state)
{
	static const uint64_t values[] = {
		0, 1, 9, 10, 15, 16, 255, 256, UINT32_MAX, INT64_MAX, UINT64_MAX >> 4, UINT64_MAX};
	char expected[ROOM], found[ROOM];

	(void)state;
	for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
		sprintf(expected, "0x%" PRIx64, values[i]);
		*export_address(found, values[i]) = '\0';
		assert_string_equal(found, expected);
		sprintf(expected, "%" PRIu64, values[i]);
		*export_number(found, values[i]) = '\0';
		assert_string_equal(found, expected);
	}
}

/* Every byte at every place of texts of every length around words. */
static void
plain_texts(void **state)
{
	char text[ROOM];

	(void)state;
	for (size_t length = 0; length <= 20; length++) {
		memset(text, 'a', sizeof text);
		/* What stands behind is not looked at. */
		text[length] = '"';
		assert_true(export_is_plain(text, length));
		for (size_t at = 0; at < length; at++) {
			for (int byte = 0; byte < 256; byte++) {
				bool is_plain = byte >= ' ' && byte < 0x7f && byte != '"' &&
				                byte != '\\';

				text[at] = (char)byte;
				assert_int_equal(export_is_plain(text, length), is_plain);
			}
			text[at] = 'a';
		}
	}
}

static void
quoted_texts(void **state)
{
	struct sink sink;

	(void)state;
	begin(&sink, 5);
	assert_true(export_put_plain(&sink.writer, "abc", 3));
	expect_bytes(&sink, "\"abc\"", 5);
	begin(&sink, 4);
	assert_false(export_put_plain(&sink.writer, "abc", 3));
	expect_bytes(&sink, "", 0);
	begin(&sink, ROOM);
	assert_false(export_put_plain(&sink.writer, "a\"c", 3));
	expect_bytes(&sink, "", 0);
	assert_true(export_put_plain(&sink.writer, "", 0));
	expect_bytes(&sink, "\"\"", 2);
}

static void
short_texts(void **state)
{
	char text[2 * EXPORT_SHORT];
	struct sink sink;

	(void)state;
	memset(text, 'x', sizeof text);
	for (size_t length = 0; length <= EXPORT_SHORT + 1; length++) {
		begin(&sink, ROOM);
		export_put_short(&sink.writer, text, length);
		expect_bytes(&sink, text, length);
		/* Exactly as much room, and none. */
		begin(&sink, length);
		export_put_short(&sink.writer, text, length);
		expect_bytes(&sink, text, length);
		assert_int_equal(sink.refused, 0);
		begin(&sink, length > 0 ? length - 1 : 0);
		export_put_short(&sink.writer, text, length);
		assert_int_equal(sink.refused, length);
		expect_bytes(&sink, "", 0);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(addresses_and_numbers),
		cmocka_unit_test(plain_texts),
		cmocka_unit_test(quoted_texts),
		cmocka_unit_test(short_texts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
