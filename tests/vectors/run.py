#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the program on small inputs made on the spot and compares it with recorded results.

    run.py [NAME...]          check all cases, or those whose names contain one of the words
    run.py list               print the case table: name, status, arguments, remark
    run.py show NAME          print the recorded result of one case
    run.py inputs DIR         write the inputs into DIR
    run.py record [NAME...]   record the results of the installed GNU gprof 2.40
    run.py own NAME...        record the results of the program itself, where GNU gprof is wrong

GPROFX names the program; it is started as `gprof`. Where GNU gprof 2.40 is installed the
recorded results are compared with what it prints now, too; GPROF_ORACLE names another one.
"""
import importlib
import os
import pkgutil
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, os.pardir, 'tools')]

import recording                                                    # noqa: E402
import runner                                                       # noqa: E402
import suite                                                        # noqa: E402
from recording import differences                                   # noqa: E402
from suite.table import Table                                       # noqa: E402

RECORDED = os.path.join(HERE, 'recorded')
PROBE = 'images-ppc64-descriptors'      # only a library that knows every machine reads this one


def load_table():
    table = Table()
    for module in sorted(m.name for m in pkgutil.iter_modules(suite.__path__)):
        if module != 'table':
            table.group = module
            importlib.import_module('suite.' + module).define(table)
    return table


# -- recorded results -----------------------------------------------------------------------------

def path_of(group):
    return os.path.join(RECORDED, group + '.txt')


def write_recorded(group, results):
    """`results`: {case name: Result}, in the order of the table."""
    with open(path_of(group), 'wb') as f:
        f.write(recording.pack(results))


def read_recorded(group):
    if not os.path.exists(path_of(group)):
        return {}
    with open(path_of(group), 'rb') as f:
        return recording.unpack(f.read())


# -- running --------------------------------------------------------------------------------------

def run_case(program, case, directory):
    r = runner.start(program, case.words, os.path.join(directory, case.group), case.argv0,
                     case.stdin, case.extra)
    if not case.whole and b'\n' in r.err:
        first, rest = r.err.split(b'\n', 1)
        if rest.strip():                # the usage text, in whatever words
            r = runner.Result(r.status, r.out, first + b'\n@usage\n')
    return r


class Checker:
    def __init__(self, program, oracle, directory, recorded):
        self.program, self.oracle, self.directory = program, oracle, directory
        self.recorded, self.every_machine = recorded, False
        self.unasked = 0

    def comparable(self, case):
        return (self.oracle and case.status in ('exact', 'fixed')
                and (self.every_machine or not case.every_machine))

    def run(self, case):
        """(case, result of the program, result of GNU gprof or None)"""
        asked = self.comparable(case) and self.wanted(case) is not None
        return (case, run_case(self.program, case, self.directory),
                run_case(self.oracle, case, self.directory) if asked else None)

    def wanted(self, case):
        return self.recorded[case.group].get(case.name)

    def report(self, tally, case, got, gnu):
        words = '%s (gprof %s)' % (case.name, ' '.join(case.words))
        wanted = self.wanted(case)
        if wanted is None:
            tally.check(False, words, 'nothing is recorded')
            return
        tally.check(got == wanted and not got.broken(), words, case.remark,
                    differences(wanted, got))
        if gnu is None:
            self.unasked += case.status == 'exact'
        elif case.status == 'exact':
            tally.check(gnu == wanted, words, 'GNU gprof prints something else than was recorded',
                        differences(wanted, gnu))
        else:
            tally.check(gnu != wanted, words, 'GNU gprof is right here: make the case exact')


def check(table, chosen):
    recorded = {g: read_recorded(g) for g in {c.group for c in table.cases}}
    tally = runner.Tally()
    program, oracle = runner.program_under_test(), runner.installed_gprof()
    with tempfile.TemporaryDirectory() as directory:
        table.write_inputs(directory)
        checker = Checker(program, oracle, directory, recorded)
        if oracle:
            probe = next(c for c in table.cases if c.name == PROBE)
            checker.every_machine = run_case(oracle, probe, directory).status == 0
        with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            for case, got, gnu in pool.map(checker.run, chosen):
                checker.report(tally, case, got, gnu)
    if len(chosen) == len(table.cases):
        for group, results in recorded.items():
            names = {c.name for c in table.cases if c.group == group}
            left = sorted(set(results) - names)
            tally.check(not left, 'recorded/%s.txt' % group,
                        'results of no case: ' + ' '.join(left))
    if checker.unasked:
        print('%d recorded results could not be compared with an installed GNU gprof 2.40'
              % checker.unasked)
    return tally.finish()


def record(table, chosen, program, statuses):
    os.makedirs(RECORDED, exist_ok=True)
    chosen = [c for c in chosen if c.status in statuses]
    results = {g: read_recorded(g) for g in {c.group for c in table.cases}}
    with tempfile.TemporaryDirectory() as directory:
        table.write_inputs(directory)
        for case in chosen:
            results[case.group][case.name] = run_case(program, case, directory)
    for group in sorted(results):
        kept = {c.name: results[group][c.name] for c in table.cases
                if c.group == group and c.name in results[group]}
        if kept:
            write_recorded(group, kept)
    print('%d results recorded' % len(chosen))
    return 0


def main(words):
    table = load_table()
    command = words[0] if words and words[0] in ('list', 'show', 'inputs', 'record', 'own') else ''
    words = words[1:] if command else words
    chosen = [c for c in table.cases if not words or any(w in c.name for w in words)]
    if command == 'list':
        for c in chosen:
            status = c.status + (': ' + c.detail if c.detail else '')
            print('\t'.join((c.name, status, 'gprof ' + ' '.join(c.words), c.remark)))
        return 0
    if command == 'show':
        r = read_recorded(next(c.group for c in table.cases if c.name == words[0]))[words[0]]
        sys.stdout.buffer.write(r.out)
        sys.stdout.buffer.write(b'-- stderr:\n%s-- status: %d\n' % (r.err, r.status))
        return 0
    if command == 'inputs':
        table.write_inputs(words[0])
        return 0
    if command == 'record':
        oracle = runner.installed_gprof() or sys.exit('no GNU gprof 2.40 is installed')
        return record(table, chosen, oracle, ('exact',))
    if command == 'own':
        return record(table, chosen if words else [], runner.program_under_test(),
                      ('fixed', 'unsteady'))
    return check(table, chosen)


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
