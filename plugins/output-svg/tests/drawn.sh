#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The picture is what dot makes of the graph, all of it or nothing, whatever dot does.
. "$GPROFX_SOURCE/tests/cli/lib.sh"

{
	printf 'main;a 5\nmain;b;a 3\nmain 2\nmain;say "x\\y";q\\N;<b>;&;]]>;\303\274 2\na\001b;\377 1\n'
	for i in {1..4000}; do printf 'main;wide_%d 1\n' "$i"; done
} >stacks
mkdir bin nothing

# as_dot WORDS: from now on, dot is this script.
as_dot() {
	printf '#!/bin/sh\n%s\n' "$1" >bin/dot
	chmod +x bin/dot
}

# expect_failure ID TEXT OPTION...: nothing is written, to a file or to standard output.
expect_failure() {
	local id=$1 text=$2
	shift 2
	for output in svg:picture svg; do
		expect_status 1 env PATH="$scratch/bin:$PATH" "$GPROFX" --no-findings --output=$output "$@" stacks
		expect_in err "error[$id]: $text"
		expect_empty out
		[ -z "$(find . -name 'picture*' -o -name '.gprofx*')" ] || fail 'a file was left behind'
	done
}

expect_status 1 env PATH="$scratch/nothing" "$GPROFX" --no-findings --output=svg:picture stacks
expect_in err 'error[svg.no-program]: dot, which draws the picture, is not installed'
expect_in err 'hint: install the package graphviz, or write --output=dot:FILE'
[ ! -e picture ] || fail 'a file was left behind'
printf 'no program' >bin/dot
chmod +x bin/dot
expect_failure svg.no-program 'cannot start dot, which draws the picture: '

as_dot 'cat >/dev/null; echo "first line" >&2; echo "second line" >&2; exit 3'
expect_failure svg.failed 'dot could not draw the picture: first line'
expect_not_in err 'second line'
as_dot 'cat >/dev/null; printf "\033[31mred\n" >&2; exit 1'
expect_failure svg.failed 'dot could not draw the picture: \x1b[31mred'
as_dot 'cat >/dev/null; echo "<svg>"; kill -9 $$'
expect_failure svg.failed 'dot could not draw the picture'
as_dot 'cat >/dev/null; echo "<svg>"'
expect_failure svg.failed 'dot could not draw the picture'
# It ends without having read a graph that no buffer holds.
as_dot 'exec <&-; exit 0'
expect_failure svg.failed 'dot could not draw the picture' --set=svg.most=5000 --set=svg.node=0
as_dot 'exec cat /dev/zero'
expect_failure svg.too-large 'the picture that dot draws is larger than 256 MiB'
as_dot 'exec sleep 100'
expect_failure svg.too-slow 'dot has not drawn the picture within 1 s' --set=svg.seconds=1
expect_failure dot.no-function 'no function with time or calls is called d' --set=svg.root=d

# What it says on the way does not matter, however much that is.
as_dot 'head -c 300000 /dev/zero >&2; cat >graph; echo "<svg></svg>"'
expect_status 0 env PATH="$scratch/bin:$PATH" "$GPROFX" --no-findings --output=svg stacks
expect_undiagnosed
expect_same out <(echo '<svg></svg>')
expect_status 0 "$GPROFX" --no-findings --output=dot stacks
expect_same out graph

# Without standard descriptors, and where nobody waits for children.
PATH="$scratch/bin:$PATH" "$GPROFX" --no-findings --output=svg:picture stacks <&- >&- 2>&- || fail 'the picture is not there'
expect_same picture <(echo '<svg></svg>')
rm picture
(trap '' CHLD PIPE && PATH="$scratch/bin:$PATH" "$GPROFX" --no-findings --output=svg:picture stacks 2>err) ||
	fail 'the picture is not there'
expect_same picture <(echo '<svg></svg>')

need dot
for options in '' '--set=svg.most=5 --set=svg.by=self'; do
	# shellcheck disable=SC2086
	expect_status 0 "$GPROFX" --no-findings --output=svg:picture $options stacks
	expect_undiagnosed
	# shellcheck disable=SC2086
	"$GPROFX" --no-findings --output=dot ${options//svg/dot} stacks | dot -Tsvg >expected || fail 'dot refuses it'
	expect_same picture expected
	# shellcheck disable=SC2086
	expect_status 0 "$GPROFX" --no-findings --output=svg $options stacks
	expect_same out expected
done
