# SPDX-License-Identifier: Apache-2.0
"""Profiles whose pages are looked at: of programs that are compiled, and made ones.

Each case is a function that writes its files into a folder and returns the operands of gprofx there.
"""
import os
import shutil
import subprocess

import exportcases
from lcg import Random
from profiled import Program

SOURCE = os.environ.get('GPROFX_SOURCE') or os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..')
PROGRAMS = os.path.join(SOURCE, 'tests', 'long', 'programs')
DEMO = os.path.join(SOURCE, 'examples', 'demo')
# Without inlining and tail calls, every function of the source is in the profile.
WHOLE = ['-g', '-pg', '-fno-inline', '-fno-optimize-sibling-calls']


class Missing(Exception):
    """A compiler is not installed."""


def keep(folder, name, data):
    with open(os.path.join(folder, name), 'wb') as out:
        out.write(data)
    return name


def compile_and_run(folder, compiler, level, files, name, rounds=None):
    """Runs a program until it has some 200 samples."""
    if not shutil.which(compiler):
        raise Missing(compiler)
    subprocess.run([compiler, level, *WHOLE, *files, '-o', name], cwd=folder, check=True, capture_output=True)
    subprocess.run([os.path.join(folder, name), *([str(rounds)] if rounds else [])], cwd=folder, check=True, capture_output=True)
    return [name, 'gmon.out']


def small_c(folder):
    for name in os.listdir(DEMO):
        shutil.copy(os.path.join(DEMO, name), folder)
    return compile_and_run(folder, 'gcc', '-O2', ['main.c', 'sheet.c', 'formula.c', 'statistics.c'], 'sheet')


def by_line(folder):
    """Lines as symbols, with the calls that they make."""
    return ['-l', *small_c(folder)]


def large_cxx(folder):
    shutil.copy(os.path.join(PROGRAMS, 'many-functions.cc'), folder)
    return compile_and_run(folder, 'g++', '-O0', ['many-functions.cc'], 'inventory', 300)


def inlined(folder):
    """Functions whose time is in subroutines that were inlined into them."""
    shutil.copy(os.path.join(PROGRAMS, 'many-functions.cc'), folder)
    return compile_and_run(folder, 'g++', '-O2', ['-finline', 'many-functions.cc'], 'inventory', 1500)


def fortran(folder):
    shutil.copy(os.path.join(PROGRAMS, 'recursive.f90'), folder)
    return compile_and_run(folder, 'gfortran', '-O1', ['recursive.f90'], 'recursive', 800)


# A program of a parallel computation: what calls what, how often in a step, and self ticks.
STEPS = 400
MODEL = [('main', 'initialize', 0.01, 3), ('main', 'time_step', 1, 2), ('time_step', 'exchange_halo', 2, 14),
         ('time_step', 'compute_flux', 4, 160), ('time_step', 'update_cells', 1, 55), ('compute_flux', 'limiter', 900, 70),
         ('compute_flux', 'riemann_solver', 450, 210), ('riemann_solver', 'equation_of_state', 1800, 95),
         ('update_cells', 'equation_of_state', 300, 0), ('exchange_halo', 'pack_buffer', 4, 9), ('exchange_halo', 'unpack_buffer', 4, 8),
         ('main', 'write_checkpoint', 0.02, 6), ('write_checkpoint', 'compress_block', 12, 40), ('time_step', 'reduce_residual', 1, 4)]
COUNT_OF_RANKS = 64


