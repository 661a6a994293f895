#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""gprofx record: status and signals of the program, the folder and what is there already, options, messages,
reports, recovery of a killed program's file."""
import glob
import os
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(os.path.dirname(HERE), 'tools')]

import gxcreader                                        # noqa: E402
from collected import ARCHIVE, PROGRAMS, RECORD, check, compile_program, run_parts, skip     # noqa: E402

GPROFX, GPROF = os.environ['GPROFX'], shutil.which('gprof')


def program(folder):
    path = os.path.join(folder, 'processes')
    return path if os.path.exists(path) else compile_program('processes.c', path, '-O1', '-pg')


def new_folder(folder, name):
    path = os.path.join(folder, name)
    os.makedirs(path)
    return path


def record(where, *words, **more):
    return subprocess.run([RECORD, *words], cwd=where, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          timeout=60, stdin=subprocess.DEVNULL, **more)


def files_of(folder):
    return [gxcreader.File(name) for name in sorted(glob.glob(folder + '/*.gxc'))]


SUMMARY = (r'^gprofx record: (\d+) samples?, (\S+|\S+ [kMG]) calls?, (\d+) threads?, (\d+) process(?:es)?, nothing lost\n'
           r'  gprofx (\S+)(?: ([^\s()]+))?(?:   shows the report)?$')


def usual(folder):
    where, path = new_folder(folder, 'usual'), program(folder)
    done = record(where, path, 'plain')
    found = re.match(SUMMARY, done.stderr.strip())
    check('usual: status', done.returncode == 0 and done.stdout == 'done\n', '%s' % done)
    check('usual: two lines', found and done.stderr.count('\n') == 2, done.stderr)
    check('usual: narrow', all(len(line) < 80 for line in done.stderr.replace(path, './p').split('\n')), done.stderr)
    if found:
        check('usual: numbers', found.groups()[1:] == ('5.01 k', '5', '1', path, None), '%s' % (found.groups(),))
        check('usual: samples', int(found.group(1)) == sum(f.samples() for f in files_of(where + '/gprofx.data')))
    check('usual: nothing else', os.listdir(where) == ['gprofx.data'], '%s' % os.listdir(where))
    check('usual: private', os.stat(where + '/gprofx.data').st_mode & 0o777 == 0o700)
    check('usual: calls', gxcreader.calls_by_function(files_of(where + '/gprofx.data'))['leaf'] == 5000)
    shown = subprocess.run([GPROFX, '-b', '-p', path], cwd=where, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                           text=True)
    check('usual: report', shown.returncode == 0 and re.search(r' 5000 .* leaf$', shown.stdout, re.M), shown.stdout)
    check('usual: measured', 'measured from call stacks' in shown.stdout)


def statuses(folder):
    path = program(folder)
    for script, status in {'exit 0': 0, 'exit 7': 7, 'exit 125': 125, 'kill -TERM $$': -15, 'kill -SEGV $$': -11,
                           'kill -KILL $$': -9, 'kill -61 $$': -61}.items():
        where = new_folder(folder, 'status' + script.replace(' ', '_'))
        done = record(where, 'sh', '-c', script)
        check('%s: status' % script, done.returncode == status, '%d: %s' % (done.returncode, done.stderr))
        check('%s: summary' % script, ', no calls (no -pg), ' in done.stderr, done.stderr)
    where = new_folder(folder, 'status')
    done = record(where, './missing')
    check('missing: status', done.returncode == 125, '%s' % done)
    check('missing: message', done.stderr == 'gprofx record: cannot start ./missing: No such file or directory\n',
          done.stderr)
    done = record(new_folder(folder, 'status-missing'), './missing')
    check('missing: no folder', not os.path.exists(folder + '/status-missing/gprofx.data'))


def forwarded(folder):
    """Signals that are sent to the launcher reach the program, once."""
    script = ('for s in HUP INT QUIT TERM USR1 USR2; do trap "echo $s" $s; done; echo ready; '
              'i=0; while [ $i -lt 40 ]; do sleep 0.05; i=$((i+1)); done; echo end; exit 3')
    where = new_folder(folder, 'forwarded')
    running = subprocess.Popen([RECORD, 'sh', '-c', script], cwd=where, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               text=True, start_new_session=True)
    check('forwarded: it starts', running.stdout.readline() == 'ready\n')
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGUSR1, signal.SIGUSR2):
        os.kill(running.pid, number)
        time.sleep(0.1)
    out, errors = running.communicate(timeout=60)
    check('forwarded: all, once', out.split() == ['HUP', 'INT', 'QUIT', 'TERM', 'USR1', 'USR2', 'end'], out)
    check('forwarded: status', running.returncode == 3, '%d' % running.returncode)
    # Those that the launcher was started to ignore, the program ignores.
    done = record(where, 'sh', '-c', 'kill -USR1 $$; echo alive',
                  preexec_fn=lambda: signal.signal(signal.SIGUSR1, signal.SIG_IGN))
    check('ignored: it stays so', done.stdout == 'alive\n', '%s' % done)


