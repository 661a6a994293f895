# SPDX-License-Identifier: Apache-2.0
"""Images with one wrong field: which of them are still read, and which message the others get.

Left out is damage that GNU gprof's object file library comments on in words of its own.
"""
import mutate
from gmonfile import Profile
from profiled import Program

BIG = 1 << 40

FIELDS = (
    ('symtab', 'link', (99, 0xffffffff)), ('symtab', 'entsize', (0, 1, 16, 48)),
    ('symtab', 'size', (0, 1, 25)), ('symtab', 'info', (0, 99)), ('symtab', 'type', (0, 1, 11)),
    ('shstrtab', 'size', (0, 3)), ('ehdr', 'shnum', (0, 0xffff)),
    ('ehdr', 'shentsize', (0, 40, 128)), ('ehdr', 'shoff', (0, 3, BIG)), ('ehdr', 'ehsize', (0,)),
    ('ehdr', 'phnum', (0,)), ('ehdr', 'phoff', (BIG,)), ('ehdr', 'phentsize', (0,)),
    ('ehdr', 'type', (0xffff,)), ('ehdr', 'machine', (0,)), ('ehdr', 'entry', (BIG,)),
    ('sym2', 'shndx', (99, 0xff00, 0xfff1, 0xfff2, 0, 2)), ('sym2', 'other', (3, 0xff)),
    ('sym2', 'info', (0xff, 3, 0x12, 0xa2, 0x20)), ('sym2', 'value', (0, (1 << 64) - 1)),
    ('sym2', 'name', (0, 3)), ('text', 'addr', ((1 << 64) - 1, 0)), ('text', 'size', (0, 1)),
    ('text', 'flags', (0, 2, 6, 7)), ('text', 'type', (0, 7, 8)),
    ('text', 'name', (0, 0xffffffff)),
)


def define(t):
    p = Program(['main', 'alpha', '~beta', 'gamma'])
    data = p.bytes()
    t.put('good', data)
    t.put('gmon', p.profile({'main': 1, 'alpha': 2, 'gamma': 4},
                            [('main', 'alpha', 1), ('alpha', 'beta', 2), ('beta', 'gamma', 3)]))
    t.put('empty', Profile())
    t.case('good', '-b good gmon')
    fields = {f.name: f for f in mutate.elf_fields(data)}
    sections = {'text': 'shdr1', 'symtab': 'shdr2', 'strtab': 'shdr3', 'shstrtab': 'shdr4'}
    for part, field, values in FIELDS:
        where = fields['%s.%s' % (sections.get(part, part), field)]
        for value in values:
            name = '%s-%s-%x' % (part, field, value)
            t.put(name, mutate.put(data, where, value, p.image.order))
            t.case(name, '-b -p %s gmon' % name, '%s of %s is %d' % (field, part, value))
            t.case(name + '-all', '-b -C -z %s empty' % name)
