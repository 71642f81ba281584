"""Measures how long the server takes for each screen, and for each stop of the slider, in a large book.

    bench_page.py daybook [--entries 1000000] [--accounts 250] [--book DIR] [--times 100] [--check] [--json FILE]

Needs released programs: `daybook`, with `daybook-server` beside it. The book is made of the program's own bench data
(`daybook bench feed`): accounts with five habits each and a hive for every five, logged on nine days of ten. With 250
accounts, a million entries are two years and more. One account gets a household, tasks and goals in addition, and its page
is opened by `daybook page`. The book is kept where --book says, and used again.

- screens: each screen of the present, --times times, after it was opened twice.
- stops: the same screens as of every sixth day of two years, each day once, in a shuffled order.
- first: the bytes of the first screen with all that it loads.

What is measured is the time between sending a request on a kept connection and the end of its answer. --check ends with 1 if a
screen's p99 is above 20 ms, a stop's above 30 ms, or the first screen above 100 KB.
"""

import argparse
import datetime
import http.client
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
import urllib.parse

PERSON = "Bee 7"
KEYS = {name: f"00000000-0000-4000-b000-00000000000{number}" for number, name in enumerate(
    ["household", "recipe", "task", "goal", "label"])}


def key_of(program, book):
    rows = json.loads(subprocess.run(
        [program, "ask", '{"ask":"accounts"}', "--book", book], capture_output=True, text=True, check=True).stdout)
    rows = rows.get("ok", rows) if isinstance(rows, dict) else rows
    return next(row["id"] for row in rows if row.get("display_name", row.get("name")) == PERSON)


def commands(person):
    """What one person has besides habits and hives."""
    def line(do, **fields):
        return {"do": do, "as": person, **fields}

    yield line("create_household", key=KEYS["household"], name="Nest")
    for number in range(20):
        yield line(
            "create_recipe", **({"key": KEYS["recipe"]} if number == 0 else {}), title=f"Recipe {number}",
            ingredients=[f"{place + 1} kg thing {place + number}" for place in range(8)], steps=["Cook.", "Eat."])
    today = datetime.date.today()
    monday = today - datetime.timedelta(days=today.weekday())
    for day in range(14):
        yield line("plan_meal", title=f"Meal {day}", date=(monday + datetime.timedelta(days=day)).isoformat())
        yield line(
            "plan_meal", recipe=KEYS["recipe"], date=(monday + datetime.timedelta(days=day)).isoformat(), servings=2)
    yield line("generate_grocery_list", week_start=monday.isoformat())
    for number in range(20):
        yield line("create_household_task", title=f"Chore {number}", due_date=today.isoformat())
        yield line("add_pantry_staple", name=f"Staple {number}")
        yield line("create_calendar_event", title=f"Event {number}", start_time=today.isoformat())
    yield line("create_label", key=KEYS["label"], name="home")
    for number in range(60):
        yield line(
            "create_task", **({"key": KEYS["task"]} if number == 0 else {}), title=f"Task {number}",
            labels=[KEYS["label"]])
    yield line("create_goal", key=KEYS["goal"], title="A goal")


def make(options):
    book = options.book or os.path.join(tempfile.mkdtemp(prefix="daybook-bench-"), "my.daybook")
    if not os.path.exists(book):
        # A log of every fifth habit is a hive's, too, and those advance.
        logs = int(options.entries / 1.25)
        subprocess.run(
            [options.program, "bench", "feed", "--entries", str(logs), "--accounts", str(options.accounts), "--dir", book],
            check=True, stdout=subprocess.DEVNULL)
        lines = "\n".join(json.dumps(line) for line in commands(key_of(options.program, book)))
        answers = subprocess.run(
            [options.program, "apply", "-", "--book", book], input=lines, capture_output=True, text=True).stdout
        refused = [line for line in answers.splitlines() if '"error"' in line]
        if refused:
            raise SystemExit(f"a command was refused: {refused[0]}")
    return book


class Page:
    """The page of the person, on one connection."""

    def __init__(self, program, book):
        self.process = subprocess.Popen(
            [program, "page", "--no-open", "--book", book, "--as", PERSON], stdout=subprocess.PIPE, text=True)
        link = None
        for line in self.process.stdout:
            link = link or re.search(r"http\S+", line)
            if "Ctrl-C" in line:
                break
        if not link:
            raise SystemExit("the page did not start")
        address = urllib.parse.urlsplit(link.group())
        self.connection = http.client.HTTPConnection(address.hostname, address.port, timeout=60)
        self.cookies = {}
        self.get(f"{address.path}?{address.query}", 303)

    def get(self, target, expected=200):
        """The seconds that an answer took, and its text."""
        headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}
        start = time.perf_counter()
        self.connection.request("GET", target, headers=headers)
        answer = self.connection.getresponse()
        body = answer.read()
        seconds = time.perf_counter() - start
        for cookie in answer.headers.get_all("Set-Cookie") or []:
            name, value = cookie.split(";")[0].split("=", 1)
            self.cookies[name] = value
        if answer.status != expected:
            raise SystemExit(f"{target}: {answer.status} instead of {expected}")
        return seconds, body.decode()

    def first(self, pattern, target):
        found = re.search(pattern, self.get(target)[1])
        if not found:
            raise SystemExit(f"{target} shows no {pattern}")
        return found.group()

    def stop(self):
        self.process.terminate()
        self.process.wait(20)


