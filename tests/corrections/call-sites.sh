#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# call-sites: the collector rounds call sites down to 16 bytes. The truth: the code is assembled here.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3
[ "$GPROFX_BUILTIN" = 1 ] || [ -e "$GPROFX_PLUGIN_DIR/findcall-x86.so" ] || exit 77

python3 - <<'PROGRAM' || fail 'cannot write the program'
import struct
from callsites import POINTER, Program

SLOT = 0x1000

def tell(at):
    """How functions tell the collector of a call: by a call through a pointer that is always there."""
    return b'\xff\x15' + struct.pack('<i', SLOT - at - 6)

functions = {
    'leaf': (0x000, [tell(0)]), 'other': (0x020, []),
    # Each block of 16 bytes has the end of one function and the entry of another.
    'before': (0x040, []), 'mover': (0x048, ['leaf']),
    'keeper': (0x060, ['leaf']), 'next': (0x068, ['other']),
    'tie': (0x080, [b'\xc3', 'leaf']), 'toe': (0x086, ['leaf', 'leaf']),
    'pointer': (0x0a0, [POINTER, b'\xc3']), 'direct': (0x0a4, ['leaf']),
    'calls-other': (0x0c0, ['other']), 'nobody': (0x0c8, ['other']),
    # It seems to call itself, and was called by the function behind it.
    'itself': (0x0e0, []), 'helper': (0x0e4, ['itself', b'\xc3']),
    'begun': (0x0fb, [tell(0x0fb)]), 'told': (0x102, [tell(0x102), 'leaf']),
    'last': (0x120, [b'\x90']),
}
arcs = [('mover', 0, 'leaf', 10), ('keeper', 0, 'leaf', 20), ('tie', 0, 'leaf', 7),
        ('direct', 0, 'leaf', 9), ('nobody', 0, 'leaf', 3), ('helper', 0, 'itself', 4),
        ('told', 0, 'leaf', 6)]
program = Program('x86_64', 16, functions)
program.inside['leaf'] = 6
program.write(arcs)
program.arcs = []
program.write(arcs, profile='more')
# Too few call sites to tell rounded ones from others, but no call returns to 0x401040; and just as few of
# which one does.
few = Program('x86_64', 16, functions, others=0)
few.write([('mover', 0, 'leaf', 10)], 'few', 'few.gmon')
few.write([(0x401070, 0, 'leaf', 10)], 'few', 'fewer.gmon')
# The sites as they are.
exact = Program('x86_64', 1, functions)
exact.write(arcs, 'exact', 'exact.gmon')
PROGRAM

# The arcs as lines "caller callee calls", without those that are there so that rounding is seen.
arcs()
{
	expect_status 0 "$GPROFX" --output=csv --output-option=table=arcs --no-findings "$@"
	python3 -c '
import csv
for row in csv.DictReader(open("out")):
    if row["caller"][:5] != "other":
        print(row["caller"], row["callee"], row["calls"])' | LC_ALL=C sort >found
}

arcs program gmon
expect_empty err
expect_same found - <<-'END'
	calls-other leaf 3
	direct leaf 4
	helper itself 4
	keeper leaf 20
	mover leaf 10
	pointer leaf 5
	tie leaf 4
	toe leaf 3
	told leaf 6
END

