# SPDX-License-Identifier: Apache-2.0
"""What the tests of the collector share: where it is, and counts of what was right and wrong."""
import os
import subprocess
import sys
import tempfile

BUILD = os.environ['GPROFX_BUILD']
PROGRAMS = os.path.join(os.environ['GPROFX_SOURCE'], 'tests', 'collect', 'programs')
LIBRARY = os.path.join(BUILD, 'lib', 'libgprofx-collect.so.1')
ARCHIVE = os.path.join(BUILD, 'lib', 'libgprofx-collect.a')
RECORD = os.path.join(BUILD, 'bin', 'gprofx-record')

results = {'passed': 0, 'failed': 0, 'skipped': 0}


def check(what, is_right, detail=''):
    results['passed' if is_right else 'failed'] += 1
    if not is_right:
        print('FAIL: %s %s' % (what, detail), flush=True)
    return is_right


def skip(what):
    results['skipped'] += 1
    print('SKIP: %s' % what, flush=True)


def compile_program(source, path, *flags, compiler='gcc'):
    """Compiles a program of PROGRAMS, or another one."""
    made = subprocess.run([compiler, '-D_GNU_SOURCE', '-w', *flags, os.path.join(PROGRAMS, source), '-o', path,
                           '-pthread'], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if made.returncode != 0:
        raise RuntimeError('cannot compile %s: %s' % (source, made.stdout[:800]))
    return path


def preloaded(settings='', library=LIBRARY):
    """The environment of a program under the collector."""
    return dict(os.environ, LD_PRELOAD=library, GPROFX_COLLECT=settings)


def run_parts(*parts):
    """Runs parts of a test, each with a folder for all of them; returns the exit status.  Words of the command line
    are names of parts that are to run alone."""
    if not os.path.exists(LIBRARY):
        print('SKIP: the collector is not built here')
        return 77
    with tempfile.TemporaryDirectory() as folder:
        # Other users have to reach what is in it.
        os.chmod(folder, 0o755)
        for part in parts:
            if len(sys.argv) < 2 or part.__name__ in sys.argv:
                part(folder)
    print('%(passed)d passed, %(failed)d failed, %(skipped)d skipped' % results)
    return 1 if results['failed'] else 0
