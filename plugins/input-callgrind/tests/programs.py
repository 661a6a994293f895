# SPDX-License-Identifier: Apache-2.0
"""Programs under callgrind: self and inclusive costs as callgrind_annotate prints them."""
import json
import os
import re
import subprocess
import sys

import callgrindfile

GPROFX = os.environ['GPROFX']
HEAD = '#define NI __attribute__((noinline))\nvolatile unsigned sink;\nNI void leaf(int n) { for (int i = 0; i < n; i++) sink += i; }\n'
# By name: the source, words for the compiler and for callgrind.
PROGRAMS = {
    'plain': ('NI void a(void) { leaf(9); leaf(90); }\nint main(void) { a(); leaf(5); a(); return 0; }', [], []),
    'recursion': ('NI unsigned fib(unsigned n) { sink++; return n < 2 ? n : fib(n - 1) + fib(n - 2); }\n'
                  'int main(void) { sink += fib(9); leaf(3); return 0; }', [], []),
    'cycle': ('NI void odd(int n);\nNI void even(int n) { leaf(n); if (n) odd(n - 1); sink++; }\n'
              'NI void odd(int n) { leaf(2); if (n) even(n - 1); sink++; }\nint main(void) { even(9); odd(6); return 0; }', [], []),
    'three': ('NI void b(int n);\nNI void c(int n);\nNI void a(int n) { if (n) b(n - 1); leaf(1); }\n'
              'NI void b(int n) { if (n) c(n - 1); if (n > 3) a(n - 3); leaf(2); }\n'
              'NI void c(int n) { if (n) a(n - 1); leaf(3); }\nint main(void) { a(9); b(8); c(7); return 0; }', [], []),
    'inlined': ('#include "mix.h"\nNI void a(int n) { while (n--) sink = mix(sink); }\nNI void b(void) { sink = mix(mix(sink)); a(3); }\n'
                'int main(void) { a(20); b(); return mix(sink) == 1; }', ['-O2'], []),
    'threads': ('#include <pthread.h>\nNI void *work(void *p) { leaf(50); return p; }\n'
                'int main(void) { pthread_t t[2]; for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, work, 0);\n'
                'for (int i = 0; i < 2; i++) pthread_join(t[i], 0); work(0); return 0; }', ['-pthread'], []),
    'pointers': ('#include <stdlib.h>\nNI int by(const void *a, const void *b) { leaf(1); return *(const int *)a - *(const int *)b; }\n'
                 'int main(void) { int v[40]; for (int i = 0; i < 40; i++) v[i] = i * 7919 % 41; qsort(v, 40, sizeof v[0], by); return v[0] > 9; }',
                 [], []),
    'events': ('NI int branchy(int n) { int s = 0; for (int i = 0; i < n; i++) if (i * 2654435761u >> 31) s += i; return s; }\n'
               'int main(void) { sink += branchy(300); leaf(4); return 0; }', [], ['--cache-sim=yes', '--branch-sim=yes']),
    'instructions': ('NI void a(int n) { for (int i = 0; i < n; i++) if (i % 3) leaf(i); }\nint main(void) { a(9); a(4); return 0; }',
                     [], ['--dump-instr=yes', '--collect-jumps=yes']),
    'exceptions': ('struct E { int n; };\nNI void thrower(int n) { leaf(n); if (n == 0) throw E{3}; thrower(n - 1); }\n'
                   'NI int catcher(int n) { try { thrower(n); } catch (E &e) { leaf(e.n); return e.n; } return 0; }\n'
                   'int main() { return catcher(4) + catcher(2) == 1; }', ['-x', 'c++'], []),
}


def run(*words, **more):
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False, **more)
    if done.returncode != 0:
        sys.exit('%s: status %d: %s' % (words, done.returncode, done.stderr.decode()))
    return done.stdout.decode()


