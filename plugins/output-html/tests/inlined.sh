#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Parts of self time in inlined subroutines have the line with most of their samples, in a file that the page shows.
# The truth: step is in line 2 of a header, and is called in line 3 of the program, whose line 4 is main's own.
. "$GPROFX_SOURCE/tests/cli/lib.sh"
need python3
[ -n "${GPROFX_CC-}" ] || skip 'no compiler'

mkdir include
cat >include/step.h <<'END'
extern volatile int sink;
__attribute__((always_inline)) static inline int step(int x) { return x * sink; }
END
cat >inlined.c <<'END'
#include "include/step.h"
int main(int argc, char **argv) {
	(void)argv; sink += step(argc);
	return sink / argc; }
volatile int sink;
END
"$GPROFX_CC" -g -O1 inlined.c -o program 2>err || { cat err; skip 'cannot build'; }
base=$(nm program | sed -n 's/ T main$//p')
# write NAME ADDRESS=SAMPLES...: a profile.
write() {
	python3 - "$@" <<-'END' || fail 'cannot write a profile'
		import sys
		from gmonfile import Profile
		name, base, *samples = sys.argv[1:]
		bins, base = [0] * 64, int(base, 16)
		for sample in samples:
		    address, count = sample.split('=')
		    bins[int(address, 16) - base] += int(count)
		open(name, 'wb').write(Profile().histogram(base, base + 64, bins).bytes())
	END
}
list_lines program
step=$(sed -nE 's/.* step \(step\.h:2 @ ([0-9a-f]+)\).*/\1/p' lines | head -n 1)
own=$(sed -nE 's/.* main \(inlined\.c:4 @ ([0-9a-f]+)\)$/\1/p' lines | head -n 1)
[ -n "$step" ] && [ -n "$own" ] || {
	cat lines >&2
	fail 'the lines are not as they were'
}

cat >page.py <<'END'
import os, sys
sys.path.insert(0, os.path.join(os.environ['GPROFX_SOURCE'], 'plugins', 'output-html', 'tests'))
import htmlpage
data = htmlpage.read('page.html')[1]
parts, strings, functions = data['parts'], data['strings'], data['functions']
rows = parts and [(functions['name'][node], name >= 0 and strings[name], os.path.basename(strings[file]), line)
                  for node, name, file, line in zip(parts['node'], parts['name'], parts['file'], parts['line'])]
shown = {file['path'] for file in data['source']['file']}
exec(sys.argv[1])
END
# page STATEMENT OPTION... PROFILE
page() {
	expect_status 0 "$GPROFX" --no-findings --output=html:page.html "${@:2:$#-2}" program "${@: -1}"
	python3 page.py "$1" || fail "$*"
}
write gmon.out "$base" "$step=10" "$own=4"
page 'assert rows == [("main", "step", "step.h", 2), ("main", False, "inlined.c", 4)], rows
assert all(file in shown for file in parts["file"]), (parts, shown)' gmon.out
# Nobody asks where a function is that nothing was inlined into, or that does not say so.
page 'assert parts is None, parts' --set=html.inlined=false gmon.out
write own "$base" "$own=4"
page 'assert parts is None, parts' own

# Lines of stacks have no times. Still the page has the text that the links lead to: of a long file without any function,
# where step is in line 4000. What is not found has no text.
{
	seq -f 'extern int declared_%06g;' 3998
	cat include/step.h
} >include/long.h
sed 's/step.h/long.h/' inlined.c >linked.c
"$GPROFX_CC" -g -O1 linked.c -o linked 2>err || { cat err; skip 'cannot build'; }
base=$(nm linked | sed -n 's/ T main$//p')
python3 - "$base" <<'END' || fail 'cannot write stacks'
import os, sys
import gxcfile
base = int(sys.argv[1], 16)
file = gxcfile.File().program(os.path.abspath('linked'), base, base + 64)
open('stacks.gxc', 'wb').write(file.stacks([(base + i, 0, 0, 9, 9) for i in range(24)]).bytes())
END
# linked STATEMENT: it holds for the line of step, the file that the page has of it, and the text of the line there.
linked() {
	expect_status 0 "$GPROFX" --no-findings --output=html:page.html linked stacks.gxc
	python3 page.py "files = {file['path']: file for file in data['source']['file']}
place = {row[1]: (file, row[3]) for row, file in zip(rows, parts['file'])}['step']
file, line = files.get(place[0]), place[1]
text = [part['lines'][line - part['first']] for part in file and file['parts'] or []
        if part['first'] <= line < part['first'] + len(part['lines'])]
assert line == 4000, rows
$1" || fail "$1"
}
linked 'assert text and "int step" in text[0], (file, text)
assert len(file["parts"]) == 1 and file["parts"][0]["first"] == 3980 and file["count"] == 4000, file["parts"]'
mv include moved
linked 'assert not file["found"] and not text, file'
