"""Journeys through goals, habits, pauses, the focus and the first steps. `journeys.py` calls them."""

import re

from demo import expect

SCREENS = {
    "goals": "/goals", "habits": "/habits", "habit-new": "/habits/new", "welcome": "/welcome", "welcome-1": "/welcome/1",
    "welcome-2": "/welcome/2", "welcome-3": "/welcome/3", "welcome-4": "/welcome/4", "welcome-5": "/welcome/5",
}


def goals_without_scripts(browser, demo, state):
    """Sets a goal, adds a habit to it, and deletes it, by forms alone."""
    context = browser.new_context(java_script_enabled=False, storage_state=state)
    page = context.new_page()
    page.goto(demo.url + "/goals")
    page.get_by_label("Title").fill(" ")
    page.get_by_label("Description").fill("Before the winter")
    page.get_by_role("button", name="Set the goal").click()
    expect("a goal needs a title" in page.content(), "a goal without a title is refused with a sentence")
    expect(page.get_by_label("Description").input_value() == "Before the winter", "what was typed is still there")
    page.get_by_label("Title").fill("Swim a mile <b>")
    page.get_by_role("button", name="Set the goal").click()
    expect(re.search(r"/goals/[0-9a-f-]{36}$", page.url), f"a new goal leads to its screen: {page.url}")
    goal = page.url
    page.get_by_label("New habit").fill("Swim")
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.get_by_role("link", name="Swim", exact=True).count() == 1, "the goal lists its habit")
    page.goto(demo.url + "/")
    card = page.locator(".card").filter(has_text="Swim a mile")
    expect(card.count() == 1, "the habit's card names its goal")
    card.get_by_role("button", name="Done").click()
    page.goto(goal)
    expect(page.locator("svg.ring").get_attribute("aria-label") == "1 of 1 habits done today", "the goal's ring counts the day")
    # A closed fold opens by a click, also without scripts.
    page.get_by_text("Delete…").click()
    page.get_by_role("button", name="Delete the goal and its habits").click()
    expect(page.url.endswith("/goals") and "Swim a mile" not in page.locator("main").inner_text(), "the goal is gone")
    page.get_by_role("button", name="Undo").click()
    expect("Swim a mile" in page.locator("main").inner_text(), "undo brings the goal back")
    page.goto(goal)
    page.get_by_text("Delete…").click()
    page.get_by_role("button", name="Delete the goal and its habits").click()
    context.close()
    return "a goal set, refused, reached and deleted without scripts"


def habits_with_scripts(browser, demo, state):
    """Creates, edits, focuses, pauses and archives a habit."""
    context = browser.new_context(storage_state=state)
    page = context.new_page()
    errors = []
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(demo.url + "/habits/new")
    page.get_by_label("Name").fill("Piano")
    expect(not page.get_by_label("Amount a day").is_visible(), "what is done once has no amount")
    page.get_by_label("counted").check()
    page.get_by_label("Amount a day").fill("20")
    page.get_by_label("Unit").fill("minutes")
    page.locator("input[name=schedule][value=weekdays]").check()
    for name in ["Tue", "Thu"]:
        page.get_by_label(name).uncheck()
    page.get_by_role("button", name="Create the habit").click()
    page.wait_for_selector("h1:has-text('Piano')")
    expect("Mon, Wed, Fri, Sat, Sun" in page.locator("main").inner_text(), "the weekdays are those that were chosen")
    page.get_by_role("button", name="Put in focus").click()
    page.wait_for_selector("button:has-text('End the focus')")
    page.get_by_role("link", name="Edit").click()
    page.wait_for_selector("h1:has-text('Edit Piano')")
    page.get_by_label("every day").check()
    page.get_by_role("button", name="Save").click()
    page.wait_for_selector(".chips:has-text('every day')")
    page.goto(demo.url + "/")
    expect("Piano" in page.locator(".focus-line").inner_text(), "today names the focus")
    page.get_by_text("Pause from here…").click()
    page.get_by_role("button", name="Pause", exact=True).click()
    page.wait_for_selector("text=nothing is due until you resume")
    page.get_by_role("button", name="Resume today").click()
    page.wait_for_selector(".card:has-text('Piano')")
    page.goto(demo.url + "/habits")
    page.get_by_role("link", name="Piano", exact=True).click()
    page.wait_for_selector("h1:has-text('Piano')")
    page.get_by_text("Archive…").click()
    page.get_by_role("button", name="Archive", exact=True).click()
    page.wait_for_selector("button:has-text('Restore')")
    page.goto(demo.url + "/habits")
    line = page.locator("#archived-name ~ ul .habit-line").filter(has_text="Piano")
    expect(line.count() == 1, "the archived habit is listed apart")
    line.get_by_text("Delete…").click()
    line.get_by_role("button", name="Delete the habit").click()
    page.wait_for_selector("text=Recorded.")
    expect(page.get_by_role("link", name="Piano", exact=True).count() == 0, "the habit is gone")
    expect(not errors, f"the console has no errors: {errors[:3]}")
    context.close()
    return "a habit created, edited, put in focus, paused, archived and deleted"


def first_steps(browser, demo, state):
    """Takes the first steps, with the zone of the browser."""
    context = browser.new_context(storage_state=state, timezone_id="Europe/Oslo")
    page = context.new_page()
    page.goto(demo.url + "/welcome")
    page.get_by_role("link", name="Begin", exact=True).click()
    for step in range(1, 6):
        expect(re.search(rf"/welcome/{step}\b", page.url), f"step {step} follows: {page.url}")
        if step == 3:
            page.get_by_role("button", name="Use this device's zone: Europe/Oslo").click()
            expect(page.get_by_label("Time zone").input_value() == "Europe/Oslo", "the zone is taken over")
        if step == 4 or step == 5:
            break
        following = page.get_by_role("button", name="Next")
        (following if following.count() else page.get_by_role("link", name="Next")).click()
    page.get_by_role("link", name="Next").click()
    expect("How a day is shown" in page.locator("main").inner_text(), "the last step shows how it works")
    page.get_by_role("button", name="Finish").click()
    page.wait_for_selector("h1:has-text('Today')")
    context.close()
    return "the first steps, with the browser's own time zone"


def addresses(page, demo):
    """The screens to look at: the fixed ones, a goal with a habit, and a habit's form."""
    found = dict(SCREENS)
    page.goto(demo.url + "/habits")
    found["habit-edit"] = page.locator(".habit-line h3 a").first.get_attribute("href") + "/edit"
    page.goto(demo.url + "/goals")
    goals = page.locator(".goal h2 a")
    if goals.count():
        found["goal"] = goals.first.get_attribute("href")
    return found


JOURNEYS = [goals_without_scripts, habits_with_scripts, first_steps]