# In the call graph and in JSON, what was divided is marked; the list of files tells how much.
expect_status 0 "$GPROFX" --no-findings -b -q program gmon
expect_match out ' 4/63  *~tie '
expect_match out ' 5/63  *~pointer '
expect_match out ' 10/63  *mover '
expect_status 0 "$GPROFX" --no-findings --output=json program gmon
expect_in out '"call_sites":{"quantum":16,"scanned":true,"doubtful_arcs":7,"doubtful_calls":59,"moved_arcs":3,"moved_calls":20,"split_arcs":2,"split_calls":16},'
[ "$(grep -c '"divided":true' out)" -eq 4 ] || fail 'not just four arcs are divided'
expect_status 0 "$GPROFX" --no-findings -i program gmon
expect_in out 'call sites  rounded down by up to 15 bytes; 7 arcs (59 calls) can be of several functions'
expect_in out 'corrected   3 arcs (20 calls) moved, 2 arcs (16 calls) split'
# A call through a slot of which it is known whose address the loader writes there leads nowhere else.
python3 - <<-'END' || fail 'cannot write the program'
	import struct
	from callsites import Program
	from elfimage import ALLOC, RELA, WRITE

	SLOTS = 0x500000
	def through(slot, at):
	    return b'\xff\x15' + struct.pack('<i', SLOTS + 8 * slot - (Program.LOW + at) - 6)

	# The first slot leads to "leaf", the second to "other"; of the third nothing is known.
	functions = {
	    'leaf': (0x000, []), 'other': (0x020, []),
	    'astray': (0x040, [through(1, 0x040)]), 'mover': (0x048, ['leaf']),
	    'slotted': (0x060, [through(0, 0x060)]), 'direct': (0x068, ['leaf']),
	    'open': (0x080, [through(2, 0x080)]), 'closed': (0x088, ['leaf']),
	    'reached': (0x0a0, [through(1, 0x0a0)]), 'missed': (0x0a8, [through(0, 0x0a8)]),
	}
	program = Program('x86_64', 16, functions)
	program.image.section('.got', SLOTS, bytes(24), ALLOC | WRITE)
	program.image.section('.rela.dyn', 0x510000, b''.join(
	    struct.pack('<QQq', SLOTS + 8 * slot, 8, Program.LOW + program.places[name])
	    for slot, name in enumerate(['leaf', 'other'])), ALLOC, RELA, align=8, entry_size=24)
	program.write([(Program.LOW + 0x040, 0, 'leaf', 10), (Program.LOW + 0x060, 0, 'leaf', 8),
	               (Program.LOW + 0x080, 0, 'leaf', 6), (Program.LOW + 0x0a0, 0, 'other', 4)],
	              'slots', 'slots.gmon')
END
for how in '' -c; do
	arcs $how slots slots.gmon
	sed -i '/ 0$/d' found
	expect_same found - <<-'END'
		closed leaf 3
		direct leaf 4
		mover leaf 10
		open leaf 3
		reached other 4
		slotted leaf 4
	END
done

# A call leads to all that the function goes on with, however many there are, and however they are reached.
python3 - <<-'END' || fail 'cannot write the program'
	import struct
	from callsites import Program

	places = {'leaf': 0x000, 'before': 0x040, 'left': 0x048, 'front': 0x060, 'right': 0x068,
	          'rear': 0x080, 'lost': 0x088, 'hub': 0x100, 'fan': 0x900}
	ends = ['end%d' % i for i in range(300)]
	ways = ['way%d' % i for i in range(40)]
	places.update((name, 0xa00 + 16 * i) for i, name in enumerate(ends + ways))

	def jumps(name, targets):
	    return b''.join(b'\xe9' + struct.pack('<i', places[to] - places[name] - 5 * i - 5)
	                    for i, to in enumerate(targets))

	bodies = {'left': ['hub'], 'right': ['fan'], 'lost': ['leaf'], 'hub': [jumps('hub', ends)],
	          'fan': [jumps('fan', ways)]}
	bodies.update((way, [jumps(way, [ends[i], ends[i + 40], 'fan'])]) for i, way in enumerate(ways))
	program = Program('x86_64', 16, {name: (at, bodies.get(name, [])) for name, at in places.items()})
	program.write([('left', 0, 'end299', 10), ('right', 0, 'end79', 8), ('lost', 0, 'end5', 2)],
	              'wide', 'wide.gmon')
END
arcs wide wide.gmon
expect_same found - <<-'END'
	left end299 10
	rear end5 2
	right end79 8
END

# A call at the end of a function, of one that does not return, goes back to where the next one begins.
python3 - <<-'END' || fail 'cannot write the program'
	from callsites import Program

	program = Program('x86_64', 16, {
	    'leaf': (0x000, []), 'last': (0x04b, ['leaf']), 'behind': (0x050, []),
	    # Here the function behind calls, too, from its first bytes.
	    'one': (0x07b, ['leaf']), 'both': (0x080, ['leaf']),
	    # And here it does alone.
	    'idle': (0x0ae, []), 'caller': (0x0b0, ['leaf']),
	    # A part of a function elsewhere.
	    'idle.cold': (0x0eb, ['leaf']), 'rest': (0x0f0, []),
	})
	program.write([('last', 0, 'leaf', 10), ('both', 0, 'leaf', 6), ('caller', 0, 'leaf', 5),
	               ('idle.cold', 0, 'leaf', 2)],
	              'final', 'final.gmon')
