#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Names can be any bytes: whatever they are, the report is JSON in UTF-8, and every name comes back
# exactly, from "name" or, where that cannot be, from "name_bytes".
. "$GPROFX_SOURCE/plugins/output-json/tests/lib.sh"
need_jsonschema

python3 - <<'END' || fail 'no profile was made'
from profiled import Program
names = [
    b'quote"back\\slash', b'new\nline\rand\ttab', b'\x01\x1b[31mred\x7f', b'caf\xc3\xa9',
    '\N{PILE OF POO}\u0085\u009b31m\u2028'.encode(), b'invalid\xff\xfe', b'cut\xe2\x82',
    b'\xed\xa0\x80surrogate', b'\xc0\xaflong', b'\xf4\x90\x80\x80beyond', b'\xf0\x9f\x92\xa9'[:3],
    b'\\xff\xff"', b'</script>', b'a,b:[c]{d}', b' ', b'\xef\xbf\xbf', b'\xc2',
    b'x' * 100000, b'\xff' * 100000, b'"' * 99999 + b'\xc3',
]
open('names', 'w').write(repr(names))
# The tool writes characters as Latin-1: one byte each.
program = Program(['main'] + [n.decode('latin-1') for n in names])
open('image', 'wb').write(program.bytes())
arcs = [('main', n.decode('latin-1'), i + 1) for i, n in enumerate(names)]
open('\udcff "gmon".out', 'wb').write(program.profile({'main': 5}, arcs).bytes())
END
profile=$(printf '\377 "gmon".out')
expect_status 0 "$GPROFX" --output=json --no-demangle image "$profile"
expect_undiagnosed
cp out report.json
expect_valid report.json
python3 - <<'END' || fail 'a name is not what it was'
import ast, base64, json
report = json.load(open('report.json', encoding='utf-8'))
names = ast.literal_eval(open('names').read())
exact = {}
for f in report['functions']:
    for key in ('name', 'raw_name'):
        shown = f[key].encode()
        name = base64.b64decode(f[key + '_bytes']) if key + '_bytes' in f else shown
        exact.setdefault(name, []).append(shown)
assert set(names) <= set(exact), set(names) - set(exact)
assert exact[b'invalid\xff\xfe'] == 2 * [b'invalid\\xff\\xfe']
assert exact[b'cut\xe2\x82'] == 2 * [b'cut\\xe2\\x82']
assert exact[b'new\nline\rand\ttab'] == 2 * [b'new\nline\rand\ttab']
[file] = report['profile_files']
assert (file['file'], file['file_bytes']) == ('\\xff "gmon".out', '/yAiZ21vbiIub3V0'), file
END

# Names from a real assembler, as a program would bring them; that of clang keeps the backslashes.
need as "${GPROFX_CC:=cc}"
cat >odd.s <<'END'
	.text
	.globl "say \"hi\"\\now"
	.type "say \"hi\"\\now", @function
"say \"hi\"\\now":
	ret
	.globl main
	.type main, @function
main:
	ret
END
as -o odd.o odd.s 2>cc.log && "$GPROFX_CC" -no-pie -o odd odd.o 2>cc.log ||
	skip 'this machine has another assembler'
python3 -c 'from gmonfile import Profile; open("gmon.out", "wb").write(Profile().bytes())'
expect_status 0 "$GPROFX" --output=json odd
cp out report.json
expect_valid report.json
expect_in report.json '"raw_name":"say \"hi\"\\now"'
