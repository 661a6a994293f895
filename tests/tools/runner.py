# SPDX-License-Identifier: Apache-2.0
"""Starts the program under test, and the installed GNU gprof, and says what came out.

The environment names the program: GPROFX=/path/to/gprofx. Both programs are started under the
same argv[0], since messages begin with it and since it chooses the GNU mode.
"""
import itertools
import os
import resource
import shutil
import subprocess
import sys

import standby

SKIPPED = 77
SANITIZER = (b'AddressSanitizer', b'LeakSanitizer', b'runtime error:', b'MemorySanitizer',
             b'ThreadSanitizer')

STARTS = itertools.count()
SEARCHED = 4            # each start of so many is searched for leaks

resource.setrlimit(resource.RLIMIT_CORE, (0, 0))        # for everything started from here


class Result:
    """What one run left behind; `status` is negative for a signal and None for a hang."""

    def __init__(self, status, out, err):
        self.status, self.out, self.err = status, out, err

    def __eq__(self, other):
        return (self.status, self.out, self.err) == (other.status, other.out, other.err)

    def broken(self):
        """Why the run cannot be right whatever it was asked to do, or None."""
        if self.status is None:
            return 'it did not end'
        if self.status < 0:
            return 'signal %d' % -self.status
        if self.status == 99:
            return 'a sanitizer ended it'
        for mark in SANITIZER:
            if mark in self.err:
                return 'sanitizer report'
        return None


def environment(extra=None):
    keep = {k: v for k, v in os.environ.items()
            if k not in ('GPROF_PATH', 'POSIXLY_CORRECT', 'LANG', 'LANGUAGE')
            and not k.startswith('LC_')}
    keep['LC_ALL'] = 'C'
    # The search for leaks takes as long as the rest of a short run, and a leak is there again in the next one.
    if 'ASAN_OPTIONS' in keep and next(STARTS) % SEARCHED != 0:
        keep['ASAN_OPTIONS'] += ':detect_leaks=0'
    keep.update(extra or {})
    return keep


def start(program, arguments, directory, name='gprof', stdin=None, extra=None, seconds=60, anew=False):
    """Runs `program` as `name` inside `directory`; `stdin` is the name of a file there.

    Where starting takes long, one that has started stands in for it, unless it is to start `anew`.
    """
    words, surroundings = [name] + list(arguments), environment(extra)
    with open(os.path.join(directory, stdin) if stdin else os.devnull, 'rb') as source:
        ready = None if anew else standby.stand_in(program, surroundings)
        if ready:
            return Result(*ready.start(words, directory, surroundings, source.fileno(), seconds))
        try:
            done = subprocess.run(words, executable=program, cwd=directory, stdin=source,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=surroundings,
                                  timeout=seconds)
            return Result(done.returncode, done.stdout, done.stderr)
        except subprocess.TimeoutExpired as late:
            return Result(None, late.stdout or b'', late.stderr or b'')


def limit_memory(size):
    """Address space of everything started from now on, this process included."""
    resource.setrlimit(resource.RLIMIT_AS, (size, resource.getrlimit(resource.RLIMIT_AS)[1]))


def program_under_test():
    path = os.environ.get('GPROFX')
    if not path or not os.access(path, os.X_OK):
        sys.exit('GPROFX must name the program to test')
    return os.path.abspath(path)


def installed_gprof(name='gprof'):
    """The path of the installed GNU gprof if it is the release we are compared with, or None.

    `name`: that of a cross compiler's. GPROF_ORACLE names another one, for instance one that reads
    the object files of every machine.
    """
    path = shutil.which(os.environ.get('GPROF_ORACLE', name))
    if path is None:
        return None
    said = subprocess.run([path, '--version'], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL).stdout.split(b'\n')[0]
    return path if said.startswith(b'GNU gprof') and said.endswith(b' 2.40') else None


def share(items):
    """Those that a test takes: all, or with $GPROFX_QUICK every third."""
    return items[::3] if os.environ.get('GPROFX_QUICK') else items


class Tally:
    """Counts checks, names the failed ones, and prints the summary line."""

    def __init__(self):
        self.passed, self.failed = 0, 0

    def check(self, good, name, why='', detail=()):
        if good:
            self.passed += 1
            return True
        self.failed += 1
        print('FAIL %s%s' % (name, ': ' + why if why else ''))
        for line in detail:
            print('    ' + line)
        return False

    def finish(self):
        print('%d passed, %d failed' % (self.passed, self.failed))
        return 1 if self.failed else 0
