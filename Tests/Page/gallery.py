"""Takes the pictures of Docs/Gallery.md from a demo server whose clock stands at a fixed date.

    gallery.py daybook-server Docs/Gallery

Needs Chromium, faketime and an emoji font from Debian, and playwright and pillow from PyPI. The same seed and the same moment
make the same book, so the pictures can be taken again after each change of the page.
"""

import io
import pathlib
import shutil
import sys

from demo import Demo, expect

# A Saturday evening: the day is half done, and the week is planned.
MOMENT = "2026-03-14 18:30:00"
DESK, PHONE = (1280, 860), (360, 740)
MOST_BYTES = 1_500_000


def at(path):
    return lambda page, url: page.goto(url + path)


def open_habit(query=""):
    def show(page, url):
        page.goto(url + "/")
        page.goto(url + page.locator(".card h2 a").first.get_attribute("href") + query)
    return show


def open_hive(page, url):
    page.goto(url + "/hives")
    page.goto(url + page.locator(".card h2 a").first.get_attribute("href"))


def cook(page, url):
    page.goto(url + "/household/recipes")
    page.goto(url + page.locator(".card h2 a").first.get_attribute("href") + "?servings=6&cook=1&step=2")


def palette(page, url):
    page.goto(url + "/tasks")
    page.keyboard.press("Control+k")
    page.keyboard.type("read")
    page.wait_for_selector("#palette [role=option]:has-text('Read')")


def why(page, url):
    page.goto(url + "/household/groceries")
    page.get_by_role("link", name="Why?").first.click()
    page.wait_for_selector("#why")
    page.evaluate("document.querySelector('.aisles').scrollIntoView()")


PICTURES = {
    "today": ("light", DESK, at("/")),
    "today-phone": ("dark", PHONE, at("/")),
    "past": ("light", DESK, at("/?as_of=2026-02-20")),
    "habit": ("light", DESK, open_habit()),
    "habit-phone": ("dark", PHONE, open_habit()),
    "beside": ("dark", DESK, open_habit("?as_of=2026-02-20&beside=now")),
    "hive": ("dark", DESK, open_hive),
    "hive-phone": ("light", PHONE, open_hive),
    "tasks": ("light", DESK, at("/tasks")),
    "tasks-phone": ("dark", PHONE, at("/tasks")),
    "household": ("light", DESK, at("/household")),
    "plan": ("dark", DESK, at("/household/plan")),
    "groceries-phone": ("light", PHONE, why),
    "cook-phone": ("dark", PHONE, cook),
    "insights": ("dark", DESK, at("/insights")),
    "palette": ("light", DESK, palette),
}


def main():
    program, directory = sys.argv[1], pathlib.Path(sys.argv[2])
    from PIL import Image
    from playwright.sync_api import sync_playwright

    clock = next(pathlib.Path("/usr/lib").glob("*/faketime/libfaketime.so.1"), None)
    expect(clock, "faketime is needed: the demo ends on a fixed day")
    directory.mkdir(parents=True, exist_ok=True)
    # The library, not the program of its name: that one would be ended in the server's place. It changes the environment of
    # the process in which it begins, where a Swift program would not find its arguments any more: so it begins in `env`.
    demo = Demo(program, before=["env"], TZ="UTC", LD_PRELOAD=str(clock), FAKETIME=f"@{MOMENT}", DONT_FAKE_MONOTONIC="1")
    total = 0
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
            context = browser.new_context()
            context.new_page().goto(demo.link)
            state = context.storage_state()
            for name, (scheme, (width, height), show) in PICTURES.items():
                context = browser.new_context(
                    storage_state=state, color_scheme=scheme, viewport={"width": width, "height": height}, service_workers="block",
                    device_scale_factor=2 if width < 600 else 1, reduced_motion="reduce", locale="en-GB", timezone_id="Europe/London")
                page = context.new_page()
                show(page, demo.url)
                page.evaluate("document.fonts.ready.then(() => null)")
                picture = Image.open(io.BytesIO(page.screenshot(animations="disabled")))
                file = directory / f"{name}.webp"
                picture.convert("RGB").save(file, quality=80, method=6)
                total += file.stat().st_size
                context.close()
            browser.close()
    finally:
        demo.stop()
    expect(total <= MOST_BYTES, f"the pictures weigh {total} bytes")
    print(f"{len(PICTURES)} pictures, {total} bytes")


if __name__ == "__main__":
    main()
