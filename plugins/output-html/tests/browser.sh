#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A page in Chromium, in short: it starts, each view shows something, the console stays empty, and names that are markup
# stay text. "scripts/long page" does more.
. "$GPROFX_SOURCE/plugins/output-html/tests/lib.sh"
PYTHONPATH=$GPROFX_SOURCE/tests/tools python3 - <<'END' || fail 'no profile was made'
import pagecases
with open('words', 'w', encoding='utf-8') as out:
    out.write('\0'.join(pagecases.hostile_sources('.')))
END
mapfile -d '' words <words
"$GPROFX" --output=html:page.html "${words[@]}" 2>messages || fail "gprofx: $(cat messages)"

look 'v=flame'
shows flame '<canvas'
grep -q 'role="row"' dom || fail 'there are no rows'
grep -q '<th[^>]*class="part"[^>]*>of its calls</th>' dom || fail 'shares of calls are not named'
look 'v=flame&as=list'
shows flame 'role="treeitem"'
look 'v=graph&f=0'
shows graph 'class="graph-node is-center"'
look 'v=source&f=0'
shows source 'class="source-text">&lt;/script&gt;&lt;script&gt;'
# Nothing of shares that can be chance is more precise than they are.
shows source 'few samples ([0-9]* in this file): the share of line [0-9]* can be [0-9.]* to [0-9.]*'
shows source 'class="source-share"><span title="[^"]*">[0-9]*%<'
look 'v=method'
shows method '<li'
for word in inlined here 'in all' estimated; do
	grep -q "<dt>$word</dt>" dom || fail "the list of words lacks $word"
done

# Inlined subroutines, which are no functions of their own.
[ -n "${GPROFX_CC-}" ] || exit 0
cat >inlined.c <<'END'
volatile int sink;
__attribute__((always_inline)) static inline int step_of_a_name_that_is_longer_than_what_is_shown_of_it(int x)
{ return x * sink; }
int main(int argc, char **argv)
{ (void)argv; sink = argc; sink += step_of_a_name_that_is_longer_than_what_is_shown_of_it(argc);
	return called_with_a_name_that_is_longer_than_its_box(sink); }
END
sed -i '1s/$/ int called_with_a_name_that_is_longer_than_its_box(int);/' inlined.c
echo 'int called_with_a_name_that_is_longer_than_its_box(int x) { return x - sink; }' >>inlined.c
"$GPROFX_CC" -g -O1 inlined.c -o inlined 2>/dev/null || exit 0
python3 - "$(nm inlined | sed -n 's/ T main$//p')" "$(nm inlined | sed -n 's/ T called_.*//p')" <<'END' || fail 'no stacks were made'
import os, sys
import gxcfile
base, called = int(sys.argv[1], 16), int(sys.argv[2], 16)
file = gxcfile.File().program(os.path.abspath('inlined'), min(base, called), max(base, called) + 64)
rows = [(base + i, 0, 0, 9, 9) for i in range(24)] + [(called + 2, 12, 0, 40, 40)]
open('stacks.gxc', 'wb').write(file.stacks(rows).bytes())
END
"$GPROFX" --output=html:inlined.html inlined stacks.gxc 2>messages || fail "gprofx: $(cat messages)"
name=step_of_a_name_that_is_longer_than_what_is_shown_of_it

look 'v=flame&q=step' inlined.html
shows flame 'matches: [0-9].*% of the time'
tr '\n' ' ' <dom | grep -o '<ul class="found-inlined".*</ul>' | sed 's/<\/ul>.*//' >found
grep -q "f=[0-9]*&amp;v=flame&amp;zoom=[0-9]*\" class=\"name\">$name</a> inlined: .* of the time, in the code of .*>main</a>" found ||
	fail "the search does not find the subroutine: $(cat found)"
zoom=$(sed -n 's/.*zoom=\([0-9]*\).*/\1/p' found)
look "v=flame&zoom=$zoom" inlined.html
# Its frame has figures and a place of its own, not those of main.
tr '\n' ' ' <dom | sed 's/&nbsp;/ /g; s/\xc2\xa0/ /g' | grep -o '<p id="flame-readout".*</p>' | sed 's/<\/p>.*//' >readout
! grep -q 'in all: .*100\.0%' readout && grep -q " (inlined in main)<.*>inlined\.c:3<.*here \([^,]*\), itself \([^<]*\)<.*in all: self \2, total \1<" readout ||
	fail "the frame of a subroutine is not about it: $(cat readout)"
grep -q '<ul class="found-inlined"[^>]* hidden=""></ul>' dom || fail 'subroutines are listed without a search'

# What is shortened has its whole name as a title.
called=called_with_a_name_that_is_longer_than_its_box
grep -q "class=\"name\" title=\"$called\">called_with" dom || fail 'the name of a callee has no title'
node=$(sed -n "s/.*href=\"#f=\([0-9]*\)\" class=\"name\"[^>]*>called_with.*/\1/p" dom | head -n 1)
look "v=flame&as=list&f=$node" inlined.html
shows flame "<bdi title=\"$called\">$called"
look "v=graph&f=$node" inlined.html
shows graph "<title>$called</title>.*class=\"graph-name\">called_with[^<]*…"
look "v=source&f=$node" inlined.html
shows source "title=\"$called\">Show called_with[^<]*…"