def printed(name, *words, object_name=None):
    """
    What callgrind_annotate prints of functions of the program alone, by name and level: the rows of all their files.
    """
    rows = {}
    # In the folder of the sources it has rows of its own for paths that it cuts.
    text = run('callgrind_annotate', '--auto=no', '--threshold=100', '--show=Ir', *words, os.path.abspath(name + '.out'), cwd='/')
    for line in text.split('file:function')[1].splitlines():
        found = re.match(r' *([\d,]+) \( *[\d.]+%\)  [^:]*:(.*?)(?: \[(.*)\])?$', line)
        if found:
            rows.setdefault(found.group(2), []).append((int(found.group(1).replace(',', '')), found.group(3)))
    return {function: of for function, of in rows.items()
            if {os.path.basename(where) for _, where in of if where} == {object_name or name} and not function.startswith('0x')}


def wanted(name):
    self, total = {}, {}
    for function, rows in printed(name).items():
        base = re.sub(r"'\d+$", '', function)
        self[base] = self.get(base, 0) + sum(cost for cost, _ in rows)
    for function, rows in printed(name, '--inclusive=yes').items():
        if not re.search(r"'\d+$", function):
            total[function] = max(cost for cost, where in rows)
    return {function: (self.get(function, 0), total[function]) for function in total}


def reported(name):
    whole = json.loads(run(GPROFX, '--no-findings', '--output=json', name + '.out'))
    return {row['name'].removesuffix(' (%s)' % row['object']): (row['self_ticks'], row['total_ticks'])
            for row in whole['functions'] if row['object'] == name}


def rewrite(name):
    """What is written of a recording has the same lines and calls, and callgrind_annotate shows the same of it."""
    again = name + '.again'
    # Relative paths would be those of this folder.
    run(GPROFX, '--no-findings', '--output=callgrind:' + os.path.abspath(again + '.out'), os.path.abspath(name + '.out'), cwd='/')
    differs = callgrindfile.difference(callgrindfile.read(again + '.out'), callgrindfile.read(name + '.out'))
    if differs:
        sys.exit('%s: %s: expected %s again, found %s' % (name, differs[0], differs[-1], differs[1]))
    for words in ([], ['--inclusive=yes'], ['--tree=both', '--inclusive=yes']):
        if printed(again, *words, object_name=name) != printed(name, *words):
            sys.exit('%s: callgrind_annotate %s shows something else of what was written' % (name, words))


def record(name, source, words, options):
    with open(name + '.c', 'w', encoding='utf-8') as file:
        file.write(HEAD + source + '\n')
    run('gcc', '-g', '-O1', *words, '-o', name, name + '.c', *(['-lstdc++'] if 'c++' in words else []))
    run('valgrind', '-q', '--tool=callgrind', '--callgrind-out-file=%s.out' % name, *options, './' + name)


with open('mix.h', 'w', encoding='utf-8') as header:
    header.write('static inline __attribute__((always_inline)) unsigned mix(unsigned x) {\n'
                 '\tfor (int i = 0; i < 8; i++)\n\t\tx = x * 1664525u + 1013904223u;\n\treturn x;\n}\n')
for program, made in PROGRAMS.items():
    record(program, *made)
    expected, found = wanted(program), reported(program)
    if len(expected) < 3:
        sys.exit('%s: expected functions, found %s' % (program, expected))
    for function, row in expected.items():
        if found.get(function) != row:
            sys.exit('%s: expected %s of %s, found %s' % (program, row, function, found.get(function)))
    rewrite(program)
run('valgrind', '-q', '--tool=cachegrind', '--cachegrind-out-file=cachegrind.out', './inlined')
report = json.loads(run(GPROFX, '--no-findings', '--output=json', 'cachegrind.out'))
with open('cachegrind.out', encoding='utf-8') as written:
    summary = int(written.read().split('summary:')[1].split()[0])
if sum(row['self_ticks'] for row in report['functions']) != summary:
    sys.exit('cachegrind: expected %d in all, found %s' % (summary, report['totals']))
