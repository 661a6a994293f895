# SPDX-License-Identifier: Apache-2.0
"""onterminal.py COLUMNSxLINES [ENVIRONMENT...] -- COMMAND...: runs it on a terminal of that size.

Prints what was shown there, and ends with its status. Where a pager waits for a key, and ONTERMINAL_KEYS is
set, it gets these.
"""
import fcntl
import os
import pty
import struct
import sys
import termios

NAMES = 'NO_COLOR TERM PAGER GPROFX_PAGER LESS COLUMNS'.split()


def main(words):
    mark = words.index('--')
    columns, lines = map(int, words[0].split('x'))
    environment = {name: value for name, value in os.environ.items() if name not in NAMES}
    environment.update(word.split('=', 1) for word in words[1:mark])
    ready, go = os.pipe()
    child, terminal = pty.fork()
    if child == 0:
        os.close(go)
        os.read(ready, 1)       # until the terminal has its size
        os.execve(words[mark + 1], words[mark + 1:], environment)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack('HHHH', lines, columns, 0, 0))
    os.close(go)
    keys = os.environ.get('ONTERMINAL_KEYS', '')
    shown = b''
    while True:
        try:
            piece = os.read(terminal, 65536)
        except OSError:         # Linux says so when the other side is closed
            break
        if not piece:
            break
        shown += piece
        if keys and shown.endswith(b':\x1b[K'):
            os.write(terminal, keys.encode())
            keys = ''
    sys.stdout.buffer.write(shown.replace(b'\r\n', b'\n'))
    sys.stdout.flush()
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
