#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Tests for which scripts/test installs no compilers and emulators: the collector on aarch64, and the example of a program
# without an operating system.
#
#   machines.sh BUILD [OPTION]...
set -u

passed=0
failed=0
for test in kit/bare-metal.sh collect/aarch64.py; do
	if "$GPROFX_SOURCE/tests/$test"; then
		passed=$((passed + 1))
	else
		printf 'FAIL: %s\n' "$test"
		failed=$((failed + 1))
	fi
done
printf 'machines: %d passed, %d failed\n' "$passed" "$failed"
[ "$failed" = 0 ]
