#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The page of a comparison has the figures of the JSON report, in its data and in its text, and nothing in it runs or is
# loaded, whatever names are. Takes about two seconds.
. "$GPROFX_SOURCE/tests/tools/compared.sh"
need python3
"$GPROFX" --list-plugins | grep -q '^output-json ' || skip 'output-json is not installed'

python3 -c 'import comparedcases; comparedcases.write()' || fail 'no profiles were made'
printf 'main;work 300\n' >folded
printf 'main;work 500\nmain;more 1\n' >more

# compared NAME WORD...: the page and the JSON report of a comparison.
compared() {
	compared_as html "$@"
}
compared one program base after
compared shares --normalize=total program base after
compared builds --base-image=before then earlier later
compared runs before runs faster
compared stacks stacks slower
compared folded folded more
compared equal program base base
mkdir 'at<' && cp base 'at</script><img src=x>' && cp after 'at</"&'
compared evil program 'at</script><img src=x>' 'at</"&'
compared unused -z program base after

cat >check.py <<'END'
import json
import math
import os
import sys
sys.path.insert(0, os.path.join(os.environ['GPROFX_SOURCE'], 'plugins', 'output-html', 'tests'))
import comparedcases as cases
import htmlpage

VERDICTS = ['untested', 'none', 'less', 'more']
MATCHES = {-1: 'only-base', 0: 'only-new', 1: 'build', 2: 'name', 3: 'plain-name', 4: 'renamed'}
ALLOWED = set('''html head meta title style body header h1 h2 p ol li a div section noscript table caption thead tbody tfoot tr
    th td script'''.split())

def near(a, b, what):
    assert (a is None and b is None) or math.isclose(a, b, rel_tol=1e-7, abs_tol=1e-9), (what, a, b)

def check_rows(data, report):
    """All figures of the rows."""
    rows, ticks = data['rows'], data['metric']['ticks'] or 1
    assert len(rows['node']) == len(report['functions']), (len(rows['node']), len(report['functions']))
    for i, function in enumerate(report['functions']):
        name = data['functions']['name'][rows['node'][i]]
        assert name == cases.shown(function['name']), (name, function['name'])
        assert MATCHES[rows['match'][i]] == function['match'], name
        was = rows['was'][i]
        assert (data['strings'][was] if was >= 0 else None) == function['base_name'], name
        for kind in 'self', 'total':
            for key, other in (('base', 'base'), ('new', 'new'), ('error', 'standard_error'), ('low', 'low'), ('high', 'high')):
                value = rows[kind][key][i]
                near(None if value is None else value / ticks, function[kind][other], (name, kind, key))
            assert VERDICTS[rows[kind]['verdict'][i]] == function[kind]['verdict'], name
        for side in 'base', 'new':
            calls = rows['calls'][side][i]
            assert (None if calls < 0 else calls) == function[side + '_calls'], name
        assert VERDICTS[rows['calls']['verdict'][i]] == function['calls_verdict'], name

def check_arcs(data, report):
    """Calls and values of all arcs."""
    names, arcs, ticks = data['functions']['name'], data['arcs'], data['metric']['ticks'] or 1
    callers = [caller for caller in range(len(names)) for _ in range(arcs['first'][caller], arcs['first'][caller + 1])]
    found = {(names[caller], names[callee]): i for i, (caller, callee) in enumerate(zip(callers, arcs['callee']))}
    assert len(found) == len(callers) == len(report['arcs']), (len(found), len(report['arcs']))
    for arc in report['arcs']:
        i = found[cases.shown(arc['caller_name']), cases.shown(arc['callee_name'])]
        for side in 'base', 'new':
            calls, total = arcs[side]['calls'][i], arcs[side]['total'][i]
            assert (None if calls < 0 else calls) == arc[side + '_calls'], arc
            near(None if total is None else total / ticks, arc[side + '_total'], arc)

def check_contexts(data):
    """Self values of all contexts are those of their functions; of measured ones, each is what its children and it have."""
    contexts = data['contexts']
    for side in 'base', 'new':
        column, sums = contexts[side], {}
        below = [0] * len(contexts['parent'])
        for i, parent in enumerate(contexts['parent']):
            assert parent < i
            node = contexts['node'][i]
            sums[node] = sums.get(node, 0) + column['self'][i]
            if parent >= 0:
                below[parent] += column['self'][i] + column['below'][i]
        if contexts['bounds'] != 0 or contexts['estimated']:
            continue
        for i, ticks in enumerate(below):
            near(ticks, column['below'][i], 'below')
        near(sum(column['self']), column['total'], 'total')
        for row, node in enumerate(data['rows']['node']):
            near(sums.get(node, 0), data['rows']['self'][side][row], 'self')

