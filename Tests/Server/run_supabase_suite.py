"""Drives a server with the real client of the apps, or with requests as any client sends them: the conformance suite beside
the checkout, or the contract's tests beside this file, over every app's prefix, and over all apps together.

    run_supabase_suite.py daybook-server SUITE [--once] [pytest arguments…]

With --once over the prefixes alone.

Needs the suite's requirements installed. Ends with 0 when all is green; skips by name where there is no suite.
"""

import os
import pathlib
import subprocess
import sys

from served import KEY, Served

APPS = {"HABITHIVE": "habithive", "MOTIV": "motiv", "MANNA": "manna", "DIGIT": "digit", "MCCALL": "mccall"}


def run(server, suite, prefixes, arguments):
    environment = dict(os.environ, BASE_URL=server.url, ANON_KEY=KEY, DEV_URL=server.url)
    if prefixes:
        for app, word in APPS.items():
            environment[f"BASE_URL_{app}"] = f"{server.url}/p/{word}"
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments, "."], cwd=suite, env=environment,
    ).returncode


def main():
    binary, suite, *arguments = sys.argv[1:]
    ways = (True,) if "--once" in arguments else (True, False)
    arguments = [argument for argument in arguments if argument != "--once"]
    if not list(pathlib.Path(suite).glob("test_*.py")):
        print("skipped: there is no conformance suite beside the checkout")
        return 0
    failed = 0
    with Served(os.path.abspath(binary), DAYBOOK_PERSONAL_TOKENS="true") as server:
        for prefixes in ways:
            print("over each app's prefix" if prefixes else "over all apps together", flush=True)
            failed |= run(server, suite, prefixes, arguments)
        code = server.stop()
        print(f"the server ended with {code}")
    return failed or code


if __name__ == "__main__":
    sys.exit(main())
