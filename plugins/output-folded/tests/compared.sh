#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Two numbers for each stack of a comparison: those that folded stacks of either side alone would have.
. "$GPROFX_SOURCE/tests/cli/lib.sh"
need python3

# compared WORD...: the stacks of such a comparison, in ./both.
compared() {
	expect_status 0 "$GPROFX" diff --no-findings --output=folded:both "$@"
	expect_empty out
	! grep -vqE '^[^;]+(;[^;]+)* [0-9]+ [0-9]+$' both || fail 'a line is no stack with two numbers'
}

# expect_side COLUMN WORD...: the column is what such a report of the side alone has.
expect_side() {
	local column=$1
	shift
	expect_status 0 "$GPROFX" --no-findings --output=folded:alone "$@"
	awk -v at="$((2 - column))" '{ n = $(NF - at); sub(/ [0-9]+ [0-9]+$/, ""); if (n > 0) print $0, n }' both |
		LC_ALL=C sort >side
	expect_same <(LC_ALL=C sort alone) side
}

# Measured stacks: common ones, those of one side, a clone under another name, recursion, the kernel.
cat >base <<'END'
main;parse;read_word 120
main;parse 30
main;walk;walk;leaf 7
main;old_only;leaf 11
main;sort.constprop.0 40
main;io;sys_read_[k] 5
END
cat >new <<'END'
main;parse;read_word 80
main;walk;walk;leaf 9
main;walk;leaf 2
main;sort 44
main;io;sys_read_[k] 6
new_root;leaf 3
END
compared base new
cat >wanted <<'END'
main;io;sys_read_[k] 5 6
main;old_only;leaf 11 0
main;parse 30 0
main;parse;read_word 120 80
main;sort 40 44
main;walk;leaf 0 2
main;walk;walk;leaf 7 9
new_root;leaf 0 3
END
expect_same wanted <(LC_ALL=C sort both)
expect_side 2 new
sed -i 's/sort.constprop.0/sort/' base
compared base new
expect_side 1 base

# Folders of repeated runs: the means. Normalized: shares of both sides.
mkdir bases news
cp base bases/1
sed 's/[0-9]*$/0/; s/^main;parse 0/main;parse 10/' base >bases/2
cp new news/1
compared bases news
grep -qx 'main;parse 20 0' both && grep -qx 'main;old_only;leaf 6 0' both && grep -qx 'main;parse;read_word 60 80' both ||
	fail 'the means of two runs are others'
printf 'main;a 10\nmain;b 30\n' >base
printf 'main;a 60\nmain;b 20\n' >new
compared --normalize=total base new
expect_same <(printf 'main;a 20 60\nmain;b 60 20\n') <(LC_ALL=C sort both)

# The consumer: two columns are what the reader of folded stacks expects of a differential profile.
expect_status 0 "$GPROFX" --no-findings --output=folded:again --set=folded.unit=ticks both
[ "$(awk '{ s += $NF } END { print s }' again)" = 80 ] || fail 'the second number is not that of the new side'

# A profile without stacks: estimates, which say so; members of a cycle stand where it is called.
python3 - <<'END' || fail 'no profiles were made'
from profiled import Program
program = Program(['main', 'odd', 'even', 'leaf'])
open('prog', 'wb').write(program.bytes())
for name, odd in (('base.out', 100), ('new.out', 300)):
    arcs = [('main', 'odd', 2), ('odd', 'even', 9), ('even', 'odd', 9), ('even', 'leaf', 4)]
    open(name, 'wb').write(program.profile({'odd': odd, 'even': 50, 'leaf': 50, 'main': 10}, arcs).bytes())
END
compared prog base.out new.out
head='prog (gprof estimate, paths not measured)'
cat >wanted <<END
$head;main 100000 100000
$head;main;even 500000 500000
$head;main;even;leaf 500000 500000
$head;main;odd 1000000 3000000
END
expect_same wanted <(LC_ALL=C sort both)

# What is left out of both sides is in frames of their own, and no time is lost.
expect_status 0 "$GPROFX" diff --no-findings --set=report.contexts=2 --output=folded:both prog base.out new.out
[ "$(awk '{ b += $(NF - 1); n += $NF } END { print b, n }' both)" = '2100000 4100000' ] || fail 'time is lost'
grep -q 'too small to show' both || fail 'nothing stands for what was left out'