class Terminal:
    """An interactive shell on a terminal of its own."""

    def __init__(self, where):
        self.process, self.end = pty.fork()
        if self.process == 0:
            os.chdir(where)
            os.execvpe('bash', ['bash', '--norc', '--noprofile', '-i'],
                       dict(os.environ, PS1='next> ', TERM='dumb', HISTFILE='/dev/null', INPUTRC='/dev/null'))
        self.wait_for('next> ')

    def wait_for(self, pattern, seconds=30):
        """What comes up to the pattern; all of it, and nothing matches, if it does not come in time."""
        text, last = '', time.monotonic() + seconds
        while not re.search(pattern, text) and time.monotonic() < last:
            if select.select([self.end], [], [], 0.2)[0]:
                text += os.read(self.end, 4096).decode()
        check('terminal: %s' % pattern, re.search(pattern, text), text)
        return text

    def type(self, keys, pattern='next> '):
        os.write(self.end, keys.encode())
        return self.wait_for(pattern)

    def close(self):
        """Without a terminal, the shell ends, and what it has started."""
        os.close(self.end)
        os.waitpid(self.process, 0)


def states_of(path):
    """Of the processes that run the program, as the system names them."""
    states = []
    for name in glob.glob('/proc/[0-9]*'):
        try:
            if os.readlink(name + '/exe') == path:
                with open(name + '/stat') as file:
                    states.append(file.read().rsplit(')', 1)[1].split()[0])
        except OSError:
            pass
    return states


def wait_for_state(words, path, state):
    last = time.monotonic() + 30
    while states_of(path) != [state] and time.monotonic() < last:
        time.sleep(0.05)
    check('%s: its state is %s' % (words, state), states_of(path) == [state], '%s' % states_of(path))


def terminal(folder):
    """The keys of a terminal do what they do without gprofx record, to the program and to the launcher."""
    where, path = new_folder(folder, 'terminal'), program(folder)
    shell = Terminal(where)
    for words in path, RECORD + ' ' + path:
        shell.type(words + ' plain-and-wait\n', 'done\r\n')
        check('%s: Ctrl-Z' % words, 'Stopped' in shell.type('\x1a'))
        # The program is stopped, too, and not only what the shell waits for.
        wait_for_state(words, path, 'T')
        shell.type('fg\n', 'plain-and-wait\r\n')
        # Before it continues, keys are those of the shell.
        wait_for_state(words, path, 'S')
        ended = shell.type('\x03')
        check('%s: Ctrl-C' % words, 'done' not in ended, ended)
        check('%s: its status' % words, '\n130\r' in shell.type('echo $?\n', r'\n\d+\r\nnext> '))
    check('terminal: summary', re.search(r'5\.01 k calls, 5 threads, 1 process, nothing lost', ended), ended)
    check('terminal: all calls', gxcreader.calls_by_function(files_of(where + '/gprofx.data'))['leaf'] == 5000)
    shell.close()


