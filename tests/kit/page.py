#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the commands of a page, and compares what they print with it.

page.py [--write] PAGE COMMANDS: blocks of "console" are run in the current folder, one after the other.  Times, shares and numbers
of samples differ from run to run, and so do addresses; all else must be equal.  "..." on the page stands for any lines.  With
--write the output is corrected in the page.  It must have at least so many commands.
"""
import re
import sys

from howto import BLOCK, run

# What varies: decimals with their units, whole percentages, samples, addresses, dates.
VARIES = [(re.compile(r'\d+m\d+\.\d+s'), 'TIME'),
          (re.compile(r'\d+(\.\d+)? ?%'), 'SHARE'),
          (re.compile(r'-?\d+\.\d+ ?([num]?s\b)?'), 'VALUE'),
          (re.compile(r'\b\d+ samples?\b'), 'SAMPLES'),
          (re.compile(r'\b\d+ (second|minute|hour|day)s?\b'), 'DURATION'),
          (re.compile(r'\b\d+ without\b'), 'OTHERS without'),
          (re.compile(r'(0x|@ )[0-9a-f]+'), 'ADDRESS'),
          (re.compile(r'\d{4}-\d\d-\d\d \d\d:\d\d'), 'DATE'),
          (re.compile(r'(/[\w.-]+)+/'), 'FOLDER'),
          (re.compile(r'\s+'), ' ')]


def masked(block):
    """Its lines, with what varies replaced by words."""
    lines = []
    for line in block.splitlines():
        for expression, word in VARIES:
            line = expression.sub(word, line)
        lines.append(line.strip())
    return lines


def agree(page, now):
    expression = ''.join('(?:.*\n)*?' if line == '...' else re.escape(line) + '\n' for line in page)
    return re.fullmatch(expression, ''.join(line + '\n' for line in now)) is not None


def main():
    write, (page, least) = sys.argv[1] == '--write', sys.argv[-2:]
    with open(page, encoding='utf-8') as file:
        text = file.read()
    problems, commands = [], 0
    for kind, block in BLOCK.findall(text):
        assert kind == 'console', f'{page} has a block of {kind}'
        now = run(block)
        commands += now.count('\n$ ') + 1
        if agree(masked(block), masked(now)):
            continue
        problems.append(f'--- it says:\n{block}--- but there is:\n{now}')
        text = text.replace(block, now)
    assert commands >= int(least), f'only {commands} commands were found in {page}'
    if write:
        with open(page, 'w', encoding='utf-8') as file:
            file.write(text)
    if problems:
        sys.exit(page + '\n' + '\n'.join(problems))


main()
