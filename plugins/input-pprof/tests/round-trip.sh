#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# pprof.round-trip: folded stacks that are written as a profile of pprof, and that as folded stacks again, are the same:
# recursion, stacks that begin alike, names with blanks, and weights beyond 32 bits. Takes about a second.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"

cat >stacks <<'EOF'
main 7
main;a 3
main;a;b 12
main;a;b;a 5
main;a;b;a;b 1
main;operator new(unsigned long);malloc 8589934592
start;main;a 2
EOF
LC_ALL=C sort stacks >sorted
expect_status 0 "$GPROFX" --no-findings --output=pprof:profile.pb.gz stacks
expect_empty err
expect_status 0 "$GPROFX" --no-findings --output=folded:again profile.pb.gz
expect_empty err
LC_ALL=C sort again | diff sorted - >&2 || fail 'stacks differ'
