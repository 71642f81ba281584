"""Hundreds of sockets receive changes, each its own, once and in order; sockets that never read are disconnected.

    realtime_load.py daybook-server [--sockets 500] [--slow 25] [--rate 100] [--seconds 10] [--people 20] [SEED]

Prints how long a change took from its acknowledgement to its delivery (negative if it was delivered first), and how much
memory a socket takes.
"""

import argparse
import json
import os
import random
import resource
import selectors
import sys
import threading
import time

from client import Client, Findings, Socket, memory
from served import Served

# A reader that is slow has no room for more than this, and the server waits no longer than that for it.
SMALL_BUFFER = 2048
LONG = "x" * 4000


class Reader(threading.Thread):
    """Reads all sockets of fast subscribers, and notes what each received and when."""

    def __init__(self, sockets):
        super().__init__(daemon=True)
        self.selector = selectors.DefaultSelector()
        self.told = {index: [] for index in range(len(sockets))}
        self.answered = [0] * len(sockets)
        self.closed = set()
        self.stopping = False
        self.beat = time.monotonic()
        self.sockets = sockets
        for index, opened in enumerate(sockets):
            opened.connection.setblocking(False)
            self.selector.register(opened.connection, selectors.EVENT_READ, index)

    def run(self):
        while not self.stopping:
            for key, _ in self.selector.select(0.2):
                opened, now = self.sockets[key.data], time.time()
                try:
                    part = opened.connection.recv(262_144)
                except BlockingIOError:
                    continue
                except OSError:
                    part = b""
                if not part:
                    self.closed.add(key.data)
                    self.selector.unregister(opened.connection)
                    continue
                opened.pending += part
                while found := opened.take():
                    self.note(key.data, found, now)

    def note(self, index, found, now):
        if found[0] != Socket.TEXT:
            return
        if b'"postgres_changes"' in found[1] and b'"commit_timestamp"' in found[1]:
            data = json.loads(found[1])["payload"]["data"]
            self.told[index].append((data["record"]["title"], now))
        elif b'"system"' in found[1]:
            self.answered[index] += 1


