# SPDX-License-Identifier: Apache-2.0
"""Compares the figures in the data and the text of a page with those of the JSON report.

    against_json.py [--seed N] [--count N]

Random call graphs with cycles, recursion and unknown callers, and random stacks, are written in both formats, in own mode
and in GNU mode.
"""
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.environ['GPROFX_SOURCE'], 'tests', 'tools'))
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import exportcases                                                  # noqa: E402
import figures                                                      # noqa: E402
import htmlpage                                                     # noqa: E402
import prose                                                        # noqa: E402


def check(folder, words):
    path = os.path.join(folder, 'out.html')
    report = exportcases.write_both('html', path, folder, words)
    page, data = htmlpage.read(path)
    figures.compare(data, report)
    prose.check(page, data, report)
    return data['functions']['count']


sys.exit(exportcases.compare_all(check, 30))
