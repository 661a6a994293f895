# SPDX-License-Identifier: Apache-2.0
"""The option sets.

Placeholders are the words of a program (see programs.py): {f} {g} {s} {caller} {callee} {file},
and {line}, the line marked in {file}. Words are split as a shell does.
"""
import shlex

# What is compared.
EXACT = 'exact'             # stdout, stderr and status
FIRST_LINE = 'first line'   # of stderr only the first line: the usage text follows it
OWN_WORDS = 'own words'     # stdout has our own words; it must not be empty
FRAME = 'frame'             # without -b: the tables, and where explanations stand

# A program is given one in so many of the option sets that are not for all of them.
SHARES = 8

# Run with every program, on the real profile and on the dense one.
LISTINGS = '''
-p
-q
-p -P
-P
-Q
-C
-C -z
-z
-T
-T -p -z
-T -q
-L -z
-p --inline-file-names
-q --inline-file-names -z
-w 40 -q
-a
-D -z
--no-demangle
'''

# Run with every program, on both.
ORDERS = '''
-r
-r -q
-r -a -p{f} -C -z
--function-ordering -p
-R files.map
-R files.map -p -q -C
'''
# GNU gprof learns from memory that it never wrote which functions stand for their file. The C library
# fills new memory with the complement of this: with zeros it says what it should.
MAP_VARIABLES = {'MALLOC_PERTURB_': '255'}

# Run with every program, on the dense profile.
FILTERS = '''
-p{f}
-P{f} -P{g}
-p{f} -p{file}:
-p{file}: -p{f}
-p{file}:{line}
-P{file}:{g} -q
-p: -p{f}
-P:
-p{f} -q{g}
-q{f}
-q{f} -z
-Q{f}
-Q{g} -q{f}
-q{file}:
-Q{file}:
-q:{line} -z
-q{caller}/{callee}
-q{caller}/
-Q/{callee}
-k {caller}/{callee}
-k {caller}/{g} -k {caller}/{callee} -q
-k {file}:/{callee} -q
-k {caller}/{file}: -k{f}/{g} -q
-e {f} -q
-E {f}
-E {f} -e {g} -T
-f {f} -q
-f {g} -e {f} -q -z
-F {f} -p -q
-F {f} -F {g} -T -q
-n {f} -q
-N {g}
-n {f} -N {g} -q -L
-a -q{f} -z
-C{f}
-C{file}: -z
--demangle=gnu-v3 -q
--demangle=gnat -p
-T -L --inline-file-names -q
-w 1 -q -z
'''

# Line by line; run with every program, on the dense profile.
BY_LINE = '''
-l
-l -p -z
-l -q -z
-l -T -z
-l -C -z -L
-l -a
-l -p{file}:{line} -q
-l -p{f} -q{g} -L
-l -F {f} -q
-l -k {caller}/{callee} -q
-l -k {file}:/{callee} -q
'''

# Counts of basic blocks, beside others and alone; run with every program.
BLOCKS = '''
-l
-l -C
-l -C -z
-C
-C -z
-C{f}
-C{f} -Z{g}
-Z{f}
-l -C{f}
-l -Z{f} -z
-l -C{f} -Z{g} -z
-l -C{file}: -z
-l -Z{file}:
-l -C:{line} -L
-l -C{file}:{line}
-l -C -T
-l -C --no-demangle
'''

# The same for some programs.
MORE_BY_LINE = '''
--line
-l -p
-l -q
-l -D -p
-l -L -p
-l -z -w 40
-l --inline-file-names
-l --no-demangle
-l -C
-l -C{file}: -z
-l -C:{line}
-l -P{file}:
-l -Q{f} -z
-l -q{file}:{line}
-l -q{caller}/{callee}
-l -E {f} -q
-l -n {f} -q -z
-l -f {g} -e {f} -q
-l -N{file}: -q
-l -P
-l -i
-s -p
-s -q -z
'''

# Annotated source; run with every program, on the dense profile.
SOURCES = '''
-A
-A -x
-A -z -t 3
-A -t 2 -m 100
-A{f}
-J{f} -z
-A{file}: -x
-l -A
-l -A -x
-l -A -z -t 4 -m 3
-l -A{file}:{line}
-A -l -x -J{g}
'''

# Written to files of their own.
SEPARATE = '''
-A -y
-A -x -y -l -t 0
'''

