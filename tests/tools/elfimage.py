# SPDX-License-Identifier: Apache-2.0
"""Writes tiny ELF images byte by byte: any machine, class and byte order, any sections and symbols.

No compiler, assembler or linker is needed, and the same calls give the same bytes on every
host. What a real tool chain would never write (a symbol in a section that does not exist, an
entry size of zero, strings in a chosen order) is possible too, since that is what tests need.
"""
import struct

# name: (e_machine, bits, byte order, e_flags)
MACHINES = {
    'i386': (3, 32, '<', 0), 'x86_64': (62, 64, '<', 0), 'x32': (62, 32, '<', 0),
    'arm': (40, 32, '<', 0x5000000), 'armeb': (40, 32, '>', 0x5000000),
    'aarch64': (183, 64, '<', 0), 'aarch64eb': (183, 64, '>', 0), 'mips': (8, 32, '>', 0x50001000),
    'mipsel': (8, 32, '<', 0x50001000), 'mips64': (8, 64, '>', 0x60000000),
    'mips64el': (8, 64, '<', 0x60000000), 'ppc': (20, 32, '>', 0), 'ppc64': (21, 64, '>', 1),
    'ppc64le': (21, 64, '<', 2), 's390': (22, 32, '>', 0), 's390x': (22, 64, '>', 0),
    'sparc': (2, 32, '>', 0), 'sparc64': (43, 64, '>', 0), 'm68k': (4, 32, '>', 0),
    'sh': (42, 32, '<', 0), 'hppa': (15, 32, '>', 0x210), 'alpha': (0x9026, 64, '<', 0),
    'riscv32': (243, 32, '<', 0), 'riscv64': (243, 64, '<', 0),
    'loongarch64': (258, 64, '<', 0x43), 'ia64': (50, 64, '<', 0x10), 'vax': (75, 32, '<', 0),
}

NOTYPE, OBJECT, FUNC, SECTION, FILE, TLS, IFUNC, ARM_TFUNC = 0, 1, 2, 3, 4, 6, 10, 13
LOCAL, GLOBAL, WEAK, UNIQUE = 0, 1, 2, 10
UNDEF, ABS, COMMON = 0, 0xfff1, 0xfff2
WRITE, ALLOC, EXEC, COMPRESSED = 0x1, 0x2, 0x4, 0x800
NULL, PROGBITS, SYMTAB, STRTAB, RELA, NOTE, NOBITS, REL = 0, 1, 2, 3, 4, 7, 8, 9
ET_REL, ET_EXEC, ET_DYN, ET_CORE = 1, 2, 3, 4


class Section:
    """One section; a row of the section table and its contents."""

    def __init__(self, name, address=0, data=b'', flags=ALLOC | EXEC, kind=PROGBITS, size=None,
                 align=4, entry_size=0):
        self.name, self.address, self.data, self.flags = name, address, bytes(data), flags
        self.kind, self.align, self.entry_size = kind, align, entry_size
        self.size = len(self.data) if size is None else size
        self.link = 0


class Symbol:
    """One row of the symbol table. `section` is a section's name or a special index."""

    def __init__(self, name, address, size=0, bind=GLOBAL, kind=FUNC, section='.text', other=0):
        self.name, self.address, self.size, self.bind = name, address, size, bind
        self.kind, self.section, self.other = kind, section, other


