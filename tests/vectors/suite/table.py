# SPDX-License-Identifier: Apache-2.0
"""The case table: what is run, on which inputs, and what the result is compared with."""
import os
import shlex

EXACT = ('exact', '')


def fixed(reason):
    """GNU gprof's result is a defect that we correct in both modes; the expectation is ours."""
    return ('fixed', reason)


def unsteady(reason):
    """GNU gprof's result depends on memory it never wrote; the expectation is ours."""
    return ('unsteady', reason)


class Case:
    """One run.

    whole: False where the text behind the first line of stderr is the usage text, whose words
    are our own. every_machine: GNU gprof gives this result only if its object file library
    knows the image's machine.
    """

    def __init__(self, group, name, words, remark, status, **how):
        self.group, self.name, self.words, self.remark = group, name, words, remark
        self.status, self.detail = status
        self.argv0 = how.pop('argv0', 'gprof')
        self.stdin = how.pop('stdin', None)
        self.extra = how.pop('env', None)
        self.whole = how.pop('whole', True)
        self.every_machine = how.pop('every_machine', False)
        if how:
            raise TypeError('unknown: %s' % ', '.join(how))


class Table:
    """Collects the inputs and the cases of all groups."""

    def __init__(self):
        self.inputs, self.cases, self.names, self.group = {}, [], set(), None

    def put(self, name, data):
        """An input file of the group; `data` is bytes, text, or has a method bytes()."""
        if isinstance(data, str):
            data = data.encode()
        elif not isinstance(data, bytes):
            data = data.bytes()
        path = os.path.join(self.group, name)
        if self.inputs.setdefault(path, data) != data:
            raise ValueError('two inputs called %s' % path)
        return name

    def case(self, name, words, remark='', status=EXACT, **how):
        """`words`: the arguments in shell notation. The case is called GROUP-NAME; where
        names collide, which those made of the arguments may, the later ones get a number."""
        full, number = '%s-%s' % (self.group, name), 1
        while full in self.names:
            number += 1
            full = '%s-%s~%d' % (self.group, name, number)
        self.names.add(full)
        self.cases.append(Case(self.group, full, shlex.split(words), remark, status, **how))

    def write_inputs(self, directory):
        """Each group has a folder of its own, in which its cases are run."""
        for name, data in self.inputs.items():
            path = os.path.join(directory, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, 'wb') as f:
                f.write(data)