def screens(page):
    identity = "[0-9a-f]{8}-[0-9a-f-]{27}"
    return {
        "today": "/", "habits": "/habits", "habit": page.first(f"/habits/{identity}", "/habits"), "goals": "/goals",
        "goal": f"/goals/{KEYS['goal']}", "hives": "/hives", "hive": page.first(f"/hives/{identity}", "/hives"),
        "tasks": "/tasks", "task": f"/tasks/{KEYS['task']}", "labels": "/tasks/labels", "household": "/household",
        "chores": "/household/chores", "plan": "/household/plan", "recipes": "/household/recipes",
        "recipe": f"/household/recipes/{KEYS['recipe']}", "groceries": "/household/groceries",
        "pantry": "/household/pantry", "calendar": "/household/calendar", "insights": "/insights", "feed": "/feed",
        "find": "/find?search=ha", "settings": "/settings"}


# What did not exist yet at a past moment has no screen then.
PRESENT_ONLY = {"task", "goal", "recipe", "settings"}


def percentile(seconds, share):
    ordered = sorted(seconds)
    return 1000 * ordered[min(len(ordered) - 1, int(len(ordered) * share))]


def told(name, seconds):
    figures = {"p50": percentile(seconds, 0.5), "p99": percentile(seconds, 0.99), "count": len(seconds)}
    print(f"  {name:<11}p50 {figures['p50']:>8.2f} ms   p99 {figures['p99']:>8.2f} ms   ({figures['count']})", flush=True)
    return figures


def first_screen(page):
    """The bytes of the first screen, of its style, its scripts and whatever those import."""
    text = page.get("/")[1]
    count, seen = len(text.encode()), set()
    waiting = re.findall(r'(?:src|href)="(/page/[^"]+\.(?:js|css|svg))"', text)
    while waiting:
        address = waiting.pop()
        if address in seen:
            continue
        seen.add(address)
        body = page.get(address)[1]
        count += len(body.encode())
        waiting += [urllib.parse.urljoin(address, name) for name in re.findall(r'(?:from|import) ?\(?"(\./[^"]+)"', body)]
    return count, len(seen) + 1


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--entries", type=int, default=1_000_000)
    parser.add_argument("--accounts", type=int, default=250)
    parser.add_argument("--book")
    parser.add_argument("--times", type=int, default=100)
    parser.add_argument("--stops", type=int, default=122)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--json")
    options = parser.parse_args()
    book = make(options)
    page = Page(options.program, book)
    try:
        found = {"screens": {}, "stops": {}}
        addresses = screens(page)
        print("screens")
        for name, address in addresses.items():
            page.get(address), page.get(address)
            found["screens"][name] = told(name, [page.get(address)[0] for _ in range(options.times)])
        print("stops of the slider")
        last = datetime.datetime.now(datetime.timezone.utc).date()
        # Habits of bench data begin with the year 2024.
        start = datetime.date(2024, 1, 3)
        span = min((last - start).days - 1, 730)
        days = [start + datetime.timedelta(days=span * place // max(1, options.stops - 1)) for place in range(options.stops)]
        random.Random(1).shuffle(days)
        for name, address in addresses.items():
            if name in PRESENT_ONLY:
                continue
            mark = "&" if "?" in address else "?"
            # A hive begins a little after its members' habits.
            seconds = [page.get(f"{address}{mark}as_of={day.isoformat()}")[0] for day in days]
            found["stops"][name] = told(name, seconds)
        found["first_screen_bytes"], files = first_screen(page)
        print(f"first screen: {found['first_screen_bytes']} bytes in {files} files")
    finally:
        page.stop()
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(found, file, indent=2)
    slow = [f"{name}: {figures['p99']:.1f} ms" for name, figures in found["screens"].items() if figures["p99"] > 20]
    slow += [f"{name} as of a day: {figures['p99']:.1f} ms" for name, figures in found["stops"].items() if figures["p99"] > 30]
    if found["first_screen_bytes"] > 100_000:
        slow.append(f"the first screen: {found['first_screen_bytes']} bytes")
    if slow:
        print("above the figures: " + "; ".join(slow))
    sys.exit(1 if slow and options.check else 0)


if __name__ == "__main__":
    main()
