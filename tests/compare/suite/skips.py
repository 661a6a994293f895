# SPDX-License-Identifier: Apache-2.0
"""Reads the list of cases that cannot be compared with GNU gprof."""
import fnmatch


class Skip:
    def __init__(self, program, options, reason):
        self.program, self.options, self.reason, self.used = program, options, reason, False

    def covers(self, program, option_set):
        """Both are glob patterns; the use is remembered."""
        hit = (fnmatch.fnmatchcase(program, self.program)
               and fnmatch.fnmatchcase(option_set, self.options))
        self.used = self.used or hit
        return hit


def read(path):
    """Lines "PROGRAM | OPTION SET | reason"; blank lines and lines with # do not count."""
    skips = []
    with open(path) as lines:
        for number, line in enumerate(lines, 1):
            if line.strip() and not line.startswith('#'):
                fields = [field.strip() for field in line.split(' | ')]
                if len(fields) != 3 or not all(fields):
                    raise ValueError('%s:%d: three fields wanted, with " | " between' % (path, number))
                skips.append(Skip(*fields))
    return skips
