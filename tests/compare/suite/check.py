# SPDX-License-Identifier: Apache-2.0
"""Runs both tools with one option set and says how the results differ."""
import difflib
import functools
import os
import re
import signal
import subprocess
import tempfile

import kept
import runner
from .options import EXACT, FIRST_LINE, FRAME, OWN_WORDS

SECONDS = 120
CRASHES = 3     # so often GNU gprof is asked again
ERROR = re.compile(rb'error\[([a-z.-]+)\]')
MISCOUNTED = b': somebody miscounted: '
# What GNU gprof reads from memory that it never wrote changes with this value.
DISTURBED = {'MALLOC_PERTURB_': '181'}
GRAPH_HEADING = b'\t\t\tCall graph\n'
GRAPH_HEADING_LONG = b'\t\t     Call graph (explanation follows)\n'


def run(link, option_set, words, directory, disturbed=False):
    """`link` is called "gprof" and leads to the tool."""
    if option_set.separate:
        return run_separate(link, option_set, words, directory, disturbed)
    environment = dict(option_set.env or {}, **(DISTURBED if disturbed else {}))
    if not option_set.pipe:
        return runner.start(link, words, directory, name=option_set.argv0, stdin=option_set.stdin,
                            extra=environment, seconds=SECONDS)
    with open(os.path.join(directory, option_set.stdin), 'rb') as source:
        data = source.read()
    try:
        done = subprocess.run([option_set.argv0] + words, executable=link, cwd=directory, input=data,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              env=runner.environment(environment), timeout=SECONDS)
        return runner.Result(done.returncode, done.stdout, done.stderr)
    except subprocess.TimeoutExpired as late:
        return runner.Result(None, late.stdout or b'', late.stderr or b'')


def run_separate(link, option_set, words, directory, disturbed):
    """In a folder of its own; the files that appear there stand behind the output."""
    with tempfile.TemporaryDirectory(dir=directory) as folder:
        result = runner.start(link, words, folder, name=option_set.argv0, seconds=SECONDS,
                              extra=DISTURBED if disturbed else None)
        for name in sorted(os.listdir(folder)):
            with open(os.path.join(folder, name), 'rb') as text:
                result.out += b'-- %s:\n' % name.encode() + text.read()
    return result


def ask_oracle(oracle, option_set, words, directory):
    """run() of GNU gprof, whose answer another configuration of the tests may have had before."""
    key = (directory, option_set.argv0, words, sorted((option_set.env or {}).items()), option_set.stdin,
           option_set.pipe, option_set.separate)
    return kept.remember(kept.folder_for('compare'), key,
                         lambda: run(oracle, option_set, words, directory))


def first_line(data):
    return data.split(b'\n', 1)[0]


def first_difference(what, wanted, got):
    """A few lines around the first difference of two texts, or nothing."""
    if wanted == got:
        return []
    old, new = ([line.decode('utf-8', 'backslashreplace') for line in text.split(b'\n')]
                for text in (wanted, got))
    changes = [line for line in difflib.unified_diff(old, new, lineterm='', n=1)
               if not line.startswith(('---', '+++'))] if len(old) + len(new) < 4000 else []
    if not changes:
        at = next((i for i, (a, b) in enumerate(zip(old, new)) if a != b), min(len(old), len(new)))
        changes = ['-' + line for line in old[at:at + 3]] + ['+' + line for line in new[at:at + 3]]
    shown = [line if len(line) <= 160 else line[:157] + '...' for line in changes[:9]]
    return ['%s differs (- GNU gprof, + tested):' % what] + ['  ' + line for line in shown]


class Hole:
    """A place in a report where an explanation stands."""

    def __init__(self, text=b''):
        self.text = text            # what must be among the words


def frame_of(brief, traditional):
    """The report without -b, from the one with -b: a list of bytes and holes.

    Listings are separated by form feeds. The heading of the graph changes; the explanation stands
    behind the flat profile and the graph, with -T before them: between the separator and the flat
    profile, and even before the separator of the graph.
    """
    parts, listings = [], brief.split(b'\f\n')
    for number, listing in enumerate(listings):
        separator = b'\f\n' if number else b''
        if traditional and re.match(rb'\n?granularity: each sample hit', listing):
            if b'\nindex  %time    self descendants' in listing:
                parts += [Hole(), separator + listing]
            else:
                parts += [separator, Hole(b'\n\n\nflat profile:\n'), listing]
        elif not traditional and listing.startswith(b'Flat profile:\n'):
            parts += [separator + listing, Hole()]
        elif not traditional and listing.startswith(GRAPH_HEADING):
            parts += [separator + GRAPH_HEADING_LONG + listing[len(GRAPH_HEADING):], Hole()]
        else:
            parts.append(separator + listing)
    return parts


