#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Copies of what running programs have recorded so far, and the signal that starts and stops sampling."""
import glob
import json
import os
import platform
import signal
import stat
import struct
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(os.path.dirname(HERE), 'tools')]

import gxcreader                                        # noqa: E402
from collected import PROGRAMS, RECORD, check, compile_program, preloaded, run_parts, skip     # noqa: E402

GPROFX = os.environ['GPROFX']
SNAPSHOT, ARCS, STACKS, WAITS = 128, 1, 2, 9


def built(folder, name, *flags):
    path = os.path.join(folder, name)
    return path if os.path.exists(path) else compile_program(name + '.c', path, '-O1', '-pg', '-g', *flags)


def new_folder(folder, name):
    path = os.path.join(folder, name)
    os.makedirs(path)
    return path


def take(what, where, **more):
    return subprocess.run([RECORD, '--snapshot=' + str(what)], cwd=where, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, timeout=60, **more)


def check_whole(what, name):
    """The whole file is chunks, entries are complete, and each frame's caller is there."""
    file = gxcreader.File(name)
    end = file.header['page']
    for kind, entry, at, count in file.chunks:
        size = struct.unpack_from('<Q', file.bytes, at - 64 + 8)[0]
        check('%s: room for what is used' % what, at - 64 >= end and at - 64 + size <= len(file.bytes))
        end = at - 64 + size
        if kind not in (ARCS, STACKS, WAITS):
            continue
        entries = list(struct.iter_unpack('<QQQQ', file.bytes[at:at + count * entry]))
        for words in entries:
            if kind == ARCS and words[2] != 0 and not check('%s: calls of something' % what, words[0] and words[1]):
                return file
            parent = words[1] & 0xffffffff
            if kind != ARCS and words[0] and parent and not (parent <= count and entries[parent - 1][0]):
                check('%s: a caller' % what, False)
                return file
    return file


def true_calls(page):
    return sum(struct.unpack_from('<q', page, 64 * i)[0] for i in range(4))


def running(folder):
    """Counts lie between those before and after the copy."""
    where, path = new_folder(folder, 'running'), built(folder, 'killed')
    process = subprocess.Popen([RECORD, '--rate=1000', path], cwd=where, stderr=subprocess.DEVNULL)
    while not (os.path.exists(where + '/truth') and glob.glob(where + '/gprofx.data/*.gxc')):
        time.sleep(0.01)
    pid = int(glob.glob(where + '/gprofx.data/*.gxc')[0].split('.')[-3])
    samples = 0
    for i in range(12):
        with open(where + '/truth', 'rb') as truth:
            before = true_calls(truth.read())
            done = take('%d:%d.gxc' % (pid, i), where)
            truth.seek(0)
            after = true_calls(truth.read())
        if not check('running: status', done.returncode == 0, '%s' % done):
            continue
        check('running: message', 'process %d is still running: ' % pid in done.stderr and
              '  gprofx %s %d.gxc\n' % (path, i) in done.stderr, done.stderr)
        file = check_whole('running', '%s/%d.gxc' % (where, i))
        calls = gxcreader.calls_by_function([file])['leaf']
        check('running: calls', before - 4 <= calls <= after + 4, '%d, %d, %d' % (before, calls, after))
        check('running: samples', file.samples() >= samples, '%d, %d' % (samples, file.samples()))
        check('running: it says so', file.header['state'] == 1 and file.header['flags'] & SNAPSHOT and
              file.header['end'] > file.header['start'])
        samples = file.samples()
        time.sleep(0.02)
    shown = subprocess.run([GPROFX, '--output=json', path, '11.gxc'], cwd=where, stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE, text=True)
    check('running: report', 'finding[recording.snapshot]' in shown.stderr and
          'recording.unfinished' not in shown.stderr, shown.stderr)
    check('running: its calls', {row['name']: row['calls'] for row in json.loads(shown.stdout)['functions']}['leaf'] ==
          calls)
    # The file has no name any more; the snapshot gets its usual one.
    for name in glob.glob(where + '/gprofx.data/*.gxc'):
        os.remove(name)
    done = take(pid, where)
    check('running: a removed file', done.returncode == 0 and
          os.path.exists('%s/killed.%d.snapshot.gxc' % (where, pid)), '%s' % done)
    check('running: nothing half', not glob.glob(where + '/*.part'), '%s' % os.listdir(where))
    os.kill(pid, signal.SIGKILL)
    process.wait()
    done = take(pid, where)
    check('running: ended', done.returncode == 1 and 'process %d does not run' % pid in done.stderr, '%s' % done)


