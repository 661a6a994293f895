#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Values by profile, where there are several, and by process, thread and phase, where a profile has them.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3
"$GPROFX" --list-plugins | grep -q '^output-json ' || skip 'output-json is not installed'

# page STATEMENT WORD...: the page has the figures of JSON, and the statement holds.
page() {
	python3 "$GPROFX_SOURCE/plugins/output-html/tests/both.py" "$@" || fail "$*"
}

python3 - <<'END' || fail 'cannot write the profiles'
from lcg import Random
from profiled import Program
names = ['main', 'even', 'uneven', 'once', 'never']
program = Program(names)
open('program', 'wb').write(program.bytes())
r = Random(1)
for i in range(64):
    samples = {'main': r.pick((0, 1)), 'even': 20, 'uneven': 500 if i == 37 else 1, 'once': 3 if i == 5 else 0}
    calls = [('main', 'even', 7), ('main', 'once', 1 if i == 5 else 0), ('even', 'uneven', r.pick((1, 5, 90)))]
    open('gmon.%02d' % i, 'wb').write(program.profile(samples, [c for c in calls if c[2]]).bytes())
END
cat >files.py <<'END'
import json, os, subprocess
files = data['files']
assert files['label'] == ['gmon.%02d' % i for i in range(64)] and files['left'] == 0, files['label']
first = files['first']
assert len(first) == len(files['node']) + 1 and first[-1] == len(files['file']) == len(files['self']), first
assert [names[i] for i in files['node']] == ['uneven', 'once', 'main', 'even'], files['node']
found = {}
for i, node in enumerate(files['node']):
    for k in range(first[i], first[i + 1]):
        found[files['label'][files['file'][k]], names[node]] = (files['self'][k], files['calls'][k])
for label in files['label'][::9]:
    alone = json.loads(subprocess.run([os.environ['GPROFX'], '--no-findings', '--output=json', 'program', label],
                                      check=True, capture_output=True).stdout)
    for row in alone['functions']:
        own, calls = found.get((label, row['name']), (0, 0))
        assert (own, calls) == (row['self_ticks'], row['calls']), (label, row)
    assert files['ticks'][files['label'].index(label)] == alone['profile_files'][0]['samples'], label
# One file stands out, and 3 samples in one of 64 are no chance either; the bounds are those of the others.
bounds = {names[node]: (files['low'][i], files['high'][i]) for i, node in enumerate(files['node'])}
assert bounds == {'uneven': (1, 1), 'once': (0, 0), 'main': (0, 1), 'even': (20, 20)}, bounds
for row in report.get('per_file', []):
    mine = [value[0] for key, value in found.items() if key[1] == names[data['functions']['id'].index(row['function'])]]
    assert sum(mine) == row['self']['total_ticks'] and max(mine) == row['self']['max_ticks'], row
END
page "$(cat files.py)
assert 'what each of 64 profiles has of 4 functions.' in text, page.texts['method']" --no-findings program gmon.*
page "$(cat files.py); assert report['per_file'], report.keys()" --no-findings --per-file program gmon.*
page 'assert data["files"] is None and data["slices"] is None, data["files"]' program gmon.00
# More values than there is room for: of functions that differ as much, the heaviest.
python3 - <<'END' || fail 'cannot write the profiles'
from profiled import Program
names = ['f%04d' % i for i in range(4000)]
program = Program(names, step=16)
open('large', 'wb').write(program.bytes())
profile = program.profile({name: 1 + i % 5 for i, name in enumerate(names)}).bytes()
for i in range(100):
    open('large.%02d' % i, 'wb').write(profile)
open('other', 'wb').write(program.profile({name: 1 + i % 5 + (i == 5) for i, name in enumerate(names)}).bytes())
END
expect_status 0 "$GPROFX" --no-findings --output=html:page.html large large.* other
python3 - <<'END' || fail 'too many values'
import os, sys
sys.path.insert(0, os.path.join(os.environ['GPROFX_SOURCE'], 'plugins', 'output-html', 'tests'))
import htmlpage
page, data = htmlpage.read('page.html')
files = data['files']
assert len(files['file']) <= 300000 and len(files['node']) + files['left'] == 4000, files['left']
assert len(files['node']) == 300000 // 101 and files['node'][0] == 5, files['node'][:9]
own = data['values'][0]['self']
assert min(own[node] for node in files["node"][1:]) >= 200, files['node'][:9]
assert 'there is no room for %d others' % files['left'] in page.prose, page.texts['method']
END

