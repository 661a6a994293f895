# SPDX-License-Identifier: Apache-2.0
"""C programs made from seeds, as lists of functions that can be edited."""

PROLOGUE = '''#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static volatile unsigned sink;
'''
PLAIN = (
    'x = x * %d + sink;', 'x ^= x >> %d;', 'sink += x %% %d;', 'sink = sink + %d;', 'x++;',
    'for (unsigned i = 0; i < (x & %d); i++) sink += i;',
    'double d = x; sink += (unsigned)(d * %d.5);', 'unsigned v[%d] = {x}; sink += v[x & 1];',
    'if (x & %d) sink ^= x;', 'char t[40]; snprintf(t, sizeof t, "%%u", x + %d); sink += t[0];',
    'switch (x %% 5) { case 0: sink++; break; case 1: sink ^= %d; break; case 2: x--; break; '
    'case 3: sink += x; break; default: x += 3; }',
    'void *p = malloc(x %% %d + 1); sink += p != 0; free(p);',
    'unsigned w[6] = {x, %d, 3, x / 2, 9}; qsort(w, 6, sizeof *w, compare); sink += w[1];',
    'struct { unsigned a, b; } s = {x, %d}; sink += s.a * s.b;',
    'float f = x; f /= %d; sink += (unsigned)f;', 'sink += (unsigned)strlen("abc" + x %% 3) * %d;')
HEADS = ('unsigned %s(unsigned x, unsigned depth)', 'static unsigned %s(unsigned x, unsigned depth)')


class Function:
    """`body`: statements; those with a call hold the name of another function."""

    def __init__(self, name, head, body):
        self.name, self.head, self.body = name, head, body

    def copy(self):
        return Function(self.name, self.head, list(self.body))

    def declaration(self):
        return '__attribute__((noinline)) %s;' % (self.head % self.name)

    def text(self):
        return '%s\n{\n\tif (depth == 0)\n\t\treturn x;\n\t{ %s }\n\treturn x + sink;\n}' % (
            self.head % self.name, ' }\n\t{ '.join(self.body) if self.body else ';')


def plain(random):
    text = random.pick(PLAIN)
    return text % random.between(2, 900) if '%d' in text else text % ()


def call(random, names):
    to = random.pick(names)
    return random.pick(('x += %s(x, depth - 1);', 'sink ^= %s(x + 1, depth - 1);',
                        'unsigned (*volatile p)(unsigned, unsigned) = %s; x ^= p(x, depth - 1);',
                        'if (x & 1) x = %s(x, depth - 1);')) % to


class Program:
    """Functions in the order in which they stand in the source; main is the last one."""

    def __init__(self, functions, main):
        self.functions, self.main = functions, main

    def copy(self):
        return Program([f.copy() for f in self.functions], list(self.main))

    def text(self):
        helper = ('__attribute__((noinline)) static int compare(const void *a, const void *b)\n{\n'
                  '\treturn *(const unsigned *)a < *(const unsigned *)b;\n}\n')
        return (PROLOGUE + helper + '\n'.join(f.declaration() for f in self.functions) + '\n'
                + '\n'.join(f.text() for f in self.functions)
                + '\nint main(void)\n{\n\tunsigned x = 7, depth = 4;\n\t{ %s }\n\treturn 0;\n}\n'
                % ' }\n\t{ '.join(self.main))


def program(random):
    names = ['f%d' % i for i in range(random.pick((2, 3, 5, 8, 12, 20, 40)))]
    most = random.pick((1, 3, 6))
    functions = []
    for i, name in enumerate(names):
        body = [plain(random) for _ in range(random.between(0, most))]
        for _ in range(random.pick((0, 1, 1, 2, 3))):
            body.insert(random.below(len(body) + 1), call(random, names[i:]))
        if random.chance(15):
            body.append('return f%d(x, depth - 1);' % random.between(i, len(names) - 1))
        functions.append(Function(name, random.pick(HEADS), body))
    order = random.sample(functions, len(functions))
    main = [call(random, names) for _ in range(random.between(1, 6))]
    main += ['x += %s(x, 1);' % name for name in names if random.chance(60)]
    return Program(order, main)


def edit(random, old):
    """(a program that differs in one place, what was done)."""
    new = old.copy()
    kind = random.pick(('insert', 'insert', 'delete', 'move', 'swap', 'add', 'replace', 'grow'))
    target = random.pick(new.functions)
    if kind == 'insert':
        target.body.insert(random.below(len(target.body) + 1), plain(random))
    elif kind == 'delete' and target.body:
        target.body.pop(random.below(len(target.body)))
    elif kind == 'move':
        new.functions.remove(target)
        new.functions.insert(random.below(len(new.functions) + 1), target)
    elif kind == 'swap':
        i, k = random.below(len(new.functions)), random.below(len(new.functions))
        new.functions[i], new.functions[k] = new.functions[k], new.functions[i]
    elif kind == 'add':
        new.functions.insert(random.below(len(new.functions) + 1),
                             Function('added', HEADS[0], [plain(random)]))
    elif kind == 'replace' and target.body:
        target.body[random.below(len(target.body))] = plain(random)
    else:
        target.body += [plain(random) for _ in range(random.between(2, 8))]
    return new, '%s in %s' % (kind, target.name)
