#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# usage.unknown-option: a word that is no option, with the name that comes nearest.
. "$GPROFX_SOURCE/tests/cli/lib.sh"

expect_status 2 "$GPROFX" -b --flatt-profile a.out
expect_in err "gprofx: error[usage.unknown-option]: unknown option '--flatt-profile'"
expect_in err '  hint: did you mean --flat-profile?'
expect_empty out
# Own options must be spelled out; the hint helps.
expect_status 2 "$GPROFX" --list-plug
expect_in err 'did you mean --list-plugins?'
expect_status 2 "$GPROFX" --palette
expect_not_in err 'did you mean'
expect_in err 'hint: use --help=all'
# What others call it.
for word in --diff --compare --diff=old.out; do
	expect_status 2 "$GPROFX" $word a.out new.out
	expect_in err "unknown option '$word'"
	expect_in err 'hint: --per-file shows the difference of two profiles'
done
expect_status 2 "$GPROFX" --differ
expect_not_in err --per-file
expect_status 2 "$GPROFX" --brief -aG
expect_in err "[usage.unknown-option]: unknown option '-G'"
# Settings of outputs are no options.
expect_status 2 "$GPROFX" --top=10 a.out
expect_in err '  hint: write --set=flat.top=10, callgraph.top, diff.top, markdown.top, per-file.top, per-thread.top or top.top'
touch a.out
expect_status 2 "$GPROFX" --top 7 a.out
expect_in err '  hint: write --set=flat.top=7,'
for words in --top '--top a.out' '--top -b' "--top=$(seq -s '' 40)"; do
	# shellcheck disable=SC2086
	expect_status 2 "$GPROFX" $words
	expect_in err '  hint: write --set=flat.top=VALUE,'
done
expect_status 2 "$GPROFX" --names=short
expect_in err '  hint: write --set=flat.names=short, callgraph.names, counts.names, diff.names, markdown.names, per-file.names, per-thread.names or top.names'
expect_status 2 "$GPROFX" --hot=5
expect_match err '^  hint: write --set=annotate\.hot=5$'
# A word cannot write to the terminal.
expect_status 2 "$GPROFX" $'--a\033[2J'
expect_in err "unknown option '--a\\x1b[2J'"
expect_status 2 "$GPROFX" $'--top=\033[2J'
expect_in err 'flat.top=\x1b[2J,'

as_gprof
expect_status 1 ./gprof --flatt-profile
expect_match err "^\./gprof: unrecognized option '--flatt-profile'\$"
expect_match err '^Usage: \./gprof '
expect_not_in err 'error['
expect_empty out
