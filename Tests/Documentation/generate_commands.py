"""Fills the tables of commands and questions in Docs/CommandLine.md from the program's own schema.

    python3 generate_commands.py BINARY Docs/CommandLine.md            writes the tables
    python3 generate_commands.py BINARY Docs/CommandLine.md --check    exits 1 when one is stale

Each table stands between two comments. The columns, what they mean when they are absent and what is answered are
those of `daybook schema --json` and `daybook schema --questions --json`; the words are those of `daybook schema --words`.
"""

import difflib
import json
import pathlib
import subprocess
import sys

BEGIN = "<!-- Made by Tests/Documentation/generate_commands.py. Change the code, not this table. -->\n"
END = "<!-- The end of the generated table. -->\n"
# The fields that a question may have besides its own columns.
AXES = ["as", "as_of", "on", "rule"]


def shown(value):
    return f"`{json.dumps(value, ensure_ascii=False)}`"


def words(column, is_needed):
    """The description of a column, beside its name."""
    said = ["needed"] if is_needed else []
    for part in column.get("anyOf", []):
        if "enum" in part:
            column = {**column, **part}
    types = column.get("type", [])
    symbols = [symbol for symbol in column.get("enum", []) if symbol is not None]
    if symbols:
        usual = column.get("default")
        said.append(", ".join(f"`{symbol}`" for symbol in sorted(symbols, key=lambda symbol: symbol != usual)))
    elif "default" in column:
        said.append(shown(column["default"]))
    if "minimum" in column and "maximum" in column and "integer" in types:
        said.append(f"{column['minimum']} … {column['maximum']}")
    if is_needed and "null" in types:
        said.append("or null")
    if "description" in column:
        said.append(column["description"])
    return "; ".join(said)


def cell(name, column, is_needed):
    said = words(column, is_needed)
    return f"`{name}`" + (f" ({said})" if said else "")


def table(schema, heads, verb, own, taken, terminal=None):
    """A row for each command or question: `own` returns its own columns, `taken` the other columns that it accepts, and
    `terminal` the words for it at a terminal."""
    rows = ["| " + " | ".join(heads) + " |\n", "|---" * len(heads) + "|\n"]
    for name, sent in sorted(schema["$defs"].items()):
        names = [column for column in sent["properties"] if column != verb]
        columns = [cell(column, sent["properties"][column], column in sent["required"]) for column in own(names)]
        row = [f"`{name}`", sent["description"], ", ".join(columns)]
        row += [", ".join(f"`{column}`" for column in names if column in taken)] if taken else []
        row.append(sent["answer"])
        row += [terminal[name]] if terminal else []
        rows.append("| " + " | ".join(part.replace("|", "\\|") for part in row) + " |\n")
    return "".join(rows)


def schema(binary, *options):
    said = subprocess.run([binary, "schema", *options, "--json"], check=True, capture_output=True)
    return json.loads(said.stdout)


def terminal(binary):
    """The words by which people carry out each command."""
    said = subprocess.run([binary, "schema", "--words"], check=True, capture_output=True, text=True)
    rows = dict(line.split("\t") for line in said.stdout.splitlines())
    if missing := [name for name, words in rows.items() if not words]:
        sys.exit(f"let words record {', '.join(missing)}, or say in CommandWords.swift why none do")
    return {name: f"`{words}`" if words.startswith("daybook ") else words for name, words in rows.items()}


def tables(binary):
    heads = ["`do`", "what it does", "columns", "answers", "at a terminal"]
    # A command's own columns stand before those that every command has.
    yield table(schema(binary), heads, "do", lambda names: names[: names.index("as")], [], terminal(binary))
    heads = ["`ask`", "what it asks", "columns", "takes", "answers"]
    own = lambda names: [name for name in names if name not in AXES]
    yield table(schema(binary, "--questions"), heads, "ask", own, AXES)


def main():
    binary, path = sys.argv[1], pathlib.Path(sys.argv[2])
    page = path.read_text()
    made, rest = "", page
    for text in tables(binary):
        head, _, rest = rest.partition(BEGIN)
        _, end, rest = rest.partition(END)
        if not end:
            sys.exit(f"{path} has no place for a table: two comments must mark it")
        made += head + BEGIN + "\n" + text + "\n" + END
    made += rest
    if "--check" not in sys.argv:
        path.write_text(made)
    elif made != page:
        sys.stdout.writelines(difflib.unified_diff(page.splitlines(True), made.splitlines(True), str(path), "made"))
        sys.exit(f"{path} is stale: python3 {sys.argv[0]} {binary} {path}")


main()
