"""A demo server, and what journeys expect of it."""

import os
import pathlib
import re
import signal
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "Server"))
from served import free_port


class Demo:
    """A demo server, and a link that signs Ada in."""

    def __init__(self, program, before=(), environment=None):
        port = free_port()
        self.process = subprocess.Popen(
            [*before, program, "--demo", "--port", str(port)], stdout=subprocess.PIPE, text=True,
            env={**(environment or os.environ), "DAYBOOK_DOCUMENTS": "true"})
        self.url, text = f"http://127.0.0.1:{port}", ""
        for line in self.process.stdout:
            text += line
            if "Ctrl-C" in line:
                break
        self.link = re.search(r"(http\S+/enter\?link=\S+)", text).group(1)

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(20)


def expect(condition, sentence):
    if not condition:
        raise SystemExit(f"finding: {sentence}")
