"""Fills the table of commands in Docs/CommandLine.md from what the program says of itself.

    python3 generate_commands.py BINARY Docs/CommandLine.md            writes the table
    python3 generate_commands.py BINARY Docs/CommandLine.md --check    exits 1 when it is stale

The table stands between two comments. A command's columns, what they mean when they are absent and what it answers
are those of `daybook schema --json`.
"""

import difflib
import json
import pathlib
import subprocess
import sys

BEGIN = "<!-- Made by Tests/Documentation/generate_commands.py. Change the code, not this table. -->\n"
END = "<!-- The end of what is made. -->\n"


def shown(value):
    return f"`{json.dumps(value, ensure_ascii=False)}`"


def words(column, is_needed):
    """What is to be said of a column beside its name."""
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


def table(schema):
    rows = ["| `do` | what it does | columns | answers |\n", "|---|---|---|---|\n"]
    for name, command in sorted(schema["$defs"].items()):
        # Its own columns stand between what it is called and those that every command has.
        names = list(command["properties"])
        columns = [
            cell(column, command["properties"][column], column in command["required"])
            for column in names[names.index("do") + 1 : names.index("as")]
        ]
        row = [f"`{name}`", command["description"], ", ".join(columns), command["answer"]]
        rows.append("| " + " | ".join(part.replace("|", "\\|") for part in row) + " |\n")
    return "".join(rows)


def main():
    binary, path = sys.argv[1], pathlib.Path(sys.argv[2])
    schema = json.loads(subprocess.run([binary, "schema", "--json"], check=True, capture_output=True).stdout)
    page = path.read_text()
    head, _, rest = page.partition(BEGIN)
    _, _, tail = rest.partition(END)
    if not tail:
        sys.exit(f"{path} has no place for the table: two comments say where it stands")
    made = head + BEGIN + "\n" + table(schema) + "\n" + END + tail
    if "--check" not in sys.argv:
        path.write_text(made)
    elif made != page:
        sys.stdout.writelines(difflib.unified_diff(page.splitlines(True), made.splitlines(True), str(path), "made"))
        sys.exit(f"{path} is stale: python3 {sys.argv[0]} {binary} {path}")


main()
