"""Plants mistakes in the log, one at a time, and demands that the tests find each.

    python3 Tests/Durability/planted_bugs.py [DIRECTORY]      where the tests are built (.build/debug)

It builds Daybook with DAYBOOK_PLANTED_BUGS, which compiles the mistakes in: beside what is built already, so that only what
has them is built again. With no mistake planted the tests and the simulated scripts must pass; with each one what is named
here must fail.
"""

import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILT = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / ".build/debug"
# Each mistake, and what must find it: a script that `CrashSimulation` runs, or test suites.
SCRIPTS = {
    "acknowledgeBeforeSync": "1048576 one",
    "noDirectorySync": "1 one one",
    "nameBeforeSync": "1048576 batch",
    "cutNotSynced": "540 one one close",
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
    """Runs a script; returns what it found, or nothing."""
    program = BUILT / "CrashSimulation"
    result = subprocess.run([program, "--script", script], env=environment(bug), capture_output=True, text=True)
    if result.returncode == 0:
        return None
    return next((line for line in result.stdout.splitlines() if line.startswith("script ")), "the process ended") \
        + ", simulated"


def test(bug, suites):
    """Runs test suites until a test fails; returns that test, or nothing."""
    # The tests' own program: `swift test` would let one run at a time.
    program = BUILT / "daybookPackageTests.xctest"
    process = subprocess.Popen(
        [program, "--testing-library", "swift-testing", "--filter", f"({suites})/"],
        cwd=ROOT, env=environment(bug), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    output = ""
    for line in process.stdout:
        line = re.sub(r"\x1b\[[0-9;]*m", "", line)
        output += line
        failed = re.match(r'✘ Test "(.*?)"(?: with [^"]*)? (?:failed|recorded an issue)', line)
        if failed:
            process.kill()
            process.wait()
            return failed[1]
    status = process.wait()
    if bug is None and "Test run with 0 tests" in output:
        return f"no test is of {suites}"
    # A process that traps has found the mistake, too.
    return "the process ended" if status != 0 else None


def main():
    subprocess.run(
        ["swift", "build", "--build-tests"], cwd=ROOT, check=True, stdout=subprocess.DEVNULL,
        env=dict(os.environ, DAYBOOK_PLANTED_BUGS="1"))
    finds = [(bug, simulate, script) for bug, script in SCRIPTS.items()]
    finds += [(bug, test, suites) for bug, suites in SUITES.items()]
    everything = [(simulate, script) for script in sorted(set(SCRIPTS.values()))]
    everything += [(test, name) for name in sorted({name for names in SUITES.values() for name in names.split("|")})]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for found in pool.map(lambda case: case[0](None, case[1]), everything):
            if found:
                sys.exit(f"Without any mistake planted this fails: {found}")
        missed = []
        for (bug, _, _), found in zip(finds, pool.map(lambda case: case[1](case[0], case[2]), finds)):
            print(f"{bug:<24} {found or 'NOT FOUND'}", flush=True)
            if found is None:
                missed.append(bug)
    if missed:
        sys.exit(f"These mistakes are not found: {', '.join(missed)}.")


if __name__ == "__main__":
    main()
