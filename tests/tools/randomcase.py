# SPDX-License-Identifier: Apache-2.0
"""Random but valid runs of a profiler: an image, profiles of it and options, from a seed.

A case is a plain dictionary, so that it can be written to a file, edited, and made smaller:
    machine, base     what the image is for and where its text begins
    functions         rows [name, offset, binding, type, section number]
    end               offset of the end of all samples; a marker symbol follows 2 bytes later
    debug             None, or {version, aranges, compress, directory, rows: {offset: [...]}}
    files             for each profile a list of records ['hist'|'arc'|'blocks', ...], or damage
    sources           texts by name
    words             the options
What GNU gprof does with the function of the highest address depends on memory it never wrote,
so no sample ever lies in the marker, directly before it or behind it.
"""
import json
import os

from dwarfinfo import Function, Unit, add_debug_info
from elfimage import FUNC, GLOBAL, IFUNC, LOCAL, NOTYPE, OBJECT, WEAK, Image
from elfimage import MACHINES as MACHINE_ROWS
from gmonfile import Profile
from lcg import Random

# Images of these every object file library reads alike, knowing the machine or not; those of the
# others as they are meant only one that knows them.
MACHINES = ('x86_64',) * 6 + ('i386', 'x32', 's390x', 'ppc', 'aarch64', 'sparc64')
OTHERS = ('aarch64eb', 'alpha', 'arm', 'arm', 'armeb', 'hppa', 'm68k', 'mips', 'mips', 'mipsel',
          'mips64', 'mips64el', 'ppc64', 'ppc64le', 'riscv32', 'riscv64', 'sh', 'sparc')
NAMES = ('main', 'foo', 'bar', '_under', '__two', 'Zed', 'a_long_name_of_a_function_in_a_module',
         'x', '_Z3fooi', '_ZN2ns3Cls6methodEv', '_ZNSt6vectorIiSaIiEE9push_backEOi', '_Z1fv',
         'mcount', '_mcount', '.5', 'f.1', 'f.constprop.0', 'f.part.0', 'f.cold', 'g$x', '_init',
         '_fini', '_RNvC6_123foo3bar', 'odd.c', '12', '_')
SOURCES = ('a.c', 'src/a.c', 'lib/b.c', 'b.h', 'noext', '/abs/c.c')
# Where sources are looked for.
PLACES = ('a.c', 'src/a.c', 'lib/b.c', 'b.h', 'noext', 'build/a.c', 'build/src/a.c', 'build/lib/b.c',
          'build/b.h', 'build/noext', 'inc/a.c', 'inc/b.c', 'inc/b.h', 'inc/c.c', 'inc/noext',
          'inc/src/a.c', 'lib/lib/b.c')
SOURCE_LINES = ('', 'int a;', '\treturn x; /* \xe9 \0 */', '}', 'a -> b', 'x' * 300)
STEPS = (0, 1, 2, 3, 4, 5, 8, 16, 16, 16, 17, 32, 32, 100)
COUNTS = (0, 1, 1, 2, 3, 10, 77, 1000, 65536, 4294967295)
TICKS = (0, 0, 0, 1, 1, 2, 5, 30, 1000, 65535)


