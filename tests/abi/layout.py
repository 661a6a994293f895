#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds the public headers against the layouts that were promised.

tests/abi/MAJOR.MINOR/layout.txt has the structs, enumerators and numbers of the headers when that version was
frozen, on machines where long and pointers have 64 bits:

    struct NAME SIZE grows|fixed
    member STRUCT.NAME OFFSET TYPE
    enumerator NAME VALUE
    number NAME VALUE

What is there stays as it is: members at their offsets with their types, enumerators and numbers with
their values. A struct that begins with its size and is no part of another one may become larger; all others
are fixed. New structs, members at the end of such structs, enumerators and numbers may appear.

Until the first release there is no such folder: then a copy is frozen, changed, and compared with the headers,
as it will be. Structs that do not begin with their size are named, with the reason, in gprofx-plugin(3).

With --print FOLDER the layout of the headers in FOLDER/include is printed (tests/abi/freeze does so).
"""
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

# What inline functions keep for themselves never crosses the border.
INLINE_ONLY = {'gprofx_cursor', 'gprofx_words', 'gprofx_mark_walk'}
ENTRY = re.compile(r'^ <([0-9a-f]+)><([0-9a-f]+)>: Abbrev Number: \d+ \((DW_TAG_\w+)\)')
ATTRIBUTE = re.compile(r'^ +<[0-9a-f]+> +(DW_AT_\w+) *: ?(.*)$')
BASE_KINDS = {2: 'bool', 4: 'real', 5: 'signed', 6: 'char', 7: 'unsigned', 8: 'unsigned'}


class Entry:
    def __init__(self, tag):
        self.tag, self.attributes, self.children = tag, {}, []

    def number(self, name):
        return int(self.attributes[name].split()[0], 0)

    def text(self, name):
        return re.sub(r'^\(.*?\): ', '', self.attributes.get(name, '')).strip()


def entries_of(program):
    """Debug information as a dictionary of entries by their place."""
    dump = subprocess.run(['readelf', '--debug-dump=info', program], check=True, text=True,
                          capture_output=True, env=dict(os.environ, LC_ALL='C')).stdout
    entries, path = {}, []
    for line in dump.splitlines():
        found = ENTRY.match(line)
        if found:
            depth, place = int(found[1], 16), int(found[2], 16)
            entries[place] = Entry(found[3])
            del path[depth:]
            if path:
                path[-1].children.append(entries[place])
            path.append(entries[place])
            continue
        found = ATTRIBUTE.match(line)
        if found and path:
            path[-1].attributes[found[1]] = found[2]
    return entries


def type_of(entries, entry):
    """The type of a member, in words that tell its size and how it is read."""
    if 'DW_AT_type' not in entry.attributes:
        return 'void'
    kind = entries[int(entry.attributes['DW_AT_type'].strip('<>'), 0)]
    if kind.tag in ('DW_TAG_typedef', 'DW_TAG_const_type', 'DW_TAG_volatile_type'):
        return type_of(entries, kind)
    if kind.tag == 'DW_TAG_base_type':
        return f"{BASE_KINDS[kind.number('DW_AT_encoding')]}{8 * kind.number('DW_AT_byte_size')}"
    if kind.tag == 'DW_TAG_enumeration_type':
        return f"unsigned{8 * kind.number('DW_AT_byte_size')}"
    if kind.tag == 'DW_TAG_array_type':
        counts = ''.join(f"[{c.number('DW_AT_upper_bound') + 1}]" for c in kind.children)
        return type_of(entries, kind) + counts
    if kind.tag == 'DW_TAG_structure_type':
        return 'struct:' + kind.text('DW_AT_name')
    return {'DW_TAG_pointer_type': 'pointer'}[kind.tag]


def numbers_of(compiler, source, include):
    """Macros of the headers that are numbers."""
    macros = subprocess.run([compiler, f'-I{include}', '-E', '-dM', source], check=True, text=True,
                            capture_output=True).stdout
    for name, value in re.findall(r'^#define (GPROFX_\w+) (?:UINT64_C\()?(0x[0-9a-f]+|\d+)\)?$',
                                  macros, re.M):
        yield name, int(value, 0)


def layout_of(include, compiler):
    headers = sorted(os.path.basename(h) for h in glob.glob(f'{include}/gprofx/*.h'))
    assert headers, f'no headers in {include}'
    lines, structs, parts = [], {}, set()
    with tempfile.TemporaryDirectory() as folder:
        source, program = os.path.join(folder, 'all.c'), os.path.join(folder, 'all.o')
        with open(source, 'w', encoding='utf-8') as file:
            file.writelines(f'#include <gprofx/{h}>\n' for h in headers)
        subprocess.run([compiler, f'-I{include}', '-gdwarf-4', '-fno-eliminate-unused-debug-types',
                        '-c', '-o', program, source], check=True)
        entries = entries_of(program)
        lines += [f'number {name} {value}' for name, value in numbers_of(compiler, source, include)
                  if name not in ('GPROFX_ABI_MINOR',)]
    for entry in entries.values():
        name = entry.text('DW_AT_name')
        if entry.tag == 'DW_TAG_enumerator' and name.startswith('GPROFX_'):
            lines.append(f"enumerator {name} {entry.number('DW_AT_const_value')}")
        if (entry.tag == 'DW_TAG_structure_type' and name.startswith('gprofx') and
                'DW_AT_byte_size' in entry.attributes and name not in INLINE_ONLY):
            structs[name] = entry
    for name, entry in structs.items():
        for member in entry.children:
            kind = type_of(entries, member)
            parts.add(kind.partition('[')[0].partition(':')[2])
            lines.append(f"member {name}.{member.text('DW_AT_name')} "
                         f"{member.number('DW_AT_data_member_location')} {kind}")
    for name, entry in structs.items():
        first = entry.children[0].text('DW_AT_name') if entry.children else ''
        # The size of an option stands in the descriptor.
        grows = (first == 'size' or name == 'gprofx_option') and name not in parts
        lines.append(f"struct {name} {entry.number('DW_AT_byte_size')} "
                     f"{'grows' if grows else 'fixed'}")
    return sorted(lines)


def table(lines):
    return {tuple(line.split(' ')[:2]): line.split(' ')[2:] for line in lines}


def broken_promises(promised, found):
    for key, value in promised.items():
        now = found.get(key)
        if key[0] == 'struct' and value[1] == 'grows' and now and now[1] == 'grows':
            if int(now[0]) < int(value[0]):
                yield f"{' '.join(key)}: {value[0]} bytes were promised, it shrank to {now[0]}"
        elif now != value:
            yield f"{' '.join(key)}: {' '.join(value)} was promised, found {' '.join(now or ['nothing'])}"


def broken_freeze(folder, found, compiler):
    """What a frozen version was promised that the headers do not keep."""
    path = os.path.join(folder, 'layout.txt')
    with open(path, encoding='utf-8') as file:
        promised = file.read().splitlines()
    assert len(promised) > 500, f'{path} is not complete'
    for problem in broken_promises(table(promised), table(found)):
        yield f'{path}: {problem}'
    # The record is that of the headers beside it.
    if layout_of(os.path.join(folder, 'include'), compiler) != promised:
        yield f'{path} is not what the headers beside it give'


def try_freeze(here, found, compiler):
    """Freezes the headers as they are; a change of the copy has to be seen."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([os.path.join(here, 'freeze'), folder], check=True, capture_output=True)
        assert os.path.exists(os.path.join(folder, 'output-frozen.c')), 'the plugins are not frozen'
        assert not list(broken_freeze(folder, found, compiler)), 'headers differ from their copy'
        header = os.path.join(folder, 'include/gprofx/reader.h')
        with open(header, encoding='utf-8') as file:
            text = file.read()
        with open(header, 'w', encoding='utf-8') as file:
            file.write(text.replace('uint32_t line; /* from 1 */', 'uint64_t line;', 1))
        assert list(broken_freeze(folder, found, compiler)), 'a changed header is not seen'
        with open(os.path.join(folder, 'layout.txt'), 'w', encoding='utf-8') as file:
            file.write('\n'.join(layout_of(os.path.join(folder, 'include'), compiler)))
        assert list(broken_freeze(folder, found, compiler)), 'a changed layout is not seen'


