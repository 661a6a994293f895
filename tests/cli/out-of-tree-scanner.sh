#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A scanner that was built elsewhere, from public headers alone, finds the calls of a machine that no
# plugin here knows: asked for by --plugin, or found by what its manifest says.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3

"$GPROFX_SOURCE/tests/kit/make-inputs" || fail 'cannot write the image'
mkdir plugins
"$GPROFX_CC" -std=c11 -shared -fPIC -I"$GPROFX_SOURCE/include" -o plugins/findcall-loongarch.so \
	"$GPROFX_SOURCE/examples/plugin/findcall-loongarch.c" || fail 'the example does not compile'
cp "$GPROFX_SOURCE/examples/plugin/findcall-loongarch.yaml" plugins

for words in --plugin=./plugins/findcall-loongarch.so --plugin-path=plugins; do
	[ "$words" = --plugin-path=plugins ] && [ "$GPROFX_BUILTIN" = 1 ] && continue
	expect_status 0 "$GPROFX" "$words" --output=csv --output-option=table=arcs --no-findings -c loongarch loongarch.gmon
	expect_empty err
	python3 -c '
import csv
for row in csv.DictReader(open("out")):
    print(row["caller"], row["callee"], row["calls"], row["static"] or "-")' | LC_ALL=C sort >found
	expect_same found - <<-'END'
		main leaf 0 call
		main work 7 -
		work <indirect child> 0 indirect
		work leaf 0 tail
		work main 0 call
	END
	# What is called through a register has no entry, no number and no line in the flat profile.
	expect_status 0 "$GPROFX" "$words" --no-findings -b -c -z loongarch loongarch.gmon
	expect_match out '^                0.00    0.00       0/0           <indirect child>$'
	[ "$(grep -c 'indirect child' out)" = 1 ] || fail 'it is listed elsewhere'
	expect_not_in out 'outside'
done
