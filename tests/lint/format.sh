#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Every C file is laid out as clang-format 14 lays it out with .clang-format.
. "$GPROFX_SOURCE/tests/cli/lib.sh"

formatter=$(command -v clang-format-14 || command -v clang-format) || skip 'clang-format is not installed'
"$formatter" --version | grep -q 'version 14\.' || skip 'clang-format is not version 14'

cd "$GPROFX_SOURCE" || exit 1
find include engine cli collect library mpi plugins tests examples bench -name '*.[ch]' -print0 2>/dev/null >"$scratch/files"
[ -s "$scratch/files" ] || fail 'no C files found'
run xargs -0 -a "$scratch/files" "$formatter" --dry-run -Werror
[ "$status" -eq 0 ] || fail "these need clang-format -i: $(
	sed -n 's/^\([^: ]*\):[0-9].*/\1/p' "$scratch/err" | sort -u | paste -sd' ')"
