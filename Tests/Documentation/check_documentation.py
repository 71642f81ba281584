"""Checks that README.md and Docs/*.md are true.

    python3 check_documentation.py DIRECTORY      the directory of the program `daybook`

- ```console: the lines that begin with "$ " (and go on in lines that begin with "> ") are run, in order, in one
  empty directory for each page; what they print must be the lines that follow. A line "..." stands for any
  number of lines.
- ```json: it is JSON.
- ```sh: it is run, in a directory of its own, and exits 0; unless <!-- not run: reason --> stands before it, or it uses
  `sqlite3` where that is not installed.
- ```swift, in README.md and Docs/Streaks.md, Evolution.md, Concurrency.md, Embedding.md and Auditing.md: it stands in a file under Examples or Tests, line by line,
  indentation aside.
- ```python: the example of Docs/Format.md answers as the program does (skipped where fastavro is not installed).
- Links within the repository lead to a file, and to a heading of it where they name one.

Prints what it did; exits 1 if a block differed, after the first difference of each.
"""

import importlib.util
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Block:
    def __init__(self, page, line, kind, lines, reason):
        self.page, self.line, self.kind, self.lines, self.reason = page, line, kind, lines, reason


def parse(page):
    """The fenced blocks of a page, and its other lines with their numbers."""
    blocks, prose, open_block, reason = [], [], None, None
    for number, line in enumerate(page.read_text("utf-8").splitlines(), 1):
        if open_block:
            if line.strip() == "```":
                blocks.append(open_block)
                open_block = None
            else:
                open_block.lines.append(line)
        elif fence := re.match(r"\s*```(\w*)$", line):
            open_block, reason = Block(page, number, fence[1], [], reason), None
        else:
            prose.append((number, line))
            if comment := re.match(r"\s*<!-- not run: (.+) -->", line):
                reason = comment[1]
            elif line.strip():
                reason = None
    return blocks, prose


class Checker:
    def __init__(self, program):
        self.failures, self.done = [], {}
        self.environment = {
            **os.environ, "PATH": f"{program}:{os.environ['PATH']}", "NO_COLOR": "1", "TZ": "UTC",
            "LC_ALL": "C.UTF-8"}
        for name in ("DAYBOOK", "DAYBOOK_AS", "DAYBOOK_PEPPER"):
            self.environment.pop(name, None)
        sources = [path for folder in ("Examples", "Tests") for path in (ROOT / folder).rglob("*.swift")]
        self.sources = ["\n".join(map(str.strip, path.read_text("utf-8").splitlines())) for path in sources]

    def fail(self, page, line, message):
        self.failures.append(f"{page.relative_to(ROOT)}:{line}: {message}")

    def count(self, page, what):
        self.done.setdefault(page, {}).setdefault(what, 0)
        self.done[page][what] += 1

    def run(self, command, directory):
        return subprocess.run(
            ["bash", "-c", command], cwd=directory, env=self.environment, capture_output=True, text=True,
            timeout=600)

    def page(self, page):
        blocks, prose = parse(page)
        with tempfile.TemporaryDirectory() as directory:
            for block in blocks:
                if check := getattr(self, f"check_{block.kind}", None):
                    check(block, directory)
        self.links(page, prose)
        done = ", ".join(f"{count} {what}" for what, count in self.done.get(page, {}).items())
        print(f"{page.relative_to(ROOT)}: {done or 'nothing to check'}")

    def check_console(self, block, directory):
        steps = []
        for number, line in enumerate(block.lines, block.line + 1):
            if line.startswith("$ "):
                steps.append((number, line[2:], []))
            elif steps and line.startswith("> ") and not steps[-1][2]:
                steps[-1] = (number, f"{steps[-1][1]}\n{line[2:]}", [])
            elif steps:
                steps[-1][2].append(line)
            else:
                return self.fail(block.page, number, "a console block begins with a command, \"$ …\"")
        for number, command, expected in steps:
            self.count(block.page, "commands")
            result = self.run(command, directory)
            actual = result.stdout.splitlines()
            place = difference(expected, actual)
            if place is None:
                continue
            wanted, found = place
            message = f"`{command.splitlines()[0]}` should print\n    {line_at(expected, wanted)}\n  but prints\n    {line_at(actual, found)}"
            if result.stderr.strip():
                message += f"\n  and says\n    {result.stderr.strip()}"
            return self.fail(block.page, number + 1 + wanted, message)

    def check_json(self, block, directory):
        self.count(block.page, "JSON blocks")
        try:
            json.loads("\n".join(block.lines))
        except json.JSONDecodeError as error:
            self.fail(block.page, block.line + error.lineno, f"this is no JSON: {error.msg}")

    def check_sh(self, block, directory):
        if block.reason:
            print(f"{block.page.relative_to(ROOT)}:{block.line}: not run: {block.reason}")
            return
        if any("sqlite3 " in line for line in block.lines) and not shutil.which("sqlite3"):
            return print(f"{block.page.relative_to(ROOT)}:{block.line}: skipped: sqlite3 is not installed")
        self.count(block.page, "shell blocks")
        with tempfile.TemporaryDirectory() as own:
            result = self.run("set -euo pipefail\n" + "\n".join(block.lines), own)
        if result.returncode != 0:
            self.fail(block.page, block.line, f"it exits {result.returncode}: {result.stderr.strip()[-400:]}")

    def check_swift(self, block, directory):
        if block.page.name not in ("README.md", "Streaks.md", "Evolution.md", "Concurrency.md", "Embedding.md", "Auditing.md"):
            return
        self.count(block.page, "Swift blocks")
        text = "\n".join(map(str.strip, block.lines)).strip()
        if not any(text in source for source in self.sources):
            self.fail(block.page, block.line, "no file under Examples or Tests has these lines")

    def check_python(self, block, directory):
        if block.page.name != "Format.md":
            return
        if importlib.util.find_spec("fastavro") is None:
            return print(f"{block.page.relative_to(ROOT)}:{block.line}: skipped: fastavro is not installed")
        self.count(block.page, "Python examples")
        with tempfile.TemporaryDirectory() as own:
            script = pathlib.Path(own, "example.py")
            script.write_text("\n".join(block.lines) + "\n", "utf-8")
            pathlib.Path(own, "commands").write_text(commands(), "utf-8")
            made = self.run("daybook apply commands --book example.daybook", own)
            for today in ("2026-03-12", "2026-03-13", "2026-03-14", "2026-03-15"):
                if made.returncode != 0:
                    return self.fail(block.page, block.line, f"the book: {made.stdout[-300:]}{made.stderr}")
                told = self.run(
                    f"daybook streaks --json --book example.daybook --as-of {today}T22:00:00Z", own)
                current = json.loads(told.stdout)[0]["current"] if told.returncode == 0 else told.stderr
                example = self.run(f"'{sys.executable}' example.py example.daybook 1 {today}", own)
                if example.stdout.strip() != str(current):
                    answer = example.stdout.strip() or example.stderr.strip()[-400:]
                    return self.fail(
                        block.page, block.line, f"on {today} it says {answer}, and the program {current}")

    def links(self, page, prose):
        for number, line in prose:
            for target in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`]*`", "", line)):
                if re.match(r"[a-z]+:", target):
                    continue
                self.count(page, "links")
                path, _, anchor = target.partition("#")
                file = (page.parent / path).resolve() if path else page
                if not file.exists():
                    self.fail(page, number, f"there is no {path}")
                elif anchor and file.suffix == ".md" and anchor not in anchors(file):
                    self.fail(page, number, f"{path or page.name} has no heading #{anchor}")


