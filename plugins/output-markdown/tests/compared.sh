#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A comparison in Markdown, rendered as GitHub does, has the figures that were put in, whatever the names of functions
# are. Takes about a second.
. "$GPROFX_SOURCE/plugins/output-markdown/tests/lib.sh"
python3 -c 'import comparedcases; comparedcases.write()' || fail 'no profiles were made'

markdown first diff program base after
markdown every diff program base after --output-option=markdown.all=true --output-option=markdown.top=0
markdown unused diff -z program base after --output-option=top=0
cmp -s every.md unused.md || fail '-z is something else than all=true'
markdown one diff program base after --output-option=markdown.top=25
markdown builds diff --base-image=before then earlier later
markdown runs diff before runs faster
markdown stacks diff stacks slower
markdown shares diff --normalize=total program base after
markdown each diff --normalize=calls program base after
markdown equal diff program base base
# Other outputs of the same comparison do not change it.
expect_status 0 "$GPROFX" diff program base after --no-findings --output=markdown --output=json:x.json --output=diff:x.txt
expect_same out first.md

python3 - <<'END' || fail 'something else is rendered'
import comparedcases as cases
from rendered import Rendered, table

WORDS = {'less': 'faster', 'more': 'slower', 'none': 'none shown'}
HEAD = ['function', 'base', 'new', 'difference', 'std error', 'ratio', 'verdict']

def expected(name):
    base, after, difference, error, ratio, verdict = cases.figures(name)
    return ['%.3f' % base, '%.3f' % after, '%+.3f' % difference, '%.3f' % error,
            '' if ratio is None else '%.3f' % ratio, WORDS[verdict]]

every = Rendered('every.md')
head, rows = table(every)
assert head == HEAD, head
wanted = {cases.shown(n): expected(n) for n in cases.NAMES if n not in ('idle',)}
assert rows == wanted, [(n, rows.get(n), wanted.get(n)) for n in wanted if rows.get(n) != wanted[n]] + list(rows)
assert len(every.tables) == 1, 'estimates are in a table'

# The largest differences, those with a verdict first; the sentence in front, the sides at the end.
first = Rendered('first.md')
head, rows = table(first)
different = [n for n in wanted if wanted[n][5] != 'none shown']
order = sorted(different, key=lambda n: -abs(float(wanted[n][2])))
assert list(rows) == order[:20] and rows == {n: wanted[n] for n in rows}, rows
text = open('first.md', encoding='utf-8').read()
assert text.startswith('**61.3 % \u00b1 ') and text.splitlines()[0].endswith('each side.**'), text
assert first.paragraphs[0].startswith('61.3 % \u00b1 ') and 'slower; 1 function faster' in first.paragraphs[0]
assert 'With one run on a side only the error of sampling is known' in first.paragraphs[1]
assert first.paragraphs[2] == 'Self time, in seconds:', first.paragraphs
assert first.paragraphs[3] == '%d more functions are not in this table.' % (len(different) - 20), first.paragraphs
assert first.paragraphs[4:] == ['Base: base of program, 61.760 seconds; new: after of program, 99.620 seconds.'], \
    first.paragraphs
assert Rendered('one.md').paragraphs[3] == '1 more function is not in this table.', Rendered('one.md').paragraphs

builds = Rendered('builds.md')
assert table(builds)[1] == {
    'renamed (was called)': ['1.000', '3.000', '+2.000', '0.200', '3.000', 'slower'],
    'added (only in the new profile)': ['0.000', '2.000', '+2.000', '0.141', '', 'only new'],
    'gone (only in the base)': ['2.000', '0.000', '-2.000', '0.141', '0.000', 'only base']}, builds.tables
assert builds.paragraphs[-1] == 'Base: earlier of before, 8.000 seconds; new: later of then, 10.000 seconds.'

runs = Rendered('runs.md')
assert runs.paragraphs[2] == 'Self time, in seconds, mean of the runs:', runs.paragraphs
[row] = table(runs)[1].values()
assert row[:3] == ['4.080', '2.920', '-1.160'] and row[5] == 'faster', row
assert runs.paragraphs[-1] == \
    'Base: runs of before, 5 runs of 9.020 seconds; new: faster of before, 5 runs of 7.860 seconds.'

# Inclusive values that stacks measured.
stacks = Rendered('stacks.md')
assert [p for p in stacks.paragraphs if p.endswith(':')] == ['Self cpu-clock, in seconds:', 'Total cpu-clock, in seconds:']
more = ['2.000', '4.000', '+2.000', '0.245', '2.000', 'slower']
assert table(stacks)[1] == {'deep (p)': more}
assert table(stacks, 1)[1] == {'deep (p)': more, 'middle (p)': more,
                               'main (p)': ['6.000', '8.000', '+2.000', '0.374', '1.333', 'slower']}, stacks.tables

assert Rendered('shares.md').paragraphs[-1].endswith('; values of the base are multiplied so that the totals are equal.')
assert Rendered('each.md').paragraphs[-1].endswith('multiplied so that the numbers of calls are equal.')
assert table(Rendered('each.md'))[1]['work'][:2] == ['60.000', '15.000']
equal = Rendered('equal.md')
assert equal.tables == [] and equal.paragraphs[0].startswith('No difference in the total'), equal.paragraphs
END
