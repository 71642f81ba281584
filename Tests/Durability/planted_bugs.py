"""Plants mistakes in the log, one at a time, and demands that the tests find each.

    python3 Tests/Durability/planted_bugs.py

It builds Daybook with the package trait PlantedBugs in a directory of its own (.build-planted). With no mistake planted
the tests must pass; with each one a suite that is named here must fail.
"""

import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ["--scratch-path", ".build-planted", "--traits", "PlantedBugs"]
# Each mistake, and the suites of which at least one is to find it.
BUGS = {
    "acknowledgeBeforeSync": "ExplorationTests",
    "goOnAfterFailedSync": "FaultTests|ExplorationTests",
    "noDirectorySync": "ExplorationTests",
    "nameBeforeHeader": "ExplorationTests",
    "cutPastCorruption": "RecoveryTests|SegmentDamageTests",
    "skipChecksum": "SegmentDamageTests|ExhaustiveDamageTests",
    "sealWithoutLastBlock": "SealingTests",
    "verifyOffByOne": "VerifyTests",
    "dropIndexEntry": "IndexTests",
    "snapshotOfWrongPosition": "SnapshotTests|SnapshotLawTests",
}


def test(bug, suites):
    environment = dict(os.environ, PLANTED_BUG=bug or "")
    environment["SWIFT_BACKTRACE"] = "enable=no"
    result = subprocess.run(
        ["swift", "test", "--skip-build", *BUILD, "--filter", suites],
        cwd=ROOT, env=environment, capture_output=True, text=True)
    failed = re.findall(r'^✘ Test "(.*?)"(?: with [^"]*)? failed', result.stdout, re.MULTILINE)
    return result.returncode, failed, result.stdout + result.stderr


def main():
    subprocess.run(["swift", "build", "--build-tests", *BUILD], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    code, failed, output = test(None, "|".join(sorted({suite for names in BUGS.values() for suite in names.split("|")})))
    if code != 0:
        sys.exit(f"Without any mistake planted the tests fail:\n{output[-4000:]}")
    missed = []
    for bug, suites in BUGS.items():
        code, failed, _ = test(bug, suites)
        # A process that ends by a trap has found it, too.
        found = failed[0] if failed else "the process ended" if code != 0 else None
        print(f"{bug:<26} {found or 'NOT FOUND'}", flush=True)
        if found is None:
            missed.append(bug)
    if missed:
        sys.exit(f"These mistakes are not found: {', '.join(missed)}.")


if __name__ == "__main__":
    main()
