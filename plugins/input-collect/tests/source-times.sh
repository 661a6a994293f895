#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Annotated source has the times that stacks measured: of each line itself, and of all stacks that it is in, each once,
# however often; where a subroutine was inlined, also of the line that calls it.  The totals are known by construction.
. "$GPROFX_SOURCE/plugins/input-collect/tests/lib.sh"

make_recorded <<-'END'
	program.lines({'main': [(0, 3), (0x40, 4)], 'work': [(0, 8), (0x20, 9), (0x30, 10)], 'idle': [(0, 13)]})
	open('program', 'wb').write(program.bytes())
	# Line 4 of main calls work, whose line 9 calls work again; 3 of main calls idle.
	rows = [(at('main+0x45'), 0, 0, 1, 1),    # 1: main, line 4
	        (at('work+4'), 1, CFI, 2, 2),     # 2: work, line 8
	        (at('work+0x25'), 1, CFI, 4, 4),  # 3: work, line 9
	        (at('work+0x25'), 3, CFI, 8, 8),  # 4: the same below itself
	        (at('work+0x34'), 4, CFI, 16, 16),
	        (at('main+5'), 0, 0, 0, 0),       # 6: main, line 3
	        (at('idle+4'), 6, CFI, 32, 32),
	        (0x10, 6, CFI, 37, 37)]           # in no function
	save('recorded', new().stacks(rows))
	library = Program(['helper', 'other'], base=0x1000)
	library.lines({'helper': [(0, 7), (0x40, 8), (0x60, 7)], 'other': [(0, 11), (0x80, 12)]}, source='lib.c')
	open('one.so', 'wb').write(library.bytes())
	def inside(place):
	    return 0x7000000 + library.at(place)
	file, low = new(), inside('helper')
	file.objects([(low, low + library.end - library.base, 0x7000000, 0, b'', file.text(os.path.abspath('one.so')))])
	save('beside', file.stacks([(at('main+0x45'), 0, 0, 0, 0), (inside('helper+0x45'), 1, CFI, 10, 10),
	                            (inside('other+4'), 2, CFI, 20, 20), (inside('other+0x84'), 2, CFI, 30, 30),
	                            (inside('helper+4'), 3, CFI, 40, 40)]))
	open('plain.so', 'wb').write(Program(['one', 'two', 'three'], base=0x1000).bytes())
	file = new()
	file.objects([(low, low + 0x300, 0x7000000, 0, b'', file.text(os.path.abspath('plain.so')))])
	save('leading', file.stacks([(at('main+0x45'), 0, 0, 0, 0), (at('work+4'), 1, CFI, 30, 30), (at('idle+5'), 1, CFI, 0, 0)] +
	                            [(low + 0x100 * i + 4, 3, CFI, 20, 20) for i in range(3)]))
	save('other', new().stacks([(at('idle+4'), 0, 0, 1, 1)]))
END
# Sources are not newer than the program, however long the lines above took.
seq -f 'line %g' 14 >prog.c
touch -r program prog.c