def write(port, people, rate, seconds, source, acknowledged, faults):
    """Upserts tasks of random people, this many a second; each title is used once."""
    client, number, start = Client(port), 0, time.monotonic()
    while time.monotonic() - start < seconds:
        person = source.randrange(len(people))
        title = f"{len(acknowledged)} of {threading.get_ident()}"
        body = {"id": source.choice(people[person]["tasks"]), "title": title, "description": LONG}
        answer = client.ask("POST", "/rest/v1/tasks?on_conflict=id", body, people[person]["access_token"],
                            Prefer="resolution=merge-duplicates")
        if answer.status in (200, 201):
            acknowledged.append((person, title, time.time()))
        else:
            faults.append(repr(answer))
        number += 1
        time.sleep(max(0, start + number / rate - time.monotonic()))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("server")
    parser.add_argument("--sockets", type=int, default=500)
    parser.add_argument("--slow", type=int, default=25)
    parser.add_argument("--rate", type=float, default=100)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--people", type=int, default=20)
    parser.add_argument("seed", type=int, nargs="?", default=1)
    options = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    source, found = random.Random(options.seed), Findings()
    with Served(os.path.abspath(options.server)) as server:
        client = Client(server.port)
        people = [client.sign_in(f"person-{number}@example.org") for number in range(options.people)]
        for person in people:
            rows = client.ask("POST", "/rest/v1/tasks", [{"title": "begun"}] * 3, person["access_token"],
                              Prefer="return=representation").json
            person["tasks"] = [row["id"] for row in rows]

        def opened(index, receive_bytes=None):
            person = people[index % len(people)]
            made = Socket(server.port, timeout=20, receive_bytes=receive_bytes)
            made.join("tasks", [{"table": "tasks", "filter": f"user_id=eq.{person['user']['id']}"}], person["access_token"])
            return made

        before = memory(server.process)
        fast = [opened(index) for index in range(options.sockets)]
        reader = Reader(fast)
        reader.start()
        end = time.monotonic() + 20
        while min(reader.answered) == 0 and time.monotonic() < end:
            time.sleep(0.05)
        found.check(min(reader.answered) > 0, f"{reader.answered.count(0)} sockets were not told that they subscribed")
        each = (memory(server.process) - before) * 1024 / max(1, options.sockets)
        # All slow subscribers listen to the same person, whose changes then exceed what may wait.
        slow = [opened(0, receive_bytes=SMALL_BUFFER) for _ in range(options.slow)]
        time.sleep(0.5)
        acknowledged, faults = [], []
        write(server.port, people, options.rate, options.seconds, source, acknowledged, faults)
        found.check(not faults, f"{len(faults)} writes were refused: {faults[:1]}")
        for person in people:
            person["titles"] = [title for index, title, _ in acknowledged if people[index] is person]
        end = time.monotonic() + 15
        while time.monotonic() < end and any(
                len(reader.told[index]) < len(people[index % len(people)]["titles"]) for index in range(options.sockets)):
            time.sleep(0.1)
        peak = memory(server.process)
        at = {title: when for _, title, when in acknowledged}
        delays = []
        for index in range(options.sockets):
            titles = [title for title, _ in reader.told[index]]
            wanted = people[index % len(people)]["titles"]
            found.check(
                titles == wanted, f"socket {index} was told {len(titles)} of {len(wanted)} changes, or in another order")
            delays += [when - at[title] for title, when in reader.told[index] if title in at]
        found.check(not reader.closed, f"{len(reader.closed)} sockets that read were closed")
        # A slow reader gets what was in the network buffers, and must then be disconnected.
        flooded = overflow(client, people[0], slow, found) if slow else 0
        reader.stopping = True
        delays.sort()
        if delays:
            print(f"p50 {delays[len(delays) // 2] * 1000:.1f} ms, p99 {delays[len(delays) * 99 // 100] * 1000:.1f} ms, "
                  f"longest {delays[-1] * 1000:.1f} ms over {len(delays)} deliveries of {len(acknowledged)} changes")
        print(f"{each:.1f} KB a socket; {before:.0f} MB without sockets, {peak:.0f} MB at the end of the load, "
              f"{memory(server.process):.0f} MB after; {flooded} changes until the slow ones were let go")
        code = server.stop()
        found.check(code == 0, f"the server ended with {code}")
    print(f"{options.sockets} sockets, {options.slow} slow ones, {found.checks} checks, seed {options.seed}: "
          f"{found.count} findings")
    return 1 if found.count else 0


def overflow(client, person, slow, found):
    """Changes one person's task until more waits for the slow sockets than is allowed; begins to read one of them now and then.

    One that still hears all is not slow enough; the others must have been told, or have been gone for too long.
    """
    count, told, gone, title = 0, 0, 0, None
    for opened in slow:
        for _ in range(1500 // len(slow)):
            count, title = count + 1, f"number {count}"
            answer = client.ask("PATCH", f"/rest/v1/tasks?id=eq.{person['tasks'][0]}", {"title": title, "description": "y" * 9000},
                                person["access_token"])
            found.check(answer.status == 204, f"a change for slow sockets: {answer}")
        events = []
        try:
            while (message := opened.receive(1)) is not None:
                events.append(message)
            last = events[-1]["payload"].get("data", {}).get("record", {}).get("title") if events else None
            found.check(last == title, f"a slow socket that is open heard {last} last, not {title}")
        except (OSError, ValueError):
            if any(event["event"] == "system" and event["payload"]["status"] == "error" for event in events):
                told += 1
            else:
                gone += 1
    found.check(told > 0, f"of {len(slow)} slow sockets {gone} were let go, and {told} were told why")
    print(f"of {len(slow)} slow sockets {told} were told and let go, {gone} read nothing for too long to be told")
    return count


if __name__ == "__main__":
    sys.exit(main())
