#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Every source file says in one of its first two lines which licence it is under. Files that become a part of users'
# programs, those of the collector, are under the Apache License with the LLVM exception, and no others are.
. "$GPROFX_SOURCE/tests/cli/lib.sh"

cd "$GPROFX_SOURCE" || exit 1
find . -path './build*' -prune -o -path './debian/*/usr' -prune -o -path ./.git -prune -o -type f \
	\( -name '*.[chsS]' -o -name '*.cc' -o -name '*.f90' -o -name '*.sh' -o -name '*.py' -o -name '*.cmake' \
	-o -name CMakeLists.txt -o -name '*.yaml' -o -name '*.[1357]' -o -path './scripts/*' -o -path './.ci/*' \) -print \
	>"$scratch/files"
[ "$(wc -l <"$scratch/files")" -gt 20 ] || fail 'hardly any source files found'
tr '\n' '\0' <"$scratch/files" | xargs -0 awk '
	function is_of_collector(name) {
		return name ~ /^\.\/(collect\/|include\/gprofx\/(collect|gxc)\.h$|doc\/gprofx-(record|collect)\.[135]$)/
	}
	match($0, /SPDX-License-Identifier: Apache-2\.0( WITH LLVM-exception)?/) {
		if (is_of_collector(FILENAME) == (substr($0, RSTART, RLENGTH) ~ /exception$/))
			print FILENAME
	}
	FNR == 2 { nextfile }' | sort -u >"$scratch/licensed"
sort "$scratch/files" | comm -23 - "$scratch/licensed" >"$scratch/bare"
[ ! -s "$scratch/bare" ] || fail "no licence line, or another one, in: $(paste -sd' ' "$scratch/bare")"
