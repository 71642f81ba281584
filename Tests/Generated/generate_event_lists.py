"""Writes the lists of events in Sources/Daybook from the one table of events: the enum `Event`.

    python3 Tests/Generated/generate_event_lists.py            writes the files
    python3 Tests/Generated/generate_event_lists.py --check    exits 1 when one of them is stale

A new event is one line at the end of the enum, `case pantryStapleAdded(PantryStapleAdded)`. This script derives every list
of all events from it: their types, what each holds, how each is read, which `apply` handles it, and the events of the
contexts in `CONTEXTS`, so that a switch over one of them can name them all. The context of an event is the folder in which
its record is written.
"""

import difflib
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOMAIN = ROOT / "Sources" / "Daybook"
TABLE = DOMAIN / "Entries" / "Event.swift"
SCRIPT = "Tests/Generated/generate_event_lists.py"

# The contexts whose events some switch names one by one; the events of the others are `.others` to such a switch.
CONTEXTS = {
    "Accounts",
    "Activities",
    "Calendar",
    "Goals",
    "Groceries",
    "Habits",
    "Hives",
    "Household",
    "HouseholdTasks",
    "MealPlan",
    "Recipes",
    "Tasks",
}

CASE = re.compile(r"^  (indirect )?case (\w+)\((\w+)\)$", re.MULTILINE)

RECORD = re.compile(r"^public struct (\w+): \w*Record\b", re.MULTILINE)

HEADER = f"""\
// Made by {SCRIPT} from the cases of `Event`. Change those and run it; change nothing here.

"""


def events():
    """The cases of the enum in their order: whether each is indirect, its name, and the type of what it holds."""
    text = TABLE.read_text()
    body = text[text.index("public enum Event:") : text.index("\n}\n", text.index("public enum Event:"))]
    return [(indirect, name, record) for indirect, name, record in CASE.findall(body)]


def contexts(table):
    """The events of each context in `CONTEXTS`, by the name of its folder, the folders in their order."""
    homes = {}
    for path in sorted(DOMAIN.rglob("*.swift")):
        for record in RECORD.findall(path.read_text()):
            homes.setdefault(record, path.parent)
    lost = [record for _, _, record in table if record not in homes]
    if lost:
        sys.exit(f"No file in {DOMAIN.relative_to(ROOT)} has the record {', '.join(lost)}")
    found = {}
    for case in table:
        if homes[case[2]].name in CONTEXTS:
            found.setdefault(homes[case[2]].name, []).append(case)
    return dict(sorted(found.items()))


def lists(table):
    """Types, content, reading, and the `apply` of each event."""
    lines = [HEADER + "public import Avro", "", "extension Event {", "  /// The types of the cases, in their order."]
    lines += ["  static let types: [any EventRecord.Type] = ["]
    lines += [f"    {record}.self," for _, _, record in table]
    lines += ["  ]", "", "  /// The case's number, and what it holds."]
    lines += ["  var content: (branch: Int, record: any EventRecord) {", "    switch self {"]
    lines += [f"    case .{name}(let event): ({branch}, event)" for branch, (_, name, _) in enumerate(table)]
    lines += ["    }", "  }", "", "  /// Reads the record of a case.", "  ///"]
    lines += ["  /// - Throws: ``AvroError/unknownBranch(_:)`` when there is no such case, or what its record throws."]
    lines += ["  @usableFromInline", "  @_lifetime(reader: copy reader)"]
    lines += ["  init(branch: Int32, from reader: inout BinaryReader) throws(AvroError) {", "    switch branch {"]
    lines += [
        f"    case {branch}: self = .{name}(try {record}(from: &reader))"
        for branch, (_, name, record) in enumerate(table)
    ]
    lines += ["    default: throw .unknownBranch(Int(branch))", "    }", "  }", "}", "", "extension BookState {"]
    lines += ["  /// Hands an event to the `apply` that is written for it."]
    lines += ["  mutating func apply(_ event: Event, _ head: EntryHead) {", "    switch event {"]
    lines += [f"    case .{name}(let event): apply(event, head)" for _, name, _ in table]
    lines += ["    }", "  }", "}", ""]
    return "\n".join(lines)


def grouping(table):
    """The events by context."""
    groups = contexts(table)
    short = {name: name[0].lower() + name[1:] for name in groups}
    lines = [HEADER + "extension Event {", "  /// The event among those of its context, so that a switch names each of them."]
    lines += ["  package enum ByContext: Sendable {"]
    lines += [f"    case {short[name]}({name})" for name in groups]
    lines += ["    /// An event of another context.", "    case others", "  }"]
    for name, cases in groups.items():
        lines += ["", f"  /// What can happen in the context `{name}`.", f"  package enum {name}: Sendable {{"]
        lines += [f"    {indirect}case {case}({record})" for indirect, case, record in cases]
        lines += ["  }"]
    lines += ["", "  /// The event among those of its context.", "  package var byContext: ByContext {", "    switch self {"]
    homes = {case: short[name] for name, cases in groups.items() for _, case, _ in cases}
    lines += [f"    case .{case}(let event): .{homes[case]}(.{case}(event))" for _, case, _ in table if case in homes]
    lines += ["    default: .others", "    }", "  }", "}", ""]
    return "\n".join(lines)


def files():
    """The content of each file."""
    table = events()
    return {
        DOMAIN / "Entries" / "Event+Lists.swift": lists(table),
        DOMAIN / "Entries" / "Event+Contexts.swift": grouping(table),
    }


def main():
    stale = False
    for path, text in files().items():
        found = path.read_text() if path.exists() else ""
        if sys.argv[1:] == ["--check"]:
            if found != text:
                stale = True
                sys.stdout.writelines(
                    difflib.unified_diff(
                        found.splitlines(True), text.splitlines(True), str(path.relative_to(ROOT)), "the events"
                    )
                )
        elif found != text:
            path.write_text(text)
    if stale:
        sys.exit(f"The lists of events are stale: run python3 {SCRIPT}")


if __name__ == "__main__":
    main()
