"""Journeys through the household's rooms, without scripts and with them. journeys.py runs them."""

import re

from demo import expect


def more(page, line):
    """Opens what can be done with a line."""
    line.locator("details.more > summary").click()
    return line.locator("details.more")


def without_scripts(browser, demo, state):
    """From a recipe over the plan to the shop, and why: by forms alone."""
    context = browser.new_context(java_script_enabled=False, storage_state=state)
    page = context.new_page()
    page.goto(demo.url + "/household")
    expect(page.get_by_role("heading", level=1).inner_text().startswith("Elm Street"), "the household's name")
    # A recipe is written.
    page.get_by_role("link", name="Recipes", exact=True).click()
    page.get_by_text("A new recipe").click()
    page.get_by_label("Title").fill("Waffles <b>")
    page.get_by_label("Servings").fill("4")
    page.get_by_label("Ingredients, one a line").fill("250 g flour\n2 eggs\n½ l milk\n1 pinch cardamom")
    page.get_by_label("Steps, one a line").fill("Stir.\nBake.")
    page.get_by_role("button", name="Keep the recipe").click()
    expect(page.get_by_role("heading", level=1).inner_text() == "Waffles <b>", "the form leads to the new recipe")
    # It is read for others, and cooked.
    page.get_by_role("textbox", name="Servings").first.fill("6")
    page.get_by_role("button", name="Scale").click()
    expect("375 g flour" in page.locator(".ingredients").inner_text(), "six servings take 375 g of flour")
    page.get_by_role("link", name="Cook", exact=True).click()
    expect(page.locator(".instruction").inner_text() == "Stir.", "the first step")
    page.get_by_role("link", name="Next ›").click()
    expect(page.locator(".instruction").inner_text() == "Bake.", "the second step")
    expect("375 g flour" in page.locator(".ingredients").inner_text(), "the ingredients stand beside")
    page.get_by_role("link", name="Enjoy").click()
    # It is planned for next week, and shopped for.
    page.get_by_role("link", name="Plan a meal").first.click()
    page.get_by_role("link", name="The week after ›").click()
    page.locator("select[name=recipe]").last.select_option(label="Waffles <b>")
    page.get_by_role("button", name="Plan", exact=True).click()
    expect(page.locator(".week").get_by_role("link", name="Waffles <b>").count() == 1, "the meal is in the week")
    page.get_by_role("button", name="Make the grocery list").click()
    expect("/household/groceries" in page.url, "the plan leads to the list")
    line = page.locator(".line").filter(has_text="cardamom")
    line.get_by_role("link", name="Why?").click()
    reasons = page.locator("#why")
    expect("Waffles <b>" in reasons.inner_text(), "the line says for which recipe")
    expect("made the list from the meals" in reasons.inner_text(), "and which entries made it so")
    before = int(re.search(r"(\d+) of", page.locator(".progress").inner_text()).group(1))
    page.locator(".line").filter(has_text="cardamom").get_by_role("button", name="In the basket").click()
    page.locator(".progress").filter(has_text=f"{before + 1} of").wait_for()
    page.get_by_role("button", name="Undo").click()
    page.locator(".progress").filter(has_text=f"{before} of").wait_for()
    # A link of the evidence leads to its moment, where nothing can be done.
    if page.locator("#why").count() == 0:
        page.locator(".line").filter(has_text="cardamom").get_by_role("link", name="Why?").click()
    page.locator("#why .history a").last.click()
    expect("as_of=" in page.url and "read-only" in page.content(), "evidence leads to its moment")
    expect(page.locator("form[action='/do']").count() == 0, "nothing is recorded in the past")
    # A wrong form keeps what was typed.
    page.goto(demo.url + "/household/calendar")
    page.locator("summary", has_text="Take in a calendar file").click()
    page.get_by_label("Text of the file").fill("no calendar")
    page.get_by_role("button", name="Take in").click()
    expect(page.get_by_label("Text of the file").input_value() == "no calendar", "a refused form keeps its text")
    context.close()
    return "a recipe written, scaled, cooked, planned, shopped for and explained without scripts"


def with_scripts(browser, demo, state):
    """Chores, the basket, the calendar and the slider, with the page's scripts."""
    context = browser.new_context(storage_state=state)
    page = context.new_page()
    errors = []
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(demo.url + "/household/chores")
    page.get_by_label("Title").last.fill("Descale the kettle")
    page.locator("select[name=assigned_to]").last.select_option(label="Noor")
    page.get_by_role("button", name="Add").click()
    page.wait_for_selector(".task:has-text('Descale the kettle')")
    edit = more(page, page.locator(".task").filter(has_text="Descale the kettle"))
    edit.get_by_label("Due on").fill("2030-01-01")
    edit.get_by_role("button", name="Save").click()
    page.wait_for_selector(".task:has-text('Jan 1')")
    page.get_by_role("button", name="Complete: Descale the kettle").click()
    page.wait_for_selector(".task:has-text('Descale the kettle')", state="detached")
    # The basket.
    page.goto(demo.url + "/household/groceries")
    before = page.locator(".line .title").all_inner_texts()
    page.get_by_role("button", name="In the basket").first.click()
    page.wait_for_selector(".note.done")
    expect(page.locator(".line .title").all_inner_texts() == before, "a ticked line stays where it is")
    # The calendar.
    page.goto(demo.url + "/household/calendar")
    page.get_by_label("Title").last.fill("Dentist")
    page.get_by_label("From", exact=True).last.fill("15:00")
    page.get_by_label("To", exact=True).last.fill("15:45")
    page.get_by_role("button", name="Add").click()
    page.wait_for_selector(".event:has-text('Dentist')")
    expect("15:00–15:45" in page.locator(".event").filter(has_text="Dentist").inner_text(), "its times are told")
    # The slider shows what the list said.
    page.goto(demo.url + "/household/groceries")
    page.locator("#back").focus()
    page.keyboard.press("PageDown")
    page.wait_for_url(re.compile("as_of="))
    page.wait_for_selector("text=read-only")
    expect(page.locator("form[action='/do']").count() == 1 or page.locator("main form").count() == 0, "no form in the past")
    expect(not errors, f"the console has no errors: {errors[:3]}")
    context.close()
    return "chores, the basket, the calendar and the slider of a household"


def screens(page, demo):
    """The screens that are looked at: their addresses, and what is opened on them first."""
    page.goto(demo.url + "/household/groceries")
    why = page.get_by_role("link", name="Why?").first.get_attribute("href")
    page.goto(demo.url + "/household/recipes")
    recipe = page.locator(".card h2 a").first.get_attribute("href").split("?")[0]
    return {
        "household": "/household", "chores": "/household/chores?show=all", "plan": "/household/plan",
        "recipes": ("/household/recipes", lambda page: page.get_by_text("A new recipe").click()),
        "groceries": "/household/groceries", "pantry": "/household/pantry", "calendar": "/household/calendar",
        "household-join": "/household/join?code=0123456789ab", "household-then": "/household/groceries?back=7",
        "why": (why, lambda page: page.locator("details.more > summary").nth(1).click()),
        "recipe": f"{recipe}?servings=6", "cook": f"{recipe}?servings=6&cook=1&step=2",
        "recipe-form": (recipe, lambda page: page.get_by_text("Change or delete").click()),
    }
