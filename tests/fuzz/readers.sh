#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Every reader on damaged profiles: all beginnings of small files, and 100,000 seeded changes.
. "$GPROFX_SOURCE/tests/cli/lib.sh"
need python3
program=$GPROFX_BUILD/tests/programs/fuzz.readers
[ -x "$program" ] || skip 'the test program was not built'

PYTHONPATH=$PYTHONPATH:$GPROFX_SOURCE/tests/fuzz python3 -c 'import seeds; seeds.write(".")' ||
	fail 'cannot write the profiles'
expect_status 0 "$program" "$GPROFX_BUILD/lib/gprofx/1" 100000 ./*,*
expect_match out '^1[0-9]{5} inputs: [0-9]+ read, [0-9]+ refused$'