class Image:
    """An ELF file under construction; `bytes()` gives its contents.

    Local symbols are written first, as ELF asks; inside each half the order of the calls
    is kept. Strings follow one another in that same order, so a test decides what stands
    behind a name in the string table.
    """

    def __init__(self, machine='x86_64', kind=ET_EXEC, entry=None):
        self.number, self.bits, self.order, self.flags = MACHINES[machine]
        self.kind, self.entry = kind, entry
        self.sections, self.symbols = [], []
        self.link_symbols = True        # False leaves sh_link of .symtab at 0
        self.with_symbols = True        # False writes neither .symtab nor .strtab

    def section(self, name, *args, **named):
        self.sections.append(Section(name, *args, **named))
        return self

    def symbol(self, name, *args, **named):
        self.symbols.append(Symbol(name, *args, **named))
        return self

    def functions(self, names, base, step):
        """Functions at equal distances; a name that starts with '~' is a local symbol."""
        for i, name in enumerate(names):
            self.symbol(name.lstrip('~'), base + i * step, step,
                        LOCAL if name.startswith('~') else GLOBAL)
        return self

    def libraries(self, names, run_path=None):
        """Asks for shared libraries, and says in which folders they are; behind all sections."""
        at = (max(s.address + s.size for s in self.sections) + 0xfff) & ~0xfff
        strings, rows = b'\0', b''
        for tag, text in [(1, name) for name in names] + ([(29, run_path)] if run_path else []):
            rows += self._pack('AA', tag, len(strings))
            strings += text.encode() + b'\0'
        self.section('.dynstr', at, strings, flags=ALLOC, kind=STRTAB)
        self.section('.dynamic', (at + len(strings) + 0xfff) & ~0xfff, rows + self._pack('AA', 0, 0),
                     flags=ALLOC | WRITE, kind=6)
        self.sections[-1].link = len(self.sections) - 1
        return self

    # -- the pieces ---------------------------------------------------------------------------

    def _pack(self, letters, *values):
        """struct.pack with 'A' for an address of the image's class, values cut to their width."""
        wide = 'Q' if self.bits == 64 else 'I'
        letters = letters.replace('A', wide)
        mask = {'B': 0xff, 'H': 0xffff, 'I': 0xffffffff, 'Q': 0xffffffffffffffff}
        return struct.pack(self.order + letters, *(v & mask[c] for c, v in zip(letters, values)))

    def _symbol_table(self):
        strings = bytearray(b'\0')
        index = {s.name: i + 1 for i, s in enumerate(self.sections)}
        rows = bytearray(24 if self.bits == 64 else 16)
        ordered = [s for s in self.symbols if s.bind == LOCAL]
        first_global = 1 + len(ordered)
        ordered += [s for s in self.symbols if s.bind != LOCAL]
        for s in ordered:
            at = 0
            if s.name:
                at = len(strings)
                strings += s.name.encode('latin-1') + b'\0'
            where = s.section if isinstance(s.section, int) else index[s.section]
            info = s.bind << 4 | s.kind
            if self.bits == 64:
                rows += self._pack('IBBHAA', at, info, s.other, where, s.address, s.size)
            else:
                rows += self._pack('IAABBH', at, s.address, s.size, info, s.other, where)
        return bytes(rows), bytes(strings), first_global

    def _file_header(self, shoff, count, names):
        ident = b'\x7fELF' + bytes([self.bits // 32, 1 if self.order == '<' else 2, 1]) + bytes(9)
        size = 64 if self.bits == 64 else 52
        entry = self.entry
        if entry is None:
            entry = self.sections[0].address if self.sections else 0
        loads = len(self._loaded())
        return ident + self._pack('HHIAAAIHHHHHH', self.kind, self.number, 1, entry,
                                  size if loads else 0, shoff, self.flags, size,
                                  56 if self.bits == 64 else 32, loads,
                                  64 if self.bits == 64 else 40, count, names)

    def _is_loaded(self, section):
        return self.kind != ET_REL and section.flags & ALLOC

    def _loaded(self):
        return [s for s in self.sections if self._is_loaded(s)]

    def _segment(self, s, offset):
        rights = 4 | (1 if s.flags & EXEC else 0) | (2 if s.flags & WRITE else 0)
        if self.bits == 64:
            return self._pack('IIAAAAAA', 1, rights, offset, s.address, s.address, len(s.data),
                              s.size, 4)
        return self._pack('IAAAAAIA', 1, offset, s.address, s.address, len(s.data), s.size, rights,
                          4)

    def bytes(self):
        sections = list(self.sections)
        links = {}                      # index from 0: (sh_link, sh_info)
        if self.with_symbols:
            rows, strings, first_global = self._symbol_table()
            links[len(sections)] = (len(sections) + 2 if self.link_symbols else 0, first_global)
            sections.append(Section('.symtab', 0, rows, 0, SYMTAB, align=8,
                                    entry_size=24 if self.bits == 64 else 16))
            sections.append(Section('.strtab', 0, strings, 0, STRTAB, align=1))
        names = bytearray(b'\0')
        name_at = []
        for name in [s.name for s in sections] + ['.shstrtab']:
            name_at.append(len(names))
            names += name.encode() + b'\0'
        sections.append(Section('.shstrtab', 0, names, 0, STRTAB, align=1))

        head, row = (64, 56) if self.bits == 64 else (52, 32)
        head += row * len(self._loaded())
        body, offsets = bytearray(), []
        for s in sections:
            body += bytes(-(head + len(body)) % max(s.align, 1))
            offsets.append(head + len(body))
            body += s.data
        body += bytes(-(head + len(body)) % 8)
        out = bytearray(self._file_header(head + len(body), len(sections) + 1, len(sections)))
        for s, offset in zip(self.sections, offsets):
            if self._is_loaded(s):
                out += self._segment(s, offset)
        out += body + bytes(64 if self.bits == 64 else 40)
        for i, (s, offset) in enumerate(zip(sections, offsets)):
            link, info = links.get(i, (s.link, 0))
            out += self._pack('IIAAAAIIAA', name_at[i], s.kind, s.flags, s.address, offset, s.size,
                              link, info, s.align, s.entry_size)
        return bytes(out)