def ranks(folder):
    """64 processes; in three of them something is different."""
    random = Random(64)
    program = Program(['main'] + sorted({row[1] for row in MODEL}))
    lines = {name: [(0, number + 10)] for number, name in enumerate(program.names[:-1])}
    keep(folder, 'flow', program.lines(lines, 'flow.c').bytes())
    names = []
    for rank in range(COUNT_OF_RANKS):
        ticks = {'main': 1}
        for _, callee, _, self in MODEL:
            slow = {(17, 'riemann_solver'): 2.4, (18, 'riemann_solver'): 1.7, (42, 'exchange_halo'): 6, (0, 'write_checkpoint'): 5,
                    (0, 'compress_block'): 3}.get((rank, callee), 1)
            noise = sum(random.below(100) for _ in range(8)) / 400
            ticks[callee] = ticks.get(callee, 0) + round(self * slow * (0.9 + 0.2 * noise))
        calls = [(caller, callee, max(1, round(STEPS * count))) for caller, callee, count, _ in MODEL]
        names.append(keep(folder, 'gmon.rank%d' % rank, program.profile(ticks, calls).bytes()))
    return ['flow', *names]


SERVER = {
    'main': [('event_loop', 1)], 'event_loop': [('accept_connection', 2), ('handle_request', 90), ('epoll_wait', 6)],
    'handle_request': [('parse_headers', 9), ('route', 4), ('render_template', 50), ('query_database', 30), ('write_response', 7)],
    'parse_headers': [('strtok_r', 3), ('hash_insert', 4)], 'route': [('regexec', 3)],
    'render_template': [('render_block', 40), ('escape_html', 12)], 'render_block': [('render_block', 9), ('escape_html', 14), ('format_value', 18)],
    'format_value': [('vsnprintf', 11), ('malloc', 4)], 'query_database': [('prepare', 5), ('step', 20)], 'step': [('btree_next', 12), ('decode_row', 7)],
    'decode_row': [('malloc', 2), ('memcpy', 3)], 'write_response': [('deflate', 6)], 'deflate': [('longest_match', 4)],
    'hash_insert': [('malloc', 2)], 'accept_connection': [('malloc', 1)],
}


def folded(folder):
    """Call stacks of a server, as other profilers write them."""
    random = Random(5)
    counts = {}
    for _ in range(6000):
        stack = ['main']
        while stack[-1] in SERVER and len(stack) < 18:
            callees = SERVER[stack[-1]]
            own = 0 if stack[-1] in ('main', 'event_loop') else sum(weight for _, weight in callees) // 6
            place = random.below(own + sum(weight for _, weight in callees))
            for callee, weight in callees:
                if place < weight:
                    stack.append(callee)
                    break
                place -= weight
            else:
                break
        key = ';'.join(stack)
        counts[key] = counts.get(key, 0) + 1
    keep(folder, 'server.folded', ''.join('%s %d\n' % row for row in sorted(counts.items())).encode())
    return ['server.folded']


FIVE = {'small-c': small_c, 'large-cxx': large_cxx, 'fortran': fortran, 'ranks': ranks, 'folded': folded}


def no_samples(folder):
    program, _, calls = exportcases.example()
    return [keep(folder, 'program', program.bytes()), keep(folder, 'gmon.out', program.profile(None, calls).bytes())]


def no_calls(folder):
    program, samples, _ = exportcases.example()
    return [keep(folder, 'program', program.bytes()), keep(folder, 'gmon.out', program.profile(samples).bytes())]


def one_function(folder):
    program = Program(['main'])
    return [keep(folder, 'program', program.bytes()), keep(folder, 'gmon.out', program.profile({'main': 7}).bytes())]


def nothing_measured(folder):
    program, samples, calls = exportcases.example()
    return [keep(folder, 'program', program.bytes()),
            keep(folder, 'gmon.out', program.profile(dict.fromkeys(samples, 0), calls).bytes())]


def several_metrics(folder):
    program, samples, calls = exportcases.example()
    profile = program.profile(samples, calls)
    profile.histogram(program.base, program.end, program.bins({'main': 500, 'a': 3, 'c': 90}), 1, b'cache misses', b'm')
    return [keep(folder, 'program', program.bytes()), keep(folder, 'gmon.out', profile.bytes())]


STATES = [no_samples, no_calls, one_function, nothing_measured]