def misfit(parts, report):
    """Why the report does not have this frame, or None."""
    at, hole = 0, None
    for part in parts + [None]:
        if isinstance(part, Hole):
            hole = part
            continue
        if part is None:
            found = len(report) if hole else at
        elif hole:
            found = report.find(part, at + 1)
        else:
            found = at if report.startswith(part, at) else -1
        if found < 0:
            return 'this is missing%s:\n%s' % (' behind the explanation' if hole else '',
                                               part.decode(errors='replace')[:300])
        if hole:
            words = report[at:found]
            if hole.text not in words or not re.search(rb'[A-Za-z]{3}', words):
                return 'no explanation where there should be one'
        hole, at = None, found + len(part or b'')
    return None if at == len(report) else 'more text than expected: %r' % report[at:at + 200]


def framed(option_set, oracle, words, directory):
    """The frame that a report without -b must have."""
    brief = ask_oracle(oracle, option_set, ['-b'] + words, directory)
    return frame_of(brief.out, '-T' in words)


def no_crash(option_set, words, directory, tools):
    """What is wrong where GNU gprof looks for code that it has not read: at times it ends well."""
    oracle, tested = tools
    got = run(tested, option_set, words, directory)
    for _ in range(CRASHES):
        wanted = run(oracle, option_set, words, directory)
        if wanted.status != -signal.SIGSEGV:
            return compare(option_set, words, directory, oracle, wanted, got)
    return ['status %d' % got.status] if got.status != 0 or not got.out else []


def differences(option_set, words, directory, tools, steady):
    """What is wrong, as lines: the tested tool differs, or GNU gprof cannot be compared.

    tools: (GNU gprof, the tested tool). steady: find out whether GNU gprof gives one result only.
    """
    oracle, tested = tools
    wanted = ask_oracle(oracle, option_set, words, directory)
    if wanted.status == -signal.SIGSEGV and '-c' in words:
        return no_crash(option_set, words, directory, tools)
    if wanted.broken():
        return ['GNU gprof is no oracle here: ' + wanted.broken()]
    lost = MISCOUNTED in wanted.err
    got = run(tested, option_set, words, directory)
    if got.broken():
        return [got.broken()] + got.err.decode(errors='replace').splitlines()[:12]
    if lost:
        # It counts lines twice and gives up if the results differ; ours has one count only.
        return ['status %d' % got.status] if got.status != 0 or not got.out else []
    problems = compare(option_set, words, directory, oracle, wanted, got)
    if option_set.in_own_mode:
        problems += own_differences(words, directory, tested, got)
    if problems or steady:
        again = run(oracle, option_set, words, directory, disturbed=True)
        if again != wanted:
            problems = ['GNU gprof gives two different results'] + first_difference(
                'output of the second', wanted.out + wanted.err, again.out + again.err)
    return problems


@functools.lru_cache
def plain_options(tested):
    """What own mode is started with to print what GNU mode prints."""
    said = runner.start(tested, ['--help'], '/', name='gprofx').out
    return ['--correct=none'] + (['--no-findings'] if b'--no-findings' in said else [])


def own_differences(words, directory, tested, gnu):
    """Own mode without what is its own, against the result of GNU mode."""
    options = list(plain_options(tested))
    if any(word.startswith(('-A', '-J')) for word in words):
        options.append('--output-option=annotate.layout=gprof')
    own = runner.start(tested, options + words, directory, name='gprofx', seconds=SECONDS)
    if own.broken():
        return ['gprofx %s: %s' % (' '.join(options), own.broken())]
    if own.status == 1 and not own.out and set(ERROR.findall(own.err)) == {b'symspec.no-match'}:
        return []       # GNU gprof goes on
    problems = first_difference('stdout of gprofx %s' % ' '.join(options), gnu.out, own.out)
    if (own.status == 0) != (gnu.status == 0):
        problems.append('gprofx %s: status %d' % (' '.join(options), own.status))
    return problems


def compare(option_set, words, directory, oracle, wanted, got):
    problems = []
    if wanted.status != got.status:
        problems.append('status %d instead of %d' % (got.status, wanted.status))
    if option_set.what == FIRST_LINE:
        problems += first_difference('first line of stderr', first_line(wanted.err),
                                     first_line(got.err))
    else:
        problems += first_difference('stderr', wanted.err, got.err)
    if option_set.what in (EXACT, FIRST_LINE):
        problems += first_difference('stdout', wanted.out, got.out)
    elif option_set.what == OWN_WORDS:
        if not got.out.strip():
            problems.append('nothing on stdout')
    elif option_set.what == FRAME:
        frame = framed(option_set, oracle, words, directory)
        why = misfit(frame, wanted.out)
        if why:
            problems.append('GNU gprof itself does not have the frame expected: ' + why)
        why = misfit(frame, got.out)
        if why:
            problems.append(why)
    return problems
