# SPDX-License-Identifier: Apache-2.0
"""Writes a page and a JSON report in one run, and compares every figure.

    both.py STATEMENT WORD...       the words of the command

Then the statement has to hold; it is a text in Python, which has what is assigned at the end.
"""
import json
import os
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import figures                                                      # noqa: E402
import htmlpage                                                     # noqa: E402
import prose                                                        # noqa: E402

done = subprocess.run([os.environ['GPROFX'], '--output=html:page.html', '--output=json:report.json', *sys.argv[2:]],
                      capture_output=True, text=True, check=False)
assert done.returncode == 0 and 'error' not in done.stderr, done.stderr
with open('report.json', encoding='utf-8') as text:
    report = json.load(text)
page, data = htmlpage.read('page.html')
figures.compare(data, report)
prose.check(page, data, report)
values, calls, names = data['values'][0], data['calls']['calls'], data['functions']['name']
text = ' '.join(page.prose.split())
flat = [names[i] for i in data['flat']]
exec(sys.argv[1])
