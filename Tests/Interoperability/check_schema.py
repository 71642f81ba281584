"""Holds the JSON Schema of the commands against a validator that is not ours, and the documentation against the schema.

    python3 check_schema.py BINARY

The schema itself is valid (draft 2020-12), and so is every command in Docs/ and Examples/ that the program takes
there. Needs `jsonschema` from PyPI.
"""

import json
import pathlib
import re
import subprocess
import sys

import jsonschema

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Shown in the documentation because they are refused.
REFUSED = {"lots"}


def commands():
    """The commands that stand in documentation and examples, each with its file."""
    for path in sorted([*ROOT.glob("Docs/**/*.md"), *ROOT.glob("Examples/**/*.sh"), ROOT / "README.md"]):
        for line in path.read_text().splitlines():
            for found in re.findall(r'\{"do":.*\}', line):
                try:
                    yield path.relative_to(ROOT), json.loads(found)
                except json.JSONDecodeError:
                    # Several in one line of a script, or a variable of the shell within.
                    continue


def main():
    schema = json.loads(subprocess.run([sys.argv[1], "schema", "--json"], check=True, capture_output=True).stdout)
    jsonschema.Draft202012Validator.check_schema(schema)
    known, count, faults = schema["$defs"], 0, []
    for path, command in commands():
        if command["do"] not in known or command.get("value") in REFUSED:
            continue
        count += 1
        validator = jsonschema.Draft202012Validator(known[command["do"]])
        faults += [f"{path}: {json.dumps(command)}: {fault.message}" for fault in validator.iter_errors(command)]
    print(f"{len(known)} commands have a schema, and {count} of them in the documentation keep to it")
    if faults or count == 0:
        sys.exit("\n".join(faults) or "there is no command in the documentation")


main()
