#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# same-names: with -y, each source has a file of its own, whatever sources are called. The truth: a/part.c,
# b/part.c and c/part.c, and part.c-2, which would be annotated in a file with the number of the second.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3

mkdir a b c
python3 - <<'PROGRAM' || fail 'cannot write the profile'
from profiled import Program
where = {'main': 'main.c', 'first': 'a/part.c', 'second': 'b/part.c', 'third': 'c/part.c',
         'other': 'part.c-2'}
program = Program(where)
program.lines({name: [(0, 1, file)] for name, file in where.items()}, 'main.c', '.')
open('program', 'wb').write(program.bytes())
for name, file in where.items():
    open(file, 'w').write('source of %s\n' % name)
arcs = [('main', name, 1) for name in where if name != 'main']
open('gmon', 'wb').write(program.profile({'main': 1}, arcs).bytes())
PROGRAM

mkdir gnu own
(cd gnu && "$GPROFX" --gnu -I.. -b -A -y ../program ../gmon >out 2>err) || fail 'gprof: status'
[ "$(cd gnu && echo *-ann)" = 'part.c-2-ann part.c-ann' ] || fail "gprof: $(cd gnu && ls)"
grep -q 'source of first' gnu/part.c-ann || fail 'gprof: the last one, which stands first, is there'

(cd own && "$GPROFX" -I.. -b -A -y ../program ../gmon >out 2>err) || fail "status: $(cat own/err)"
[ "$(cd own && echo *-ann)" = 'main.c-ann part.c-2-ann part.c-3-ann part.c-4-ann part.c-ann' ] ||
	fail "$(cd own && ls)"
for name in main first second third other; do
	[ "$(cat own/*-ann | grep -c "source of $name")" = 1 ] || fail "$name is not there, or twice"
done
grep -q 'source of other' own/part.c-2-ann || fail 'part.c-2 has lost its name'
[ "$(grep -c 'warning\[source.same-name\]' own/err)" = 2 ] || fail 'two warnings were expected'
grep -q 'source.same-name\]: \./b/part\.c: .*part\.c-3-ann' own/err || fail 'the warning names the files'
rm own/*
(cd own && "$GPROFX" --correct=no-same-names -I.. -b -A -y ../program ../gmon >out 2>err)
[ "$(cd own && echo part*-ann)" = 'part.c-2-ann part.c-ann' ] || fail 'switched off'
! grep -q same-name own/err || fail 'switched off: a warning'
