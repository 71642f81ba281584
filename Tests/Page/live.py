"""Changes that were made elsewhere appear by themselves, and disturb nobody."""

import http.client
import urllib.parse


def stream(url, cookies):
    """Opens the stream of changes as a browser with these cookies; returns the connection and the answer."""
    connection = http.client.HTTPConnection(urllib.parse.urlsplit(url).netloc, timeout=60)
    text = "; ".join(f"{cookie['name']}={cookie['value']}" for cookie in cookies)
    connection.request("GET", "/changes", headers={"Cookie": text, "Accept": "text/event-stream"})
    return connection, connection.getresponse()


def limited(demo, state, expect):
    """An account opens eight streams at most, with those of its browsers, and nobody opens one without a session."""
    connections, statuses = [], []
    for _ in range(9):
        connection, answer = stream(demo.url, state["cookies"])
        connections.append(connection)
        statuses.append(answer.status)
    expect(statuses[0] == 200 and statuses[-1] == 429, f"the streams are answered with {statuses}")
    expect(stream(demo.url, [])[1].status == 401, "a stream needs a session")
    for connection in connections:
        connection.close()


def live(browser, demo, state, expect):
    """Another browser of the same person records, and this one shows it."""
    here, there = browser.new_context(storage_state=state), browser.new_context(java_script_enabled=False, storage_state=state)
    page, other = here.new_page(), there.new_page()
    second = here.new_page()
    page.goto(demo.url + "/tasks")
    second.goto(demo.url + "/tasks")
    page.evaluate("window.stayed = true")
    page.bring_to_front()
    field = page.locator("input[name=quick]")
    field.fill("Half a tho")
    page.keyboard.press("Control+k")
    page.wait_for_selector("dialog#palette[open]")
    page.keyboard.type("read")
    other.goto(demo.url + "/tasks")
    other.locator("input[name=quick]").fill("From elsewhere")
    other.get_by_role("button", name="Add").click()
    page.wait_for_selector(".task:has-text('From elsewhere')", timeout=60_000)
    expect(page.evaluate("window.stayed") is True, "the page is not loaded anew")
    expect(page.locator("dialog#palette[open]").count() == 1, "an open dialog stays open")
    expect(page.locator("#palette-field").input_value() == "read", "what was typed into it stays")
    expect(page.evaluate("document.activeElement.id") == "palette-field", "the focus stays")
    page.keyboard.press("Escape")
    expect(field.input_value() == "Half a tho", "what was typed into a form stays")
    expect(page.evaluate("document.activeElement.name") == "quick", "the focus returns to where it was")
    page.keyboard.type("ught")
    other.locator("input[name=quick]").fill("Once more")
    other.get_by_role("button", name="Add").click()
    page.wait_for_selector(".task:has-text('Once more')", timeout=60_000)
    page.keyboard.type(" of mine")
    expect(field.input_value() == "Half a thought of mine", "typing goes on while the screen changes")
    # One tab listens for both.
    second.bring_to_front()
    second.wait_for_selector(".task:has-text('Once more')", timeout=60_000)
    # The past does not change.
    page.bring_to_front()
    page.goto(demo.url + "/tasks?as_of=2026-03-03")
    page.evaluate("document.querySelector('main').dataset.same = 'yes'")
    other.locator("input[name=quick]").fill("Not then")
    other.get_by_role("button", name="Add").click()
    second.bring_to_front()
    second.wait_for_selector(".task:has-text('Not then')", timeout=60_000)
    expect(page.locator("main[data-same]").count() == 1, "the past is left as it is")
    here.close()
    there.close()
    limited(demo, state, expect)
    return "changes of another browser appear, and leave the focus, what is typed and open dialogs alone"
