#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# option.unavailable: an option of gprof that this version does not have is never ignored; it is told
# about when the whole line has been read.
. "$GPROFX_SOURCE/tests/cli/lib.sh"

for word in -A -c -I. -Jx -m3 -t5 -x -y; do
	for mode in "" --gnu; do
		expect_status 1 "$GPROFX" $mode -b "$word" no-image
		expect_in err "error[option.unavailable]: expected an option that this version has, found ${word:0:2} (--"
		expect_in err '  hint: '
		expect_empty out
	done
done
# All of them at once, but GNU mode stops after the first.
expect_status 1 "$GPROFX" -y -c
expect_in err 'found -y (--separate-files)'
expect_in err 'found -c (--static-call-graph)'
expect_status 1 "$GPROFX" -y -c --gnu
[ "$(grep -c 'error\[' err)" = 1 ] || fail 'one message was expected'
# What is wrong with the line comes first; --help and --version act where they stand.
expect_status 2 "$GPROFX" -y --foo
expect_in err 'usage.unknown-option'
expect_status 0 "$GPROFX" -y --version
expect_empty err
