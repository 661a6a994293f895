#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# option.unavailable: an option of gprof that this version does not have is never ignored; it is told
# about when the whole line has been read.
. "$GPROFX_SOURCE/tests/cli/lib.sh"

	for mode in "" --gnu; do
		expect_status 1 "$GPROFX" $mode -b "$word" no-image
		expect_in err "error[option.unavailable]: expected an option that this version has, found -c (--"
		expect_in err '  hint: '
		expect_empty out
	done
done
# What is wrong with the line comes first; --help and --version act where they stand.
expect_status 2 "$GPROFX" -c --foo
expect_in err 'usage.unknown-option'
expect_status 0 "$GPROFX" -c --version
expect_empty err
