#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Programs do under the collector what they do without it.

Each act of signals.c and processes.c is run as a program without -pg, and as one with -pg under the collector with
signals at 4000 Hz: output, status and the signal that ended it must be the same, and not a call may be missing. Then
the system refuses things. What needs rights that the user does not have is skipped.
"""
import ctypes
import glob
import os
import pwd
import shutil
import struct
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(os.path.dirname(HERE), 'tools')]

import gxcreader                                        # noqa: E402
from collected import ARCHIVE, LIBRARY, check, compile_program, preloaded, run_parts, skip     # noqa: E402

FAST = 'rate=4000'
FORKED, OTHER_CLOCK, PRIVATE_TABLES, RESTRICTED, UNWRITTEN = 16, 2, 1, 64, 1 << 17
SIGNALS = ['abort', 'abort-handled', 'segv', 'alternate-stack', 'small-alternate-stack', 'timers',
           'all', 'defaults', 'wait']
PROCESSES = ['vfork', 'spawn', 'exec', 'fork', 'copies', 'fork-in-handler', 'reopened', 'no-stderr',
             'few-descriptors', 'huge-stacks', 'small-stack', 'small-stack-sampled', 'plain']
# Calls of leaf() in all processes; the others call it as often as it happens.
CALLS = {'abort': 1000, 'no-descriptors': 5000, 'alternate-stack': 3000, 'small-alternate-stack': 3000, 'all': 31,
         'wait': 3000, 'vfork': 100, 'spawn': 100, 'exec': 100, 'copies': 16 * 50, 'reopened': 5000,
         'no-stderr': 100, 'few-descriptors': 100, 'small-stack': 5000, 'plain': 5000}
# Processor time that programs take for sure, in milliseconds.
BURNT = {'abort': 30, 'alternate-stack': 180, 'small-alternate-stack': 180, 'timers': 400, 'all': 300, 'wait': 600,
         'huge-stacks': 30, 'plain': 140}
LIMITS = {'few-descriptors': 'ulimit -n 64'}


def start(path, words, folder, environment=None, before=None, limit='', **more):
    os.makedirs(folder, exist_ok=True)
    command = [path, *words]
    if limit:
        command = ['sh', '-c', limit + ' && exec "$@"', 'sh', *command]
    return subprocess.run(command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          timeout=120, preexec_fn=before, stdin=subprocess.DEVNULL, **more)


def read_files(folder):
    return [gxcreader.File(name) for name in sorted(glob.glob(os.path.join(folder, '*.gxc')))]


def calls_in(files):
    return gxcreader.calls_by_function(files)['leaf']


def check_calls(what, files, expected):
    counted = calls_in(files)
    check('%s: calls' % what, counted == expected, '%d instead of %d' % (counted, expected))


def build(folder, name):
    """A program with -pg, and the same without."""
    for path, flags in (name, ['-pg']), (name + '-bare', []):
        if not os.path.exists(os.path.join(folder, path)):
            compile_program(name + '.c', os.path.join(folder, path), '-O1', *flags)
    return os.path.join(folder, name)


def check_samples(what, path, act, where, environment, least):
    """On a busy machine, the kernel's ticks miss much of a thread that runs for shorter times: then it has more chances."""
    for i in range(8):
        samples = sum(f.samples() for f in read_files(where))
        if samples >= least:
            break
        where = '%s.again%d' % (where, i)
        start(path, [act], where, environment, limit=LIMITS.get(act, ''))
    check('%s: samples' % what, samples >= least, '%d, not at least %d' % (samples, least))


