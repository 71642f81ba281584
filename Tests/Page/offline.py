"""What was seen can be read without a connection; what is done waits, and is sent once (MO-10, HH-26)."""

import json
import urllib.parse
import urllib.request

from live import stream
from served import Served


def sign_in(page, server, address):
    """Signs in with a code that the development server shows."""
    page.goto(server.url + "/enter")
    page.locator("input[name=address]").fill(address)
    page.get_by_role("button", name="Send a code").click()
    page.wait_for_selector("input[name=code]")
    with urllib.request.urlopen(f"{server.url}/dev/outbox?to={urllib.parse.quote(address)}") as answer:
        code = json.load(answer)[-1]["code"]
    page.locator("input[name=code]").fill(code)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_selector("h1:has-text('Today')")


def command(context, server, **fields):
    """Sends a command as the person who is signed in, as an app would."""
    token = next(cookie["value"] for cookie in context.cookies() if cookie["name"] == "daybook-access")
    return asked(server, "/v1/commands", token, json.dumps(fields).encode())


def titles(context, server):
    token = next(cookie["value"] for cookie in context.cookies() if cookie["name"] == "daybook-access")
    buckets = asked(server, "/v1/ask/tasks?status=any", token)["ok"]
    return sorted(task["title"] for bucket in buckets for task in bucket["tasks"])


def asked(server, path, token, body=None):
    request = urllib.request.Request(
        server.url + path, data=body, headers={"Authorization": f"Bearer {token}", "Content-Type": "application/json"})
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def waiting(page, count):
    if count:
        page.wait_for_function("count => document.querySelectorAll('#waiting li').length === count", arg=count, timeout=60_000)
    else:
        page.wait_for_selector("#waiting", state="detached", timeout=60_000)


def kept(page):
    """Waits until the worker has kept the present screen."""
    page.evaluate("navigator.serviceWorker.ready.then(() => {})")
    page.reload()
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    page.wait_for_function(
        "async () => { for (const name of await caches.keys()) if (name.startsWith('screens-') && await (await caches.open(name)).match(location.href)) return true; return false; }")


def add(page, title):
    page.locator("input[name=quick]").fill(title)
    page.locator(".quick").get_by_role("button", name="Add").click()


def offline(browser, program, expect):
    with Served(program) as server:
        context = browser.new_context()
        page = context.new_page()
        sign_in(page, server, "ada@example.com")
        hostile = "<img src=x onerror=document.title=1>"
        command(context, server, do="create_habit", name=hostile)
        command(context, server, do="create_label", name="taken")
        for path in ["/", "/tasks", "/tasks/labels"]:
            page.goto(server.url + path)
            kept(page)

        # Without a network.
        context.set_offline(True)
        page.goto(server.url + "/")
        page.wait_for_selector("#kept:has-text('No connection')")
        expect(page.locator(".card").count() == 1, "what was seen can be read")
        page.get_by_role("button", name="Done").click()
        waiting(page, 1)
        expect(hostile in page.locator("#waiting").inner_text(), "what waits is told by its name, as text")
        expect(page.locator("#waiting img").count() == 0, "a name is never markup")
        page.goto(server.url + "/tasks")
        add(page, "Offline milk")
        waiting(page, 2)
        expect(page.locator("input[name=quick]").input_value() == "", "the field is free for the next task")
        add(page, "Offline bread")
        waiting(page, 3)
        page.goto(server.url + "/insights")
        page.wait_for_selector("h1:has-text('No connection')")
        page.goto(server.url + "/tasks/labels")
        page.get_by_label("New label").fill("taken")
        page.get_by_role("button", name="Add", exact=True).click()
        waiting(page, 4)
        context.set_offline(False)
        # The refused one stays, with its sentence, until it is corrected.
        page.wait_for_selector("#waiting .refused", timeout=60_000)
        waiting(page, 1)
        expect(titles(context, server) == ["Offline bread", "Offline milk"], "what waited was sent")
        page.locator("#waiting input[name=name]").fill("free")
        page.get_by_role("button", name="Correct").click()
        waiting(page, 0)
        page.wait_for_selector("li a:has-text('free')")
        page.goto(server.url + "/")
        page.wait_for_selector(".card.is-done")

        # While the server is stopped, and after it is back.
        page.goto(server.url + "/tasks")
        page.wait_for_selector("h1:has-text('Tasks')")
        server.stop()
        add(page, "While stopped")
        waiting(page, 1)
        page.reload()
        page.wait_for_selector("#kept")
        waiting(page, 1)
        server.start()
        waiting(page, 0)
        page.wait_for_selector(".task:has-text('While stopped')")
        expect(titles(context, server).count("While stopped") == 1, "it is recorded once")

        # Another account sends nothing of hers, and sees nothing.
        page.wait_for_function("() => !document.documentElement.dataset.kept")
        server.stop()
        add(page, "Ada's own")
        waiting(page, 1)
        cookies = context.cookies()
        context.clear_cookies()
        server.start()
        sign_in(page, server, "bob@example.com")
        page.goto(server.url + "/tasks")
        expect(page.locator("#waiting").count() == 0, "another account does not see what waits")
        kept(page)
        expect(titles(context, server) == [], "another account sends nothing that waits")
        names = page.evaluate("caches.keys().then(names => names.filter(name => name.startsWith('screens-')).length)")
        expect(names == 1, "screens of one account only are kept")
        context.clear_cookies()
        context.add_cookies(cookies)
        # It ends with the session, at a heartbeat: it is opened here, so that one comes sooner after the end.
        _, changes = stream(server.url, context.cookies())
        page.goto(server.url + "/tasks")
        page.wait_for_selector(".task:has-text(\"Ada's own\")")
        waiting(page, 0)
        expect("Ada's own" in titles(context, server), "it is sent once she is back")

        # Signing out deletes what was kept.
        kept(page)
        page.get_by_role("button", name="Sign out").click()
        page.wait_for_selector("input[name=address]")
        page.wait_for_function(
            "async () => !(await caches.keys()).some(name => name.startsWith('screens-')) && !(await indexedDB.databases()).length")
        while changes.read1(1000):
            pass
        context.set_offline(True)
        try:
            page.goto(server.url + "/tasks")
            shown = page.content()
        except Exception:
            shown = ""  # No connection, and nothing kept.
        expect("milk" not in shown, "after signing out nothing can be read")
        context.close()
        lost_answer(browser, server, expect)
    return "read without a connection; what was done waited, was sent once, was corrected, and stayed its account's"


def lost_answer(browser, server, expect):
    """A form whose answer is lost is sent again, and recorded once; also without a worker."""
    context = browser.new_context(service_workers="block")
    page = context.new_page()
    sign_in(page, server, "cy@example.com")
    page.goto(server.url + "/tasks")

    def lose(route):
        route.fetch()
        route.abort()

    page.route("**/do", lose)
    add(page, "Answered to nobody #lost")
    waiting(page, 1)
    page.unroute("**/do")
    waiting(page, 0)
    expect(titles(context, server) == ["Answered to nobody"], "a lost answer makes no second task")
    context.close()
