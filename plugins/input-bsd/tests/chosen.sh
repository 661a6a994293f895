#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# BSD profiles are found without -O, in every layout, by themselves and among others.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"

make_program
python3 - <<-'END' || fail 'cannot write the profiles'
	import struct
	from gmonfile import bsd_profile, layouts
	from profiled import Program
	program = Program(['main', 'work', 'idle'])
	low, high = program.base, program.end
	bins = program.bins({'main': 10, 'work': 30})
	arcs = [(low + 4, low + 256, 7)]
	for name, bits, order in layouts():
	    for kind, rate in (('old', None), ('new', 100)):
	        open('%s.%s' % (kind, name), 'wb').write(
	            bsd_profile(low, high, bins, arcs, bits, order, rate))
	    for width, code in ((1, 'b'), (2, 'h'), (4, 'i'), (8, 'q')):
	        for sign in 1, -1:
	            pointer = 'Q' if bits == 64 else 'I'
	            head = struct.pack(order + pointer * 2 + 'IIIi8x', low, high,
	                               (40 if bits == 64 else 32) + width * len(bins), 0x51879,
	                               100, sign * 8 * width)
	            data = head + struct.pack('%s%d%s' % (order, len(bins), code), *bins)
	            data += struct.pack(order + pointer * 3, *arcs[0])
	            open('free%d.%s' % (sign * width, name), 'wb').write(data)
END
expect_status 0 "$GPROFX" -b program gmon.out
expect_undiagnosed
cp out expected

for file in old.* new.* free*; do
	expect_status 0 "$GPROFX" -b program "$file"
	expect_same expected out
	grep -v other-layout err | grep warning && fail 'a warning about something else'
	case $file in
	*.64l) expect_undiagnosed ;;
	*) expect_in err 'warning[bsd.other-layout]' ;;
	esac
done
"$GPROFX" -b program - <new.64l >out || fail 'not read from standard input'
expect_same expected out
for file in old.64l new.64l; do
	for format in bsd b berkeley; do
		expect_status 0 "$GPROFX" -b -O $format program $file
		expect_same expected out
	done
	# A pipe will do, which GNU gprof does not accept (profile.cannot-seek).
	cat $file | "$GPROFX" -b program - >out || fail 'not read from a pipe'
	expect_same expected out
	cat $file | "$GPROFX" --gnu -b program - >out 2>err && fail 'read from a pipe in GNU mode'
	expect_same err <(echo '-: Illegal seek')
done
cat gmon.out | "$GPROFX" --gnu -b program - >out || fail 'a tagged file is not read from a pipe'

# Files of all kinds together, in any order, make one sum.
cp old.64l again.64l
expect_status 0 "$GPROFX" -b program gmon.out gmon.out gmon.out gmon.out
cp out expected
for files in 'old.64l new.64l gmon.out free-8.64l' 'gmon.out free4.64l new.64l old.64l' \
	'free8.64l old.64l again.64l gmon.out'; do
	# shellcheck disable=SC2086
	expect_status 0 "$GPROFX" -b program $files
	expect_same expected out
	expect_undiagnosed
done
