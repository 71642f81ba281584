"""Checks the JSON Schema of commands, questions and rows with a third-party validator, and the documentation and rows
against it.

    python3 check_schema.py BINARY

The schema itself is valid (draft 2020-12), and so is every command and question in Docs/ and Examples/ that the program
accepts there, and every row of the newest golden book, which contains every type of event. Needs `jsonschema` from PyPI.
"""

import json
import pathlib
import re
import subprocess
import sys

import jsonschema

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Columns that the documentation shows because they are refused.
REFUSED = {"value": "lots", "year": 0}


def sent(verb):
    """The commands or questions that stand in documentation and examples, each with its file."""
    for path in sorted([*ROOT.glob("Docs/**/*.md"), *ROOT.glob("Examples/**/*.sh"), ROOT / "README.md"]):
        for line in path.read_text().splitlines():
            for found in re.findall(rf'\{{"{verb}":.*\}}', line):
                try:
                    yield path.relative_to(ROOT), json.loads(found)
                except json.JSONDecodeError:
                    # Several in one line of a script, or a variable of the shell within.
                    continue


def check(verb, *options):
    """The faults of the schema's examples; prints how many there are."""
    said = subprocess.run([sys.argv[1], "schema", *options, "--json"], check=True, capture_output=True).stdout
    schema = json.loads(said)
    jsonschema.Draft202012Validator.check_schema(schema)
    known, count, faults = schema["$defs"], 0, []
    for path, message in sent(verb):
        if message[verb] not in known or any(message.get(name) == value for name, value in REFUSED.items()):
            continue
        count += 1
        validator = jsonschema.Draft202012Validator(known[message[verb]])
        faults += [f"{path}: {json.dumps(message)}: {fault.message}" for fault in validator.iter_errors(message)]
    print(f'{len(known)} have a schema by "{verb}", and {count} of them in the documentation keep to it')
    return faults if count > 0 else [f'there is no "{verb}" in the documentation']


def check_rows():
    """The parts of a whole dump that violate the schema, and the columns without any value."""
    said = subprocess.run([sys.argv[1], "schema", "--rows", "--json"], check=True, capture_output=True).stdout
    schema = json.loads(said)
    jsonschema.Draft202012Validator.check_schema(schema)
    golden = max(ROOT.glob("Tests/DaybookStoreTests/Fixtures/golden-*"), key=lambda path: int(path.name.split("-")[1]))
    said = subprocess.run([sys.argv[1], "dump", "--json", "--book", golden], check=True, capture_output=True).stdout
    tables = json.loads(said)
    whole = jsonschema.Draft202012Validator(schema, format_checker=jsonschema.FormatChecker())
    faults = [f"{list(fault.absolute_path)}: {fault.message}" for fault in whole.iter_errors(tables)]
    faults += [f"{name} has no schema" for name in tables if name not in schema["$defs"]]
    for name, row in schema["$defs"].items():
        columns = list(row["properties"])
        for found in tables.get(name, []):
            if list(found) != [column for column in columns if column in found]:
                faults.append(f"{name} has its columns in another order: {list(found)}")
    empty = [name for name in schema["$defs"] if not tables.get(name)]
    faults += [f"no row of {name} was there to look at" for name in empty]
    print(f"{len(schema['$defs'])} tables have a schema, and {sum(map(len, tables.values()))} rows of {golden.name} keep to it")
    return faults


def main():
    faults = check("do") + check("ask", "--questions") + check_rows()
    if faults:
        sys.exit("\n".join(faults))


main()