def folders(folder):
    where, path = new_folder(folder, 'folders'), program(folder)
    for i in range(3):
        record(where, path, 'small-stack')
    check('folders: one before', sorted(os.listdir(where)) == ['gprofx.data', 'gprofx.data.old'],
          '%s' % os.listdir(where))
    check('folders: a file each', all(len(files_of('%s/%s' % (where, name))) == 1 for name in os.listdir(where)))
    # What cannot be recorded takes the place of nothing.
    before = [(name, os.listdir('%s/%s' % (where, name))) for name in sorted(os.listdir(where))]
    for wrong in ['./not-there'], ['-o', 'gprofx.data', './not-there']:
        done = record(where, *wrong)
        after = [(name, os.listdir('%s/%s' % (where, name))) for name in sorted(os.listdir(where))]
        check('no program: status', done.returncode == 125 and 'cannot start ./not-there' in done.stderr, '%s' % done)
        check('no program: recordings stay', after == before, '%s, then %s' % (before, after))
    done = record(where, '-o', 'first', './not-there')
    check('no program: no folder', sorted(os.listdir(where)) == ['gprofx.data', 'gprofx.data.old'], os.listdir(where))
    with open(where + '/gprofx.data/precious', 'w') as out:
        out.write('mine')
    done = record(where, path, 'plain')
    check('foreign file: refused', done.returncode == 125 and done.stdout == '' and 'name another folder' in done.stderr,
          '%s' % done)
    check('foreign file: untouched', os.path.exists(where + '/gprofx.data/precious'))
    os.rename(where + '/gprofx.data/precious', where + '/gprofx.data.old/precious')
    done = record(where, path, 'plain')
    check('foreign file before: refused', done.returncode == 125 and 'not part of a recording: move it away' in done.stderr, '%s' % done)
    check('foreign file before: untouched', os.path.exists(where + '/gprofx.data.old/precious'))
    # What an interrupted run has left.
    shutil.copytree(where + '/gprofx.data', where + '/gprofx.data.old.old')
    record(where, path, 'plain')
    check('foreign file before: nothing removed', os.path.exists(where + '/gprofx.data.old.old'))
    shutil.rmtree(where + '/gprofx.data.old.old')
    done = record(where, '-o', 'other', path, 'plain')
    check('-o: names the folder', done.returncode == 0 and done.stderr.endswith('\n  gprofx %s other\n' % path)
          or done.stderr.endswith('\n  gprofx %s other   shows the report\n' % path),
          '%s' % done)
    for _ in range(2):
        done = record(where, '-o', 'other/', path, 'plain')
    check('slash: like without', done.returncode == 0 and len(files_of(where + '/other')) == 1
          and len(files_of(where + '/other.old')) == 1, '%s' % done)
    # A link can be in the place of the folder.
    os.mkdir(where + '/elsewhere')
    os.symlink('elsewhere', where + '/link')
    for _ in range(4):
        done = record(where, '-o', 'link', path, 'plain')
        check('link: recorded', done.returncode == 0 and 'cannot' not in done.stderr
              and len(files_of(where + '/link')) == 1, '%s' % done)
    check('link: one before', len(files_of(where + '/link.old')) == 1 and not os.path.lexists(where + '/link.old.old'))
    check('link: only the link', os.path.isdir(where + '/elsewhere'))
    done = record(where, '-o', 'a,b', path, 'plain')
    check('comma: refused', done.returncode == 125 and 'comma' in done.stderr, '%s' % done)
    with open(where + '/file', 'w'):
        pass
    done = record(where, '-o', 'file', path, 'plain')
    check('file: refused', done.returncode == 125 and os.path.getsize(where + '/file') == 0, '%s' % done)
    done = record(where, '-o', 'none/data', path, 'plain')
    check('no folder above: refused', done.returncode == 125 and 'cannot make the folder' in done.stderr, '%s' % done)


def options(folder):
    where, path = new_folder(folder, 'options'), program(folder)
    done = record(where, '--help')
    check('--help', done.returncode == 0 and '--recover=FILE' in done.stdout and done.stderr == '', '%s' % done)
    done = record(where, '--version')
    check('--version', done.returncode == 0 and re.match(r'gprofx record \d+\.\d+\.\d+\n$', done.stdout), '%s' % done)
    for words in ['--bogus'], [], ['--rate'], ['--rate=1,2', path], ['--recover=x', path]:
        done = record(where, *words)
        check('%s: status' % words, done.returncode == 2 and done.stdout == '' and done.stderr != '', '%s' % done)
    check('options: nothing was made', os.listdir(where) == [])
    done = record(where, '-F', '1000', '--stack=off', '--threads=separate', '--depth=7', '--memory=8M', '--clock=cpu',
                  '--signal=RTMIN+3', '--children=follow', path, 'plain', '--rate=7')
    files = files_of(where + '/gprofx.data')
    check('-F: rate', done.returncode == 0 and [f.header['rate'] for f in files] == [1000], '%s' % done)
    check('--stack=off', all(len(chain) == 1 for f in files for *_, chain in f.stacks()))
    done = record(where, '--clock=off', path, 'plain')
    check('--clock=off', ' 0 samples, 5.01 k calls' in done.stderr, done.stderr)
    done = record(where, '--only=instrumented', 'sh', '-c', path + ' plain; exit 3')
    check('--only', done.returncode == 3 and len(files_of(where + '/gprofx.data')) == 1, '%s' % done)
    done = record(where, 'sh', '-c', path + ' plain; exit 3')
    check('several: hint', done.stderr.endswith('2 processes, nothing lost\n  gprofx   lists the programs\n'), done.stderr)
    done = record(where, '-o', 'a b', 'sh', '-c', path + ' plain; exit 3')
    check('several: folder', done.stderr.endswith("\n  gprofx 'a b'   lists the programs\n"), done.stderr)
    done = record(where, '--children=off', path, 'fork')
    check('--children=off', len(files_of(where + '/gprofx.data')) == 1, '%s' % done)
    done = record(where, '--memory=40K', path, 'plain')
    check('lost: it is said', re.search(r'calls and \S+ samples lost \(allow more with --memory\)', done.stderr), done.stderr)


