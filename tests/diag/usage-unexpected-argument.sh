#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# usage.unexpected-argument: "=" behind an option that stands alone.
. "$GPROFX_SOURCE/tests/cli/lib.sh"

expect_status 2 "$GPROFX" --brief=yes
expect_in err "gprofx: error[usage.unexpected-argument]: --brief takes no argument, but 'yes' was given"
expect_in err '  hint: write --brief'
expect_status 2 "$GPROFX" --list-plugins=
expect_in err "[usage.unexpected-argument]: --list-plugins takes no argument, but '' was given"
expect_empty out

as_gprof
expect_status 1 ./gprof --brief=yes
expect_match err "^\./gprof: option '--brief' doesn't allow an argument\$"
expect_status 1 "$GPROFX" --gnu --list-plugins=x
expect_in err "$GPROFX: option '--list-plugins' doesn't allow an argument"
expect_match err '^Usage: '
