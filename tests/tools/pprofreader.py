# SPDX-License-Identifier: Apache-2.0
"""Reads profiles in the format of pprof: https://github.com/google/pprof/blob/main/proto/profile.proto."""
import gzip


def fields(data):
    """(number, value) of a message: an integer, or bytes."""
    at = 0

    def number():
        nonlocal at
        value, shift = 0, 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 0x7f) << shift
            shift += 7
            if byte < 0x80:
                return value

    while at < len(data):
        key = number()
        if key & 7 == 0:
            yield key >> 3, number()
        elif key & 7 == 2:
            length = number()
            assert at + length <= len(data), 'a field is longer than its message'
            yield key >> 3, data[at:at + length]
            at += length
        else:
            raise ValueError('wire type %d' % (key & 7))


def numbers(data):
    """The integers of a packed list."""
    return [value for _, value in fields(b''.join(b'\x08' + one for one in split(data)))]


def signed(value):
    return value - (1 << 64) if value >> 63 else value


def split(data):
    at = 0
    while at < len(data):
        end = at
        while data[end] & 0x80:
            end += 1
        yield data[at:end + 1]
        at = end + 1


class Pprof:
    """types: [(type, unit)]; samples: [([frames, innermost first], [values])], frames are location IDs; locations:
    {id: dict}, with function a dict; mappings: {id: dict}; labels: per sample {key: text}; comments, default_type: texts;
    period."""

    def __init__(self, path):
        with gzip.open(path) as file:
            data = file.read()
        raw = {}
        for number, value in fields(data):
            raw.setdefault(number, []).append(value)
        strings = [s.decode('utf-8') for s in raw.get(6, [])]
        assert strings[0] == '', 'the first string is not empty'
        assert len(set(strings)) == len(strings), 'a string is there twice'
        text = strings.__getitem__
        self.types = [tuple(text(dict(fields(t)).get(i, 0)) for i in (1, 2)) for t in raw.get(1, [])]
        self.mappings = self.rows(raw.get(3, []))
        for row in self.mappings.values():
            row['file'], row['build_id'] = text(row.get(5, 0)), text(row.get(6, 0))
        functions = self.rows(raw.get(5, []))
        for row in functions.values():
            row['name'], row['system_name'], row['file'] = (text(row.get(i, 0)) for i in (2, 3, 4))
        self.functions = functions
        self.locations = self.rows(raw.get(4, []))
        for row in self.locations.values():
            line = dict(fields(row[4]))
            row['function'], row['line'] = functions[line[1]], line.get(2, 0)
            assert row.get(2, 0) == 0 or row[2] in self.mappings, 'a mapping is not there'
        self.samples, self.labels = [], []
        for sample in raw.get(2, []):
            parts = dict(fields(sample))
            frames, values = numbers(parts.get(1, b'')), [signed(value) for value in numbers(parts[2])]
            labels = [dict(fields(value)) for number, value in fields(sample) if number == 3]
            self.labels.append({text(label[1]): text(label.get(2, 0)) for label in labels})
            assert len(values) == len(self.types), 'a sample has as many values as there are types'
            assert all(frame in self.locations for frame in frames), 'a location is not there'
            self.samples.append((frames, values))
        self.comments = [text(i) for i in raw.get(13, [])]
        self.default_type = text(raw.get(14, [0])[0])
        self.period = raw.get(12, [0])[0]

    @staticmethod
    def rows(messages):
        found = {}
        for message in messages:
            row = dict(fields(message))
            assert row[1] not in found and row[1] != 0, 'an ID is 0 or there twice'
            found[row[1]] = row
        return found

    def names(self, frames):
        return [self.locations[frame]['function']['name'] for frame in frames]

    def stacks(self, number):
        """([names, the outermost first], value) of the values of a type."""
        return [(self.names(reversed(frames)), values[number]) for frames, values in self.samples]
