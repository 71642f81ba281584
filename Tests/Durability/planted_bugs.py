"""Plants mistakes in the log, one at a time, and demands that the tests find each.

    python3 Tests/Durability/planted_bugs.py

It builds Daybook with the package trait PlantedBugs in a directory of its own (.build-planted). With no mistake planted
the tests and the simulated scripts must pass; with each one what is named here must fail.
"""

import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ["--scratch-path", ".build-planted", "--traits", "PlantedBugs"]
# Each mistake, and what is to find it: a script that `CrashSimulation` goes through, or test suites.
SCRIPTS = {
    "acknowledgeBeforeSync": "1048576 one",
    "noDirectorySync": "1 one one",
    "nameBeforeSync": "1048576 batch",
    "cutNotSynced": "460 one one close",
    "trustLaterSync": "1048576 one",
    "sealBeforeSync": "1048576 one close seal",
}
SUITES = {
    "goOnAfterFailedSync": "FaultTests",
    "appendWithoutLooking": "IntrusionTests",
    "updateUndecided": "CopyFaultTests|BackupUpdateTests",
    "cutPastCorruption": "RecoveryTests|SegmentDamageTests",
    "skipChecksum": "SegmentDamageTests|ExhaustiveDamageTests",
    "sealWithoutLastBlock": "SealingTests",
    "verifyOffByOne": "VerifyTests",
    "dropIndexEntry": "IndexTests",
    "snapshotOfWrongPosition": "SnapshotTests|SnapshotLawTests",
}


def environment(bug):
    return dict(os.environ, PLANTED_BUG=bug or "", SWIFT_BACKTRACE="enable=no")


def simulate(bug, script):
    """Goes through a script; returns what was found, or nothing."""
    program = ROOT / ".build-planted/debug/CrashSimulation"
    result = subprocess.run([program, "--script", script], env=environment(bug), capture_output=True, text=True)
    if result.returncode == 0:
        return None
    return next((line for line in result.stdout.splitlines() if line.startswith("script ")), "the process ended") \
        + ", simulated"


def test(bug, suites):
    """Runs test suites; returns the test that failed, or nothing."""
    result = subprocess.run(
        ["swift", "test", "--skip-build", *BUILD, "--filter", suites],
        cwd=ROOT, env=environment(bug), capture_output=True, text=True)
    failed = re.findall(r'^✘ Test "(.*?)"(?: with [^"]*)? failed', result.stdout, re.MULTILINE)
    # A process that ends by a trap has found it, too.
    return failed[0] if failed else "the process ended" if result.returncode != 0 else None


def main():
    subprocess.run(["swift", "build", "--build-tests", *BUILD], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    finds = [(bug, simulate, script) for bug, script in SCRIPTS.items()]
    finds += [(bug, test, suites) for bug, suites in SUITES.items()]
    everything = [(simulate, script) for script in sorted(set(SCRIPTS.values()))]
    everything.append((test, "|".join(sorted({name for names in SUITES.values() for name in names.split("|")}))))
    for find, where in everything:
        if found := find(None, where):
            sys.exit(f"Without any mistake planted this fails: {found}")
    missed = []
    for bug, find, where in finds:
        found = find(bug, where)
        print(f"{bug:<24} {found or 'NOT FOUND'}", flush=True)
        if found is None:
            missed.append(bug)
    if missed:
        sys.exit(f"These mistakes are not found: {', '.join(missed)}.")


if __name__ == "__main__":
    main()
