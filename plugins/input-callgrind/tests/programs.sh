#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# callgrind.programs: ten programs under callgrind, and one under cachegrind: recursion, cycles, inlining, threads, calls by
# pointers, exceptions, several files and events. What gprofx reports of each function equals what callgrind_annotate
# prints, self and inclusive; and what it writes of them as callgrind has the same lines, calls and costs of all events.
# Without Valgrind it is skipped. Takes about 20 seconds.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3
need valgrind
need callgrind_annotate
need g++

python3 -B "$GPROFX_SOURCE/plugins/input-callgrind/tests/programs.py" || exit