# The same for some programs.
MORE_SOURCES = '''
-A -p -q -C
-A -L -T
-A -a
-J
-J -p
-A -J
-A -J{file}: -z
-A: -x -z
-Anosuchname
-Anosuch.c:
-A{s} -x -l
-A -m 0 -t 0
-A -m -1 -t -1
-A -m 4294967297 -t 4294967297
-A -m 0x10 -t x
-I nowhere -A
-I : -A
--annotated-source={f} --min-count=2 --table-length=3
--all-lines --annotated-source --no-annotated-source={g}
--directory-path=. --annotated
--an={f}
--all -A
-A -x -z --inline-file-names
-l -A -z -x -a
-l -A -D
-l -A{f}
-l -A -P -Q
-x
-t 3 -m 3
'''

# Calls that stand in the code; run with every program, on both. GNU gprof takes its bytes from .text
# whatever section a function is in, and ends with a signal when they are beyond it.
STATIC_CALLS = '''
-c
-c -q -z
-c -T -q
-c -q{f}
-c -r
-l -c
-l -c -q -z
'''

# The same for some programs.
MORE_STATIC_CALLS = '''
-c -p
-c -p -z -C
-c -i
-c -P
-c -a
-c -D -q -z
-c -s -q
-c -r -q
-c -R files.map
-c -r -R files.map
-c -T -z
-c -k {caller}/{callee} -q
-c -q{caller}/{callee}
-c -Q/{callee}
-c -E {f} -q
-c -F {f} -q
-c -f {f} -q -z
-c -n {f} -q
-c -L -q --inline-file-names
-l -c -T
-l -c -p -q -L
-l -c -a
-l -c -k {caller}/{callee} -q
-l -c -r
-l -c -s -q
--static-call-graph -q
'''

# More of both; every program is given some of them.
MORE = '''
-p -q
-i
-i -p -q
-i -T -P
-i -C{f}
-B
-P -p
-P -Q
-Q -q
-C -p
-C -q -p
-C{f} -z
-C{file}:{line}
-Z
-Z{f}
-Z{file}: -z
-C{f} -Z{g}
-p -q -C -z
-p -z
-q -z
-T -p
-T -q -z
-T -w 30
-T --inline-file-names
-T -L -z --inline-file-names
-T --demangle
-L
-L -q -z
-p -L --inline-file-names
-C -L
-w 1 -q
-w 132 -q -z
-w 200 -z
-w 80x -q
-w nonsense -q
-w -3 -q
-w 4294967376 -q
-a -q -z
-a -T
-a -L --inline-file-names
-D
-D -q -z
-a -D -p
--no-demangle -q -z
--demangle=auto
--demangle=none
--demangle=gnu-v3
--demangle=java
--demangle=gnat
--demangle=dlang
--demangle=rust
--demangle=none --demangle
--demangle=none --no-demangle --demangle=gnu-v3
--no-demangle --demangle
--demangle=rust --demangle
-p{f} -p{g}
-p{f} -P{f}
-p -P{f}
-P{f}
-P{f} -P{g} -z
-P{f} -q
-pnosuchname
-Pnosuchname
-p: -z
-p0
-p:0
-p:{f}
-p{file}
-p{file}:
-P{file}:
-p{file}:{f}
-p{file}:{g} -z
-p:{line}
-p{line}
-P{file}:{line}
-P{line}tail
-p{file}:nosuchname
-pnosuch.c
-pnosuch.c:{f}
-Pnosuch.c:
-P{g} -P{file}:
-P{file}: -P{g}
-p:{line} -p{file}:
-p{f} -p:
-p{s} -P{f} -q
-pmcount -z
-p_mcount -q
-q{g}
-q{f} -q{g}
-q{s}
-Q{f} -q{g}
-Q{f} -Q{g}
-Q{f} -q{f}
-Q{s} -z
-q{file}:{line}
-q:{line}
-q:{f}
-q{file}:{f} -q{g}
-q{file}:{s} -L
-qnosuchname
-q{f} -q{file}:
-q{file}: -q{f}
-q{f} -L -w 60
-q -T -q{f}
-q/{callee}
-q/
-q{caller}/{callee} -q{callee}/
-q{caller}/{callee} -q{caller}/{g}
-q{caller}/nosuchname
-qnosuchname/{callee}
-q{caller}/nosuchname -q{caller}/{callee}
-q{caller}/{callee} -q{caller}/nosuchname
-q{file}:/{callee}
-q:{caller}/:{callee}
-q:{caller}/:{line}
-q{caller}/{callee} -q{f}
-q{caller}/{callee} -Q{caller}/{callee}
-Q{caller}/{callee}
-Q{caller}/
-Q/
-Q{caller}/{file}:
-k {caller}/{callee} -q
-k {caller}/{callee} -k {caller}/{g} -q
-k {caller}/{callee} -k {caller} -q
-k {caller} -k {caller}/{callee} -q
-k {caller}/ -q
-k {caller}/ -k /{callee} -q
-k /{callee} -q
-k / -q
-k / -p
-k {file}: -k {caller}/{callee} -q
-k {caller}/{file}: -q
-k {caller}/{callee} -k {file}:/{callee} -q
-k {file}:/{callee} -k {caller}/{callee} -q
-k nosuchname/{callee} -q
-k {caller}/nosuchname -q
-k {caller}/{callee} -C
-Q{caller}/{callee} -k{caller}/{g} -q{f} -z
-e {f} -e {g}
-e {f} -f {f} -q
-e{file}: -q
-e {file}:{line} -q
-e {caller}/{callee} -q
-E {f} -q
-E {f} -E {g} -T
-E {f} -p
-E{file}: -q -z
-f {f} -f {g} -q
-f{f} -p
-f {file}: -q
-f{f} -e{g} -q
-f nosuchname -q
-F {f} -q
-F {f} -F {g} -q
-F {f} -E {g} -q
-F {f} -E {f} -q
-F {file}:{line} -q
-F{f} -f{g} -T -q
-n {f} -n {g} -q
-n{file}: -q
-n {f} -p
-n {f} -N {f} -q
-N {f} -q
-N {f} -N {g} -q -z
-N{file}: -q
-N: -q
-N {f} -F {g} -q
-n {f} -q{g}
-n {f} -e {g} -q
--={f} -q
--time={f} -q
--no-time {f} -q
--time nosuchname -q
-P{f} -E{g} -k{caller}/{callee} -z
-a -p{s}
-a -k {caller}/{callee} -q
-D -e {f} -q
-T -F {f} -P{g}
-L -f {f} --inline-file-names -q
--no-demangle -q{f} -F {g}
'''