END
arcs final final.gmon
expect_same found - <<-'END'
	both leaf 3
	caller leaf 5
	idle.cold leaf 2
	last leaf 10
	one leaf 3
END
expect_status 0 "$GPROFX" --no-findings -i final final.gmon
expect_in out 'corrected   2 arcs (12 calls) moved, 1 arc (6 calls) split'
arcs --clones=fold final final.gmon
expect_in found 'idle leaf 2'

# The same arcs in two files are divided together: 14 and 18 calls.
arcs program gmon more
expect_in found 'tie leaf 7'
expect_in found 'toe leaf 7'
expect_in found 'direct leaf 9'
expect_in found 'mover leaf 20'

# Per-file statistics count them as well: GNU gprof takes the calls of itself for recursive ones.
expect_status 0 "$GPROFX" --no-findings --per-file --output=json program gmon more
python3 - <<-'END' >found || fail 'no statistics'
	import json
	report = json.load(open('out'))
	for row in report['per_file']:
	    calls = row['calls']
	    print('%s %g %g %g' % (report['functions'][row['function']]['name'], calls['total'],
	                           calls['files'], calls['min']))
END
expect_in found 'itself 8 2 4'
expect_in found 'leaf 118 2 55'
expect_status 0 "$GPROFX" --no-findings --per-file --output=json --correct=no-call-sites program gmon more
expect_in out '"call_graph"'
! python3 -c 'import json
report = json.load(open("out"))
print(*(report["functions"][row["function"]]["name"] for row in report["per_file"]), sep="\n")' | grep -qx itself ||
	fail 'without the correction, itself is called by others'

# The same bytes for any number of threads.
expect_status 0 "$GPROFX" --threads=1 -q program gmon more
cp out one
expect_status 0 "$GPROFX" --threads=7 -q program gmon more
expect_same one out

# As GNU gprof has them, by the rounded addresses.
for how in --correct=no-call-sites --gnu --quantum=1; do
	arcs $how program gmon
	expect_same found - <<-'END'
		before leaf 10
		begun leaf 6
		calls-other leaf 3
		itself itself 4
		keeper leaf 20
		pointer leaf 9
		tie leaf 7
	END
	expect_status 0 "$GPROFX" $how --no-findings --output=json program gmon
	expect_not_in out '"call_sites"'
	expect_not_in out '"divided"'
done
# Asked for, it is there in GNU mode, too; a sum in GNU gprof's way is made without it.
arcs --gnu --quantum=16 program gmon
expect_in found 'mover leaf 10'
expect_status 0 "$GPROFX" --gnu -s program gmon
mv gmon.sum plain
expect_status 0 "$GPROFX" --gnu --quantum=16 -s program gmon
expect_same plain gmon.sum
# A sum has what was recorded.
expect_status 0 "$GPROFX" --sum=summed --no-findings program gmon
arcs program summed
expect_in found 'mover leaf 10'
expect_status 0 "$GPROFX" --sum=plain --correct=no-call-sites --no-findings program gmon
expect_same plain summed

# Few call sites that can be rounded, or not.
arcs few few.gmon
expect_same found - <<-'END'
	mover leaf 10
END
arcs few fewer.gmon
expect_same found - <<-'END'
	next leaf 10
END
# But no call of a function returns to that function's first address: the one before ends with a call.
python3 - <<-'END' || fail 'cannot write the program'
	from callsites import Program
	ends = Program('x86_64', 16, {'leaf': (0x000, []), 'thrower': (0x02b, ['catcher']),
	                              'catcher': (0x030, []), 'next': (0x040, ['leaf'])}, others=0)
	ends.inside['catcher'] = 6
	ends.write([('thrower', 0, 'catcher', 7), ('next', 0, 'leaf', 5)], 'ends', 'ends.gmon')
END
arcs ends ends.gmon
expect_same found - <<-'END'
	next leaf 5
	thrower catcher 7
