#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Makes the recordings beside this file, with collectors as they were when the format was extended: the first one;
# unloaded objects at addresses of their own and the collector's cost; phases; waits. They stay as they are: a reader
# that does not read them any more does not read what users have.
#
#     tests/data/recordings/make.sh FOLDER
set -e
source=$(git -C "$(dirname "$0")" rev-parse --show-toplevel)
to=$(realpath "$1")
# The path of the program is in the recordings.
mkdir -p /tmp/recorded
cd /tmp/recorded
gcc -D_GNU_SOURCE -O1 -pg -fno-optimize-sibling-calls -pthread "$source/tests/data/recordings/program.c" -o program
strip --strip-debug program
xz -9e -c program >"$to/program.xz"
while read -r name commit option; do
	rm -rf "$commit" data
	mkdir "$commit"
	git -C "$source" archive "$commit" | tar -x -C "$commit"
	cmake -S "$commit" -B "$commit/build" -G Ninja -DCMAKE_BUILD_TYPE=Release
	ninja -C "$commit/build" gprofx_collect gprofx_record
	"$commit/build/bin/gprofx-record" -o data --rate=1000 $option ./program
	xz -9e -c data/*.gxc >"$to/$name.gxc.xz"
done <<'END'
first b935c4bd
kept 24d4b0ca
phases a0399b86
waits df152606 --clock=wall
END
