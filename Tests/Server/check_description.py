"""Starts a server, signs somebody up, and checks the server against its description with schemathesis (check_openapi.py).

    check_description.py daybook-server
"""

import json
import os
import pathlib
import subprocess
import sys
import urllib.parse
import urllib.request

from served import KEY, Served


def ask(url, body=None):
    request = urllib.request.Request(
        url, headers={"apikey": KEY, "Content-Type": "application/json"},
        data=None if body is None else json.dumps(body).encode())
    with urllib.request.urlopen(request, timeout=10) as answer:
        return json.load(answer)


def sign_up(server, email="ada@example.com"):
    """A fresh account's access token."""
    ask(f"{server.url}/auth/v1/otp", {"email": email, "create_user": True})
    messages = ask(f"{server.url}/dev/outbox?to={urllib.parse.quote(email)}")
    return ask(
        f"{server.url}/auth/v1/verify",
        {"type": "email", "email": email, "token": messages[-1]["code"]})["access_token"]


def main():
    script = pathlib.Path(__file__).parents[1] / "Interoperability/check_openapi.py"
    settings = {"PERSONAL_TOKENS": "true", "ASSISTANTS": "true", "ASSISTANTS_WRITE": "true"}
    with Served(os.path.abspath(sys.argv[1]), **{f"DAYBOOK_{name}": value for name, value in settings.items()}) as server:
        return subprocess.run([sys.executable, script, server.url, sign_up(server), "--write"]).returncode


if __name__ == "__main__":
    sys.exit(main())