END
# Exact ones stay, unless somebody says that they are not.
arcs exact exact.gmon
expect_not_in found 'before leaf'
expect_in found 'mover leaf 10'
expect_in found 'toe leaf 7'
expect_status 0 "$GPROFX" --no-findings -i exact exact.gmon
expect_not_in out 'rounded'

# A scanner is opened only if some function begins within what a call site stands for.
if [ "$GPROFX_BUILTIN" = 0 ]; then
	expect_status 0 env LD_DEBUG=files LD_DEBUG_OUTPUT=loaded "$GPROFX" --no-findings -q program gmon
	grep -q 'findcall-x86' loaded.* || fail 'no scanner was opened for call sites in doubt'
	rm loaded.*
	python3 - <<-'END' || fail 'cannot write the program'
		from callsites import Program
		clear = Program('x86_64', 16, {'leaf': (0, []), 'caller': (64, ['leaf'])})
		clear.write([('caller', 0, 'leaf', 5)], 'clear', 'clear.gmon')
	END
	for how in -q -i --output=json; do
		expect_status 0 env LD_DEBUG=files LD_DEBUG_OUTPUT=loaded "$GPROFX" --no-findings $how clear clear.gmon
		grep -q 'input-gmon-magic' loaded.* || fail 'it is not seen which plugins are opened'
		! grep -q 'findcall' loaded.* || fail 'a scanner was opened for nothing'
		rm loaded.*
	done
fi
# Where there is no scanner for the machine nothing is said, and nothing changes; but the list of files tells.
cp program other
printf '\167\167' | dd of=other bs=1 seek=18 conv=notrunc 2>/dev/null
arcs other gmon
expect_empty err
expect_in found 'before leaf 10'
expect_status 0 "$GPROFX" --no-findings -i other gmon
expect_in out "corrected   none: there is no scanner for the program's code"
expect_not_in out 'install'

# One that could be installed has a name there, also where only the code tells whether sites are rounded.
[ "$GPROFX_BUILTIN" = 0 ] || exit 0
mkdir -p bin lib/gprofx/1
for name in symbols-elf config-yaml input-gmon-magic output-callgraph output-info output-json; do
	ln -s "$GPROFX_PLUGIN_DIR/$name.so" "$GPROFX_PLUGIN_DIR/$name.yaml" lib/gprofx/1
done
cp "$GPROFX" bin/gprofx || fail 'no program with few plugins'
advice='install the plugin findcall-x86, package gprofx-findcall-x86'
expect_status 0 bin/gprofx --no-findings -b -q program gmon
expect_empty err
expect_status 0 bin/gprofx --no-findings -i program gmon
expect_empty err
expect_in out 'call sites  rounded down by up to 15 bytes; 7 arcs (59 calls) can be of several functions'
expect_in out "corrected   none: there is no scanner for the program's code; $advice"
expect_status 0 bin/gprofx --no-findings -i few few.gmon
expect_in out 'call sites  maybe rounded down by up to 15 bytes; 1 arc (10 calls) can be of several functions'
expect_in out "; $advice"
expect_status 0 bin/gprofx --no-findings --output=json few few.gmon
expect_in out '"split_calls":0,"supposed":true,"advice":"'"$advice"'"}'
expect_status 0 bin/gprofx --no-findings -i exact exact.gmon
expect_not_in out 'scanner'
expect_status 0 bin/gprofx --no-findings -i --correct=no-call-sites program gmon
expect_not_in out 'scanner'
expect_status 0 bin/gprofx --gnu -i program gmon
expect_not_in out 'scanner'
# One that is there but must not be loaded is not to be installed.
ln -s "$GPROFX_PLUGIN_DIR"/findcall-x86.{so,yaml} lib/gprofx/1
echo 'plugins: {deny: [findcall-x86]}' >denied
expect_status 0 bin/gprofx --config=denied --no-findings -i program gmon
denial='let the plugin findcall-x86 be loaded: denied:1:17 denies it'
expect_in out "corrected   none: there is no scanner for the program's code; $denial"
expect_status 0 bin/gprofx --config=denied --no-findings -b -c -q program gmon
expect_in err "  hint: $denial; the report continues without static arcs"
