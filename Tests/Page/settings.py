"""Settings, devices, data, invites, and a book of one's own, as people use them; journeys.py calls this."""

import http.client
import json
import pathlib
import re
import signal
import subprocess
import tempfile
import urllib.request

from demo import expect

SCREENS = {
    "erase": "/settings/erase", "join": "/join", "legal": "/legal/licences", "insights-months": "/insights?by=month",
    "docs": "/docs/Server", "docs-found": "/docs?search=streak", "docs-folder": "/docs/Decisions",
    "settings-then": "/settings?as_of=2026-03-03",
}

HABITS = """HabitName,HabitDescription,HabitCategory,CalendarDate,Value,CommentText
Juggle <b>,,Play,2026-02-27,1,
Juggle <b>,,Play,2026-02-28,1,
"""


def enter(page, demo, email, link=None):
    """Signs somebody in by a code, as a person does."""
    page.goto(link or demo.url + "/enter")
    page.locator("input[name=address]").fill(email)
    page.get_by_role("button", name="Send a code").click()
    with urllib.request.urlopen(f"{demo.url}/dev/outbox?to={email}") as answer:
        code = json.load(answer)[-1]["code"]
    page.locator("input[name=code]").fill(code)
    page.get_by_role("button", name="Sign in").click()


def data(browser, demo, state):
    """Changes the profile, takes everything along, and brings a file in, without scripts."""
    context = browser.new_context(java_script_enabled=False, storage_state=state)
    page = context.new_page()
    page.goto(demo.url + "/settings")
    expect(re.search(r"Level \d+", page.content()), "the profile card tells the level")
    page.locator("input[name=display_name]").fill("Ada <i>")
    page.get_by_role("button", name="Save").first.click()
    expect(page.locator(".who").first.inner_text() == "Ada <i>", "a name is shown as it was typed")
    page.locator("input[name=display_name]").fill("Ada Lovelace")
    page.get_by_role("button", name="Save").first.click()
    for name, start in [("Export as JSON", '{"position":1,'), ("Export as CSV", "position,")]:
        with page.expect_download() as download:
            page.get_by_role("link", name=name).click()
        text = pathlib.Path(download.value.path()).read_text()
        expect(text.startswith(start), f"{name}: {text[:40]}")
    page.locator("input[type=file]").set_input_files(
        {"name": "habits.csv", "mimeType": "text/csv", "buffer": HABITS.encode()})
    page.get_by_role("button", name="See what it brings").click()
    expect("This would be taken" in page.content() and "categories: 1" in page.content(), "a trial tells what it would bring")
    page.get_by_role("button", name="Import it").click()
    expect("This was taken" in page.content(), "an import tells what it brought")
    page.goto(demo.url + "/")
    expect(page.get_by_role("link", name="Juggle <b>").count() == 1, "an imported habit is there")
    context.close()
    return "a profile changed, everything exported, a file looked at and imported without scripts"


def dropped(browser, demo, state):
    """Drops files on the heading of a screen, far from the form that takes them."""
    context = browser.new_context(storage_state=state)
    page = context.new_page()

    def drop(name, text):
        files = page.evaluate_handle(
            "([name, text]) => { const files = new DataTransfer(); files.items.add(new File([text], name)); return files; }", [name, text])
        page.dispatch_event("h1", "dragover", {"dataTransfer": files})
        expect(page.locator("html.file-over").count() == 1, "the screen shows that it takes the file")
        page.dispatch_event("h1", "drop", {"dataTransfer": files})

    page.goto(demo.url + "/settings")
    drop("dropped.csv", HABITS.replace("Juggle", "Whistle"))
    page.wait_for_selector("text=This would be taken")
    expect("dropped.csv" in page.inner_text("main"), "the file is named")
    page.goto(demo.url + "/household/calendar")
    drop("one.ics", "BEGIN:VCALENDAR")
    page.wait_for_function("() => document.querySelector('textarea[name=ics]').value === 'BEGIN:VCALENDAR'")
    expect(page.get_by_label("Text of the file").is_visible(), "the form is open")
    page.goto(demo.url + "/")
    page.dispatch_event("h1", "drop", {"dataTransfer": page.evaluate_handle("new DataTransfer()")})
    context.close()
    return "files dropped on the settings and on the calendar"


