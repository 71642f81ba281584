"""Checks documentation comments: every public declaration has one, and none repeats its declaration.

    python3 Tests/Documentation/check_comments.py [--delete]

Two kinds need none: initialisers that only store their parameters, and implementations of protocol requirements, which are
documented with the protocol. `--delete` removes the comments that repeat.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
# What protocols of the package, of Avro and of the standard library require.
REQUIRED = {
    "visitFields", "visitColumns", "recordName", "enumerationName", "fixedName", "placeholder", "event",
}
DECLARATION = re.compile(
    r"\s*(?:@\w+(?:\([^)]*\))?\s+)*"
    r"((?:(?:public|package|internal|private|fileprivate|static|final|mutating|consuming|borrowing|nonisolated|override"
    r"|indirect|lazy|weak|unowned|convenience|required)(?:\((?:set|unsafe)\))?\s+)*)"
    r"(var|let|func|init|case|subscript|typealias|struct|enum|class|actor|protocol|macro)\b\s*`?(\w*)")
COMMENT = re.compile(r"\s*///\s?(.*)$")


def words(name):
    return re.sub(r"([A-Z])", r" \1", name).lower().strip()


def repeats(comment, modifiers, kind, name):
    """Whether a one-line comment only repeats its declaration."""
    if kind == "init":
        return re.fullmatch(r"(Makes|Asks)( (the|a|an) [\w ]+)?\.", comment) is not None
    if name in REQUIRED:
        return re.fullmatch(
            r'"\w+"\.|The fields in their order\.|What reading begins with, before any field is set\.|The event\.'
            r"|The (question's |command's )?columns( of its row)?\.", comment) is not None
    if kind in ("var", "let") and "public" not in modifiers:
        return re.sub(r"^(The|Its|A|An|Their) ", "", comment).rstrip(".").lower() == words(name)
    return False


def check(path, deletes):
    """The findings in a file; with `deletes`, what is left after the comments that repeat are gone."""
    lines, findings, kept = path.read_text().split("\n"), [], []
    depth_of_extension = None
    for number, line in enumerate(lines):
        comment = COMMENT.match(line)
        before = lines[number - 1] if number else ""
        after = lines[number + 1] if number + 1 < len(lines) else ""
        if comment and not COMMENT.match(before) and not COMMENT.match(after):
            declared = DECLARATION.match(after)
            if declared and repeats(comment[1], *declared.groups()):
                findings.append(f"{path.relative_to(ROOT)}:{number + 1}: the comment repeats the declaration")
                if deletes:
                    continue
        kept.append(line)
        declared = DECLARATION.match(line)
        if not declared or "public" not in declared[1].split() or declared[2] == "init" or declared[3] in REQUIRED:
            continue
        place = number - 1
        while place >= 0 and re.match(r"\s*@", lines[place]):
            place -= 1
        if place < 0 or not COMMENT.match(lines[place]):
            findings.append(f"{path.relative_to(ROOT)}:{number + 1}: a public declaration has no comment")
    if deletes:
        path.write_text("\n".join(kept))
    return findings


def main():
    deletes = "--delete" in sys.argv[1:]
    findings = [found for path in sorted((ROOT / "Sources").rglob("*.swift")) for found in check(path, deletes)]
    print("\n".join(findings[:60]))
    print(f"{len(findings)} findings in documentation comments")
    sys.exit(1 if findings and not deletes else 0)


if __name__ == "__main__":
    main()
