#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Sources from a debuginfod server: only where the environment names one, and nothing else has the source.
. "$GPROFX_SOURCE/plugins/output-annotate/tests/lib.sh"
need readelf

mkdir -p built
printf 'int work(int i) { return i; }\n\nint main(void)\n{\n\treturn work(0);\n}\n' >built/prog.c
"$GPROFX_CC" -g -pg -Wl,--build-id -o program "$scratch/built/prog.c" || fail 'cannot build'
./program || fail 'cannot run'
id=$(readelf -n program | sed -n 's/.*Build ID: //p')
[ -n "$id" ] || skip 'the linker writes no build ID'
export DEBUGINFOD_CACHE_PATH="$scratch/cache"
server() {
	DEBUGINFOD_URLS="file://$scratch/server" "$@"
}

expect_status 0 server "$GPROFX" -b -A program gmon.out
[ ! -e cache ] || fail 'the server was asked for what is here'
mkdir -p "server/buildid/$id/source$scratch/built"
mv built/prog.c "server/buildid/$id/source$scratch/built/prog.c"
expect_status 1 "$GPROFX" -b -A program gmon.out
[ ! -e cache ] || fail 'a server was asked that was not named'
expect_not_in err DEBUGINFOD
expect_status 0 server "$GPROFX" --gnu -b -A program gmon.out
expect_in err 'could not locate'
[ ! -e cache ] || fail 'GNU gprof asks no server'

run server "$GPROFX" -b -A program gmon.out
if grep -q 'without libdebuginfod\|libdebuginfod is not installed' err; then
	[ "$status" -eq 1 ] || fail 'nothing was found'
	skip 'there is no libdebuginfod'
fi
[ "$status" -eq 0 ] || fail 'the server was not asked'
expect_match out '1 -> int work'
# Another build's sources are not taken.
mv server/buildid/"$id" server/buildid/0123
rm -rf cache
expect_status 1 server "$GPROFX" -b -A program gmon.out
expect_in err 'DEBUGINFOD_URLS (no server has it)'
"$GPROFX_CC" -g -pg -Wl,--build-id=none -o program server/buildid/0123/source"$scratch"/built/prog.c
mv server/buildid/0123 away
expect_status 1 server "$GPROFX" -b -A program gmon.out
expect_in err 'DEBUGINFOD_URLS (the image has no build ID)'
