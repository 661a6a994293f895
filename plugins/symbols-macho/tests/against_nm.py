# SPDX-License-Identifier: Apache-2.0
"""The symbols of Mach-O images, compared with those that llvm-nm prints.

    against_nm.py PROGRAM       run in an empty folder that has ld64.lld
"""
import json
import subprocess
import sys

import machoimage
from gmonfile import Profile
from lcg import Random

TARGETS = {'x86_64': ['x86_64-apple-macos11'], 'arm64': ['arm64-apple-macos11'],
           'i386': ['i386-apple-macos10.6'], 'armv7': ['armv7-apple-ios5', '-marm'],
           'thumbv7': ['armv7-apple-ios5', '-mthumb']}
LINKED = 'x86_64', 'arm64'

C = '''
int printf(const char *, ...);
static __attribute__((noinline)) int helper(int n) { volatile int s = 0; while (n-- > 0) s += n; return s; }
int work(int n) { return helper(n) + helper(n + 1); }
__attribute__((weak)) int replaceable(int n) { return work(n); }
__attribute__((visibility("hidden"))) int hidden(int n) { return work(n) + 1; }
__attribute__((section("__TEXT,__special"))) int special(int n) { return hidden(n) + 2; }
int choose(int n) {
    switch (n) {
    case 0: return work(1); case 1: return helper(7); case 2: return hidden(2); case 3: return n + 4;
    case 4: return special(1); case 5: return work(5) * 3; case 6: return helper(2); default: return 0;
    }
}
int data = 3, zero[4];
const int constant = 4;
int main(int count, char **words) {
    return printf("%s %d %d", words[0], choose(count), replaceable(2)) + data + zero[1] + constant;
}
'''
CPP = '''
struct table { int key; table(int k) : key(k) {} virtual ~table() {} int find(int) const; };
template <typename T> __attribute__((noinline)) T twice(T value) { return value + value; }
__attribute__((noinline)) int table::find(int k) const { return key + twice(k) + (int)twice(0.5); }
namespace { __attribute__((noinline)) int hidden(const table &t) { return t.find(2); } }
void operator delete(void *) noexcept {}
int main(int count, char **) { table t(count); return hidden(t) + t.find(3); }
'''


def output(*words):
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if done.returncode != 0:
        sys.exit('FAIL: %s\n%s' % (' '.join(words), done.stderr.decode()))
    return done.stdout.decode()


def theirs(image, code=('T', 't')):
    """{address: {(name, whether it is local)}} of functions in __text, and in what is named special."""
    found = {}
    for line in output('llvm-nm', image).splitlines():
        words = line.split()
        if len(words) != 3 or words[1] not in code and 'special' not in words[2]:
            continue
        is_local = words[1].islower()
        # The header is in no section, and labels of the assembler are no functions.
        if words[2] != '__mh_execute_header' and not (is_local and words[2][0] in 'lL'):
            found.setdefault(int(words[0], 16), set()).add((words[2], is_local))
    return found


def ours(program, image, bits, low):
    """{address: (name, whether it is local)} of the report, which has one of the names of an address."""
    with open('gmon.out', 'wb') as file:
        file.write(Profile(bits, '>' if 'ppc' in image else '<').histogram(low, low + 8, [1, 1]).bytes())
    output(program, '--no-findings', '-b', '-p', '-z', '--output=json:report', image, 'gmon.out')
    with open('report', encoding='utf-8') as file:
        rows = json.load(file)['functions']
    return {int(row['address'], 16): (row['raw_name'], row['static']) for row in rows}


def compare(program, image, bits, extra=0):
    """All names but "extra" ones, which only their starts are known of."""
    expected = theirs(image)
    if not expected and not extra:
        sys.exit('FAIL: llvm-nm finds nothing in ' + image)
    found = ours(program, image, bits, min(expected, default=0))
    starts = {address for address, (name, _) in found.items() if name.startswith('function_')}
    if len(starts) != extra:
        sys.exit('FAIL: %s: %d functions without names, expected %d' % (image, len(starts), extra))
    if set(found) - starts != set(expected):
        sys.exit('FAIL: %s: other addresses: %s' % (
            image, sorted(map(hex, set(found) - starts ^ set(expected)))))
    for address in expected:
        if found[address] not in expected[address]:
            sys.exit('FAIL: %s: %#x is %s, expected %s' % (image, address, found[address],
                                                           expected[address]))
    return len(found)


def made(program):
    """Images of every processor, with symbols of every type in every section."""
    random = Random(5)
    for machine in machoimage.MACHINES:
        image = machoimage.Image(machine)
        image.section('__text', 0x2000, bytes(0x200))
        image.section('__data', 0x3000, bytes(0x100), machoimage.DATA, '__DATA')
        # The order of names of an address, and those of other places, makes no difference.
        for i in range(200):
            type = [0x0f, 0x0e, 0x01, 0x02, 0x24, 0x64, 0x1f, 0x1e][random.below(8)]
            number = 1 + random.below(2) if type & 0xee == 0x0e else 0
            image.symbol('_f%d' % i, (0x2000 if number == 1 else 0x3000) + 4 * random.below(64), number,
                         type, machoimage.WEAK if random.below(4) == 0 else 0)
        image.symbol('_last', 0x2100)
        name = 'made.' + machine
        with open(name, 'wb') as file:
            file.write(image.bytes())
        compare(program, name, image.bits)


def main():
    program = sys.argv[1]
    for name, text in ('program.c', C), ('program.cc', CPP):
        with open(name, 'w', encoding='utf-8') as file:
            file.write(text)
        for machine, target in TARGETS.items():
            bits = 64 if '64' in machine else 32
            for options in ['-O0'], ['-O2', '-g']:
                image = '%s.%s%s.o' % (name, machine, options[0])
                output('clang', '-target', *target, '-fno-exceptions', '-c', *options, name, '-o', image)
                compare(program, image, bits)
                if machine not in LINKED:
                    continue
                for kind in [], ['-dylib'], ['-bundle']:
                    linked = image + '.linked' + ''.join(kind)
                    output('./ld64.lld', '-arch', machine, '-platform_version', 'macos', '11.0', '11.0',
                           '-undefined', 'dynamic_lookup', *kind, image, '-o', linked)
                    count = compare(program, linked, bits)
                    output('llvm-strip', '-x', linked)
                    compare(program, linked, bits, count - len(theirs(linked)))
    made(program)


main()
