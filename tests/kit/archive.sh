#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# scripts/archive makes the same archive in every clone, and it has all the sources.
. "$GPROFX_SOURCE/tests/cli/lib.sh"
need git gzip tar
git -C "$GPROFX_SOURCE" rev-parse HEAD >/dev/null 2>&1 || skip 'the sources are no clone'
git -C "$GPROFX_SOURCE" ls-files --error-unmatch scripts/archive >/dev/null 2>&1 || skip 'it is not committed'

mkdir first second
expect_status 0 "$GPROFX_SOURCE/scripts/archive" first
expect_match out "^$PWD/first/gprofx-[0-9.]+\\.tar\\.gz\$"
umask 0077
git clone -q "$GPROFX_SOURCE" clone || fail 'cannot clone the sources'
echo more >>clone/README.md
echo new >clone/untracked
TZ=Asia/Tokyo expect_status 0 clone/scripts/archive second
cmp first/*.gz second/*.gz >&2 || fail 'another archive from a clone'

tar -xzf first/*.gz || fail 'it cannot be unpacked'
diff <(cd gprofx-* && find . -type f -o -type l | sed 's,^\./,,' | LC_ALL=C sort) \
	<(git -C clone -c core.quotePath=false ls-files | LC_ALL=C sort) >&2 || fail 'other files than those that were committed'

expect_status 1 clone/scripts/archive second no-such-commit
expect_in err 'expected a clone of the sources that has the commit no-such-commit'
