#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# --slide: addresses of a profile that was written elsewhere than where the program was linked for.
. "$GPROFX_SOURCE/tests/cli/lib.sh"
PYTHONPATH=$PYTHONPATH:$GPROFX_SOURCE/tests/slide
need python3

python3 - <<-'END' || fail 'cannot write the files'
	from gmonfile import Profile
	from profiled import Program
	from programs import synthetic
	made = synthetic('.', 3)
	profile = made.recorded
	low = profile.ranges[0][0]
	for name, arcs_by, ranges_by in (
	        ('still', 0, 0), ('up', 0x7000, 0x7000), ('down', -0x3000, -0x3000),
	        ('odd', 0x1234, 0x1234), ('from-low', -low, 0)):
	    open(name, 'wb').write(profile.bytes(arcs_by, ranges_by))
	open('with-blocks', 'wb').write(
	    profile.bytes(0x7000, 0x7000) + Profile(profile.bits, profile.order).blocks(
	        [(made.layout[0][0] + 0x7000, 5)]).bytes()[20:])
	profile.ranges = []
	open('odd-arcs', 'wb').write(profile.bytes(0x1234))
	# Too few functions to be sure of anything.
	few = Program(['main', 'one', 'two', 'three'])
	open('few', 'wb').write(few.bytes())
	open('few.gmon', 'wb').write(few.empty().arc(few.base + 0x1000, few.base + 0x1100, 3).bytes())
	# All functions have one size: a profile of any such program would fit.
	names = ['f%d' % i for i in range(40)]
	same = Program(names, step=0x80)
	open('same', 'wb').write(same.bytes())
	profile = same.empty()
	for i in range(1, 40):
	    profile.arc(same.base + 0x5000, same.base + 0x5000 + i * 0x80, 1)
	open('same.gmon', 'wb').write(profile.bytes())
END
mv synthetic3 program

expect_status 0 "$GPROFX" -b --no-findings program still
expect_empty err
cp out still.out

# Without the option and with auto: found, said, and in the report as if nothing had been moved.
for option in '' --slide=auto; do
	for profile in up down odd from-low; do
		expect_status 0 "$GPROFX" -b --no-findings $option program "$profile"
		expect_same out still.out
		expect_match err "^gprofx: warning\\[profile.slid\\]: $profile: .*load bias of "
		expect_match err '^  hint: .'
	done
done
expect_status 0 "$GPROFX" -b --no-findings program up
expect_in err 'load bias of 0x7000'
expect_status 0 "$GPROFX" -b --no-findings program down
expect_in err 'load bias of -0x3000'

# The last option counts.
expect_status 0 "$GPROFX" -b --no-findings --slide=none --slide=auto program up
expect_same out still.out

# none: as recorded.
expect_status 0 "$GPROFX" -b --no-findings --slide=none program up
expect_empty err
cmp -s out still.out && fail '--slide=none moves addresses'
cp out as-recorded.out

# GNU mode: as recorded, unless the option says otherwise.
expect_status 0 "$GPROFX" --gnu -b program up
expect_empty err
cmp -s out still.out && fail 'GNU mode moves addresses'
expect_status 0 "$GPROFX" --gnu -b program still
cp out gnu.out
expect_status 0 "$GPROFX" --gnu -b --slide=auto program up
expect_same out gnu.out
expect_status 0 "$GPROFX" --gnu -b --slide=7000 program up
expect_same out gnu.out

# A number is taken off whatever it makes of the profile, and nothing is said.
for value in 7000 0x7000 0X7000 +7000 fffffffffffff000; do
	case $value in
	f*) profile=still ;;
	*) profile=up ;;
	esac
	expect_status 0 "$GPROFX" -b --no-findings --slide="$value" program "$profile"
	expect_empty err
	[ "$profile" = still ] || expect_same out still.out
done
cmp -s out still.out && fail 'a number that is wrong has no effect'
expect_status 0 "$GPROFX" -b --no-findings --slide=-0x3000 program down
expect_same out still.out
expect_status 0 "$GPROFX" -b --no-findings --slide=ffffffffffffd000 program down
expect_same out still.out
expect_status 0 "$GPROFX" -b --no-findings --slide=1234 program odd
expect_same out still.out
expect_status 0 "$GPROFX" -b --no-findings program with-blocks
expect_same out still.out
expect_status 0 "$GPROFX" -b --no-findings --slide=7000 program up up
cp out twice.out
expect_status 0 "$GPROFX" -b --no-findings program still still
expect_same out twice.out

# Files that were loaded elsewhere each, and one that was not, add up.
expect_status 0 "$GPROFX" -b --no-findings program still still still
cp out thrice.out
expect_status 0 "$GPROFX" -b --no-findings program up still down
expect_same out thrice.out
[ "$(grep -c 'warning\[profile.slid\]' err)" -eq 2 ] || fail 'not two profiles were moved'
# Many such files are not all named.
expect_status 0 "$GPROFX" -b --no-findings program up up up up up up up up up up up up
[ "$(grep -c 'warning\[profile.slid\]: up' err)" -eq 8 ] || fail 'not eight profiles were named'
expect_in err 'more profiles have a load bias'

# What cannot be known is left as it is: no whole page, too few functions, too regular ones.
for pair in 'program odd-arcs' 'few few.gmon' 'same same.gmon'; do
	expect_status 0 "$GPROFX" -b --no-findings --slide=none $pair
	cp out none.out
	cp err none.err
	expect_status 0 "$GPROFX" -b --no-findings $pair
	expect_same out none.out
	expect_same err none.err
done

for value in 12g 0x - auto0 none, +-5 10000000000000000; do
	expect_status 2 "$GPROFX" --slide="$value" program up
	expect_in err "error[usage.bad-number]: expected auto, none or a hexadecimal number after --slide, found '$value'"
done
