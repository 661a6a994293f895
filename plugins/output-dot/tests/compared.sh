#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The picture of a comparison: both values in each box, colors by verdict, and that Graphviz takes it.
. "$GPROFX_SOURCE/tests/cli/lib.sh"
need python3
python3 -c 'import comparedcases; comparedcases.write()' || fail 'no profiles were made'

# drawn NAME WORD...: such a picture in NAME.dot, which Graphviz reads if it is there.
drawn() {
	local name=$1
	shift
	expect_status 0 "$GPROFX" diff --no-findings "--output=dot:$name.dot" "$@"
	expect_undiagnosed
	expect_empty out
	! command -v dot >/dev/null || dot -Tsvg -o "$name.svg" "$name.dot" 2>dot.err || fail "Graphviz: $(cat dot.err)"
}
drawn one --output-option=dot.node=0 --output-option=dot.edge=0 program base after
drawn builds --output-option=dot.node=0 --base-image=before then earlier later
drawn stacks stacks slower
drawn equal program base base

python3 - <<'END' || fail 'the picture is another one'
import re
import comparedcases as cases

def nodes(name):
    found = {}
    for line in open(name + '.dot', encoding='utf-8'):
        match = re.match(r'\tn\d+ \[id="f\d+", label="((?:[^"\\]|\\.)*)"(.*)tooltip=', line)
        if match:
            label = match[1].split('\\n')
            found[label[0]] = (label[1:], match[2])
    return found

one = nodes('one')
labels, look = one['work']
assert '(30.00 → 15.00 s, -15.00 s)' in labels and '10 → 20×' in labels, labels
assert 'fillcolor="0.600' in look, look
assert 'fillcolor="#f0f0f0"' in one['same'][1], one['same']
assert any('fillcolor="0.080' in look for _, look in one.values()), one
arcs = [line for line in open('one.dot', encoding='utf-8') if ' -> ' in line]
assert any('~30.00 → ~15.00 s\\n10 → 20×' in line for line in arcs), arcs
text = open('one.dot', encoding='utf-8').read()
assert '61.3 % ± 5.1 % slower;\\l' in text and 'estimates.' in text

builds = nodes('builds')
assert 'dashed' in builds['gone'][1] and 'dashed' in builds['added'][1] and 'dashed' not in builds['leaf'][1], builds

stacks = nodes('stacks')
labels, look = stacks['main (p)']
assert labels[0] == '6.00 → 8.00 s' and 'fillcolor="0.080' in look, (labels, look)
assert not any('×' in label for labels, _ in stacks.values() for label in labels), stacks
assert all('#f0f0f0' in look for _, look in nodes('equal').values())
END

# Thresholds are those of the heavier side; an option that names no function is refused.
expect_status 0 "$GPROFX" diff --no-findings --output=dot:few.dot --output-option=dot.most=2 program base after
[ "$(grep -c 'id="f' few.dot)" = 2 ] || fail 'there are not two functions'
expect_status 1 "$GPROFX" diff --no-findings --output=dot:none.dot --output-option=dot.root=nothing program base after
[ ! -e none.dot ] || fail 'a file was written'
