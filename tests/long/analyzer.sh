#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
#   analyzer.sh BUILD
#
# What clang-tidy says of every source if its analyzer follows all paths that it follows by itself, three
# times as many as in scripts/test. Each source is a case.
set -u
tidy=$(command -v clang-tidy-14 || command -v clang-tidy) || exit 1
folder=$(mktemp -d "${TMPDIR:-/tmp}/gprofx-analyzer.XXXXXX") || exit 1
trap 'rm -rf "$folder"' EXIT
cmake -S "$GPROFX_SOURCE" -B "$folder/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_COMPILER=clang \
	-DGPROFX_TESTS=OFF >/dev/null || exit 1
cd "$GPROFX_SOURCE" || exit 1
# One file at a time: with several, the analyzer of version 14 carries state of va_lists along.
find engine cli collect library plugins -name tests -prune -o -name '*.c' -print0 |
	xargs -0 -n 1 -P "$(nproc)" bash -c '
		if "$0" --quiet -p "$1/build" --warnings-as-errors="*" "$2" >"$1/$$.said" 2>/dev/null; then
			echo passed
		else
			cat "$1/$$.said" >&2
			echo failed
		fi' "$tidy" "$folder" >"$folder/results"
failed=$(grep -c failed "$folder/results")
echo "analyzer: $(grep -c passed "$folder/results") passed, $failed failed"
[ "$failed" -eq 0 ]
