# SPDX-License-Identifier: Apache-2.0
"""Compares the figures in a file of speedscope with those of the JSON report.

    against_json.py [--seed N] [--count N]

Random call graphs with cycles, recursion and unknown callers, and random stacks, are written in both formats, in own mode
and in GNU mode.
"""
import json
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.environ['GPROFX_SOURCE'], 'tests', 'tools'))

import exportcases                                                  # noqa: E402


def stacks_of(profile, frames):
    """Checks what readers do, and returns ([names], weight)."""
    assert profile['type'] == 'sampled' and profile['startValue'] == 0, profile
    assert len(profile['samples']) == len(profile['weights']), profile
    assert all(isinstance(weight, int) and weight > 0 for weight in profile['weights']), profile
    assert sum(profile['weights']) == profile['endValue'], profile
    return [([frames[i]['name'] for i in sample], weight)
            for sample, weight in zip(profile['samples'], profile['weights'])]


def check(folder, words):
    path = os.path.join(folder, 'out.speedscope.json')
    report = exportcases.write_both('speedscope', path, folder, words)
    with open(path, encoding='utf-8') as text:
        file = json.load(text)
    frames = file['shared']['frames']
    names = [frame['name'] for frame in frames]
    assert len(set(names)) == len(names), names
    scale = exportcases.scale_of(report, 1e6)
    profiles = {profile['name']: profile for profile in file['profiles']}
    is_measured = report['metrics'][0]['total_origin'] == 'measured'
    first = file['profiles'][file['activeProfileIndex']]
    assert first['name'].startswith('Measured' if is_measured else 'Estimated'), first['name']
    assert all(profile['unit'] == 'microseconds' or scale == 1 or profile['name'].startswith('Calls')
               for profile in file['profiles']), profiles.keys()
    stacks = stacks_of(first, frames)
    sums = exportcases.check_stacks(stacks, report, scale, exact_functions=False)
    assert is_measured == ('Self time (measured)' not in profiles), profiles.keys()
    if not is_measured:
        own = exportcases.sums_of(stacks_of(profiles['Self time (measured)'], frames))
        for f in report['functions']:
            value = f['self_ticks'] * scale
            assert abs(own.get(f['name'], [0])[0] - value) <= 1 + 1e-9 * value, f
    calls = profiles.get('Calls (counted)')
    calls = exportcases.sums_of(stacks_of(calls, frames)) if calls else {}
    for f in report['functions']:
        assert calls.get(f['name'], [0])[0] == (f['calls'] or 0), f
    return len(sums)


sys.exit(exportcases.compare_all(check, 30))
