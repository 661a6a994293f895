#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Processes that gprofx record --pid attaches to, without the collector."""
import collections
import ctypes
import glob
import os
import platform
import resource
import signal
import struct
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(os.path.dirname(HERE), 'tools')]

import gxcreader                                        # noqa: E402
from collected import PROGRAMS, RECORD, check, compile_program, preloaded, run_parts, skip     # noqa: E402

GPROFX = os.environ['GPROFX']
RATE = 1000
RUNNING, CLOSED, REPLACED = 1, 2, 3
FRAME_POINTERS, FORKED, SNAPSHOT, ATTACHED, USER_ONLY = 4, 16, 128, 1 << 20, 1 << 21
CUT, BROKEN, CFI = 1, 2, 4
HAS_CFI = platform.machine() == 'x86_64'
NOBODY = 65534


def new_folder(folder, name):
    path = os.path.join(folder, name)
    os.makedirs(path)
    return path


def built(folder, name='visited', *flags):
    path = os.path.join(folder, name + ''.join(flags))
    return path if os.path.exists(path) else compile_program(name + '.c', path, '-O2', '-g', *flags)


def record(*words, **more):
    return subprocess.run([RECORD, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=120, **more)


class Visited:
    """A process that obeys, and one that is attached to it."""

    def __init__(self, folder, name, *options, flags=(), user=None):
        self.path, self.where = built(folder, 'visited', *flags), new_folder(folder, name)
        more = {'user': user, 'group': user} if user else {}
        if user:
            os.chown(self.where, user, user)
        self.process = subprocess.Popen([self.path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, **more)
        self.process.stdout.readline()
        self.recorder = subprocess.Popen([RECORD, '--pid=%d' % self.process.pid, '--rate=%d' % RATE, *options],
                                         cwd=self.where, stderr=subprocess.PIPE, text=True, **more)
        self.errors = self.recorder.stderr.readline()
        check('%s: attached' % name, 'attached to process %d;' % self.process.pid in self.errors, self.errors)

    def do(self, line):
        self.process.stdin.write(line + '\n')
        self.process.stdin.flush()
        return self.process.stdout.readline()

    def end(self):
        """The process ends; returns the files."""
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()
        return self.done()

    def done(self):
        self.errors += self.recorder.stderr.read()
        self.recorder.stderr.close()
        self.status = self.recorder.wait(60)
        self.names = sorted(glob.glob(self.where + '/gprofx.data/*'))
        return [gxcreader.File(name) for name in self.names]

    def report(self, *options):
        return subprocess.run([GPROFX, *options, self.path], cwd=self.where, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True).stdout


def names_of(file, chain, known={}):
    """The functions of a stack, the innermost first."""
    names = []
    for i, pc in enumerate(chain):
        path, address = file.linked(pc - (i > 0))
        if path and path.startswith('/') and path not in known:
            known[path] = gxcreader.Symbols(path) if os.access(path, os.R_OK) else None
        names.append(known[path].name(address) if known.get(path) else '?')
    return names


def inclusive(file):
    """Of each function, the weight of the stacks that it is in; and the weight by their flags."""
    sums, flags = collections.Counter(), collections.Counter()
    for weight, squares, kind, chain in file.stacks():
        check('squares', squares == weight)
        flags[kind & (CUT | BROKEN)] += weight
        for name in set(names_of(file, chain)):
            sums[name] += weight
    return sums, flags


def is_near(samples, milliseconds):
    """Samples stand for processor time that the program measured itself; a busy machine delays timers."""
    return 0.75 * milliseconds <= samples * 1000 / RATE <= 1.1 * milliseconds + 10


def shares(folder):
    """Three threads, and three functions below which the program measures the time itself."""
    path, where = built(folder, 'shares', '-pthread'), new_folder(folder, 'shares-data')
    process = subprocess.Popen([path, '3', '2'], stdout=subprocess.PIPE, text=True)
    time.sleep(0.2)
    done = record('--pid=%d' % process.pid, '--rate=%d' % RATE, cwd=where)
    truth = [int(word) for word in process.communicate()[0].split()]
    check('shares: status', done.returncode == 0 and 'calls not counted' in done.stderr and
          '  gprofx %s' % path in done.stderr, '%s' % done)
    file = gxcreader.File(glob.glob(where + '/gprofx.data/shares*.%d.0.gxc' % process.pid)[0])
    check('shares: header', file.header['state'] == CLOSED and file.header['flags'] & ATTACHED and
          file.header['end'] > file.header['start'] and file.header['clock'] == 2, '%s' % file.header)
    sums, flags = inclusive(file)
    total = file.samples()
    if HAS_CFI:
        check('shares: all callers', flags[0] >= 0.99 * total and sums['work'] >= 0.98 * total, '%s' % flags)
        for name, expected in zip(('cheap', 'middle', 'dear'), truth):
            part, whole = sums[name] / total, expected / sum(truth)
            # Four standard errors, and what a timer of a busy machine adds.
            check('shares: %s' % name, abs(part - whole) < 4 * (whole * (1 - whole) / total) ** 0.5 + 0.02,
                  '%g, %g' % (part, whole))
    check('shares: samples', 0.6 * sum(truth) <= total * 1e9 / RATE <= 1.05 * sum(truth), '%d' % total)
    check('shares: threads', file.header['threads'] == 4 and len(list(file._rows(4, '<II'))) == 4)
    check('shares: nothing is missing', unsampled(file) * RATE < 0.1 * total, '%g' % unsampled(file))
    shown = subprocess.run([GPROFX, '--per-thread', path], cwd=where, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    check('shares: report', shown.returncode == 0 and 'turn' in shown.stdout and 'stacks.incomplete' not in shown.stdout, shown.stdout)


def unsampled(file):
    """Seconds of processor time without samples: a member that other files have no use for."""
    return file.header['rest'] / 1e9


def stacks(folder):
    """Ways to follow them; what is cut says so."""
    program = Visited(folder, 'deep', '--depth=12')
    program.do('deep 40 200')
    sums, flags = inclusive(program.end()[0])
    check('deep: cut', is_near(flags[CUT], 200) and sums['main'] <= 20 and is_near(sums['deeper'], 200), '%s %s' % (sums, flags))
    check('deep: the report says so', 'stacks.incomplete' in program.report('--summary'))
    # More of the stack than the system copies.
    program = Visited(folder, 'deepest', '--depth=1024')
    program.do('deep 900 200')
    file = program.end()[0]
    sums, flags = inclusive(file)
    check('deepest: cut', not HAS_CFI or (is_near(flags[CUT], 200) and is_near(sums['deeper'], 200)), '%s %s' % (sums, flags))
    program = Visited(folder, 'pointers', '--stack=fp', flags=('-fno-omit-frame-pointer',))
    program.do('deep 10 200')
    file = program.end()[0]
    sums, flags = inclusive(file)
    check('pointers: header', file.header['flags'] & FRAME_POINTERS)
    check('pointers: callers', is_near(sums['burn_here'], 200) and sums['main'] >= 0.9 * sums['burn_here'], '%s' % sums)
    # The C library has none, so the function that calls main is often missing, and that is said.
    check('pointers: the end', all(names_of(file, chain)[-1] == '_start' or not HAS_CFI
                                   for _, _, kind, chain in file.stacks() if not kind & (BROKEN | CUT)), '%s' % flags)
    program = Visited(folder, 'off', '--stack=off')
    program.do('deep 10 100')
    check('off: one frame', {len(chain) for _, _, _, chain in program.end()[0].stacks()} == {1})
    program = Visited(folder, 'kernel')
    program.do('read 200')
    sums, flags = inclusive(program.end()[0])
    check('kernel: its caller', is_near(sums['burn_reading'], 200) and
          (not HAS_CFI or sums['main'] >= 0.95 * sums['burn_reading']), '%s %s' % (sums, flags))


def plugin(where, name):
    path = '%s/%s.so' % (where, name)
    subprocess.run(['gcc', '-O2', '-shared', '-fPIC', '-w', '-D_GNU_SOURCE', '-DPLUGIN=work_of_' + name,
                    os.path.join(PROGRAMS, 'visited.c'), '-o', path], check=True)
    return path


def loading(folder):
    """Libraries that come and go, at addresses that others had."""
    program = Visited(folder, 'loading')
    one, two = plugin(program.where, 'one'), plugin(program.where, 'two')
    for _ in range(3):
        program.do('load %s 70' % one)
        program.do('load %s 140' % two)
    file = program.end()[0]
    sums, flags = inclusive(file)
    check('loading: each has its own', is_near(sums['work_of_one'], 210) and is_near(sums['work_of_two'], 420), '%s' % sums)
    check('loading: callers', sums['main'] >= 0.95 * file.samples() if HAS_CFI else True, '%s %s' % (sums, flags))
    gone = [row for row in file.objects if row.low >= gxcreader.KEPT]
    check('loading: they are gone', any(row.path.endswith('.so') for row in gone), '%s' % file.objects)
    rows = sorted((row.low, row.high) for row in file.objects)
    check('loading: no overlap', all(a[1] <= b[0] for a, b in zip(rows, rows[1:])))
    shown = program.report('--summary')
    check('loading: report', 'work_of_one' in shown and 'work_of_two' in shown, shown)


def threads(folder):
    """Threads that start while this is attached have their names."""
    program = Visited(folder, 'threads')
    for i in range(3):
        program.do('thread worker-%d 100' % i)
    program.do('brief 700')
    file = program.end()[0]
    rows = list(file._rows(4, '<IIQQQ16s'))
    names = {row[5].rstrip(b'\0').decode() for row in rows}
    check('threads: names', {'worker-1', 'worker-2', 'visited'} <= names, '%s' % names)
    check('threads: number', file.header['threads'] == 704 and len(rows) == 128, '%d' % file.header['threads'])
    # The first ones that ended give their tables to those behind.
    check('threads: one after the other', sum(struct.unpack_from('<I', file.bytes, at + 48 + i * entry)[0]
          for kind, entry, at, count in file.chunks if kind == 4 for i in range(count)) == 704)
    for row in rows:
        weights = [struct.unpack_from('<Q', file.bytes, at + 16 + 32 * i)[0] for kind, _, at, count in file.chunks
                   if kind == 2 and struct.unpack_from('<I', file.bytes, at - 32)[0] == row[0] for i in range(count)]
        check('threads: %s has its samples' % row[5], row[5][:8] not in (b'worker-1', b'worker-2') or is_near(sum(weights), 100),
              '%s' % weights)
    sums, _ = inclusive(file)
    check('threads: samples', sums['burn_in_thread'] >= 225, '%s' % sums)
    # Most of the others end before a sample is due: that is said.
    check('threads: what is missing', unsampled(file) > 0.02, '%g' % unsampled(file))
    check('threads: the report says so', 'collect.time-not-sampled' in program.report('--summary'))


def processes(folder):
    """Children and other programs have files of their own."""
    program = Visited(folder, 'forking')
    program.do('burn 100')
    program.do('fork 200')
    files = {file.header['pid'] == program.process.pid: file for file in program.end()}
    check('forking: two', len(files) == 2 and files[False].header['flags'] & FORKED and
          files[False].header['state'] == CLOSED and files[False].header['parent'] == program.process.pid)
    sums = inclusive(files[False])[0]
    check('forking: the child', is_near(sums['burn_in_child'], 200) and not sums['burn_here'], '%s' % sums)
    sums = inclusive(files[True])[0]
    check('forking: the parent', is_near(sums['burn_here'], 100) and not sums['burn_in_child'], '%s' % sums)
    program = Visited(folder, 'alone', '--children=off')
    program.do('fork 100')
    program.do('burn 100')
    files = program.end()
    check('alone: one', len(files) == 1 and not inclusive(files[0])[0]['burn_in_child'])
    check('alone: nothing is missing', unsampled(files[0]) < 0.09, '%g' % unsampled(files[0]))
    program = Visited(folder, 'replaced')
    program.do('burn 100')
    program.do('exec 200')
    files = {file.header['sequence']: file for file in program.end()}
    check('replaced: two', sorted(files) == [0, 1] and files[0].header['state'] == REPLACED and
          files[1].header['state'] == CLOSED, '%s' % program.names)
    sums = inclusive(files[0])[0]
    check('replaced: before', is_near(sums['burn_here'], 100) and not sums['burn_in_program'], '%s' % sums)
    sums = inclusive(files[1])[0]
    check('replaced: after', is_near(sums['burn_in_program'], 200) and not sums['burn_here'], '%s' % sums)
    check('replaced: its program', files[1].program == program.path, files[1].program)


def ends(folder):
    """Ends of the process, and of the one that is attached."""
    program = Visited(folder, 'killed')
    program.do('burn 100')
    program.process.kill()
    program.process.wait()
    files = program.done()
    check('killed: complete', program.status == 0 and is_near(inclusive(files[0])[0]['burn_here'], 100) and
          files[0].header['state'] == CLOSED)
    for number in signal.SIGINT, signal.SIGTERM:
        program = Visited(folder, 'signal-%d' % number)
        program.do('burn 100')
        program.recorder.send_signal(number)
        files = program.done()
        check('signal: status', program.status == 0 and 'shows the report' in program.errors, program.errors)
        check('signal: header', files[0].header['state'] == RUNNING and files[0].header['flags'] & SNAPSHOT)
        check('signal: samples', is_near(inclusive(files[0])[0]['burn_here'], 100))
        check('signal: the process runs on', program.do('burn 10') == 'done\n')
        shown = program.report()
        check('signal: report', 'finding[recording.snapshot]' in shown and 'a program that ran before and after' in shown, shown)
        program.process.communicate()
    program = Visited(folder, 'duration', '--duration=0.5')
    program.do('burn 100')
    start = time.monotonic()
    files = program.done()
    check('duration: it ends', program.status == 0 and time.monotonic() - start < 20 and
          files[0].header['flags'] & SNAPSHOT)
    check('duration: no half file', not [name for name in program.names if not name.endswith('.gxc')])
    program.process.communicate()


def losses(folder):
    """What had no room while this could not read it is counted, and the report says so."""
    program = Visited(folder, 'losses')
    program.do('burn 100')
    program.recorder.send_signal(signal.SIGSTOP)
    program.do('burn 3000')
    program.do('load %s 50' % plugin(program.where, 'late'))
    program.recorder.send_signal(signal.SIGCONT)
    time.sleep(0.5)
    program.do('burn 100')
    file = program.end()[0]
    lost, samples = file.header['lost_samples'], file.samples()
    check('losses: counted', lost > 300 and is_near(lost + samples, 3250), '%d, %d' % (lost, samples))
    check('losses: nothing else is missing', unsampled(file) < 0.5, '%g' % unsampled(file))
    check('losses: said', 'samples lost (could not keep up' in program.errors, program.errors)
    shown = program.report('--summary')
    check('losses: the report says so', 'could not keep up' in shown, shown)


def forbid_events(error=1):
    """A filter as containers have it: perf_event_open fails."""
    number = {'x86_64': 298, 'aarch64': 241}[platform.machine()]
    code = b''.join(struct.pack('<HBBI', *row) for row in (
        (0x20, 0, 0, 0), (0x15, 0, 1, number), (0x06, 0, 0, 0x00050000 | error), (0x06, 0, 0, 0x7fff0000)))
    rows = ctypes.create_string_buffer(code)
    libc = ctypes.CDLL(None)
    libc.prctl(38, 1, 0, 0, 0)
    program = ctypes.create_string_buffer(struct.pack('<HxxxxxxQ', 4, ctypes.addressof(rows)))
    if libc.prctl(22, 2, ctypes.c_void_p(ctypes.addressof(program)), 0, 0) != 0:
        os._exit(99)


def other_machine(path):
    """A program of 32 bits that waits."""
    code = bytes.fromhex('b81d000000cd80ebf7')
    head = b'\x7fELF\x01\x01\x01' + bytes(9) + struct.pack('<HHIIIIIHHHHHH', 2, 3, 1, 0x08048054, 52, 0, 0, 52, 32, 1, 0, 0, 0)
    part = struct.pack('<8I', 1, 0, 0x08048000, 0x08048000, 84 + len(code), 84 + len(code), 5, 4096)
    with open(path, 'wb') as file:
        file.write(head + part + code)
    os.chmod(path, 0o755)


def refused(folder):
    where = new_folder(folder, 'refused')
    os.chmod(where, 0o777)

    def refuses(what, name, *words, status=1, **more):
        done = record(*words, **{'cwd': where, **more})
        check('refused: %s' % what, done.returncode == status and 'error[%s]' % name in done.stderr, '%s' % done)
        check('refused: %s leaves nothing' % what, not os.listdir(where), '%s' % os.listdir(where))
        return done.stderr

    sleeper = subprocess.Popen(['sleep', '1000'])
    own = '--pid=%d' % sleeper.pid
    for words in 'x', '0', '-5', '12x', '', '99999999999':
        refuses(words, 'attach.bad-pid', '--pid=' + words, status=2)
    refuses('missing', 'attach.no-process', '--pid=%d' % 2147483647)
    refuses('a program', 'attach.takes-no-program', own, 'true', status=2)
    refuses('no process', 'attach.no-pid', '--duration=3', status=2)
    for words in ['--threads=3'], ['--memory=1M'], ['--only=off'], ['--signal=PROF'], ['--control=USR1'], ['--every=1'], \
            ['--keep=3'], ['--snapshot=1'], ['--recover=x']:
        errors = refuses(words[0], 'attach.unused-option', own, *words, status=2)
        check('refused: %s by name' % words[0], words[0].split('=')[0] + ':' in errors, errors)
    for word in '--clock=wall', '--clock=cpu', '--rate=0', '--rate=x', '--rate=1000001', '--depth=0', '--depth=1025', \
            '--stack=x', '--children=x', '--duration=0', '--duration=x':
        refuses(word, 'record.bad-value', own, word, status=2)
    refuses('the kernel', 'attach.kernel-thread', '--pid=2') if os.path.exists('/proc/2/stat') else skip('the kernel')
    refuses('itself', 'attach.itself', '-c', 'exec "$0" --pid=$$', RECORD, executable='/bin/sh')
    ended = subprocess.Popen(['true'])
    os.waitid(os.P_PID, ended.pid, os.WEXITED | os.WNOWAIT)
    refuses('ended', 'attach.ended', '--pid=%d' % ended.pid)
    ended.wait()
    threaded = subprocess.Popen([built(folder, 'shares', '-pthread'), '1', '100'])
    time.sleep(0.2)
    thread = max(int(name) for name in os.listdir('/proc/%d/task' % threaded.pid))
    refuses('a thread', 'attach.thread', '--pid=%d' % thread)
    threaded.kill()
    threaded.wait()
    collected = subprocess.Popen([built(folder, 'visited')], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                 env=preloaded('live=%s/own.%%p.gxc,gmon=off,only=off' % folder))
    collected.stdout.readline()
    errors = refuses('under the collector', 'attach.collected', '--pid=%d' % collected.pid)
    check('refused: another way', 'gprofx record --snapshot=%d' % collected.pid in errors, errors)
    collected.communicate()
    errors = refuses('a filter', 'attach.not-permitted', own, preexec_fn=forbid_events)
    check('refused: what to do', 'CAP_PERFMON' in errors and 'gprofx record PROGRAM' in errors, errors)
    refuses('an error', 'attach.failed', own, preexec_fn=lambda: forbid_events(22))
    threaded = subprocess.Popen([built(folder, 'shares', '-pthread'), '30', '100'])
    time.sleep(0.3)
    refuses('many threads', 'attach.too-many-files', '--pid=%d' % threaded.pid,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (25, 25)))
    threaded.kill()
    threaded.wait()
    if os.geteuid() == 0:
        refuses('another user', 'attach.other-user', own, user=NOBODY, group=NOBODY)
    else:
        skip('refused: another user')
    if platform.machine() == 'x86_64':
        other_machine(folder + '/other')
        try:
            other = subprocess.Popen([folder + '/other'])
            refuses('another machine', 'attach.other-machine', '--pid=%d' % other.pid)
            other.kill()
            other.wait()
        except OSError:
            skip('refused: programs of 32 bits do not run here')
    done = record(own, '-o', '/proc/none', cwd=where)
    check('refused: a folder', done.returncode == 1 and 'cannot make the folder /proc/none' in done.stderr, '%s' % done)
    sleeper.kill()
    sleeper.wait()


def full_disk(folder):
    """Without room, nothing half is left, and an earlier recording stays."""
    disk, path = new_folder(folder, 'full'), built(folder, 'visited')
    script = ('mount -t tmpfs -o size=40k none %s || exit 99; cd %s; mkdir gprofx.data; echo old >gprofx.data/a.gxc; '
              'dd if=/dev/zero of=fill bs=1k count=100 2>/dev/null; "$2" <"$3" & '
              '"$1" --pid=$! --duration=0.3; status=$?; ls -R; kill $!; exit $status' % (disk, disk))
    os.mkfifo(folder + '/pipe')
    keep = os.open(folder + '/pipe', os.O_RDWR)
    done = subprocess.run(['unshare', '-r', '-m', 'sh', '-c', script, 'sh', RECORD, path, folder + '/pipe'],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=60)
    os.close(keep)
    if done.returncode in (99, 127) or 'unshare' in done.stderr:
        skip('no file system can be mounted')
        return
    check('full: status', done.returncode == 1 and 'error[attach.cannot-write]' in done.stderr and
          'No space left' in done.stderr, '%s' % done)
    check('full: the earlier one', 'a.gxc' in done.stdout and '.old' not in done.stdout and 'visited' not in done.stdout and
          'part' not in done.stdout, '%s' % done)


def users(folder):
    """Without rights, the kernel is not sampled: that is said."""
    with open('/proc/sys/kernel/perf_event_paranoid', encoding='ascii') as level:
        if os.geteuid() != 0 or int(level.read()) != 2:
            skip('users: needs root, and kernel.perf_event_paranoid=2')
            return
    program = Visited(folder, 'users', user=NOBODY)
    program.do('burn 200')
    program.do('read 300')
    file = program.end()[0]
    sums, flags = inclusive(file)
    check('users: header', file.header['flags'] & USER_ONLY)
    check('users: samples', is_near(sums['burn_here'], 200) and flags[0] >= 0.95 * file.samples(), '%s %s' % (sums, flags))
    check('users: what is missing', is_near(unsampled(file) * RATE, 300), '%g' % unsampled(file))
    shown = program.report('--summary')
    check('users: the report says so', 'collect.time-not-sampled' in shown and 'kernel.perf_event_paranoid=1' in shown, shown)


def is_permitted():
    with subprocess.Popen(['sleep', '60']) as process:
        done = record('--pid=%d' % process.pid, '--duration=0.1', '-o', '/proc/none')
        process.kill()
    return 'attach.not-permitted' not in done.stderr


if __name__ == '__main__':
    if os.path.exists(RECORD) and not is_permitted():
        print('SKIP: performance events are not permitted here')
        sys.exit(77)
    sys.exit(run_parts(shares, stacks, loading, threads, processes, ends, losses, refused, full_disk, users))
