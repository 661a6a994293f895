#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The picture of a comparison has the figures of the JSON report, colors what has a verdict and nothing else, marks
# estimates, and has broken lines around what one side has alone; Graphviz takes it. Takes about two seconds.
. "$GPROFX_SOURCE/tests/tools/compared.sh"
. "$GPROFX_SOURCE/plugins/output-dot/tests/lib.sh"
need python3
"$GPROFX" --list-plugins | grep -q '^output-json ' || skip 'output-json is not installed'
python3 -c 'import comparedcases; comparedcases.write(); comparedcases.write_cycles()' || fail 'no profiles were made'

# compared NAME WORD...: the picture, in ./graph and NAME.dot, and the JSON report of a comparison.
compared() {
	local name=$1
	compared_as dot "$@"
	expect_drawn "$name.dot"
	cp "$name.dot" graph
}
all='--set=dot.node=0 --set=dot.edge=0'
# shellcheck disable=SC2086
{
	compared one $all program base after
	compared shares $all --normalize=total program base after
	compared builds $all --base-image=before then earlier later
	compared runs $all before runs faster
	compared stacks $all stacks slower
	compared self $all --set=dot.by=self stacks slower
	compared equal $all program base base
}

cat >check.py <<'END_OF_CHECK'
import json
import re
import sys

HUES = {'more': '0.080', 'less': '0.600'}

def number(value):
    """A time as pictures show it."""
    if value is None:
        return '?'
    return '%.2f' % value if abs(value) >= 1 else '%.3g' % value

def sides(row, mark=''):
    return mark + number(row['base']) + ' → ' + mark + number(row['new']) + ' s'

def difference(row, mark=''):
    change = row['new'] - row['base']
    if row['verdict'] == 'none' or change == 0:
        return 'no difference shown'
    return mark + ('-' if change < 0 else '+') + number(abs(change)) + ' s' + (', not tested' if row['verdict'] == 'untested' else '')

def calls(row, report):
    runs = [report[side]['runs'] for side in ('base', 'new')]
    counts = [row['base_calls'], row['new_calls']]
    if not any(counts):
        return None
    return ' → '.join('?' if n is None else '%g' % (n / r) for n, r in zip(counts, runs)) + '×'

def unescaped(text):
    return re.sub(r'\\(.)', r'\1', text).replace('&amp;', '&')

for name in 'one', 'shares', 'builds', 'runs', 'stacks', 'self', 'equal':
    report = json.load(open(name + '.json'))
    estimated = any(f['total']['verdict'] == 'untested' for f in report['functions'])
    assert estimated == (name not in ('stacks', 'self'))
    mark = '~' if estimated else ''
    colored = 'self' if estimated or name == 'self' else 'total'
    boxes, arrows, ids = {}, {}, {}
    for line in open(name + '.dot', encoding='utf-8'):
        box = re.match(r'\t(n\d+) \[id="f\d+", label="((?:[^"\\]|\\.)*)"(.*)', line)
        arrow = re.match(r'\t(n\d+) -> (n\d+) \[label="([^"]*)"(.*)', line)
        if box:
            # A line end is \n, and a backslash of a name is two.
            first, *rest = re.split(r'(?<!\\)\\n', box[2].replace('\\\\', '\0'))
            ids[box[1]] = unescaped(first).replace('\0', '\\')
            boxes[ids[box[1]]] = rest, box[3]
        elif arrow:
            arrows[ids[arrow[1]], ids[arrow[2]]] = arrow[3], arrow[4]
    shown = {f['name']: f for f in report['functions']}
    assert set(boxes) == {n.encode('unicode_escape').decode().replace('\\xe9', 'é').replace('\\\\', '\\').replace('\\n', '\\x0a')
                          .replace('\\t', '\\x09').replace('\\r', '\\x0d') for n in shown}, (name, boxes.keys(), shown.keys())
    for function in report['functions']:
        if function['name'] not in boxes:
            continue
        label, rest = boxes[function['name']]
        wanted = [sides(function['total'], mark), difference(function['total'], mark),
                  '(%s, %s)' % (sides(function['self']), difference(function['self'])), calls(function, report)]
        assert label == [line for line in wanted if line], (name, label, wanted)
        verdict = function[colored]['verdict']
        assert ('fillcolor="%s ' % HUES[verdict] if verdict in HUES else 'fillcolor="#f0f0f0"') in rest, (verdict, rest)
        assert ('dashed' in rest) == (function['match'] in ('only-base', 'only-new')), rest
        was = function['base_name']
        assert ('in the base: %s\\n' % was in rest) if was else 'in the base:' not in rest, rest
    assert len(arrows) == len(report['arcs'])
    for arc in report['arcs']:
        label, rest = arrows[arc['caller_name'], arc['callee_name']]
        wanted = [sides({'base': arc['base_total'], 'new': arc['new_total']}, mark), calls(arc, report)]
        assert label == '\\n'.join(line for line in wanted if line), (name, label, wanted)
        assert ('style=dashed' in rest) == (0 in (arc['base_calls'], arc['new_calls'])), rest
        # No arrow is tested.
        assert 'color="#606060"' in rest and 'not tested' in rest, rest
    text = open(name + '.dot', encoding='utf-8').read()
    assert ('Total times and times of calls are estimates.' in text) == estimated
    assert 'Colors: %s value' % colored in text

# Of equal profiles, nothing has a color or a difference.
assert not re.search(r'fillcolor="0|[+-]\d', re.sub(r'95 % interval[^:]*:', '', open('equal.dot').read().split('\tn0', 1)[1]))
assert {'more', 'none'} == {f['total']['verdict'] for f in json.load(open('stacks.json'))['functions']}
END_OF_CHECK
python3 check.py || fail 'the picture shows something else'
expect_in one.dot 'label="program: 61.3 % ± 5.1 % slower;\l'
expect_in shares.dot '\lIn this picture, values of the base are multiplied so that the totals are equal.\l'

# What is shown is chosen by the larger value: functions of one side that are light on the other stay.
compared light --set=dot.node=25 --base-image=before then earlier later
expect_same <(printf 'main\nleaf\nrenamed\n') <(sed -nE 's/^	n[0-9]+ \[.*label="([a-z]+).*/\1/p' graph)
compared light --set=dot.node=20 --base-image=before then earlier later
expect_match graph 'label="gone\\n'
expect_match graph 'label="added\\n'
compared light --set=dot.leaf=gone --set=dot.cluster=file --base-image=before then earlier later
expect_in graph '2 of 5 functions, 1 of 4 arcs shown'

# Calls within a cycle have no time, and stay; a side without calls is not one that never calls.
compared cycle prog cycle more
expect_match graph '^	n1 -> n2 \[label="9 → 11×", style=solid'
expect_match graph '^	n0 -> n1 \[label="~2.00 → ~4.00 s\\n2 → 2×"'
compared silent prog silent more
expect_match graph '^	n0 -> n1 \[label="\? → ~4.00 s\\n\? → 2×", style=solid'
expect_match graph 'label="odd\\n0.9 → 3.00 s\\n\+2.10 s\\n'
compared silent prog more silent
expect_match graph '^	n0 -> n1 \[label="~4.00 s → \?\\n2 → \?×", style=solid'

# With equal numbers of calls, arrows are multiplied as their callees.
compared calls --normalize=calls program base after
expect_match graph '^	n0 -> n1 \[label="~60.00 → ~15.00 s\\n10 → 20×"'
