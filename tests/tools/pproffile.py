# SPDX-License-Identifier: Apache-2.0
"""Writes profiles in the format of pprof, sound ones and others: every message is a list of fields."""
import gzip


def varint(number):
    number &= (1 << 64) - 1
    out = bytearray()
    while number > 0x7f:
        out.append(number & 0x7f | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


def number(field, value):
    return varint(field << 3) + varint(value)


def message(field, *parts):
    content = b''.join(parts)
    return varint(field << 3 | 2) + varint(len(content)) + content


def numbers(field, values, packed=True):
    if packed:
        return message(field, *[varint(value) for value in values])
    return b''.join(number(field, value) for value in values)


class Pprof:
    """types: (name, unit) pairs. A stack is a list of names, the innermost first; a name is a text, or a tuple of
    texts: a location of which all but the last are inlined. Texts can be "NAME@FILE:LINE"."""

    def __init__(self, *types, period=None, default=None, packed=True, ids=lambda n: n):
        self.texts, self.text_at, self.known, self.counts, self.items = [''], {'': 0}, {}, {}, []
        self.head = [message(1, number(1, self.text(a)), number(2, self.text(b))) for a, b in types]
        self.packed, self.ids = packed, ids
        if period:
            name, unit, value = period
            self.head.append(message(11, number(1, self.text(name)), number(2, self.text(unit))) + number(12, value))
        if default:
            self.head.append(number(14, self.text(default)))

    def text(self, text):
        if text not in self.text_at:
            self.text_at[text] = len(self.texts)
            self.texts.append(text)
        return self.text_at[text]

    def add(self, field, key, *parts):
        """The id of a message, which is written once."""
        if (field, key) not in self.known:
            self.counts[field] = self.counts.get(field, 0) + 1
            self.known[field, key] = self.ids(self.counts[field])
            self.items.append(message(field, number(1, self.known[field, key]), *parts))
        return self.known[field, key]

    def mapping(self, start, limit, offset, path, build_id=''):
        return self.add(3, (start, path), number(2, start), number(3, limit), number(4, offset),
                        number(5, self.text(path)), number(6, self.text(build_id)))

    def address(self, address, mapping=0):
        return self.add(4, (address, mapping), number(2, mapping), number(3, address))

    def location(self, names, mapping=0):
        lines = []
        for name in (names,) if isinstance(names, str) else names:
            name, _, place = name.partition('@')
            path, _, line = place.partition(':')
            function = self.add(5, (name, path), number(2, self.text(name)), number(4, self.text(path)))
            lines.append(message(4, number(1, function), number(2, int(line or 0))))
        return self.add(4, (names, mapping), number(2, mapping), *lines)

    def sample(self, stack, *values, labels=()):
        """labels: (key, text), (key, number) or (key, number, unit)."""
        places = [place if isinstance(place, int) else self.location(place) for place in stack]
        self.items.append(message(2, numbers(1, places, self.packed), numbers(2, values, self.packed),
                                  *[self.label(*label) for label in labels]))
        return self

    def label(self, key, value, unit=''):
        value = number(2, self.text(value)) if isinstance(value, str) else number(3, value) + number(4, self.text(unit))
        return message(3, number(1, self.text(key)), value)

    def raw(self, bytes):
        self.items.append(bytes)
        return self

    def bytes(self, texts_first=False):
        texts = [message(6, text if isinstance(text, bytes) else text.encode()) for text in self.texts]
        parts = [*texts, *self.head, *self.items] if texts_first else [*self.head, *self.items, *texts]
        return b''.join(parts)

    def gzip(self):
        return gzip.compress(self.bytes(), mtime=0)
