#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The folders of the engine include each other in one direction, in the order of engine/layers.txt.
. "$GPROFX_SOURCE/tests/cli/lib.sh"

# wrong ENGINE: includes that go against the order of its layers.txt, and folders that are not in it.
wrong() {
	(cd "$1" && grep -v '^#' layers.txt >"$scratch/order" &&
		find . -name '*.[ch]' -exec grep -Ho '^#include "[^"]*"' {} + |
		sed 's,^\./,,; s/:#include "/ /; s/"$//' |
			awk '
				function layer(path) {
					if (path == "engine.h" || path ~ /^[a-z]*\.def$/)
						return "engine.h"
					return sub("/[^/]*$", "", path) ? path : "."
				}
				NR == FNR { height[$1] = NR; next }
				{
					from = layer($1)
					to = layer($2)
					if (!(from in height) || !(to in height))
						print $1 ": " (from in height ? to : from) " is not in layers.txt"
					else if (height[to] > height[from])
						print $1 " includes " $2
				}' "$scratch/order" -)
}

found=$(wrong "$GPROFX_SOURCE/engine")
[ -z "$found" ] || fail "against engine/layers.txt: $found"

# Each of the includes that once closed a circle is found.
mkdir copy
cp -r "$GPROFX_SOURCE/engine/." copy
while read -r file header; do
	cp "copy/$file" kept
	printf '#include "%s"\n' "$header" >>"copy/$file"
	[ "$(wrong copy)" = "$file includes $header" ] || fail "$file may include $header"
	cp kept "copy/$file"
done <<'END'
plugin/find.c config/keys.h
plugin/modules.c config/config.h
corrections/corrections.c config/config.h
schema/parse.h plugin/plugins.h
statistics/labels.c emit/emit.h
scan/scan.h graph/graph.h
base/run.h pipeline.h
END
mkdir copy/new
printf '#include "base/run.h"\n' >copy/new/new.c
[ "$(wrong copy)" = 'new/new.c: new is not in layers.txt' ] || fail 'a new folder needs no place'
