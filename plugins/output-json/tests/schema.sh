#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Reports of profiles of every kind are as the schema says, and hold the figures that were put in:
# cycles, no samples, no arcs, neither, samples in an unknown unit, functions with source positions.
. "$GPROFX_SOURCE/plugins/output-json/tests/lib.sh"
need_jsonschema

python3 - <<'END' || fail 'no profiles were made'
from profiled import Program
program = Program(['main', 'work', 'left', 'right', '~local', '_ZN2ns4openEi'])
program.lines({'work': [(0, 12)], 'local': [(0, 40)]}, 'prog.c', '/src')
open('image', 'wb').write(program.bytes())
samples = {'main': 10, 'work': 30, 'left': 4, 'right': 3, 'local': 1}
arcs = [('main', 'work', 7), ('main', 'left', 2), ('left', 'right', 5), ('right', 'left', 4),
        ('left', 'left', 3), ('right', 'local', 1), ('main', '_ZN2ns4openEi', 6)]
profiles = {
    'whole': program.profile(samples, arcs),
    'samples': program.profile(samples),
    'arcs': program.profile(None, arcs),
    'nothing': program.empty(),
    'no-rate': program.profile(samples, arcs, rate=0),
    'other-unit': program.profile(samples, arcs, unit=b'fur\xfflongs', letter=b'\xfe'),
    'idle': program.profile({}, arcs),
    'outside': program.profile(samples, [(0x10, 0x20, 3)]),
}
for name, profile in profiles.items():
    open(name, 'wb').write(profile.bytes())
# jal even; jr through a register that keeps the address; j odd
import struct
from elfimage import Image
from gmonfile import Profile
image = Image('mips').section('.text', 0x400000, struct.pack('>8I', 0x0c100004, 0, 0x0320f809, 0,
                                                             0x08100000, 0, 0, 0))
image.functions(['odd', 'even'], 0x400000, 16)
open('calls', 'wb').write(image.bytes())
open('calls.gmon', 'wb').write(Profile.of(image).arc(0x400000, 0x400000, 3).bytes())
END
for name in whole samples arcs nothing no-rate other-unit idle outside; do
	expect_status 0 "$GPROFX" --output=json image $name
	expect_undiagnosed
	mv out $name.json
done
expect_status 0 "$GPROFX" --output=json:selected.json -qleft -N work -k main/_ZN2ns4openEi -z \
	image whole whole
"$GPROFX" --output=json -T --no-demangle --inline-file-names image - <whole >traditional.json ||
	fail 'no report of standard input'
