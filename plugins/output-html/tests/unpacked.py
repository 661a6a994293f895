# SPDX-License-Identifier: Apache-2.0
"""The data of a page with its columns as lists: see data.md."""
DIGITS = {ord(digit): value for value, digit in enumerate('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/')}
BITS = 5
MORE = 1 << BITS
LEFT = object()  # a number that the page computes


def numbers(text):
    found, number, shift = [], 0, 0
    for byte in text.encode('ascii'):
        digit = DIGITS[byte]
        number += (digit % MORE) << shift
        shift += BITS
        if digit < MORE:
            found.append(number)
            number, shift = 0, 0
    assert shift == 0, text[-20:]
    return found


def steps(text):
    found, last = [], 0
    for step in numbers(text):
        last += step
        found.append(last)
    return found


def reals(text):
    found, rest, sign = [], iter(numbers(text)), 1
    for number in rest:
        if number % 2 == 0:
            found.append(sign * (number // 2))
            sign = 1
            continue
        other = next(rest)
        if number == 1:
            if other == 0:
                found.append(None)
            else:
                assert other == 1, other
                sign = -1
            continue
        found.append(sign * float('%de%d' % (number // 2, (other - 1) // 2 if other % 2 else -other // 2)))
        sign = 1
    return found


def block_of(text, words, once):
    """Texts of a block. `once`: words that are used only there, in this order."""
    rest, found, last, once = iter(numbers(text)), [], [], iter(once)
    for head in rest:
        own = last[:next(rest)] if head & 1 else []
        behind = next(rest) if head & 2 else 0
        for _ in range(head // 4):
            number = next(rest)
            own.append(words[number - 1] if number else next(once))
        last = own + last[len(last) - behind:]
        found.append(''.join(last))
    assert next(once, None) is None, text
    return found


def texts(column):
    """Each block by itself, as the page reads those that it shows."""
    found = []
    every = column.get('block', 0)
    blocks = column['texts'] if every else [column['texts']]
    once = column['once'] if every else [column['once']]
    assert len(once) == len(blocks), (len(once), len(blocks))
    for i, text in enumerate(blocks):
        block = block_of(text, lines_of(column['words']), lines_of(once[i]))
        found += block
        check_block(len(block), every, i == len(blocks) - 1)
    return found


def lines_of(text):
    return text.split('\n') if text else []


def check_block(count, every, is_last):
    assert not every or count == every or (is_last and 0 <= count < every), (count, every)


def in_blocks(column, key, read):
    """The same of numbers."""
    if 'block' not in column:
        return read(column[key])
    found = []
    for i, text in enumerate(column[key]):
        block = [LEFT] * column['block'] if text is None else read(text)
        check_block(len(block), column['block'], i == len(column[key]) - 1)
        found += block
    return found


def integers(text):
    return [number - 1 for number in numbers(text)]


def compute_shares(data, arcs):
    """What callers share by their calls is not in the page."""
    functions = data['functions']

    def whole_of(node):
        cycle = functions['cycle'][node] if node < functions['count'] else 0
        return functions['count'] + cycle - 1 if 0 < cycle <= functions['nodes'] - functions['count'] else node

    callers = arcs.get('caller')
    if callers is None:
        first = arcs['first']
        callers = [f for f in range(len(first) - 1) for _ in range(first[f], first[f + 1])]
    for m, values in enumerate(arcs['values']):
        for key, column in values.items():
            del column[len(callers):]
            for a, value in enumerate(column):
                if value is not LEFT:
                    continue
                whole, calls = whole_of(arcs['callee'][a]), arcs['calls'][a]
                is_within = callers[a] == arcs['callee'][a] or whole_of(callers[a]) == whole
                column[a] = 0 if is_within or calls == 0 else data['values'][m][key][whole] * calls / data['calls']['calls'][whole]


def unpack(data):
    """All of it."""
    result = unpack_value(data)
    for key in 'arcs', 'cycleArcs':
        # Those of a comparison have all of their values.
        if 'values' in (result.get(key) or ()):
            compute_shares(result, result[key])
    return result


def unpack_value(data):
    if isinstance(data, list):
        return [unpack_value(value) for value in data]
    if not isinstance(data, dict):
        return data
    if 'all' in data:
        return [data['all']] * data['count']
    if 'integers' in data:
        return in_blocks(data, 'integers', integers)
    if 'steps' in data:
        return steps(data['steps'])
    if 'reals' in data:
        return in_blocks(data, 'reals', reals)
    if 'texts' in data:
        return texts(data)
    return {key: unpack_value(value) for key, value in data.items()}
