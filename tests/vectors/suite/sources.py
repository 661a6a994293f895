# SPDX-License-Identifier: Apache-2.0
"""Printed names: demangling, source files and lines behind a name, and the debug data they need."""
import zlib

from elfimage import ALLOC, EXEC, LOCAL, NOBITS, Image
from profiled import Program
from suite.symspecs import ROWS, debugged, profile

MANGLED = ['main', '_Z3fooi', '_Z3barPKc', '_ZN2ns3Cls6methodEv',
           '_ZNSt6vectorIiSaIiEE9push_backEOi', '_ZN3fooC1Ev', '_ZN3fooD0Ev', '_ZplRK1AS1_',
           '_ZZ4mainENKUlvE_clEv', '_ZTV3foo', '_ZN12_GLOBAL__N_13barEv', '_Z', '_Z1', '_ZN',
           '_Z3foo', '_RNvC6_123foo3bar', '_ZN4core3fmt5write17h0123456789abcdefE',
           '_RNvCs15kBYyAo9fc_7mycrate7example', '_D3std5stdio7writelnFZv', 'ada__text_io__put',
           '_ada_main', 'pkg__proc__2', '__Z3fooi', '.Z3fooi', '_GLOBAL__sub_I_foo',
           '_GLOBAL__I__Z3fooi', '_ZL6statici', '_Z3fooi.constprop', '_Z3fooi@@V1',
           'Java_pkg_Class_method', '_ZN4java4lang6StringC1Ev', '_ZGVN3foo1xE',
           '_ZThn16_N3foo3barEv', '_ZSt4cout', '_Z1fIiEvT_', '_Z1fILi5EEvv', '_Z1fDv4_i',
           '_Z1fu3intz']


def define(t):
    demangling(t)
    lines(t)
    formats(t)
    paths(t)


def demangling(t):
    p = Program(MANGLED)
    t.put('mangled', p)
    t.put('mangled.gmon', p.profile({n: i + 1 for i, n in enumerate(MANGLED)},
                                    [('main', n, i + 1) for i, n in enumerate(MANGLED)]))
    for style in ('', '=auto', '=gnu-v3', '=java', '=gnat', '=dlang', '=rust', '=none'):
        t.case('demangle' + style, '-b -p --demangle%s mangled mangled.gmon' % style)
    t.case('demangle-default', '-b -p mangled mangled.gmon')
    t.case('demangle-graph', '-b -q -k main/ mangled mangled.gmon')
    t.case('demangle-no', '-b -p --no-demangle mangled mangled.gmon')
    for words in ('--no-demangle --demangle', '--demangle --no-demangle',
                  '--demangle=none --demangle', '--demangle=gnat --demangle', '-T', '-C',
                  '--demangle=rust -T', "--dem=auto", '--no-d', '-p_Z3fooi', "'-pfoo(int)'",
                  '-q_Z3fooi --no-demangle'):
        t.case('demangle' + ''.join(c for c in words if c.isalnum() or c in '-=_'),
               '-b %s %s mangled mangled.gmon' % ('' if '-C' in words or '-q' in words else '-p',
                                                  words))
    for style in ('gnu', 'lucid', 'arm', 'hp', 'edg', 'AUTO', 'gnu-v2', "''", 'auto ', 'x%sy'):
        t.case('demangle-bad-' + (style if style.isalnum() else str(sum(map(ord, style)))),
               "-b -p '--demangle=%s' mangled mangled.gmon" % style.strip("'"))


def lines(t):
    p = debugged()
    t.put('debug', p)
    t.put('debug.gmon', profile(p))
    for words in ('--inline-file-names', '-L', '-L --inline-file-names', '--inline-file-names -T',
                  '--inline-file-names -L -T', '-p --inline-file-names',
                  '-q --inline-file-names -L', '-C --inline-file-names', '-C -L', '-q -z',
                  '-q -L -z', '-q -a --inline-file-names', '-q -w30', '-q -w200 -L', '-q -T -L',
                  '-p -L', '--inl -p', '--print-path -p'):
        t.case('line' + words.replace(' ', ''), '-b %s debug debug.gmon' % words)