def refused(folder):
    """Values that the collector does not take are refused before anything is made or run."""
    where, path = new_folder(folder, 'refused'), program(folder)
    wrong = {'clock': ('foo', '', 'cpu,wall'), 'rate': ('foo', '0', '-1', '1e9', '100001', '1,2'), 'stack': ('x',), 'depth': ('0', '1025'),
             'threads': ('0', 'x', '1000001'), 'children': ('x',), 'only': ('x',), 'signal': ('x', 'RTMIN+99', 'USR1'),
             'control': ('FOO', 'RTMIN+31', 'PROF'), 'memory': ('x', '0', '2048G', '1T'), 'every': ('x', '0'), 'keep': ('0', '-1')}
    allowed = {'clock': 'cpu, task', 'rate': '1 to 100000', 'threads': '1 to 1000000, merge or separate', 'memory': '1 to 1024G',
               'control': 'USR1, USR2, RTMIN+0 to RTMIN+30 or off', 'every': '0.1 to 10000000 seconds'}
    for option, values in wrong.items():
        for value in values:
            done = record(where, '--%s=%s' % (option, value), path, 'plain')
            found = re.match(r"gprofx record: error\[record\.bad-value\]: expected (.*) after --(\w+), found '(.*)'\n$", done.stderr)
            check('--%s=%s: refused' % (option, value), done.returncode == 2 and done.stdout == '' and found and
                  found.group(2, 3) == (option, value) and found.group(1).startswith(allowed.get(option, '')), '%s' % done)
    done = record(where, '--signal=RTMIN+3', '--control=RTMIN+3', path, 'plain')
    check('same signal: refused', done.returncode == 2 and done.stdout == '' and
          done.stderr.startswith('gprofx record: error[record.same-signal]: ') and done.stderr.count('\n') == 1, '%s' % done)
    check('refused: nothing is made', os.listdir(where) == [], os.listdir(where))
    done = record(where, '--signal=RTMIN+3', '--control=RTMIN+4', path, 'plain')
    check('two signals: it runs', done.returncode == 0 and done.stdout == 'done\n', '%s' % done)


