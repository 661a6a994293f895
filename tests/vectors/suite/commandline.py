# SPDX-License-Identifier: Apache-2.0
"""The command line: operands, clusters, abbreviations, argument files, errors and their status."""
from suite.formats import T, small, standard


def define(t):
    t.put('small', small())
    t.put('a.out', small())
    t.put('std.gmon', standard())
    t.put('gmon.out', standard().arc(T + 0x44, T + 48, 2))
    t.put('-dash', standard())
    operands(t)
    options(t)
    responses(t)
    errors(t)
    names(t)


def operands(t):
    t.case('defaults', '-b', 'a.out and gmon.out')
    t.case('default-profile', '-b small')
    t.case('order', 'small -b std.gmon -p', 'options behind operands')
    t.case('order-2', 'small std.gmon -b -P')
    t.case('double-dash', '-b -- small std.gmon')
    t.case('double-dash-2', '-b -p -- -dash std.gmon')
    t.case('double-dash-3', '-b -p small -- -dash')
    t.case('double-dash-4', '-- -b small std.gmon', 'behind -- no word is an option')
    t.case('posix', '-b small std.gmon -p', 'options end at the first operand',
           env={'POSIXLY_CORRECT': '1'})
    t.case('posix-2', '-b -p small std.gmon', env={'POSIXLY_CORRECT': ''})
    t.case('dash-image', '-b - std.gmon', 'a dash is no image')
    t.case('empty-image', "-b '' std.gmon")
    t.case('empty-profile', "-b small ''")
    t.case('stdin-twice', '-b small - -', stdin='std.gmon')


def options(t):
    for words in ('-bp', '-bpq', '-bzp', '-zbp', '-bTz', '-bw50', '-bw 50 -q', '-b -w 50 -q',
                  '-b -w50 -q -w 90', '-bk main/foo', '-b -kmain/foo', '-b -e main -efoo',
                  '-b -Efoo -E bar', '-b -nfoo', '-b -n foo -q', '-bLa', '-bOmagic', '-b -O magic',
                  '-bDa', '-b -T -T', '-bP', '-bQ -P', '-b -pP', '-b -Pp', '-bB', '-bBp', '-b -qB',
                  '-b -p -B', '-b -B -Q', '-bC', '-bCz', '-b -n main -N foo'):
        t.case('short' + words.replace(' ', '').replace('/', '+'), words + ' small std.gmon')
    for words in ('--brief', '--brie', '--b', '-b --flat-profile', '-b --fl', '-b --graph',
                  '-b --gr', '-b --g', '-b --no-graph', '-b --no-gr', '-b --no-flat-profile',
                  '-b --no-fl', '-b --flat-profile=foo', '-b --fl=foo', '-b --no-flat-profile=foo',
                  '-b --graph=main/foo', '-b --width 40', '-b --width=40', '-b --wi 40',
                  '-b --w=40', '-b --time foo', '-b --time=foo -q', '-b --no-time foo -q',
                  '-b --no-ti=foo -q', '-b --traditional', '-b --tr', '-b --no-static',
                  '-b --no-st', '-b --ignore-non-functions', '-b --ig', '-b --exec-counts',
                  '-b --exec-counts=foo', '-b --exe', '-b --no-exec-counts',
                  '-b --no-exec-counts=foo', '-b --no-ex', '-b --print-path', '-b --pr',
                  '-b --display-unused-functions', '-b --dis', '-b --file-format magic',
                  '-b --file-f=auto', '-b --no-demangle', '-b --no-de', '-b --demangle',
                  '-b --dem', '-b --inline-file-names', '-b --in', '-b -q --=foo',
                  "-b -q '--=' foo", '-b -bb', '-b --no-t= -q', '-b -q --='):
        t.case('long' + words.replace(' ', '').replace('/', '+').replace("'", ''),
               words + ' small std.gmon')


def responses(t):
    t.put('words', "-b\n-p  'small'\tstd.gmon\n")
    t.put('quoted', '-b "-pfoo" sm\\all \'std.gm\'on\n')
    t.put('nested', '-b @words-only\n')
    t.put('words-only', '-p small\n')
    t.put('blank', ' \n\t\n')
    t.put('many-words', '-b -efoo -e bar -q small\nstd.gmon std.gmon')
    t.put('empty-word', "-b -e '' -q small std.gmon")
    t.put('folder/file', 'nothing\n')
    t.put('itself', '-b @itself\n')
    for words in ('@folder', '-b @itself small', '@words', '-T @words', '@quoted',
                  '@nested std.gmon', '-b @blank small std.gmon', '@many-words', '@empty-word',
                  '-b -p @words-only std.gmon', '-b @nosuch std.gmon', '-b @ std.gmon',
                  '-b small @nosuch', '-- @words'):
        t.case('file' + words.replace(' ', '').replace('@', '+'), words,
               'arguments from a file')


def errors(t):
    for words in ('-G', '-g', '-j', '-u', '-V', '-X', '-bG', '-b -? small', '-k', '-b -w', '-e',
                  '-E', '-f', '-F', '-n', '-N', '-O', '--foo', '--foo=1', '--no', '--n', '--file',
                  '--width', '--time', '--file-format', '--brief=1', '--traditional=',
                  '--no-static=x', '--no-foo', '--no-', '--f', '--d', '--de', '--i', '--e',
                  '--bri=', '--inline=x', '--static=x', '-b small std.gmon -G', 'small --nosuch',
                  '-bkG --oops', '--no-d=', '--di', '--ex', '--no-demangle=x',
                  "-b '--flat profile'", '-1', '--1'):
        t.case('bad' + words.replace(' ', ''), words,
               'the usage text that follows is our own', whole=False)
    t.case('format-before-files', '-b -Oq nosuch nosuch')
    t.case('style-before-files', '-b --demangle=x nosuch nosuch')
    t.case('format-prof-order', '-b -Oprof nosuch std.gmon', 'told after the image was read')
    t.case('format-prof-order-2', '-b -Oprof small nosuch')
    t.case('format-last', '-b -Oq -Omagic small std.gmon', 'the first bad one ends the run')
    t.case('format-two', '-b -Oprof -Oauto small std.gmon', 'the last one counts')


def names(t):
    """The name the program was called by stands in front of messages, as it is."""
    for argv0 in ('gprof', './gprof', '/opt/tools/bin/gprof', 'x86_64-linux-gnu-gprof',
                  '../bin/aarch64-linux-gnu-gprof'):
        tag = argv0.replace('/', '+')
        t.case('called-' + tag, '-b small nosuch.gmon', argv0=argv0)
        t.case('called-symbols-' + tag, '-b gmon.out', argv0=argv0)
        t.case('called-usage-' + tag, '--nosuch', argv0=argv0, whole=False)
        t.case('called-format-' + tag, '-b -Oq small', argv0=argv0)
        t.case('called-missing-' + tag, '-b -p small hist-free', argv0=argv0)
        t.case('called-good-' + tag, '-b -p small std.gmon', argv0=argv0)
    t.put('hist-free', standard().cut(20).arc(T, T + 16, 1))