def formats(t):
    """The same debug data in every version, class, byte order and packing."""
    for machine in ('x86_64', 'i386', 'x32', 's390x', 'ppc'):
        for version in (2, 3, 4, 5):
            p = debugged(machine, version=version)
            name = 'dwarf%d-%s' % (version, machine)
            t.put(name, p)
            t.put('debug-%s.gmon' % machine, profile(p))
            t.case(name, '-b -q --inline-file-names %s debug-%s.gmon' % (name, machine))
    for version in (2, 4, 5):
        for what, how in (('noranges', {'aranges': False}), ('elf', {'compress': 'elf'}),
                          ('gnu', {'compress': 'gnu'}),
                          ('both', {'aranges': False, 'compress': 'elf'})):
            p = debugged(version=version, **how)
            t.put('dwarf%d-%s' % (version, what), p)
            t.case('dwarf%d-%s' % (version, what),
                   '-b -p --inline-file-names dwarf%d-%s debug.gmon' % (version, what))
    for version in (4, 5):
        p = Program(['main', 'alpha', 'beta'])
        p.lines({'main': [(0, 1)], 'alpha': [(0, 2, 'lib/x.c')], 'beta': [(0, 3, 'y.c')]},
                version=version, implied=True)
        t.put('dwarf%d-implied' % version, p)
        t.put('implied.gmon', p.profile({'main': 1, 'alpha': 2, 'beta': 3}))
        t.case('dwarf%d-implied' % version,
               '-b -p -L --inline-file-names dwarf%d-implied implied.gmon' % version,
               'a line table that relies on the file it starts in')
    p = debugged('s390x', version=5, compress='elf')
    t.put('dwarf-be-packed', p)
    t.case('dwarf-be-packed', '-b -p --inline-file-names dwarf-be-packed debug-s390x.gmon')
    p = debugged('ppc', version=4, compress='elf')
    t.put('dwarf-be32-packed', p)
    t.case('dwarf-be32-packed', '-b -p --inline-file-names dwarf-be32-packed debug-ppc.gmon')
    t.case('dwarf-spec', '-b -putil.c:20 dwarf5-elf debug.gmon')
    t.case('dwarf-spec-2', '-b -pprog.c dwarf2-noranges debug.gmon')
    separate(t)


def separate(t):
    """An image without debug data that names a separate debug file."""
    whole = debugged()
    for s in whole.image.sections:
        if s.name == '.text':
            s.kind, s.data = NOBITS, b''
    debug = whole.bytes()
    link = b'debug-file\0'
    link += bytes(-len(link) % 4) + (zlib.crc32(debug)).to_bytes(4, 'little')
    for name, data in (('linked', link), ('linked-wrong', link[:-4] + b'\1\2\3\4')):
        p = Program(list(ROWS) + ['~plain'])
        next(s for s in p.image.symbols if s.name == 'helper').bind = LOCAL
        p.image.section('.gnu_debuglink', 0, data, 0)
        t.put(name, p)
        t.case(name, '-b -p --inline-file-names %s debug.gmon' % name, 'a .gnu_debuglink')
        t.put('deep/' + name, p)
        t.case(name + '-folder', '-b -p --inline-file-names deep/%s debug.gmon' % name,
               'the debug file lies in .debug')
    t.put('debug-file', debug)
    t.put('deep/.debug/debug-file', debug)
    t.case('linked-spec', '-b -pprog.c:20 linked debug.gmon')
    t.case('linked-file-itself', '-b -p --inline-file-names debug-file debug.gmon')


def paths(t):
    """How a recorded directory and name become the path that is shown."""
    for name, directory, source in (('relative', 'build', 'src/prog.c'),
                                    ('absolute', '/home/dev/b', 'src/prog.c'),
                                    ('absolute-name', '/home/dev', '/usr/src/prog.c'),
                                    ('up', '/home/dev/b', '../prog.c'),
                                    ('slash', '/home/dev/', 'prog.c'), ('empty', '', 'prog.c'),
                                    ('dot', '.', './prog.c')):
        for version in (4, 5):
            p = Program(['main', '~alpha', 'beta'])
            p.lines({'main': [(0, 3)], 'alpha': [(0, 9)], 'beta': [(0, 5, 'lib/x.c')]}, source,
                    directory,
                    version=version)
            full = 'path%d-%s' % (version, name)
            t.put(full, p)
            t.put('path.gmon', p.profile({'main': 1, 'alpha': 2, 'beta': 3},
                                         [('main', 'alpha', 1), ('alpha', 'beta', 2)]))
            t.case(full, '-b -q --inline-file-names -L %s path.gmon' % full)
            t.case(full + '-C', '-b -C %s path.gmon' % full)
    p = Program(['main', '~alpha', 'beta', '~gone'])
    p.lines({'main': [(0, 0)], 'alpha': [(0, 1), (0, 7), (4, 8)], 'beta': [(16, 5)], 'gone': []})
    t.put('odd-lines', p)
    t.put('odd-lines.gmon', p.profile({'main': 1, 'alpha': 2, 'beta': 3, 'gone': 4},
                                      [('main', 'alpha', 1), ('alpha', 'beta', 2),
                                       ('beta', 'gone', 3)]))
    t.case('odd-lines', '-b --inline-file-names odd-lines odd-lines.gmon',
           'line 0, two rows at one address, a function that starts before its first row')
    t.case('odd-lines-C', '-b -C odd-lines odd-lines.gmon')
    text = Image().section('.text', 0x401000, b'',
                           ALLOC | EXEC).symbol('a', 0x401000).symbol('z', 0x401100)
    text.section('.debug_info', 0, b'\xff' * 40, 0).section('.debug_abbrev', 0, b'\xff' * 9, 0)
    text.section('.debug_line', 0, b'\x07' * 50, 0)
    t.put('bad-debug', text)
    t.put('bad-debug.gmon', Program(['a', 'z'], mark=False).profile({'a': 3}))
