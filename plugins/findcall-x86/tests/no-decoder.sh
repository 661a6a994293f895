#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# scan.no-decoder: libraries that are not there, or do not start, are reported, and the report goes on; what
# decodes nothing does not ask for them.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
[ -z "${GPROFX_SANITIZE-}" ] || skip 'the libraries in the way have no sanitizer'
make_program

# In the way of both: what is none of them.
mkdir broken
echo 'int nothing; int nothing = 1;' >library.c
"$GPROFX_CC" -shared -fPIC -o broken/libcapstone.so.4 library.c || fail 'no library'
for name in libcapstone.so.5 libZydis.so.4.0 libZydis.so.4.1; do
	cp broken/libcapstone.so.4 "broken/$name"
done
expect_status 0 "$GPROFX" -b -q program gmon.out
cp out without
expect_status 0 env LD_LIBRARY_PATH="$PWD/broken" "$GPROFX" -b -q -c program gmon.out
expect_in err 'warning[scan.no-decoder]: no library that can decode the code is installed: lib'
cp err told
[ "$(grep -c 'scan\.' err)" = 1 ] || fail 'one warning was expected'
expect_same without out

printf 'options:\n  findcall-x86:\n    verify: false\n' >fast.yaml
expect_status 0 env LD_LIBRARY_PATH="$PWD/broken" "$GPROFX" --config=fast.yaml -b -c program gmon.out
expect_not_in err 'scan.'
as_gprof
expect_status 0 env LD_LIBRARY_PATH="$PWD/broken" ./gprof -b -c program gmon.out
expect_empty err

# Capstone does where Zydis is not; one that does not start is none.
grep -q 'libcapstone' told || exit 0
expect_status 0 "$GPROFX" --no-findings -b -q -c program gmon.out
expect_empty err
cp out with
rm broken/libcapstone.*
expect_status 0 env LD_LIBRARY_PATH="$PWD/broken" "$GPROFX" --no-findings -b -q -c program gmon.out
expect_empty err
expect_same with out