def make(seed, machines=MACHINES):
    r = Random(seed)
    case = {'machine': r.pick(machines), 'base': r.pick((0x401000, 0x401000, 0x1000, 0, 0x10001)),
            'functions': [], 'debug': None}
    if case['machine'] in OTHERS and r.chance(25):
        case['base'] += 0x80000000
    at = r.pick((0, 0, 0, 8, 3))
    for i in range(r.pick((1, 2, 3, 5, 8, 8, 12, 20))):
        name = r.pick(NAMES)
        if r.chance(60):
            name += str(i)
        case['functions'].append([
            name, at, r.pick((GLOBAL,) * 6 + (LOCAL,) * 3 + (WEAK,)),
            r.pick((FUNC,) * 16 + (NOTYPE, NOTYPE, OBJECT, IFUNC)), 0])
        at += r.pick(STEPS)
    case['end'] = at + r.pick((1, 4, 16, 16, 64))
    if r.chance(15):
        for f in case['functions'][len(case['functions']) // 2:]:
            f[4] = 1
    if r.chance(45):
        case['debug'] = _debug(r, case)
    case['files'] = _files(r, case)
    case['words'] = _words(r, case)
    if r.chance(30):
        _by_line(r, case)
    case['sources'] = {}
    if case['debug'] and r.chance(50):
        _annotate(r, case)
    return case


def _annotate(r, case):
    """Source files, some of them missing or too short, and the options of their listings."""
    for name in PLACES:
        if r.chance(60):
            lines = [r.pick(SOURCE_LINES) + r.pick(('\n', '\n', '\n', '\r\n'))
                     for _ in range(r.pick((0, 5, 61, 61, 61)))]
            if lines and r.chance(15):
                lines[-1] = 'no newline'
            case['sources'][name] = ''.join(lines)
    words = case['words']
    for word, percent in (('-A', 70), ('-J', 4), ('-x', 40), ('-y', 15), ('-t0', 10), ('-t3', 20),
                          ('-t-1', 3), ('-m0', 10), ('-m2', 20), ('-m70000', 10), ('-m-1', 2),
                          ('-Iinc', 40), ('-Ilib:inc', 10), ('-Inowhere:', 5)):
        if r.chance(percent):
            words.append(word)
    for option in 'AJ':
        while r.chance(15):
            words.append('-' + option + (_spec(r, case) or ':'))


def _by_line(r, case):
    """Line by line, mostly with basic blocks, of which a symbol can have too many."""
    case['words'].append('-l')
    if r.chance(60) and MACHINE_ROWS[case['machine']][2] == '<':
        case['files'].append([['blocks', [[_place(r, case), r.pick(COUNTS)]
                                          for _ in range(r.pick((1, 5, 30, 60)))]]])


def _debug(r, case):
    rows = {}
    for name, at, _, _, _ in case['functions']:
        if r.chance(75):
            # Only lines are known of code without a name, which it has from a symbol then.
            known = name if not rows or r.chance(60) else None
            rows[str(at)] = [known] + [
                [0 if r.chance(92) else 1, r.between(1, 60), r.pick(SOURCES)]
                for _ in range(r.pick((1, 1, 2)))]
    if not rows:
        return None
    return {'version': r.pick((2, 3, 4, 4, 5)), 'aranges': r.chance(70), 'rows': rows,
            'compress': r.pick((None, None, None, 'elf', 'gnu')),
            'directory': r.pick((None, '/work', 'build', '.'))}


def _files(r, case):
    end, files = case['base'] + case['end'], []
    low = max(0, case['base'] - r.pick((0, 0, 0, 1, 2, 16, 40)))
    count = r.pick((1, 2, 3, 5, 8, 16, 24, 40))
    high = low + max(1, (end - low) // count) * count if end - low >= count else end
    high = min(end, high + r.below(3))
    unit = r.pick(('seconds',) * 8 + ('ticks', 'cache misses'))
    rate = r.pick((100, 100, 100, 1, 3, 1000, 12345))
    for _ in range(r.pick((1, 1, 1, 2, 3))):
        records = []
        for _ in range(r.pick((0, 1, 1, 1, 1, 2))):
            bins = [r.pick(TICKS) for _ in range(count)]
            records.append(['hist', low, high, bins, rate if r.chance(95) else 50, unit, 's'])
        for _ in range(r.below(4 * len(case['functions']) + 1) if r.chance(85) else 0):
            records.append(['arc', _place(r, case), _place(r, case), r.pick(COUNTS)])
        if r.chance(4) and MACHINE_ROWS[case['machine']][2] == '<':
            records.append(['blocks', [[_place(r, case), r.pick(COUNTS)]
                                       for _ in range(r.below(3))]])
        if r.chance(20):
            records = r.sample(records, len(records))
        if r.chance(3) and count > 1 and high - low > 1:
            records.append(['hist', low, high, [1] * r.between(1, count), rate, unit, 's'])
        if r.chance(2):
            records.append(['hist', low, high, [1] * count, rate, 'bytes', 's'])
        blocks = any(x[0] == 'blocks' for x in records)
        if r.chance(3) and not blocks:
            records.append(['cut', r.between(1, 30)])
        elif r.chance(2) and not blocks:
            records.append(['raw', r.pick((3, r.between(3, 255)))])
        files.append(records)
    return files


def _place(r, case):
    """An address, mostly inside a function."""
    if r.chance(4):
        return r.pick((0, 1, case['base'] + case['end'], case['base'] - 1, 0x7ffffff0)) & 0x7fffffff
    at = r.pick(case['functions'])[1]
    return case['base'] + min(at + r.pick((0, 0, 0, 1, 2, 7, 20)), case['end'])


def _spec(r, case):
    """A symspec, mostly one that means something."""
    name = r.pick(case['functions'])[0]
    if case['debug'] is None or r.chance(50):
        return r.pick((name, name, name, name, ':' + name, 'nosuch', 'a.c', ':0', ''))
    row = r.pick(list(case['debug']['rows'].values()))
    file, line = os.path.basename(row[1][2]), str(row[1][1])
    return r.pick((file, file + ':', file + ':' + line, ':' + line, line, file + ':' + (row[0] or name),
                   name, 'b.c:' + name, file + ':999'))


def _words(r, case):
    words = []
    for word, percent in (('-a', 8), ('-D', 8), ('-T', 20), ('-z', 25), ('-L', 10),
                          ('--inline-file-names', 12), ('--no-demangle', 8), ('--demangle', 4),
                          ('--demangle=gnu-v3', 3), ('--demangle=java', 2), ('-Omagic', 5),
                          ('-Oauto', 3)):
        if r.chance(percent):
            words.append(word)
    if r.chance(12):
        words.append('-w%d' % r.pick((1, 20, 40, 79, 100, 132, 200)))
    for word, percent in (('-p', 30), ('-q', 30), ('-B', 6), ('-C', 12), ('-P', 7), ('-Q', 7),
                          ('-Z', 5), ('-i', 8)):
        if r.chance(percent):
            words.append(word)
    for option in 'pPqQCZ':
        if r.chance(7):
            words.append('-' + option + (_spec(r, case) or ':'))
    for option in 'eEfFnN':
        if r.chance(8):
            words.append('-' + option + (_spec(r, case) or ':'))
    for option in ('k', 'q', 'Q'):
        while r.chance(7):
            words.append('-%s%s/%s' % (option, _spec(r, case), _spec(r, case)))
    words = r.sample(words, len(words))
    return ['-b'] + words


# -- from a case to files -------------------------------------------------------------------------

def image_of(case):
    base, end = case['base'], case['end']
    image = Image(case['machine'])
    second = min([f[1] for f in case['functions'] if f[4]] + [end])
    image.section('.text', base, b'\x90' * second)
    image.section('.fini', base + second, b'\x90' * (end - second + 16))
    for name, at, bind, kind, section in case['functions']:
        where = '.fini' if section or at >= second else '.text'
        image.symbol(name, base + at, 0, bind, kind, where)
    image.symbol('zz_end', base + end + 2, 14, section='.fini')
    if case['debug']:
        _add_lines(image, case)
    return image


def _add_lines(image, case):
    d = case['debug']
    starts = sorted({f[1] for f in case['functions']} | {case['end']})
    functions = []
    for i, at in enumerate(starts[:-1]):
        row = d['rows'].get(str(at))
        size = starts[i + 1] - at
        if row and size > 0:
            lines = [tuple(x) for x in row[1:] if x[0] < size]
            if lines:
                functions.append(Function(row[0], case['base'] + at, size, sorted(
                    lines, key=lambda x: x[0])))
    if functions:
        add_debug_info(image, [Unit('src/a.c', functions, d['directory'])], d['version'],
                       d['aranges'], d['compress'])


def profile_of(case, records):
    p = Profile.of(image_of(case))
    for record in records:
        kind, rest = record[0], record[1:]
        if kind == 'hist':
            low, high, bins, rate, unit, letter = rest
            p.histogram(low, high, bins, rate, unit.encode(), letter.encode())
        elif kind == 'arc':
            p.arc(*rest)
        elif kind == 'blocks':
            p.blocks(rest[0])
        elif kind == 'raw':
            p.raw(bytes(rest))
        else:
            p.cut(max(20, len(p.data) - rest[0]))
    return p


def write(case, directory):
    """Writes image, profiles, sources and case.json; returns the whole command line."""
    with open(os.path.join(directory, 'image'), 'wb') as f:
        f.write(image_of(case).bytes())
    words = case['words'] + ['image']
    for i, records in enumerate(case['files']):
        words.append('gmon%d' % i)
        with open(os.path.join(directory, words[-1]), 'wb') as f:
            f.write(profile_of(case, records).bytes())
    for name, text in case['sources'].items():
        path = os.path.join(directory, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, 'wb') as f:
            f.write(text.encode('latin-1'))
    with open(os.path.join(directory, 'case.json'), 'w') as f:
        json.dump(case, f, indent=1)
    return words


def smaller(case):
    """Cases with one thing less than `case`, the big things first."""
    def without(key, index):
        return dict(case, **{key: case[key][:index] + case[key][index + 1:]})
    if case['debug']:
        yield dict(case, debug=None)
        for at in case['debug']['rows']:
            rows = {k: v for k, v in case['debug']['rows'].items() if k != at}
            if rows:
                yield dict(case, debug=dict(case['debug'], rows=rows))
    for name in case['sources']:
        yield dict(case, sources={k: v for k, v in case['sources'].items() if k != name})
    for i in range(len(case['files'])):
        if len(case['files']) > 1:
            yield without('files', i)
    for i in range(1, len(case['words'])):
        yield without('words', i)
    for i in range(len(case['functions'])):
        if len(case['functions']) > 1:
            yield without('functions', i)
    for i, records in enumerate(case['files']):
        for width in (8, 1):
            for j in range(0, len(records), width):
                less = records[:j] + records[j + width:]
                yield dict(case, files=case['files'][:i] + [less] + case['files'][i + 1:])
