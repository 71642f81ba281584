"""The core journeys in a second engine: WebKit, driven by selenium.

    webkit.py daybook-server

Needs webkit2gtk-driver and xvfb from Debian, and selenium from PyPI; says "skipped" where they are not.
"""

import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "Server"))
from demo import Demo, expect

LIBRARIES = pathlib.Path("/usr/lib")


def browser_program():
    """The small browser that Debian ships with the engine."""
    return next(LIBRARIES.glob("*/webkit2gtk-4.*/MiniBrowser"), None)


class WebKit:
    """A browser of the second engine on a screen of its own."""

    def __init__(self, **settings):
        from selenium import webdriver
        from selenium.webdriver.webkitgtk.options import Options
        from selenium.webdriver.webkitgtk.service import Service

        options = Options()
        options.binary_location = str(browser_program())
        options.add_argument("--automation")
        for name, value in settings.items():
            options.add_argument(f"--{name.replace('_', '-')}={value}")
        self.driver = webdriver.WebKitGTK(options=options, service=Service(shutil.which("WebKitWebDriver")))
        self.driver.set_window_size(1280, 900)

    def wait(self, condition, sentence, seconds=20):
        """Waits for a condition, which may also fail while the screen changes."""
        from selenium.common.exceptions import WebDriverException

        end, found = time.monotonic() + seconds, None
        while time.monotonic() < end:
            try:
                found = condition()
                if found:
                    return found
            except WebDriverException:
                pass
            time.sleep(0.05)
        expect(False, f"{sentence} ({self.driver.current_url})")

    def all(self, selector):
        return self.driver.find_elements("css selector", selector)

    def one(self, selector, text=""):
        """The first element of a selector that has a text."""
        return self.wait(lambda: next((one for one in self.all(selector) if text in one.text), None), f"{selector} with {text!r}")

    def close(self):
        self.driver.quit()


def card(browser, name, state=""):
    return browser.one(f".card{state}", name)


def press(browser, within, name):
    """Presses the button of a name."""
    button = browser.wait(
        lambda: next((one for one in within().find_elements("css selector", "button") if one.text.startswith(name)), None),
        f"a button {name}")
    button.click()


def open_day(browser, demo, habit):
    """Shows today with a habit that is not logged."""
    browser.driver.get(demo.url + "/")
    if any(one.text.startswith("Clear") for one in card(browser, habit).find_elements("css selector", "button")):
        press(browser, lambda: card(browser, habit), "Clear")
        card(browser, habit, ":not(.is-done)")


def day(browser, demo):
    """A habit is logged by a tap, and the log is undone."""
    open_day(browser, demo, "Meditate")
    press(browser, lambda: card(browser, "Meditate"), "Done")
    card(browser, "Meditate", ".is-done")
    press(browser, lambda: browser.one(".note.done"), "Undo")
    card(browser, "Meditate", ":not(.is-done)")
    return "a habit logged and undone"


def slider(browser, demo):
    """The slider moves by keyboard, without loading the page anew, and back to now."""
    browser.driver.get(demo.url + "/")
    browser.driver.execute_script("window.stayed = true; document.getElementById('back').focus()")
    browser.driver.switch_to.active_element.send_keys("\ue00f")  # Page Down: a week.
    browser.wait(lambda: "as_of=" in browser.driver.current_url, "a page key leads to a day of the past")
    browser.one(".slider .note", "read-only")
    expect(browser.driver.execute_script("return window.stayed === true"), "the slider loads no page anew")
    expect(not browser.all(".card form"), "the past has no forms")
    browser.one(".slider a.now").click()
    browser.one(".card button", "Skip")
    return "the slider by keyboard"


def tasks(browser, demo):
    """A line adds a task, and keys move it."""
    browser.driver.get(demo.url + "/tasks")
    field = browser.one("input[name=quick]")
    field.send_keys("Ask WebKit <b> on saturday\ue007")
    browser.one(".task", "Ask WebKit <b>")
    browser.driver.execute_script("document.activeElement.blur()")
    bucket = lambda: browser.driver.execute_script(
        "return [...document.querySelectorAll('.task')].find(task => task.textContent.includes('Ask WebKit')).closest('.bucket').dataset.bucket")
    before = bucket()
    link = browser.one(".task a.title", "Ask WebKit")
    key = "\ue014" if before != "ROUTINES" else "\ue012"
    link.send_keys("\ue00a" + key)  # Alt and an arrow.
    browser.wait(lambda: bucket() != before, "a key moves the task")
    browser.one(".note.done", "Recorded")
    check = browser.wait(lambda: next(
        (one for one in browser.all("button.check") if "Ask WebKit" in (one.get_attribute("aria-label") or "")), None), "a box")
    check.click()
    browser.wait(lambda: not any("Ask WebKit" in one.text for one in browser.all(".task:not(.completed)")), "it is completed")
    return "a task added by a line, moved by keys, completed"


def without_scripts(browser, demo):
    """Forms alone log, undo, and look back."""
    open_day(browser, demo, "Meditate")
    press(browser, lambda: card(browser, "Meditate"), "Done")
    card(browser, "Meditate", ".is-done")
    press(browser, lambda: browser.one(".note.done"), "Undo")
    card(browser, "Meditate", ":not(.is-done)")
    expect(not browser.all(".scripted"), "no script runs")
    browser.driver.get(demo.url + "/?back=30")
    browser.one(".slider .note", "read-only")
    expect(not browser.all(".card form"), "the past has no forms")
    return "a habit logged, undone and looked back at without scripts"


def journeys(program):
    demo = Demo(program)
    try:
        browser = WebKit()
        try:
            browser.driver.get(demo.link)
            browser.one("h1", "Today")
            print("signed in by a link", flush=True)
            cookies = browser.driver.get_cookies()
            for journey in [day, slider, tasks]:
                print(journey(browser, demo), flush=True)
        finally:
            browser.close()
        plain = WebKit(enable_javascript="false")
        try:
            plain.driver.get(demo.url + "/enter")
            for cookie in cookies:
                plain.driver.add_cookie({name: value for name, value in cookie.items() if name != "domain"})
            print(without_scripts(plain, demo), flush=True)
        finally:
            plain.close()
    finally:
        expect(demo.stop() == 0, "the server ends well")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    options = parser.parse_args()
    try:
        import selenium  # noqa: F401
    except ImportError:
        print("skipped: selenium is not here")
        return
    missing = [name for name in ["WebKitWebDriver", "Xvfb"] if not shutil.which(name)] + ([] if browser_program() else ["MiniBrowser"])
    if missing:
        print(f"skipped: {', '.join(missing)} cannot be had here")
        return
    ours, theirs = os.pipe()
    screen = subprocess.Popen(
        ["Xvfb", "-displayfd", str(theirs), "-screen", "0", "1280x1024x24", "-nolisten", "tcp"], pass_fds=[theirs], stderr=subprocess.DEVNULL)
    os.close(theirs)
    number = os.read(ours, 20).decode().strip()
    os.environ.update(DISPLAY=f":{number}", GDK_BACKEND="x11", WEBKIT_DISABLE_COMPOSITING_MODE="1", NO_AT_BRIDGE="1")
    try:
        journeys(options.program)
    finally:
        screen.terminate()
        screen.wait()


if __name__ == "__main__":
    main()
