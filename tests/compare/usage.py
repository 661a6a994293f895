#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares how the command line is read with the installed GNU gprof.

Every abbreviation of every long option, every letter, and what can be wrong with each, must be
answered by the same exit status and the same words on standard error, up to the usage text, which
is our own. Where a line is right, -h behind it ends the run.

    usage.py [REGEX]        only cases whose words, joined by blanks, match
"""
import concurrent.futures
import os
import re
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'tools'))

import runner                                           # noqa: E402

LONG = '''no-static annotated-source no-annotated-source all-lines brief flat-profile
no-flat-profile graph no-graph external-symbol-table exec-counts no-exec-counts demangle
no-demangle directory-path display-unused-functions debug function-ordering file-ordering
file-info file-format ignore-non-functions inline-file-names line print-path min-count
table-length time no-time traditional sum separate-files static-call-graph width help
version'''.split()
# Only their full spelling means anything, so that all shorter ones must be what they are to gprof.
OWN = 'plugin plugin-path list-plugins output gnu threads'.split()
REQUIRED = 'EFINORSefkmntw'
WORDS = {
    'plain': '-b --foo\n',
    'quoted': '''--bri'ef=x y' "--fo o"''',
    'escaped': r'--fo\ o\"x',
    'nested': '-b @plain',
    'operand': 'one two --no',
    'good': "-b\t-p\n\n 'no image'",
    'empty': '',
}


def lines():
    """Command lines, as lists of words; a dict at the end is the environment."""
    for name in LONG:
        for n in range(1, len(name) + 1):
            yield ['--' + name[:n], '-h', '-h']
            yield ['--' + name[:n] + '=x', '-h']
        yield ['--' + name + '=', '-h']
        yield ['--' + name + 's', '-h']
        yield ['one', 'two', '--' + name]
    for name in OWN:
        for n in range(1, len(name)):
            if name[:n] not in OWN:
                yield ['--' + name[:n], '-h', '-h']
                yield ['--' + name[:n] + '=x', '-h']
    for code in [*range(1, 128), 128, 160, 195, 228, 255]:
        letter = os.fsdecode(bytes([code]))
        yield ['-' + letter, '-h', '-h']
        yield ['-b' + letter, '-h', '-h']
        yield ['--brief', '-' + letter + '~']
    for letter in REQUIRED:
        yield ['-' + letter]
        yield ['-b' + letter]
        yield ['one', '-' + letter]
        yield ['-' + letter, '--']
    for word in ('a', 'm', 'b', '4', 'auto', 'magic', 'bsd', '4.4bsd', 'mx', '4x', '', 'q', 'A', '44',
                 'M', ' a', '-'):
        yield ['-O', word, '-h']
        yield ['-O' + word, '-h', '-h']
        yield ['--file-format=' + word, '-h']
        yield ['-Om', '-O', word, '--foo']
    for word in ('none', 'auto', 'gnu-v3', 'java', 'gnat', 'dlang', 'rust', '', 'gnu', 'lucid', 'arm',
                 'hp', 'edg', 'Auto', 'aut', 'auto ', 'x\ny'):
        yield ['--demangle=' + word, '-h']
        yield ['--demangle', '--dem=' + word, '--no-demangle', '--foo']
    for words in ('-', '--', '-- --foo', '-- -h', 'one --foo', 'one two -h', '--= -h -h', '--=', '--=x -h',
                  '--==x --foo', '---', '---h', '--foo=bar', '-r -R x', '-R x -r', '-R -r -h',
                  '-rR x -h', '-r -Rx --foo', '-h --foo', '--foo -h', '-v --foo', '-bv', '-vh', '-hv',
                  '-pb -qb -Cb --no', '-B=x', '-Bx -h', '-w x -h', '-w -5 -h', '-w', '-t', '-ba=3',
                  '@plain', '@quoted', '@escaped', '@nested', '@operand', '@good', '@empty --foo',
                  '@none', '@.', '@', '-k @plain', '@plain @quoted', '@@plain', '-b@plain -h',
                  '-dx --foo', '-d -h'):
        yield words.split()
        yield words.split() + [{'POSIXLY_CORRECT': '1'}]


def shape(result):
    """What has to agree: the status, what came before the usage text, what kind of text came out."""
    err = re.sub(br'(?m)^Usage: (?s:.*)', b'Usage\n', result.err)
    out = result.out.split(b'\n')
    while out and out[0].startswith((b'[main]', b'trace: ')):
        del out[0]
    first = out[0] if out else b''
    if first.startswith(b'Usage: gprof ['):
        first = b'help'
    elif re.search(br'gprof.*\b2\.40\)?$', first):
        first = b'version'
    return result.status, err, first


def agree(found, expected):
    return shape(found) == shape(expected)


def main():
    wanted = re.compile(sys.argv[1] if len(sys.argv) > 1 else '')
    program, oracle = runner.program_under_test(), runner.installed_gprof()
    if not oracle:
        print('SKIP: GNU gprof 2.40 is not installed')
        return runner.SKIPPED
    tally = runner.Tally()
    with tempfile.TemporaryDirectory(prefix='gprofx-usage.') as folder:
        for name, text in WORDS.items():
            with open(os.path.join(folder, name), 'w') as file:
                file.write(text)
        def answers(words):
            extra = words[-1] if isinstance(words[-1], dict) else None
            plain = words[:-1] if extra else words
            return [runner.start(tool, plain, folder, extra=extra) for tool in (oracle, program)]

        cases = [words for words in lines() if wanted.search(' '.join(map(str, words)))]
        if os.environ.get('GPROFX_SANITIZE'):
            cases = cases[::5]      # starting the program takes longer than all it does here
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for words, (expected, found) in zip(cases, pool.map(answers, cases)):
                good = found.broken() is None and agree(found, expected)
                tally.check(good, ascii(' '.join(map(str, words))), found.broken() or '',
                            ['expected %r' % (shape(expected),), 'found    %r' % (shape(found),)])
    return tally.finish()


if __name__ == '__main__':
    sys.exit(main())
