# SPDX-License-Identifier: Apache-2.0
"""Runs a program that has started and stands by (standby.c) as if it were started again."""
import atexit
import os
import resource
import select
import socket
import struct
import subprocess
import threading
import time

# What is read as a program starts, or before: where it differs, the program has to start.
AT_START = ('ASAN_', 'UBSAN_', 'LSAN_', 'LD_', 'MALLOC_', 'GLIBC_')
NO_LEAKS = ':detect_leaks=0'        # each run looks at that itself


def settings(environment):
    """The part of the environment that all runs share."""
    return {k: v.replace(NO_LEAKS, '') for k, v in environment.items() if k.startswith(AT_START)}


def gather(streams, until):
    """What is written to the streams, and whether all were closed in time."""
    texts, poll = {stream: [] for stream in streams}, select.poll()
    for stream in streams:
        poll.register(stream, select.POLLIN)
    unfinished = len(streams)
    while unfinished:
        ready = poll.poll(max(0, until - time.monotonic()) * 1000)
        if not ready:
            break
        for stream, _ in ready:
            text = os.read(stream, 1 << 16)
            if text:
                texts[stream].append(text)
            else:
                poll.unregister(stream)
                unfinished -= 1
    return [b''.join(texts[stream]) for stream in streams], unfinished == 0


class Standby:
    """The program: it starts now and ends with this process."""

    def __init__(self, program, environment):
        self.settings = settings(environment)
        self.limit = resource.getrlimit(resource.RLIMIT_AS)
        self.requests, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self.process = subprocess.Popen([program], stdin=theirs, stdout=subprocess.DEVNULL,
                                            env={**environment, **self.settings})
        atexit.register(self.close)

    def close(self):
        """Ends the program and returns its status."""
        self.requests.close()
        return self.process.wait()

    def fits(self, environment):
        """Whether a program with this environment can do without a start."""
        return (settings(environment) == self.settings and
                resource.getrlimit(resource.RLIMIT_AS) == self.limit)

    def start(self, words, directory, environment, source, seconds):
        """(status, output, messages) of a run; `source` is the descriptor of standard input.

        The status is None if the run did not end in time and was ended, negative for a signal.
        """
        until, streams = time.monotonic() + seconds, []
        connection, theirs = socket.socketpair()
        try:
            with theirs:
                ends = [theirs.fileno(), source]
                for _ in range(2):
                    read, write = os.pipe()
                    streams.append(read)
                    ends.append(write)
                try:
                    socket.send_fds(self.requests, [b'+'], ends)
                finally:
                    for end in ends[2:]:
                        os.close(end)
            texts = [os.path.abspath(directory)] + words + ['%s=%s' % v for v in environment.items()]
            data = b''.join(os.fsencode(text) + b'\0' for text in texts)
            connection.sendall(struct.pack('=III', len(words), len(environment), len(data)) + data)
            texts, in_time = gather(streams, until)
            return [status_from(connection, until) if in_time else None] + texts
        finally:
            connection.close()
            for stream in streams:
                os.close(stream)


def status_from(connection, until):
    """What a run ended with, or None if it has not."""
    poll = select.poll()
    poll.register(connection, select.POLLIN)
    if not poll.poll(max(0, until - time.monotonic()) * 1000):
        return None
    data = connection.recv(4)
    if len(data) != 4:
        raise RuntimeError('the program that stood by has ended')
    return os.waitstatus_to_exitcode(struct.unpack('=i', data)[0])


LOCK, FOUND = threading.Lock(), []


def stand_in(program, environment):
    """What runs for the program in this environment without a start, or None.

    GPROFX_STANDBY names the executable that stands in for GPROFX; it starts when first asked for.
    """
    ready = os.environ.get('GPROFX_STANDBY')
    if not ready or os.path.realpath(program) != os.path.realpath(os.environ['GPROFX']):
        return None
    with LOCK:
        if not FOUND:
            FOUND.append(Standby(ready, environment))
    return FOUND[0] if FOUND[0].fits(environment) else None
