#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Source files and lines from stabs are those that GNU gprof finds: against_gprof.py builds the
# programs of tests/compare with stabs, and images with stabs in any order, and compares what both
# print about them. It takes about 25 s.
. "$GPROFX_SOURCE/tests/cli/lib.sh"
need python3 gcc g++ as ld objcopy gprof

gprof --version | head -n 1 | grep -q ' 2\.40' || skip 'gprof is not version 2.40'
echo 'int main(void) { return 0; }' >stabs.c
gcc -gstabs stabs.c -o stabs 2>err || skip 'the compiler does not write stabs'
ln -s "$GPROFX" "$scratch/gprof" || exit 1
python3 -B "$GPROFX_SOURCE/plugins/symbols-stabs/tests/against_gprof.py" "$scratch/gprof" "$@"