def no_room(folder):
    """Where files cannot grow, what was lost is not blamed on --memory, and nothing incomplete is left."""
    where, path = new_folder(folder, 'no-room'), program(folder)
    limited = lambda blocks, *words: subprocess.run(
        ['sh', '-c', 'ulimit -f %d && exec "$@"' % blocks, 'sh', RECORD, *words], cwd=where, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True, timeout=60, stdin=subprocess.DEVNULL)
    done = limited(2, path, 'plain')
    check('no file: it is said', done.returncode == 0 and done.stdout == 'done\n' and
          'nothing was recorded: gprofx.data has no room for files' in done.stderr and
          '(the user may not write larger files, ulimit -f): what is measured is lost when the program ends\n' in done.stderr, '%s' % done)
    done = limited(16, path, 'plain')
    check('small file: it is said', done.returncode == 0 and '--memory' not in done.stderr and
          re.search(r'5\.01 k calls and \S+ samples lost \(no room on the disk, or ulimit -f\)', done.stderr),
          '%s' % done)
    check('small file: narrow', all(len(line) < 80 for line in done.stderr.split('\n') if not line.startswith('gprofx-collect')), done.stderr)
    shown = subprocess.run([GPROFX, '-b', '-p', path, *glob.glob(where + '/gprofx.data/*.gxc')], cwd=where, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    check('small file: finding', re.search(r'recording\.lost\]: .* were lost, since the file could not be enlarged: .*\n'
                                           r' +hint: make room on the disk, or allow larger files \(ulimit -f\)', shown.stderr), shown.stderr)
    done = record(where, '-o', 'whole', path, 'plain')
    name = glob.glob(where + '/whole/*.gxc')[0]
    done = limited(2, '--recover=' + name)
    check('--recover: refused', done.returncode == 1 and 'cannot write gmon.out: File too large' in done.stderr, '%s' % done)
    check('--recover: nothing is left', not os.path.exists(where + '/gmon.out'))


def musl(where, folder):
    """Its loader would refuse the program."""
    if not shutil.which('musl-gcc'):
        skip('musl-gcc is not there')
        return
    for name, more in ('without', []), ('with', [ARCHIVE]):
        path = '%s/musl-%s' % (folder, name)
        subprocess.run(['musl-gcc', '-D_GNU_SOURCE', '-w', '-O1', *(['-pg'] if more else []), '-pthread', '-o', path,
                        os.path.join(PROGRAMS, 'threads.c'), *more], check=True)
        done = record(where, path, '2', '1000')
        check('musl, %s: it runs' % name, done.returncode == 0 and ('2.00 k calls' in done.stderr if more else done.stderr ==
              'gprofx record: nothing was recorded: %s uses musl; link it with libgprofx-collect.a\n' % path), '%s' % done)


def others(folder):
    """Programs that cannot be measured; reports; files of killed programs."""
    where, path = new_folder(folder, 'others'), program(folder)
    static = compile_program('processes.c', folder + '/static', '-O1', '-static')
    done = record(where, static, 'plain')
    check('static: it is said', done.returncode == 0 and done.stderr ==
          'gprofx record: nothing was recorded: %s is linked statically; link it with libgprofx-collect.a\n' % static,
          '%s' % done)
    done = record(where, '--report', path, 'plain')
    check('--report', done.returncode == 0 and done.stdout.startswith('done\n') and ' leaf' in done.stdout, done.stdout[:300])
    # What the search path led to, and what another program started, have other names for the report.
    for words, text in (['true'], 'finding[samples.'), (['sh', '-c', 'true; exec ' + path + ' plain'], '2 programs'):
        done = record(where, '--report', *words)
        # The report itself is no part of the recording.
        check('--report %s: files' % words, not glob.glob(where + '/gprofx.data/gprofx.*'), os.listdir(where + '/gprofx.data'))
        check('--report %s' % words, done.returncode == 0 and text in done.stdout + done.stderr and
              'error[' not in done.stderr, '%s' % done)
    done = record(where, '-o', 'named', 'true')
    check('-o: the path', '\n  gprofx %s named' % os.path.realpath(shutil.which('true')) in done.stderr, '%s' % done)
    musl(where, folder)
    done = record(where, 'env', '-u', 'LD_PRELOAD', path, 'plain')
    check('preload removed', done.returncode == 0 and done.stdout == 'done\n')

    done = record(where, path, 'exec')
    check('exec: a file for each program', 3 in [f.header['state'] for f in files_of(where + '/gprofx.data')] and
          ', 2 processes' in done.stderr, '%s' % done)

    running = subprocess.Popen([RECORD, path, 'plain-and-wait'], cwd=where, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
    check('killed: it runs', running.stdout.readline() == 'done\n')
    names = glob.glob(where + '/gprofx.data/*.gxc')
    os.kill(gxcreader.File(names[0]).header['pid'], signal.SIGKILL)
    errors = running.communicate(timeout=30)[1]
    check('killed: status', running.returncode == -9 and '5.01 k calls' in errors, '%s' % errors)
    done = record(where, '--recover=' + names[0])
    check('--recover', done.returncode == 0 and done.stderr == '', '%s' % done)
    if GPROF:
        listed = subprocess.run([GPROF, '-b', '-p', path, where + '/gmon.out'], stdout=subprocess.PIPE, text=True)
        check('--recover: GNU gprof reads it', re.search(r' 5000 .* leaf$', listed.stdout, re.M), listed.stdout)
    done = record(where, '--recover=' + names[0], '-o', 'other.out')
    check('--recover -o', done.returncode == 0 and os.path.getsize(where + '/other.out') > 100, '%s' % done)
    for bad in path, where, where + '/none':
        done = record(where, '--recover=' + bad, '-o', 'bad.out')
        check('--recover %s' % bad, done.returncode == 1 and done.stderr.count('\n') == 1, '%s' % done)
    check('--recover: nothing is written', not os.path.exists(where + '/bad.out'))


if __name__ == '__main__':
    sys.exit(run_parts(usual, statuses, forwarded, terminal, folders, options, refused, no_room, others))