# More of orders.
MORE_ORDERS = '''
-r -p{f} -T
-r -q{f} -C -z
-r -a
-r -D -L
-r -P -Q
-r -i
-r -E {f} -q
-r -R files.map
-R files.map -T -q
-R files.map -a
-R files.map -P
-R files.map -E {f} -q
--file-ordering=files.map
'''

# Spellings; these say nothing new about the data.
SPELLINGS = '''
--flat-profile
--flat-profile={f}
--flat={f}
--flat-profile=
--no-flat-profile
--no-flat-profile={f}
--no-f={f}
--graph
--graph={f}
--graph={caller}/{callee}
--gra={f}
--no-graph={f}
--no-graph
--no-graph={caller}/{callee}
--exec-counts={f}
--no-exec-counts={f}
--no-exec-counts
--exec
--brief --brief
--file-info
--file-i -q{f}
-bip
--traditional
--tr -q
--print-path --p -q
--width=50 -q
--width 50 -q
--wid=50 -w 70 -q
--width= -q
--no-static
--no-s -q
--ignore-non-functions
--ig -q
--display-unused-functions -p
--dis -q
--inline-file-names -p
--inl -p
--demangle -p
--dem=none -p
--no-demangle -p
--no-d -p
--no-t={f} -q
--tim={f} -q
-bqz
-bpz
-zbB
-TLp{f}
-aDp
-Lk{caller}/{callee} -q
-pb
-qb
-e{f} -bq
-bOauto
-O magic
-Omnotthat
--file-format=auto
--file-f m
'''

# Usage errors and refused words: the first line of stderr says it all.
MISUSE = '''
--nosuchoption
--nosuch=3
-G
-g
-H
-pz -G
-B3
-o
-b -u -p
--brief=3
--traditional=yes
--no-demangle=auto
--e
--ex=3
--no
--no-
--f
--file
--d
--de
--i
--t
--no-nothing
-Tq --b=3
--demangle=foo
--demangle=
--demangle=GNU-V3
--demangle=arm
--dem=edg
-O
-O q
-O AUTO
--file-format=
--file-format=x
-Oq -Oauto
-O nonsense --help
'''

