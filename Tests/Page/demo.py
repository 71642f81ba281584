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

    def __init__(self, program, before=(), **environment):
        port = free_port()
        self.process = subprocess.Popen(
            [*before, program, "--demo", "--port", str(port)], stdout=subprocess.PIPE, text=True,
            env={**os.environ, "DAYBOOK_DOCUMENTS": "true", **environment})
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


def open_day(page, demo, habit):
    """Shows today with a habit that is not logged: how much the demo's Ada has done depends on the time of day."""
    page.goto(demo.url + "/")
    card = page.locator(".card").filter(has_text=habit)
    clear = card.get_by_role("button", name="Clear")
    if clear.count():
        clear.click()
        card.get_by_role("button", name="Skip").wait_for()
