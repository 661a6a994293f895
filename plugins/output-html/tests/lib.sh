# SPDX-License-Identifier: Apache-2.0
#
# Helpers for tests of pages in Chromium, on top of those in tests/cli/lib.sh.
# shellcheck shell=bash

. "$GPROFX_SOURCE/tests/cli/lib.sh"
need chromium python3

cd "$scratch" || exit 1

# look ADDRESS [PAGE]: the page as the browser has it then, in "dom".
look() {
	chromium --headless --no-sandbox --disable-gpu --no-first-run --disable-background-networking --user-data-dir="$scratch/user" \
		--virtual-time-budget=4000 --enable-logging=stderr --dump-dom "file://$scratch/${2-page.html}#$1" >dom 2>console ||
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