REFUSED_AT_THE_END = '''
-k
-e
-E
-f
-F
-n
-N
-w
--width
--time
--no-time
--file-format
-O
-qk
-bzw
'''


class OptionSet:
    """One command line.

    words     what follows the program's name; operands stand among them
    name      the words, unless that would be unclear
    what      EXACT, FIRST_LINE, OWN_WORDS or FRAME
    stdin     name of the file to read, or None
    pipe      whether stdin comes through a pipe
    env       variables that are set
    argv0     the name by which the program is called
    separate  it writes files, which are compared, too, from a folder below the program's
    in_own_mode   also compare GNU mode with own mode, all corrections off
    """

    def __init__(self, words, what=EXACT, name=None, stdin=None, pipe=False, env=None,
                 argv0='gprof', in_own_mode=False, separate=False):
        self.words, self.what, self.stdin, self.pipe = shlex.split(words), what, stdin, pipe
        self.env, self.argv0, self.in_own_mode = env, argv0, in_own_mode
        self.separate = separate
        self.name = name or words + (' <' + stdin if stdin else '')

    def arguments(self, program_words):
        return [word.format(**program_words) for word in self.words]


def lines(text):
    return [line for line in text.splitlines() if line]


def file_sets():
    """Where the data comes from: operands, several files, standard input, nothing, wrong things."""
    yield from map(OptionSet, lines('''
-b
-b -p
-b prog
-b prog gmon.out one.gmon
-b -q prog one.gmon two.gmon
-b -p prog one.gmon two.gmon
-b -p -T prog two.gmon one.gmon
-b prog gmon.out gmon.out gmon.out
-b prog long.gmon
-b -q prog long.gmon dense.gmon
-b -C prog one.gmon two.gmon gmon.out
-b prog dense.gmon gmon.out -q{f}
prog -b gmon.out -q
prog gmon.out -bz -k {caller}/{callee}
-b -p -- prog gmon.out
-b -- prog -p
-b -q prog gmon.out -- one.gmon
-b prog header
-b -p prog header
-b -q prog header
-b -C -z prog header
-b nosuchimage gmon.out
-b prog nosuchprofile
-b prog gmon.out nosuchprofile
-b nosuchimage nosuchprofile
-b -Oprof nosuchimage gmon.out
-b -Oprof prog nosuchprofile
-b -Oprof -Oauto prog gmon.out
-b -Obsd prog gmon.out
-b -O4.4bsd prog gmon.out
-b -Omagic prog gmon.out one.gmon
-b script gmon.out
-b empty gmon.out
-b gmon.out gmon.out
-b /dev/null gmon.out
-b folder gmon.out
-b prog folder
-b prog empty
-b prog four
-b prog script
-b prog /dev/null
-b prog prog
-b prog version2
-b prog badtag
-b prog cut.gmon
-b prog cutbins.gmon
-b prog cutarc.gmon
-b prog gmon.out cutarc.gmon
-b "" gmon.out
-b prog ""
-b ./prog ./gmon.out
-b - gmon.out
-b -p @args.flat prog gmon.out
@args.flat -b prog gmon.out
-b @args.quoted prog gmon.out
-b @args.nested prog gmon.out
-b @args.empty prog gmon.out
-b @nosuchfile prog gmon.out
-b @args.operands
'''))
    for words in ('-b prog -', '-b -p prog - -', '-b prog one.gmon -', '-b -q prog - one.gmon'):
        yield OptionSet(words, stdin='gmon.out')
        yield OptionSet(words, stdin='gmon.out', pipe=True, name=words + ' <pipe')
    for words in ('-b prog -', '-b -q prog - -'):
        yield OptionSet(words, stdin='long.gmon')
        yield OptionSet(words, stdin='long.gmon', pipe=True, name=words + ' <pipe, long')
    yield OptionSet('-b prog -', stdin='empty')
    yield OptionSet('-b prog -', stdin='cutbins.gmon', pipe=True)
    yield OptionSet('-b -Obsd prog -', stdin='gmon.out')
    yield OptionSet('-b -Omagic prog -', stdin='script')
    for words in ('-b prog gmon.out', '-b prog -p gmon.out', '-p prog gmon.out -b', '-b -- -p',
                  '-b -k'):
        yield OptionSet(words, what=FIRST_LINE, env={'POSIXLY_CORRECT': '1'},
                        name='POSIXLY_CORRECT ' + words)
    for name in ('x86_64-linux-gnu-gprof', './gprof'):
        for words in ('-b prog gmon.out', '-b nosuchimage', '-b prog empty', '-b -p prog header',
                      '-b script', '-b -G', '-b -Oq', '-b --demangle=foo', '-b prog badtag'):
            yield OptionSet(words, what=FIRST_LINE, argv0=name, name=name + ' ' + words)