def anchors(page):
    """The headings of a page as links name them."""
    _, prose = parse(page)
    titles = [line.lstrip("#").strip() for _, line in prose if line.startswith("#")]
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles} | {
        title.lower().split(" ", 1)[-1] for title in titles}


def difference(expected, actual):
    """Where the two differ, as places in both; None when `actual` is as expected."""
    parts, runs = [], [[]]
    for line in expected:
        if line == "...":
            runs.append([])
        else:
            runs[-1].append(line)
    if len(runs) == 1:
        for index in range(max(len(expected), len(actual))):
            if line_at(expected, index) != line_at(actual, index):
                return index, index
        return None
    start, place = 0, 0
    for number, part in enumerate(runs):
        last = number == len(runs) - 1
        if number == 0:
            found = 0 if actual[: len(part)] == part else None
        elif last:
            found = len(actual) - len(part)
            if found < start or actual[found:] != part:
                found = None
        else:
            places = range(start, len(actual) - len(part) + 1)
            found = next((at for at in places if actual[at : at + len(part)] == part), None)
        if found is None:
            return place, start
        start, place = found + len(part), place + len(part) + 1
    return None


def line_at(lines, index):
    return lines[index] if index < len(lines) else "(nothing)"


def commands():
    """A daily habit, logged on most days up to 13 March 2026."""
    account, habit = "a0000000-0000-4000-8000-000000000001", "b0000000-0000-4000-8000-000000000001"
    lines = [
        {"do": "create_account", "key": account, "timezone": "UTC", "at": "2026-03-01T08:00:00Z"},
        {"do": "create_habit", "as": account, "key": habit, "name": "Read", "at": "2026-03-01T08:01:00Z"}]
    lines += [
        {"do": "log_habit", "as": account, "habit": habit, "at": f"2026-03-{day:02}T21:00:00Z"}
        for day in (1, 2, 3, 4, 6, 7, 9, 10, 11, 12, 13)]
    return "".join(json.dumps(line) + "\n" for line in lines)


def main(arguments):
    if len(arguments) != 1:
        sys.exit(__doc__)
    program = pathlib.Path(arguments[0]).resolve()
    if not (program / "daybook").exists():
        sys.exit(f"there is no program daybook in {program}")
    checker = Checker(program)
    for page in [ROOT / "README.md", *sorted((ROOT / "Docs").rglob("*.md"))]:
        checker.page(page)
    if checker.failures:
        print("\n" + "\n".join(checker.failures))
        sys.exit(1)


if __name__ == "__main__":
    main(sys.argv[1:])
