#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# plugin.cannot-open, .cut-short, .wrong-machine, .missing-library, .undefined-symbol: the true cause is
# reported when a file is no module that the system's loader takes.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"

expect_refused ./absent.so plugin.cannot-open 'No such file or directory'
mkdir folder.so
expect_refused ./folder.so plugin.cannot-open 'not a regular file'
mkfifo pipe.so
expect_refused ./pipe.so plugin.cannot-open 'not a regular file'
: >empty.so
expect_refused ./empty.so plugin.cannot-open 'file too short'
head -c 4096 /dev/zero >zeros.so
expect_refused ./zeros.so plugin.cannot-open 'invalid ELF header'
printf '#!/bin/sh\nexit 0\n%080d\n' 0 >script.so
expect_refused ./script.so plugin.cannot-open 'invalid ELF header'

module good <<-'END'
	#include "stub.h"
	STUB_PLUGIN };
END
expect_status 0 "$GPROFX" --plugin=./good.so --list-plugins
expect_match out '^input-stub +reader +stub '
expect_empty err

if [ "$(id -u)" -ne 0 ]; then
	cp good.so unreadable.so
	chmod 0 unreadable.so
	expect_refused ./unreadable.so plugin.cannot-open 'Permission denied'
fi

# Wherever the file is cut before the end of what is loaded, that is said; the process does not die.
loaded=$(python3 - <<-'END'
	import struct
	data = open('good.so', 'rb').read()
	at, = struct.unpack_from('<Q', data, 32)
	size, count = struct.unpack_from('<HH', data, 54)
	rows = [struct.unpack_from('<IIQQQQ', data, at + i * size) for i in range(count)]
	print(max(row[2] + row[5] for row in rows if row[0] == 1))
	END
) || skip 'python3 is not installed, or modules are not ELF64'
for length in 100 600 4095 4096 5000 $((loaded - 1)); do
	[ "$length" -lt "$loaded" ] || continue
	head -c "$length" good.so >cut.so
	expect_refused ./cut.so plugin.cut-short 'the file is incomplete'
done
head -c "$loaded" good.so >whole.so
expect_status 0 "$GPROFX" --plugin=./whole.so --list-plugins

# A module for another machine.
python3 - <<-'END'
	data = bytearray(open('good.so', 'rb').read())
	data[18:20] = b'\x41\0'
	open('foreign.so', 'wb').write(data)
END
expect_refused ./foreign.so plugin.wrong-machine 'built for another machine (ELF machine 65)'

# All symbols are bound when the module is opened, even if it asks for the contrary.
module unresolved -Wl,-z,lazy <<-'END'
	#include "stub.h"
	extern int nobody_defines_this(const uint8_t *, size_t);
	static int probe(const uint8_t *head, size_t bytes) { return nobody_defines_this(head, bytes); }
	static const struct gprofx_reader reader = {
		.size = sizeof reader, .format = "x", .probe = probe, .read = stub_read};
	STUB_PLUGIN, .reader = &reader };
END
expect_refused ./unresolved.so plugin.undefined-symbol 'undefined symbol: nobody_defines_this'

module libneeded <<<'int needed(void); int needed(void) { return 1; }'
module dependent -L. -lneeded -Wl,--no-as-needed <<-'END'
	#include "stub.h"
	extern int needed(void);
	static int probe(const uint8_t *head, size_t bytes) { (void)head; (void)bytes; return needed(); }
	static const struct gprofx_reader reader = {
		.size = sizeof reader, .format = "x", .probe = probe, .read = stub_read};
	STUB_PLUGIN, .reader = &reader };
END
expect_refused ./dependent.so plugin.missing-library 'libneeded.so: cannot open shared object file'
expect_status 0 env LD_LIBRARY_PATH=. "$GPROFX" --plugin=./dependent.so --list-plugins

# One that is not asked for by name is skipped with the same words; the run goes on without it.
make_program
for name in cut foreign unresolved dependent; do
	mkdir "$name"
	mv "$name.so" "$name/input-own.so"
	printf 'name: input-own\nabi: 1\nreader: { format: own, unmarked: true }\n' >"$name/input-own.yaml"
done
[ "$GPROFX_BUILTIN" = 0 ] || exit 0
expect_status 0 "$GPROFX" -b program gmon.out
cp out expected
printf 'neither tagged nor of a known form, but long enough for some header\n' >odd
for case in cut:cut-short foreign:wrong-machine unresolved:undefined-symbol dependent:missing-library; do
	expect_status 0 "$GPROFX" --plugin-path="${case%:*}" -b program gmon.out
	expect_same out expected
	expect_undiagnosed
	expect_status 1 "$GPROFX" --plugin-path="${case%:*}" -b program odd
	expect_match err "^gprofx: warning\\[plugin\\.${case#*:}\\]: .*/input-own\\.so: "
	# Asked for by its name, or by its format, it is what the run cannot do without.
	for asked in --plugin=input-own --file-format=own; do
		expect_status 1 "$GPROFX" --plugin-path="${case%:*}" "$asked" -b program gmon.out
		expect_empty out
		expect_match err "^gprofx: error\\[plugin\\.${case#*:}\\]: .*/input-own\\.so: "
	done
done
