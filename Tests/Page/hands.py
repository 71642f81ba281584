"""How a person uses the page: by mouse, by keyboard alone, or without scripts. The lives in lives.py are lived by each."""

import json
import re
import urllib.parse
import urllib.request

from demo import expect

# Going round a screen takes fewer stops than that.
MOST_STOPS = 400


class Mouse:
    """Uses what a person sees, by its role and name."""

    has_scripts = True

    def __init__(self, browser, url):
        self.url = url
        self.context = browser.new_context(viewport={"width": 1280, "height": 900}, java_script_enabled=self.has_scripts)
        self.page = self.context.new_page()
        self.page.set_default_timeout(60_000)
        self.errors = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))

    # What is there.

    def within(self, selector, text=None):
        found = self.page.locator(selector)
        return found.filter(has_text=text) if text else found

    def sees(self, text, selector="main"):
        """Waits until a part of the screen has a text."""
        try:
            self.page.locator(selector).filter(has_text=text).first.wait_for(timeout=60_000)
        except Exception:
            expect(False, f"{selector} says {text!r} at {self.page.url}: {self.page.locator('main').inner_text()[:600]}")

    def is_gone(self, text, selector="main"):
        try:
            self.page.locator(selector).filter(has_text=text).first.wait_for(state="detached", timeout=60_000)
        except Exception:
            expect(False, f"{selector} does not say {text!r} any more at {self.page.url}")

    def finds(self, selector):
        """Waits until something is there."""
        try:
            self.page.locator(selector).first.wait_for(timeout=60_000)
        except Exception:
            expect(False, f"{selector} is at {self.page.url}")

    # What is done.

    def activate(self, target):
        target.click()

    def write(self, target, text):
        target.fill(text)

    def list(self, name, within=None):
        """A list of choices, whose label is followed by the names of the choices."""
        return (within or self.page.locator("main")).get_by_label(re.compile(rf"^\s*{re.escape(name)}")).first

    def choose(self, name, option, within=None):
        self.list(name, within).select_option(label=option)

    def press(self, name, within=None):
        self.activate((within or self.page).get_by_role("button", name=name).first)

    def follow(self, name, within=None):
        self.activate((within or self.page).get_by_role("link", name=name).first)

    def fill(self, name, text, within=None):
        self.write((within or self.page.locator("main")).get_by_label(name, exact=True).first, text)

    def tick(self, name, within=None):
        self.activate((within or self.page.locator("main")).get_by_label(name).first)

    def unfold(self, name, within=None):
        self.activate((within or self.page.locator("main")).locator("summary").filter(has_text=name).first)

    def go(self, place):
        """Goes to a place of the navigation."""
        self.activate(self.page.locator("header nav").get_by_role("link", name=place, exact=True))
        self.page.locator("header nav a[aria-current=page]").filter(has_text=place).wait_for()

    def sign_in(self, email, back="/"):
        self.page.goto(self.url + "/enter?" + urllib.parse.urlencode({"back": back}))
        self.fill("E-mail address or phone number", email)
        self.press("Send a code")
        self.page.get_by_label("Code").wait_for()
        with urllib.request.urlopen(f"{self.url}/dev/outbox?to={urllib.parse.quote(email)}") as answer:
            code = json.load(answer)[-1]["code"]
        self.fill("Code", code)
        self.press(re.compile("^Sign in$"))
        self.page.locator("header nav").wait_for()


class WithoutScripts(Mouse):
    """Uses forms and links alone."""

    has_scripts = False


class Keyboard(Mouse):
    """Uses Tab, Enter, the space bar, arrows and letters alone."""

    def reach(self, target):
        """Moves the focus to a control, as far round the screen as that takes."""
        target.wait_for()
        for _ in range(MOST_STOPS):
            if target.evaluate("control => control === document.activeElement"):
                return
            self.page.keyboard.press("Tab")
        expect(False, f"the keyboard reaches {target.evaluate('control => control.outerHTML')[:200]}")

    def activate(self, target):
        kind = target.evaluate("control => control.type")
        if kind == "radio":
            return self.pick(target)
        self.reach(target)
        self.page.keyboard.press("Space" if kind == "checkbox" else "Enter")

    def pick(self, target):
        """Picks one of a group, which is a single stop: arrow keys move in it."""
        group = self.page.locator(f"input[type=radio][name={target.get_attribute('name')}]")
        self.reach(group.and_(self.page.locator(":checked")))
        for _ in range(group.count()):
            if target.is_checked():
                return
            self.page.keyboard.press("ArrowDown")
        expect(target.is_checked(), "arrow keys pick one of a group")

    def write(self, target, text):
        self.reach(target)
        self.page.keyboard.press("Control+a")
        if text:
            self.page.keyboard.insert_text(text)
        else:
            self.page.keyboard.press("Delete")

    def choose(self, name, option, within=None):
        target = self.list(name, within)
        self.reach(target)
        chosen = "list => list.selectedOptions[0].label"
        self.page.keyboard.press("Home")
        for _ in range(target.locator("option").count()):
            if target.evaluate(chosen) == option:
                return
            self.page.keyboard.press("ArrowDown")
        expect(False, f"the keyboard chooses {option}: {target.evaluate(chosen)}")


HANDS = [Mouse, Keyboard, WithoutScripts]
