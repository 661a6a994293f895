# SPDX-License-Identifier: Apache-2.0
"""What files of callgrind say, whatever form they say it in."""
import re

NUMBERED = re.compile(r'\((\d+)\)(?: (.*))?$')


class Reading:
    """Sums of what lines cost, and of calls: with their number first."""

    def __init__(self):
        self.names, self.lines, self.calls, self.events = {}, {}, {}, []
        self.at = {'ob': None, 'fl': None, 'fn': None}
        self.own_file = self.count = None
        self.callee, self.positions, self.position = {}, ['line'], [0]

    def name(self, space, text):
        found = NUMBERED.match(text)
        if not found:
            return text
        if found.group(2):
            self.names[space, found.group(1)] = found.group(2)
        return self.names[space, found.group(1)]

    def text(self, key, value):
        """A line with a name."""
        space = key[1:] if key in ('cob', 'cfn') else 'fl' if key in ('fi', 'fe', 'cfi', 'cfl') else key
        name = self.name(space, value)
        if space == 'fn':
            # Levels of recursion above the second one are one; versions of symbols are no names.
            name = re.sub(r"@@[\w.]+", '', re.sub(r"'\d+$", "'2", name))
        if key.startswith('c'):
            self.callee[space] = name
            return
        self.at[space] = name
        if key == 'fn':
            self.own_file = self.at['fl']

    def costs(self, words):
        for i in range(len(self.positions)):
            word, last = words[i], self.position[i]
            self.position[i] = (last if word == '*' else last + int(word, 0) if word[0] in '+-' else int(word, 0))
        line = self.position[self.positions.index('line')]
        values = [int(word) for word in words[len(self.positions):]]
        values += [0] * (len(self.events) - len(values))
        # Of a line of a file that is not known, nothing is known.
        key = (self.at['ob'], self.own_file, self.at['fn'], self.at['fl'], line if self.at['fl'] != '???' else 0)
        to = self.lines
        if self.count is not None:
            key += (self.callee.get('ob', self.at['ob']), self.callee.get('fl', self.at['fl']), self.callee['fn'])
            to, values = self.calls, [self.count, *values]
            self.count, self.callee = None, {}
        if any(values):
            to[key] = [sum(pair) for pair in zip(to.get(key, [0] * len(values)), values)]

    def line(self, text):
        key, _, value = text.partition('=')
        if text.startswith('events:'):
            self.events = text.split()[1:]
        elif text.startswith('positions:'):
            self.positions = text.split()[1:]
            self.position = [0] * len(self.positions)
        elif key in ('ob', 'fl', 'fi', 'fe', 'fn', 'cob', 'cfi', 'cfl', 'cfn'):
            self.text(key, value)
        elif key in ('jfi', 'jfn'):
            self.name('fl' if key == 'jfi' else 'fn', value)
        elif key == 'calls':
            self.count = int(value.split()[0])
        elif text and (text[0].isdigit() or text[0] in '+-*'):
            self.costs(text.split())


def read(path):
    """Events, and the sums: by object, file and name of functions, with file and line, and callees."""
    reading, jumps = Reading(), False
    with open(path, encoding='utf-8') as file:
        for text in file.read().splitlines():
            # The line behind a jump has no costs, but a position that others are relative to.
            if text.startswith(('jump=', 'jcnd=')):
                jumps = True
            elif jumps:
                jumps = False
                reading.costs(text.split()[:len(reading.positions)])
            else:
                reading.line(text)
    return reading.events, reading.lines, reading.calls


def difference(left, right):
    """The first thing that differs, or None."""
    for one, other in zip(left, right):
        if one == other:
            continue
        if isinstance(one, list):
            return one, other
        key = sorted((key for key in one.keys() | other.keys() if one.get(key) != other.get(key)), key=str)[0]
        return key, one.get(key), other.get(key)
    return None
