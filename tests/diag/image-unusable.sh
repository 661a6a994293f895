#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# image.*: files that are named as the program and are not one that can be used, or not in full.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"

make_program
python3 - <<-'END' || fail 'cannot write the images'
	import struct
	from elfimage import ALLOC, Image
	def write(name, section, symbols):
	    image = Image('x86_64').section(section, 0x401000, bytes(64), **({'flags': ALLOC} if section == '.data' else {}))
	    for i, symbol in enumerate(symbols):
	        image.symbol(symbol, 0x401000 + 16 * i, 16, section=section)
	    data = bytearray(image.bytes())
	    open(name, 'wb').write(data)
	    return data
	write('stripped', '.text', [])
	write('no-text', '.data', ['main'])
	write('.flash.text', '.flash.text', ['main', 'work', 'rest'])
	data = write('program', '.text', ['main', 'work', 'rest'])
	at = data.index(struct.pack('<QQ', 0x401010, 16)) - 8
	data[at:at + 4] = struct.pack('<I', 100000)
	open('nameless', 'wb').write(data)
END
printf '#!/bin/sh\nexec true "$@"\n' >script
mkdir folder
: >empty

# refuse NAME ID TEXT: one error of this id, and a hint.
refuse() {
	expect_status 1 "$GPROFX" -b "$1" gmon.out
	expect_empty out
	[ "$(grep -c 'error\[' err)" -eq 1 ] || fail 'more than one error'
	expect_match err "^gprofx: error\\[$2\\]: $1:?(0x[0-9a-f]+:)? .*$3"
	expect_match err '^  hint: .'
}

refuse absent image.cannot-open 'No such file or directory'
refuse folder image.is-a-folder 'expected an executable file, found a folder'
refuse script image.not-an-object 'expected an executable file, found a script'
refuse empty image.not-an-object 'expected an executable file, found an empty one'
refuse gmon.out image.not-an-object 'expected an executable file, found a profile'
refuse stripped image.no-symbols 'expected a symbol table with functions, found none'
refuse no-text image.no-text 'expected a section with code, found none'

# Code can be in sections of any name, but not for GNU gprof.
expect_status 0 "$GPROFX" -b -p .flash.text gmon.out
expect_in out ' main'
expect_status 1 "$GPROFX" --gnu .flash.text gmon.out
expect_in err "can't find .text section in .flash.text"

# A symbol whose name is lost is shown all the same.
expect_status 0 "$GPROFX" -b -p -z nameless gmon.out
[ "$(grep -c 'warning\[' err)" -eq 1 ] || fail 'not just one warning'
expect_match err '^gprofx: warning\[image\.bad-symbol-name\]: nameless:0x[0-9a-f]+: expected names of symbols .* found 1 beyond '
expect_match err '^  hint: .'
expect_in out '(null)'
