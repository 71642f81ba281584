"""Large writes over many connections hold up nobody else's writes.

    crowd.py daybook-server [--seconds 6] [--connections 64] [--half 0.5] [--worst 1.0] [--only NAME…]

For each kind of large write, many connections of one account (or of nobody) send it at once, again and again, while another
account inserts one task at a time. These inserts must be answered within `--half` seconds at the 99th percentile, and within
`--worst` seconds at worst. The server's memory must stay under 512 MiB.
"""

import argparse
import json
import multiprocessing
import os
import sys
import threading
import time
import uuid

from client import Client, Findings, memory
from served import Served

MOST_MEGABYTES = 512


def rows(count):
    return json.dumps([{"title": f"Task {number}"} for number in range(count)]).encode()


def members(count):
    return ("{" + ",".join(f'"m{number}":{number}' for number in range(count)) + "}").encode()


def commands(habit, count):
    return [json.dumps({"do": "log_habit", "habit": habit, "value": 1}).encode() for _ in range(count)]


# The requests that the crowd sends, by name: the method, the path, the body (made from a habit's key), whether it is signed
# in, the media type.
KINDS = {
    "rows": ("POST", "/rest/v1/tasks", lambda habit: rows(5000), True, None),
    "too-many-rows": ("POST", "/rest/v1/tasks", lambda habit: rows(10_000), True, None),
    "short-rows": ("POST", "/rest/v1/tasks", lambda habit: rows(60), True, None),
    "one-row": ("POST", "/rest/v1/tasks", lambda habit: rows(1), True, None),
    "patch": ("PATCH", "/rest/v1/tasks?title=like.*ask*&limit=5000", lambda habit: b'{"description":"x"}', True, None),
    "members-of-nobody": ("POST", "/rest/v1/tasks", lambda habit: members(360_000), False, None),
    "question": ("POST", "/v1/ask", lambda habit: members(360_000), True, None),
    "numbers": ("POST", "/rest/v1/tasks", lambda habit: b"[" + b"1," * (2 << 20) + b"1]", True, None),
    "function": ("POST", "/rest/v1/rpc/log_habit", lambda habit: members(360_000), True, None),
    "batch": ("POST", "/v1/commands", lambda habit: b"[" + b",".join(commands(habit, 1000)) + b"]", True, None),
    "lines": ("POST", "/v1/commands", lambda habit: b"\n".join(commands(habit, 10_000)), True, "application/jsonl"),
}


def press(port, method, path, body, token, media, end, told):
    """Sends the same again and again; counts the answers by their status."""
    client = Client(port, timeout=120)
    headers = {"Content_Type": media} if media else {}
    while not end.is_set():
        try:
            answer = client.ask(method, path, body, token, **headers)
            status = answer.status
            if status in (429, 503):
                time.sleep(0.05)
        except OSError:
            status = 0
        with told.get_lock():
            told[status // 100] += 1


def write(port, token, seconds, times):
    """Inserts one task at a time."""
    client = Client(port, timeout=120)
    finish = time.monotonic() + seconds
    while time.monotonic() < finish:
        start = time.monotonic()
        answer = client.ask("POST", "/rest/v1/tasks", {"title": "Water the plants", "id": str(uuid.uuid4())}, token)
        times.append((time.monotonic() - start, answer.status))
        time.sleep(0.005)


def threads_of(count, *arguments):
    """Sends load over a number of connections in one process: their threads wait most of the time."""
    all = [threading.Thread(target=press, args=arguments, daemon=True) for _ in range(count)]
    for one in all:
        one.start()
    for one in all:
        one.join()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("server")
    parser.add_argument("--seconds", type=float, default=6)
    parser.add_argument("--connections", type=int, default=64)
    parser.add_argument("--half", type=float, default=0.5)
    parser.add_argument("--worst", type=float, default=1.0)
    parser.add_argument("--only", nargs="*", default=list(KINDS))
    options = parser.parse_args()
    found = Findings()
    for name in options.only:
        method, path, body, is_signed_in, media = KINDS[name]
        with Served(os.path.abspath(options.server)) as server:
            client = Client(server.port)
            ada = client.sign_in("ada@example.org", "Ada")["access_token"]
            ben = client.sign_in("ben@example.org", "Ben")["access_token"]
            habit = client.ask(
                "POST", "/rest/v1/habits", {"name": "Read"}, ada, Prefer="return=representation").json[0]["id"]
            if name == "patch":
                client.ask("POST", "/rest/v1/tasks", rows(5000), ada)
            end, told = multiprocessing.Event(), multiprocessing.Array("l", 6)
            crowd = multiprocessing.Process(
                target=threads_of,
                args=(options.connections, server.port, method, path, body(habit), ada if is_signed_in else None, media, end,
                      told))
            crowd.start()
            time.sleep(1)
            times = []
            write(server.port, ben, options.seconds, times)
            most = memory(server.process)
            end.set()
            crowd.join(60)
            if crowd.is_alive():
                crowd.kill()
            waited = sorted(seconds for seconds, _ in times)
            refused = [status for _, status in times if status != 201]
            late, worst = waited[min(len(waited) - 1, len(waited) * 99 // 100)], waited[-1]
            found.check(not refused, f"{name}: writes of another were answered {set(refused)}")
            found.check(late <= options.half, f"{name}: p99 {1000 * late:.0f} ms")
            found.check(worst <= options.worst, f"{name}: {1000 * worst:.0f} ms at worst")
            found.check(most <= MOST_MEGABYTES, f"{name}: {most:.0f} MiB")
            print(
                f"{name}: {len(waited)} writes of another, median {1000 * waited[len(waited) // 2]:.0f} ms,"
                f" p99 {1000 * late:.0f} ms, worst {1000 * worst:.0f} ms; {most:.0f} MiB;"
                f" answers to the crowd: {told[2]} done, {told[4]} refused, {told[5]} put off, {told[0]} cut", flush=True)
    print(f"{found.checks} checks: {found.count} findings")
    return 1 if found.count else 0


if __name__ == "__main__":
    sys.exit(main())
