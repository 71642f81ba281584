"""Motion, a screen on the wall, and writing from right to left."""


def feel(browser, demo, state, expect, shots=None):
    context = browser.new_context(storage_state=state, reduced_motion="reduce")
    page = context.new_page()
    page.goto(demo.url + "/")
    for card in page.locator(".card").all():
        card.evaluate("card => card.classList.add('celebrated', 'just-done')")
    expect(page.evaluate("document.getAnimations().length") == 0, "whoever wishes for less motion sees none")
    context.close()
    context = browser.new_context(storage_state=state, viewport={"width": 1280, "height": 800})
    page = context.new_page()
    page.goto(demo.url + "/?wall=1")
    expect(page.get_by_role("button", name="Sign out").count() == 0, "a wall has no sign-out")
    expect(page.locator(".card").count() > 0, "a wall shows the day")
    if shots:
        page.screenshot(path=str(shots / "wall.png"), full_page=True)
    page.goto(demo.url + "/?wall=0")
    expect(page.get_by_role("button", name="Sign out").count() == 1, "the wall is taken down")
    for width in [320, 1280]:
        page.set_viewport_size({"width": width, "height": 800})
        for name, path in {"today": "/", "tasks": "/tasks", "insights": "/insights"}.items():
            page.goto(demo.url + path)
            page.evaluate("document.documentElement.dir = 'rtl'")
            wide = page.evaluate("document.documentElement.scrollWidth")
            expect(wide <= width, f"{name} from right to left: {wide} pixels wide at {width}")
            if shots:
                page.screenshot(path=str(shots / f"{name}-rtl-{width}.png"), full_page=True)
    context.close()
    return "no motion where none is wished for, a wall, and right to left"
