#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# --print-config-schema prints a JSON Schema that takes what the program takes, and refuses what it
# refuses: gprofx.yaml, the presets, printed settings, and files with one fault each.
. "$GPROFX_SOURCE/tests/config/lib.sh"
need python3
python3 -c 'import jsonschema, yaml' 2>/dev/null || skip 'the modules jsonschema and yaml of Python are missing'
for plugin in "$GPROFX_SOURCE"/plugins/*/plugin.yaml; do
	plugin=$(basename "$(dirname "$plugin")")
	"$GPROFX" --list-plugins | grep -q "^$plugin " || skip "$plugin was not built"
done

expect_status 0 "$GPROFX" --print-config-schema
expect_empty err
mv out schema.json
"$GPROFX" --preset=hpc -b --print-config >printed.yaml
"$GPROFX" --list-settings >settings
mkdir good bad
cat >good/1.yaml <<'END'
preset: [gnu, teach]
include: x.yaml
threads: 1024
plugins: [output-flat]
plugin-path: [/usr/lib/gprofx-of-mine]
outputs: [{ format: flat, file: x, options: { explain: true, columns: "self,name" } }, { format: csv }]
options: { output-none: { some: thing }, output-callgraph: }
corrections: { all: false, zero-rate: true }
END
echo 'plugins: { load: [x], allow: ["*"], deny: [] }' >good/2.yaml
: >good/3.yaml
i=0
while read -r text; do
	echo "$text" >bad/$((++i)).yaml
done <<'END'
thread: 1
threads: 1025
threads: -1
threads: many
threads: [1]
hz: 4294967296
findings: 1
symbols: { demangel: none }
symbols: { demangle: gnu_v3 }
symbols: x
report: { show-unused: 7 }
plugins: { denied: [] }
plugins: x
plugin-path: { a: b }
plugin-path: [mine]
outputs: { format: flat }
outputs: [flat]
outputs: [{ file: x }]
outputs: [{ format: flaat }]
outputs: [{ format: flat, fil: x }]
outputs: [{ format: flat, options: { widht: 1 } }]
outputs: [{ format: callgraph, options: { width: 0 } }]
options: [x]
options: { output-flat: x }
options: { output-flat: { explian: true } }
options: { output-flat: { explain: 1 } }
options: { output-flat: { columns: "self,nome" } }
options: { output-callgraph: { width: 0 } }
corrections: { zero-rat: true }
corrections: { all: 3 }
[x]
END
cat >check.py <<'END'
import glob, json, os, sys, jsonschema, yaml
schema = json.load(open('schema.json'))
jsonschema.Draft7Validator.check_schema(schema)
validator = jsonschema.Draft7Validator(schema)
source = sys.argv[1]
def load(name):
    return yaml.safe_load(open(name))
presets = glob.glob(source + '/config/presets/*.yaml')
assert len(presets) >= 5
for name in [os.environ['GPROFX_BUILD'] + '/gprofx.yaml', 'printed.yaml', *presets, *glob.glob('good/*')]:
    for error in validator.iter_errors(load(name)):
        sys.exit(f'{name}: {error.json_path}: {error.message}')
for name in glob.glob('bad/*'):
    if validator.is_valid(load(name)):
        sys.exit(f'{name} is taken: {open(name).read()}')
# Every setting is there with its default.
def words(value):
    return str(value).lower() if isinstance(value, bool) else str(value)
count = 0
for line in open('settings'):
    path, separator, initial = line.rstrip('\n').partition(': ')
    if line[0] == ' ' or initial == '[]':
        continue
    node, parts = schema, path.split('.')
    if path.startswith('options.'):
        # Names of plugins can have dots.
        parts = ['options', *path[len('options.'):].rsplit('.', 1)]
    for part in parts:
        if '$ref' in node:
            node = schema['definitions'][node['$ref'].rpartition('/')[2]]
        node = node['properties'][part]
    initial = '' if initial == '""' else initial
    assert words(node['default']) == initial, (path, node['default'], initial)
    assert node['description'], path
    count += 1
assert count > 50
END
python3 check.py "$GPROFX_SOURCE" 2>out || fail 'the schema and the program differ'
# The program agrees.
cp good/1.yaml good/x.yaml
sed -i '/^preset\|^include/d' good/x.yaml
sed -i 's/\[output-flat\]/[]/' good/*.yaml
sed -i 's/load: \[x\]/load: []/' good/*.yaml
for file in good/*.yaml; do
	expect_status 0 "$GPROFX" --config="$file" --print-config-schema
done
for file in bad/*.yaml; do
	run "$GPROFX" --config="$file" program
	# What plugins have to say comes with a run that uses them all.
	[ "$status" -eq 1 ] || expect_status 1 "$GPROFX" --config="$file" --print-config
done
