#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Instructions are as long, and lead to where, as the disassembler of the simulator SIMH says.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3

cat >decode.c <<-'END'
	#include <stdio.h>

	#include "findcall-vax.c"

	int
	main(void)
	{
		uint64_t address;
		char code[256];

		while (scanf("%lx %255s", &address, code) == 2) {
			uint8_t bytes[128] = {0};
			struct place place = {bytes, sizeof bytes, address};
			struct instruction instruction;
			unsigned byte;

			for (int i = 0; sscanf(code + 2 * i, "%2x", &byte) == 1; i++)
				bytes[i] = (uint8_t)byte;
			if (!decode(&place, &instruction))
				puts("0 -");
			else if (instruction.last == OPERAND_PLACE)
				printf("%lu %lX\n", instruction.length, instruction.value);
			else
				printf("%lu -\n", instruction.length);
		}
		return 0;
	}
END
"$GPROFX_CC" -std=c11 -w -I"$GPROFX_SOURCE/include" -I"$GPROFX_SOURCE/plugins/findcall-vax" \
	-o decode decode.c || fail 'the decoder does not compile'
python3 - <<'PROGRAM' || fail 'it decodes something else'
import lzma, os, re, subprocess, sys

with lzma.open(os.path.join(os.environ['GPROFX_SOURCE'], 'tests/data/calls/vax.listing.xz')) as f:
    rows = [line.split(' ', 2) for line in f.read().decode().splitlines()]
said = subprocess.run(['./decode'], input=''.join('%s %s\n' % (at, code) for at, code, _ in rows),
                      stdout=subprocess.PIPE, universal_newlines=True, check=True).stdout
wrong = places = 0
for (at, code, text), line in zip(rows, said.splitlines()):
    length, place = line.split()
    expected = re.search(r'[ ,#]([0-9A-F]+)$', text) if not re.search(r'[^@]#\w+$|@[^#,]*$', text) else None
    expected = expected.group(1) if expected else '-'
    places += expected != '-'
    if int(length) != len(code) // 2 or place != expected:
        wrong += 1
        print(at, code, text, line)
print(len(rows), 'instructions,', places, 'of them with a place,', wrong, 'wrong')
sys.exit(wrong > 0 or len(said.splitlines()) < 1500 or places < 100)
PROGRAM
