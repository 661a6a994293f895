# SPDX-License-Identifier: Apache-2.0
"""Recorded results of programs: readable text, and what differs from them.

'@@case NAME' opens a result; stdout follows, then '@@stderr' and its text if there was any, then
'@@status N'. '@@cut' says that the text before it has no newline at its end. '@@same NAME' stands
for the whole of an earlier result.
"""
import difflib
import io

from runner import Result


def _text(data):
    if data and not data.endswith(b'\n'):
        return data + b'\n@@cut\n'
    return data


def pack(results):
    """`results`: {case name: Result}; the bytes of the text."""
    seen, out = {}, bytearray()
    for name, r in results.items():
        out += b'@@case %s\n' % name.encode()
        key = (r.status, r.out, r.err)
        if key in seen and len(r.out) + len(r.err) > 60:
            out += b'@@same %s\n' % seen[key].encode()
            continue
        seen.setdefault(key, name)
        out += _text(r.out)
        if r.err:
            out += b'@@stderr\n' + _text(r.err)
        out += b'@@status %d\n' % r.status
    return bytes(out)


def unpack(data):
    results = {}
    name, parts = None, None
    for line in io.BytesIO(data):
        if line.startswith(b'@@case '):
            name, parts = line[7:-1].decode(), [bytearray(), bytearray()]
            current = parts[0]
        elif line.startswith(b'@@same '):
            results[name] = results[line[7:-1].decode()]
        elif line == b'@@stderr\n':
            current = parts[1]
        elif line == b'@@cut\n':
            del current[-1:]
        elif line.startswith(b'@@status '):
            results[name] = Result(int(line[9:]), bytes(parts[0]), bytes(parts[1]))
        else:
            current += line
    return results


def differences(wanted, got):
    """Lines that say how one result differs from another."""
    lines = []
    if wanted.status != got.status:
        lines.append('status: wanted %s, got %s' % (wanted.status, got.status))
    for what, a, b in (('stdout', wanted.out, got.out), ('stderr', wanted.err, got.err)):
        if a != b:
            lines.append(what + ':')
            a, b = (x.decode('latin-1').splitlines() for x in (a, b))
            shown = list(difflib.unified_diff(a, b, 'wanted', 'got', lineterm='', n=1))[2:14]
            lines += shown or ['the end of the text differs']
    return lines