def unnamed_structs(manual, found):
    """The manual has a list of the structs that do not begin with their size."""
    with open(manual, encoding='utf-8') as file:
        text = re.search(r'^\.Ss Structs without a size\n(.*?)^\.S[sh] ', file.read(), re.M | re.S)[1]
    named = set(re.findall(r'gprofx_?\w*', text)) - {'gprofx_option', 'gprofx_plugin'}
    lines = table(found)
    sized = {key[1].split('.')[0] for key, value in lines.items()
             if key[0] == 'member' and key[1].endswith('.size') and value == ['0', 'unsigned32']}
    unsized = {key[1] for key in lines if key[0] == 'struct'} - sized - {'gprofx_option'}
    for name in sorted(unsized - named):
        yield f'struct {name} does not begin with its size, and {manual} does not name it'
    for name in sorted(named - unsized):
        yield f'{manual} names struct {name} as one without a size'


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    compiler = shutil.which('gcc')
    if not compiler or not shutil.which('readelf'):
        print('SKIP: gcc or readelf is not installed')
        sys.exit(77)
    if '--print' in sys.argv[1:]:
        print('\n'.join(layout_of(os.path.join(sys.argv[2], 'include'), compiler)))
        return
    found = layout_of(os.path.join(here, '../../include'), compiler)
    if '__LP64__' not in subprocess.run([compiler, '-E', '-dM', '-x', 'c', '/dev/null'], check=True,
                                        text=True, capture_output=True).stdout:
        print('SKIP: the recorded layouts are those of 64-bit machines')
        sys.exit(77)
    problems = list(unnamed_structs(os.path.join(here, '../../doc/gprofx-plugin.3'), found))
    for folder in sorted(glob.glob(os.path.join(here, '[0-9]*'))):
        problems += broken_freeze(folder, found, compiler)
    try_freeze(here, found, compiler)
    # The test sees what it has to see.
    key = ('member', 'gprofx_plugin.name')
    assert list(broken_promises({key: ['8', 'pointer']}, {key: ['16', 'pointer']}))
    key = ('struct', 'gprofx_plugin')
    assert list(broken_promises({key: ['8', 'grows']}, {key: ['4', 'grows']}))
    assert not list(broken_promises({key: ['8', 'grows']}, {key: ['16', 'grows']}))
    assert list(broken_promises({key: ['8', 'fixed']}, {key: ['16', 'fixed']}))
    assert list(broken_promises({key: ['8', 'fixed']}, {}))
    if problems:
        sys.exit('\n'.join(problems))


if __name__ == '__main__':
    main()
