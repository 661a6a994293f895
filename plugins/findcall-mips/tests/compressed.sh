#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Of single instructions the scanner says what objdump was recorded to say.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3

"$GPROFX_CC" -std=c11 -I"$GPROFX_SOURCE/include" \
	-include "$GPROFX_SOURCE/plugins/findcall-mips/findcall-mips.c" \
	-o scan-words "$GPROFX_SOURCE/tests/tools/scan-words.c" || fail 'the program does not compile'
for name in micromips mips16; do
	python3 "$GPROFX_SOURCE/tests/data/words/words.py" check $name ./scan-words || fail "$name"
done