def devices(browser, demo, state):
    """Ends another session, and finds its form kept."""
    context, other = browser.new_context(storage_state=state), browser.new_context()
    page, elsewhere = context.new_page(), other.new_page()
    enter(elsewhere, demo, "ada@example.com")
    elsewhere.goto(demo.url + "/tasks")
    elsewhere.locator("input[name=quick]").fill("Typed before <b>")
    page.goto(demo.url + "/settings")
    expect(page.locator("#devices li").count() >= 2, "both sessions are listed")
    expect("Chrome" in page.locator("#devices").inner_text(), "a browser is named")
    page.get_by_role("button", name="Sign out all others").click()
    page.wait_for_selector("#devices li >> nth=0")
    expect(page.locator("#devices li").count() == 1, "the others have ended")
    elsewhere.locator("input[name=quick]").press("Enter")
    elsewhere.wait_for_selector("text=What you typed is kept")
    elsewhere.locator("input[name=address]").fill("ada@example.com")
    elsewhere.get_by_role("button", name="Send a code").click()
    with urllib.request.urlopen(f"{demo.url}/dev/outbox?to=ada@example.com") as answer:
        elsewhere.locator("input[name=code]").fill(json.load(answer)[-1]["code"])
    elsewhere.get_by_role("button", name="Sign in").click()
    expect(elsewhere.locator("input[name=quick]").input_value() == "Typed before <b>", "what was typed is shown again")
    elsewhere.get_by_role("button", name="Send again").click()
    elsewhere.wait_for_selector(".task:has-text('Typed before <b>')")
    context.close()
    other.close()
    return "devices listed and ended, and what was typed sent after the next sign-in"


def invite(browser, demo, state):
    """Makes an invite, reads its picture, joins by it, and leaves."""
    context = browser.new_context(storage_state=state)
    page = context.new_page()
    page.goto(demo.url + "/hives")
    page.locator("form:has(input[value=create_hive]) input[name=name]").fill("Walkers & <i>")
    page.locator("form:has(input[value=create_hive]) button").click()
    page.wait_for_selector(".card:has-text('Walkers & <i>')")
    page.get_by_role("link", name="Walkers & <i>").click()
    page.wait_for_selector("h1:has-text('Walkers')")
    page.get_by_role("button", name="Make an invite").click()
    page.wait_for_selector(".qr")
    address = page.locator("a.address").get_attribute("href")
    read = decoded(page.locator(".qr").screenshot())
    expect(read in (None, address), f"the picture says {read}, not {address}")
    guest = browser.new_context()
    friend = guest.new_page()
    enter(friend, demo, "grace@example.com", f"{demo.url}/enter?back={address.removeprefix(demo.url).replace('?', '%3F')}")
    friend.wait_for_selector("text=You are about to join the hive")
    expect("Walkers & <i>" in friend.inner_text("main"), "the hive is named before one joins")
    friend.get_by_role("button", name="Join").click()
    friend.wait_for_selector(".card:has-text('Walkers')")
    friend.goto(address)
    expect("You are a member already." in friend.content(), "who has joined is told so")
    page.reload()
    page.get_by_role("button", name="Advance now").click()
    page.wait_for_selector(".members li >> nth=1")
    expect(page.get_by_role("button", name=re.compile("^Remove ")).count() == 1, "the owner may remove the other")
    page.get_by_role("button", name="Hand over").click()
    page.wait_for_selector("text=Leave the hive")
    page.get_by_text("Leave the hive").first.click()
    page.get_by_role("button", name="Leave the hive").click()
    page.wait_for_selector("h1:has-text('Hives')")
    expect("Walkers" not in page.inner_text("main"), "who has left sees nothing of the hive")
    guest.close()
    context.close()
    return f"a hive made, an invite {'read from its picture' if read else 'made'}, joined, handed over, left"


def decoded(picture):
    """What another program reads in a picture; None where there is none to read it."""
    try:
        import io

        import zxingcpp
        from PIL import Image
    except ImportError:
        return None
    found = zxingcpp.read_barcodes(Image.open(io.BytesIO(picture)))
    expect(len(found) == 1, "the picture can be read")
    return found[0].text


def erasure(browser, demo, state):
    """Erases an account by its name, and finds nothing of it."""
    context = browser.new_context()
    page = context.new_page()
    enter(page, demo, "gone@example.com")
    page.goto(demo.url + "/settings")
    page.locator("input[name=display_name]").fill("Somebody Else")
    page.get_by_role("button", name="Save").first.click()
    page.goto(demo.url + "/settings/erase")
    page.locator("input[name=name]").fill("somebody")
    page.get_by_role("button", name="Erase for ever").click()
    expect("nothing was erased" in page.content(), "a wrong name erases nothing")
    page.goto(demo.url + "/settings/erase")
    page.locator("input[name=name]").fill("Somebody Else")
    page.get_by_role("button", name="Erase for ever").click()
    expect("Your account is erased" in page.content(), "an erasure says that it is done")
    page.goto(demo.url + "/")
    expect("/enter" in page.url, "nobody is signed in any more")
    context.close()
    return "an account erased by its name"


