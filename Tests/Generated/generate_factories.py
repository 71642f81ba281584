"""Writes Sources/Daybook/Requests/Command+Factories.swift: a function for each way to make a command.

    python3 Tests/Generated/generate_factories.py            writes the file
    python3 Tests/Generated/generate_factories.py --check    exits 1 when it is stale

A caller can then write a command in place: `book.record(.createTask(title: "Buy milk"), by: ada)`. A function takes the
parameters of the command's public `init`.
"""

import difflib
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOMAIN = ROOT / "Sources" / "Daybook"
FILE = DOMAIN / "Requests" / "Command+Factories.swift"
SCRIPT = "Tests/Generated/generate_factories.py"

COMMAND = re.compile(r"^public struct (\w+)(?:<[^>]*>)?: [^{\n]*Command\b[^{]*\{\n", re.MULTILINE)
NESTED = re.compile(r"^  public (?:struct|enum) (\w+)", re.MULTILINE)
FORM = re.compile(r'CommandForm\(\s*"(\w+)",\s*"((?:[^"\\]|\\.)*)"', re.DOTALL)


def closing(text, start):
    """The place of the parenthesis that closes the one at `start`."""
    depth = 0
    for place in range(start, len(text)):
        depth += {"(": 1, ")": -1}.get(text[place], 0)
        if depth == 0:
            return place
    sys.exit("a parenthesis is not closed")


def parts(text):
    """The parameters of a list, without the space around them."""
    found, depth, start = [], 0, 0
    for place, letter in enumerate(text):
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(letter, 0)
        if letter == "," and depth == 0:
            found.append(text[start:place])
            start = place + 1
    return [part.strip() for part in found + [text[start:]] if part.strip()]


def argument(parameter):
    names = parameter.split(":", 1)[0].split()
    label, name = names[0], names[-1]
    return name if label == "_" else f"{label}: {name}"


def factories():
    """The name of each command, its description, and its inits: parameters and what they throw."""
    for path in sorted(DOMAIN.rglob("*.swift")):
        text = path.read_text()
        for match in COMMAND.finditer(text):
            body = text[match.end() : text.index("\n}\n", match.end())]
            form = FORM.search(body)
            if not form:
                sys.exit(f"{path.relative_to(ROOT)}: {match[1]} has no form")
            inits = []
            for start in re.finditer(r"^  public init\(", body, re.MULTILINE):
                end = closing(body, start.end() - 1)
                effect = body[end + 1 : body.index("{", end)].strip()
                taken = re.sub(r"\s+", " ", body[start.end() : end]).strip()
                for nested in NESTED.findall(body):
                    taken = re.sub(rf"(?<![\w.]){nested}\b", f"{match[1]}.{nested}", taken)
                # An init that reads a request gets no factory.
                if "RequestReader" not in taken:
                    inits.append((taken, effect))
            yield match[1], form[2], inits


def main():
    lines = [f"// Made by {SCRIPT} from the commands' inits. Change those and run it; change nothing here.", ""]
    lines += [f"public import {module}" for module in ("Avro", "Calendar", "Kitchen", "Streaks", "Values")] + [""]
    for name, summary, inits in sorted(factories()):
        factory = name[0].lower() + name[1:]
        lines.append(f"extension Command where Self == {name} {{")
        for parameters, effect in inits:
            parameters = parts(parameters)
            call = f"{name}({', '.join(argument(parameter) for parameter in parameters)})"
            lines.append(f"  /// ``{name}``: {summary}")
            if effect:
                lines += ["  ///", "  /// - Throws: what the closure throws."]
            tail = f"{effect} -> {name} {{ try {call} }}" if effect else f"-> {name} {{ {call} }}"
            lines.append(f"  public static func {factory}({', '.join(parameters)}) {tail}")
            lines.append("")
        lines.pop()
        lines += ["}", ""]
    made = "\n".join(lines).rstrip() + "\n"
    layout = ["swift", "format", "--configuration", str(ROOT / ".swift-format"), "-"]
    made = subprocess.run(layout, input=made, check=True, capture_output=True, text=True).stdout
    there = FILE.read_text() if FILE.exists() else ""
    if "--check" not in sys.argv:
        FILE.write_text(made)
    elif made != there:
        sys.stdout.writelines(difflib.unified_diff(there.splitlines(True), made.splitlines(True), str(FILE), "made"))
        sys.exit(f"{FILE.relative_to(ROOT)} is stale: python3 {SCRIPT}")


main()
