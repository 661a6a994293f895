#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The example of a program without an operating system, for which scripts/test does not install compilers.
#
#   bare-metal.sh BUILD [OPTION]...
set -u

passed=0
failed=0
bash "$GPROFX_SOURCE/tests/kit/bare-metal.sh"
case $? in
0) passed=1 ;;
*) failed=1 ;;
esac
printf 'bare-metal: %d passed, %d failed\n' "$passed" "$failed"
exit "$failed"