def load(name):
    page, data = htmlpage.read(name + '.html')
    report = json.load(open(name + '.json', encoding='utf-8'))
    raw = open(name + '.html', 'rb').read()
    assert not {tag for tag, _ in page.elements} - ALLOWED, page.elements
    assert raw.count(b'</script') == 2 and raw.count(b'<script') == 2, name
    assert data['kind'] == 'comparison' and data['format'] == 1
    check_rows(data, report)
    check_arcs(data, report)
    check_contexts(data)
    summary, title = report['summary'], '%s compared with %s' % (report['new']['profile'], report['base']['profile'])
    assert page.texts['h1'] == page.texts['title'] == title, page.texts['h1']
    assert page.texts['p'].startswith(summary['sentence'] + '.' + (summary['caution'] + '.' if summary['caution'] else '')), name
    for side, row in zip(('base', 'new'), page.rows[1:]):
        of = report[side]
        assert row[:4] == [side, of['profile'] + (' of ' + of['image'] if of['image'] else ''), str(of['runs']), str(of['files'])]
        assert math.isclose(float(row[4]), of['total'], rel_tol=1e-3), row
    return page, data, report

def table(page):
    """Rows of the table of functions: name to cells."""
    at = next(i for i, row in enumerate(page.rows) if row[-1:] == ['function'])
    return {row[-1]: row[:-1] for row in page.rows[at + 1:] if len(row) == 7}

one, data, report = load('one')
rows = table(one)
assert rows['work'] == ['30.000', '15.000', '-15.000', '0.671', '0.500', 'faster'], rows['work']
wanted = sorted(cases.shown(n) for n in cases.NAMES if cases.figures(n)[5] != 'none')
assert sorted(rows) == wanted, (sorted(rows), wanted)
assert one.texts['fifty'].endswith('2 without a difference in self values that can be shown\n'), one.texts['fifty']
assert 'same' not in rows and len(table(load('unused')[0])) == len(wanted) + 2

# Calls between functions, and their estimated times: of work on both sides.
def arc(data, caller, callee):
    names, arcs = data['functions']['name'], data['arcs']
    first = names.index(caller)
    for i in range(arcs['first'][first], arcs['first'][first + 1]):
        if names[arcs['callee'][i]] == callee:
            return [arcs[side][key][i] for side in ('base', 'new') for key in ('calls', 'total')]
    return None
assert arc(data, 'main', 'work') == [10, 3000, 20, 1500], arc(data, 'main', 'work')
assert data['estimatesTotals'] and data['contexts']['estimated'] and data['contexts']['new']['squares'] is None
assert 'were not tested.' in one.texts['method-total'] and 'at most %g in 100' % (100 * data['rowRate']) in one.texts['method-verdict']

builds, data, _ = load('builds')
assert {'renamed (was called)', 'added (only in the new profile)', 'gone (only in the base)'} == set(table(builds)), table(builds)
assert builds.rows[1][5:] == ['', '5.000 (62 %)', '', '1.000 (12 %)', '2.000 (25 %)'], builds.rows[1]
assert arc(data, 'main', 'gone') == [1, 200, 0, 0] and arc(data, 'main', 'renamed')[::2] == [5, 5]
runs, data, _ = load('runs')
assert data['base']['runs'] == 5 and 'the mean of the repeated runs' in runs.texts['method']
shares, data, _ = load('shares')
assert data['normalization'] == 'total' and 'so that the totals of both sides are equal' in shares.texts['method']

# Measured stacks: their errors are those of the samples, and squares of contexts make them.
stacks, data, report = load('stacks')
contexts, names = data['contexts'], data['functions']['name']
assert not contexts['estimated'] and not data['estimatesTotals']
main = [i for i, parent in enumerate(contexts['parent']) if parent < 0]
assert [names[contexts['node'][i]] for i in main] == ['main (p)'], main
error = math.sqrt(sum(contexts[side]['squares'][main[0]] for side in ('base', 'new')))
near(error, next(data['rows']['total']['error'][i] for i, n in enumerate(data['rows']['node']) if names[n] == 'main (p)'), 'error')

folded, data, _ = load('folded')
assert data['contexts']['new']['squares'] is None and data['metric']['unit'] == 'samples'
assert all(row[5] == 'not tested' and row[3] == '' for row in table(folded).values()), table(folded)
equal, data, _ = load('equal')
assert table(equal) == {}, table(equal)
load('evil')
END
python3 check.py || fail 'a figure is wrong'
