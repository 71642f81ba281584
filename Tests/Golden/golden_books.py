"""Golden books: one of every schema that entries ever had, kept for ever (Docs/Evolution.md).

    python3 Tests/Golden/golden_books.py check PROGRAM    fails when PROGRAM writes a schema that has no golden book
    python3 Tests/Golden/golden_books.py make PROGRAM     makes the book of that schema

PROGRAM is the built `daybook`. A golden book is the result of the commands in every-command.jsonl. New commands go only
to the end of that file, so that an older book is the result of its first lines. The `doc` of a field may change without a
new book.
"""

import difflib
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
FIXTURES = ROOT / "Tests" / "DaybookStoreTests" / "Fixtures"
sys.dont_write_bytecode = True
sys.path.append(str(ROOT / "Tests" / "Documentation"))
from generate_events import header


def newest():
    """The number of the newest golden book."""
    return max(int(path.name.removeprefix("golden-")) for path in FIXTURES.glob("golden-*"))


def undocumented(schema):
    if isinstance(schema, list):
        return [undocumented(item) for item in schema]
    if isinstance(schema, dict):
        return {name: undocumented(value) for name, value in schema.items() if name != "doc"}
    return schema


def schema(book):
    """The schema of a book's entries, a line for each part."""
    return json.dumps(undocumented(json.loads(header(book)["avro.schema"])), indent=1).splitlines()


def written(program, directory):
    """A book of all commands, as the program writes it."""
    book = pathlib.Path(directory) / "golden"
    with (FIXTURES / "every-command.jsonl").open() as commands:
        result = subprocess.run(
            [program, "apply", "--book", book], stdin=commands, capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"every-command.jsonl is refused: {result.stdout}{result.stderr}")
    return book


def check(program, number):
    golden = FIXTURES / f"golden-{number}"
    with tempfile.TemporaryDirectory() as directory:
        old, new = schema(golden), schema(written(program, directory))
    if old == new:
        return print(f"entries are written with the schema of golden-{number}")
    difference = difflib.unified_diff(old, new, f"golden-{number}", "the schema that is written", lineterm="")
    print("\n".join(list(difference)[:40]))
    sys.exit(
        "The schema of entries has changed, and there is no golden book of it yet. If it was meant to change (see"
        f" Docs/Evolution.md), run `python3 Tests/Golden/golden_books.py make {program}` and commit what it makes.")


def make(program, number):
    with tempfile.TemporaryDirectory() as directory:
        book = written(program, directory)
        if schema(FIXTURES / f"golden-{number}") == schema(book):
            sys.exit(f"golden-{number} has this schema already; golden books are never remade")
        made = FIXTURES / f"golden-{number + 1}"
        (made / "journal").mkdir(parents=True)
        for segment in sorted((book / "journal").glob("*.avro")):
            shutil.copyfile(segment, made / "journal" / segment.name)
    print(f"made {made.relative_to(ROOT)}; commit it, and never change it")


if __name__ == "__main__":
    actions = {"check": check, "make": make}
    if len(sys.argv) != 3 or sys.argv[1] not in actions:
        sys.exit(__doc__)
    actions[sys.argv[1]](sys.argv[2], newest())
