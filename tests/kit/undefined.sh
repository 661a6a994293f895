#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# What the headers do for scanners has no undefined behavior where there is nothing: code without marks.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"

cat >functions.c <<-'END'
	#include <gprofx/code.h>
	int main(void) {
		static const uint8_t bytes[64];
		struct gprofx_code rest = {.size = sizeof rest, .bytes = bytes, .byte_count = 64, .readable = 64};
		struct gprofx_code function;
		int count = 0;
		while (gprofx_take_function(&rest, &function))
			count++;
		return count != 1;
	}
END
tried=0
for compiler in clang gcc; do
	"$compiler" -fsanitize=undefined -fno-sanitize-recover=all -I"$GPROFX_SOURCE/include" -o functions \
		functions.c 2>cc.log || continue
	tried=1
	expect_status 0 ./functions
	expect_empty err
done
[ $tried = 1 ] || skip 'no compiler has the sanitizer'
