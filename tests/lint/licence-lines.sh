#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Every source file says in one of its first two lines which licence it is under.
. "$GPROFX_SOURCE/tests/cli/lib.sh"

cd "$GPROFX_SOURCE" || exit 1
find . -path './build*' -prune -o -path './debian/*/usr' -prune -o -path ./.git -prune -o -type f \
	\( -name '*.[chsS]' -o -name '*.cc' -o -name '*.f90' -o -name '*.sh' -o -name '*.py' -o -name '*.cmake' \
	-o -name CMakeLists.txt -o -name '*.yaml' -o -name '*.[1357]' -o -path './scripts/*' -o -path './.ci/*' \) -print \
	>"$scratch/files"
[ "$(wc -l <"$scratch/files")" -gt 20 ] || fail 'hardly any source files found'
tr '\n' '\0' <"$scratch/files" | xargs -0 awk '
	/SPDX-License-Identifier: Apache-2\.0/ { print FILENAME }
	FNR == 2 { nextfile }' | sort -u >"$scratch/licensed"
sort "$scratch/files" | comm -23 - "$scratch/licensed" >"$scratch/bare"
[ ! -s "$scratch/bare" ] || fail "no licence line in: $(paste -sd' ' "$scratch/bare")"
