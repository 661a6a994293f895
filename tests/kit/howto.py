#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds a howto against the example that it explains.

howto.py [--write] HOWTO EXAMPLES: blocks of "c" and "yaml" stand literally in one example of that folder, all
of one howto in the same one; those of "console" are run in the current folder, which has the examples in it, and
print what stands behind each command. With --write the output is corrected in the howto.
"""
import os
import re
import subprocess
import sys

BLOCK = re.compile(r'^```(\w+)\n(.*?)^```$', re.S | re.M)


def example_of(howto, folder, text):
    name = re.search(r'`examples/plugin/([\w-]+)\.c`', text)
    assert name, f'{howto} names no example'
    return os.path.join(folder, name[1])


def run(block):
    """The block with the output that its commands have now."""
    result = ''
    for command in re.findall(r'^\$ (.*)$', block, re.M):
        done = subprocess.run(['bash', '-o', 'pipefail', '-c', command], text=True, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        result += f'$ {command}\n' + ''.join(line.rstrip() + '\n' for line in done.stdout.splitlines())
    return result


def main():
    write = sys.argv[1] == '--write'
    howto, folder = sys.argv[-2:]
    with open(howto, encoding='utf-8') as file:
        text = file.read()
    example = example_of(howto, folder, text)
    kinds, problems = [], []
    for kind, block in BLOCK.findall(text):
        kinds.append(kind)
        if kind == 'console':
            now = run(block)
            if now == block:
                continue
            problems.append(f'--- it says:\n{block}--- but there is:\n{now}')
            text = text.replace(block, now)
            continue
        with open(f'{example}.{kind}', encoding='utf-8') as file:
            if block not in file.read():
                problems.append(f'--- not in {example}.{kind}:\n{block}')
    assert kinds.count('c') >= 3 and 'yaml' in kinds and 'console' in kinds, f'{howto} lacks blocks: {kinds}'
    lines = sum(1 for _ in open(f'{example}.c', encoding='utf-8'))
    if not re.search(rf'\b{lines} lines', text):
        problems.append(f'--- {example}.c has {lines} lines')
    if write:
        with open(howto, 'w', encoding='utf-8') as file:
            file.write(text)
    if problems:
        sys.exit(howto + '\n' + '\n'.join(problems))


if __name__ == '__main__':
    main()
