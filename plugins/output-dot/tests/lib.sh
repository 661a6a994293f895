# SPDX-License-Identifier: Apache-2.0
#
# Helpers for tests of pictures, on top of those in tests/cli/lib.sh.

# expect_drawn FILE: Graphviz draws the picture without a complaint, with as many boxes and arrows as it has.
expect_drawn() {
	command -v dot >/dev/null || return 0
	dot -Tsvg "$1" >svg 2>dot.err || fail 'dot refuses it'
	expect_empty dot.err
	[ "$(grep -c '<g id="f[0-9]*" class="node"' svg)" -eq "$(grep -cE '^	n[0-9]+ \[' "$1")" ] || fail 'boxes are missing'
	[ "$(grep -c ' class="edge"' svg)" -eq "$(grep -cE '^	n[0-9]+ -> ' "$1")" ] || fail 'arrows are missing'
}
