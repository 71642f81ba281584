"""Everything acknowledged survives every kill, and nothing is half-done.

    kill_under_load.py daybook-server [N] [SEED]

N times (60): threads sign people up, log habits, upsert tasks and write batches; the server is killed (SIGKILL) amid
them and begun again on the same book. Then everything acknowledged must be found, batches must be whole or absent, and
earlier sessions must still work. `daybook verify`, which is expected beside the server, calls the book whole every tenth
time.
"""

import http.client
import os
import random
import subprocess
import sys
import threading
import time
import uuid

from client import Client, Findings
from served import PEPPER, Served

BATCH = 5
PAGE = 1000
# A new book is made after this many rounds, so that each round stays cheap.
ROUNDS_PER_BOOK = 60


class Person:
    """A client that writes, and remembers which writes were acknowledged."""

    def __init__(self, server, number):
        self.client = Client(server.port, timeout=20)
        self.email = f"person-{number}@example.org"
        session = self.client.sign_in(self.email)
        self.token, self.refresh, self.key = session["access_token"], session["refresh_token"], session["user"]["id"]
        self.habit = self.insert("habits", {"name": "Read"})[0]["id"]
        self.tasks = {}
        self.batches = {}
        self.values = {}
        self.signed_up = []
        self.count = 0

    def insert(self, table, body, query=""):
        """Writes rows; returns them when they were acknowledged."""
        answer = self.client.ask("POST", f"/rest/v1/{table}{query}", body, self.token,
                                 Prefer="return=representation,resolution=merge-duplicates")
        if answer.status not in (200, 201):
            raise AssertionError(f"{table}: {answer}")
        return answer.json

    def work(self, random_source, stop):
        """Writes until the server is gone. The last write may be there or not."""
        self.doubtful = None
        try:
            while not stop.is_set():
                self.step(random_source)
                self.count += 1
        except (OSError, http.client.HTTPException):
            self.client.close()

    def step(self, random_source):
        kind = random_source.choice(["task", "task", "batch", "log", "log", "sign-up", "refresh"])
        self.doubtful = None
        if kind == "task":
            key = random_source.choice([str(uuid.uuid4()), *list(self.tasks)[-3:]])
            title = f"title {self.count}"
            self.doubtful = ("task", key, title)
            self.insert("tasks", {"id": key, "title": title}, "?on_conflict=id")
            self.tasks[key] = title
        elif kind == "batch":
            name = uuid.uuid4().hex
            self.doubtful = ("batch", name)
            self.insert("labels", [{"name": f"{name} {index}"} for index in range(BATCH)])
            self.batches[name] = True
        elif kind == "log":
            day = time.strftime("%Y-%m-%d", time.gmtime(time.time() - 86400 * random_source.randrange(1, 6)))
            answer = self.client.ask("POST", "/rest/v1/rpc/log_habit", {
                "p_habit_id": self.habit, "p_value": 1, "p_at": f"{day}T18:00:00Z"}, self.token)
            if answer.status != 200:
                raise AssertionError(f"log_habit: {answer}")
            self.values[answer.json["log_date"]] = answer.json["value"]
        elif kind == "sign-up":
            email = f"{uuid.uuid4().hex}@example.org"
            self.doubtful = ("sign-up",)
            session = self.client.sign_in(email, "New")
            self.signed_up = [*self.signed_up[-2:], (email, session["access_token"], session["user"]["id"])]
        else:
            answer = self.client.ask("POST", "/auth/v1/token?grant_type=refresh_token", {"refresh_token": self.refresh})
            if answer.status != 200:
                raise AssertionError(f"refresh: {answer}")
            self.token, self.refresh = answer.json["access_token"], answer.json["refresh_token"]

    def look(self, found, where):
        """Checks that everything acknowledged is there."""
        def rows(table, query):
            # An answer has a thousand rows at most.
            all_rows, page = [], None
            while page is None or len(page) == PAGE:
                answer = self.client.ask(
                    "GET", f"/rest/v1/{table}?{query}&limit={PAGE}&offset={len(all_rows)}", None, self.token)
                if not found.check(answer.status == 200, f"{where}: {table} -> {answer}"):
                    return []
                page = answer.json
                all_rows += page
            return all_rows

        user = self.client.ask("GET", "/auth/v1/user", None, self.token)
        found.check(user.status == 200 and user.json["id"] == self.key, f"{where}: the session ended: {user}")
        tasks = {row["id"]: row["title"] for row in rows("tasks", "select=id,title&order=id")}
        doubtful = self.doubtful or ("",)
        for key, title in self.tasks.items():
            allowed = [title, doubtful[2]] if doubtful[0] == "task" and doubtful[1] == key else [title]
            found.check(tasks.get(key) in allowed, f"{where}: task {key} is {tasks.get(key)}, not {title}")
        if doubtful[0] == "task" and doubtful[1] in tasks:
            self.tasks[doubtful[1]] = tasks[doubtful[1]]
        counts = {}
        for row in rows("labels", "select=name&order=name"):
            name = row["name"].split()[0]
            counts[name] = counts.get(name, 0) + 1
        for name in self.batches:
            found.check(counts.get(name) == BATCH, f"{where}: of a batch that was acknowledged {counts.get(name)} are there")
        found.check(all(count == BATCH for count in counts.values()), f"{where}: a batch is half-done: {counts}")
        logs = {row["log_date"]: row["value"] for row in rows("habit_logs", f"habit_id=eq.{self.habit}&order=log_date")}
        for day, value in self.values.items():
            found.check(logs.get(day) == value, f"{where}: the log of {day} is {logs.get(day)}, not {value}")
        for email, token, key in self.signed_up:
            answer = self.client.ask("GET", "/rest/v1/profiles", None, token)
            found.check(
                answer.status == 200 and [row["id"] for row in answer.json] == [key],
                f"{where}: {email}, who signed up, is not there: {answer}")


