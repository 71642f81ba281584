"""Starts `daybook-server --demo` as README and Docs/Server.md say, and runs the curl lines that it prints.

    greeting.py daybook-server
"""

import json
import re
import signal
import subprocess
import sys

from served import free_port


def main():
    port = free_port()
    server = subprocess.Popen(
        [sys.argv[1], "--demo", "--port", str(port)], stdout=subprocess.PIPE, text=True)
    try:
        text = ""
        for line in server.stdout:
            text += line
            if "Ctrl-C" in line:
                break
        commands = re.findall(r"^ *(curl .*)$", text, re.M)
        if len(commands) != 2:
            raise SystemExit(f"the greeting should have two curl lines:\n{text}")
        for command in commands:
            answer = subprocess.run(["bash", "-c", command + " -sS -f"], capture_output=True, text=True)
            if answer.returncode:
                raise SystemExit(f"{command.split(' -H')[0]}: {answer.stderr}")
            rows = json.loads(answer.stdout)
            if not (rows if isinstance(rows, list) else rows.get("ok")):
                raise SystemExit(f"{command.split(' -H')[0]} answers nothing: {answer.stdout[:200]}")
    finally:
        server.send_signal(signal.SIGTERM)
        code = server.wait(20)
    print(f"the demo serves, and its {len(commands)} commands answer; it ended with {code}")
    return code


if __name__ == "__main__":
    sys.exit(main())
