#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the collector consists of: code that runs in calls and signal handlers calls nothing of the C library, the
compiler's own calls included; the library needs libc and libgcc only, shows no more names than it has to, is not
instrumented, and finds its thread without calls.
"""
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(os.path.dirname(HERE), 'tools')]

from collected import ARCHIVE, LIBRARY, check, run_parts     # noqa: E402

# These can use the C library; all others run anywhere.
ORDINARY = {'api.c', 'classical.c', 'gmon.c', 'monitor.c', 'settings.c', 'start.c', 'values.c'}
# The unwinder takes no locks where this function is there; it is warmed up at the start.
UNWINDER = {'_Unwind_Backtrace', '_Unwind_GetCFA', '_Unwind_GetIP', '_dl_find_object'}
ENTRIES = {'mcount', '_mcount', '__fentry__', '__monstartup', 'monstartup', '_mcleanup', 'moncontrol',
           '__cyg_profile_func_enter', '__cyg_profile_func_exit', '__sanitizer_cov_trace_pc'}
FUNCTIONS = {'gprofx_collect_' + name for name in ('start', 'stop', 'snapshot', 'thread_name', 'mark', 'status')}
WRAPPED = {'pthread_create', 'dlclose', 'execve', 'execv', 'execvp', 'execvpe', 'execl', 'execlp', 'execle', 'fexecve', '_Fork', 'clone',
           'sigaction', 'signal', '__sysv_signal', 'sigprocmask', 'pthread_sigmask', 'sigwait', 'sigwaitinfo',
           'sigtimedwait', 'signalfd', 'prctl', 'syscall', 'unshare', 'setns'}


def output(*words):
    return subprocess.run(words, stdout=subprocess.PIPE, check=True, text=True).stdout


def members():
    """(name of the source, defined names, undefined names) of each object in the archive."""
    for part in output('nm', ARCHIVE).split('\n\n'):
        name, *rows = part.strip().split('\n')
        rows = [row[17:].split(' ') for row in rows]
        yield (re.sub(r'\.o:$', '', name), {row[1] for row in rows if row[0] != 'U' and row[0] != 'w'},
               {row[1] for row in rows if row[0] in 'Uw'})


def anywhere(folder):
    objects = list(members())
    own = {name for source, defined, _ in objects if source not in ORDINARY for name in defined}
    ordinary = {name for source, defined, _ in objects if source in ORDINARY for name in defined}
    check('objects', len(objects) > 12 and ORDINARY < {source for source, _, _ in objects}, '%s' % objects)
    for source, _, undefined in objects:
        check('%s: not instrumented' % source, not undefined & ENTRIES, '%s' % undefined)
        if source in ORDINARY:
            continue
        foreign = undefined - own - UNWINDER - {'_GLOBAL_OFFSET_TABLE_'}
        # Variables are no calls.
        foreign -= {'collect'} & ordinary
        check('%s: calls' % source, not foreign, '%s' % foreign)


def library(folder):
    defined = {line.split()[2] for line in output('nm', '-D', '--defined-only', LIBRARY).splitlines()}
    check('names', defined == ENTRIES | FUNCTIONS | WRAPPED, '%s' % (defined ^ (ENTRIES | FUNCTIONS | WRAPPED)))
    dynamic = output('readelf', '-dW', LIBRARY)
    needed = set(re.findall(r'NEEDED.*\[(.*)\]', dynamic))
    check('libraries', needed <= {'libc.so.6', 'libgcc_s.so.1', 'ld-linux-x86-64.so.2'}, '%s' % needed)
    for flag in 'NOW', 'NODELETE', 'STATIC_TLS':
        check('flag %s' % flag, flag in dynamic)
    check('no changes of code', 'TEXTREL' not in dynamic)
    relocations = output('readelf', '-rW', LIBRARY)
    check('thread variables', 'TPOFF64' in relocations and 'DTPMOD' not in relocations and 'TLSDESC' not in relocations)
    segments = output('readelf', '-lW', LIBRARY)
    check('stack', re.search(r'GNU_STACK.* RW ', segments) is not None)


def archive(folder):
    """Where the names of the C library's collector are defined: in one place each."""
    for name in ENTRIES:
        sources = [source for source, defined, _ in members() if name in defined]
        check('%s is defined once' % name, len(sources) == 1, '%s' % sources)


if __name__ == '__main__':
    sys.exit(run_parts(anywhere, library, archive))