def compare(folder, program, act, settings=FAST):
    path, what = build(folder, program), '%s %s' % (act, settings)
    where = '%s.%s.%s' % (path, act, ''.join(filter(str.isalnum, settings)))
    limit = LIMITS.get(act, '')
    bare = start(path + '-bare', [act], where + '.bare', limit=limit)
    done = start(path, [act], where, preloaded(settings), limit=limit)
    check('%s: status' % what, done.returncode == bare.returncode,
          '%d instead of %d: %s' % (done.returncode, bare.returncode, done.stderr[:300]))
    check('%s: output' % what, done.stdout == bare.stdout, '%s instead of %s' % (done.stdout[:300], bare.stdout[:300]))
    check('%s: errors' % what, done.stderr == bare.stderr, '%s' % done.stderr[:300])
    left = [set(name for name in os.listdir(f) if not name.startswith('gmon.out')) for f in (where, where + '.bare')]
    check('%s: other files' % what, left[0] == left[1], '%s' % (left[0] ^ left[1]))
    files = read_files(where)
    check('%s: files' % what, len(files) > 0)
    if act in CALLS:
        check_calls(what, files, CALLS[act])
    if act in BURNT and files:
        # Ticks are 4 ms, and less than one is lost at the end of a thread.
        check_samples(what, path, act, where, preloaded(settings), (0.5 * BURNT[act] - 8) * files[0].header['rate'] / 1000)
    return files


def signals(folder):
    for act in SIGNALS:
        compare(folder, 'signals', act)
    for act in 'timers', 'all', 'wait':
        compare(folder, 'signals', act, 'rate=1000,signal=PROF')
    for act in 'alternate-stack', 'segv':
        compare(folder, 'signals', act, 'rate=4000,stack=fp')


def processes(folder):
    for act in PROCESSES:
        files = compare(folder, 'processes', act)
        if act == 'fork':
            children = [calls_in([f]) for f in files if f.header['flags'] & FORKED]
            check('fork: calls of children', children == 30 * [50], '%s' % children)
        if act == 'copies':
            # The parent first, and each child has a file of its own.
            check('copies: calls of each', [calls_in([f]) for f in files] == 16 * [50] and
                  [f.header['flags'] & FORKED for f in files].count(0) == 1, '%s' % [calls_in([f]) for f in files])
    for act in 'spawn', 'exec', 'fork', 'small-stack-sampled', 'reopened':
        compare(folder, 'processes', act, 'rate=4000,clock=task')
    for clock in 'cpu', 'task':
        compare(folder, 'processes', 'no-descriptors', 'rate=4000,gmon=off,clock=' + clock)


def no_errors_into_files(folder):
    """A message must not go to a file that has the number of standard error."""
    path = build(folder, 'processes')
    done = start(path, ['no-stderr'], folder + '/no-stderr', preloaded('out=%s/none/gmon.out,live=off' % folder))
    check('message: file of the program', done.stdout == b'2 4\n', '%s' % done.stdout)
    done = start(path, ['plain'], folder + '/with-stderr', preloaded('out=%s/none/gmon.out,live=off' % folder))
    check('message: standard error', done.stderr == b'gprofx-collect: cannot write %s/none/gmon.out: its folder does not exist\n' % folder.encode(),
          '%s' % done.stderr)
    check('message: output', done.stdout == b'done\n' and done.returncode == 0)


def refuse(numbers, error):
    """For the child: the system refuses these calls from now on, and new rights."""
    libc = ctypes.CDLL(None)

    def install():
        code = [struct.pack('HBBI', 0x20, 0, 0, 0)]
        for i, number in enumerate(numbers):
            code.append(struct.pack('HBBI', 0x15, len(numbers) - i, 0, number))
        code += [struct.pack('HBBI', 6, 0, 0, 0x7fff0000), struct.pack('HBBI', 6, 0, 0, 0x50000 | error)]
        data = ctypes.create_string_buffer(b''.join(code))
        program = ctypes.create_string_buffer(struct.pack('HxxxxxxQ', len(code), ctypes.addressof(data)))
        if libc.prctl(38, 1, 0, 0, 0) != 0 or (numbers and libc.prctl(22, 2, program, 0, 0) != 0):
            os._exit(99)
    return install


TIMER_CREATE, FALLOCATE, PERF_EVENT_OPEN = 222, 285, 298


