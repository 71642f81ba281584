"""Prints Docs/Events.md: every event that can happen, from the schema in a book's first segment.

    python3 generate_events.py BOOK                           prints the page
    python3 generate_events.py BOOK --check Docs/Events.md    exits 1 when the page is stale

Names, types, defaults and order are the schema's. The meaning of a record or field is the schema's `doc`, or else the
comment beside it in the domain's sources.
"""

import difflib
import json
import pathlib
import re
import sys

PACKAGE = pathlib.Path(__file__).resolve().parents[2] / "Sources"
SOURCES = [PACKAGE / name for name in ("Daybook", "Values", "Calendar", "Kitchen", "Streaks")]

INTRODUCTION = """\
# Events

<!-- Made by Tests/Documentation/generate_events.py from the schema of a fresh book. Change the code, not this page. -->

Everything that can happen in a book, in the past tense: an event says what happened, never what somebody asked for.
Each is a fact with everything resolved: the user-local day, the value that counts, the entity's number. Replay makes no
decisions.

- **Order.** An event's number is its branch of the union `event` in the file. New events go to the end of
  the list; none is ever moved or removed.
- **Numbers, not keys.** An event that creates an entity carries its key, a UUID. The n-th `AccountCreated` of
  a book is account 1, 2, 3 …, and so are habits and goals; all other events name an entity by that number.
- **As it is now.** An event that changes several fields carries all of them, even those that keep their value.
- **Personal** fields say something about a person (`"personal": true` in the schema): the erasure of an account blanks them.
- **Changing an event**: [Evolution](Evolution.md).
- **The tables.** "or null" is a union with null, null first. A number type such as `habit-number` is a logical type;
  [Format](Format.md) defines each.
"""


def header(book):
    """The metadata of the first segment, from the uncompressed header of its Avro container."""
    segments = sorted((pathlib.Path(book) / "journal").glob("*.avro"))
    if not segments:
        sys.exit(f"{book} has no segments; give the directory of a book")
    data, offset = segments[0].read_bytes(), 4
    if data[:4] != b"Obj\x01":
        sys.exit(f"{segments[0]} is no Avro container")

    def long():
        nonlocal offset
        number, shift = 0, 0
        while True:
            byte = data[offset]
            offset += 1
            number |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return (number >> 1) ^ -(number & 1)

    def text():
        nonlocal offset
        count = long()
        offset += count
        return data[offset - count : offset].decode("utf-8")

    metadata = {}
    while (count := long()) != 0:
        if count < 0:
            count, _ = -count, long()
        for _ in range(count):
            name = text()
            metadata[name] = text()
    return metadata


def sentence(comment):
    """The first paragraph of a comment, on one line, for a table."""
    text = " ".join(comment).split("  ")[0].strip()
    return re.sub(r"``([^`(]*?/)?([^`]+)``", r"`\2`", text).replace("|", "\\|")


def comments():
    """The comments of the sources: (type or record, field) to a sentence; the comment of a type itself has the field
    None."""
    types, properties, visits, names, conforming = {}, {}, [], {}, {}
    for path in sorted(file for folder in SOURCES for file in folder.rglob("*.swift")):
        owners, comment = [], []
        for line in path.read_text("utf-8").splitlines():
            indent, line = len(line) - len(line.lstrip()), line.strip()
            if line.startswith("///"):
                comment.append(line[3:].strip() or "  ")
                continue
            while line and owners and owners[-1][0] >= indent:
                owners.pop()
            owner, whole = owners[-1][1:] if owners else (None, "")
            if declared := re.match(r"(?:public |package )?(struct|enum|extension) ([\w.]+)(?:: ([\w, .]+))?", line):
                name = declared[2].split(".")[-1]
                for protocol in re.findall(r"\w+", declared[3] or ""):
                    conforming.setdefault(protocol, []).append(name)
                owners.append((indent, name, declared[2]))
                if comment and declared[1] != "extension":
                    # A type that no file contains gives way to one that a file contains.
                    if (name, None) not in types or not line.startswith("package "):
                        types[name, None] = sentence(comment)
            elif (declared := re.match(r"(?:public|package) (?:let|var) (\w+)", line)) and comment:
                properties[owner, declared[1]] = sentence(comment)
            elif named := re.search(r'static var (?:record|enumeration)Name: String \{ "(\w+)" \}', line):
                # The name on disk, which stays when the code renames the type.
                if "." not in whole:
                    names[owner] = named[1]
            elif visit := re.search(r'(?:visitor\.visit\(|^)"(\w+)", &(\w+)', line):
                # The second form is of a visit whose arguments stand on the next line.
                visits.append((owners[0][1], visit[1], visit[2]))
            if line and not line.startswith("@"):
                comment = []
    # Fields that several records share are visited in an extension of what they conform to.
    visits += [(owner, field, name) for shared, field, name in visits for owner in conforming.get(shared, [])]
    # The field that names the entity is called after its kind, not after the property.
    shared = ("BareEvent", "DeletionEvent", "RestorationEvent", "ItemContentEvent")
    alike = {owner for name in shared for owner in conforming.get(name, [])}
    visits += [(owner, "*", name) for owner, name in properties if owner in alike and name != "content"]
    said = types | {(owner, field): properties.get((owner, name), "") for owner, field, name in visits}
    return said | {(names[owner], field): text for (owner, field), text in said.items() if owner in names}


