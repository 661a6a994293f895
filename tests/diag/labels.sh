#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# labels.bad-pattern, labels.bad-text, labels.too-costly, labels.not-installed: what is wrong with the
# labels of files is reported with its place, before a profile is read; and report.no-statistics.
. "$GPROFX_SOURCE/tests/diag/lib.sh"
need python3

python3 - <<-'END' || fail 'cannot write the files'
	from profiled import Program
	program = Program(['main', 'work'])
	open('program', 'wb').write(program.bytes())
	for name in ('gmon.out', 'a' * 200):
	    open(name, 'wb').write(program.profile({'main': 1, 'work': 3}).bytes())
END

expect_status 1 "$GPROFX" -p --output=csv:table --output-option=csv.table=per-file program
expect_match err 'error\[report\.no-statistics\]: no per-file statistics were collected'
expect_match err 'hint: .*--per-file'

# labelled PATTERN TEXT: settings with both.
labelled() {
	printf "profiles:\n  label: '%s'\n  label-text: '%s'\n" "$1" "$2" >c.yaml
}

if ! "$GPROFX" --list-plugins | grep -q '^labels-pcre2 '; then
	labelled '(?<a>.)' ''
	expect_status 1 "$GPROFX" --config=c.yaml --per-file program
	expect_match err 'error\[labels\.not-installed\]: c\.yaml:2:10: labels need the plugin labels-pcre2'
	skip 'the plugin was not built'
fi

# refused ID TEXT PATTERN [TEXT]: nothing is written, and the file is not even looked for.
refused() {
	labelled "$3" "${4-}"
	expect_status 1 "$GPROFX" --config=c.yaml --per-file program absent
	expect_empty out
	expect_match err "error\\[labels\\.$1\\]: c\\.yaml:$2"
	[ "$(grep -c 'error\[' err)" -eq 1 ] || fail 'more than one error'
}

refused bad-pattern '2:10: .*at byte 1 of "\(": missing closing parenthesis' '('
refused bad-pattern '2:10: .*numbers out of order in \{\} quantifier' 'a{2,1}'
refused bad-pattern '2:10: expected a group with a name, found none in "gmon"' 'gmon'
refused bad-pattern '2:10: expected a group with a name, found none in "\(g\)"' '(g)'
refused bad-pattern '2:10: .*too large' '(?<a>(x{1000}){1000}){1000}'
refused bad-pattern '2:10: .*longer than' "(?<a>$(printf 'x%.0s' {1..5000}))"
refused bad-text '3:15: .*found "\{b\}" at byte 2' '(?<a>.)' 'x {b}'
refused bad-text '3:15: .*found "\{a" at byte 0' '(?<a>.)' '{a'
refused bad-text '3:15: .*found "\{\}" at byte 0' '(?<a>.)' '{}'

# Matching is stopped; the report of a name that is quickly matched is written.
long=$(printf 'a%.0s' {1..200})
labelled '(?<b>(a|aa)+)(b|c)' ''
expect_status 1 "$GPROFX" --config=c.yaml --per-file program "$long"
expect_empty out
expect_match err "error\\[labels\\.too-costly\\]: c\\.yaml:2:10: matching \"$long\""
expect_status 0 "$GPROFX" --config=c.yaml --per-file program gmon.out

# Labels are not asked for where no files are distinguished.
labelled '(' ''
expect_status 0 "$GPROFX" --config=c.yaml -p program

# Without the plugin the pattern is refused, and everything else works.
[ "${GPROFX_BUILTIN:-}" != 1 ] && [ -d "${GPROFX_PLUGIN_DIR:-}" ] || exit 0
mkdir -p copy/bin "copy/$(basename "$(dirname "$(dirname "$GPROFX_PLUGIN_DIR")")")/gprofx/1"
cp "$GPROFX" copy/bin/gprofx
cp "$GPROFX_PLUGIN_DIR"/* copy/*/gprofx/1/
rm copy/*/gprofx/1/labels-pcre2.*
labelled '(?<a>.)' ''
expect_status 1 copy/bin/gprofx --config=c.yaml --per-file program
expect_empty out
expect_match err 'error\[labels\.not-installed\]: c\.yaml:2:10: labels need the plugin labels-pcre2'
expect_status 0 copy/bin/gprofx --per-file program
