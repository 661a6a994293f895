# SPDX-License-Identifier: Apache-2.0
"""Recipes of files that are made to cost much, besides images: profiles, settings, lists, sources.

Each recipe takes a size and the directory for its files, in which `image`, `lined` and `gmon.out`
stand already, and returns the command lines to try. `image` has many functions, `lined` some
with a row of the line table for every few bytes.
"""
import gzip
import json
import os
import struct

import gmonfile
from gmonfile import Block, Profile, block_listing, bsd_profile, library_profile, prof_profile

BASE, TEXT, STEP = 0x401000, 0x20000, 8
LONG_BASE = BASE + 4            # a place behind a function's begin, for call sites
OWN, GNU = ['--no-config', '-b'], ['--gnu', '-b']


def put(folder, name, data):
    with open(os.path.join(folder, name), 'wb') as out:
        out.write(data.encode() if isinstance(data, str) else data)


def uses(name='p', image='image', extra=()):
    """What a profile is used for."""
    lines = [OWN, GNU, OWN + ['-c', '-C'], OWN + ['--output=json'], OWN + ['-l', '-A', '-x'],
             GNU + ['-l', '-A', '-x'], OWN + ['-i'], OWN + ['--sum=sum'], GNU + ['-s'],
             OWN + ['--explain', '--per-file']]
    return [line + list(extra) + ['lined' if '-A' in line else image, name] for line in lines]


def profiles(make, extra=()):
    def recipe(size, folder):
        put(folder, 'p', make(size))
        return uses(extra=extra)
    recipe.__name__ = make.__name__
    return recipe


# -- tagged profiles ------------------------------------------------------------------------------

