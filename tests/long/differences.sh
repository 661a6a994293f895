#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Two hundred pairs of profiles of each kind, drawn from known shares: false alarms, differences that are found, and
# intervals that cover the truth.
#
#   differences.sh BUILD [--seed N] [--count N]
#
# What chance allows is known for two hundred pairs and more; the seed is always the same.
set -uo pipefail

build=$1
shift
pairs=200
while [ $# -gt 1 ]; do
	[ "$1" != --count ] || pairs=$2
	shift 2
done
[ "$pairs" -ge 200 ] || pairs=200
cmake --build "$build" --target unit.compare.truth >/dev/null || exit 1
if GPROFX_COMPARE_PAIRS=$pairs "$build/tests/programs/unit.compare.truth"; then
	printf 'differences: 1 passed, 0 failed\n'
else
	printf 'differences: 0 passed, 1 failed\n'
	exit 1
fi
