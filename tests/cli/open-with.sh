#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# "gprofx open --with=PROGRAM" writes what that program reads, and starts it; if it is not installed, an error names
# its package and the file.
. "$GPROFX_SOURCE/tests/tools/opened.sh"

# same FORMAT [OPTION...]: the file is what --output=FORMAT writes.
same() {
	"$GPROFX" --no-findings --output="$1":expected program || fail "no $1"
	cmp -s expected "$page" || fail "$page is not what --output=$1 writes"
}

# Not installed: the file is there.
# missing PROGRAM NAME FORMAT RUN PACKAGE
missing() {
	opened 1 DISPLAY=:7 -- --with="$1"
	expect_one open.no-program
	expect_in err "gprofx: error[open.no-program]: $page: $4, which shows it, is not installed"
	expect_match err "^  hint: install .*$5"
	[ "${page##*/}" = "$2" ] || fail "$page is not called $2"
	same "$3"
	opened 1 -- --with="$1"
	expect_one open.no-program
}
missing kcachegrind callgrind.out.program callgrind kcachegrind 'package kcachegrind'
missing pprof program.pb.gz pprof 'go tool pprof' 'package golang-go'
missing speedscope program.speedscope.json speedscope speedscope 'npm install -g speedscope'
missing dot program.dot dot dot 'package graphviz'

# Installed.
fake kcachegrind
fake qcachegrind
fake speedscope
for name in kcachegrind speedscope; do
	opened 0 DISPLAY=:7 -- --with=$name
	expect_undiagnosed
	shown $name
	[ "$(wc -l <$name.words)" = 1 ] || fail "more words than the file: $(cat $name.words)"
	[ ! -e qcachegrind.words ] || fail 'qcachegrind ran, too'
	opened 0 -- --with=$name
	expect_one open.no-display
	[ ! -e $name.words ] || fail "$name ran without a display"
done
rm bin/kcachegrind
opened 0 DISPLAY=:7 -- --with kcachegrind
shown qcachegrind
fake kcachegrind 'exit 3'
opened 1 DISPLAY=:7 -- --with=kcachegrind
expect_one open.failed
expect_in err "$page: kcachegrind ended with status 3"
# The last one counts, and the default has a name.
fake xdg-open
opened 0 DISPLAY=:7 -- --with=kcachegrind --with=browser
shown xdg-open
[[ $page == */program.html ]] || fail "not a page: $page"

# pprof runs until the user ends it, in the terminal or beside the browser that it starts.
fake pprof 'sleep 0.2; echo served'
opened 0 DISPLAY=:7 -- --with=pprof
page=$(head -n 1 out)
[ "$(tail -n 1 out)" = served ] || fail 'pprof was not waited for'
shown pprof
[ "$(head -n 1 pprof.words)" = -http=localhost: ] || fail "pprof serves no page: $(cat pprof.words)"
fake go 'sleep 0.2; echo served by go'
opened 0 DISPLAY=:7 -- --with=pprof
page=$(head -n 1 out)
shown go
[ "$(head -n 3 go.words | paste -sd' ')" = 'tool pprof -http=localhost:' ] || fail "other words for go: $(cat go.words)"
[ ! -e pprof.words ] || fail 'both ran'
opened 0 -- --with=pprof
expect_one open.no-display
on_terminal 0 PATH="$scratch/bin" TERM=dumb -- "$GPROFX" open --no-findings --with=pprof program
expect_match out '^served by go$'
[ "$(head -n 2 go.words | paste -sd' ')" = 'tool pprof' ] || fail "other words for go: $(cat go.words)"
[ "$(wc -l <go.words)" = 3 ] || fail "a page is served without a display: $(cat go.words)"
# Ctrl-C ends it, with whatever status.
fake go 'kill -INT $PPID; exit 1'
opened 0 DISPLAY=:7 -- --with=pprof
shown go
fake go 'exit 2'
opened 1 DISPLAY=:7 -- --with=pprof
expect_one open.failed
expect_in err "go tool pprof ended with status 2"

# What dot draws is shown by a browser.
fake dot 'cat >/dev/null' 'echo "<svg></svg>"'
opened 0 DISPLAY=:7 -- --with=dot
shown xdg-open
[[ $page == */program.svg ]] || fail "not a picture: $page"
[ "$(cat "$page")" = '<svg></svg>' ] || fail 'not the picture that dot drew'
opened 0 -- --with=dot
expect_one open.no-display
rm bin/xdg-open
opened 0 DISPLAY=:7 -- --with=dot
expect_one open.no-program
expect_in err 'warning[open.no-program]'
fake dot 'exit 1'
find tmp -mindepth 1 >before
opened 1 DISPLAY=:7 -- --with=dot
expect_one svg.failed
expect_empty out
find tmp -mindepth 1 | diff before - >&2 || fail 'something was left'

# Their options, and those that they have no use for.
opened 1 DISPLAY=:7 -- --with=kcachegrind --set=callgrind.style=cachegrind
"$GPROFX" --no-findings --output=callgrind:expected --set=callgrind.style=cachegrind program || fail 'no cachegrind'
expect_same expected "$page"
for words in '-I folder' --source-map=a=b; do
	# shellcheck disable=SC2086
	opened 2 -- --with=kcachegrind $words
	expect_one usage.unused-option
	expect_in err '-I and --source-map have no effect: files of the format "callgrind" have no lines of source'
done
for word in firefox dotty BROWSER; do
	opened 2 -- --with=$word
	expect_one usage.unknown-word
	expect_in err "expected browser, kcachegrind, pprof, speedscope or dot after --with, found '$word'"
	expect_empty out
done
opened 2 -- --with=
expect_one usage.empty-value
