#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# gprofx record becomes the program gprofx-record beside gprofx, with the words as they are. If that is not there, a
# message names its package. For GNU gprof "record" is a program like others.
. "$GPROFX_SOURCE/tests/cli/lib.sh"

mkdir bin
cp "$GPROFX" bin/gprofx
expect_status 125 bin/gprofx record ./program
expect_in err "gprofx: error[record.not-installed]: $scratch/bin/gprofx-record: the launcher of gprofx record is not installed"
expect_in err '  hint: install the package gprofx-collect'
expect_empty out

printf '#!/bin/sh\nprintf "<%%s>" "$@"\nexit 7\n' >bin/gprofx-record
chmod 644 bin/gprofx-record
if [ "$(id -u)" -ne 0 ] || ! [ -x bin/gprofx-record ]; then
	expect_status 125 bin/gprofx record ./program
	expect_match err '^gprofx: error\[record\.cannot-run\]: .*/bin/gprofx-record: Permission denied$'
fi
chmod 755 bin/gprofx-record
printf 'words\n' >file
expect_status 7 bin/gprofx record -F 99 ./program @file --gnu '' -- --help
expect_empty err
printf '<-F><99><./program><@file><--gnu><><--><--help>' | cmp -s - out || fail 'the words were changed'
expect_status 7 bin/gprofx record </dev/null
# A file of words can have the command.
printf 'record -F 99' >file
expect_status 7 bin/gprofx @file ./program
expect_in out '<-F><99><./program>'
expect_status 7 env PATH="$scratch/bin:$PATH" gprofx record x
expect_in out '<x>'

cp bin/gprofx bin/gprof
expect_status 1 bin/gprof record
expect_same err - <<<'record: No such file or directory'
expect_status 1 bin/gprofx --gnu record
expect_in err 'record: No such file or directory'

# A user's own name for the program.
ln -s gprofx bin/profiler
expect_status 7 bin/profiler record x

if [ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null; then
	chmod 755 . bin
	chmod 4755 bin/gprofx
	run setpriv --reuid=65534 --regid=65534 --clear-groups bin/gprofx record id
	[ "$status" -eq 125 ] || fail "status $status"
	expect_match err '^gprofx: error\[record\.privileged\]: '
	expect_empty out
fi

if [ -x "$GPROFX_BUILD/bin/gprofx-record" ]; then
	expect_status 2 "$GPROFX" record --bogus
	expect_match err "^gprofx record: unrecognized option '--bogus'\$"
	expect_status 0 "$GPROFX" record --version
	expect_match out '^gprofx record [0-9.]+$'
fi
