#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# No whole number has more than 64 bits: compilers for processors of 32 bits have none.
. "$GPROFX_SOURCE/tests/cli/lib.sh"

cd "$GPROFX_SOURCE" || exit 1
find include engine cli collect library mpi plugins tests examples bench -name '*.[ch]' 2>/dev/null >"$scratch/files"
[ -s "$scratch/files" ] || fail 'no C files found'
xargs -d '\n' grep -nE '__int128|_BitInt' <"$scratch/files" >"$scratch/out"
expect_empty "$scratch/out"
