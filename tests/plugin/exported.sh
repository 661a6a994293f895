#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A stripped library still names the functions that it exports: they are rows, and all of its other code is one.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3
need strip
make_program
module maps -DFAILURE=GPROFX_FAILED <<<'#include "maps-reader.h"'

cat >lib.c <<-'END'
	volatile int at;
	int first(void);
	int second(void);
	int first(void) { return ++at; }
	__attribute__((noinline)) static int hidden(void) { return at += 2; }
	int second(void) { return hidden() + (at += 3); }
END
"$GPROFX_CC" -O2 -shared -fPIC -fno-toplevel-reorder -Wl,--build-id=none -o libwhole.so lib.c || fail 'cannot build the library'
nm libwhole.so >names
cp libwhole.so libstripped.so
strip libstripped.so
address() { echo "0x$(sed -n "s/ [tT] $1\$//p" names)"; }

# Samples in both exported functions and in the one that is not.
cat >samples <<-END
	#maps
	process 0
	image 1 $PWD/program -
	image 2 $PWD/libstripped.so -
	map 1 0x401000 0x1000 1 0x401000 0
	map 1 0x7f0000000000 0x10000 2 0 0
	stack 1 5 $(printf '%#x' $((0x7f0000000000 + $(address first) + 1))) 0x401010
	stack 1 7 $(printf '%#x' $((0x7f0000000000 + $(address hidden) + 1))) 0x401010
	stack 1 8 $(printf '%#x' $((0x7f0000000000 + $(address second) + 1))) 0x401010
END
expect_status 0 "$GPROFX" --plugin=./maps.so --no-findings -b -p program samples
expect_match out '^ 40\.00 .* second \(libstripped\.so\)$'
expect_match out '^ 35\.00 .* \[libstripped\.so\]$'
expect_match out '^ 25\.00 .* first \(libstripped\.so\)$'
expect_not_in err 'image.no-file'

# Where nothing is stripped, the one that is not exported has a name, too.
sed -i 's/libstripped/libwhole/' samples
expect_status 0 "$GPROFX" --plugin=./maps.so --no-findings -b -p program samples
expect_match out '^ 35\.00 .* hidden \(libwhole\.so\)$'

# The same of an object that the user names.
sed -i 's/libwhole/libstripped/' samples
echo '#maps' >nothing
expect_status 0 "$GPROFX" --plugin=./maps.so --no-findings -b -p --object=libstripped.so=nothing program samples
expect_match out '^ 40\.00 .* second \(libstripped\.so\)$'
expect_match out '^ 35\.00 .* \[libstripped\.so\]$'
