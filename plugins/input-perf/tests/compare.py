# SPDX-License-Identifier: Apache-2.0
"""What gprofx and perf report show of a recording, in one form."""
import collections
import json
import os
import re
import subprocess

GPROFX = os.environ['GPROFX']
OF_DEMO = ('main', 'run', 'spin', 'alpha', 'beta', 'gamma_', 'rec', 'touch', 'thread')


def gprofx(file, *words):
    done = subprocess.run([GPROFX, '--no-findings', '--output=json', *words, file], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode != 0:
        raise SystemExit('%s: status %d\n%s' % (file, done.returncode, done.stderr.decode()))
    return json.loads(done.stdout)


def has_own(name, object):
    """Whether the figures of a function are compared: those of the demo, and of the kernel where names are known."""
    return name in OF_DEMO or object == '[kernel.kallsyms]' and not name.startswith(('0x', '['))


class Figures:
    """Of one event: by object the self time; by name and object self and inclusive times of functions of the demo."""

    def __init__(self):
        self.objects, self.own, self.whole, self.total = collections.Counter(), collections.Counter(), {}, 0


def of_gprofx(file, *words):
    """By metric, in ticks and with the number of these that a unit of perf's has: nanoseconds, or events."""
    metrics = gprofx(file, *words)['metrics']
    all_figures = {}
    for metric in metrics:
        report, figures = gprofx(file, '--metric=' + metric['name'], *words), Figures()
        first = report['metrics'][0]
        assert first['name'] == metric['name'], (first, metric)
        scale = 10 ** 9 // first['ticks_per_unit'] if first['unit'] == 'seconds' else 1
        for row in report['functions']:
            own, whole = row['self_ticks'] * scale, row['total_ticks'] * scale
            name, object = row['name'], row['object']
            if object:
                name = name.removesuffix(' (%s)' % object)
            figures.total += own
            if re.match(r'perf-\d+\.map$', object or ''):
                object = 'generated code'
            figures.objects[object or '[unknown]'] += own
            if has_own(name, object):
                figures.own[name, object] += own
                figures.whole[name, object] = whole
        figures.objects = +figures.objects
        all_figures[metric['name']] = figures
    return all_figures


def perf(file, *words):
    return subprocess.run(['perf', 'report', '--stdio', '--no-group', '-g', 'none', '-i', file, *words], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True, stdin=subprocess.DEVNULL).stdout


def by_event(text):
    """The lines of each event; those of a group are side by side."""
    events = collections.OrderedDict()
    now = None
    for line in text.splitlines():
        found = re.match(r"# Samples: \S+ +of events? '(.*)'", line)
        if found:
            now = events.setdefault(found.group(1), [])
        elif line.strip() and not line.startswith('#') and now is not None:
            now.append(line)
    return events


def base(event):
    return re.match(r'[^/]+', event).group(0)


def of_perf(file, has_children=True):
    """The same of perf; inclusive times are percentages."""
    all_figures = {}
    for event, lines in by_event(perf(file, '--no-children', '-F', 'overhead,period,sample,dso,sym')).items():
        figures = all_figures[event] = Figures()
        figures.samples = 0
        for line in lines:
            row = re.match(r'\s*[\d.]+%\s+(\d+)\s+(\d+)\s+(\S.*?)\s+\[(.)\] (.*?)\s*$', line)
            if not row:
                raise SystemExit('not understood: ' + line)
            period, count, object, _, name = row.groups()
            if object.startswith(('[JIT]', 'perf-', '//anon', 'anon', 'memfd:')):
                object = 'generated code'
            figures.total += int(period)
            figures.samples += int(count)
            figures.objects[object] += int(period)
            if has_own(name, object):
                figures.own[name, object] += int(period)
        figures.objects = +figures.objects
    if not has_children:
        return all_figures
    for event, lines in by_event(perf(file, '--children', '-F', 'overhead_children,dso,sym')).items():
        for line in lines:
            row = re.match(r'\s*([\d.]+)%\s+(\S+)\s+\[.\] (.*?)\s*$', line)
            # perf names the function behind a call that does not return, such as those that start the kernel.
            if row and row.group(3) in OF_DEMO:
                all_figures[event].whole[row.group(3), row.group(2)] = row.group(1)
    return all_figures


def differences(mine, wanted):
    """What differs in the figures of one event."""
    found = []
    if mine.total != wanted.total:
        found.append('total %d, perf has %d' % (mine.total, wanted.total))
    for object in sorted(set(mine.objects) | set(wanted.objects)):
        if mine.objects[object] != wanted.objects[object]:
            found.append('%s %d, perf has %d' % (object, mine.objects[object], wanted.objects[object]))
    for key in sorted(set(mine.own) | set(wanted.own)):
        if mine.own[key] != wanted.own[key]:
            found.append('self of %s (%s) %d, perf has %d' % (*key, mine.own[key], wanted.own[key]))
    for key, percent in sorted(wanted.whole.items()):
        own = '%.2f' % (100 * mine.whole.get(key, 0) / mine.total) if mine.total else '0.00'
        if own != percent:
            found.append('children of %s (%s) %s, perf has %s' % (*key, own, percent))
    return found
