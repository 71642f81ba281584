#!/usr/bin/env python3
"""Runs tests under a sanitizer, and reports what it found.

    sanitize.py thread|address [FILTER]

Without FILTER: the server's tests, and those in which many threads use one book. The build is made from nothing in a
folder of its own (`.build-thread`, `.build-address`), which takes a quarter of an hour on two cores.

ThreadSanitizer does not see the `Mutex` of Synchronization: on Linux that is a futex, taken in a library that is not
instrumented. So it takes each two accesses under one lock for a race. Here a report counts unless both of its accesses stand
within a `withLock`; the others are counted and passed over. Exits 1 when a test failed or a report counts.
"""

import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TESTS = (
    "DaybookServerTests|DaybookTablesTests|DaybookAuthTests|DaybookAPITests|DaybookDeliveryTests"
    "|Stress|Concurren|GroupCommit|GroupedBatch|EntryTail|RecentEntries"
)
# How many frames of a stack are searched, starting at the access: the holder of the lock is near.
NEAR = 6
FRAME = re.compile(r"#\d+ .*? (\S+\.swift):(\d+)(?::\d+)?")


def is_locked(lines, number):
    """Whether a line, from 1, stands within the braces of a `withLock`."""
    if "withLock" in lines[number - 1]:
        return True
    depth = 0
    for place in range(number - 2, -1, -1):
        line = lines[place]
        depth += line.count("}") - line.count("{")
        if depth < 0:
            if "withLock" in line or "withLock" in lines[max(place - 1, 0)]:
                return True
            if re.match(r"\s*(?:\w+ )*(?:func|init|var|struct|class|extension|enum)\b", line):
                return False
            depth = 0
    return False


def stands_under_lock(stack, sources):
    for path, number in FRAME.findall(stack)[:NEAR]:
        file = pathlib.Path(path)
        if ROOT not in file.parents or not file.exists():
            continue
        lines = sources.setdefault(file, file.read_text().splitlines())
        if is_locked(lines, int(number)):
            return True
    return False


def races(printed):
    """The reports that count, and how many do not."""
    sources, found, passed = {}, [], 0
    for report in printed.split("WARNING: ThreadSanitizer: ")[1:]:
        report = report.split("SUMMARY: ")[0]
        accesses = [part for part in re.split(r"\n\s*\n", report.split("Location is")[0]) if FRAME.search(part)]
        if len(accesses) >= 2 and all(stands_under_lock(part, sources) for part in accesses[:2]):
            passed += 1
        else:
            found.append(report)
    return found, passed


def main():
    if len(sys.argv) not in (2, 3) or sys.argv[1] not in ("thread", "address"):
        sys.exit(__doc__)
    kind, tests = sys.argv[1], sys.argv[2] if len(sys.argv) == 3 else TESTS
    options = {"TSAN_OPTIONS": "exitcode=0 report_thread_leaks=0", "ASAN_OPTIONS": "detect_leaks=0"}
    ran = subprocess.run(
        ["swift", "test", f"--sanitize={kind}", "--scratch-path", f".build-{kind}", "--filter", tests],
        cwd=ROOT, env={**os.environ, **options}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    printed = ran.stdout.decode(errors="replace")
    found, passed = races(printed)
    wrong = [line for line in printed.splitlines() if "✘" in line or "ERROR: AddressSanitizer" in line]
    ended = [line for line in printed.splitlines() if "Test run with" in line]
    for report in found:
        print(report)
    print("\n".join(wrong + ended))
    if kind == "thread":
        print(f"{len(found)} races; {passed} reports of accesses under a lock passed over")
    if ran.returncode or found or wrong or not ended:
        print(printed[-4000:] if not ended else "")
        sys.exit(1)


if __name__ == "__main__":
    main()
