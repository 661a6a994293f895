#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# gmon.*: a tagged profile that is cut or damaged in one place, each with the offset of that place.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"

make_program
python3 - <<-'END' || fail 'cannot write the profiles'
	from profiled import Program
	program = Program(['main', 'work'])
	low, high = program.base, program.end
	arc = lambda: program.empty().arc(low + 4, low + 256, 3)
	bins = lambda: program.empty().histogram(low, high, [1, 2, 3])
	profiles = {
	    'cookie': program.empty(magic=b'gnom').arc(low, low, 1),
	    'version': program.empty(version=2).arc(low, low, 1),
	    'swapped': program.empty(version=1 << 24).arc(low, low, 1),
	    'library': program.empty(version=0x1ffff).arc(low, low, 1),
	    'tag': arc().raw(b'gmon' * 8),
	    'arc': arc().arc(low, low, 1).cut(-5),
	    'header': bins().cut(20 + 30),
	    'bins': bins().cut(-3),
	    'blocks': arc().blocks([(low, 1), (low, 2)], count=5),
	}
	for name, profile in profiles.items():
	    open(name, 'wb').write(profile.bytes())
END

expect_damage cookie gmon.bad-cookie 0x0 'expected the bytes "gmon", found others' -O magic
expect_damage version gmon.unsupported-version 0x4 '.*2'
expect_damage swapped gmon.unsupported-version 0x4 '.*'
expect_match err '^  hint: .*byte order'
expect_damage library gmon.unsupported-version 0x4 '.*' -O magic
expect_match err '^  hint: .*LD_PROFILE'
expect_damage tag gmon.bad-tag 0x29 'expected a record tag of 0 to 2, found 103'
expect_damage arc gmon.short-record 0x29 'expected 4 more bytes of an arc record, found 3'
expect_damage header gmon.short-record 0x14 'expected [0-9]+ more bytes of a histogram header, found [0-9]+'
expect_damage bins gmon.short-bins 0x3f 'expected 3 bins of a histogram, found 1 before the end of file'
expect_damage blocks gmon.short-blocks 0x[0-9a-f]+ '.*'
