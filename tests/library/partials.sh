#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Profiles that are serialized in groups, merged and finished make the report of one analysis; what cannot be
# added is refused with a message. About 2 s.
. "$GPROFX_SOURCE/tests/library/lib.sh"
make_program
link_program partials "$GPROFX_SOURCE/examples/library/partials.c"
for i in 1 2 3 4 5; do
	cp gmon.out rank.$i
done

expect_status 0 ./partials write program all rank.*
expect_status 0 ./partials report program all
cp out whole
expect_in whole '5 files'
expect_in whole ' work'
expect_status 0 ./partials write program a rank.1 rank.2
expect_status 0 ./partials write program b rank.3
expect_status 0 ./partials write program c rank.4 rank.5
expect_status 0 ./partials merge program bc b c
expect_status 0 ./partials report program a bc
diff whole out >&2 || fail 'another report of groups'
expect_status 0 ./partials merge program abc a bc
cmp all abc >&2 || fail 'groups do not add up to the bytes of all'

printf x | dd of=bc bs=1 seek=80 conv=notrunc 2>dd.log
expect_status 1 ./partials report program a bc
expect_in err 'error: expected a partial profile as gprofx writes it, found one that was changed or cut (bc)'
expect_empty out
expect_status 1 ./partials report program rank.1
expect_in err 'error: expected a partial profile, found other bytes (rank.1)'
expect_status 1 ./partials write program none missing
[ ! -e none ] || fail 'a file was left behind'
expect_status 1 ./partials report "$GPROFX" a
expect_in err 'error: expected a partial profile of the same program'

# What a request lacks.
cat >bad.c <<'END'
#include <stdio.h>
#include <gprofx/gprofx.h>
static void tell(void *opaque, const struct gprofx_message *message)
{
	(void)opaque;
	printf("%s: %s\n", message->diagnostic->id, message->text);
}
int main(void)
{
	struct gprofx_bytes row = {.size = sizeof row}, junk = {.size = sizeof junk, .bytes = "junk", .length = 4};
	struct gprofx_request request = {.size = sizeof request, .image = "program", .tell = tell};
	int made = gprofx_serialize(&request) || gprofx_merge(&request, NULL, 0) || gprofx_finish(&request, &row, 1);

	made = made || gprofx_merge(&request, &junk, 1);
	request.base = &row;
	return made || gprofx_merge(&request, &row, 1);
}
END
link_program bad bad.c
expect_status 0 ./bad
[ "$(grep -c '^library.bad-request: ' out)" = 4 ] || fail 'not four messages'
expect_in out 'expected the bytes of a base in the request, found none'
expect_in out 'partial.expected: expected a partial profile, found other bytes'
