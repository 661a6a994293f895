# SPDX-License-Identifier: Apache-2.0
"""Starts MPI programs, gprofx-mpi among them, under each MPI that is installed here."""
import os
import shutil

import runner


class Mpi:
    """One implementation, `name`, with the gprofx-mpi that was built for it as `program`, or None."""

    def __init__(self, name, build):
        self.name, self.mpirun = name, shutil.which('mpirun.' + name)
        self.compiler = shutil.which('mpicc.' + name)
        built = os.path.join(os.path.abspath(build), 'bin', 'gprofx-mpi.' + name)
        self.program = built if os.access(built, os.X_OK) else None

    def words(self, processes, *options):
        """The command that starts this number of processes, more than there are processors if need be."""
        words = [self.mpirun, '-n', str(processes), *options]
        return words + (['--oversubscribe', '--bind-to', 'none'] if self.name == 'openmpi' else [])

    def run(self, processes, words, folder, seconds=120, extra=None):
        """Runs a program with arguments in a folder."""
        settings = {'OMPI_ALLOW_RUN_AS_ROOT': '1', 'OMPI_ALLOW_RUN_AS_ROOT_CONFIRM': '1',
                    # Where processes may not look into each other's memory, messages are copied twice.
                    'OMPI_MCA_btl_vader_single_copy_mechanism': 'none', **(extra or {})}
        if os.environ.get('GPROFX_SANITIZE'):
            # What MPI itself leaves behind when a program ends is not ours.
            settings['ASAN_OPTIONS'] = os.environ.get('ASAN_OPTIONS', '') + ':detect_leaks=0'
        command = self.words(processes) + list(words)
        return runner.start(command[0], command[1:], folder, os.path.basename(command[0]), None, settings, seconds, True)

    def merge(self, processes, words, folder, **how):
        """Runs gprofx-mpi."""
        return self.run(processes, [self.program, *words], folder, **how)


def installed(build=None):
    """Each implementation that a gprofx-mpi was built for and that can start it."""
    found = [Mpi(name, build or os.environ['GPROFX_BUILD']) for name in ('openmpi', 'mpich')]
    return [mpi for mpi in found if mpi.program and mpi.mpirun]
