#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Storms of exceptions, loaded libraries, signals, forks and threads: none may hang, crash or lose a call. Each for
some seconds here; scripts/long storms goes on for ten minutes each."""
import glob
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(os.path.dirname(HERE), 'tools')]

import gxcreader                                        # noqa: E402
from collected import check, compile_program, preloaded, run_parts     # noqa: E402

# Each storm with settings that it is about; one of them at a time.
STORMS = [('throw', 'rate=4000'), ('throw', 'rate=4000,stack=fp'), ('fork', 'rate=4000,children=follow'),
          ('churn', 'rate=4000'), ('churn', 'rate=4000,clock=task')]


def storm(folder, kind, settings, seconds):
    what = '%s %s' % (kind, settings)
    path, plugin = folder + '/storm', folder + '/storm.so'
    if not os.path.exists(path):
        compile_program('storm.cc', path, '-O1', '-pg', '-rdynamic', compiler='g++')
        compile_program('plugin.c', plugin, '-O1', '-shared', '-fPIC', '-pg', '-DNAME=storm')
    where = '%s/%s' % (folder, what.replace(' ', '.'))
    os.makedirs(where)
    # Files of children are looked at and removed while the storm goes on.
    running = subprocess.Popen([path, kind, str(seconds), plugin], cwd=where, env=preloaded(settings + ',gmon=off'),
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    counted, forked = 0, 0
    try:
        while running.poll() is None and kind == 'fork':
            names = sorted(glob.glob(where + '/*.gxc'), key=os.path.getmtime)[1:-10]
            for name in names:
                file = gxcreader.File(name)
                if file.header['flags'] & 16 and file.header['pid'] != running.pid:
                    counted += gxcreader.calls_by_function([file])['leaf']
                    forked += 1
                    os.remove(name)
            if len(names) < 50:
                try:
                    running.wait(0.5)
                except subprocess.TimeoutExpired:
                    pass
        out, errors = running.communicate(timeout=60 + 3 * seconds)
    except subprocess.TimeoutExpired:
        running.kill()
        check('%s: it ends' % what, False)
        return
    if not check('%s: status' % what, running.returncode == 0 and out.strip().isdigit(),
                 '%d %s %s' % (running.returncode, out, errors)):
        return
    check('%s: silent' % what, errors == '', errors[:300])
    files = [gxcreader.File(name) for name in glob.glob(where + '/*.gxc')]
    counted += gxcreader.calls_by_function(files)['leaf']
    check('%s: calls' % what, counted == int(out), '%d instead of %s' % (counted, out))
    check('%s: nothing lost' % what, all(f.header['lost_calls'] + f.header['lost_samples'] == 0 for f in files))
    parent = max(files, key=lambda f: f.header['bytes'])
    # Tables grow with the stacks that there are, not with time.
    distinct = len({tuple(chain) for _, _, _, chain in parent.stacks()})
    check('%s: size' % what, parent.header['bytes'] < (2 << 20) + 400 * distinct,
          '%d with %d stacks' % (parent.header['bytes'], distinct))
    check('%s: samples' % what, kind == 'churn' or parent.samples() > 0)
    print('%s: %s calls, %d files, %d samples, %d stacks in %d bytes' % (what, out.strip(), len(files) + forked,
          parent.samples(), distinct, parent.header['bytes']), flush=True)
    for name in glob.glob(where + '/*'):
        os.remove(name)


def all_for(seconds):
    def storms(folder):
        for kind, settings in STORMS:
            storm(folder, kind, settings, seconds)
    return storms


if __name__ == '__main__':
    sys.exit(run_parts(all_for(4)))
