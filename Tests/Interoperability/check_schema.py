"""Holds the JSON Schema of commands and questions against a validator that is not ours, and the documentation against it.

    python3 check_schema.py BINARY

The schema itself is valid (draft 2020-12), and so is every command and question in Docs/ and Examples/ that the program
takes there. Needs `jsonschema` from PyPI.
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
    """What is wrong with the schema's examples; says how many there are."""
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


def main():
    faults = check("do") + check("ask", "--questions")
    if faults:
        sys.exit("\n".join(faults))


main()
