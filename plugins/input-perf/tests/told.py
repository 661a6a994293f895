# SPDX-License-Identifier: Apache-2.0
"""Recordings with known figures, and with all that can be wrong with them: see told.sh."""
import os
import struct
import subprocess
import sys

import perffile
from compare import gprofx
from elfimage import ALLOC, NOTE, Image
from perffile import (CALLCHAIN, ID, IDENTIFIER, IN_GUEST, IN_KERNEL, IN_USER, IP, KERNEL, PERIOD, READ, READ_GROUP, READ_ID,
                      STACK_USER, TID, TIME, Event, Perf)

GPROFX = os.environ['GPROFX']
KERNEL_LOW = 0xffffffff81000000


def check(what, found, wanted):
    if found != wanted:
        sys.exit('%s: found %r, wanted %r' % (what, found, wanted))


def write(name, file):
    with open(name, 'wb') as out:
        out.write(file if isinstance(file, bytes) else file.bytes())
    return name


def figures(name, *words):
    """By name: ticks of the function itself, and with what it calls."""
    rows = {}
    for row in gprofx(name, *words)['functions']:
        if row['total_ticks']:
            rows[row['name'].removesuffix(' (%s)' % row['object'])] = (row['self_ticks'], row['total_ticks'])
    return rows


def run(name, *words):
    done = subprocess.run([GPROFX, '--no-findings', '-b', '-p', *words, name], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return done.returncode, done.stderr.decode()


def expect(name, file, text, status=0, *words):
    """A diagnostic, and that the report is there or not."""
    found, err = run(write(name, file), *words)
    if found != status or text not in err:
        sys.exit('%s: status %s, wanted %d and "%s":\n%s' % (name, found, status, text, err))


def mapped(p, pid=7, time=0):
    return p.mmap(pid, 0x1000, 0x1000, 0, '/no/such/one', time).mmap(pid, 0x8000, 0x1000, 0, '/no/such/two', time)


def usual(order='<', pipe=False):
    p = Perf(order=order, pipe=pipe).comm(7, 'prog')
    p.mmap(-1, KERNEL_LOW, 0x1000000, KERNEL_LOW, '[kernel.kallsyms]_text', mode=KERNEL)
    mapped(p)
    for i in range(3):
        p.sample([IN_USER, 0x1010, 0x8020], time=10 + i)
    return p.sample([IN_KERNEL, KERNEL_LOW + 16, KERNEL_LOW + 64, IN_USER, 0x8000, 0x1001], time=20, mode=KERNEL)


def layouts():
    """Both byte orders, files and pipes; a caller is at the byte before the address that its call returns to."""
    wanted = {'[one]': (3, 4), '[two]': (0, 4), '[kernel.kallsyms]': (1, 1)}
    for order in '<>':
        for pipe in (False, True):
            check('layout %s %s' % (order, pipe), figures(write('usual', usual(order, pipe))), wanted)
    # Where the first frame was interrupted, it is where it is: at the very start of what is mapped there.
    p = mapped(Perf())
    p.sample([IN_USER, 0x1010, 0x8000], time=1)
    check('before the mapping', sorted(figures(write('edge', p))), ['<outside any function>', '[one]'])


def order():
    """A sample counts where things were mapped at its time, wherever the records are in the file."""
    p = Perf().comm(7, 'prog')
    p.mmap(7, 0x1000, 0x1000, 0, '/no/such/one', 5).sample([IN_USER, 0x1100], time=10).sample([IN_USER, 0x1100], time=30)
    p.sample([IN_USER, 0x1100], time=31).sample([IN_USER, 0x1100], time=3)
    p.mmap(7, 0x1000, 0x1000, 0, '/no/such/two', 20).sample([IN_USER, 0x1100], time=25)
    check('order', figures(write('order', p)), {'[one]': (1, 1), '[two]': (3, 3), '<outside any function>': (1, 1)})
    # At the end of a round, what came before the round before is in order.
    p = Perf().mmap(7, 0x1000, 0x1000, 0, '/no/such/one', 1)
    for i in range(40):
        p.sample([IN_USER, 0x1100], time=100 * i + 50).sample([IN_USER, 0x1100], time=100 * i + 10)
        if i == 20:
            p.mmap(7, 0x1000, 0x1000, 0, '/no/such/two', 2030)
        p.record(perffile.FINISHED_ROUND)
    check('rounds', figures(write('rounds', p)), {'[one]': (41, 41), '[two]': (39, 39)})


def processes():
    """A child has the mappings of its parent until it executes another program; a number can be used again."""
    p = mapped(Perf().comm(7, 'parent'), time=1)
    p.fork(8, 7, time=2).sample([IN_USER, 0x1010], 8, time=3).comm(8, 'child', exec=True, time=4)
    p.sample([IN_USER, 0x1010], 8, time=5).mmap(8, 0x1000, 0x1000, 0, '/no/such/three', 6).sample([IN_USER, 0x1010], 8, time=7)
    p.sample([IN_USER, 0x1010], 7, time=8).fork(7, 7, tid=9, parent_tid=7, time=9).sample([IN_USER, 0x8010], 7, 9, time=10)
    p.fork(10, 1, time=11, made=True).sample([IN_USER, 0x8010], 10, time=12)
    check('processes', figures(write('processes', p)),
          {'[one]': (2, 2), '[two]': (1, 1), '[three]': (1, 1), '<outside any function>': (2, 2)})
    threads = gprofx('processes', '--per-thread')['threads']
    check('threads', sorted((row['label'], round(row['seconds'] * 1000)) for row in threads),
          [(':10 10 of :10 10', 1), ('child 8 of child 8', 2), ('parent 7 of parent 7', 1), ('parent 8 of parent 8', 1),
           ('parent 9 of parent 7', 1)])


def several(event=None):
    """Two programs with samples, one of them in a child and in a moved file, a thread of the kernel, and one without samples."""
    p = Perf(event or Event()).comm(7, 'sh', exec=True, time=1).mmap(7, 0x1000, 0x1000, 0, '/bin/dash', 2)
    p.sample([IN_USER, 0x1010], 7, time=3).fork(8, 7, time=4).sample([IN_USER, 0x1010], 8, time=5)
    p.comm(8, 'prog', exec=True, time=6).mmap(8, 0x1000, 0x1000, 0, '/no/such/prog', 7).mmap(8, 0x8000, 0x1000, 0, '/lib/one', 8)
    for i in range(5):
        p.sample([IN_USER, 0x8010, 0x1020], 8, time=10 + i)
    p.fork(9, 8, time=20).sample([IN_USER, 0x1010], 9, time=21).fork(10, 7, time=22).comm(10, 'idle', exec=True, time=23)
    p.mmap(10, 0x1000, 0x1000, 0, '/bin/idle', 24).sample([IN_KERNEL, KERNEL_LOW], 2, time=25, mode=KERNEL)
    return p


def programs():
    """Of several programs there is a list; a program that is named has its own processes, and others are left out."""
    write('several', several())
    done = subprocess.run([GPROFX, 'several'], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    check('list', (done.returncode, done.stdout.decode(), done.stderr.decode()), (0, """\
several has 2 programs, 0.01 s sampled in all

      time   share  processes    calls  program
    0.01 s   66.7%          2        -  /no/such/prog
    0.00 s   22.2%          2        -  /bin/dash
    0.00 s   11.1%          1        -  ?

  gprofx prog several   shows the first one
  gprofx -p several   shows all of them together
""", ''))
    check('all', sum(row[0] for row in figures('several').values()), 9)
    write('prog', open(GPROFX, 'rb').read())
    mine = gprofx('several', 'prog')
    check('of one', sum(row['self_ticks'] for row in mine['functions']), 6)
    check('of one', [row['self_ticks'] for row in mine['functions'] if row['name'].startswith('[one]')], [5])
    # Other events, what is damaged, and a program that did not run.
    out = subprocess.run([GPROFX, write('faults', several(Event('page-faults', 1, 2, 3)))], stdout=subprocess.PIPE).stdout.decode()
    check('faults', [line.split()[:2] for line in out.splitlines() if '%' in line], [['18', '66.7%'], ['6', '22.2%'], ['3', '11.1%']])
    check('unit', ('faults has 2 programs, 27 page-faults sampled in all' in out, '    amount   share' in out), (True, True))
    done = subprocess.run([GPROFX, write('unfinished-list', several().bytes(0))], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    check('unfinished', (b'has 2 programs' in done.stdout, done.stderr.count(b'warning[perfdata.not-finished]')), (True, 1))
    write('other', open(GPROFX, 'rb').read())
    done = subprocess.run([GPROFX, '-b', '-p', 'other', 'several'], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    check('other', b'warning[perfdata.other-program]: several: no sample is of a process of other:' in done.stderr, True)
    # A library is none of them, and a single program is read as a whole, with what ran before it.
    for name in ('one', 'idle'):
        write(name, open(GPROFX, 'rb').read())
        done = subprocess.run([GPROFX, '-b', '-p', name, 'several'], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        check(name, b'perfdata.other-program' in done.stderr, name == 'idle')
    p = mapped(Perf().sample([IN_USER, 0x1010], time=1).comm(7, 'one', exec=True, time=2), time=3).sample([IN_USER, 0x1010], time=4)
    write('single', p)
    out = subprocess.run([GPROFX, '-b', 'single'], stdout=subprocess.PIPE, stderr=subprocess.PIPE).stdout.decode()
    check('single', 'has 1 program' in out, False)
    check('single', sum(row['self_ticks'] for row in gprofx('single', 'one')['functions']), 2)


def other_programs():
    """A single program that is not the named one is reported with a warning; a copy with another name is known by its build ID."""
    build, warning = b'0123456789abcdef0123', 'warning[perfdata.other-program]: recorded: no sample is of a process of '
    image = Image('x86_64').section('.text', 0x1000, b'\x90' * 0x100).functions(['main'], 0x1000, 0x100)
    image.section('.note.gnu.build-id', 0x2000, struct.pack('<III', 4, len(build), 3) + b'GNU\0' + build, flags=ALLOC, kind=NOTE)
    write('copy', image.bytes())
    write('other', open(GPROFX, 'rb').read())

    def recorded(own=None, listed=None):
        p = Perf(features={2: Perf().build_id('/no/such/one', listed)} if listed else None).comm(7, 'one')
        return p.mmap2(7, 0x1000, 0x1000, 0, '/no/such/one', own).sample([IN_USER, 0x1010])
    for name, file, warns in (
            ('other', recorded(), True), ('copy', recorded(), True), ('copy', recorded(build), False), ('copy', recorded(None, build), False),
            ('copy', recorded(build[:-1] + b'4'), True), ('copy', recorded(build[:8]), True), ('other', recorded(build), True)):
        status, err = run(write('recorded', file), name)
        check((name, file.records), (status, warning + name in err), (0, warns))
    # Nothing is known of a recording without mappings; of several programs, the copy has its own samples.
    check('unmapped', warning in run(write('recorded', Perf().sample([IN_USER, 0x1010])), 'other')[1], False)
    two = recorded(build).mmap2(8, 0x1000, 0x1000, 0, '/bin/dash').sample([IN_USER, 0x1020], 8).sample([IN_USER, 0x1020], 8)
    check('copy of several', sum(row['self_ticks'] for row in gprofx(write('recorded', two), 'copy')['functions']), 1)


def events():
    """Each event with samples is a metric; where periods differ, the number of samples is another one."""
    sample = IDENTIFIER | IP | TID | TIME | PERIOD | CALLCHAIN
    a = Event('cycles', 0, 0, sample=sample, ids=[11, 12], frequency=True)
    b = Event('task-clock', 1, 1, 2000000, sample=sample, ids=[13])
    c = Event('dummy', 1, 9, sample=sample, ids=[14])
    p = mapped(Perf(a, b, c))
    for i in range(4):
        p.sample([IN_USER, 0x1010], time=i + 1, event=a, period=100 + i).sample([IN_USER, 0x8010], time=i + 1, event=b)
    p.raw(p.records.pop().replace(p.pack('Q', 13), p.pack('Q', 99)))
    found, err = run(write('events', p))
    check('foreign', (found, 'warning[perfdata.foreign-samples]: events: 1 samples are left out' in err), (0, True))
    whole = gprofx('events')
    check('metrics', [(row['name'], row['unit'], row['ticks_per_unit']) for row in whole['metrics']],
          [('cycles', 'cycles', 1), ('cycles-samples', 'samples', 1), ('task-clock', 'seconds', 500)])
    check('cycles', figures('events'), {'[one]': (406, 406)})
    check('samples', figures('events', '--metric=cycles-samples'), {'[one]': (4, 4)})
    check('task-clock', figures('events', '--metric=task-clock'), {'[two]': (3, 3)})
    # Names that only differ in what stands between slashes are whole.
    p = mapped(Perf(Event('cpu-clock/freq=2/', sample=sample, ids=[1]), Event('cpu-clock/period=5/', sample=sample, ids=[2])))
    p.sample([IN_USER, 0x1010], event=p.events[0]).sample([IN_USER, 0x1010], event=p.events[1])
    check('names', [row['name'] for row in gprofx(write('names', p))['metrics']], ['cpu-clock/freq=2/', 'cpu-clock/period=5/'])


def groups():
    """A sample of a group counts for each of its events by how much it grew; one that did not grow has none."""
    sample = IDENTIFIER | IP | TID | TIME | READ | CALLCHAIN | PERIOD
    a = Event('cycles', 0, 0, sample=sample, read=READ_ID | READ_GROUP, ids=[1])
    b = Event('instructions', 0, 1, sample=sample, read=READ_ID | READ_GROUP, ids=[2])
    p = mapped(Perf(a, b))
    for time, first, second in ((1, 100, 7), (2, 150, 7), (3, 151, 9)):
        p.sample([IN_USER, 0x1010], time=time, event=a, values=[p.group((first, 1), (second, 2))])
    write('groups', p)
    check('first', figures('groups'), {'[one]': (151, 151)})
    check('second', figures('groups', '--metric=instructions'), {'[one]': (9, 9)})
    check('samples of both', (figures('groups', '--metric=cycles-samples'), figures('groups', '--metric=instructions-samples')),
          ({'[one]': (3, 3)}, {'[one]': (2, 2)}))


def kernel():
    """Modules, guests, programs that the kernel runs, and kernels whose place is not known."""
    p = mapped(Perf().mmap(-1, KERNEL_LOW, 0x10000, KERNEL_LOW, '[kernel.kallsyms]_stext', mode=KERNEL))
    p.mmap(-1, KERNEL_LOW + 0x8000, 0x1000, 0, '/lib/modules/6/kernel/snd-pcm.ko.xz', mode=KERNEL)
    name = KERNEL_LOW + 0x20000
    p.record(perffile.KSYMBOL, p.pack('QIHH', name, 64, 1, 0) + p.text('bpf_prog_12ab_count') + p.trailer(p.events[0], 7, 0))
    for i, address in enumerate((KERNEL_LOW + 4, KERNEL_LOW + 0x8004, KERNEL_LOW + 0x9004, name + 3, name + 100)):
        p.sample([IN_KERNEL, address, IN_USER, 0x1010], time=i, mode=KERNEL)
    p.sample([IN_GUEST, 0x1234, 0x1400], time=9, mode=perffile.GUEST_KERNEL)
    check('kernel', figures(write('kernel', p)),
          {'[kernel.kallsyms]': (2, 2), '[snd_pcm]': (1, 1), 'bpf_prog_12ab_count': (1, 1), '[kernel]': (1, 1), '[guest]': (1, 1),
           '[one]': (0, 5)})


def symbols_of_kernel():
    """With -S, code of the kernel has the names of a list, moved to where the kernel was; modules, if it was there then."""
    p = Perf().mmap(-1, KERNEL_LOW, 0x10000, KERNEL_LOW, '[kernel.kallsyms]_stext', mode=KERNEL)
    p.mmap(-1, KERNEL_LOW + 0x8000, 0x1000, 0, '[mod]', mode=KERNEL)
    for i, address in enumerate((KERNEL_LOW + 0x104, KERNEL_LOW + 0x204, KERNEL_LOW + 0x208, KERNEL_LOW + 0x8004)):
        p.sample([IN_KERNEL, address], time=i + 1, mode=KERNEL)
    write('of-kernel', p)
    for name, low, mod in (('same', KERNEL_LOW, 'in_mod'), ('moved', KERNEL_LOW - 0x4000000, '[mod]')):
        rows = ((0, 'T _stext', ''), (0x100, 't first', ''), (0x200, 'T second', ''), (0x300, 'd data', ''), (0x8000, 't in_mod', '\t[mod]'))
        with open(name, 'w') as out:
            out.writelines('%x %s%s\n' % (low + at, text, end) for at, text, end in rows)
        check(name, figures('of-kernel', '-S', name), {'first': (1, 1), 'second': (2, 2), mod: (1, 1)})
    write('map', b''.join(b'%x T %s\n' % row for row in ((0x1000, b'_stext'), (0x1100, b'first'), (0x1200, b'second'))))
    check('map', figures('of-kernel', '-S', 'map'), {'first': (1, 1), 'second': (2, 2), '[mod]': (1, 1)})
    without = {'[kernel.kallsyms]': (3, 3), '[mod]': (1, 1)}
    for name, text in (('zeros', b'0 T _stext\n0 T first\n'), ('empty', b''), ('other', b'1000 T first\n'), ('missing', None)):
        if text is not None:
            write(name, text)
        check(name, figures('of-kernel', '-S', name), without)
        err = run('of-kernel', '-S', name)[1]
        check(name, 'warning[perfdata.bad-symbols]: %s: expected a list with the address of _stext, found none' % name in err, True)


def chains():
    """Marks that mean nothing known end a stack; a stack without an address is that of the sample."""
    p = mapped(Perf())
    p.sample([IN_USER, 0x1010, (1 << 64) - 77, 0x8010], time=1).sample([], time=2, ip=0x8010).sample([IN_USER], time=3, ip=0x8010)
    p.sample([IN_USER, 0x1234, 0x8011], time=4, ip=0x1010)
    check('chains', figures(write('chains', p)), {'[one]': (2, 2), '[two]': (2, 3)})
    expect('deferred', mapped(Perf()).sample([IN_KERNEL, KERNEL_LOW, perffile.DEFERRED, 5], mode=KERNEL),
           'warning[perfdata.deferred-callers]: deferred: 1 stacks lack the callers in the program')
    p = mapped(Perf()).sample([IN_USER] + [0x1010] * 8000)
    check('deep', figures(write('deep', p)), {'[one]': (1, 1)})


def generated():
    """Code that a process generated has the names that its runtime wrote for perf, if the user or root did."""
    pid = 1 << 23  # more than systems have
    path = '/tmp/perf-%d.map' % pid
    p = Perf().mmap(pid, 0x10000, 0x1000, 0, '//anon').mmap(8, 0x10000, 0x1000, 0, '//anon')
    p.sample([IN_USER, 0x10010], pid).sample([IN_USER, 0x10030, 0x10011], pid).sample([IN_USER, 0x10010], 8)
    write('generated', p)
    try:
        with open(path, 'w') as file:
            file.write('10000 20 a function of a script\n10020 20 LazyCompile:~f\nnonsense\n 1 2\n10040 0 empty\n')
        check('generated', figures('generated'),
              {'a function of a script': (1, 2), 'LazyCompile:~f': (1, 1), '[generated code]': (1, 1)})
    finally:
        os.unlink(path)
    os.symlink('/etc/passwd', path)
    try:
        check('no file of its own', figures('generated'), {'[generated code]': (3, 3)})
    finally:
        os.unlink(path)


def compressed():
    """Records that perf compressed, cut anywhere; they can become too much, or nothing."""
    wanted = {'[one]': (3, 4), '[two]': (0, 4), '[kernel.kallsyms]': (1, 1)}
    found, err = run(write('compressed', usual().compress()), '-Operf')
    if 'error[perfdata.no-zstd]: compressed:0x' in err:
        return
    check('compressed', figures('compressed'), wanted)
    for second in (False, True):
        for sizes in ((1, 9, 70, 100), tuple(range(1, 40)), (500,)):
            check('compressed %s' % (sizes,), figures(write('parts', usual().compress(*sizes, second=second))), wanted)
    # Rounds stand between them, and the longest of the second type have no padding.
    p = usual().compress().record(perffile.FINISHED_ROUND)
    check('rounds', figures(write('rounds', p)), wanted)
    many = mapped(Perf())
    for i in range(1300):
        many.sample([IN_USER, 0x1010], time=i)
    whole, p = b''.join(many.records), Perf()
    first, most = perffile.ZSTD_HEAD + stored(whole[:65510]), 65519
    p.raw(p.pack('IHHQ', perffile.COMPRESSED2, 0, 0, most) + first).packed(stored(whole[65510:]), True)
    check('the longest', (len(first), figures(write('longest', p))), (most, {'[one]': (1300, 1300)}))
    expect('nonsense', Perf().packed(b'nonsense'), 'error[perfdata.bad-compression]: nonsense:0x', 1)
    bomb = Perf().packed(perffile.ZSTD_HEAD + b''.join((1 << 1 | (1 << 17) << 3).to_bytes(3, 'little') + b'\0' for _ in range(16000)))
    expect('bomb', bomb, 'error[perfdata.bad-compression]', 1)
    expect('cut short', usual().compress().raw(Perf().sample([IN_USER, 1]).records[0][:20]), 'warning[perfdata.incomplete]')


def parts():
    """A folder with a file for each thread of perf, each in its own order and stream; what is wrong is said of the right file."""
    wanted = {'[one]': (2, 2), '[two]': (2, 2)}
    os.mkdir('several-files')
    first = Perf(features={24: struct_pack_q(1)}).mmap(7, 0x1000, 0x1000, 0, '/no/such/one', 1).record(perffile.FINISHED_ROUND)
    write('several-files/data', first.sample([IN_USER, 0x1010], time=30).record(perffile.FINISHED_ROUND).record(perffile.FINISHED_ROUND))
    write('several-files/data.0', b'')
    write('several-files/data.1', b''.join(Perf().mmap(7, 0x1000, 0x1000, 0, '/no/such/two', 20).sample([IN_USER, 0x1010], time=25).records))
    second = Perf().sample([IN_USER, 0x1010], time=10).sample([IN_USER, 0x1010], time=15)
    write('several-files/data.2', b''.join(second.records))
    for name in ('several-files', 'several-files/', 'several-files/data'):
        check(name, figures(name), wanted)
    write('one', open(GPROFX, 'rb').read())
    check('with a program', sum(row['self_ticks'] for row in gprofx('several-files', 'one')['functions']), 4)
    whole = b''.join(second.records)
    write('several-files/data.2', b''.join(second.compress(30).records))
    if 'perfdata.no-zstd' not in run('several-files')[1]:
        check('compressed parts', figures('several-files'), wanted)
        write('several-files/data.2', b''.join(Perf().packed(b'nonsense').records))
        check('damaged part', 'error[perfdata.bad-compression]: several-files/data.2:0x8:' in run('several-files')[1], True)
    write('several-files/data.2', whole[:-4])
    check('cut part', 'warning[perfdata.incomplete]: several-files/data.2:0x' in run('several-files')[1], True)


def stored(part):
    return (len(part) << 3).to_bytes(3, 'little') + part


def refused():
    expect('magic', b'PERFFILE' + bytes(200), 'error[perfdata.bad-magic]: magic:0x0: expected the bytes', 1, '-Operf')
    expect('header', b'PERFILE2' + bytes(200), 'error[perfdata.bad-header]: header:0x8: expected a header of 104, 72 or 16 bytes', 1)
    expect('short', b'PERFILE2', 'error[perfdata.bad-header]: short:0x0: expected a header of 16 bytes or more, found 8', 1)
    expect('copies', mapped(Perf(Event(sample=perffile.USUAL | STACK_USER))).sample([IN_USER, 0x1010]),
           'error[perfdata.stack-copies]: copies:0x0: expected call stacks, found copies', 1)
    expect('trace', usual().record(perffile.AUXTRACE_INFO, bytes(8)), 'error[perfdata.trace]', 1)
    expect('directory', Perf(features={24: struct_pack_q(1)}).sample([IN_USER, 1]), 'error[perfdata.directory]', 1)
    expect('none', mapped(Perf()), 'error[perfdata.no-samples]: none:0x0: expected samples, found none of 1 events', 1)
    p = Perf(pipe=True)
    write('no-events', b'PERFILE2' + p.pack('Q', 16) + p.sample([IN_USER, 1]).records[0])
    expect('no-events', open('no-events', 'rb').read(), 'error[perfdata.no-events]', 1)
    p = mapped(Perf(Event(sample=perffile.USUAL, ids=[1]), Event('two', sample=perffile.USUAL | ID, ids=[2])))
    expect('identifiers', p.sample([IN_USER, 0x1010]), 'error[perfdata.no-identifiers]', 1)


def struct_pack_q(number):
    return number.to_bytes(8, 'little')


def damaged():
    expect('lost', usual().record(perffile.LOST, usual().pack('QQ', 0, 12)),
           'warning[recording.lost]: 0 calls and 12 samples were lost, since the profiler could not keep up')
    expect('throttled', usual().record(perffile.THROTTLE, bytes(24)), 'warning[perfdata.throttled]: throttled: the kernel stopped')
    expect('unknown', usual().record(55).record(200), 'warning[perfdata.unknown-records]: unknown: 2 records')
    expect('bad', usual().record(perffile.SAMPLE, bytes(8)).record(perffile.SAMPLE, bytes(24) + usual().pack('QQ', 1 << 40, 5)),
           'warning[perfdata.bad-samples]: bad: 2 samples are left out')
    expect('incomplete', usual().record(perffile.COMM, bytes(8), size=3), 'warning[perfdata.incomplete]: incomplete:0x')
    expect('unfinished', usual().bytes(0), 'warning[perfdata.not-finished]: unfinished:0x28: the recording is incomplete')
    expect('large', usual().bytes((1 << 64) - 1), 'warning[perfdata.not-finished]')
    many = [Event('raw %d' % i, 4, i, sample=perffile.USUAL | IDENTIFIER, ids=[i + 1]) for i in range(120)]
    p = mapped(Perf(*many))
    for event in many:
        p.sample([IN_USER, 0x1010], event=event)
    expect('many', p, 'warning[perfdata.too-many-events]: many: expected at most 100 events with samples, left out 20 samples')
    # Attributes of other sizes, records of none, and mappings that overlap.
    for size in (0, 64, 72, 96, 104, 112, 136, 200):
        p = mapped(Perf(Event(size=size))).sample([IN_USER, 0x1010])
        check('attribute of %d bytes' % size, figures(write('size', p)), {'[one]': (1, 1)})
    p = Perf().mmap(7, 0x1000, 0x9000, 0, '/no/such/one').mmap(7, 0x2000, 0x1000, 0, '/no/such/two').mmap(7, 0, (1 << 64) - 1, 0, 'x')
    p.mmap(7, 0x5000, 0, 0, '/no/such/three').mmap(7, (1 << 64) - 10, 100, 0, '/no/such/four').mmap(7, 0x3000, 9, (1 << 64) - 4, '/five')
    for address in (0x1100, 0x2100, 0x3100, 0x3004):
        p.sample([IN_USER, address])
    check('overlaps', figures(write('overlaps', p)), {'[x]': (4, 4)})


def hostile():
    """Sizes that cannot be, records that are too short for what they are, and more parts of the kernel than there may be."""
    for size in (0, 7, 65535):
        expect('record of %d bytes' % size, usual().record(perffile.SAMPLE, bytes(16), size=size), 'warning[perfdata.incomplete]')
    p = usual()
    for type_ in range(100):
        if type_ not in (perffile.AUXTRACE_INFO, perffile.AUXTRACE_INFO + 1, perffile.COMPRESSED, perffile.COMPRESSED2):
            for size in (0, 8, 16, 24, 40, 64):
                p.record(type_, bytes([255] * size))
    status, err = run(write('short', p))
    check('short records', (status, 'reader.bad-record' in err, 'perfdata.bad-samples' in err), (0, False, True))
    # What an event says of its own size can be anything.
    for size in (0, 1, 63, 4096, (1 << 32) - 1):
        for pipe in (False, True):
            p = mapped(Perf(pipe=pipe)).sample([IN_USER, 0x1010]).bytes()
            p = p.replace(struct.pack('<II', 1, 128), struct.pack('<II', 1, size))
            status, err = run(write('sized', p))
            if status not in (0, 1) or 'bad-record' in err or (not pipe and status != 0):
                sys.exit('event of %d bytes: status %d\n%s' % (size, status, err))
    p = mapped(Perf())
    for i in range(40000):
        p.record(perffile.KSYMBOL, p.pack('QIHH', KERNEL_LOW + 64 * (40000 - i), 64, 1, 0) + p.text('f%d' % i) + p.trailer(p.events[0], 7, 0))
    for i in range(1, 40001, 100):
        p.sample([IN_KERNEL, KERNEL_LOW + 64 * i], time=i, mode=KERNEL)
    expect('many maps', p, 'warning[perfdata.too-many-maps]: many maps: expected at most 32768 parts of the kernel, left out 7232 more')
    rows = figures('many maps')
    check('many maps', (rows['[kernel]'], len(rows), rows['f99']), ((73, 73), 328, (1, 1)))


def stripped():
    """Code at an address of its own, in a file without symbols, is that of the file."""
    image = Image('x86_64')
    image.section('.text', 0x58001000, b'\x90' * 0x100)
    offset = image.bytes().index(b'\x90' * 0x100)
    path = os.path.abspath(write('stripped', image))
    p = Perf().comm(7, 'prog').mmap(7, 0x58001000, 0x100, offset, path)
    check('stripped', figures(write('of-stripped', p.sample([IN_USER, 0x58001010]).sample([IN_USER, 0x580010f0]))), {'[stripped]': (2, 2)})


def cut():
    """Beginnings of a small file are read or refused; fuzz.readers has all of them."""
    whole = usual().bytes()
    for length in range(0, len(whole), 13):
        status, err = run(write('cut', whole[:length]), '-Operf')
        if status not in (0, 1) or 'reader.bad-record' in err:
            sys.exit('%d bytes: status %s\n%s' % (length, status, err))


for part in (layouts, order, processes, programs, other_programs, events, groups, kernel, symbols_of_kernel, chains, generated, compressed, parts, refused, damaged, hostile, stripped, cut):
    part()
