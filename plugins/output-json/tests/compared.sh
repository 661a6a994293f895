#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Comparisons are as their schema says, and have the figures that were put in: of one build and of two, of repeated
# runs, of stacks, normalized, and without errors. Takes about a second.
. "$GPROFX_SOURCE/plugins/output-json/tests/lib.sh"
need_jsonschema
schema=$GPROFX_SOURCE/plugins/output-json/gprofx-comparison.schema.json
python3 -c 'import comparedcases; comparedcases.write()' || fail 'no profiles were made'
printf 'main;work 300\n' >folded
printf 'main;work 500\n' >more

# compared NAME WORD...: the comparison of these words in NAME.json.
compared() {
	local name=$1
	shift
	expect_status 0 "$GPROFX" diff "$@" --no-findings "--output=json:$name.json"
	expect_empty out
	expect_undiagnosed
}
compared one program base after
compared shares --normalize=total program base after
compared each --normalize=calls program base after
compared builds --base-image=before then earlier later
compared runs before runs faster
compared stacks stacks slower
compared folded folded more
expect_valid ./*.json
# A report is none, and a comparison no report: readers that know one of them do not take the other.
expect_status 0 "$GPROFX" --output=json:report --no-findings program base
"$python" "$GPROFX_SOURCE/plugins/output-json/tests/check_report.py" "$schema" report 2>/dev/null &&
	fail 'a report is a comparison'

python3 - <<'END' || fail 'a figure is wrong'
import json
import math
import comparedcases as cases

def load(name):
    compared = json.load(open(name + '.json'))
    return compared, {row['name']: row for row in compared['functions']}

def near(a, b):
    return a is None and b is None or math.isclose(a, b, rel_tol=1e-12, abs_tol=1e-12)

one, rows = load('one')
assert one['format'] == {'name': 'gprofx-comparison', 'version': 1}
assert one['metric'] == {'name': 'time', 'unit': 'seconds'}
base, after = sum(cases.BASE.values()) / 100, sum(cases.AFTER.values()) / 100
assert one['base']['profile'] == 'base' and one['new']['profile'] == 'after' and one['base']['image'] == 'program'
assert (one['base']['runs'], one['base']['files']) == (1, 1)
assert near(one['base']['total'], base) and near(one['base']['matched_by_build'], base) and one['base']['unmatched'] == 0
assert near(one['new']['total'], after) and near(one['new']['matched_by_build'], after)
total = one['total']['self']
assert near(total['base'], base) and near(total['new'], after) and total['verdict'] == 'more' and total['p'] < 1e-9
assert near(total['standard_error'], math.sqrt((base + after) / 100)), total
summary = one['summary']
assert summary['sentence'].startswith('61.3 %') and 'one run on a side' in summary['caution'], summary
assert [summary[k] for k in ('less', 'more', 'none', 'untested')] == [1, len(rows) - 3, 2, 0], summary
assert summary['normalization'] == 'none' and summary['needed_for_percent'] > 1
known = [n for n in cases.NAMES if n != 'idle']
exact = {n.encode('latin-1').decode(): n for n in known}
assert set(rows) == set(exact), set(rows) ^ set(exact)
for shown, name in exact.items():
    row, (*wanted, verdict) = rows[shown], cases.figures(name)
    found = [row['self'][k] for k in ('base', 'new', 'difference', 'standard_error', 'ratio')]
    assert all(map(near, found, wanted)) and row['self']['verdict'] == verdict, (row, wanted)
    assert row['match'] == 'build' and row['base_name'] is None and row['raw_name'] == shown, row
work = rows['work']
assert (work['base_calls'], work['new_calls'], work['calls_verdict']) == (10, 20, 'more')
assert (work['source_file'], work['source_line']) == ('/src/prog.c', 12)
assert (rows['same']['base_calls'], rows['same']['calls_verdict']) == (3, 'none')
# Calls of an arc are those of its callee; what callees spent for all callers is what they have.
arcs = {(arc['caller_name'], arc['callee_name']): arc for arc in one['arcs']}
assert len(arcs) == len(one['arcs']) == 2
for side in 'base', 'new':
    for callee in {arc['callee'] for arc in one['arcs']}:
        row = one['functions'][callee]
        into = [arc for arc in one['arcs'] if arc['callee'] == callee]
        assert all(arc['callee_name'] == row['name'] for arc in into)
        assert sum(arc[side + '_calls'] for arc in into) == row[side + '_calls'], (row, into)
        assert near(sum(arc[side + '_total'] for arc in into), row['total'][side]), (row, into)
# Estimates are there, and not tested.
main = rows['main']['total']
assert (main['base'], main['new'], main['verdict'], main['p']) == (35, 20.1, 'untested', None), main

shares, rows = load('shares')
assert shares['summary']['normalization'] == 'total' and near(shares['base']['total'], base)
assert near(shares['total']['self']['base'], after) and near(rows['work']['self']['base'], 30 * after / base)
each, rows = load('each')
assert each['summary']['normalization'] == 'calls' and near(rows['work']['self']['base'], 60)
assert near(rows['work']['self']['ratio'], 0.25) and near(rows['same']['self']['base'], 5)

builds, rows = load('builds')
assert builds['base']['image'] == 'before' and builds['new']['image'] == 'then'
assert {n: rows[n]['match'] for n in rows} == {
    'main': 'name', 'leaf': 'name', 'renamed': 'renamed', 'added': 'only-new', 'gone': 'only-base'}, rows
assert rows['renamed']['base_name'] == 'called' and rows['leaf']['base_name'] is None
assert (builds['base']['matched_as_renamed'], builds['new']['matched_as_renamed']) == (1, 3)
assert (builds['base']['unmatched'], builds['new']['unmatched']) == (2, 2)
assert rows['gone']['self']['ratio'] == 0 and rows['added']['self']['ratio'] is None

runs, rows = load('runs')
assert (runs['base']['runs'], runs['base']['files'], runs['new']['runs']) == (5, 5, 5)
called = rows['called']
assert near(called['self']['base'], 4.08) and near(called['self']['new'], 2.92) and called['self']['verdict'] == 'less'
assert (called['base_calls'], called['calls_verdict']) == (50, 'none')

stacks, rows = load('stacks')
total = rows['main (p)']['total']
assert (total['base'], total['new'], total['verdict']) == (6, 8, 'more') and near(total['standard_error'], math.sqrt(.14)), total
assert rows['main (p)']['base_calls'] is None and rows['main (p)']['object'] == 'p'

folded, rows = load('folded')
assert folded['metric'] == {'name': 'samples', 'unit': 'samples'}
work = rows['work']['self']
assert (work['base'], work['new'], work['standard_error'], work['p'], work['verdict']) == (300, 500, None, None, 'untested')
assert folded['summary']['untested'] == len(rows) and folded['summary']['needed_for_percent'] is None
END