expect_status 0 "$GPROFX" --output=json --correct=none image whole
mv out uncorrected.json
expect_status 0 "$GPROFX" --output=json -c calls calls.gmon
mv out static.json
printf 'main;work 2.5\nmain 1\nmain;work;work 4\n' >folded
expect_status 0 "$GPROFX" --output=json folded
mv out stacks.json
expect_valid ./*.json
"$GPROFX" --list-corrections >corrections || fail 'no list of corrections'

python3 - <<'END' || fail 'a figure is wrong'
import json
import os

def load(name):
    report = json.load(open(name + '.json'))
    return report, {f['raw_name']: f for f in report['functions']}

report, f = load('static')
assert [(a['caller'], a['callee'], a['static']) for a in report['arcs']] == [
    (0, 0, None), (0, 1, 'call'), (0, 3, 'indirect'), (1, 0, 'tail')], report['arcs']
assert f['<indirect child>']['outside'] and f['<indirect child>']['index'] is None

report, f = load('whole')
assert report['format'] == {'name': 'gprofx-report', 'version': 2}
assert report['image'] == {'file': 'image', 'symbols_file': None}
[file] = report['profile_files']
written = file.pop('modified')
assert written.startswith('20') and written.endswith('Z'), written
[samples] = file.pop('ranges')
assert samples == {'low': '0x401000', 'high': '0x401700', 'records': 1, 'bins': 7, 'counter_bytes': 2,
                   'rate': 100, 'assumes_rate': False, 'dimension': 'seconds', 'abbreviation': 's',
                   'samples': 48, 'largest': 30}, samples
assert file == {'file': 'whole', 'format': 'magic', 'variant': None, 'reader': 'input-gmon-magic',
                'version': 1, 'byte_order': 'little', 'pointer_bytes': 8,
                'bytes': os.path.getsize('whole'), 'slide': '0x0', 'histogram_records': 1,
                'samples': 48, 'seconds': 0.48, 'known_samples': 48, 'full_bins': 0,
                'nearly_full_bins': 0, 'stacks': 0, 'longest_stack': 0,
                'stack_weight': None, 'stack_unit': None, 'arc_records': 7, 'arcs': 7, 'known_arcs': 7, 'calls': 28,
                'known_calls': 28, 'calls_without_caller': 0,
                'known_calls_without_caller': 0, 'copied_from': None,
                'copied_samples': 0, 'copied_calls': 0, 'block_records': 0, 'blocks': 0,
                'source_files': 0, 'source_lines': 0, 'source_lines_run': 0,
                'source_functions': 0}, file
assert report['profile'] == {'has_histogram': True, 'has_arcs': True, 'rate': 100,
                             'dimension': 'seconds', 'abbreviation': 's', 'bin_bytes': 256}
time = {'id': 0, 'name': 'time', 'unit': 'seconds', 'abbreviation': 's', 'ticks_per_unit': 100,
        'kind': 'sampled', 'self_origin': 'measured', 'total_origin': 'estimated',
        'arc_self_origin': 'estimated', 'arc_total_origin': 'estimated'}
assert report['metrics'] == [time], report['metrics']
assert report['totals']['flat_ticks'] == report['totals']['graph_ticks'] == 48
assert report['totals']['flat_seconds'] == 0.48
assert (f['work']['self_ticks'], f['work']['self_seconds']) == (30, 0.3)
assert (f['work']['calls'], f['work']['static']) == (7, False)
assert (f['work']['source_file'], f['work']['source_line']) == ('/src/prog.c', 12)
assert f['main']['source_file'] is None and f['main']['source_line'] is None
assert f['local']['static'] and f['local']['address'] == '0x401400'
assert f['local']['end'] == '0x4014ff'
assert f['main']['total_ticks'] == 48 and f['main']['calls'] == 0 and f['main']['index'] == 1
assert f['_ZN2ns4openEi']['name'] == 'ns::open(int)'
assert (f['left']['cycle'], f['left']['recursive_calls'], f['main']['cycle']) == (1, 3, None)
[cycle] = report['cycles']
assert (cycle['self_ticks'], cycle['below_ticks'], cycle['calls']) == (7, 1, 2)
assert cycle['members'] == [f['left']['id'], f['right']['id']] and cycle['name'] == '<cycle 1>'
assert [(a['caller'], a['callee'], a['calls']) for a in report['arcs'][:2]] == [(0, 1, 7), (0, 2, 2)]
assert (report['arcs'][1]['self_ticks'], report['arcs'][1]['below_ticks']) == (7, 1)
names = [report['functions'][n]['raw_name'] for n in report['flat_order']]
assert names[:4] == ['work', 'main', 'left', 'right'], names
assert report['call_graph'][0] == {'node': 0, 'callers': [], 'callees': [0, 1, 2]}

on = [line.split()[0] for line in open('corrections') if line.endswith(' (on)\n')]
assert report['corrections'] == on and on, on
assert load('uncorrected')[0]['corrections'] == []

report, f = load('samples')
assert f['work']['self_ticks'] == 30 and f['work']['total_ticks'] is None
assert report['totals']['graph_ticks'] is None and len(report['flat_order']) == 5
[metric] = report['metrics']
assert (metric['self_origin'], metric['total_origin']) == ('measured', 'unknown'), metric
report, f = load('outside')
[file] = report['profile_files']
assert (file['arcs'], file['known_arcs'], file['calls'], file['known_calls']) == (1, 0, 3, 0), file
report, f = load('arcs')
assert report['profile_files'][0]['ranges'] == [] and report['profile_files'][0]['seconds'] is None
assert report['profile']['rate'] is None and report['profile']['dimension'] is None
assert f['work']['calls'] == 7 and f['work']['self_seconds'] is None and len(report['arcs']) == 7
unknown = {'id': 0, 'name': None, 'unit': None, 'abbreviation': '', 'ticks_per_unit': None,
           'kind': 'sampled', 'self_origin': 'unknown', 'total_origin': 'unknown',
           'arc_self_origin': 'unknown', 'arc_total_origin': 'unknown'}
assert report['metrics'] == [unknown], report['metrics']
report, f = load('nothing')
assert report['metrics'] == [unknown], report['metrics']
assert report['flat_order'] == [] and len(f) == 7
report, f = load('no-rate')
[metric] = report['metrics']
assert (metric['name'], metric['unit'], metric['ticks_per_unit']) == ('time', 'samples', 1), metric
assert f['work']['self_ticks'] == 30 and f['work']['self_seconds'] is None
report, f = load('other-unit')
[metric] = report['metrics']
assert metric['name'] == metric['unit'] == 'fur\\xfflongs' and metric['unit_bytes'], metric
assert metric['name_bytes'] == metric['unit_bytes'] and metric['abbreviation_bytes'] == '/g=='
[samples] = report['profile_files'][0]['ranges']
assert samples['dimension'] == 'fur\\xfflongs' and samples['abbreviation_bytes'] == '/g=='
assert report['profile_files'][0]['seconds'] is None
assert report['profile']['dimension'] == 'fur\\xfflongs' and f['work']['self_seconds'] is None
assert report['profile']['abbreviation_bytes'] == '/g=='
report, f = load('selected')
assert [p['file'] for p in report['profile_files']] == ['whole', 'whole'] and f['work']['calls'] == 14
assert f['work']['selected_self_ticks'] == 0 and f['work']['self_ticks'] == 60
assert not f['main']['shown'] and f['left']['shown'] and len(report['arcs']) == 6
report, f = load('traditional')
assert report['profile_files'][0]['file'] == '-'
assert f['_ZN2ns4openEi']['name'] == '_ZN2ns4openEi' and f['work']['name'] == 'work (prog.c:12)'

# Without a program: times are measured, addresses and calls not known.
stacks = json.load(open('stacks.json'))
assert stacks['image'] == {'file': None, 'symbols_file': None}
assert {key: word for key, word in stacks['metrics'][0].items() if key.endswith('origin')} == \
    dict.fromkeys(['self_origin', 'total_origin', 'arc_self_origin', 'arc_total_origin'], 'measured')
main, work = stacks['functions'][:2]
assert (main['self_ticks'], main['below_ticks'], work['self_ticks'], work['below_ticks']) == (10, 65, 65, 0)
assert work['calls'] is None and work['address'] is None
assert [(a['caller'], a['callee'], a['calls'], a['self_ticks'], a['below_ticks']) for a in stacks['arcs']] == \
    [(0, 1, None, 25, 40), (1, 1, None, 40, 0)]
assert stacks['profile_files'][0]['stack_weight'] == 7.5 and stacks['profile_files'][0]['longest_stack'] == 3
END
