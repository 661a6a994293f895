#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# GNU mode: by the name gprof, by a name that ends in -gprof, by --gnu anywhere among the options.
. "$GPROFX_SOURCE/tests/cli/lib.sh"

for name in gprof x86_64-linux-gnu-gprof; do
	ln -s "$GPROFX" $name
	expect_status 1 ./$name no-image
	echo 'no-image: No such file or directory' >expected
	expect_same expected err
	expect_status 1 ./$name --foo
	expect_in err "./$name: unrecognized option '--foo'"
done
expect_status 1 "$GPROFX" --foo no-image --gnu
expect_in err "$GPROFX: unrecognized option '--foo'"

# Every other name is our own, and messages call the program by it, without its folder.
for name in mygprof gprof-2 gprofx; do
	ln -s "$GPROFX" $name
	expect_status 1 ./$name no-image
	expect_in err "$name: error[image.cannot-open]: no-image: "
	expect_not_in err "./$name"
done
# Behind "--" it is a file.
expect_status 1 "$GPROFX" -- --gnu
expect_in err 'error[image.cannot-open]: --gnu: '
expect_status 2 "$GPROFX" --gnu=yes
