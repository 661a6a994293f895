# SPDX-License-Identifier: Apache-2.0
"""What is not there yet. Each of these must be refused with a diagnostic, not passed over.

When a feature arrives, its cases lose their status and are recorded.
"""
from suite.symspecs import debugged, profile
from suite.table import later

# option: feature
OPTIONS = (
    ('-c', 'static call scan'), ('--static-call-graph', 'static call scan'),
    ('-c -q', 'static call scan'), ('-A', 'annotated source'), ('-Amain', 'annotated source'),
    ('--annotated-source', 'annotated source'), ('--annotated-source=main', 'annotated source'),
    ('-J', 'annotated source'), ('-Jmain', 'annotated source'),
    ('--no-annotated-source', 'annotated source'), ('-p -A', 'annotated source'),
    ('-x', 'annotated source'), ('--all-lines', 'annotated source'), ('-y', 'annotated source'),
    ('--separate-files', 'annotated source'), ('-t 5', 'annotated source'),
    ('--table-length=5', 'annotated source'), ('-m 3', 'annotated source'),
    ('--min-count=3', 'annotated source'), ('-I src', 'annotated source'),
    ('--directory-path=src', 'annotated source'),
    ('-p -x', 'annotated source'),
)


def define(t):
    p = debugged()
    t.put('debug', p)
    t.put('debug.gmon', profile(p).blocks([(p.base, 4), (p.base + 16, 2)]))
    t.put('src/prog.c', 'int main(void)\n{\n}\n')
    for words, feature in OPTIONS:
        t.case(words.replace(' ', ''), '-b %s debug debug.gmon' % words, feature, later(feature))
