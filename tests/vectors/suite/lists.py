# SPDX-License-Identifier: Apache-2.0
"""Lists of symbols (-S), and what is wrong with maps of files (-R)."""
from elfimage import Image
from gmonfile import Profile
from profiled import Program
from suite.table import fixed

T = 0x401000
FIRST, LAST = '401000 T first\n', '401060 T last\n'


def define(t):
    image = Image().section('.text', T, b'\x90' * 0x70)
    for i, name in enumerate(('start', 'main', 'foo', 'bar', 'baz')):
        image.symbol(name, T + 16 * i, 16)
    t.put('prog', image.symbol('zlast', T + 0x60))
    t.put('bare', Image().section('.text', T, b'\x90' * 0x70))
    t.put('no-text', Image().section('.data', T, b'\x90' * 0x70)
          .symbol('main', T, section='.data'))
    p = Profile().histogram(T, T + 0x60, [4, 3, 7, 5, 2, 1])
    for caller, callee, count in ((0, 1, 1), (1, 2, 10), (1, 3, 2), (2, 3, 5), (3, 4, 8), (4, 2, 1)):
        p.arc(T + 16 * caller + 4, T + 16 * callee, count)
    t.put('gmon', p)
    addresses(t)
    lines(t)
    options(t)
    failures(t)
    maps(t)


def listed(t, name, text, remark='', words='-b -z', image='prog'):
    t.put(name + '.list', text)
    t.case(name, '%s -S %s.list %s gmon' % (words, name, image), remark)


def addresses(t):
    words = ('401020', '0x401020', '0X401020', '+401020', '-1', '-ffffffffffbfefe0', '0x', '-0x',
             '0xg', '-', '+', '--1', '+-5', '0x0x1', '00x401020', 'x401020', '401020_', '4_1',
             '0000000000000000000000401020', '10000000000000000', '-10000000000000000',
             'ffffffffffffffff', '-ffffffffffffffff', '1' * 40, 'zz', '40102G')
    for i, word in enumerate(words):
        listed(t, 'address%02d' % i, FIRST + word + ' T here\n' + LAST, word[:20])
    listed(t, 'stale', FIRST + '401010 t bb\nzz t cc\nzz T dd\n' + LAST,
           'what is no address is that of the line before')
    listed(t, 'undefined', FIRST + '401020 T foo\n' + ' ' * 17 + 'U tmpfile\n' + LAST,
           'the type t, and mpfile')


def lines(t):
    bodies = {
        'glued': '401010Tbb\n401020 Tcc\n401030 tdd\n',
        'blanks': '  401010   T    bb\n\t401020\tT\tcc\n401030\x0bT\x0cdd\n',
        'returns': '401010 T bb\r\n401020 T cc\r\n',
        'more-words': '401010 T bb [mod]\n401020 T cc\tfile.c:12\n',
        'types': ''.join('4010%d0 %s %s\n' % (1 + i % 5, c, 'f_' + c)
                         for i, c in enumerate('AaBbCcDdGgiINnpRrSsuUVvWw-?')),
        'short': '401010\n401010 T\n401010 T \nT\n\n \n401020 T c\n',
        'digits': '401010 T 5\n401020 T 401030 T x\n',
        'nuls': '401010 T b\0b\n\0 401020 T cc\n401030 T\0 dd\n401040\0 T ee\n',
        'bytes': '401010 T \xe9t\xe9\n401020 T a\xa0b\n',
        'names': '401010 t $x\n401018 t .L4\n401020 t a.cold\n401030 t .\n401040 t a.1.b\n',
        'aliases': '401010 t s\n401010 T _g\n401020 T __a\n401020 T _b\n401030 t x\n401030 t y\n'
                   '401040 T _x\n401040 t y\n',
        'unsorted': '401040 T e\n401010 t b\n401030 T d\n401020 t c\n',
        'sizes': '401010 10 T bb\n401020 0000000000000010 t cc\n',
        'posix': 'main T 401010 10\nfoo t 401020\n',
        'empty-line-first': '\n401010 T bb\n',
        'far': '1000 T low\n500000 T high\n',
    }
    for name, body in bodies.items():
        listed(t, name, (FIRST + body + LAST).encode('latin-1'))
    listed(t, 'unended', FIRST + '401020 T foo\n401060 T last')
    listed(t, 'only', '401000 T only\n')
    for pad in (1010, 1011, 1012, 1013, 1014, 1019, 1020, 1021, 1022, 1023, 2044):
        listed(t, 'pad%d' % pad, FIRST + ' ' * pad + '401010 T bb\n' + LAST, 'lines are cut')
    for length in (1012, 1013, 1014, 1020, 2035, 2036):
        listed(t, 'long%d' % length, FIRST + '401010 T ' + 'n' * length + '401020 T cc\n' + LAST)
    listed(t, 'long-line', FIRST + 'x' * 5000 + '\n' + '401010 T bb ' * 900 + '\n' + LAST)


