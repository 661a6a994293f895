#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Where subroutines were inlined, against what addr2line, eu-addr2line and llvm-symbolizer say, as far as they
# are installed: for each line of each program, DWARF 4 and 5, gcc and clang.
. "$GPROFX_SOURCE/tests/plugin/lib.sh"
need python3
for tool in addr2line eu-addr2line llvm-symbolizer; do
	command -v "$tool" >/dev/null && found=yes
done
[ "${found:-}" ] || skip 'no tool to compare with is installed'

cat >check.py <<'PROGRAM'
import json
import os
import re
import shutil
import subprocess
import sys

TOOLS = {
    'addr2line': ['addr2line', '-a', '-i', '-f', '-s', '-e'],
    'eu-addr2line': ['eu-addr2line', '-a', '-i', '-f', '-s', '-e'],
    'llvm-symbolizer': ['llvm-symbolizer', '--no-demangle', '--inlines', '--output-style=GNU',
                        '--addresses', '-s', '-e'],
}


def frames_of(tool, program, addresses):
    """Of each address a tuple of frames, the innermost first: name, file:line."""
    words = TOOLS[tool] + [program] + [f'0x{a:x}' for a in addresses]
    # Some cannot say anything about some address, and fail in the end.
    text = subprocess.run(words, check=False, stdout=subprocess.PIPE, text=True).stdout
    found, rows = {}, []
    for line in text.splitlines():
        if re.fullmatch('0x[0-9a-f]+', line):
            rows = found.setdefault(int(line, 16), [])
        elif line:
            rows.append(line)
    return {address: tuple((name.split(' inlined at ')[0],
                            ':'.join(place.split(' ')[0].split(':')[:2]))
                           for name, place in zip(rows[::2], rows[1::2]))
            for address, rows in found.items()}


def own_frames(program):
    """The same of gprofx, of each line; and of functions, the outermost frame."""
    text = subprocess.run([os.environ['GPROFX'], '-l', '-z', '--no-demangle', '--output=json',
                           program], check=True, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL).stdout
    lines, functions = {}, {}
    for row in json.loads(text)['functions']:
        if row['source_file'] is None:
            continue
        frames = tuple(re.fullmatch(r'(.*) \((.*:\d+)(?: @ [0-9a-f]+)?\)', part).groups()
                       for part in row['name'].split(' inlined into '))
        (functions if row['function'] else lines)[int(row['address'], 16)] = frames
    return lines, functions


def main(program):
    lines, functions = own_frames(program)
    answers = {tool: frames_of(tool, program, [*lines, *functions])
               for tool in TOOLS if shutil.which(tool)}
    agreed = deep = 0
    for address, frames in {**lines, **functions}.items():
        given = {tool: answers[tool].get(address, ()) for tool in answers}
        given = {tool: rows for tool, rows in given.items()
                 if rows and not any(place.startswith('??') for _, place in rows)}
        if address in functions:
            # Several symbols can be the name of a function.
            given = {tool: tuple((frames[0][0], place) for _, place in rows[-1:])
                     for tool, rows in given.items()}
        if len(set(given.values())) == 1 and frames not in given.values():
            sys.exit(f'{program}: at {address:x}: {frames}, but {given}')
        if frames not in given.values():
            sys.exit(f'{program}: at {address:x}: {frames} says nobody: {given}')
        agreed += len(set(given.values())) == 1
        deep += len(frames) > 2
    print(f'{program}: {len(lines)} lines, {agreed} as all say, {deep} of three frames or more')
    # It would say nothing if there were no chains.
    if deep < 5 or agreed < len(lines) / 2:
        sys.exit(f'{program}: hardly anything was compared')


main(sys.argv[1])
PROGRAM

cat >chains.c <<'PROGRAM'
volatile unsigned sink;
static inline unsigned deep(unsigned x)
{
	unsigned sum = 0;
	for (unsigned i = 0; i < 50; i++)
		sum += (i ^ x) * sink;
	return sum;
}
static inline unsigned middle(unsigned x)
{
	unsigned sum = deep(x);
	sum += sink;
	return sum ^
		deep(x + 1);
}
__attribute__((noinline)) unsigned outer(unsigned n)
{
	unsigned sum = 0;
	for (unsigned i = 0; i < n; i++)
		sum += middle(i);
	return sum;
}
__attribute__((noinline)) unsigned first(unsigned n)
{
	return deep(n) + middle(n);
}
int main(void)
{
	sink = outer(300) + middle(4);
	sink += first(sink);
	return 0;
}
PROGRAM
cat >chains.cc <<'PROGRAM'
#include "chains.h"
volatile unsigned sink;
template <class T> static inline T twice(T x) { return times(times(x, 2), sink); }
struct shape {
	virtual ~shape() {}
	virtual unsigned area() const = 0;
	unsigned scaled(unsigned by) const { return times(area(), by); }
};
struct square : shape {
	unsigned side;
	explicit square(unsigned s) : side(twice(s)) {}
	unsigned area() const override { return times(side, side); }
};
__attribute__((noinline)) unsigned sum(const shape &one, unsigned n)
{
	unsigned all = 0;
	for (unsigned i = 0; i < n; i++) {
		all += one.scaled(i);
		all ^= twice(i);
	}
	return all;
}
int main()
{
	square four(4);
	sink = sum(four, 100);
	return twice(sink) == 1;
}
PROGRAM
cat >chains.h <<'PROGRAM'
extern volatile unsigned sink;
static inline unsigned step(unsigned x)
{
	sink += x;
	return sink;
}
static inline unsigned times(unsigned x, unsigned by)
{
	unsigned all = 0;
	for (by &= 7; by > 0; by--)
		all += step(x);
	return all;
}
PROGRAM

ran=
for compiler in gcc clang; do
	command -v "$compiler" >/dev/null || continue
	for version in 4 5; do
		for source in chains.c chains.cc; do
			program=$compiler-$version-$source.out
			driver=$compiler
			[ "$source" = chains.c ] || driver=${compiler/gcc/g}++
			command -v "$driver" >/dev/null || continue
			"$driver" -gdwarf-$version -O2 -pg -o "$program" "$source" 2>err || continue
			./"$program"
			python3 check.py "$program" || fail "$program"
			ran=yes
		done
	done
done
[ "$ran" ] || skip 'no compiler'
