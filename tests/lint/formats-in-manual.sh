#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The table of call scanners in doc/formats.md has those that there are, with their machines, and the tests
# that there are of them; the table of reports has the formats of all emitters that are not for people.
. "$GPROFX_SOURCE/tests/cli/lib.sh"
need python3

python3 - <<'PROGRAM' || fail 'doc/formats.md says something else of call scanners'
import glob, os, re, sys

root = os.environ['GPROFX_SOURCE']
sys.path.insert(0, os.path.join(root, 'tests/data/calls'))
from calltargets import TARGETS

wrong = []
def check(holds, *words):
    if not holds:
        wrong.append(' '.join(words))

rows, known = {}, {t.name for t in TARGETS}
for line in open(os.path.join(root, 'doc/formats.md'), encoding='utf-8'):
    fields = [f.strip() for f in line.split('|')[1:-1]]
    if len(fields) == 5 and fields[0].startswith('`findcall-'):
        rows[fields[0].strip('`')] = fields
plugins = [os.path.basename(p) for p in glob.glob(os.path.join(root, 'plugins/findcall-*'))]
check(sorted(rows) == sorted(plugins), 'there are', *sorted(plugins))
for name, fields in rows.items():
    folder = os.path.join(root, 'plugins', name)
    manifest = open(os.path.join(folder, 'plugin.yaml'), encoding='utf-8').read()
    machines = re.search(r'machines: \[(.*)\]', manifest).group(1).replace(',', '')
    check(fields[1] == machines, name, 'has machines', machines)
    programs = set(re.findall('`(.*?)`', fields[3]))
    check(programs and programs <= known, name, 'and programs', *(programs - known))
    scripts = ''.join(open(f, encoding='utf-8').read()
                      for f in glob.glob(os.path.join(folder, 'tests/*.sh')))
    check(('capstone' in fields[4]) == os.path.exists(os.path.join(folder, 'tests/words.c')), name,
          'and capstone')
    check(('objdump' in fields[4]) == ('tests/data/words' in scripts), name, 'and objdump')
    check(('SIMH' in fields[4]) == ('vax.listing' in scripts), name, 'and SIMH')
    check('hostile.c' in os.listdir(os.path.join(folder, 'tests')), name, 'and random bytes')

formats, people = set(), {'annotate', 'callgraph', 'counts', 'diff', 'flat', 'info', 'order', 'per-file', 'per-thread', 'top'}
for line in open(os.path.join(root, 'doc/formats.md'), encoding='utf-8'):
    fields = [f.strip() for f in line.split('|')[1:-1]]
    if len(fields) == 3 and re.fullmatch('`[a-z-]+`', fields[0]):
        formats.add(fields[0].strip('`'))
written = {os.path.basename(p)[len('output-'):] for p in glob.glob(os.path.join(root, 'plugins/output-*'))} - people
check(formats == written, 'there are reports for programs:', *sorted(written))
print('\n'.join(wrong))
sys.exit(bool(wrong) or not rows)
PROGRAM
