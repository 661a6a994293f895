# SPDX-License-Identifier: Apache-2.0
"""The data of a page with its columns as lists: see data.md."""
DIGITS = {ord(digit): value for value, digit in enumerate('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/')}
BITS = 5
MORE = 1 << BITS


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
    """Texts of a block, each as its words, and the number of words used up to its end."""
    rest, found, last = iter(numbers(text)), [], []
    for head in rest:
        own = last[:next(rest)] if head & 1 else []
        behind = next(rest) if head & 2 else 0
        for _ in range(head // 4):
            number = next(rest)
            if number == 0:
                once += 1
            own.append(words[(number or once) - 1])
        last = own + last[len(last) - behind:]
        found.append(''.join(last))
    return found, once


def texts(column):
    """Each block by itself, as the page reads those that it shows."""
    words, once, found = column['words'], column['often'], []
    every = column.get('block', 0)
    blocks = column['texts'] if every else [column['texts']]
    used = steps(column['used']['steps']) if every else [0]
    assert len(used) == len(blocks), (len(used), len(blocks))
    for text, before in zip(blocks, used):
        assert once == column['often'] + before, (once, before)
        block, once = block_of(text, words, once)
        found += block
        check_block(len(block), every, text is blocks[-1])
    assert once == len(words), (once, len(words))
    return found


def check_block(count, every, is_last):
    assert not every or count == every or (is_last and 0 <= count < every), (count, every)


def in_blocks(column, key, read):
    """The same of numbers."""
    if 'block' not in column:
        return read(column[key])
    found = []
    for text in column[key]:
        block = read(text)
        check_block(len(block), column['block'], text is column[key][-1])
        found += block
    return found


def integers(text):
    return [number - 1 for number in numbers(text)]


def unpack(data):
    if isinstance(data, list):
        return [unpack(value) for value in data]
    if not isinstance(data, dict):
        return data
    if 'integers' in data:
        return in_blocks(data, 'integers', integers)
    if 'steps' in data:
        return steps(data['steps'])
    if 'reals' in data:
        return in_blocks(data, 'reals', reals)
    if 'texts' in data:
        return texts(data)
    return {key: unpack(value) for key, value in data.items()}
