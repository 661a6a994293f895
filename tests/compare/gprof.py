#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the reports of the program with those of the installed GNU gprof.

Small programs in several languages are compiled with -pg and run; both tools then read the same
files with each of the option sets, and must give the same bytes and the same status. See
suite/programs.py and suite/options.py for what there is, skips.txt for what is left out and why.
The option sets that all programs have are also read in own mode with every correction switched
off, which must print the same. With sanitizers, and with $GPROFX_QUICK, each program has a third
of these, another one than the program before it.

    gprof.py [--prog PROGRAM] [--only PROGRAM] [--options REGEX] [--all] [--steady]
             [--keep DIR] [-j N] [--list]

The program under test is --prog or $GPROFX. Status 77 if GNU gprof 2.40 is not installed.
With --keep DIR, "cd DIR/PROGRAM; ../tested/gprof OPTIONS" repeats a case.
"""
import argparse
import concurrent.futures
import os
import re
import shutil
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), 'tools')]

import kept                                             # noqa: E402
import runner                                           # noqa: E402
from suite import build, check, generated, skips        # noqa: E402
from suite.options import option_sets                   # noqa: E402
from suite.programs import programs                     # noqa: E402


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--prog', metavar='PROGRAM', help='the program under test')
    parser.add_argument('--only', metavar='PROGRAM', action='append', default=[],
                        help='only this one of the profiled programs; repeatable')
    parser.add_argument('--options', metavar='REGEX', help='only option sets that match')
    parser.add_argument('--all', action='store_true',
                        help='every option set with every program, not only a share of the rare ones')
    parser.add_argument('--steady', action='store_true',
                        help='also check that GNU gprof gives the same result twice')
    parser.add_argument('--keep', metavar='DIR', help='work here and leave everything there')
    parser.add_argument('-j', metavar='N', type=int, default=os.cpu_count() or 1,
                        help='how much to do at once')
    parser.add_argument('--list', action='store_true', help='name programs and option sets')
    return parser.parse_args()


def link_to(tool, directory, name):
    """DIRECTORY/NAME/gprof, a link to the tool."""
    folder = os.path.join(directory, name)
    os.makedirs(folder, exist_ok=True)
    link = os.path.join(folder, 'gprof')
    if os.path.lexists(link):
        os.remove(link)
    os.symlink(os.path.realpath(tool), link)
    return link


def check_one(case, tools, steady):
    """(name of the case, what is wrong with it as lines)."""
    program, option_set, words, directory = case
    name = '%s: gprof %s' % (program.name, option_set.name.format(**words))
    return name, check.differences(option_set, option_set.arguments(words), directory, tools, steady)


def build_one(program, work):
    """Its words, after it is there, which another configuration may have seen to."""
    folder, directory = kept.folder_for('compare'), os.path.join(work, program.name)

    def build_anew():
        if folder:                      # what is there was not finished
            shutil.rmtree(directory, ignore_errors=True)
        return build.build(program, os.path.join(HERE, 'programs'), directory)
    return kept.remember(folder, directory, build_anew)


def build_all(chosen, work, pool):
    """Yields (program, words or None, why not)."""
    def one(program):
        missing = [tool for tool in program.tools() if shutil.which(tool) is None]
        if missing:
            return program, None, 'not installed: ' + ', '.join(missing)
        try:
            return program, build_one(program, work), None
        except (build.NotBuilt, OSError) as why:
            return program, None, str(why)
    return list(pool.map(one, chosen))


def shares(options):
    """Sanitizers have seen enough of an option after a third of the programs; starting takes long."""
    few = os.environ.get('GPROFX_SANITIZE') or os.environ.get('GPROFX_QUICK')
    return 3 if few and not options.all and not options.options else 1


def cases_of(table, options, excepted):
    """[(program, option sets)] and how many cases the list of exceptions takes away."""
    chosen, skipped = [], 0
    for number, program in enumerate(table):
        if options.only and program.name not in options.only:
            continue
        wanted = [s for s in option_sets(number, options.all or bool(options.options), shares(options))
                  if not options.options or re.search(options.options, s.name)]
        left = [s for s in wanted if not any([skip.covers(program.name, s.name) for skip in excepted])]
        skipped += len(wanted) - len(left)
        chosen.append((program, left))
    return chosen, skipped


def compare_all(options, work, tools):
    tally, cases, missing = runner.Tally(), [], []
    excepted = skips.read(os.path.join(HERE, 'skips.txt'))
    chosen, skipped = cases_of(programs(generated.write), options, excepted)
    with concurrent.futures.ThreadPoolExecutor(max(1, options.j)) as pool:
        built = build_all([program for program, _ in chosen], work, pool)
        for (program, option_sets_left), (_, words, why) in zip(chosen, built):
            if words is None and why.startswith('not installed'):
                missing.append('%s (%s)' % (program.name, why))
            elif tally.check(words is not None, program.name, 'cannot be built',
                             (why or '').split('\n')):
                cases += [(program, option_set, words, os.path.join(work, program.name))
                          for option_set in option_sets_left]
        for name, problems in pool.map(lambda case: check_one(case, tools, options.steady), cases):
            tally.check(not problems, name, detail=problems)
    if not options.only and not options.options and shares(options) == 1:
        for skip in excepted:
            tally.check(skip.used, 'skips.txt', 'nothing is covered by: %s | %s'
                        % (skip.program, skip.options))
    if missing:
        print('not compared: ' + '; '.join(missing))
    print('%d programs, %d cases, %d more left out by skips.txt'
          % (len(chosen) - len(missing), len(cases), skipped))
    return tally.finish()


def main():
    options = arguments()
    if options.list:
        for program in programs(generated.write):
            print('%-18s %s' % (program.name, program.remark))
        for option_set in option_sets(0, everything=True):
            print('%-12s %s' % (option_set.what, option_set.name))
        return 0
    oracle = runner.installed_gprof()
    if oracle is None:
        print('skipped: GNU gprof 2.40 is not installed')
        return runner.SKIPPED
    tested = os.path.abspath(options.prog) if options.prog else runner.program_under_test()
    if options.keep:
        os.makedirs(options.keep, exist_ok=True)
    stays = options.keep or kept.folder_for('compare')
    work = os.path.abspath(stays) if stays else tempfile.mkdtemp(prefix='gprofx-compare.')
    try:
        return compare_all(options, work, (link_to(oracle, work, 'oracle'),
                                           link_to(tested, work, 'tested')))
    finally:
        if not stays:
            shutil.rmtree(work, ignore_errors=True)


if __name__ == '__main__':
    sys.exit(main())
