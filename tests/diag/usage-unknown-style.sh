#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# usage.unknown-style: a style of demangling that there is none of.
. "$GPROFX_SOURCE/tests/cli/lib.sh"

expect_status 2 "$GPROFX" --demangle=gnu --foo
expect_in err "gprofx: error[usage.unknown-style]: unknown demangling style 'gnu'"
expect_in err '  hint: the styles are none, auto, gnu-v3, java, gnat, dlang and rust'
expect_empty out
for style in none auto gnu-v3 java gnat dlang rust; do
	expect_status 0 "$GPROFX" --demangle=$style --help
done

as_gprof
expect_status 1 ./gprof --demangle=gnu --foo
printf "./gprof: unknown demangling style \`gnu'\n" >expected
expect_same expected err
expect_empty out