# lines OPTION...: LINE:SECONDS:SHARE:TOTAL of the lines with times.
lines() {
	expect_status 0 "$GPROFX" --no-findings -b -A -t 0 -I . "$@" program recorded
	expect_undiagnosed
	sed -nE 's/^ {,7}([0-9.]+) +([0-9.]+)% [* ] +([0-9.]+)%.* line ([0-9]+)$/\4:\1:\2:\3/p
		s/^ {18,}([0-9.]+)% .* line ([0-9]+)$/\2:::\1/p' out | tr '\n' ';'
}
# Of 100 samples: 3 with idle and what is in no function, 4 with itself and work, 9 in two frames at once.
all='3:::69.0;4:0.01:1.0:31.0;8:0.02:2.0:2.0;9:0.12:12.0:28.0;10:0.16:16.0:16.0;13:0.32:32.0:32.0;'
[ "$(lines)" = "$all" ] || fail "$(lines)"
expect_match out '^ seconds   share     total         count    source$'
[ "$(lines -l)" = "$all" ] || fail "-l: $(lines -l)"
[ "$(lines --threads=1)" = "$(lines --threads=2)" ] || fail 'threads'
[ "$(lines -Awork)" = '8:0.02:2.0:2.0;9:0.12:12.0:28.0;10:0.16:16.0:16.0;' ] || fail "-A: $(lines -Awork)"
# The table of the busiest lines goes on with those that only call.
expect_status 0 "$GPROFX" --no-findings -b -A -I . program recorded
expect_match out '^     Line    seconds   share     total      Count$'
expect_match out '^       13       0\.32   32\.0%     32\.0%'
expect_match out '^        3       0\.00    0\.0%     69\.0%'
# Without time of their own, the lines of a file are listed, too; without any, they are not.
expect_status 0 "$GPROFX" --no-findings -b -A -Jwork -Jidle -t 0 -I . program recorded
expect_match out '^ {18,}69\.0% .* line 3$'
expect_status 0 "$GPROFX" --no-findings -b -A -I . program other
expect_not_in out '69.0%'
# The summary leads to this where the source can be read, and to a table of lines where it cannot.
expect_status 0 "$GPROFX" --no-findings --summary program recorded
expect_match out '^  gprofx -b -Aidle program recorded +its source, with times$'
expect_status 0 "$GPROFX" --no-findings -b -Aidle program recorded
expect_match out '^    0\.32  32\.0% [*]   32\.0% .*line 13$'
# It is about the function that answers for the most: with what it calls in libraries, though each part is small.
expect_status 0 "$GPROFX" --no-findings --summary program leading
expect_match out '^ 33\.3% .* work '
# Without self time, what calls the most comes first.
[ "$(sed -nE 's/^ +0\.0% +([0-9.]+)% +([a-z]+) .*/\1 \2/p' out | tr '\n' ';')" = '100.0 main;66.7 idle;' ] || fail 'the order'
expect_match out '^  gprofx --entry=idle program leading +its callers and callees$'
expect_match out '^  gprofx -b -Aidle program leading +its source'
mkdir source
mv prog.c source
expect_status 0 "$GPROFX" --no-findings --summary program recorded
expect_match out '^  gprofx -b -l -pidle program recorded +its lines that take the time$'
mv source/prog.c .
# Lines of a library of the user.
seq -f 'library %g' 12 >lib.c
touch -r one.so lib.c
for more in '' -l; do
	expect_status 0 "$GPROFX" --no-findings -b -A -t 0 -I . $more program beside
	expect_match out '^    0\.40  40\.0% [*]   40\.0% .*library 7$'
	expect_match out '^    0\.10  10\.0% [*]  100\.0% .*library 8$'
	expect_match out '^    0\.20  20\.0% [*]   60\.0% .*library 11$'
	expect_match out '^    0\.30  30\.0% [*]   30\.0% .*library 12$'
	expect_match out '^ {18,}100\.0% .*line 4$'
	expect_match out '^ +1\.00   seconds in this file, 100\.0% of all$'
	expect_match out '^ +0\.00   seconds in this file, 0\.0% of all$'
	expect_match out '^ +100\.0   percent of all while line 4 is active, with what it calls$'
done
rm lib.c
# Histograms do not tell what was active: the column is not there.
python3 - <<'END' || fail 'no histogram'
from profiled import Program
program = Program(['main', 'work', 'idle'])
open('gmon', 'wb').write(program.profile({'work': 5}).bytes())
END
expect_status 0 "$GPROFX" --no-findings -b -A -I . program gmon
expect_match out '^ seconds   share         count    source$'

# Nor do names of functions.
printf 'main;work 7\nmain;idle 3\n' >names
expect_status 0 "$GPROFX" --no-findings -b -A -z -I . program names
expect_in out ' line 8'
expect_not_in out ' share '

[ -n "${GPROFX_CC-}" ] || exit 0
# A subroutine that is inlined: its line, and the line that calls it.
cat >inlined.c <<'END'
extern volatile int sink;
__attribute__((always_inline)) static inline int step(int x) { return x * sink; }
int main(int argc, char **argv) {
	(void)argv; sink += step(argc);
	return sink / argc; }
volatile int sink;
END
"$GPROFX_CC" -g -O1 inlined.c -o inlined 2>err || exit 0
list_lines inlined
step=$(sed -nE 's/.* step \(inlined\.c:2 @ ([0-9a-f]+)\).*/\1/p' lines | head -n 1)
own=$(sed -nE 's/.* main \(inlined\.c:5 @ ([0-9a-f]+)\)$/\1/p' lines | head -n 1)
[ -n "$step" ] && [ -n "$own" ] || {
	cat lines >&2
	fail 'the lines are not as they were'
}
python3 - "$step" "$own" <<'END' || fail 'no recording'
import os, sys
from gxcfile import *
step, own = (int(word, 16) for word in sys.argv[1:])
file = File().program(os.path.abspath('inlined'), step & ~0xfff, (step & ~0xfff) + 0x2000)
open('recorded', 'wb').write(file.stacks([(step, 0, 0, 30, 30), (own, 0, 0, 10, 10)]).bytes())
END
expect_status 0 "$GPROFX" --no-findings -b -A -t 0 inlined recorded
expect_match out '^    0\.30  75\.0% \*   75\.0% .*int step'
expect_match out '^ {18,}75\.0% .*sink \+= step'
expect_match out '^    0\.10  25\.0% \*   25\.0% .*return sink / argc'
