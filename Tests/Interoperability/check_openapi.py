"""Checks a running server against its own description, with a third-party validator and fuzzer.

    python3 check_openapi.py URL TOKEN [--write]

URL is that of the server, without /v1; TOKEN signs in an account of a book made for this test. The description is
valid OpenAPI 3.1; each question is sent in many forms, valid and not; every answer is one that the description names, in the
form that it names, and never a failure of the server. Commands are sent only with --write: they are random, and some are
carried out. Ends within a minute. Needs `schemathesis` from PyPI, and uses `openapi-spec-validator` if it is installed.
"""

import json
import pathlib
import shutil
import subprocess
import sys
import urllib.request

CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"
SECONDS = 60


def described(url):
    """The description, after it was validated."""
    with urllib.request.urlopen(f"{url}/v1/openapi.json", timeout=10) as answer:
        description = json.load(answer)
    try:
        from openapi_spec_validator import OpenAPIV31SpecValidator
    except ImportError:
        print("openapi-spec-validator is not installed: the description was not validated")
    else:
        faults = [error.message for error in OpenAPIV31SpecValidator(description).iter_errors()]
        for fault in faults:
            print("description:", fault)
        if faults:
            sys.exit(1)
    return description


def main():
    options = [argument for argument in sys.argv[1:] if not argument.startswith("--")]
    if len(options) != 2:
        sys.exit(__doc__)
    url, token = options[0].rstrip("/"), options[1]
    description = described(url)
    beside = pathlib.Path(sys.executable).with_name("schemathesis")
    program = str(beside) if beside.exists() else shutil.which("schemathesis")
    if program is None:
        sys.exit("schemathesis is not installed; run `pip install schemathesis`.")
    # A stream of events does not end.
    left_out = ["--exclude-path=/events"]
    if "--write" not in sys.argv:
        left_out.append("--exclude-path=/commands")
    command = [
        program, "run", f"{url}/v1/openapi.json", f"--url={url}/v1", f"--header=Authorization: Bearer {token}",
        f"--checks={CHECKS}", "--phases=examples,fuzzing", "--max-examples=4", "--request-timeout=5",
        "--suppress-health-check=all", "--seed=1", "--no-color", *left_out,
    ]
    try:
        status = subprocess.run(command, timeout=SECONDS).returncode
    except subprocess.TimeoutExpired:
        sys.exit(f"It took longer than {SECONDS} seconds.")
    print(f"{len(description['paths'])} paths are described.")
    sys.exit(status)


if __name__ == "__main__":
    main()