def refused(folder):
    path = build(folder, 'processes')
    cases = [('nothing', [], 0, FAST, b''),
             ('timers', [TIMER_CREATE], 1, FAST, b'gprofx-collect: the system refuses timers: calls are counted, '
              b'times are not measured\n'),
             ('timers', [TIMER_CREATE], 38, FAST, None), ('fallocate', [FALLOCATE], 1, FAST, b''),
             ('fallocate', [FALLOCATE], 38, FAST, b''), ('perf', [PERF_EVENT_OPEN], 13, FAST + ',clock=task',
             b'gprofx-collect: the system refuses clock=task (perf_event_paranoid): clock=cpu is used\n'),
             ('everything', [TIMER_CREATE, FALLOCATE, PERF_EVENT_OPEN], 1, FAST, None)]
    for i, (name, numbers, error, settings, message) in enumerate(cases):
        where = '%s/refused%d' % (folder, i)
        done = start(path, ['plain'], where, preloaded(settings), refuse(numbers, error))
        if done.returncode == 99:
            skip('the system has no filters for calls')
            return
        what = '%s refused with %d' % (name, error)
        check('%s: output' % what, (done.returncode, done.stdout) == (0, b'done\n'), '%s' % done)
        check('%s: one message' % what, done.stderr == message if message is not None else
              done.stderr.count(b'\n') == 1, '%s' % done.stderr)
        files = read_files(where)
        check_calls(what, files, 5000)
        if TIMER_CREATE in numbers:
            check('%s: no samples' % what, sum(f.samples() for f in files) == 0)
        else:
            check_samples(what, path, 'plain', where, preloaded(settings), 100)
        if name == 'perf':
            check('%s: it is noted' % what, all(f.header['flags'] & OTHER_CLOCK for f in files))


def restricted(folder):
    """A program that has the system end it for calls that it does not make is not ended for the collector's."""
    path = build(folder, 'filters')
    # Calls of leaf() in the process itself, and whether the collector can go on.
    for act, calls, goes_on in (('strict', 1500, False), ('kill', 1500, False), ('kill-direct', 1500, False),
                                ('error', 2000, True), ('refused', 1500, None)):
        for settings in (FAST, FAST + ',clock=task') if act == 'kill' else (FAST,):
            what, where = 'restricted, %s %s' % (act, settings), '%s/filter-%s-%d' % (folder, act, len(settings))
            bare = start(path + '-bare', [act], where + '.bare')
            done = start(path, [act], where, preloaded(settings))
            check('%s: status' % what, done.returncode == bare.returncode == 7,
                  '%d instead of %d' % (done.returncode, bare.returncode))
            check('%s: output' % what, done.stdout == bare.stdout, '%s' % done.stdout)
            check('%s: message' % what, (b'restricts its system calls (seccomp)' in done.stderr) == (goes_on is not True),
                  '%s' % done.stderr)
            file = max(read_files(where), key=lambda f: f.header['start'] * -1)
            check('%s: header' % what, (file.header['flags'] & RESTRICTED != 0) == (goes_on is False) and
                  file.header['end'] > file.header['start'], '%s' % file.header)
            check('%s: calls' % what, calls_in([file]) == calls and (file.header['lost_calls'] == 0) == (goes_on is not False
                                                                     or act == 'strict'),
                  '%d and %d lost' % (calls_in([file]), file.header['lost_calls']))
            check_samples(what, path, act, where, preloaded(settings), 100)
            if goes_on is None:
                check('%s: it is taken back' % what, b'measured again' in done.stderr, '%s' % done.stderr)


def limits(folder):
    path = build(folder, 'processes')
    for limit in 'ulimit -v 120000', 'ulimit -f 2', 'ulimit -f 40', 'ulimit -s unlimited', 'ulimit -n 20', 'ulimit -c 0':
        where = '%s/%s' % (folder, limit.replace(' ', '_'))
        done = start(path, ['plain'], where, preloaded(FAST), limit=limit)
        check('%s: output' % limit, (done.returncode, done.stdout) == (0, b'done\n'), '%s' % done)
        if '-f' in limit:
            # The file cannot grow: what is missing is counted.
            files = read_files(where)
            lost = sum(f.header['lost_calls'] for f in files)
            check('%s: calls' % limit, not files or calls_in(files) + lost >= 5000, '%d' % lost)
            check('%s: it is said' % limit, b'cannot write' in done.stderr, '%s' % done.stderr)
            check('%s: why' % limit, b'the user may not write larger files, ulimit -f' in done.stderr, '%s' % done.stderr)
            check('%s: no incomplete gmon.out' % limit, not os.path.exists(where + '/gmon.out') or
                  os.path.getsize(where + '/gmon.out') > 5000, '%s' % done.stderr)
        else:
            check('%s: errors' % limit, done.stderr == b'', '%s' % done.stderr)
            check_calls(limit, read_files(where), 5000)