def unloading(folder, tries=5):
    """While objects are unloaded, counts move from table to table: none is missing or twice."""
    where, path = new_folder(folder, 'unloading%d' % tries), built(folder, 'unload', '-ldl')
    for name in 'one', 'two':
        subprocess.run(['gcc', '-O1', '-shared', '-fPIC', '-pg', '-w', '-DNAME=' + name,
                        os.path.join(PROGRAMS, 'plugin.c'), '-o', '%s/%s.so' % (where, name)], check=True)
    process = subprocess.Popen([path, '2000', '1'], cwd=where, env=preloaded('rate=4000'), stderr=subprocess.PIPE)
    files = []
    while process.poll() is None and len(files) < 40:
        name = '%d.gxc' % len(files)
        if take('%d:%s' % (process.pid, name), where).returncode == 0:
            files.append(check_whole('unloading', os.path.join(where, name)))
    process.communicate()
    files.append(gxcreader.File(glob.glob(where + '/gmon.out*.gxc')[0]))
    last = {}
    for file in files:
        calls = gxcreader.calls_by_function([file])
        check('unloading: counts grow', all(calls[name] >= number for name, number in last.items()),
              '%s after %s' % (calls, last))
        last = {name: calls[name] for name in ('one_leaf', 'two_leaf', 'plugin')}
    # On a busy machine, the program can end before some copies are there.
    if len(files) <= 3 and tries > 1:
        unloading(folder, tries - 1)
        return
    check('unloading: enough of them', len(files) > 3, '%d' % len(files))
    check('unloading: the end', last == {'one_leaf': 300000, 'two_leaf': 200000, 'plugin': 2000}, '%s' % last)


class Obeys:
    def __init__(self, folder, name, command=(), settings=None, **more):
        self.path, self.where = built(folder, 'obeys'), new_folder(folder, name)
        self.process = subprocess.Popen([*command, self.path], cwd=self.where, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                        env=os.environ if settings is None else preloaded(settings), **more)
        self.pid = int(self.process.stdout.readline())

    def do(self, word):
        self.process.stdin.write(word + '\n')
        self.process.stdin.flush()
        return self.process.stdout.readline()

    def signal(self):
        """The process gets it before it reads the next word."""
        os.kill(self.pid, signal.SIGUSR2)
        time.sleep(0.05)

    def end(self):
        _, errors = self.process.communicate()
        return errors

    def waits(self):
        """Of all threads, in what the process has recorded so far."""
        return sum(row[0] for row in gxcreader.File(glob.glob(self.where + '/*.gxc')[0]).stacks(WAITS))

    def samples(self, folder='.'):
        """Of each function of interest, in the file of the process."""
        file = gxcreader.File(glob.glob('%s/%s/*.gxc' % (self.where, folder))[0])
        symbols, found = gxcreader.Symbols(self.path), {'a': 0, 'b': 0}
        for weight, _, _, chain in file.stacks():
            for name in {symbols.name(pc - row.bias) for pc in chain for row in [file.object_of(pc)]
                         if row and row.path == self.path} & set(found):
                found[name] += weight
        return found


def ends(folder):
    """Processes that end, and tables that grow, while they are copied."""
    program = Obeys(folder, 'ends', settings='memory=1G,gmon=off')
    program.process.stdin.write('tables\n')
    program.process.stdin.flush()
    sizes, end = set(), time.monotonic() + 20
    while len(sizes) < 20 and time.monotonic() < end:
        done = take('%d:large.gxc' % program.pid, program.where)
        if not check('ends: status', done.returncode == 0, '%s' % done):
            break
        file = gxcreader.File(program.where + '/large.gxc')
        calls = sum(file.calls().values()) if len(file.bytes) < 4 << 20 else 0
        check('ends: calls', calls <= 1200001)
        if len(file.bytes) in sizes and len(file.bytes) > 30 << 20:
            break
        sizes.add(len(file.bytes))
    # On a busy machine, the tables can be there before the first copy is.
    check('ends: sizes', len(sizes) > 1 or min(sizes) > 30 << 20, '%s' % sizes)
    program.process.stdin.write('exit\n')
    program.process.stdin.flush()
    done = take('%d:end.gxc' % program.pid, program.where)
    program.end()
    check('ends: one or the other', 'does not run' in done.stderr if done.returncode else
          'has ended: this is all' in done.stderr or 'is still running' in done.stderr, '%s' % done)
    check('ends: nothing half', not glob.glob(program.where + '/*.part'), '%s' % os.listdir(program.where))


