"""Moves through time: the slider by keyboard and without scripts, then beside now, and putting a thing back."""

import re

from demo import expect

DAY = re.compile(r"as_of=(\d{4}-\d{2}-\d{2})")


def habit_address(page, demo, name="Meditate"):
    page.goto(demo.url + "/")
    return page.locator(".card").filter(has_text=name).locator("h2 a").get_attribute("href")


def without_scripts(browser, demo, state):
    """Both handles by a form, an entry back by a link, and a habit put back."""
    context = browser.new_context(java_script_enabled=False, storage_state=state)
    page = context.new_page()
    habit = habit_address(page, demo)
    page.goto(demo.url + habit + "?back=20&on_back=25")
    expect("as_of=" in page.url and "on=" in page.url, f"two fields lead to two dates: {page.url}")
    page.get_by_role("link", name="Entry before").click()
    expect(re.search(r"as_of=[^&]*T", page.url), f"an entry's moment is an instant: {page.url}")
    expect(page.locator(".entries li").count() >= 1, "the entry is named")
    page.goto(demo.url + habit + "?back=20")
    page.get_by_role("link", name="Then and now side by side").click()
    expect(page.locator(".side").count() == 2, "then and now are both shown")
    expect(page.locator(".differences li").count() >= 1, "the differences are told")
    # Rename the habit back and forth: what was recorded last is put back.
    page.goto(demo.url + habit)
    page.locator("form.log input[name=note]").fill("<b>Quiet</b>")
    page.get_by_role("button", name="Log", exact=True).click()
    page.goto(demo.url + habit)
    page.get_by_text("More ways through time").click()
    page.get_by_role("link", name="Entry before").click()
    page.get_by_role("link", name="Put it back as it was then").click()
    expect(page.locator("#put-back li").count() >= 1, "what would change is told before")
    page.get_by_role("button", name="Put it back").click()
    expect("Recorded." in page.content(), "it is recorded as a step of today")
    page.get_by_role("button", name="Undo").click()
    expect("“<b>Quiet</b>”" in page.inner_text("main"), "the step is undone")
    context.close()
    return "two handles, an entry back, then beside now, and a habit put back without scripts"


def by_keyboard(browser, demo, state):
    """Days by arrows, weeks by page keys, entries by arrows with Shift; both handles speak."""
    context = browser.new_context(storage_state=state)
    page = context.new_page()
    errors = []
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(demo.url + habit_address(page, demo))
    page.evaluate("window.stayed = true")
    last = page.locator("[data-slider]").get_attribute("data-last")
    page.locator("#back").focus()
    page.keyboard.press("PageDown")
    page.wait_for_url(DAY)
    week = DAY.search(page.url).group(1)
    expect(week < last, "a page key moves back")
    page.keyboard.press("ArrowLeft")
    page.wait_for_function("day => !location.search.includes(day)", arg=week)
    page.wait_for_selector("text=read-only")
    page.keyboard.press("Shift+ArrowLeft")
    page.wait_for_url(re.compile("as_of=[^&]*T"))
    expect(page.evaluate("document.activeElement.id") == "back", "the handle keeps the focus")
    said = page.locator("#back").get_attribute("aria-valuetext")
    expect(re.search(r"on .*\d{4}", said or ""), f"the handle says its moment: {said}")
    first = page.url
    page.keyboard.press("Shift+ArrowRight")
    page.wait_for_function("former => location.href !== former", arg=first)
    page.locator("#on_back").focus()
    page.keyboard.press("PageDown")
    page.wait_for_url(re.compile("on="))
    page.wait_for_function("() => document.getElementById('on_back').getAttribute('aria-valuetext') !== 'the same day'")
    about = page.locator("#on_back").get_attribute("aria-valuetext")
    expect(re.search(r"\d{4}", about or ""), f"the second handle says its day: {about}")
    expect(page.evaluate("document.activeElement.id") == "on_back", "the second handle keeps the focus")
    expect(page.evaluate("window.stayed") is True, "the slider loads no page anew")
    expect(not errors, f"the console has no errors: {errors[:3]}")
    context.close()
    return "days, weeks and entries by keyboard, and a second handle"


def shown_in_combs(browser, demo, state):
    """What if, a rule and a copied link."""
    context = browser.new_context(storage_state=state, permissions=["clipboard-read", "clipboard-write"])
    page = context.new_page()
    habit = habit_address(page, demo)
    page.goto(demo.url + habit)
    page.locator(".year [data-day]").nth(340).click()
    page.wait_for_url(re.compile("on="))
    page.locator("select[name=whatif]").select_option("clear_log")
    page.get_by_role("button", name="What if?").click()
    page.wait_for_selector("#whatif")
    page.goto(demo.url + "/?rule=strict")
    expect(page.locator(".rule-switch[open]").count() == 1, "the rule is open")
    page.get_by_text("More ways through time").click()
    page.get_by_role("link", name="Link to this moment").click()
    page.wait_for_selector("text=Copied.")
    copied = page.evaluate("navigator.clipboard.readText()")
    expect("as_of=" in copied and "rule=strict" in copied, f"the link holds the moment and the rule: {copied}")
    context.close()
    return "a day of the year, what if in the combs, a rule for today, and a copied link"


JOURNEYS = [without_scripts, by_keyboard, shown_in_combs]


def screens(page, demo):
    """The screens that axe looks at."""
    habit = habit_address(page, demo)
    page.goto(demo.url + "/hives")
    hive = page.locator(".card h2 a").first.get_attribute("href")
    page.goto(demo.url + habit + "?back=30")
    page.get_by_role("link", name="Put it back as it was then").click()
    put_back = page.url.removeprefix(demo.url)
    page.goto(demo.url + "/insights")
    award = page.locator(".awards a", has_text="Why?").first.get_attribute("href")
    page.goto(demo.url + habit + "?back=30")
    day = DAY.search(page.url).group(1)
    return {
        "habit-then": f"{habit}?as_of={day}", "hive-then": f"{hive}?as_of={day}", "put-back": put_back,
        "award": award, "rule": "/?rule=strict", "what-if": f"{habit}?whatif=skip_day&on={day}",
        "about": f"/?on={day}",
        "beside-today": f"/?as_of={day}&beside=now", "beside-habit": f"{habit}?as_of={day}&beside=now",
        "beside-tasks": f"/tasks?as_of={day}&beside=now", "beside-insights": f"/insights?as_of={day}&beside=now",
    }
