#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The first sentences name inlined subroutines with much of the time, as the summary does, and where a function is called
# from one of them. The truth: main calls a library in an inlined subroutine of a library of C++, which is inlined in step.
. "$GPROFX_SOURCE/tests/cli/lib.sh"
need python3
[ -n "${GPROFX_CC-}" ] || skip 'no compiler'

echo 'int leaf(int x) { return x; } int middle(int x) { return leaf(x) + 1; }' >library.c
cat >prog.c <<'END'
int middle(int);
extern volatile int sink;
#define INLINED __attribute__((always_inline)) static inline
INLINED int __each(int x) { sink = x; return sink * sink; }
INLINED int step(int x) {
	sink = x;
	return __each(x) + sink; }
INLINED int light(int x) { return x / sink; }
int main(int argc, char **argv) {
	(void)argv; sink = step(argc) + light(argc);
	return middle(sink); }
volatile int sink;
END
"$GPROFX_CC" -g -O1 -fPIC -fno-inline -shared library.c -o liblibrary.so &&
	"$GPROFX_CC" -g -O1 prog.c -L. -llibrary -Wl,-rpath,. -o prog || skip 'cannot build'
base=$(nm prog | sed -n 's/ T main$//p')
# The places of each line of the inlined subroutines.
list_lines prog
place() {
	sed -nE "s/.*prog\\.c:$1 @ ([0-9a-f]+)\\).*/\\1/p" lines | head -n 1
}
each=$(place 4) step=$(place 6) light=$(place 8) own=$(place 11)
[ -n "$each" ] && [ -n "$step" ] && [ -n "$light" ] && [ -n "$own" ] || {
	cat lines >&2
	fail 'the lines are not as they were'
}

# stacks FUNCTION...: 60 samples in leaf, called by middle (liblibrary.so); that by each place with its count of them.
stacks() {
	python3 - "$base" "$(nm liblibrary.so | sed -n 's/ T leaf$//p')" "$(nm liblibrary.so | sed -n 's/ T middle$//p')" "$@" <<-'END'
		import os, sys
		import gxcfile
		base, leaf, middle = (int(word, 16) for word in sys.argv[1:4])
		bias = 1 << 32
		file = gxcfile.File()
		name, library = (file.text(os.path.abspath(path)) for path in ('prog', 'liblibrary.so'))
		file.header['program_name'] = name
		file.objects([(base, base + 96, 0, 0, b'', name), (bias, bias + 0x4000, bias, 0, b'', library)])
		rows = []
		for word in sys.argv[4:]:
		    place, count, is_called = word.split('=')
		    caller = int(place, 16) + int(is_called)
		    rows.append((caller, 0, 0, 0 if int(is_called) else int(count), 0 if int(is_called) else int(count)))
		    if int(is_called):
		        rows += [(bias + middle + 1, len(rows), 0, 0, 0)]
		        rows += [(bias + leaf, len(rows), 0, int(count), int(count))]
		open('stacks.gxc', 'wb').write(file.stacks(rows).bytes())
	END
}
# page STATEMENT [OPTION...]
cat >page.py <<'END'
import os, sys
sys.path.insert(0, os.path.join(os.environ['GPROFX_SOURCE'], 'plugins', 'output-html', 'tests'))
import htmlpage
page = htmlpage.read('page.html')[0]
items = [' '.join(item.split()) for item in page.items['heaviest']]
exec(sys.argv[1])
END
page() {
	expect_status 0 "$GPROFX" --no-findings --output=html:page.html "${@:2}" prog stacks.gxc
	python3 page.py "$1" || fail "$1"
}

# All calls of the library are from one subroutine, beyond what is of libraries of C++.
stacks "$each=60=1" "$own=40=0"
page 'assert items[0].startswith("leaf (liblibrary.so): 60 % of the time"), items
assert items[0].endswith("; called by middle (liblibrary.so); that comes from step, inlined in main"), items
assert items[1].startswith("main: 100 %, 40 % itself"), items
assert "; inlined in it: step 60.0 %, __each 60.0 % (shares overlap)" in items[1], items
assert "Inlined subroutines are code that" in page.texts["method"], page.texts["method"]'
# The summary has the same figures.
expect_status 0 "$GPROFX" --no-findings --summary prog stacks.gxc
expect_in out 'inlined in main: step 60.0 %, __each 60.0 % (shares overlap)'
# Without being asked for.
page 'assert "inlined" not in " ".join(items) and "Inlined" not in page.texts["method"], items' --set=html.inlined=false
# Most of them.
stacks "$each=50=1" "$own=10=1" "$light=40=0"
page 'assert items[0].endswith("; called by middle (liblibrary.so); that comes from step, inlined in main (83 % of its time)"), items'
# Most are from code of the function itself.
stacks "$each=10=1" "$own=50=1"
page 'assert items[0].endswith("; called by middle (liblibrary.so)"), items'
# What they are in has no time itself, and so no sentence.
stacks "$each=60=1" "$step=1=1"
page 'assert items[1:] == ["inlined in main: step 100.0 %, __each 98.4 % (shares overlap)"], items'