def magic_histograms(size):
    """Histograms of one bin, one behind the other."""
    p = Profile()
    for i in range(size // 43):
        p.histogram(BASE + 4 * i, BASE + 4 * i + 4, [1])
    return p.bytes()


def magic_same_histogram(size):
    return Profile().bytes() + Profile().histogram(BASE, BASE + TEXT, [1]).bytes()[20:] * (
        size // 43)


def magic_overlapping_histograms(size):
    p = Profile()
    for i in range(size // 43):
        p.histogram(BASE + 2 * i, BASE + 2 * i + 64, [1])
    return p.bytes()


def magic_nested_histograms(size):
    p = Profile()
    for i in range(size // 43):
        p.histogram(BASE + 2 * i, BASE + TEXT + 0x10000 - 2 * i, [1])
    return p.bytes()


def magic_empty_histograms(size):
    return Profile().bytes() + Profile().histogram(BASE, BASE, []).bytes()[20:] * (size // 41)


def magic_small_bins(size):
    """Many bins for each byte."""
    return Profile().histogram(BASE, BASE + TEXT, [1] * (size // 2)).bytes()


def magic_endless_bins(size):
    """Bins that each cover all functions."""
    return Profile().histogram(0, (1 << 64) - 1, [9] * (size // 2)).bytes()


def magic_wide_histograms(size):
    """Histograms of one bin that covers all functions, each of another range."""
    p = Profile()
    for i in range(size // 43):
        p.histogram(0x1000 + i, 0x40000000 + (i << 20), [9])
    return p.bytes()


def magic_arcs(size):
    p = Profile()
    for i in range(size // 21):
        p.arc(BASE + i * 7919 % TEXT, BASE + i * 104729 % TEXT // STEP * STEP, i)
    return p.bytes()


def magic_dense_cycle(size):
    """Every function of some calls every other."""
    p, count = Profile(), int((size // 21) ** 0.5)
    for i in range(count):
        for j in range(count):
            p.arc(BASE + i * STEP + 4, BASE + j * STEP, 1)
    return p.bytes()


def magic_chain(size):
    """Functions that call the next, and the first one again."""
    p = Profile()
    for i in range(size // 42):
        at = i * STEP % TEXT
        p.arc(BASE + at + 4, BASE + (at + STEP) % TEXT, 1)
        p.arc(BASE + at + 4, BASE, 1)
    return p.bytes()


def magic_ladder(size):
    """Functions that call the ten next ones."""
    p = Profile()
    for i in range(size // 21):
        p.arc(BASE + i // 10 * STEP % TEXT + 4, BASE + (i // 10 + i % 10 + 1) * STEP % TEXT, 1)
    return p.bytes()


def magic_same_arc(size):
    return Profile().bytes() + Profile().arc(LONG_BASE, BASE, 1).bytes()[20:] * (size // 21)


def magic_strange_arcs(size):
    """Callers and callees that are nowhere."""
    p = Profile()
    for i in range(size // 21):
        p.arc(i << 32, (i * 7919) << 30, 1)
    return p.bytes()


def magic_blocks(size):
    return Profile().blocks([(BASE + i % TEXT, 1 << 60) for i in range(size // 16)]).bytes()


def magic_empty_blocks(size):
    return Profile().bytes() + b'\2\0\0\0\0' * (size // 5)


def magic_old_blocks(size):
    p = Profile(version=0)
    return p.blocks_version_0(b'', [(1, BASE + i % TEXT, b'f%d' % i, b'g' * 20, i)
                                    for i in range(size // 46)]).bytes()


def magic_long_texts(size):
    p = Profile(version=0)
    return p.blocks_version_0(b'c' * (size // 2), [(1, BASE, b'f' * (size // 2), b'', 1)]).bytes()


def magic_zeros(size):
    return Profile().bytes() + bytes(size)


# -- the other formats ----------------------------------------------------------------------------

ARCS = [(BASE + 4 + i * 7 % TEXT, BASE + i * 104729 % TEXT // STEP * STEP, 1) for i in range(60000)]


def bsd_arcs(size):
    return bsd_profile(BASE, BASE + TEXT, [1] * 100, ARCS[:size // 24])


def bsd_bins(size):
    return bsd_profile(BASE, BASE + TEXT, [1] * (size // 2), [])


def bsd_endless(size):
    return bsd_profile(0, (1 << 64) - 1, [1] * (size // 4), ARCS[:size // 48])


def bsd_small_pointers(size):
    return bsd_profile(BASE, BASE + TEXT, [1] * 100, ARCS[:size // 12], bits=32)


def bsd_44_arcs(size):
    return bsd_profile(BASE, BASE + TEXT, [1] * 100, ARCS[:size // 24], rate=100)


def bsd_44_bins(size):
    return bsd_profile(BASE, BASE + TEXT, [65535] * (size // 2), [], rate=1)


def bsd_any_layout(size):
    """Bytes that fit no layout well."""
    return bytes(i * i >> 3 & 0xff for i in range(size))


def ld_arcs(size):
    return library_profile(BASE, BASE + TEXT, [1] * 100, ARCS[:size // 20])


def ld_bins(size):
    return library_profile(BASE, BASE + TEXT, [1] * (size // 2), [])


def ld_room(size):
    return library_profile(BASE, BASE + TEXT, [1] * 100, ARCS[:5], room=size // 20)


def ld_endless(size):
    return library_profile(0, (1 << 64) - 1, [1] * (size // 4), ARCS[:size // 40])


def prof_functions(size):
    return prof_profile(BASE, BASE + TEXT, [(BASE + i * STEP % TEXT, i) for i in range(size // 16)],
                        [1] * 100)


def prof_bins(size):
    return prof_profile(BASE, BASE + TEXT, [(BASE, 1)], [1] * (size // 2))


def prof_room(size):
    return prof_profile(BASE, BASE + TEXT, [(BASE, 1)], [1], room=size // 16)


def bb_blocks(size):
    return block_listing([('a.c', [Block(i, BASE + i % TEXT, 'main', i, 'a.c')
                                   for i in range(size // 85)])])


def bb_lines_only(size):
    return block_listing([('a.c', [Block(i, None, 'f%d' % i, i) for i in range(size // 75)])])


def bb_groups(size):
    return block_listing([('f%d.c' % i, [Block(1, BASE + i)]) for i in range(size // 90)])


def bb_runs(size):
    return block_listing([]) * (size // 62)


def bb_long_word(size):
    return block_listing([('a.c', [Block(1, BASE, 'f' * (size // 2), 1, 'f' * (size // 2))])])


def bb_long_line(size):
    return b'File a.c, 1 basic blocks \n\n' + b' ' * size


def bb_short_lines(size):
    return b'File a.c, 1 basic blocks \n' + b'\n' * size


def bb_files(size):
    return b'File a.c, 0 basic blocks \n\n\n\n' * (size // 29)


def bb_converted(size):
    return gmonfile.converted_blocks([('', [Block(1, BASE + i % TEXT)]) for i in range(size // 13)])


# -- gcov -----------------------------------------------------------------------------------------

GCOV = '{"format_version":"1","gcc_version":"12","current_working_directory":"/src",' \
       '"data_file":"a","files":['


def gcov_of(files):
    return (GCOV + files + ']}').encode()


def gcov_lines(size):
    lines = ','.join('{"line_number":%d,"count":%d,"branches":[]}' % (i + 1, i)
                     for i in range(size // 52))
    return gcov_of('{"file":"a.c","functions":[],"lines":[%s]}' % lines)


def gcov_named_lines(size):
    lines = ','.join('{"line_number":%d,"count":1,"function_name":"f%d"}' % (i % 9 + 1, i)
                     for i in range(size // 52))
    return gcov_of('{"file":"a.c","functions":[],"lines":[%s]}' % lines)


def gcov_functions(size):
    rows = ','.join('{"name":"f%d","execution_count":1,"start_line":%d,"end_line":99999}' % (i, i)
                    for i in range(size // 75))
    return gcov_of('{"file":"a.c","functions":[%s],"lines":[{"line_number":5,"count":1}]}' % rows)


def gcov_files(size):
    rows = ','.join('{"file":"%d.c","functions":[],"lines":[]}' % i for i in range(size // 45))
    return gcov_of(rows)


def gcov_same_files(size):
    return gcov_of(','.join(['{"file":"a.c","functions":[],"lines":[{"line_number":1,"count":1}]}']
                            * (size // 72)))


def gcov_deep(size):
    return GCOV.encode() + b'[' * size


def gcov_deep_objects(size):
    return GCOV.encode() + b'{"a":' * (size // 5)


def gcov_wide(size):
    return gcov_of(','.join(['0'] * (size // 2)))


def gcov_keys(size):
    return ('{"format_version":"1",' + ','.join('"k%d":0' % i for i in range(size // 10)) +
            '}').encode()


def gcov_long_text(size):
    return gcov_of('{"file":"' + 'a' * size + '"}')


def gcov_escapes(size):
    return gcov_of('{"file":"' + '\\u20ac' * (size // 6) + '"}')


def gcov_digits(size):
    return gcov_of('{"file":"a.c","lines":[{"line_number":1,"count":%s}]}' % ('9' * size))


def gcov_spaces(size):
    return (GCOV + ' ' * size).encode()


def packed(text, size):
    """Text that is compressed well, behind some that is not, so that all may be as large as can be."""
    noise = json.dumps(['%x' % (i * i * 2654435761 % (1 << 64)) for i in range(size // 24)])
    head = '{"format_version":"1",'
    noise = '"a":%s,"b":%s,' % (noise, noise)
    return gzip.compress((head + noise).encode() + text[len(head):], mtime=0)


def gcov_bomb(size):
    return gzip.compress(gcov_of(' ' * (900 * size)), mtime=0)


def gcov_bomb_of_spaces(size):
    return packed(gcov_of(' ' * (110 * size)), size)


def gcov_bomb_of_text(size):
    rows = ','.join(['{"file":"%s","lines":[]}' % ('a' * 1000000)] * (size // 10000))
    return packed(gcov_of(rows), size)


def gcov_bomb_of_nothing(size):
    """Members that are skipped, of values that take much memory."""
    values = ','.join('"x":[%s]' % ','.join(['[]'] * 340000) for i in range(max(size // 10000, 1)))
    return packed(gcov_of('{"file":"a",%s}' % values), size)


def gcov_bomb_of_lines(size):
    """Lines that are all alike, compressed as far as they may be."""
    line = '{"line_number":1,"count":1},'
    text = gcov_of('{"file":"a.c","functions":[],"lines":[%s]}' % (line * (4 * size))[:-1])
    return packed(text, size)


def gcov_bomb_of_values(size):
    return packed(gcov_of('0' + ',0' * (50 * size)), size)


def gcov_bomb_of_files(size):
    return packed(gcov_of(','.join(['{"file":"a.c","lines":[]}'] * (4 * size))), size)


def gcov_bomb_of_arrays(size):
    return packed(gcov_of(','.join(['[]'] * (36 * size))), size)


def gcov_members(size):
    """Many compressed texts in a row."""
    return gzip.compress(GCOV.encode(), mtime=0) + gzip.compress(b'', mtime=0) * (size // 20)


PROFILES = [profiles(make) for make in (
    magic_histograms, magic_same_histogram, magic_overlapping_histograms, magic_nested_histograms,
    magic_empty_histograms, magic_small_bins, magic_endless_bins, magic_wide_histograms,
    magic_arcs, magic_dense_cycle, magic_chain, magic_ladder, magic_same_arc, magic_strange_arcs,
    magic_blocks, magic_empty_blocks, magic_old_blocks, magic_long_texts, magic_zeros, ld_arcs,
    ld_bins, ld_room, ld_endless, bb_blocks, bb_lines_only, bb_groups, bb_runs, bb_long_word,
    bb_long_line, bb_short_lines, bb_files, bb_converted, gcov_lines, gcov_named_lines,
    gcov_functions, gcov_files, gcov_same_files, gcov_deep, gcov_deep_objects, gcov_wide,
    gcov_keys, gcov_long_text, gcov_escapes, gcov_digits, gcov_spaces, gcov_bomb,
    gcov_bomb_of_spaces, gcov_bomb_of_text, gcov_bomb_of_nothing,
    gcov_bomb_of_lines, gcov_bomb_of_values, gcov_bomb_of_files, gcov_bomb_of_arrays, gcov_members)]
PROFILES += [profiles(make, ['-O' + make.__name__.split('_')[0]]) for make in (
    bsd_arcs, bsd_bins, bsd_endless, bsd_small_pointers, bsd_any_layout, prof_functions, prof_bins,
    prof_room)]
PROFILES += [profiles(make, ['-O4.4bsd']) for make in (bsd_44_arcs, bsd_44_bins)]


# -- settings, descriptions, words ----------------------------------------------------------------

def settings(make):
    def recipe(size, folder):
        put(folder, 'c.yaml', make(size))
        os.makedirs(os.path.join(folder, 'd', 'input-odd'), exist_ok=True)
        put(os.path.join(folder, 'd'), 'input-odd.yaml', make(size))
        put(os.path.join(folder, 'd'), 'input-odd.so', b'')
        put(os.path.join(folder, 'd', 'input-odd'), 'plugin.yaml', make(size))
        put(os.path.join(folder, 'd', 'input-odd'), 'input-odd.so', b'')
        return [['--no-config', '--config=c.yaml', '-b', '-p', 'image'],
                ['--no-config', '--config=c.yaml', '--print-config'],
                ['--no-config', '--plugin-path=d', '-b', '-p', 'image']]
    recipe.__name__ = make.__name__
    return recipe


def yaml_aliases(size):
    return 'a0: &a0 [x,x,x,x,x,x,x,x,x]\n' + ''.join(
        'a%d: &a%d [%s]\n' % (i, i, ','.join(['*a%d' % (i - 1)] * 9)) for i in range(1, size // 60))


def yaml_merges(size):
    return 'a0: &a0 {x: 1}\n' + ''.join('a%d: &a%d {<<: *a%d, y: 1}\n' % (i, i, i - 1)
                                        for i in range(1, size // 35))


def yaml_anchors(size):
    return 'a: [' + ''.join('&b%d x, ' % i for i in range(size // 11)) + ']\n'


def yaml_deep(size):
    return 'a: ' + '[' * size


def yaml_deep_mappings(size):
    return '{a: ' * (size // 4)


def yaml_deep_blocks(size):
    return '- ' * (size // 2)


def yaml_deep_keys(size):
    return '? ' * (size // 2)


def yaml_long_scalar(size):
    return 'preset: ' + 'x' * (size - 100) + '\n'


def yaml_folded(size):
    return 'preset: >\n' + '  x\n\n' * (size // 6)


def yaml_quoted(size):
    return 'preset: "' + '\\\n  ' * (size // 5) + '"\n'


def yaml_escapes(size):
    return 'preset: "' + '\\U0001F600' * (size // 11) + '"\n'


def yaml_spaces(size):
    return ' ' * (size - 10) + '\na: b\n'


def yaml_comments(size):
    return '#\n' * (size // 2)


def yaml_unknown_keys(size):
    return ''.join('k%d: 1\n' % i for i in range(size // 10))


def yaml_one_long_key(size):
    return 'k' * (size - 100) + ': 1\n'


def yaml_flow_keys(size):
    return '{' + ''.join('k%d, ' % i for i in range(size // 9)) + '}'


def yaml_directives(size):
    return ''.join('%%TAG !%d! tag:x,%d:\n' % (i, i) for i in range(size // 24)) + '--- a\n'


def yaml_documents(size):
    return '---\n' * (size // 4)


def yaml_many_folders(size):
    return 'plugin-path: [' + ''.join('/nowhere/%d, ' % i for i in range(size // 17)) + ']\n'


def yaml_rules(size):
    return 'plugins: { deny: [' + ''.join('"%d*", ' % i for i in range(size // 11)) + '] }\n'


def yaml_loads(size):
    return 'plugins: [' + ''.join('none%d, ' % i for i in range(size // 11)) + ']\n'


def yaml_presets(size):
    return 'preset: [' + 'gnu, ' * (size // 5) + ']\n'


def yaml_includes_itself(size):
    return 'include: [' + 'c.yaml, ' * (size // 8 - 3) + ']\n'


def yaml_outputs(size):
    return 'outputs: [' + ''.join('{format: flat, file: /dev/null}, '
                                  for i in range(size // 33)) + ']\n'


def yaml_options(size):
    return 'options:\n' + ''.join('  output-%d: {a: 1}\n' % i for i in range(size // 25))


def yaml_magics(size):
    row = '    - { at: 0, bytes: "g" }\n'
    return ('name: input-odd\nabi: 1\nsummary: Odd\nreader:\n  format: odd\n  magic:\n' +
            row * (size // len(row)))


def yaml_long_bytes(size):
    return ('name: input-odd\nabi: 1\nsummary: Odd\nreader:\n  format: odd\n  magic:\n'
            '    - { at: 0, bytes: [' + '1,' * (size // 2 - 100) + '1] }\n')


def yaml_option_list(size):
    return ('name: input-odd\nabi: 1\nsummary: Odd\nreader:\n  format: odd\noptions:\n' +
            ''.join('  o%d: { type: boolean, default: true, help: x }\n' % i
                    for i in range(size // 50)))


YAML = [settings(make) for make in (
    yaml_aliases, yaml_merges, yaml_anchors, yaml_deep, yaml_deep_mappings, yaml_deep_blocks,
    yaml_deep_keys, yaml_long_scalar, yaml_folded, yaml_quoted, yaml_escapes, yaml_spaces,
    yaml_comments, yaml_unknown_keys, yaml_one_long_key, yaml_flow_keys, yaml_directives,
    yaml_documents, yaml_many_folders, yaml_rules, yaml_loads, yaml_presets, yaml_includes_itself,
    yaml_outputs, yaml_options, yaml_magics, yaml_long_bytes, yaml_option_list)]


def yaml_includes(size, folder):
    """Files that each include the next many times, and one that does all the work."""
    for i in range(9):
        put(folder, 'i%d.yaml' % i, 'include: [%s]\n' % ', '.join(['i%d.yaml' % (i + 1)] * 9))
    put(folder, 'i9.yaml', 'preset: [' + 'gnu, ' * (size // 5 - 100) + ']\n')
    return [['--no-config', '--config=i0.yaml', '-b', '-p', 'image']]


def labels(name, make):
    """Labels of profiles with names that a pattern is slow with."""
    def recipe(size, folder):
        label, long_name = make(size)
        put(folder, long_name, Profile().histogram(BASE, BASE + TEXT, [1] * 99).bytes())
        put(folder, 'c.yaml', 'profiles:\n  label: %s\n' % json.dumps(label))
        return [['--no-config', '--config=c.yaml', '-b', '--per-file', 'image',
                 long_name] + [long_name] * 200]
    recipe.__name__ = 'label_' + name
    return recipe


WORD = 'a' * 240
LABELS = [labels(name, make) for name, make in (
    ('nested', lambda size: ('(?<x>(a+)+)+$b', WORD)),
    ('alternatives', lambda size: ('(?<x>(a|a|aa)+)$b', WORD)),
    ('any', lambda size: ('(?<x>(.*)(.*)(.*)(.*)(.*)(.*)(.*)(.*)(.*)c)', WORD)),
    ('back', lambda size: (r'(?<x>(.*)(.*)\2\1(.*)\3c)', WORD)),
    ('recursion', lambda size: ('(?<x>a(?&x)*a)b', WORD)),
    ('counted', lambda size: ('(?<x>((((a{0,99}){0,99}){0,99}){0,99}))c', WORD)),
    ('brackets', lambda size: ('(?<x>' + '(' * (size // 2 - 99) + ')' * (size // 2 - 99) + ')',
                               WORD)),
    ('words', lambda size: ('(?<x>' + '|'.join(['aaaaaaab'] * (size // 9 - 99)) + ')', WORD)),
    ('letters', lambda size: ('(?<x>' + '[a-z]?' * (size // 6 - 99) + ')', WORD)),
    ('groups', lambda size: (''.join('(?<x%d>a?)' % i for i in range(size // 13)), WORD)),
    ('classes', lambda size: ('(?<x>' + r'\p{L}*' * (size // 8 - 99) + ')', WORD)),
    ('looks', lambda size: ('(?<x>(?=.*?)' + '(?<=a)' * (size // 7) + ')c', WORD)))]


def words(make):
    def recipe(size, folder):
        put(folder, 'w', make(size))
        return [OWN + ['image', '@w'], GNU + ['image', '@w'], OWN + ['-l', 'lined', '@w']]
    recipe.__name__ = make.__name__
    return recipe


def words_of_spaces(size):
    return ' ' * size


def words_of_letters(size):
    return 'p ' * (size // 2)


def words_of_itself(size):
    return '@w ' * (size // 3)


def words_quoted(size):
    return '"' + '\\\\' * (size // 2)


def words_open(size):
    return '""' * (size // 2)


def words_long(size):
    return '-p' + 'x' * size


def words_long_option(size):
    return '--' + 'x' * size


def words_unknown_options(size):
    return '--xx ' * (size // 5)


def words_profiles(size):
    return 'gmon.out ' * (size // 45)


def words_missing(size):
    return '--keep-going ' + 'none ' * (size // 5)


def words_outputs(size):
    return '--output=flat:/dev/null ' * (size // 25)


def words_folders(size):
    return '-A ' + '-Inone ' * (size // 7)


def words_maps(size):
    return '-A ' + ''.join('--source-map=/n%d=m ' % i for i in range(size // 22))


def words_growing_map(size):
    return '-A --source-map=/=' + 'm/' * (size // 2)


def words_folder_list(size):
    return '-A -I' + 'n:' * (size // 2)


def words_settings(size):
    return '--set=report.show-unused=true ' * (size // 30)


def words_corrections(size):
    return '--correct=no-%d ' * (size // 16)


def words_known_corrections(size):
    return '--correct=no-clones ' * (size // 20)


def words_configs(size):
    return '--config=none.yaml ' * (size // 19)


def words_presets(size):
    return '--preset=teach ' * (size // 15)


def words_plugins(size):
    return '--plugin=output-flat ' * (size // 21)


def words_plugin_folders(size):
    return '--plugin-path=. ' * (size // 16)


def words_objects(size):
    return '--object=image=gmon.out ' * (size // 24)


def specs(option, form):
    def make(size):
        rows, total = [], 0
        while total < size:
            rows.append(option + form % (len(rows) % 30000))
            total += len(rows[-1]) + 1
        return '\n'.join(rows)
    make.__name__ = 'specs_%s_%s' % (option.strip('- '), ''.join(
        c if c.isalnum() else '_' for c in form))
    return words(make)


WORDS = [words(make) for make in (
    words_of_spaces, words_of_letters, words_of_itself, words_quoted, words_open, words_long,
    words_long_option, words_unknown_options, words_profiles, words_missing, words_outputs,
    words_folders, words_maps, words_growing_map, words_folder_list, words_settings,
    words_corrections, words_known_corrections, words_configs, words_presets, words_plugins,
    words_plugin_folders, words_objects)]
WORDS += [specs(option, form) for option in ('-p', '-q', '-k ', '-e ', '-A') for form in (
    ('f%x', 'nosuch%x', 'a.c:%d', 'a.c:%.0s', '%d.c:main') if option != '-k ' else
    ('f%x/f1', '/nosuch%x', 'a.c:%d/f1', 'f%x/', 'a.c:/a.c:%d'))]


# -- maps of files, annotated sources -------------------------------------------------------------

def maps(make):
    def recipe(size, folder):
        put(folder, 'm', make(size))
        return [OWN + ['-R', 'm', 'image'], GNU + ['-R', 'm', 'image'],
                OWN + ['-R', 'm', '--order-format=lld', 'image']]
    recipe.__name__ = make.__name__
    return recipe


def map_of_functions(size):
    return ''.join('a.o:%x T f%x\n' % (BASE + i * STEP, i) for i in range(size // 19))


def map_of_files(size):
    return ''.join('f%x.o:%x T f%x\n' % (i, BASE + i * STEP, i) for i in range(size // 23))


def map_of_one_function(size):
    return ''.join('f%x.o:0 T f1\n' % i for i in range(size // 16))


def map_backwards(size):
    return ''.join('f%x.o:%x T f%x\n' % (i, i, 99999 - i) for i in range(size // 20))


def map_of_long_names(size):
    return ''.join('%s%d.o:0 T f%x\n' % ('d' * 900, i, i) for i in range(size // 920))


def map_of_one_line(size):
    return 'a' * size


def map_of_short_lines(size):
    return '\n' * size


def map_of_colons(size):
    return 'a:0 T b' + ':' * size


def map_of_spaces(size):
    return 'a:0' + ' ' * size + 'T f\n'


def map_of_strangers(size):
    return ''.join('a%d.o:%x T none%x\n' % (i % 3, i, i) for i in range(size // 24))


MAPS = [maps(make) for make in (
    map_of_functions, map_of_files, map_of_one_function, map_backwards, map_of_long_names,
    map_of_one_line, map_of_short_lines, map_of_colons, map_of_spaces, map_of_strangers)]


def sources(make):
    def recipe(size, folder):
        put(folder, 'a.c', make(size))
        return [OWN + ['-A', 'lined'], GNU + ['-A', 'lined'], OWN + ['-l', '-A', '-x', 'lined'],
                GNU + ['-l', '-A', '-x', 'lined'], OWN + ['-A', '-t999999', '-l', 'lined'],
                OWN + ['-A', '--output=json:/dev/null', 'lined']]
    recipe.__name__ = make.__name__
    return recipe


def source_of_short_lines(size):
    return b'\n' * size


def source_of_one_line(size):
    return b'x' * size


def source_of_escapes(size):
    return b'\x1b' * size


def source_of_bad_bytes(size):
    return b'\xff' * size


def source_of_overrides(size):
    return '\u202e'.encode() * (size // 3)


def source_of_zeros(size):
    return bytes(size)


def source_of_returns(size):
    return b'\r' * size


def source_of_tabs(size):
    return b'\t\n' * (size // 2)


def source_of_names(size):
    return b'main();\n' * (size // 8)


def source_of_half_letters(size):
    return b'\xf0\x9f\x98\n' * (size // 4)


SOURCES = [sources(make) for make in (
    source_of_short_lines, source_of_one_line, source_of_escapes, source_of_bad_bytes,
    source_of_overrides, source_of_zeros, source_of_returns, source_of_tabs, source_of_names,
    source_of_half_letters)]

# The ones that cost much once, and one of each other kind.
SHORT = ('magic_same_histogram', 'gcov_bomb_of_lines', 'words_of_itself', 'words_outputs',
         'specs_p_a_c__d', 'label_nested', 'yaml_aliases', 'yaml_includes', 'map_of_files',
         'source_of_escapes', 'bb_lines_only', 'ld_arcs', 'prof_functions', 'bsd_arcs')
RECIPES = PROFILES + YAML + [yaml_includes] + LABELS + WORDS + MAPS + SOURCES
