# SPDX-License-Identifier: Apache-2.0
"""Programs compiled for profiling and run on the spot."""
import os
import shutil
import subprocess


class NotMade(Exception):
    """The tools here cannot make it, or it does not run."""


def build(command, files, path, words=('-pg',)):
    """Compiles files, for profiling if nothing else is asked for."""
    if not shutil.which(command[0]) or subprocess.run(
            [*command, *words, '-w', *files, '-o', path],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode != 0:
        raise NotMade(' '.join(command))


def build_text(command, text, path, words=('-pg',)):
    """Writes a C program beside `path`, where its executable file will be."""
    with open(path + '.c', 'w') as out:
        out.write(text)
    build(command, [path + '.c'], path, words)


def profile_of(path, folder):
    """The bytes of gmon.out after a run in a folder; what it returns is its own business."""
    written = os.path.join(folder, 'gmon.out')
    if os.path.exists(written):
        os.remove(written)
    os.makedirs(folder, exist_ok=True)
    subprocess.run([path], cwd=folder, stdout=subprocess.DEVNULL, timeout=60)
    if not os.path.exists(written):
        raise NotMade('%s: no profile' % path)
    with open(written, 'rb') as profile:
        return profile.read()
