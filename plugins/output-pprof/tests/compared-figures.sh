#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Both sides of a comparison, and the differences that pprof shows, are those of the JSON report; of two files of pprof, they
# are those of its own option -diff_base. Takes about four seconds with Go.
. "$GPROFX_SOURCE/tests/tools/compared.sh"
need python3
"$GPROFX" --list-plugins | grep -q '^output-json ' || skip 'output-json is not installed'
python3 -c 'import comparedcases; comparedcases.write(); comparedcases.write_cycles()' || fail 'no profiles were made'

# compared NAME WORD...: the comparison in NAME.pprof, and as JSON.
compared() {
	compared_as pprof "$@"
}
compared one program base after
compared shares --normalize=total program base after
compared builds --base-image=before then earlier later
compared runs before runs faster
compared stacks stacks slower
compared folded old.folded new.folded
compared cycle prog cycle more
compared calls --normalize=calls prog cycle more
compared silent prog silent more
compared flat --set=pprof.flat=true before runs faster
compared few --set=report.contexts=2 program base after

cat >check.py <<'END'
import json
import re
import shutil
import subprocess
import sys
import shownby
from pprofreader import Pprof

def key(name):
    """The name in the file: all is printable."""
    return re.sub(r'[\x00-\x1f]', lambda m: '\\x%02x' % ord(m[0]), name)

for name in sys.argv[1:]:
    report, path = json.load(open(name + '.json')), name + '.pprof'
    profile = Pprof(path)
    scale = 1e9 if report['metric']['unit'] == 'seconds' else 1
    at = [kind for kind, _ in profile.types].index(profile.default_type)
    # Each side by itself: self and inclusive values, and the totals.
    own, whole, sums = {'base': {}, 'new': {}}, {'base': {}, 'new': {}}, {'base': 0, 'new': 0}
    for (frames, values), labels in zip(profile.samples, profile.labels):
        side = 'base' if labels else 'new'
        assert labels in ({}, {'pprof::base': 'true'}), labels
        assert all(value <= 0 if side == 'base' else value >= 0 for value in values), values
        names = profile.names(frames)
        own[side][names[0]] = own[side].get(names[0], 0) + abs(values[at])
        for frame in set(names):
            whole[side][frame] = whole[side].get(frame, 0) + abs(values[at])
        sums[side] += abs(values[at])
    for side in 'base', 'new':
        wanted = sum(f['self'][side] for f in report['functions'])
        assert abs(sums[side] - wanted * scale) <= 1 + wanted * scale * 1e-9, (name, side, sums, wanted)
        for f in report['functions']:
            found = own[side].get(key(f['name']), 0)
            assert abs(found - f['self'][side] * scale) <= 2, (name, side, f['name'], found)
            # Members of a cycle stand where it does, and other figures are not those of paths.
            if f['total'][side] is not None and name not in ('cycle', 'calls', 'flat', 'few'):
                found = whole[side].get(key(f['name']), 0)
                assert abs(found - f['total'][side] * scale) <= 2, (name, side, f['name'], found)
    assert report['summary']['sentence'] in profile.comments, profile.comments
    assert 'Differences here are not tested: chance explains some' in profile.comments
    assert any('multiplied so' in comment for comment in profile.comments) == (name in ('shares', 'calls'))
    if not shutil.which('go'):
        continue
    # The consumer: values are differences, percentages those of the base.
    shown = {function.strip(): value for function, value, _ in shownby.pprof_top(path)}
    for f in report['functions']:
        difference = (f['self']['new'] - f['self']['base']) * scale
        found = shown.get(key(f['name']).strip(), 0)
        assert abs(found - difference) <= 2, (name, f['name'], found, difference)
    top = subprocess.run(['go', 'tool', 'pprof', '-top', '-unit=ns', path], capture_output=True, check=True, text=True, encoding='utf-8').stdout
    total = int(re.search(r'of (\d+)(?:ns)? total', top)[1])
    assert total == sums['base'], (name, total, sums)

# Calls are those of one run, as times are.
profile = Pprof('flat.pprof')
calls = [values[0] for frames, values in profile.samples if profile.names(frames) == ['called']]
assert profile.types[0] == ('calls', 'count') and calls == [10, -10], (profile.types, calls)
END
python3 check.py one shares builds runs stacks folded cycle calls silent flat few || fail 'pprof shows something else'

# The same as what pprof makes of two files.
if command -v go >/dev/null; then
	expect_status 0 "$GPROFX" --no-findings --output=pprof:base.pb.gz program base
	expect_status 0 "$GPROFX" --no-findings --output=pprof:after.pb.gz program after
	top() {
		go tool pprof -top -nodecount=100 -nodefraction=0 "$@" 2>/dev/null | sed '1,/^Type/d'
	}
	top -diff_base=base.pb.gz after.pb.gz >theirs
	top one.pprof >ours
	[ "$(wc -l <ours)" -gt 20 ] || fail 'pprof shows nothing'
	expect_same theirs ours
fi
