#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A page in Chromium, in short: it starts, each view shows something, the console stays empty, and names that are markup
# stay text. "scripts/long page" does more.
. "$GPROFX_SOURCE/tests/cli/lib.sh"
need chromium python3

cd "$scratch" || exit 1
PYTHONPATH=$GPROFX_SOURCE/tests/tools python3 - <<'END' || fail 'no profile was made'
import pagecases
with open('words', 'w', encoding='utf-8') as out:
    out.write('\0'.join(pagecases.hostile_sources('.')))
END
mapfile -d '' words <words
"$GPROFX" --output=html:page.html "${words[@]}" 2>messages || fail "gprofx: $(cat messages)"

# look ADDRESS: the page as the browser has it then, in "dom".
look() {
	chromium --headless --no-sandbox --disable-gpu --no-first-run --disable-background-networking --user-data-dir="$scratch/user" \
		--virtual-time-budget=4000 --enable-logging=stderr --dump-dom "file://$scratch/page.html#$1" >dom 2>console ||
		fail "chromium failed: $(tail -3 console)"
	! grep 'CONSOLE' console || fail "#$1 prints to the console"
	grep -q '<html [^>]*data-ready="1"' dom || fail "#$1 does not start"
	! grep -qi '<img\|<iframe\|onerror="' dom || fail "#$1 takes a name for markup"
}

# shows VIEW TEXT: the panel of a view, which is not hidden, has an element like this.
shows() {
	tr '\n' ' ' <dom | sed 's/role="tabpanel"/\n&/g' | grep "id=\"panel-$1\"" | grep -v '^[^>]* hidden' | grep -q "$2" ||
		fail "the view $1 does not show $2"
}

look 'v=flame'
shows flame '<canvas'
grep -q 'role="row"' dom || fail 'there are no rows'
look 'v=flame&as=list'
shows flame 'role="treeitem"'
look 'v=graph&f=0'
shows graph 'class="graph-node is-center"'
look 'v=source&f=0'
shows source 'class="source-text">&lt;/script&gt;&lt;script&gt;'
look 'v=method'
shows method '<li'
