"""Tasks by mouse and by keyboard: quick adds, moves, parts, labels, edits (DM-1…5)."""


def task(page, title):
    return page.locator(".bucket .task").filter(has_text=title)


def bucket(page, title):
    return task(page, title).locator("xpath=ancestor::section").get_attribute("data-bucket")


def tasks(browser, demo, state, expect):
    context = browser.new_context(storage_state=state, viewport={"width": 1280, "height": 900})
    page = context.new_page()
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(demo.url + "/tasks")
    page.evaluate("window.stayed = true")
    page.locator("input[name=quick]").fill("call Bob every monday 5pm #journey")
    page.keyboard.press("Enter")
    page.wait_for_selector(".task:has-text('call Bob')")
    expect(bucket(page, "call Bob") == "ROUTINES", "what repeats is a routine")
    expect("journey" in task(page, "call Bob").inner_text(), "a label of a quick add is made")
    page.locator("input[name=quick]").fill("Dragged")
    page.keyboard.press("Enter")
    page.wait_for_selector(".task:has-text('Dragged')")
    # By mouse.
    task(page, "Dragged").drag_to(page.locator("[data-bucket=WEEKEND]"), target_position={"x": 40, "y": 20})
    page.wait_for_selector("[data-bucket=WEEKEND] .task:has-text('Dragged')")
    # By keyboard: the focus stays on the task.
    task(page, "Dragged").locator("a").focus()
    page.keyboard.press("Alt+ArrowRight")
    page.wait_for_selector("[data-bucket=NEXT_WEEK] .task:has-text('Dragged')")
    expect(page.evaluate("document.activeElement.textContent") == "Dragged", "the focus stays on what was moved")
    page.keyboard.press("Alt+ArrowLeft")
    page.wait_for_selector("[data-bucket=WEEKEND] .task:has-text('Dragged')")
    order = "[...document.querySelectorAll('[data-bucket=WEEKEND] .task .title')].map(title => title.textContent)"
    page.keyboard.press("Alt+ArrowUp")
    page.wait_for_function(f"() => (({order}).indexOf('Dragged') < ({order}).length - 1) || ({order}).length === 1")
    page.get_by_role("button", name="Undo").click()
    page.wait_for_function(f"() => ({order}).at(-1) === 'Dragged'")
    # Its own screen: edit, a part, a label.
    task(page, "Dragged").locator("a").click()
    page.wait_for_selector("h1:has-text('Dragged')")
    page.locator("textarea[name=description]").fill("By mouse & keyboard")
    page.locator("input[name=due_local]").fill("2030-01-02T09:30")
    page.locator("select[name=repeat]").select_option("weekly")
    page.get_by_label("journey").check()
    page.get_by_role("button", name="Save").click()
    page.wait_for_selector(".done")
    expect(page.locator("input[name=due_local]").input_value() == "2030-01-02T09:30", "the due time is kept")
    expect(page.get_by_label("journey").is_checked(), "the label is kept")
    page.locator("input[name=quick]").fill("A part")
    page.keyboard.press("Enter")
    page.wait_for_selector(".parts .task:has-text('A part')")
    # Filter by label, in the address.
    page.goto(demo.url + "/tasks")
    page.get_by_text("Search, show others, labels").click()
    page.get_by_label("journey").check()
    page.get_by_role("button", name="Find").click()
    page.wait_for_url("**labels=**")
    page.wait_for_selector(".task:has-text('Dragged')")
    expect(task(page, "call Bob").count() == 1, "both have the label")
    page.get_by_role("link", name="Labels of tasks").click()
    page.wait_for_selector("h1:has-text('Labels of tasks')")
    page.locator("li").filter(has_text="journey").locator("input[name=name]").fill("voyage")
    page.locator("li").filter(has_text="journey").get_by_role("button", name="Save").click()
    page.wait_for_selector("li a:has-text('voyage')")
    # By forms alone.
    plain = browser.new_context(storage_state=state, java_script_enabled=False)
    other = plain.new_page()
    other.goto(demo.url + "/tasks")
    other.get_by_role("link", name="Dragged").click()
    other.locator("select[name=bucket_key]").select_option("NEXT_MONTH")
    other.get_by_role("button", name="Move").click()
    expect("Next month" in other.locator("h1").inner_text(), "a form moves a task without scripts")
    other.goto(demo.url + "/tasks")
    expect(not other.locator(".movable").is_visible(), "keys are not promised without scripts")
    plain.close()
    expect(not errors, f"no script fails: {errors[:3]}")
    context.close()
    return "quick adds, moves by mouse, keys and forms, edits, parts and labels"
