# SPDX-License-Identifier: Apache-2.0
"""Images that only the multi-target binutils know, read by the program and by their gprof.

    against_gprof.py PROGRAM UNPACKED CHANGES     run in an empty folder; PROGRAM is a link named gprof

UNPACKED is the package binutils-multiarch, unpacked.  Its objcopy makes images of other formats from
programs of tests/data/foreign, which the profiles there are of.  CHANGES: how often each is damaged.
"""
import concurrent.futures
import glob
import lzma
import os
import re
import struct
import subprocess
import sys

import runner
from lcg import Random

FOREIGN = os.path.join(os.environ['GPROFX_SOURCE'], 'tests', 'data', 'foreign')
IMAGES = [('alpha', 'ecoff-littlealpha'), ('mips', 'ecoff-bigmips'), ('mipsel', 'ecoff-littlemips'),
          ('powerpc', 'aixcoff-rs6000'), ('ppc64', 'aix5coff64-rs6000')]
OPTIONS = ['-b', '-b -z', '-b -q -z', '-b -p -a', '-b -c', '-b -C -z', '-b -T -z', '-b -p -D', '-b -l -z',
           '-b -A', '-b -pmain', '-b -qburn']
# Bytes of the symbolic header and of its members, of an external symbol, and where in that its
# value, the index of its name and its bits are: "The Third Eye" of MIPS, as DEC extended it.
ECOFF = {'ecoff-littlealpha': ('<', 144, (0x2c, 0x88), 24, (0, 'Q'), 12),
         'ecoff-bigmips': ('>', 96, (0x58, 0x5c), 16, (8, 'I'), 12),
         'ecoff-littlemips': ('<', 96, (0x58, 0x5c), 16, (8, 'I'), 12)}
TEXT, PROCEDURE, LOCAL_STATIC = 1, 6, 14


def typed(data, kind, low, high):
    """The image with each external symbol in code marked as a procedure, as the systems' linkers do.

    objcopy, which has no such types, makes all of them absolute.
    """
    order, header_bytes, places, size, (value_at, value_type), bits_at = ECOFF[kind]
    header, = struct.unpack_from(order + ('Q' if size == 24 else 'I'), data, 8)
    count, = struct.unpack_from(order + 'I', data, header + places[0])
    start, = struct.unpack_from(order + ('Q' if size == 24 else 'I'), data, header + places[1])
    out, changed = bytearray(data), 0
    for row in range(start, start + count * size, size):
        value, = struct.unpack_from(order + value_type, data, row + value_at)
        if not low <= value < high:
            continue
        kind_of_symbol = LOCAL_STATIC if changed % 7 == 6 else PROCEDURE
        if order == '<':
            bits = kind_of_symbol | TEXT << 6
            out[row + bits_at:row + bits_at + 2] = struct.pack('<H', bits | (out[row + bits_at + 1] & 0xf0) << 8)
        else:
            bits = kind_of_symbol << 10 | TEXT << 5
            out[row + bits_at:row + bits_at + 2] = struct.pack('>H', bits | (out[row + bits_at + 1] & 0x1f))
        changed += 1
    return bytes(out), changed


def with_entries(tools, image, environment):
    """Options of objcopy that name the entries of functions, as the linker of AIX does."""
    low, high = text_range(tools + 'objdump', image, environment)
    rows = subprocess.run([tools + 'nm', '--synthetic', image], env=environment, stdout=subprocess.PIPE,
                          check=True).stdout.decode().splitlines()
    out = []
    for words in [row.split() for row in rows]:
        if len(words) == 3 and words[1] in 'tT' and words[2][0] == '.' and low <= int(words[0], 16) < high:
            out += ['--add-symbol', '%s=.text:%d,function,%s' % (words[2], int(words[0], 16) - low,
                                                                 'local' if words[1] == 't' else 'global')]
    return out


def text_range(objdump, image, environment):
    for line in subprocess.run([objdump, '-h', image], env=environment, stdout=subprocess.PIPE,
                               check=True).stdout.decode().splitlines():
        words = line.split()
        if words[1:2] == ['.text']:
            return int(words[3], 16), int(words[3], 16) + int(words[2], 16)
    raise SystemExit('FAIL: %s has no .text' % image)


def outcome(program, words, environment):
    done = runner.start(program, words, os.getcwd(), name='gprof', extra=environment)
    return done.status, done.out, b''.join(line for line in done.err.splitlines(True)
                                           if not line.startswith(b'BFD: '))


