"""A daybook-server that a script starts, asks, kills, and starts again."""

import contextlib
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import urllib.request

PEPPER = "0f1e2d3c4b5a69788796a5b4c3d2e1f0"
KEY = "sb_publishable_tests"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Served:
    """A server on a book, on a free port of the loopback."""

    def __init__(self, binary, book=None, **environment):
        self.binary = binary
        self.directory = None if book else tempfile.mkdtemp(prefix="daybook-served-")
        self.book = book or os.path.join(self.directory, "my.daybook")
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.environment = environment
        self.process = None
        self.log = os.path.join(self.directory or os.path.dirname(self.book) or ".", "server.log")

    def start(self, log=None):
        environment = dict(os.environ)
        environment.update(
            DAYBOOK_PEPPER=PEPPER, DAYBOOK_ANONYMOUS_KEY=KEY, DAYBOOK_PUBLIC_URL=self.url,
            **self.environment)
        self.process = subprocess.Popen(
            [self.binary, "--book", self.book, "--port", str(self.port), "--development"],
            env=environment, stdout=open(self.log, "a"), stderr=log or subprocess.STDOUT)
        end = time.time() + 30
        while True:
            with contextlib.suppress(OSError):
                with urllib.request.urlopen(f"{self.url}/ready", timeout=2) as answer:
                    if answer.status == 200:
                        return self
            if self.process.poll() is not None or time.time() > end:
                # Nothing else ends the process: a `with` block that was never entered is never left.
                self.process.kill()
                self.process.wait()
                raise SystemExit(f"the server did not start:\n{pathlib.Path(self.log).read_text()[-4000:]}")
            time.sleep(0.05)

    def stop(self, how=signal.SIGTERM):
        """Ends the server; returns its exit code."""
        self.process.send_signal(how)
        return self.process.wait(30)

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        if self.directory:
            shutil.rmtree(self.directory, ignore_errors=True)
