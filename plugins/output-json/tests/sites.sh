#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Reports by line: arcs are between functions and tell the lines that make the calls; without the
# correction line-graph it is lines that call.
. "$GPROFX_SOURCE/plugins/output-json/tests/lib.sh"
need_jsonschema

python3 - <<'PROGRAM' || fail 'cannot write the program'
from profiled import Program
program = Program(['main', 'work'])
program.lines({'main': [(0, 3, 'prog.c'), (8, 4, 'prog.c'), (32, 5, 'prog.c')],
               'work': [(0, 9, 'prog.c'), (16, 10, 'prog.c')]})
open('program', 'wb').write(program.bytes())
profile = program.profile({'main': 3, 'work': 5}, [('main+9', 'work', 30), ('main+40', 'work', 10)])
open('gmon.out', 'wb').write(profile.bytes())
PROGRAM
"$GPROFX" -l --output=json program >lines.json || fail 'status'
"$GPROFX" -l --correct=no-line-graph --output=json program >gprof.json || fail 'status'
"$GPROFX" --output=json program >functions.json || fail 'status'
expect_valid lines.json gprof.json functions.json
python3 - <<'PROGRAM' || fail 'other calls'
import json


def arcs(name):
    document = json.load(open(name))
    line = [f['source_line'] for f in document['functions']]
    return [(line[a['caller']], line[a['callee']], a['calls'],
             [(line[s['function']], s['calls']) for s in a.get('sites', [])])
            for a in document['arcs']]


assert arcs('lines.json') == [(3, 9, 40, [(4, 30), (5, 10)])], arcs('lines.json')
assert arcs('gprof.json') == [(4, 9, 30, []), (5, 9, 10, [])], arcs('gprof.json')
assert [a[2:] for a in arcs('functions.json')] == [(40, [])], arcs('functions.json')
PROGRAM
