#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The example of a program without an operating system: for two machines, in an emulator, its dump is a profile with exactly
# the calls that it makes, and counting them changes no result. Takes 6 seconds.
. "$GPROFX_SOURCE/tests/cli/lib.sh"
need make xxd python3

example=$GPROFX_SOURCE/examples/bare-metal

# made BOARD WORD...: builds and runs the example with these words for make.
made() {
	expect_status 0 make -s -B -f "$example/Makefile" OUT=. "BOARD=$1" "${@:2}" run
}

result() {
	sed -n 's/^result //p' "$1.log"
}

# check BOARD LEVEL [WORD]...: optimizers turn one of two recursive calls into a loop.
check() {
	made "$1" OPTIMIZE="$2" "${@:3}"
	[ "$(sed -n 's/^lost //p' "$1.log")" = 00000000 ] || fail "$1 $2: calls were lost"
	[ "$(result "$1")" = "$plain" ] || fail "$1 $2: $(result "$1") instead of $plain"
	expect_status 0 "$GPROFX" --output=json "$1.elf" "$1.gmon"
	python3 - "$2" "$scratch/out" <<'PYTHON' || fail "$1 $2: other calls"
import json
import sys

level, path = sys.argv[1:]
with open(path, encoding='utf-8') as text:
    report = json.load(text)
names = {row['id']: row['name'] for row in report['functions']}
calls = {(names[arc['caller']], names[arc['callee']]): int(arc['calls']) for arc in report['arcs'] if arc['calls'] is not None}
samples = report['account']['samples']
wanted = {('main', 'work'): 1, ('work', 'mix'): 1000, ('work', 'add'): 750, ('work', 'subtract'): 250, ('main', 'fibonacci'): 1}
for pair, count in wanted.items():
    assert calls.get(pair) == count, (pair, calls.get(pair), count)
recursive = int(next(row['recursive_calls'] for row in report['functions'] if row['name'] == 'fibonacci'))
assert recursive == 1972 if level == '-O0' else 0 < recursive <= 1972, recursive
ticks = int(next(row['calls'] for row in report['functions'] if row['name'] == 'note_tick'))
assert ticks >= 200 and samples == ticks, (ticks, samples)
PYTHON
}

tried=0
for board in cortex-m riscv; do
	case $board in
	cortex-m) tools='arm-none-eabi-gcc qemu-system-arm' ;;
	riscv) tools='riscv64-unknown-elf-gcc qemu-system-riscv32' ;;
	esac
	# shellcheck disable=SC2086 # two words
	command -v $tools >all-tools || true
	[ "$(wc -l <all-tools)" = 2 ] || continue
	tried=$((tried + 1))
	made "$board" PROFILE=
	plain=$(result "$board")
	[ -n "$plain" ] || fail "$board: no result"
	check "$board" -O0
	check "$board" -O2
	check "$board" -Os LTO=-flto
	# Without room for all pairs, those that there is room for are exact, and the others are numbered.
	made "$board" OPTIMIZE='-O2 -DPROFILE_ARCS=4'
	[ "$(sed -n 's/^lost //p' "$board.log")" != 00000000 ] || fail "$board: nothing was lost with room for 4 pairs"
	[ "$(result "$board")" = "$plain" ] || fail "$board: another result where calls are lost"
done
[ "$tried" -gt 0 ] || skip 'there is no cross compiler with its emulator'