def waiting(folder):
    """Stacks in which threads wait have all their callers, too."""
    if platform.machine() != 'x86_64':
        skip('waiting: clock=wall is not available')
        return
    where, path = new_folder(folder, 'waiting'), built(folder, 'places', '-pthread')
    process = subprocess.Popen([path], cwd=where, env=preloaded('clock=wall,rate=20000,only=off,gmon=off'))
    time.sleep(0.2)
    for _ in range(5):
        done = take('%d:wait.gxc' % process.pid, where)
        if check('waiting: status', done.returncode == 0, '%s' % done):
            file = check_whole('waiting', where + '/wait.gxc')
    check('waiting: seen', any(kind == WAITS for kind, _, _, _ in file.chunks))
    process.kill()
    process.wait()


def refused(folder):
    where = new_folder(folder, 'refused')
    done = take(os.getpid(), where)
    check('refused: without the collector', done.returncode == 1 and
          'does not run under the collector: start its program with "gprofx record"' in done.stderr, done.stderr)
    for words in 'x', '0', '-5', '12x', '12:', '99999999999':
        done = take(words, where)
        check('refused: %s' % words, done.returncode == 1 and 'expected the number of a process' in done.stderr,
              '%s' % done)
    done = subprocess.run([RECORD, '--snapshot=1', 'true'], stderr=subprocess.PIPE, text=True)
    check('refused: a program', done.returncode == 2 and 'takes no program' in done.stderr, '%s' % done)
    for words in (['--snapshot=1', '-F', '99'], ['--snapshot=1', '--every=1'], ['--snapshot=1', '-o', 'x'],
                  ['--recover=x', '--keep=3'], ['--recover=x', '--snapshot=1']):
        done = subprocess.run([RECORD, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        check('refused: %s' % words, done.returncode == 2 and 'has no use for --' in done.stderr, '%s' % done)
    program = Obeys(folder, 'refused-program', settings='')
    done = take('%d:missing/a.gxc' % program.pid, where)
    check('refused: no folder', done.returncode == 1 and 'cannot write missing/a.gxc: ' in done.stderr, '%s' % done)
    # Not a device either: a pipe stands for it, by its name and by that of a link.
    os.mkfifo(where + '/pipe')
    os.symlink('pipe', where + '/link')
    for name in 'pipe', 'link':
        done = take('%d:%s' % (program.pid, name), where)
        check('refused: a pipe', done.returncode == 1 and
              'cannot write %s: it is not a file that a copy can replace' % name in done.stderr and
              stat.S_ISFIFO(os.stat(where + '/' + name).st_mode), '%s' % done)
    if os.geteuid() == 0:
        done = take(program.pid, '/tmp', user=65534, group=65534)
        check('refused: another user', done.returncode == 1 and 'belongs to another user' in done.stderr, '%s' % done)
    else:
        skip('refused: another user')
    program.end()
    for option in '--every=0', '--every=x', '--every=1s', '--keep=0', '--keep=x', '--control=KILL':
        done = subprocess.run([RECORD, option, 'true'], cwd=where, stderr=subprocess.PIPE, text=True)
        check('refused: %s' % option, 'expected' in done.stderr and done.returncode == 2, '%s' % done)


def control(folder):
    """The first signal starts sampling, the second one stops it."""
    program = Obeys(folder, 'control', [RECORD, '--rate=1000', '--control=USR2'])
    program.do('a')
    program.signal()
    program.do('b')
    program.signal()
    program.do('a')
    program.end()
    samples = program.samples('gprofx.data')
    # On a busy machine, the kernel's ticks miss some of it.
    check('control: samples', samples['a'] == 0 and 20 <= samples['b'] <= 280, '%s' % samples)
    if platform.machine() == 'x86_64':
        # Looking at threads that wait is sampling, too.
        program = Obeys(folder, 'control-waits', settings='control=USR2,clock=wall,gmon=off')
        time.sleep(0.2)
        before = program.waits()
        program.signal()
        time.sleep(0.2)
        program.end()
        check('control: waits', before == 0 and 5 <= program.waits(), '%d, %d' % (before, program.waits()))
    # A program that takes the signal later keeps it, and one that ignores it is sampled.
    program = Obeys(folder, 'control-taken', settings='control=USR2,gmon=off')
    program.do('handle')
    program.signal()
    check('control: the handler is the program\'s', program.do('a') == 'mine\n')
    check('control: it says that nothing started', 'nothing was sampled, since the program itself handles signal 12' in
          program.end())
    program = Obeys(folder, 'control-not-sent', settings='control=USR2,gmon=off')
    check('control: it says that nobody did', 'nothing was sampled, since nobody sent signal 12' in program.end())
    program = Obeys(folder, 'control-ignored', settings='control=USR2,rate=1000,gmon=off',
                    preexec_fn=lambda: signal.signal(signal.SIGUSR2, signal.SIG_IGN))
    program.do('a')
    check('control: it says so', 'the program already uses the signal of control=' in program.end())
    check('control: sampled at once', program.samples()['a'] > 5, '%s' % program.samples())


def every(folder):
    program = Obeys(folder, 'every', [RECORD, '--every=0.1', '--keep=3', '-o', 'data'])
    ring, last = program.where + '/data.every', time.monotonic() + 60
    while time.monotonic() < last and not any(int(name) >= 4 for name in os.listdir(ring) if name.isdigit()):
        time.sleep(0.1)
    errors = program.end()
    names = sorted(os.listdir(ring))
    check('every: the last three', len(names) == 3 and int(names[-1]) >= 4 and
          [int(name) for name in names] == list(range(int(names[0]), int(names[0]) + 3)), '%s' % names)
    check('every: message', '3 snapshots of the running program in data.every, the last one is ' + names[-1] in errors,
          errors)
    for name in names:
        files = glob.glob('%s/%s/*' % (ring, name))
        check('every: a file', len(files) == 1 and check_whole('every', files[0]).header['flags'] & SNAPSHOT)
    shown = subprocess.run([GPROFX, '--summary', program.path, 'data.every/' + names[0]], cwd=program.where,
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    check('every: report', shown.returncode == 0 and 'recording.snapshot' in shown.stdout, shown.stdout)
    # The next recording begins anew, and what is no snapshot is not touched.
    done = subprocess.run([RECORD, '--every=60', '-o', 'data', 'true'], cwd=program.where, stderr=subprocess.PIPE, text=True)
    check('every: removed', done.returncode == 0 and not os.path.exists(ring), '%s' % done)
    os.makedirs(ring + '/7')
    open(ring + '/7/mine', 'w').close()
    done = subprocess.run([RECORD, '--every=60', '-o', 'data', 'true'], cwd=program.where, stderr=subprocess.PIPE, text=True)
    check('every: files of others', done.returncode == 125 and 'files that are not snapshots' in done.stderr and
          os.path.exists(ring + '/7/mine'), '%s' % done)


def full_disk(folder):
    """Snapshots have no room: that is said once, the recording goes on, and nothing half is left."""
    disk, path = new_folder(folder, 'full'), built(folder, 'obeys')
    script = ('mount -t tmpfs -o size=120k none %s || exit 99; cd %s; (echo a; echo a; echo a) | "$1" --every=0.1 "$2" 2>err; '
              'status=$?; cat err; ls -R gprofx.data.every; find . -name "*part*"; exit $status' % (disk, disk))
    done = subprocess.run(['unshare', '-r', '-m', 'sh', '-c', script, 'sh', RECORD, path], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True)
    if done.returncode in (99, 127) or 'unshare' in done.stderr:
        skip('no file system can be mounted')
        return
    check('full: status', done.returncode == 0, '%s' % done)
    check('full: once', done.stdout.count('cannot write a snapshot into gprofx.data.every: No space left') == 1,
          done.stdout)
    check('full: nothing half', 'part' not in done.stdout.replace('part of', ''), done.stdout)


if __name__ == '__main__':
    sys.exit(run_parts(running, unloading, ends, waiting, refused, control, every, full_disk))
