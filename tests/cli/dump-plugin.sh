#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# usage.unused-format; --dump-plugin tells all about a plugin, and --format=json has that, and the list of
# plugins, for programs.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3

"$GPROFX" --list-plugins >list
expect_status 0 "$GPROFX" --dump-plugin=output-callgraph
expect_empty err
expect_match out '^output-callgraph [0-9.]+$'
expect_match out '^    built for interface 1\.[0-9]+$'
expect_match out '^    (/.*/output-callgraph\.so|linked in)$'
expect_match out '^    kind: emitter$'
expect_match out '^    serves: callgraph$'
expect_match out '^width: 80$'
expect_match out '^        a whole number from 1 to '
expect_same <(grep '^[a-z-]*: ' out) <("$GPROFX" --list-settings | sed -n 's/^options\.output-callgraph\.//p')

expect_status 0 "$GPROFX" --list-plugins --format=text
expect_same out list
expect_status 0 "$GPROFX" --list-plugins --format=json
expect_empty err
mv out list.json
names=$(sed -n '4,$s/ .*//p' list | sort -u)
mkdir dumps
for name in $names; do
	expect_status 0 "$GPROFX" --format=json --dump-plugin="$name"
	expect_empty err
	cp out "dumps/$name"
done
"$GPROFX" --list-settings >settings
cat >check.py <<'END'
import json, os
rows = json.load(open('list.json'))
lines = [line for line in open('list').readlines()[3:] if line[0] not in ' \n/' and not line.endswith(':\n')]
assert len(rows) == len(lines) > 10
for row, line in zip(rows, lines):
    told = [row['name'], row['kind'], row['serves'] or '', row['summary']]
    assert line.split() == ' '.join(told).split(), (row, line)
    assert row['problem'] is None and row['summary']
    assert row['file'] is None or os.path.isfile(row['file'])
    dump = json.load(open('dumps/' + row['name']))
    assert (dump['name'], dump['file']) == (row['name'], row['file'])
    assert dump['abi']['major'] == 1 and dump['version']
    assert {'kind': row['kind'], 'serves': row['serves']} in dump['interfaces'] or row['kind'] == 'findcall'
    for option in dump['options']:
        default = option['default'] or '""'
        assert 'options.%s.%s: %s\n' % (row['name'], option['key'], default) in open('settings').read()
        assert ('choices' in option) == option['type'].startswith('choice') and option['help']
width = [o for o in json.load(open('dumps/output-callgraph'))['options'] if o['key'] == 'width'][0]
assert width['type'] == 'int' and width['minimum'] == 1 and width['maximum'] > 100
END
python3 check.py 2>out || fail 'the forms differ'

expect_status 1 "$GPROFX" --dump-plugin=output-none
expect_empty out
expect_in err 'error[plugin.not-found]'
expect_status 1 "$GPROFX" --dump-plugin=./none.so --format=json
expect_empty out
expect_in err 'error[plugin.cannot-open]'
expect_status 2 "$GPROFX" --format=json program
expect_in err 'gprofx: error[usage.unused-format]: --format needs --list-plugins or --dump-plugin'
expect_status 2 "$GPROFX" --format=yaml --list-plugins
expect_in err "error[usage.unknown-word]: unknown format 'yaml': --format takes text or json"

# Odd texts, by the path of a module.
[ "$GPROFX_BUILTIN" = 0 ] || exit 0
module mine <<'END'
#include "stub.h"
static enum gprofx_result emit(struct gprofx *gx, const struct gprofx_emission *emission, const void *options) {
	(void)gx; (void)emission; (void)options;
	return GPROFX_OK;
}
static const struct gprofx_emitter emitter = {.size = sizeof emitter, .format = "a\"b\\c", .emit = emit};
GPROFX_PLUGIN = {GPROFX_ABI, .name = "output-mine", .summary = "\xff\xc3\xa9\t", .emitter = &emitter};
END
expect_status 0 "$GPROFX" --dump-plugin=./mine.so --format=json
python3 - <<'END' || fail 'the texts differ'
import json
dump = json.load(open('out', encoding='utf-8'))
assert dump['name'] == 'output-mine' and dump['summary'] == '\ufffd\u00e9\t' and dump['version'] is None
assert dump['interfaces'] == [{'kind': 'emitter', 'serves': 'a"b\\c'}] and dump['options'] == []
END
expect_status 0 "$GPROFX" --dump-plugin=./mine.so
expect_match out '^output-mine \(no version\)$'
