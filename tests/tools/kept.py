# SPDX-License-Identifier: Apache-2.0
"""What one configuration's tests found out and made that is the same in the next one.

GPROFX_SHARED names a folder that the tests of all configurations of one scripts/test share: programs
that were built there, and what GNU gprof says of them, need not be made again. Without it, nothing
is kept.
"""
import hashlib
import os
import pickle
import zlib


def folder_for(test):
    """A folder that stays from one configuration to the next, or None."""
    shared = os.environ.get('GPROFX_SHARED')
    if not shared:
        return None
    folder = os.path.join(os.path.abspath(shared), test)
    os.makedirs(os.path.join(folder, 'kept'), exist_ok=True)
    return folder


def remember(folder, key, find):
    """find(), or what it gave when it was last asked for under this key; `folder` is of folder_for()."""
    if not folder:
        return find()
    path = os.path.join(folder, 'kept', hashlib.sha256(repr(key).encode()).hexdigest())
    if os.path.exists(path):
        with open(path, 'rb') as data:
            return pickle.loads(zlib.decompress(data.read()))
    found = find()
    with open(path + '.new', 'wb') as data:
        data.write(zlib.compress(pickle.dumps(found), 1))
    os.rename(path + '.new', path)      # whole, or not there
    return found