def verify(binary, book, found, where):
    answer = subprocess.run(
        [os.path.join(os.path.dirname(binary), "daybook"), "verify", "--book", book], capture_output=True, text=True,
        env={**os.environ, "DAYBOOK_PEPPER": PEPPER})
    found.check(answer.returncode == 0, f"{where}: daybook verify: {answer.stdout[-500:]} {answer.stderr[-500:]}")


def main():
    binary = os.path.abspath(sys.argv[1])
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 60
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    source, found, written, start, longest = random.Random(seed), Findings(), 0, time.monotonic(), 0
    for first in range(0, rounds, ROUNDS_PER_BOOK):
        with Served(binary) as server:
            people = [Person(server, number) for number in range(4)]
            for number in range(first, min(first + ROUNDS_PER_BOOK, rounds)):
                where = f"seed {seed}, round {number}"
                stop, faults = threading.Event(), []

                def run(person, number=number):
                    try:
                        person.work(random.Random(f"{seed} {number} {person.email}"), stop)
                    except AssertionError as error:
                        faults.append(error)

                threads = [threading.Thread(target=run, args=(person,), daemon=True) for person in people]
                for thread in threads:
                    thread.start()
                time.sleep(source.uniform(0.01, 0.25))
                server.process.kill()
                server.process.wait()
                stop.set()
                for thread in threads:
                    thread.join()
                found.check(not faults, f"{where}: {faults[:2]}")
                if number % 10 == 9:
                    verify(binary, server.book, found, where)
                again = time.monotonic()
                server.start()
                longest = max(longest, time.monotonic() - again)
                for person in people:
                    person.client.close()
                    person.look(found, where)
            written += sum(person.count for person in people)
            server.stop()
            verify(binary, server.book, found, f"seed {seed}, at the end")
    print(f"{rounds} kills, {written} writes acknowledged, {found.checks} checks, the longest start {longest:.2f} s, "
          f"{time.monotonic() - start:.0f} s, seed {seed}: {found.count} findings")
    return 1 if found.count else 0


if __name__ == "__main__":
    sys.exit(main())
