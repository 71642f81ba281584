"""A demo server, and what journeys expect of it."""

import contextlib
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "Server"))
from served import free_port


@contextlib.contextmanager
def chromium():
    """A Chromium to drive; none, and a line that says why, where it cannot be had."""
    program = shutil.which("chromium")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        sync_playwright = None
    if not program or not sync_playwright:
        print("skipped: Chromium or playwright cannot be had here")
        yield None
        return
    with sync_playwright() as playwright:
        try:
            browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        except Exception as error:
            print(f"skipped: Chromium does not start here: {str(error).splitlines()[0]}")
            yield None
            return
        try:
            yield browser
        finally:
            browser.close()


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
