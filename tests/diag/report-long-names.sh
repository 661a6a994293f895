#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# report.long-names: names of C++ that are short and stand for much text. Up to a bound they are demangled, beyond
# it shown as they are; a warning, once, and the same bytes for any number of threads.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"

python3 - <<-'END' || fail 'cannot write the files'
	from profiled import Program
	def bomb(i):
	    code = lambda k: 'S_' if k == 0 else 'S%s_' % '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'[k - 1]
	    return '_Z5f%04dP1a' % i + ''.join('PFv%s%sE' % (code(k), code(k)) for k in range(1, 29, 2))
	names = ['main', '_Z5firsti'] + [bomb(i) for i in range(3200)] + ['_Z4lasti']
	program = Program(names, step=16)
	open('program', 'wb').write(program.bytes())
	samples = {name: 1 for name in names[:-1]}
	samples['_Z4lasti'] = 2
	open('gmon.out', 'wb').write(program.profile(samples, [('main', names[i], 1) for i in range(1, 9)]).bytes())
END

for mode in '' --gnu; do
	expect_status 0 "$GPROFX" $mode -b -p --threads=1 program
	[ "$(grep -c 'names have more than [0-9]* bytes together' err)" -eq 1 ] || fail 'not just one warning'
	mv out one
	expect_status 0 "$GPROFX" $mode -b -p --threads=7 program
	cmp -s one out || fail 'other bytes with seven threads'
	# The first one is demangled, the last one is not.
	grep -q 'first(int)' one || fail 'the first name was not demangled'
	grep -q ' _Z4lasti$' one || fail 'the last name was demangled'
	[ "$(grep -c ' _Z5f[0-9]*P1a' one)" -gt 3000 ] || fail 'too many names were demangled'
done
expect_status 0 "$GPROFX" -b -p program
expect_match err '^gprofx: warning\[report\.long-names\]: '
expect_match err '^  hint: .'
expect_status 0 "$GPROFX" -b -p --no-demangle program
expect_empty err