printf 'main;a 3\n' >one
printf 'main;a 4\n' >two
page 'assert data["files"] is None, data["files"]' one two

# A reader that is not part of the project, of samples by thread and phase.
[ "$GPROFX_BUILTIN" = 0 ] || exit 0
module slices <<'END'
	#include "stub.h"
	#include <stdio.h>
	static enum gprofx_result
	read_slices(struct gprofx *gx, const struct gprofx_file *file, const struct gprofx_target *target,
	            struct gprofx_profile *profile, const void *options)
	{
		const struct gprofx_profile_builder *b = profile->builder;
		struct gprofx_from from = {.size = sizeof from};
		struct gprofx_raw_process process = {.size = sizeof process, .number = 9,
		                                     .name = "run</script>"};
		(void)target;
		(void)options;
		if (file->length < 6 || memcmp(file->bytes, "slices", 6) != 0)
			return GPROFX_DECLINED;
		uint32_t of = b->process(gx, profile, file, &process), thread[40], solve;
		for (uint32_t i = 0; i < 40; i++) {
			struct gprofx_raw_thread row = {.size = sizeof row, .process = of, .number = 100 + i,
			                                .name = i == 3 ? "w\033" : NULL};
			thread[i] = b->thread(gx, profile, file, &row);
		}
		struct gprofx_raw_phase phase = {.size = sizeof phase, .number = 2, .name = "solve<b>"};
		solve = b->phase(gx, profile, file, &phase);
		for (uint32_t i = 0; i < 40; i++) {
			struct gprofx_raw_sample rows[2] = {{0x401000, 1}, {0x401100, i == 7 ? 90 : 2}};
			from.slice = b->slice(gx, profile, file, thread[i], i % 2 ? solve : 0);
			b->samples(gx, profile, file, &from, rows, 2);
		}
		return GPROFX_OK;
	}
	static const struct gprofx_reader reader = {.size = sizeof reader, .format = "slices", .read = read_slices};
	GPROFX_PLUGIN = {GPROFX_ABI, .name = "input-slices", .version = "1", .summary = "Slices", .reader = &reader};
END
printf 'slices of a program, by threads and a phase\n' >profile
cat >slices.py <<'END'
s = data['slices']
assert s['kinds'] == 7 and s['left'] == 0 and len(s['thread']) == 40, s['kinds']
assert s['process'] == [{'number': 9, 'name': 'run</script>', 'parent': -1}], s['process']
assert s['thread'][3] == {'number': 103, 'name': 'w\\x1b', 'process': 0, 'threads': 1}, s['thread'][3]
assert s['thread'][4] == {'number': 104, 'name': None, 'process': 0, 'threads': 1}, s['thread'][4]
assert s['phase'] == [{'number': 2, 'name': 'solve<b>'}], s['phase']
assert s['first'][-1] == len(s['node']) == len(s['self']) == len(s['below']) == len(s['calls']), s['first']
total, by_thread = [0] * len(names), {}
for i, piece in enumerate(s['slice']):
    rows = range(s['first'][i], s['first'][i + 1])
    assert sum(s['self'][k] for k in rows) == piece['ticks'], piece
    for k in rows:
        total[s['node'][k]] += s['self'][k]
        by_thread[names[s['node'][k]], piece['thread']] = s['self'][k]
        assert s['below'][k] == -1 and (piece['phase'] == 0) == (piece['thread'] % 2 == 1), piece
assert set(s['bounds']) == {'process', 'thread', 'phase'}, s['bounds']
bounds = s['bounds']['thread']
assert {names[n] for n in bounds['node']} == {'main', 'even'}, bounds
# The error of samples at single addresses is not known.
assert bounds['low'] == bounds['high'] == [None, None], bounds
assert total == values['self'][:len(total)], (total, values['self'])
assert by_thread['even', 7] == 90 and by_thread['even', 8] == 2 and by_thread['main', 8] == 1, by_thread
END
page "$(cat slices.py)" --plugin=./slices.so -O slices --no-findings program profile