def ordering(words, **how):
    return OptionSet('-b ' + words, env=MAP_VARIABLES if 'files.map' in words else None, **how)


def everywhere():
    """The option sets that every program is reported on with."""
    real, dense = ' prog gmon.out', ' prog dense.gmon'
    words = [real, dense]
    words += [' ' + line + data for line in lines(LISTINGS) for data in (real, dense)]
    words += [' ' + line + dense for line in lines(FILTERS) + lines(BY_LINE)]
    words += [' ' + line + data for line in lines(BLOCKS)
              for data in (' prog blocks.gmon', ' prog only.gmon')]
    words += [' ' + line + ' prog blocks.gmon' for line in ('-l -Z', '-l -C -p', '-l -C -q')]
    words += [' prog only.gmon', ' -l -C prog only.gmon blocks.gmon only.gmon']
    words += [' ' + line + dense for line in lines(SOURCES)]
    words += [' ' + line + ' prog blocks.gmon' for line in ('-l -A', '-l -A -x', '-l -A -x -z -t 5 -m 9')]
    for line in words:
        yield OptionSet('-b' + line, in_own_mode=True)
    for line in lines(SEPARATE):
        yield OptionSet('-b ' + line + ' ../prog ../dense.gmon', separate=True)
    for line in lines(ORDERS) + lines(STATIC_CALLS):
        for data in (real, dense):
            yield ordering(line + data, in_own_mode=True)
    for words in ('', '-p', '-q', '-p -z', '-q{f}', '-L -w 60', '-C', '-C -q', '-P', '-Q', '-T',
                  '-T -p', '-T -q', '-T -z -C', '-p{f} -z'):
        yield OptionSet((words + dense).strip(), what=FRAME)


def elsewhere():
    """The others. They depend less on the program, so each program is given a part of them."""
    for line in lines(MORE_SOURCES):
        yield OptionSet('-b ' + line + ' prog dense.gmon')
    for line in lines(MORE) + lines(MORE_BY_LINE):
        yield OptionSet('-b ' + line + ' prog dense.gmon')
        yield OptionSet('-b ' + line + ' prog gmon.out')
    for line in lines(FILTERS):
        yield OptionSet('-b ' + line + ' prog gmon.out')
    for line in lines(MORE_ORDERS) + lines(MORE_STATIC_CALLS):
        yield ordering(line + ' prog dense.gmon')
    for line in lines(SPELLINGS):
        yield OptionSet(line + ' -b prog gmon.out')
    for line in lines(MISUSE):
        yield OptionSet('-b ' + line + ' prog gmon.out', what=FIRST_LINE)
    for line in lines(REFUSED_AT_THE_END):
        yield OptionSet('-b prog gmon.out ' + line, what=FIRST_LINE)
    yield from file_sets()
    yield OptionSet('prog header', what=FRAME)
    yield OptionSet('-p prog header', what=FRAME)
    for words in ('--help', '-h', '--version', '-v', '-v -h', '-h --nosuchoption',
                  '-d64 -b -p prog gmon.out', '-d -b prog gmon.out',
                  '--debug=512 -b -q prog gmon.out', '-d4096 -b nosuchimage'):
        yield OptionSet(words, what=OWN_WORDS)


def option_sets(number, everything=False, shares=1):
    """Those for the program of this number in the table; or all.

    shares: the program is given one in so many of those that are for all programs.
    """
    common = [option_set for i, option_set in enumerate(everywhere()) if (i + number) % shares == 0]
    some = [option_set for i, option_set in enumerate(elsewhere())
            if everything or (i + number) % SHARES == 0]
    return common + some