def full_disk(folder):
    path = build(folder, 'processes')
    disk = folder + '/disk'
    os.makedirs(disk)
    for size in 4, 24, 48, 100:
        script = ('mount -t tmpfs -o size=%dk none %s || exit 99; cd %s; "$1" plain; status=$?; '
                  'cp *.gxc %s/full-%d.gxc; exit $status' % (size, disk, disk, folder, size))
        done = subprocess.run(['unshare', '-m', 'sh', '-c', script, 'sh', path], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, timeout=60,
                              env=preloaded('rate=4000,threads=separate,out=%s/full.gmon,live=%s/%%n.gxc' % (folder, disk)))
        if done.returncode == 99 or b'unshare' in done.stderr:
            skip('no file system can be mounted')
            return
        what = 'disk of %d KiB' % size
        check('%s: output' % what, (done.returncode, done.stdout) == (0, b'done\n'), '%s' % done)
        copies = glob.glob('%s/full-%d.gxc' % (folder, size))
        if copies:
            # What is not in the file is counted in its header.
            files = [gxcreader.File(copies[0])]
            lost = files[0].header['lost_calls']
            check('%s: calls' % what, calls_in(files) + lost >= 5000, '%d and %d' % (calls_in(files), lost))
            check('%s: message' % what, lost == 0 or b'cannot write all' in done.stderr, '%s' % done.stderr)
            check('%s: why' % what, lost == 0 or done.stderr.count(b' (the disk is full): ') == 2, '%s' % done.stderr)
            check('%s: flag' % what, lost == 0 or files[0].header['flags'] & UNWRITTEN)
        else:
            check('%s: message' % what, b'kept in memory until the program ends, and lost if it is killed' in done.stderr,
                  '%s' % done.stderr)
            check('%s: header' % what, files[0].header['private'] == 0, '%d' % files[0].header['private'])
            if files[0].header['flags'] & PRIVATE_TABLES:
                check('%s: it is said at once' % what, done.stderr.count(b': the rest is kept in memory, and lost if the '
                                                                         b'program is killed\n') == 1, '%s' % done.stderr)
        if shutil.which('gprof'):
            listed = subprocess.run(['gprof', '-b', '-p', path, folder + '/full.gmon'], stdout=subprocess.PIPE, text=True)
            check('%s: gmon.out' % what, ' 5000 ' in listed.stdout, listed.stdout[:300])


def killed_on_full_disk(folder):
    """The file says how much is not in it; a program that replaces itself leaves nothing in memory that fits."""
    path, disk = build(folder, 'processes'), folder + '/small'
    os.makedirs(disk)
    for act, size, end in (('plain-and-wait', 48, 'kill -9 $!'), ('replace', 48, ':'), ('replace', 1000, ':')):
        script = ('mount -t tmpfs -o size=%dk none %s || exit 99; cd %s; "$1" %s >%s/out & '
                  'while ! grep -q done %s/out; do sleep 0.02; done; %s; wait; '
                  'mv *.gxc %s/small.gxc; exit 0' % (size, disk, disk, act, folder, folder, end, folder))
        done = subprocess.run(['unshare', '-m', 'sh', '-c', script, 'sh', path], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, timeout=60,
                              env=preloaded('rate=4000,threads=separate,gmon=off,live=%s/%%n.gxc' % disk))
        if done.returncode == 99 or b'unshare' in done.stderr:
            skip('no file system can be mounted')
            return
        what, file = '%s on %d KiB' % (act, size), gxcreader.File(folder + '/small.gxc')
        missing = 5000 - calls_in([file])
        check('%s: header' % what, (file.header['private'] > 0) == (missing > 0) == (size == 48),
              '%d bytes, %d calls' % (file.header['private'], missing))
        check('%s: message' % what, (b': the rest is kept in memory, and lost if the program is killed\n' in done.stderr) ==
              (size == 48), '%s' % done.stderr)
        os.remove(folder + '/out')