def documents(browser, demo, state):
    """Finds a section of the documentation by keyboard, without a sign-in, with scripts and without."""
    for scripts in (False, True):
        context = browser.new_context(java_script_enabled=scripts)
        page, refused = context.new_page(), []
        page.on("console", lambda message: refused.append(message.text) if message.type == "error" else None)
        page.goto(demo.url + "/docs")
        page.locator("input[name=search]").focus()
        page.keyboard.type("torn tail")
        page.keyboard.press("Enter")
        page.wait_for_selector(".findings mark")
        page.locator(".findings a[href*='#section-']").first.focus()
        page.keyboard.press("Enter")
        page.wait_for_selector(".document")
        expect("#section-" in page.url, f"the finding leads to a section, not to {page.url}")
        anchor = page.url.split("#")[1]
        expect(page.locator(f".document [id='{anchor}']").count() == 1, f"the section {anchor} is there")
        page.goto(demo.url + "/docs")
        targets = {link.get_attribute("href") for link in page.locator("main a").all()}
        for target in sorted(target for target in targets if target.startswith("/")):
            expect(context.request.get(demo.url + target).status == 200, f"{target} is there")
        expect(not refused, f"the browser refuses nothing: {refused[:2]}")
        context.close()
    return "a section of the documentation found by keyboard, without a sign-in"


JOURNEYS = [data, dropped, devices, invite, erasure, documents]


def own_page(browser, server):
    """Opens a book of one's own by `daybook page`, and tries to get in otherwise."""
    daybook = str(pathlib.Path(server).with_name("daybook"))
    with tempfile.TemporaryDirectory() as directory:
        book = directory + "/mine.daybook"

        def run(*words):
            return subprocess.run([daybook, *words, "--book", book], capture_output=True, text=True)

        expect("daybook init" in run("page", "--no-open").stderr or run("page").returncode == 1, "without a book there is no page")
        run("init", "--name", "Ada", "--timezone", "Europe/London")
        run("habits", "add", "Read")
        process = subprocess.Popen(
            [daybook, "page", "--no-open", "--book", book], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        text = ""
        for line in process.stdout:
            text += line
            if "Ctrl-C" in line:
                break
        link = re.search(r"http://127\.0\.0\.1:(\d+)/enter\?link=\S+", text)
        expect(link, f"a link is printed: {text}")
        port = int(link.group(1))

        def ask(path, host):
            connection = http.client.HTTPConnection("127.0.0.1", port)
            connection.request("GET", path, headers={"Host": host})
            return connection.getresponse()

        for host in ["evil.example", f"evil.example:{port}", "127.0.0.1.evil.example", ""]:
            expect(ask("/enter", host).status in (400, 421), f"the host {host!r} is none of this machine's")
        for host in [f"127.0.0.1:{port}", f"localhost:{port}", "LOCALHOST", f"[::1]:{port}"]:
            expect(ask("/enter", host).status == 200, f"{host} is this machine")
        for path in ["/rest/v1/habits", "/auth/v1/settings", "/v1/ask/habits", "/dev/outbox", "/metrics"]:
            expect(ask(path, f"127.0.0.1:{port}").status == 404, f"{path} is not served")
        context, other = browser.new_context(), browser.new_context()
        page, stranger = context.new_page(), other.new_page()
        page.goto(link.group(0))
        page.wait_for_selector("h1:has-text('Today')")
        page.get_by_role("button", name="Done").click()
        page.wait_for_selector(".card.is-done:has-text('Read')")
        stranger.goto(link.group(0))
        expect("was used already" in stranger.content(), "a link is used up")
        expect(stranger.locator("form").count() == 0, "nobody can sign in otherwise")
        held = run("log", "Read")
        expect(held.returncode == 4, f"the book is held: {held.returncode} {held.stderr}")
        second = run("page", "--no-open")
        expect(second.returncode == 4 and "held by another program" in second.stderr, f"a second page is refused: {second.stderr}")
        process.send_signal(signal.SIGINT)
        expect(process.wait(20) == 0, "Ctrl-C ends it")
        expect('"current":1' in run("streaks", "--json").stdout, "what was recorded is in the book")
        expect([item.name for item in pathlib.Path(book).iterdir() if "sqlite" in item.name] == [], "nothing is kept beside the book")
        context.close()
        other.close()
    return "a book of one's own, opened once by its link, from this machine alone"
