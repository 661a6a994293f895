# SPDX-License-Identifier: Apache-2.0
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3

# make_recorded <PYTHON: writes ./program and runs the lines, which have program, new() for a file about it, and
# save(NAME, FILE).
make_recorded() {
	{
		cat <<-'END'
			import os
			import gxcfile
			from gxcfile import *
			from profiled import Program
			program = Program(['main', 'work', 'idle'])
			at = program.at
			open('program', 'wb').write(program.bytes())
			def new(order='<', **header):
			    return File(order, **header).program(os.path.abspath('program'), program.base, program.end)
			def usual(order='<', **header):
			    return new(order, **header).arcs([(at('main+5'), at('work'), 7), (1, at('main'), 1)]).stacks(
			        [(at('main+8'), 0, 0, 10, 10), (at('main+5'), 0, 0, 0, 0), (at('work+3'), 2, CFI, 30, 30)])
			def save(name, file):
			    open(name, 'wb').write(file if isinstance(file, bytes) else file.bytes())
		END
		cat
	} | python3 - || fail 'cannot write the files'
}
