#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The library shows what its header declares, each with a version, and nothing else; the header can be used
# from C++.
. "$GPROFX_SOURCE/tests/library/lib.sh"
need nm
need c++

nm -D --defined-only "$GPROFX_LIBRARY" | awk '$2 != "A" { print $3 }' | sort >shown
grep -v '@@GPROFX_1\.' shown && fail 'a symbol without a version of ours'
sed -i 's/@.*//' shown
grep -oE '\b(gprofx_(analys(e|is_[a-z_]+)|serialize|merge|finish|partial_[a-z]+|version))\(' "$GPROFX_SOURCE/include/gprofx/gprofx.h" |
	tr -d '(' | sort -u >declared
[ -s declared ] || fail 'the header declares nothing'
diff declared shown >&2 || fail 'the library shows something else than the header declares'

printf '#include <gprofx/gprofx.h>\nint main() { return gprofx_version()[0] == 0; }\n' >use.cc
c++ -std=c++17 -Wall -Wextra -Werror -I"$GPROFX_SOURCE/include" -fsyntax-only use.cc ||
	fail 'the header is no C++'
