#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# static-calls: calls that stand in the code. The truth: the code is assembled here, byte by byte.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3
[ "$GPROFX_BUILTIN" = 1 ] || [ -e "$GPROFX_PLUGIN_DIR/findcall-x86.so" ] || exit 77

python3 - <<'PROGRAM' || fail 'cannot write the image'
import struct
from elfimage import ALLOC, FUNC, LOCAL, PROGBITS, RELA, WRITE, Image
from gmonfile import Profile

LOW, BASE, FAR, SLOT = 0x400000, 0x401000, 0x50001000, 0x50002000
AT = {'low': LOW, 'main': BASE, 'work': BASE + 0x40, 'leaf': BASE + 0x80, 'never': BASE + 0xc0,
      'work.cold': BASE + 0x100, 'far': FAR, 'farther': FAR + 0x20}

def near(opcode, at, to):
    return opcode + struct.pack('<i', AT[to] - at - len(opcode) - 4)

def code(name, *parts):
    """Pieces of code: bytes, or (opcode, name of the callee)."""
    made = b''
    for part in parts:
        made += part if isinstance(part, bytes) else near(part[0], AT[name] + len(made), part[1])
    return made + b'\xc3'

CALL, JUMP = b'\xe8', b'\xe9'
bodies = {
    'low': code('low', (CALL, 'main')),
    # One that was made, one that was not, and the distance of a third as a number: mov $..., %eax.
    'main': code('main', (CALL, 'work'), (CALL, 'leaf'), b'\xb8' + near(CALL, BASE + 11, 'never')[:4]),
    # To a lower address, with a prefix, into the middle of a function, and through a register.
    'work': code('work', (CALL, 'main'), (b'\x67' + CALL, 'never'), CALL + struct.pack('<i', 0x38),
                 b'\xff\xd0'),
    # Jumps: to another function, to its own begin.
    'leaf': code('leaf', (JUMP, 'never'), (JUMP, 'leaf')),
    'never': code('never', (CALL, 'far')),
    'work.cold': code('work.cold', (CALL, 'farther')),
    'far': code('far', (CALL, 'farther'), (CALL, 'low')),
    # Through a slot that leads to a function of the program; and an address that is taken.
    'farther': code('farther', (CALL, 'far'), b'\xff\x15' + struct.pack('<i', SLOT - FAR - 0x20 - 11),
                    b'\xb8' + struct.pack('<I', AT['never'])),
}
text = b''
for name in 'main', 'work', 'leaf', 'never', 'work.cold':
    text += bodies[name].ljust(0x40, b'\x90')
image = Image('x86_64')
image.section('.low', LOW, bodies['low'].ljust(0x40, b'\x90'))
image.section('.text', BASE, text)
image.section('.far', FAR, bodies['far'].ljust(0x20, b'\x90') + bodies['farther'].ljust(0x20, b'\x90'))
RELATIVE = 8
image.section('.got', SLOT, bytes(8), ALLOC | WRITE, PROGBITS)
image.section('.rela.dyn', SLOT + 16, struct.pack('<QQQ', SLOT, RELATIVE, AT['leaf']), ALLOC, RELA,
              entry_size=24)
for name, at in AT.items():
    section = '.low' if at == LOW else '.far' if at >= FAR else '.text'
    image.symbol(name, at, len(bodies[name]), LOCAL if '.' in name else 1, FUNC, section)
open('program', 'wb').write(image.bytes())
profile = Profile.of(image).histogram(BASE, BASE + 0x140, [1] * 80)
open('gmon', 'wb').write(profile.arc(BASE + 5, BASE + 0x40, 7).bytes())
# Samples of all sections, and of none: GNU gprof looks for the code of the others in .text, and ends.
for name, low, high in ('wide', LOW, FAR + 0x40), ('elsewhere', FAR + 0x1000, FAR + 0x1100):
    profile = Profile.of(image).histogram(low, high, [1] * 64)
    open('gmon.' + name, 'wb').write(profile.arc(BASE + 5, BASE + 0x40, 7).bytes())
PROGRAM

profile=gmon
# The arcs as lines "caller callee calls kind".
arcs()
{
	expect_status 0 "$GPROFX" --output=csv --output-option=table=arcs --no-findings -c "$@" program "$profile"
	python3 -c '
import csv, sys
for row in csv.DictReader(open("out")):
    print(row["caller"], row["callee"], row["calls"], row["static"] or "-")' | LC_ALL=C sort >found
}

arcs
expect_same found - <<-'END'
	far farther 0 call
	far low 0 call
	farther far 0 call
	farther leaf 0 got
	leaf never 0 tail
	low main 0 call
	main leaf 0 call
	main work 7 -
	never far 0 call
	work main 0 call
	work never 0 call
	work.cold farther 0 call
END
# Which code was sampled does not matter.
cp found all
for profile in gmon.wide gmon.elsewhere; do
	arcs
	expect_same found all
done
profile=gmon
# Lines of the graph say what is no plain call.
echo 'options: { findcall-x86: { pointers: true } }' >pointers.yaml
expect_status 0 "$GPROFX" -c -q -z --config=pointers.yaml --no-findings program "$profile"
expect_match out '^ +0 +>never <cycle 1> \[[0-9]\]$'
expect_match out '^ +0 +>leaf <cycle 1> \[[0-9]\]$'
expect_match out '^ +0 +@leaf <cycle 1> \[[0-9]\]$'
expect_match out '^ +0 +@farther <cycle 1> \[[0-9]\]$'
expect_match out '^ +0 +&never <cycle 1> \[[0-9]\]$'
expect_match out '^ +0\.00 +0\.00 +0/0 {11}farther <cycle 1> \[[0-9]\]$'
expect_in out 'marks a jump'
expect_not_in out '~'
expect_status 0 "$GPROFX" -q -z --no-findings program "$profile"
expect_not_in out 'marks a jump'
expect_status 0 "$GPROFX" --gnu -c -q -z program "$profile"
! grep -q '[>@&~][a-z][a-z ]*[<[]' out || fail 'marks in GNU mode'
# Jumps are calls if one wants so; with clones folded, a fragment's calls are the function's.
cat >options.yaml <<-'END'
	options: { findcall-x86: { tail-calls: false } }
END
arcs --config=options.yaml --clones=fold
expect_not_in found tail
expect_in found 'work farther 0 call'
expect_not_in found 'cold'
# Arcs that were left out stay out.
arcs -k work/never -k main/leaf
expect_not_in found 'work never'
expect_not_in found 'main leaf'
expect_in found 'work main 0 call'
# The same bytes for any number of threads.
arcs --threads=1
cp out one
arcs --threads=7
expect_same one out
# GNU gprof's rules: profiled code of .text, distances without a sign, nothing is decoded.
arcs --correct=no-static-calls
expect_same found - <<-'END'
	main leaf 0 call
	main work 7 -
	work never 0 call
END
profile=gmon.wide
arcs --correct=no-static-calls
expect_same found - <<-'END'
	main leaf 0 call
	main work 7 -
	never far 0 call
	work never 0 call
	work.cold farther 0 call
END
