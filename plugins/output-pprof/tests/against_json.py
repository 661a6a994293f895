# SPDX-License-Identifier: Apache-2.0
"""Compares the figures in a file of pprof with those of the JSON report.

    against_json.py [--seed N] [--count N]

Random call graphs with cycles, recursion and unknown callers, and random stacks, are written in both formats, in own mode
and in GNU mode. The files are decoded here; where Go is installed, "go tool pprof -top" has to show the same.
"""
import os
import shutil
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.environ['GPROFX_SOURCE'], 'tests', 'tools'))

import exportcases                                                  # noqa: E402
import shownby                                                      # noqa: E402
from pprofreader import Pprof                                       # noqa: E402

HAS_GO = shutil.which('go') is not None


def run(folder, words, options=()):
    path = os.path.join(folder, 'out.pb.gz')
    report = exportcases.write_both('pprof', path, folder, words, options)
    return path, Pprof(path), report


def check(folder, words):
    path, profile, report = run(folder, words)
    metric, scale = report['metrics'][0], exportcases.scale_of(report, 1e9)
    is_time = scale != 1
    main = 1 if is_time else 0
    assert profile.types == ([('samples', 'count'), ('cpu', 'nanoseconds')] if is_time
                             else [(metric['name'], profile.types[0][1])]), profile.types
    assert profile.default_type == profile.types[main][0], profile.default_type
    sums = exportcases.check_stacks(profile.stacks(main), report, scale)
    if HAS_GO and profile.samples:
        shown = {name: [own, whole] for name, own, whole in shownby.pprof_top(path)}
        assert shown == sums, (shown, sums)
    check_flat(folder, words, report, scale)
    return len(sums)


def check_flat(folder, words, report, scale):
    """Functions without callers have their calls."""
    _, profile, _ = run(folder, words, ['--set=pprof.flat=true'])
    types = [name for name, _ in profile.types]
    assert all(len(frames) == 1 for frames, _ in profile.samples)
    own, calls = (exportcases.sums_of(profile.stacks(number)) for number in (len(types) - 1, 0))
    for f in report['functions']:
        assert abs(own.get(f['name'], [0])[0] - f['self_ticks'] * scale) <= 1 + 1e-9 * f['self_ticks'] * scale, f
        if types[0] == 'calls':
            count = f['calls'] if f['calls'] is not None else 0
            assert calls.get(f['name'], [0])[0] == count, (f, calls.get(f['name']))


sys.exit(exportcases.compare_all(check, 12))
