#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The forms of an order: names, and what linkers take.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3

python3 - <<-'END' || fail 'cannot write the program'
	from profiled import Program
	program = Program(['main', 'hot', 'idle', 'hot.cold', 'odd*name', 'a b', '~same', '#x', 'rare.cold.1',
	                   'sampled', '~same'])
	open('program', 'wb').write(program.bytes())
	p = program.profile({'hot': 30, 'sampled': 2, 'rare.cold.1': 1},
	                    [('main', 'hot', 7), ('main', 'same', 3), ('hot', 'odd*name', 90),
	                     ('odd*name', 'a b', 80), ('a b', '#x', 70), ('main', 'idle', 0)])
	p.arc(program.base + 10 * program.step, program.base + 10 * program.step, 0)
	p.arc(program.at('hot') + 4, program.base + 10 * program.step, 1)
	open('gmon.out', 'wb').write(p.bytes())
END
cat >names <<'END'
main
hot
odd*name
a b
#x
same
same
idle
hot.cold
rare.cold.1
sampled
zz_end
END
expect_status 0 "$GPROFX" --correct=none -r program
sort out >sorted
sort names | diff - sorted || fail 'not every function once'
expect_status 0 "$GPROFX" -r program
cp out gnu
expect_status 0 "$GPROFX" -r --order-format=gnu program
expect_same gnu out
expect_status 0 "$GPROFX" --output=order:file program
expect_empty out
expect_same gnu file
expect_status 0 "$GPROFX" --output=order program
expect_same gnu out
# Behind other tables there is nothing between.
expect_status 0 "$GPROFX" -b -p program
cat out gnu >expected
expect_status 0 "$GPROFX" -b -r -p program
expect_same expected out

# For linkers: what did nothing is left out, names stand once.
expect_status 0 "$GPROFX" -r --order-format=lld program
sed '1{/^# .*--symbol-ordering-file/d}' out >lld
grep -vxF -e idle -e hot.cold -e zz_end -e 'a b' -e '#x' gnu | awk '!seen[$0]++' >expected
expect_same expected lld
expect_status 0 "$GPROFX" --output-option=order.format=gold --output=order:file program
expect_in file '--section-ordering-file'
expect_match file '^\.text\.hot\.main$'
expect_match file '^\.text\.odd\?name$'
expect_match file '^\.text\.a\?b$'
expect_match file '^\.text\.\?x$'
expect_match file '^\.text\.unlikely\.main$'
# A part of hot has the section that hot would have were it rarely used.
expect_not_in file .text.unlikely.hot
expect_match file '^\.text\.unlikely\.rare$'
expect_not_in file idle
[ "$(grep -c '^\.text\.same$' file)" -eq 1 ] || fail 'same is not there once'
expect_status 0 "$GPROFX" -r --order-format=ldscript program
sed -n 's/^\t\t\*(\(\.text\.[^ ]*\).*)$/\1/p' out >script
grep -E '^\.text\.(unlikely\.rare|[^.]*)$' file | grep -v 'unlikely\.[^r]' >expected
expect_same expected script
expect_match out '^INSERT BEFORE \.text;$'

# Files: scripts have them, the others their functions.
printf '%s\n' 'x.o:0 T sampled' 'x.o:0 t helper' 'lib/l.a:0 T main' '/abs/o+1.o:0 T hot' 'x.o:0 T twice' \
	'o d.o:0 T twice' >map
expect_status 0 "$GPROFX" -R map --order-format=ldscript program
grep -F '(.text .text.*)' out >patterns
printf '\t\t%s\n' 'lib/l.a:(.text .text.*)' '*/lib/l.a:(.text .text.*)' '/abs/o+1.o(.text .text.*)' \
	'x.o(.text .text.*)' '*/x.o(.text .text.*)' 'o?d.o(.text .text.*)' '*/o?d.o(.text .text.*)' >expected
expect_same expected patterns
expect_status 0 "$GPROFX" -R map --order-format=lld program
printf '%s\n' main hot sampled helper twice | diff - <(sed 1d out) || fail 'other functions'
expect_status 0 "$GPROFX" -R map --order-format=gold program
expect_match out '^\.text\.helper$'

# What is not known, or has nothing to be about, is reported.
expect_status 1 "$GPROFX" -r --order-format=mold program
expect_in err 'error[option.bad-value]'
expect_in err mold
expect_status 0 "$GPROFX" -p --order-format=lld program
expect_in err 'warning[option.unused]'
expect_status 2 "$GPROFX" -r --order-format= program
expect_in err 'error[usage.empty-value]'
expect_status 2 "$GPROFX" -r --order-format
expect_in err 'error[usage.missing-argument]'