def damaged(image, changes):
    """Names of files: the image cut at every so-many bytes, and with bits changed."""
    with open(image, 'rb') as file:
        data = file.read()
    chance, step = Random(len(data)), max(64, len(data) // max(changes, 1) // 64 * 64)
    for number, cut in enumerate(range(0, len(data), step)):
        yield '%s.cut%d' % (image, number), data[:cut]
    for number in range(changes):
        changed = bytearray(data)
        for _ in range(1 + number % 4):
            # Half of them in headers, which decide more.
            at = chance.below(400 if number % 2 else len(data))
            changed[at] ^= 1 << chance.below(8)
        yield '%s.changed%d' % (image, number), bytes(changed)


def survive(tested, image, profile, changes, environment):
    """Messages about files on which it does worse than to refuse them."""
    def one(case):
        name, data = case
        with open(name, 'wb') as file:
            file.write(data)
        done = runner.start(tested, ['--no-findings', '-b', '-p', name, profile], os.getcwd(),
                            name='gprofx', extra=environment, seconds=100)
        good = done.status in (0, 1) and (done.status == 0) == (b'error[' not in done.err)
        if good:
            os.remove(name)
        return None if good else '%s: status %s: %s' % (name, done.status, done.err[-300:])
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        return [bad for bad in pool.map(one, damaged(image, changes)) if bad]


def main():
    tested, unpacked, changes = os.path.abspath(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    folder = os.path.join(unpacked, 'usr', 'lib', 'x86_64-linux-gnu')
    tools = os.path.join(unpacked, 'usr', 'bin', 'x86_64-linux-gnu-')
    theirs = {'LD_LIBRARY_PATH': folder}
    library = glob.glob(os.path.join(folder, 'libbfd-*-multiarch.so'))[0]
    with open('library.yaml', 'w') as settings:
        settings.write('options: { symbols-bfd: { library: "%s" } }\n' % library)
    ours = {'GPROFX_CONFIG': ''}
    failures, compared = [], 0
    for target, kind in IMAGES:
        image, profile = kind, kind + '.gmon'
        for name, to in ('program', target + '.elf'), ('gmon.out', profile):
            with open(os.path.join(FOREIGN, target, name + '.xz'), 'rb') as packed, open(to, 'wb') as out:
                out.write(lzma.decompress(packed.read()))
        environment = dict(os.environ, **theirs)
        named = with_entries(tools, target + '.elf', environment) if target == 'ppc64' else []
        subprocess.run([tools + 'objcopy', '-O', kind] + named + [target + '.elf', image], env=environment,
                       check=True)
        images = [image]
        if kind in ECOFF:
            with open(image, 'rb') as file:
                data, changed = typed(file.read(), kind, *text_range(tools + 'objdump', image, environment))
            if changed < 12:
                failures.append('%s: only %d symbols are in code' % (kind, changed))
            images.append(image + '.typed')
            with open(images[1], 'wb') as out:
                out.write(data)
        for one in images:
            for options in OPTIONS:
                words = options.split() + [one, profile]
                wanted = outcome(tools + 'gprof', words, theirs)
                got = outcome(tested, words, theirs)
                compared += 1
                if wanted != got:
                    for side, (status, out, err) in ('gprof', wanted), ('gprofx', got):
                        with open('%s.%s' % (one, side), 'wb') as file:
                            file.write(out + err + b'status %d\n' % status)
                    shown = subprocess.run(['diff', one + '.gprof', one + '.gprofx'], stdout=subprocess.PIPE)
                    failures.append('gprof %s: %s' % (' '.join(words), shown.stdout.decode(errors='replace')[:600]))
        # The option instead of the system's folders.
        done = runner.start(tested, ['--config=library.yaml', '--no-findings', '-b', '-p', images[-1], profile],
                            os.getcwd(), name='gprofx', extra=ours)
        if done.status != 0 or b'tree' not in done.out:
            failures.append('%s in own mode: %r %r' % (kind, done.out[:300], done.err[:300]))
        # The code is where the image says, and in its machine's language.
        done = runner.start(tested, ['--config=library.yaml', '--no-findings', '-b', '-p', '-c', '-d256',
                                     images[-1], profile], os.getcwd(), name='gprofx', extra=ours)
        if done.status != 0 or not re.search(rb'code of \.?tree calls \.?tree\n', done.out + done.err):
            failures.append('%s: no calls are found in the code: %r' % (kind, done.err[:300]))
        failures += survive(tested, images[-1], profile, changes, theirs)
    done = runner.start(tested, ['-b', IMAGES[0][1], IMAGES[0][1] + '.gmon'], os.getcwd(), name='gprofx')
    if done.status != 1 or b'error[bfd.no-library]' not in done.err or b'binutils-multiarch' not in done.err:
        failures.append('without the library: %d %r' % (done.status, done.err))
    for failure in failures[:20]:
        print(failure)
    print('%d reports compared, %d failures' % (compared, len(failures)))
    return 1 if failures or not compared else 0


if __name__ == '__main__':
    sys.exit(main())
