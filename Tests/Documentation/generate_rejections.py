"""Prints Docs/Rejections.md: every code with which the program refuses a command.

    python3 generate_rejections.py DAYBOOK                              prints the page
    python3 generate_rejections.py DAYBOOK --check Docs/Rejections.md   exits 1 when the page is stale

DAYBOOK is the program. The meaning of a kind is its comment in Sources/Daybook/Requests/Rejection.swift.
"""

import difflib
import json
import pathlib
import re
import subprocess
import sys

KINDS = pathlib.Path(__file__).resolve().parents[2] / "Sources" / "Daybook" / "Requests" / "Rejection.swift"

INTRODUCTION = """\
# Rejections

<!-- Made by Tests/Documentation/generate_rejections.py from `daybook rejections`. Change the code, not this page. -->

Why a command is rejected. `daybook apply` answers `{"error":{"code","message","field"}}`, `field` only if one is at fault,
and nothing is written; the other commands print the message and exit with 1. The meaning of a code never changes; its
message may.

- **Code**: for programs. Several refusals may share one; their messages differ.
- **Field**: the name in JSON of the field at fault. If the table names none, the error names no field, or whichever is at
  fault.
- **Kind**: what the caller can do about it, with the HTTP status for it.
- The limits, and why: [Limits](Limits.md).
- `daybook rejections --json` prints the table for machines.

An append that expected another end of the book is not a rejection: [Concurrency](Concurrency.md). Nor are a damaged book or
a disk that fails: [The command line](CommandLine.md) has their exit codes.
"""


def kinds():
    """The kinds in order: name to meaning and HTTP status."""
    found, comment = {}, []
    text = KINDS.read_text("utf-8").partition("enum Kind")[2]
    for line in map(str.strip, text.splitlines()):
        if line.startswith("///"):
            comment.append(line[3:].strip())
        elif case := re.match(r'case (\w+)(?: = "(\w+)")?$', line):
            meaning = re.fullmatch(r"(.+) \(HTTP (\d+)\)\.", " ".join(comment))
            found[case[2] or case[1]] = (f"{meaning[1]}.", meaning[2])
            comment = []
    return found


def page(rows):
    lines = INTRODUCTION.splitlines() + ["", "| kind | when | HTTP |", "|---|---|---|"]
    by_kind = {kind: [row for row in rows if row["kind"] == kind] for kind in kinds()}
    for kind, (meaning, status) in kinds().items():
        lines.append(f"| [`{kind}`](#{kind}) | {meaning} | {status} |")
    for kind, rows in by_kind.items():
        lines += ["", f"## {kind}", "", "| code | field | when |", "|---|---|---|"]
        for row in rows:
            field = f"`{row['field']}`" if row["field"] else ""
            lines.append(f"| `{row['code']}` | {field} | {row['meaning']} |")
    return "\n".join(lines) + "\n"


def main(arguments):
    if len(arguments) not in (1, 3) or (len(arguments) == 3 and arguments[1] != "--check"):
        sys.exit(__doc__)
    told = subprocess.run([arguments[0], "rejections", "--json"], check=True, capture_output=True, text=True)
    text = page(json.loads(told.stdout))
    if len(arguments) == 1:
        return print(text, end="")
    path = pathlib.Path(arguments[2])
    old = path.read_text("utf-8") if path.exists() else ""
    if old != text:
        difference = difflib.unified_diff(old.splitlines(), text.splitlines(), str(path), "the program", lineterm="")
        print("\n".join(list(difference)[:20]))
        sys.exit(f"{path} is stale: python3 Tests/Documentation/generate_rejections.py DAYBOOK > {path}")
    print(f"{path} is what the program says")


if __name__ == "__main__":
    main(sys.argv[1:])
