"""Prints Docs/Requirements.md: each requirement, and the tests that name it.

    python3 generate_requirements.py                                prints the page
    python3 generate_requirements.py --check Docs/Requirements.md   exits 1 when the page is stale

A test names the requirements that it proves in its display name: "a skip never breaks a streak (HH-10)".
The wording comes from ../shared/requirements.md if it lies beside the checkout, or else from the page itself; then only the
tests are checked.
"""

import difflib
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "Docs" / "Requirements.md"
STATEMENT = ROOT.parent / "shared" / "requirements.md"

INTRODUCTION = """\
# Requirements

<!-- Made by Tests/Documentation/generate_requirements.py from the names of the tests. Change those, not this page. -->

The requirements, and the tests that prove them. A test that names a requirement need not prove all of it; "not yet" means
that no test names it.
"""

AREAS = {
    "HH": "Habits, and hives that keep one streak together",
    "DG": "One habit at a time",
    "DM": "Tasks, offline-first on many devices",
    "MC": "A household",
    "MO": "Goals with daily habits",
    "ES": "The event-sourced core",
}

ID = re.compile(r"\b([A-Z]{2})-(\d+)(?:\s*(?:\.\.\.|…|–)\s*(?:\1-)?(\d+))?")


def ids(text):
    """The ids in a text: `HH-9, HH-10`, and ranges: `HH-7...HH-9`."""
    return [f"{area}-{n}" for area, a, b in ID.findall(text) for n in range(int(a), int(b or a) + 1)]


def short(text):
    """The first words of a requirement: its first clause, and about a hundred characters of it."""
    text = re.sub(r"[*`]", "", " ".join(text.split())).replace("|", "\\|")
    for stop in re.finditer(r"[.;]\s", text + " "):
        if text.count("(", 0, stop.start()) == text.count(")", 0, stop.start()):
            text = text[: stop.start()]
            break
    if len(text) > 100:
        text = text[:100].rsplit(" ", 1)[0].rstrip(",;:(→ ") + " …"
    return text


def requirements():
    """Id to wording, in order."""
    if STATEMENT.exists():
        items, current = {}, None
        for line in STATEMENT.read_text("utf-8").splitlines():
            if item := re.match(r"- ([A-Z]{2}-\d+) (.*)", line):
                current = item[1]
                items[current] = item[2]
            elif current and line.startswith("  "):
                items[current] += " " + line.strip()
            else:
                current = None
        return {name: short(text) for name, text in items.items()}
    rows = re.findall(r"^\| ([A-Z]{2}-\d+) \| (.*?) \| .* \|$", PAGE.read_text("utf-8"), re.MULTILINE)
    return dict(rows)


def tests():
    """Every test's or suite's display name that has an id in it: id to `file: name`."""
    found = {}
    name = re.compile(r'(?:func|struct|class|enum) `([^`]+)`|@(?:Test|Suite)\(\s*"((?:[^"\\]|\\.)*)"')
    for path in sorted((ROOT / "Tests").rglob("*.swift")):
        for raw, quoted in name.findall(path.read_text("utf-8")):
            title = raw or quoted
            for number in dict.fromkeys(ids(title)):
                words = re.sub(r"\s*\([^()]*[A-Z]{2}-\d+[^()]*\)", "", title).replace("|", "\\|")
                found.setdefault(number, []).append((path.stem, words))
    return found


def page():
    asked, proved = requirements(), tests()
    if unknown := sorted(set(proved) - set(asked)):
        file, title = proved[unknown[0]][0]
        sys.exit(f"{file}: \"{title}\" names {unknown[0]}, which is not a requirement")
    lines = INTRODUCTION.splitlines() + ["", f"{len(proved)} of {len(asked)} are named by a test."]
    area = None
    for number, text in asked.items():
        if number[:2] != area:
            area = number[:2]
            lines += ["", f"## {area} · {AREAS.get(area, area)}", "", "| id | requirement | tests |", "|---|---|---|"]
        cell = "<br>".join(f"{file}: {title}" for file, title in proved.get(number, [])) or "not yet"
        lines.append(f"| {number} | {text} | {cell} |")
    return "\n".join(lines) + "\n"


def main(arguments):
    if arguments and (len(arguments) != 2 or arguments[0] != "--check"):
        sys.exit(__doc__)
    text = page()
    if not arguments:
        return print(text, end="")
    path = pathlib.Path(arguments[1])
    old = path.read_text("utf-8") if path.exists() else ""
    if old != text:
        difference = difflib.unified_diff(old.splitlines(), text.splitlines(), str(path), "the tests", lineterm="")
        print("\n".join(list(difference)[:20]))
        sys.exit(f"{path} is stale: python3 Tests/Documentation/generate_requirements.py > page, then move it to {path}")
    print(f"{path} is what the tests say")


if __name__ == "__main__":
    main(sys.argv[1:])
