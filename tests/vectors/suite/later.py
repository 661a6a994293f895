# SPDX-License-Identifier: Apache-2.0
"""What is not there yet. Each of these must be refused with a diagnostic, not passed over.

When a feature arrives, its cases lose their status and are recorded.
"""
from suite.symspecs import debugged, profile
from suite.table import later

# option: feature
OPTIONS = (
)


def define(t):
    p = debugged()
    t.put('debug', p)
    t.put('debug.gmon', profile(p).blocks([(p.base, 4), (p.base + 16, 2)]))
    for words, feature in OPTIONS:
        t.case(words.replace(' ', ''), '-b %s debug debug.gmon' % words, feature, later(feature))
