#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The heaviest functions in Markdown, rendered as GitHub does: the figures that were put in, with the columns that have
# any, and 300 names made of what Markdown acts on. Takes about a second.
. "$GPROFX_SOURCE/plugins/output-markdown/tests/lib.sh"
python3 - <<'END' || fail 'no profiles were made'
import json
import random
import comparedcases as cases
from profiled import Program
cases.write()
random.seed(1)
names = {''.join(random.choices('\\`|*_<>[]&#@~!-a:/.()$=;"\' \n', k=random.randint(1, 9))) for _ in range(300)}
odd = Program(['main'] + sorted(n for n in names if n[0] != '~'))
json.dump(odd.names[1:-1], open('names.json', 'w'))
open('odd', 'wb').write(odd.bytes())
open('odd.gmon', 'wb').write(odd.profile({n: 1 for n in odd.names[1:-1]}).bytes())
open('calls', 'wb').write(odd.profile(None, [('main', odd.names[1], 3)]).bytes())
open('nothing', 'wb').write(odd.empty().bytes())
unit = odd.profile({'main': 3}, unit=b'a|b\n`*c*`', letter=b'f')
open('unit', 'wb').write(unit.bytes())
END
markdown report program base
markdown whole program base --output-option=markdown.top=0
markdown odd odd odd.gmon --output-option=markdown.top=0
markdown raw odd odd.gmon --raw-bytes --output-option=markdown.top=0
markdown calls odd calls
markdown nothing odd nothing
markdown unit odd unit
markdown stacks stacks
printf 'main;ns::f(int,long) 3\n' >folded
markdown folded folded --output-option=markdown.names=no-arguments
markdown paths program base --set=report.full-paths=true

python3 - <<'END' || fail 'something else is rendered'
import json
import comparedcases as cases
from rendered import Rendered, table

odd_names = json.load(open('names.json'))
whole = Rendered('whole.md')
head, rows = table(whole)
assert head == ['function', '%', 'self', '~total', 'calls', 'place'], head
total = sum(cases.BASE.values())
assert whole.paragraphs == ['program: %.3f seconds of time' % (total / 100),
                            '~ estimated: the profile does not say how long each call took.'], whole.paragraphs
for name in cases.NAMES:
    if name not in ('idle', 'zero', 'main'):
        self = cases.BASE[name]
        assert rows.pop(cases.shown(name)) == [
            '%.1f' % (100 * self / total), '%.3f' % (self / 100), '%.3f' % (self / 100),
            {'work': '10', 'same': '3'}.get(name, '0'), 'prog.c:12' if name == 'work' else ''], name
assert rows == {}, rows
report = Rendered('report.md')
assert len(table(report)[1]) == 20 and list(table(report)[1])[:2] == ['work', 'same']
assert report.paragraphs[1].endswith(' more functions are not in this table.'), report.paragraphs

# Names are the same, those with line ends, too, which are shown as \xNN; blanks at the ends are kept.
names = {n.replace('\n', '\\x0a'): ['%.1f' % (100 / len(odd_names)), '0.010'] for n in odd_names}
for name in ('odd', 'raw'):
    head, rows = table(Rendered(name + '.md'))
    assert head == ['function', '%', 'self'], head
    assert rows == names, [set(rows) - set(names), set(names) - set(rows)]

head, rows = table(Rendered('calls.md'))
assert head == ['function', 'calls'] and rows == {odd_names[0].replace('\n', '\\x0a'): ['3']}, rows
nothing = Rendered('nothing.md')
assert nothing.tables == [] and nothing.paragraphs == ['No function has time or calls.']
unit = Rendered('unit.md')
assert unit.paragraphs == ['odd: 0.030 a|b?`*c*`'], unit.paragraphs
assert table(unit)[1] == {'main': ['100.0', '0.030']}

# Stacks measure totals, and count no calls.
stacks = Rendered('stacks.md')
assert stacks.paragraphs == ['stacks: 6.000 seconds of cpu-clock'], stacks.paragraphs
head, rows = table(stacks)
assert head == ['function', '%', 'self', 'total'], head
assert rows == {'flat (p)': ['66.7', '4.000', '4.000'], 'deep (p)': ['33.3', '2.000', '2.000'],
                'middle (p)': ['0.0', '0.000', '2.000'], 'main (p)': ['0.0', '0.000', '6.000']}, rows
assert 'ns::f' in table(Rendered('folded.md'))[1]
assert Rendered('folded.md').paragraphs == ['folded: 3 samples'], Rendered('folded.md').paragraphs
assert [row[-1] for row in table(Rendered('paths.md'))[1].values() if row[-1]] == ['/src/prog.c:12']
END
