#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# plugin.bad-options: every row of a table of options is looked at when the plugin is opened, and the
# plugin, the option and what is wrong with it are reported.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"

# options NAME ROWS [MEMBERS]: a plugin with these rows, and other members of the descriptor.
options() {
	module "$1" <<-END
		#include "stub.h"
		struct options { bool flag; uint32_t word; int64_t number; const char *text;
			double real; struct gprofx_choices list; };
		static const char *const words[] = {"one", "two", NULL};
		#define AT(member) .offset = offsetof(struct options, member)
		static const struct gprofx_option table[] = { $2 };
		STUB_PLUGIN, GPROFX_OPTIONS(struct options, table), ${3-} };
	END
}

refuse() {
	options bad "$2" "${3-}"
	expect_refused ./bad.so plugin.bad-options "options of input-stub: $1"
	rm bad.so
}

flag='{.key = "flag", .type = GPROFX_BOOL, AT(flag), .initial = "true", .help = "h"}'
word='{.key = "word", .type = GPROFX_CHOICE, AT(word), .initial = "two", .choices = words}'
number='{.key = "number", .type = GPROFX_INT, AT(number), .initial = "-5", .minimum = -5, .maximum = 5}'
text='{.key = "text", .type = GPROFX_STRING, AT(text), .initial = ""}'
real='{.key = "real", .type = GPROFX_REAL, AT(real), .initial = "-.5", .minimum = -1, .maximum = 1}'
list='{.key = "list", .type = GPROFX_CHOICES, AT(list), .initial = "two,one", .choices = words}'
options good "$flag, $word, $number, $text, $real, $list"
expect_status 0 "$GPROFX" --plugin=./good.so --list-plugins
expect_empty err

refuse 'flag: it is listed twice' "$flag, $word, $flag"
refuse 'number: its value overlaps that of flag' "$flag, {.key = \"number\", .type = GPROFX_INT,
	.offset = 0, .initial = \"0\"}"
refuse 'word: its value overlaps that of number' "$number, {.key = \"word\", .type = GPROFX_CHOICE,
	.offset = offsetof(struct options, number) + 4, .initial = \"one\", .choices = words}"
refuse 'other: its value overlaps that of text' "$text, {.key = \"other\", .type = GPROFX_STRING,
	AT(text), .initial = \"\"}"
refuse 'a row has no key' '{.type = GPROFX_BOOL, .initial = "true"}'
refuse 'a row has no key' "$flag, {.key = \"\", .type = GPROFX_BOOL, .initial = \"true\"}"
refuse 'x: its type is not known' '{.key = "x", .initial = "true"}'
refuse 'x: its type is not known' '{.key = "x", .type = (enum gprofx_option_type)9, .initial = "1"}'
refuse 'x: its value lies outside the options struct' \
	'{.key = "x", .type = GPROFX_INT, .offset = sizeof(struct options), .initial = "0"}'
refuse 'x: its value lies outside the options struct' \
	'{.key = "x", .type = GPROFX_INT, .offset = sizeof(struct options) - 4, .initial = "0"}'
refuse 'x: its value lies outside the options struct' \
	'{.key = "x", .type = GPROFX_BOOL, .offset = UINT32_MAX, .initial = "true"}'
refuse 'x: its value is not aligned' '{.key = "x", .type = GPROFX_INT, .offset = 4, .initial = "0"}'
refuse 'x: it has no initial value' '{.key = "x", .type = GPROFX_BOOL, AT(flag)}'
refuse 'x: it has no choices' '{.key = "x", .type = GPROFX_CHOICE, AT(word), .initial = "one"}'
refuse 'x: it has no choices' '{.key = "x", .type = GPROFX_CHOICES, AT(list), .initial = "one"}'

refuse 'x: expected one of one, two, found "six"' \
	'{.key = "x", .type = GPROFX_CHOICE, AT(word), .initial = "six", .choices = words}'
refuse 'x: expected true or false' '{.key = "x", .type = GPROFX_BOOL, AT(flag), .initial = "yes"}'
refuse 'x: expected a whole number from 0 to 9, found "5 apples"' \
	'{.key = "x", .type = GPROFX_INT, AT(number), .initial = "5 apples", .maximum = 9}'
refuse 'x: expected a whole number' \
	'{.key = "x", .type = GPROFX_INT, AT(number), .initial = "99999999999999999999"}'
refuse 'x: expected a whole number from 0 to 5, found "6"' \
	'{.key = "x", .type = GPROFX_INT, AT(number), .initial = "6", .maximum = 5}'
for value in '' . - 1e0 0x1 nan inf '1 ' +1 1,0 1.0.0; do
	refuse 'x: expected a number' \
		"{.key = \"x\", .type = GPROFX_REAL, AT(real), .initial = \"$value\", .maximum = 9}"
done
for value in 1.01 -0.001 9999999999999999999999999999; do
	refuse 'x: expected a number from 0 to 1, found' \
		"{.key = \"x\", .type = GPROFX_REAL, AT(real), .initial = \"$value\", .maximum = 1}"
done
for value in '' six one, ,one one,,two tw one,TWO; do
	refuse 'x: expected some of one, two, each once, separated by commas' \
		"{.key = \"x\", .type = GPROFX_CHOICES, AT(list), .initial = \"$value\", .choices = words}"
done
refuse 'x: expected some of one, two, each once, separated by commas' \
	'{.key = "x", .type = GPROFX_CHOICES, AT(list), .initial = "one,two,one", .choices = words}'
refuse 'x: its value is not aligned' '{.key = "x", .type = GPROFX_CHOICES, .offset = 4, .initial = "one",
	.choices = words}'

refuse 'x: its minimum is above its maximum' \
	'{.key = "x", .type = GPROFX_INT, AT(number), .initial = "5", .minimum = 9, .maximum = 1}'
refuse 'x: its minimum is above its maximum' \
	'{.key = "x", .type = GPROFX_REAL, AT(real), .initial = "5", .minimum = 9, .maximum = 1}'

refuse "the sizes of the table are not valid" "$flag" '.options = NULL'
refuse "the sizes of the table are not valid" "$flag" '.option_size = 8'
refuse "the sizes of the table are not valid" "$flag" '.option_size = sizeof(struct gprofx_option) + 1'
refuse "the sizes of the table are not valid" "$flag" '.option_count = UINT32_MAX'
refuse "the sizes of the table are not valid" "$flag" '.options_size = UINT32_MAX'
