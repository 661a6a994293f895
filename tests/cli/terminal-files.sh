#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Files that are written from a terminal are those of a redirected run: as wide as any, with whole names.
. "$GPROFX_SOURCE/tests/cli/lib.sh"
need python3

python3 - <<'END' || fail 'nothing was made'
from profiled import Program
names = ['_ZN8geometry4mesh14TriangulationsIdE16insert_the_pointEd', 'a_function_with_quite_a_long_name_that_fits_no_line']
program = Program(['main'] + names)
open('wide', 'wb').write(program.bytes())
open('wide.out', 'wb').write(program.profile({name: 40 for name in names}, [('main', name, 9) for name in names]).bytes())
END
for format in counts info flat callgraph per-file top; do
	expect_status 0 "$GPROFX" --no-findings --output=$format wide wide.out
	cp out whole
	on_terminal 0 60x24 TERM=dumb -- "$GPROFX" --no-findings --output=$format:file wide wide.out
	expect_same whole file
done
# What is said about the output itself counts there, too, and what stands on the terminal fits it.
on_terminal 0 60x24 TERM=dumb -- "$GPROFX" --no-findings -b -p --output=flat:file --set=flat.names=last-components wide wide.out
expect_in file 'Triangulations::insert_the_point'
expect_not_in file 'geometry'
expect_match out '^ {4,}Triangulations::insert_the_point.?$'
