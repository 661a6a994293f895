# SPDX-License-Identifier: Apache-2.0
"""Writes the C sources of a program with many functions that call each other at random."""
import os

from lcg import Random

FUNCTIONS, FILES = 260, 5
HEAD = '/* Written by a recipe. */\n#include "many.h"\n'


def name_of(number):
    """Every fifth function from number 40 on is static; those are called in their file only."""
    return '%s_%d' % ('helper' if is_static(number) else 'work', number)


def is_static(number):
    return number >= FILES * 8 and number // FILES % 5 == 3


def write(directory):
    """Function i is in file i % FILES and calls functions of higher numbers, and sometimes, as
    long as the budget lasts, one of a lower number, which closes cycles."""
    chance = Random(40)
    bodies = [[] for _ in range(FILES)]
    for number in range(FUNCTIONS):
        file = number % FILES
        reachable = [n for n in range(number + 1, min(FUNCTIONS, number + 60))
                     if not is_static(n) or n % FILES == file]
        calls = chance.sample(reachable, chance.below(5))
        lines = ['\tsink += budget;']
        lines += ['\tif (budget > %d)\n\t\t%s(budget - %d);' % (step, name_of(n), step)
                  for n in calls for step in [chance.between(2, 6)]]
        back = chance.below(number + 1)
        if chance.chance(8) and not is_static(back):
            lines.append('\tif (budget > 14)\n\t\t%s(budget / 2);' % name_of(back))
        if chance.chance(6):
            lines.append('\tif (budget > 9)\n\t\t%s(budget - 9);' % name_of(number))
        lines.append('\tfor (unsigned i = %d; i > 0; i--)\n\t\tsink ^= i;' % chance.between(1, 90))
        head = 'static __attribute__((noinline)) void' if is_static(number) else 'void'
        at = ' /* @line */' if number == 101 else ''
        bodies[file].append('\n%s\n%s(unsigned budget)%s\n{\n%s\n}\n'
                            % (head, name_of(number), at, '\n'.join(lines)))
    with open(os.path.join(directory, 'many.h'), 'w') as out:
        out.write('extern volatile unsigned sink;\n')
        out.writelines('void %s(unsigned budget);\n' % name_of(n)
                       for n in range(FUNCTIONS) if not is_static(n))
    for file, text in enumerate(bodies):
        with open(os.path.join(directory, 'part%d.c' % file), 'w') as out:
            out.write(HEAD)
            out.writelines('static void %s(unsigned budget);\n' % name_of(n)
                           for n in range(FUNCTIONS) if is_static(n) and n % FILES == file)
            out.writelines(text)
            if file == 0:
                out.write('''
#include <stdlib.h>
#include <time.h>

volatile unsigned sink;

int
main(int argc, char **argv)
{
	unsigned budget = argc > 1 ? 24 + (unsigned)atoi(argv[1]) : 24;
	do
		for (unsigned i = 0; i < 4; i++)
			(i % 2 ? work_1 : work_0)(budget + i);
	while (clock() < CLOCKS_PER_SEC / 8);
	return 0;
}
''')
