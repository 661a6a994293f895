# SPDX-License-Identifier: Apache-2.0
"""Checks the account of a report: its parts add up to the samples exactly, and the flat profile has them.

    python3 tests/tools/account.py REPORT.json...

Each file is what --output=json writes. Prints what is wrong; the status is 0 if nothing is.
"""
import json
import sys
from fractions import Fraction

PARTS = 'shown', 'profiling', 'outside', 'excluded', 'beyond'


def whole(number):
    """Counts from 2^53 on are strings."""
    return Fraction(int(number)) if isinstance(number, str) else Fraction(number)


def problems(report):
    """What is wrong with the account of a report, as texts."""
    found, profile = [], report['profile']
    account = report.get('account')
    if account is None:
        if profile['has_histogram'] and 'exact-bins' in report['corrections']:
            found.append('there is no account')
        return found
    samples = whole(account['samples'])
    parts = {name: whole(account[name]['samples']) for name in PARTS}
    if sum(parts.values()) != samples:
        found.append('parts are %s of %s samples' % (float(sum(parts.values())), samples))
    copied = sum(whole(file['copied_samples']) for file in report['profile_files'])
    if copied != whole(account['copied_samples']):
        found.append('%s samples are copies in the files, not in the account' % copied)
    files = sum(whole(file['samples']) for file in report['profile_files']) - copied
    if files != samples:
        found.append('the files have %s samples, the account %s' % (files, samples))
    for name in PARTS:
        if parts[name] < 0 or parts[name] * 2 ** 20 % 1 != 0:
            found.append('%s: %s is no number of samples' % (name, parts[name]))
    functions = report['functions']
    inside = sum(functions[i]['self_ticks'] for i in report['flat_order']
                 if not functions[i]['outside'])
    outside = sum(f['self_ticks'] for f in functions if f['outside'])
    close(found, 'rows of functions', inside, account['shown']['ticks'])
    if outside:
        close(found, 'the row outside any function', outside,
              account['outside']['ticks'] + account['beyond']['ticks'])
    close(found, 'the sum of all parts', sum(account[name]['ticks'] for name in PARTS),
          account['ticks'])
    return found


def close(found, what, ticks, expected):
    """Ticks are sums of doubles in another order than ours."""
    if abs(ticks - expected) > 1e-9 * max(1, abs(expected)):
        found.append('%s: %r ticks instead of %r' % (what, ticks, expected))


def main():
    bad = 0
    for name in sys.argv[1:]:
        with open(name, encoding='utf-8') as file:
            for problem in problems(json.load(file)):
                print('%s: %s' % (name, problem))
                bad += 1
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())
