#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# output.not-alone: a document for programs and something else on one standard output. Tables follow each other.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"

make_program
# refuse FIRST SECOND WORD...: this is refused before anything is written.
refuse() {
	expect_status 1 "$GPROFX" -b "${@:3}" program
	expect_in err "error[output.not-alone]: the format \"$1\" cannot share standard output with $2"
	expect_in err "  hint: write it to a file, as in --output=$1:FILE, or "
	expect_empty out
}
# allow WORD...: this is not; the output is in the file out.
allow() {
	expect_status 0 "$GPROFX" -b "$@" program
	expect_undiagnosed
}

refuse json 'the format "flat"' -p --output=json
refuse json 'the format "callgraph"' --output=json -q
refuse json 'the format "info"' -i --output=json
refuse csv 'the format "flat"' --output=csv --output=flat
refuse json 'the format "csv"' --output=json --output=csv
refuse json 'the format "json"' --output=json --output=json
refuse json 'the format "per-file"' --output=csv:/dev/null --output=json --output=per-file
refuse order 'the format "flat"' -p -r --order-format=lld
status=0
"$GPROFX" -b -p --output=json:/dev/stdout program 2>err | cat >out || status=$?
expect_in err 'error[output.not-alone]'
expect_empty out
# The trace has begun by then.
expect_status 1 "$GPROFX" -b -d --output=json program
expect_in err 'the format "json" cannot share standard output with the trace'
expect_not_in out '{"'

allow --output=json
python3 -c 'import json; json.load(open("out"))' || fail 'no JSON'
allow -p --output=json:report.json --output=csv:report.csv
expect_in out 'cumulative'
allow -p -q -C -i -r --output=flat
allow --output=json --per-file
allow -r --order-format=lld
allow -p --output=json:/dev/null
"$GPROFX" -b -p --output=json:/dev/null program >/dev/null 2>err || fail 'a null device is no stream'
# GNU mode: several listings are what gprof prints.
expect_status 0 "$GPROFX" --gnu -b -p -q -C -r program
expect_empty err
