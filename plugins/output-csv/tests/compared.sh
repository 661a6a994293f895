#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A parser of CSV finds the figures of comparisons that were put in, and those of JSON; other tables than those of functions,
# arcs and lines are refused. Takes about a second.
. "$GPROFX_SOURCE/tests/cli/lib.sh"
need python3
python3 -c 'import comparedcases; comparedcases.write()' || fail 'no profiles were made'
compared() {
	local name=$1
	shift
	expect_status 0 "$GPROFX" diff "$@" --no-findings --output=csv:$name.csv --output-option=csv.formulas=keep --output=json:$name.json
	expect_empty out
	expect_undiagnosed
}
compared one program base after
compared builds --base-image=before then earlier later
compared stacks stacks slower
expect_status 0 "$GPROFX" diff program base after --no-findings --output=csv:defused.csv
expect_status 0 "$GPROFX" diff program base after --no-findings --output=csv:arcs.csv --output-option=csv.table=arcs \
	--output-option=csv.formulas=keep
expect_status 1 "$GPROFX" diff program base after --output=csv:files.csv --output-option=csv.table=per-file
expect_in err 'error[diff.no-comparison]: '
[ ! -e files.csv ] || fail 'a file was written'

python3 - <<'END' || fail 'a parser finds something else'
import csv
import json
import math
import comparedcases as cases

def load(name):
    with open(name + '.csv', newline='', encoding='utf-8') as file:
        rows = list(csv.reader(file, strict=True))
    assert len({len(row) for row in rows}) == 1, 'rows of different lengths'
    return [dict(zip(rows[0], row)) for row in rows[1:]]

def number(text):
    return None if text == '' else float(text)

def in_csv(text):
    """Line ends are kept, other control characters are not."""
    return (text or '').replace('\t', '\\x09')

def near(a, b):
    return a is None and b is None or math.isclose(a, b, rel_tol=1e-12, abs_tol=1e-12)

rows = {row['raw_name']: row for row in load('one')}
for name in cases.NAMES:
    if name == 'idle':
        continue
    row, (*wanted, verdict) = rows[in_csv(name.encode('latin-1').decode())], cases.figures(name)
    found = [number(row['self_' + k]) for k in ('base', 'new', 'difference', 'error', 'ratio')]
    assert all(map(near, found, wanted)) and row['self_verdict'] == verdict, (row, wanted)
assert (rows['work']['base_calls'], rows['work']['new_calls'], rows['work']['calls_verdict']) == ('10', '20', 'more')
assert (rows['work']['source_file'], rows['work']['source_line']) == ('/src/prog.c', '12')
assert rows['main']['total_verdict'] == 'untested' and rows['main']['total_p'] == ''
assert "'=sum(a)" in {row['name'] for row in load('defused')}

# So are those of the table of arcs.
arcs = json.load(open('one.json'))['arcs']
table = load('arcs')
assert len(table) == len(arcs) == 2
for row, member in zip(table, arcs):
    assert (row['caller'], row['callee']) == (in_csv(member['caller_name']), in_csv(member['callee_name'])), (row, member)
    for key in ('base_calls', 'new_calls'):
        assert number(row[key]) == member[key], (key, row, member)
    base, new = number(row['total_base']), number(row['total_new'])
    assert near(base, member['base_total']) and near(new, member['new_total']), (row, member)
    assert near(number(row['total_difference']), new - base)
    assert near(number(row['total_ratio']), new / base if base else None)

# All columns are members of the JSON document, in the same order of rows.
for name in ('one', 'builds', 'stacks'):
    document = json.load(open(name + '.json'))['functions']
    table = load(name)
    assert len(table) == len(document)
    for row, member in zip(table, document):
        assert row['name'] == in_csv(member['name']) and row['match'] == member['match'], (row, member)
        for kind in ('self', 'total'):
            for key in ('base', 'new', 'difference', 'ratio', 'low', 'high', 'p'):
                assert number(row[kind + '_' + key]) == member[kind][key], (kind, key, row, member)
            assert number(row[kind + '_error']) == member[kind]['standard_error'], (row, member)
            assert row[kind + '_verdict'] == member[kind]['verdict'], (row, member)
        for key in ('base_calls', 'new_calls', 'source_line'):
            assert number(row[key]) == member[key], (key, row, member)
        for key in ('calls_verdict', 'base_name', 'raw_name', 'object', 'source_file'):
            assert row[key] == in_csv(member[key]), (key, row, member)
END
