#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Programs in other languages: an extension of the Python interpreter that is compiled with -pg, while the interpreter
is not; a Rust program with threads, which has stacks alone. What is not installed is left out."""
import os
import re
import shutil
import subprocess
import sys
import sysconfig

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(os.path.dirname(HERE), 'tools')]

import gxcreader                                        # noqa: E402
from collected import RECORD, check, compile_program, run_parts, skip     # noqa: E402

GPROFX = os.environ['GPROFX']


def record(where, *words):
    return subprocess.run([RECORD, *words], cwd=where, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          timeout=60, stdin=subprocess.DEVNULL)


def new_folder(folder, name):
    path = os.path.join(folder, name)
    os.makedirs(path)
    return path


def time_of(where, path, name):
    """The rows of the call graph that are about a function: (share, self, below, name)."""
    shown = subprocess.run([GPROFX, '--no-findings', '-b', '-q', path, 'gprofx.data'], cwd=where, stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE, text=True)
    check('%s: report' % name, shown.returncode == 0, shown.stderr)
    found = re.search(r'^\[\d+\] +([\d.]+) +([\d.]+) +([\d.]+) .*\b%s\b.*$' % name, shown.stdout, re.M)
    check('%s: it has a row' % name, found, shown.stdout[:2000])
    return [float(word) for word in found.groups()] if found else [0, 0, 0]


def extension(folder):
    where, include = new_folder(folder, 'extension'), sysconfig.get_path('include')
    if not os.path.exists(include + '/Python.h'):
        skip('the headers of Python are not installed')
        return
    compile_program('extension.c', where + '/extension.so', '-O1', '-pg', '-shared', '-fPIC', '-I' + include)
    done = record(where, sys.executable, '-c', 'import extension, threading\n'
                  'threads = [threading.Thread(target=extension.call, args=(n,)) for n in (1000, 20000)]\n'
                  '[t.start() for t in threads]; [t.join() for t in threads]; print(extension.call(30000))')
    check('extension: status', done.returncode == 0 and done.stdout == '30000\n', '%s' % done)
    files = [gxcreader.File(where + '/gprofx.data/' + name) for name in os.listdir(where + '/gprofx.data')]
    check('extension: calls', sum(gxcreader.calls_by_function([f]).get('inner', 0) for f in files) == 51000)
    share, *_ = time_of(where, os.path.realpath(sys.executable), 'call')
    check('extension: it takes most of the time', share > 50, '%f' % share)


def rust(folder):
    where = new_folder(folder, 'rust')
    if not shutil.which('rustc'):
        skip('rustc is not installed')
        return
    made = subprocess.run(['rustc', '-O', '-C', 'force-frame-pointers', os.path.join(HERE, 'programs', 'threads.rs'), '-o',
                           where + '/threads'], cwd=where, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if made.returncode != 0:
        skip('rustc cannot compile: ' + made.stdout[-300:])
        return
    done = record(where, './threads')
    check('rust: status', done.returncode == 0 and re.search(r', 4 threads, 1 process,\s+nothing lost', done.stderr), '%s' % done)
    work, main = time_of(where, './threads', 'threads::work'), time_of(where, './threads', 'threads::main')
    check('rust: the time of threads', work[0] > 60 and work[1] > 0, '%s' % work)
    # Threads are not called by main, which has work of its own.
    check('rust: the time of main', main[2] > 0 and main[0] + work[0] < 120, '%s' % main)


if __name__ == '__main__':
    sys.exit(run_parts(extension, rust))
