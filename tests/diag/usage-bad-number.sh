#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# usage.bad-number: a number behind an option that is none, or too large.
. "$GPROFX_SOURCE/tests/cli/lib.sh"

for word in x -1 4x 1025 99999999999999999999 ' 1' 0x1; do
	expect_status 2 "$GPROFX" --threads="$word"
	expect_in err "gprofx: error[usage.bad-number]: expected a number from 0 to 1024 after --threads, found '$word'"
	expect_in err '  hint: '
	expect_empty out
done
for word in x -1 97.5 4294967296 99999999999999999999 1e3; do
	expect_status 2 "$GPROFX" --hz="$word"
	expect_in err "gprofx: error[usage.bad-number]: expected a number from 0 to 4294967295 after --hz, found '$word'"
	expect_in err '  hint: '
	expect_empty out
done
expect_status 0 "$GPROFX" --hz=0 --hz 4294967295 --help
expect_status 0 "$GPROFX" --threads 1024 --threads=0 --help
# GNU gprof has no words for it, only the status.
expect_status 1 "$GPROFX" --threads=x --gnu
expect_in err 'error[usage.bad-number]'

# Widths and lengths: as much as is asked for would be written.
for word in 0 -5 x 20x 32768 99999999999 18446744073709551697; do
	expect_status 2 "$GPROFX" -w "$word"
	expect_in err "gprofx: error[usage.bad-number]: expected a number from 1 to 32767 after --width, found '$word'"
	expect_in err '  hint: '
	expect_empty out
done
expect_status 0 "$GPROFX" -w 1 --width=32767 --help
for word in -1 x 3x 2147483648; do
	expect_status 2 "$GPROFX" -t "$word"
	expect_in err "error[usage.bad-number]: expected a number from 0 to 2147483647 after --table-length, found '$word'"
done
for word in -1 x 3x 9223372036854775808; do
	expect_status 2 "$GPROFX" -m "$word"
	expect_in err "error[usage.bad-number]: expected a number from 0 to 9223372036854775807 after --min-count, found '$word'"
done
# GNU mode takes what GNU gprof takes, up to the same bound.
python3 - <<'END' || fail 'no profile was made'
from profiled import Program
program = Program(['main', 'work'])
open('image', 'wb').write(program.bytes())
open('gmon.out', 'wb').write(program.profile({'work': 3}, [('main', 'work', 1)]).bytes())
END
for word in 99999999999 32768 2147483647; do
	expect_status 0 "$GPROFX" --gnu -b -q -w "$word" image
	expect_in err "warning[usage.bad-number]: expected at most 32767 columns after --width, found '$word'; the index has 32767"
	[ "$(wc -c <out)" -lt 100000 ] || fail "$(wc -c <out) bytes for -w $word"
	mv out bounded
	expect_status 0 "$GPROFX" --gnu -b -q -w 32767 image
	expect_empty err
	expect_same bounded out
done
for word in x 0 -5 4294967297; do
	expect_status 0 "$GPROFX" --gnu -b -q -w "$word" -m x -t -1 -t x image
	expect_empty err
done
# The same through an option of the output.
expect_status 1 "$GPROFX" -b -q --output-option=callgraph.width=32768 image
expect_in err 'from 1 to 32767'
