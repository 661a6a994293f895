#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A parser of CSV finds the figures of the flat profile, whatever names there are, with arcs, without
# them, and without samples; several outputs stand beside each other.
. "$GPROFX_SOURCE/tests/cli/lib.sh"
need python3

python3 - <<'END' || fail 'no profile was made'
from profiled import Program
program = Program(['main', '=cmd|x', 'two\nlines', 'say "hi", twice', '\xff\xfe', 'x' * 100000])
open('image', 'wb').write(program.bytes())
samples = {n: i + 1 for i, n in enumerate(program.names[:6])}
arcs = [('main', n, 3) for n in program.names[1:6]]
open('whole', 'wb').write(program.profile(samples, arcs).bytes())
open('samples', 'wb').write(program.profile(samples).bytes())
open('arcs', 'wb').write(program.profile(None, arcs).bytes())
open('nothing', 'wb').write(program.empty().bytes())
END
for name in whole samples arcs nothing; do
	expect_status 0 "$GPROFX" --output=csv:$name.csv --output=csv:again.csv image $name
	expect_empty out
	expect_undiagnosed
	expect_same $name.csv again.csv
done
python3 - <<'END' || fail 'a parser finds something else'
import csv

def load(name):
    text = open(name + '.csv', newline='', encoding='utf-8').read()
    assert text.endswith('\r\n')
    rows = list(csv.reader(text.splitlines(keepends=True), strict=True))
    assert len({len(row) for row in rows}) == 1, 'rows of different lengths'
    return {row[0]: dict(zip(rows[0], row)) for row in rows[1:]}

whole = load('whole')
assert list(whole) == ['x' * 100000, '\\xff\\xfe', 'say "hi", twice', 'two\nlines', "'=cmd|x", 'main']
assert whole['two\nlines']['self_seconds'] == '0.03' and whole['two\nlines']['calls'] == '3'
assert whole['two\nlines']['self_seconds_per_call'] == '0.01'
assert whole['main']['cumulative_seconds'] == whole['main']['total_seconds'] == '0.21'
assert whole['main']['self_seconds_per_call'] == ''
assert load('samples')['main']['total_seconds'] == '' and len(load('samples')) == 6
assert load('arcs')["'=cmd|x"]['self_seconds'] == '' and len(load('arcs')) == 5
arcs = load('arcs')["'=cmd|x"]
assert arcs['self_ticks'] == arcs['total_ticks'] == arcs['total_seconds'] == '', arcs
assert load('nothing') == {}
END

[ -w /dev/full ] || exit 0
expect_status 1 "$GPROFX" --output=csv:/dev/full image whole
expect_match err 'error\[output\.write-failed\]: /dev/full: .*No space left on device'
