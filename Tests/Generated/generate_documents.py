"""Writes Sources/CDocuments/documents.c: the list of the pages of Docs/, which the compiler puts into the program as they are.

    generate_documents.py [--check]

With --check it writes nothing, and exits 1 if the file is not what it would write.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
FILE = ROOT / "Sources/CDocuments/documents.c"


def text():
    pages = sorted(path.relative_to(ROOT / "Docs").as_posix() for path in (ROOT / "Docs").rglob("*.md"))
    names = ["page_" + re.sub(r"\W", "_", page.removesuffix(".md")).lower() for page in pages]
    lines = [
        "// Made by Tests/Generated/generate_documents.py from the names in Docs. Run it after adding a page.",
        '#include "documents.h"', "", "#pragma clang diagnostic ignored \"-Wc23-extensions\"", ""]
    for page, name in zip(pages, names):
        lines += [f"static const unsigned char {name}[] = {{", f'#embed "Docs/{page}"', "};"]
    lines += ["", "static const struct daybook_document documents[] = {"]
    lines += [f'  {{"{page}", {name}, sizeof {name}}},' for page, name in zip(pages, names)]
    lines += [
        "};", "", "size_t daybook_document_count(void) {",
        "  return sizeof documents / sizeof documents[0];", "}", "",
        "struct daybook_document daybook_document_at(size_t index) { return documents[index]; }"]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    if "--check" not in sys.argv[1:]:
        FILE.write_text(text())
    elif FILE.read_text() != text():
        sys.exit(f"{FILE.relative_to(ROOT)} is not up to date; run Tests/Generated/generate_documents.py")