class Page:
    def __init__(self, schema):
        self.lines, self.named, self.said = [], {}, comments()
        self.collect(schema)

    def collect(self, schema):
        """Notes the named types that are no events, in the order of their first use."""
        if isinstance(schema, list):
            for branch in schema:
                self.collect(branch)
        elif isinstance(schema, dict):
            if schema["type"] in ("record", "enum", "fixed"):
                self.named.setdefault(schema["name"], schema)
            for field in schema.get("fields", []):
                self.collect(field["type"])
            if schema["type"] == "array":
                self.collect(schema["items"])

    def type(self, schema):
        if isinstance(schema, list) and len(schema) == 2 and schema[0] == "null":
            return f"{self.type(schema[1])} or null"
        if isinstance(schema, str):
            return f"[{schema}](#{schema.lower()})" if schema in self.named else schema
        if schema["type"] == "array":
            return f"list of {self.type(schema['items'])}"
        if "name" in schema:
            return self.type(schema["name"])
        return schema.get("logicalType", schema["type"])

    def doc(self, owner, field=None, schema=None):
        return (schema or {}).get("doc") or self.said.get((owner, field)) or self.said.get((owner, field and "*"), "")

    def table(self, record):
        self.lines += ["| field | type | meaning |", "|---|---|---|"]
        for field in record["fields"]:
            meaning = self.doc(record["name"], field["name"], field)
            if field.get("personal"):
                meaning = f"{meaning}{'' if not meaning or meaning.endswith('.') else '.'} *Personal.*".strip()
            if "aliases" in field:
                meaning += f" Formerly {', '.join(f'`{alias}`' for alias in field['aliases'])}."
            self.lines.append(f"| `{field['name']}` | {self.type(field['type'])} | {meaning} |")
        self.lines.append("")

    def section(self, title, *texts):
        self.lines += [title, ""]
        for text in filter(None, texts):
            self.lines += [text, ""]

    def text(self, entry):
        self.lines = INTRODUCTION.splitlines() + [""]
        self.section("## Entry", "What the journal holds: an event, its time and its actor.")
        fields = [field for field in entry["fields"] if field["name"] != "event"]
        self.table({"name": "Entry", "fields": fields})
        events = next(field for field in entry["fields"] if field["name"] == "event")["type"]
        self.section("## Events")
        for number, event in enumerate(events):
            self.section(f"### {number} {event['name']}", self.doc(event["name"], schema=event))
            self.table(event)
        self.section("## Types")
        rest = {"Entry", *(event["name"] for event in events)}
        for name, schema in self.named.items():
            if name in rest:
                continue
            self.section(f"### {name}", self.doc(name, schema=schema))
            if schema["type"] == "enum":
                symbols = ", ".join(f"{n} `{symbol}`" for n, symbol in enumerate(schema["symbols"]))
                unknown = f" A newer one is read as `{schema['default']}`." if "default" in schema else ""
                self.lines += [f"One of: {symbols}.{unknown}", ""]
            elif schema["type"] == "fixed":
                self.lines += [f"{schema['size']} bytes (`{schema.get('logicalType', 'fixed')}`).", ""]
            else:
                self.table(schema)
        return "\n".join(self.lines).rstrip() + "\n"


def main(arguments):
    if len(arguments) not in (1, 3) or (len(arguments) == 3 and arguments[1] != "--check"):
        sys.exit(__doc__)
    schema = json.loads(header(arguments[0])["avro.schema"])
    text = Page(schema).text(schema)
    if len(arguments) == 1:
        return print(text, end="")
    path = pathlib.Path(arguments[2])
    old = path.read_text("utf-8") if path.exists() else ""
    if old != text:
        difference = difflib.unified_diff(old.splitlines(), text.splitlines(), str(path), "the schema", lineterm="")
        print("\n".join(list(difference)[:20]))
        sys.exit(f"{path} is stale: python3 Tests/Documentation/generate_events.py BOOK > {path}")
    print(f"{path} is what the schema says")


if __name__ == "__main__":
    main(sys.argv[1:])
