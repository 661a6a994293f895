# SPDX-License-Identifier: Apache-2.0
"""words.py LIST FILE...: prints FILE:LINE of each use of an expression of the list (see words.txt)."""
import bisect
import itertools
import re
import sys

# The end of a line and the start of the next one, without what is no part of the text: quotes around a string
# that goes on, and marks of comments, of lists and of requests of mdoc.
BREAK = re.compile(r' ?["\']? ?\\?\n ?(?:/\*+|\*+/?|//+!?|#+|\.\\"|\.[A-Z][a-z]|>)? ?["\']? ?')
BLANKS = re.compile(r'[ \t]+')


def rules(path):
    with open(path, encoding='utf-8') as file:
        for line in file:
            if not line.startswith('#') and line.strip():
                yield line.rstrip('\n').split('\t')


def main():
    table = list(rules(sys.argv[1]))
    # Most files have none: all expressions together are tried first, once.
    some = re.compile(r'\b(?:' + '|'.join(rule[0] for rule in table) + r')\b')
    found = False
    for path in sys.argv[2:]:
        with open(path, encoding='utf-8', errors='replace') as file:
            lines = BREAK.split(BLANKS.sub(' ', file.read()))
        text = ' '.join(lines)
        lower = text.lower()
        if not some.search(lower):
            continue
        starts = list(itertools.accumulate((len(line) + 1 for line in lines), initial=0))
        for expression, better, reason in table:
            for match in re.finditer(r'\b(?:' + expression + r')\b', lower):
                line = bisect.bisect_right(starts, match.start())
                print(f'{path}:{line}: "{text[match.start():match.end()]}": write {better} ({reason})')
                found = True
    return 1 if found else 0


sys.exit(main())