# What would set "intruder" if it were taken for markup or code, and characters that could hide something.
CODE = 'window.intruder=1'
MARKUP = ['</script><script>%s</script>' % CODE, '<img src=x onerror=%s>' % CODE, '"><svg onload=%s>' % CODE, "' onmouseover='%s" % CODE,
          '<!--<script>%s</script>' % CODE, '</title></style></textarea><iframe srcdoc="<script>parent.%s</script>">' % CODE,
          '${%s}' % CODE, 'javascript:%s' % CODE, '&lt;b&gt;&#60;', '\\u003cb\\u003e', '__proto__', 'constructor', 'hasOwnProperty']
HIDDEN = ['abc\u202edef\u2066', 'zero\u200bwidth\ufeff', 'line\u2028break\u2029', 'esc\x1b[31mred\x1b]0;title\x07', 'tab\there', 'back\x08\x7f\x85',
          'del\u0300\u0301', '\u05d0\u05d1\u05d2(int)']
# In the data as they are: markup stays text.
MARKERS = MARKUP[:3]
SAMPLES_OF_CODE = 9


def utf8(text):
    """A name of these bytes, for images and profiles, which have one byte for each character."""
    return text.encode().decode('latin-1')


def hostile_names(folder):
    names = [utf8(name) for name in MARKUP + HIDDEN] + ['\xff\xfe\x80', 'x' * 2000, 'std::map<' * 300]
    program = Program(['main', *names])
    samples = {program.base + 0x100 * i: SAMPLES_OF_CODE + i for i in range(len(names) + 1)}
    calls = [(program.base + 4, program.base + 0x100 * i, i) for i in range(1, len(names) + 1)]
    calls += [(program.base + 0x100 * i + 4, program.base + 0x100 * (i + 1), i) for i in range(1, len(names))]
    # Cycles and findings name functions, too.
    calls += [(program.base + 0x100 * 3 + 4, program.base + 0x100 * 2, 5)]
    words = [keep(folder, '<img src=x onerror=%s>' % CODE, program.bytes())]
    for number in range(3):
        words.append(keep(folder, 'gmon-<svg onload=%s>-%d' % (CODE, number), program.profile(samples, calls).bytes()))
    return words


def hostile_sources(folder):
    """Functions in files whose names and lines are hostile."""
    names = ['f%d' % number for number in range(len(MARKUP) + 1)]
    program = Program(names)
    path = os.path.join(folder, 'src<img src=x onerror=%s>"\' %s.c' % (CODE, '\u202e'))
    lines = MARKUP + HIDDEN + ['x' * 100000, '']
    with open(path, 'wb') as out:
        out.write('\n'.join(lines).encode() + b'\n\xff\xfe\x80 not UTF-8\r\n\x00')
    rows = {name: [(0, number + 1)] for number, name in enumerate(names)}
    image = program.lines(rows, os.path.basename(path), folder)
    calls = [('f0', name, 3) for name in names[1:]]
    return [keep(folder, 'program', image.bytes()), keep(folder, 'gmon.out', program.profile(dict.fromkeys(names, 4), calls).bytes())]


def hostile_stacks(folder):
    lines = [b'main;%s %d' % (name.replace(';', ',').replace('\n', ' ').encode(), number + 2) for number, name in enumerate(MARKUP + HIDDEN)]
    return [keep(folder, 'stacks', b'\n'.join(lines) + b'\nmain;\xff\xfe\x80 5\n')]


HOSTILE = [hostile_names, hostile_sources, hostile_stacks]

# Sizes that a picture or a list cannot have whole: words for the generator of the benchmarks.
SIZES = {
    'callers-100000': ['-n', 100000, '-g', 'fanin'],
    'cycle-10000': ['-n', 10000, '-g', 'cycle'],
    'depth-1000': ['-n', 1000, '-g', 'chain'],
    'long-names': ['-n', 2000, '-a', 8000, '-g', 'dag', '-N', 'long'],
}