def options(t):
    t.put('plain', FIRST + '401010 t one\n401020 T _ZN1a1bEv\n401030 T mcount\n' + LAST)
    for name, words in (('static', '-a'), ('untyped', '-D'), ('spec', '-pone'), ('graph', '-qone'),
                        ('time', '-None'), ('arcs', '-k first/one'), ('demangled', '-p'),
                        ('raw', '-p --no-demangle'), ('counts', '-C'), ('bsd', '-T')):
        t.case(name, '-b -z %s -S plain prog gmon' % words)
    t.case('long-name', '-b --external-symbol-table=plain prog gmon')
    t.case('twice', '-b -S nothing -S plain prog gmon', 'the last one counts')
    t.case('stripped', '-b -S plain bare gmon', 'the image needs no symbols')
    debug = Program(['main', 'alpha', 'beta']).lines({'main': [(0, 3)], 'alpha': [(0, 12)]})
    t.put('debug', debug)
    t.put('debug.gmon', debug.profile({'main': 3, 'alpha': 5}, [('main', 'alpha', 2)]))
    t.put('debug.list', '401000 T main\n401100 t alpha\n401200 T beta\n401300 T end\n')
    t.case('positions', '-b -z --inline-file-names -S debug.list debug debug.gmon',
           'symbols of lists have no positions')
    t.case('file-spec', '-b -z -pprog.c -C -S debug.list debug debug.gmon')


def failures(t):
    t.put('zero', '')
    t.put('data', '401000 D data\n                 U undefined\n')
    for name, words in (('missing', '-S nothing prog gmon'), ('empty', '-S zero prog gmon'),
                        ('no-function', '-S data prog gmon'), ('folder', '-S . prog gmon'),
                        ('no-name', "-S '' prog gmon"), ('binary', '-S prog prog gmon'),
                        ('image-first', '-S nothing nowhere gmon'),
                        ('text-first', '-S nothing no-text gmon'),
                        ('list-first', '-S nothing prog nothing'),
                        ('map-first', '-p -S nothing -R nowhere prog gmon'),
                        ('map-later', '-p -S zero -R nowhere no-text gmon')):
        t.case('fail-' + name, '-b ' + words)
    t.case('needed', '-b -S', whole=False)


def maps(t):
    """Only what is refused: a sound map is followed by the order of files."""
    good = 'a.o:401010 T main\n'
    for name, text in (('blank-first', '\n' + good), ('blanks-first', '  \n' + good),
                       ('colon-first', ':401010 T main\n'), ('no-colon', 'abc\n'),
                       ('colon-behind', good + ':x y\n'), ('no-colon-behind', good + 'abc\n'),
                       ('none-with-colon', 'No symbols in b.o:1 T foo\n'),
                       ('none-short', 'No symbols in\n' + good),
                       ('long-name', 'a.o:1 T ' + 'n' * 1019 + '\nb.o:1 T foo\n')):
        t.put(name + '.map', text)
        t.case('map-' + name, '-b -p -R %s.map prog gmon' % name)
    for name, text in (('empty', ''), ('no-blank', 'abc:def\n'), ('nothing', 'a.o:\n'),
                       ('tabs', 'a.o:1\tT\tmain\n'), ('no-blank-behind', good + 'abc:def\n'),
                       ('unended', good + 'abc'), ('nul', 'a.o:1\0 T main\n')):
        t.put(name + '.map', text)
        t.case('map-' + name, '-b -p -R %s.map prog gmon' % name,
               status=fixed('GNU gprof crashes'))
    t.case('map-missing', '-b -p -R nothing prog gmon')
    t.case('map-alone-missing', '-b -q -R nothing prog nothing', 'before the profile')
    t.case('map-no-symbols', '-b -p -R nothing bare gmon', 'before the symbols')