def other_user(folder):
    """A set-user-ID program is not measured, and a folder may be one that the user cannot write to."""
    try:
        nobody = pwd.getpwnam('nobody')
    except KeyError:
        nobody = None
    if os.geteuid() != 0 or not nobody:
        skip('only the system administrator can become other users')
        return

    def become_nobody():
        os.setgroups([])
        os.setgid(nobody.pw_gid)
        os.setuid(nobody.pw_uid)

    path, library = build(folder, 'processes'), folder + '/libgprofx-collect.so.1'
    shutil.copy(LIBRARY, library)
    done = start(path, ['plain'], folder + '/read-only', preloaded(FAST, library), become_nobody)
    check('read-only: output', (done.returncode, done.stdout) == (0, b'done\n'), '%s' % done)
    check('read-only: messages', done.stderr.count(b'gprofx-collect: cannot write ') == done.stderr.count(b'\n') == 2,
          '%s' % done.stderr)
    check('read-only: nothing is written', os.listdir(folder + '/read-only') == [])

    linked = compile_program('processes.c', folder + '/set-user', '-O1', '-pg', ARCHIVE)
    os.makedirs(folder + '/written')
    os.chmod(folder + '/written', 0o777)
    for mode in 0o755, 0o4755:
        os.chmod(linked, mode)
        done = start(linked, ['plain'], folder + '/written', dict(os.environ, GPROFX_COLLECT='bogus=1'), become_nobody)
        check('set-user: output', (done.returncode, done.stdout) == (0, b'done\n'), '%s' % done)
        if mode == 0o755:
            check('not set-user: it is measured', len(os.listdir(folder + '/written')) == 2 and b'bogus' in done.stderr)
            check('files are private', all(os.stat(name).st_mode & 0o777 == 0o600
                                           for name in glob.glob(folder + '/written/*.gxc')))
            for name in glob.glob(folder + '/written/*'):
                os.remove(name)
        else:
            check('set-user: silent', done.stderr == b'', '%s' % done.stderr)
            check('set-user: nothing is written', os.listdir(folder + '/written') == [])


def settings(folder):
    """What is wrong in the environment is said in one line, and the rest counts."""
    path = build(folder, 'processes')
    cases = {'bogus=1': 'gprofx-collect: GPROFX_COLLECT: bogus=1 is unknown and ignored\n',
             'rate=0': 'gprofx-collect: GPROFX_COLLECT: rate=0: expected rate= with 1 to 100000; it is ignored\n',
             'clock=real': 'gprofx-collect: GPROFX_COLLECT: clock=real: expected clock= with cpu, task, wall or off; '
                           'it is ignored\n',
             'signal=RTMIN+3,control=RTMIN+3': 'gprofx-collect: GPROFX_COLLECT: signal= and control= are the same signal; '
                                               'control= is ignored\n',
             'memory=9999999999G': None, 'signal=RTMIN+99': None, 'rate': None, 'depth=0': None, 'stack=': None,
             'live=off': '', 'stack=off': '', 'threads=separate': '', 'memory=64K': '', 'gmon=off': '', ',,': ''}
    for i, (setting, message) in enumerate(cases.items()):
        where = '%s/settings%d' % (folder, i)
        done = start(path, ['plain'], where, preloaded(setting))
        check('%s: output' % setting, (done.returncode, done.stdout) == (0, b'done\n'), '%s' % done)
        check('%s: message' % setting, done.stderr.decode() == message if message is not None else
              done.stderr.count(b'\n') == 1 and setting.encode() in done.stderr, '%s' % done.stderr)
        files = read_files(where)
        check('%s: file' % setting, (len(files) == 1) == (setting != 'live=off'))
        check('%s: gmon.out' % setting, os.path.exists(where + '/gmon.out') == (setting != 'gmon=off'))
        if files and setting != 'memory=64K':
            check_calls(setting, files, 5000)
        elif files:
            check('%s: calls' % setting, calls_in(files) + files[0].header['lost_calls'] >= 5000)
            check('%s: size' % setting, files[0].header['bytes'] <= 65536)


if __name__ == '__main__':
    sys.exit(run_parts(signals, processes, no_errors_into_files, refused, restricted, limits, full_disk,
                       killed_on_full_disk, other_user, settings))
