#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# select.too-costly, output.too-many, report.many-histograms: what is asked for again and again.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"

python3 - <<-'END' || fail 'cannot write the files'
	from gmonfile import Profile
	from profiled import Program
	program = Program(['f%d' % i for i in range(9000)], step=16)
	open('program', 'wb').write(program.bytes())
	open('gmon.out', 'wb').write(program.profile({'f1': 3}).bytes())
	one = Profile().histogram(program.base, program.end, [1])
	open('many', 'wb').write(one.bytes() + one.bytes()[20:] * 9000)
	open('few', 'wb').write(one.bytes() + one.bytes()[20:] * 900)
	open('lines', 'w').write('-p:7\n' * 70000)
	open('fewer', 'w').write('-p:7\n' * 700)
	open('outputs', 'w').write('--output=flat:/dev/null\n' * 257)
	open('256', 'w').write('--output=flat:/dev/null\n' * 256)
END

for mode in '' --gnu; do
	expect_status 1 "$GPROFX" $mode -b @lines program
	expect_in err 'looking up the symspecs takes more than 268435456 steps'
	expect_empty out
done
expect_status 1 "$GPROFX" -b @lines program
expect_in err 'error[select.too-costly]'
expect_status 1 "$GPROFX" -b @fewer program
expect_not_in err select.too-costly
expect_status 1 "$GPROFX" -b @outputs program
expect_in err 'error[output.too-many]: at most 256 outputs are possible, but 257 are requested'
expect_status 0 "$GPROFX" -b @256 program
expect_status 1 "$GPROFX" -b --per-file program many few
expect_in err 'error[report.many-histograms]: many: the file has too many histograms'
expect_status 0 "$GPROFX" -b --per-file program few few
expect_status 0 "$GPROFX" -b program many
expect_status 0 "$GPROFX" -b --sum=sum program many
expect_status 0 "$GPROFX" -b --per-file program sum few
