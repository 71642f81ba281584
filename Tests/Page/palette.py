"""The palette and the keys (DM-14)."""

from demo import open_day


def palette(browser, demo, state, expect):
    context = browser.new_context(storage_state=state)
    page = context.new_page()
    open_day(page, demo, "Meditate")
    page.evaluate("window.stayed = true")
    page.locator("nav a").nth(1).focus()
    page.keyboard.press("/")
    page.wait_for_selector("#palette[open] [role=option]")
    expect(page.evaluate("document.activeElement.getAttribute('role')") == "combobox", "the focus is in the field")
    page.keyboard.type("settings")
    page.wait_for_selector("#palette [role=option]:has-text('Settings')")
    page.keyboard.press("Escape")
    expect(page.evaluate("document.activeElement.closest('nav') !== null"), "the focus returns")
    # A command by keyboard alone.
    page.keyboard.press("Control+k")
    page.keyboard.type("log")
    page.keyboard.press("Control+a")
    page.keyboard.type("Meditate")
    page.wait_for_selector("#palette [role=option]:has-text('Skip')")
    active = lambda: page.evaluate("document.getElementById(document.getElementById('palette-field').getAttribute('aria-activedescendant')).textContent")
    for _ in range(30):
        if active().startswith("Skip"):
            break
        page.keyboard.press("ArrowDown")
    expect(page.locator("#palette [aria-selected=true]").count() == 1, "one option is chosen")
    page.keyboard.press("Enter")
    # What was done before is said until then, and its undo would be refused.
    page.wait_for_selector(".card:has-text('Meditate'):has-text('skipped')")
    page.wait_for_selector(".done button")
    expect(page.evaluate("window.stayed") is True, "nothing is loaded anew")
    page.get_by_role("button", name="Undo").click()
    page.wait_for_selector(".done", state="detached")
    # A task, and a place.
    page.keyboard.press("Control+k")
    page.keyboard.type("Typed into the palette tomorrow")
    page.wait_for_selector("#palette [role=option]:has-text('Add the task')")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    page.wait_for_selector(".done button")
    page.keyboard.press("Control+k")
    page.keyboard.type("tasks")
    page.wait_for_selector("#palette [role=option]:has-text('Tasks')")
    page.keyboard.press("Enter")
    page.wait_for_selector(".task:has-text('Typed into the palette')")
    expect(page.url.endswith("/tasks"), "the address is that of the place")
    page.go_back()
    page.wait_for_selector("h1:has-text('Today')")
    # The list of keys, and switching those of one character off.
    page.locator("main").focus()
    page.keyboard.press("?")
    page.wait_for_selector("#keys[open]")
    page.get_by_label("Use keys of one character").uncheck()
    page.get_by_role("button", name="Close").click()
    page.keyboard.press("/")
    expect(page.locator("#palette[open]").count() == 0, "a key that is switched off does nothing")
    page.keyboard.press("Control+k")
    page.wait_for_selector("#palette[open]")
    context.close()
    plain = browser.new_context(storage_state=state, java_script_enabled=False)
    other = plain.new_page()
    other.goto(demo.url + "/")
    other.get_by_role("link", name="Find").click()
    other.locator("input[name=search]").fill("Plain task")
    other.get_by_role("button", name="Find").click()
    other.get_by_role("button", name="Add the task Plain task").click()
    expect("Recorded." in other.content(), "a plain page does the same")
    plain.close()
    return "places, things and commands by the palette, and by a plain page"
