"""However much an account asks for at once, others are served meanwhile, and memory stays bounded.

    greedy.py daybook-server [--tasks 2700] [--patience 1.0]

An account with long tasks asks with thousands of conditions, orders and embeds, for the past again and again, completes tasks
that repeat each second, and wants to hear of changes by heavy filters. A well-behaved client of another account asks all the
while from a process of its own and must be answered within `--patience`, by `/health` too.
"""

import argparse
import multiprocessing
import os
import socket
import sys
import threading
import time
import uuid

from client import HOST, Client, Findings, Socket, memory
from hostile import watch
from served import KEY, Served


class Greedy:
    """An account with as many long tasks as it likes."""

    def __init__(self, server, token, found, count):
        self.server, self.port, self.token, self.found = server, server.port, token, found
        client = Client(self.port, timeout=60)
        text = ("été " * 1700)[:6000]
        for start in range(0, count, 100):
            rows = [{"title": f"Task {start + number}", "description": text} for number in range(100)]
            answer = client.ask("POST", "/rest/v1/tasks", rows, token)
            found.check(answer.status == 201, f"tasks: {answer}")

    def statuses(self, targets, timeout=60):
        """Sends all of these requests at once, each over a connection of its own."""
        answers = [None] * len(targets)

        def ask(number, target):
            try:
                answers[number] = Client(self.port, timeout=timeout).ask("GET", target, None, self.token).status
            except Exception as error:
                answers[number] = repr(error)
        threads = [threading.Thread(target=ask, args=pair) for pair in enumerate(targets)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return answers

    def asked(self, what, targets, allowed=(200, 413, 429)):
        answers = self.statuses(targets)
        self.found.check(all(answer in allowed for answer in answers), f"{what}: {answers}")
        return {answer: answers.count(answer) for answer in set(answers)}

    def conditions(self):
        pattern = ",".join(["description.ilike.*%C3%A9%C3%A9b*"] * 300)
        patterns = ",".join(["%25ab%25"] * 2000)
        return self.asked("conditions", [
            f"/rest/v1/tasks?select=id&or=({pattern})",
            f"/rest/v1/tasks?select=id&description=like(any).{{{patterns}}}",
            f"/rest/v1/tasks?select=id&description=like(all).{{{'%25' + 'a%25' * 450}}}",
        ] * 2)

    def orders(self):
        terms = ",".join(["description"] * 1500)
        return self.asked("orders", [f"/rest/v1/tasks?select=id&order={terms}"] * 4)

    def embeds(self):
        none, all = ",".join(["tasks()"] * 1000), ",".join(f"a{number}:tasks(*)" for number in range(100))
        return self.asked("embeds", [
            f"/rest/v1/tasks?select=id,{none}", f"/rest/v1/tasks?select=id,{all}",
            f"/rest/v1/tasks?select={','.join(f'a{number}:id' for number in range(3000))}"] * 2)

    def long_answers(self):
        return self.asked("long answers", ["/rest/v1/tasks?select=*"] * 16)

    def past(self):
        """Reads as of past moments, 200 at once; then as many whose clients disconnect."""
        targets = [f"/rest/v1/tasks?select=id&as_of=2026-01-01T00:00:{number % 60:02}Z" for number in range(200)]
        told = self.asked("the past", targets)
        for target in targets:
            connection = socket.create_connection((HOST, self.port))
            connection.sendall((
                f"GET {target} HTTP/1.1\r\nHost: {HOST}\r\napikey: {KEY}\r\n"
                f"Authorization: Bearer {self.token}\r\n\r\n").encode())
            connection.close()
        return told

    def seconds(self):
        """Completes tasks that repeat each second."""
        rule = "FREQ=DAILY;" + ";".join(
            f"{part}={','.join(map(str, range(count)))}" for part, count in
            (("BYHOUR", 24), ("BYMINUTE", 60), ("BYSECOND", 60)))
        client = Client(self.port, timeout=60)
        keys = [str(uuid.uuid4()) for _ in range(100)]
        rows = [{"id": key, "title": "Blink", "due_at": "2020-01-01T00:00:00Z", "recurrence_rule": rule} for key in keys]
        answer = client.ask("POST", "/rest/v1/tasks", rows, self.token)
        self.found.check(answer.status == 201, f"tasks each second: {answer}")
        start = time.monotonic()
        answer = client.ask("PATCH", f"/rest/v1/tasks?id=in.({','.join(keys)})", {"is_completed": True}, self.token)
        self.found.check(answer.status == 204, f"completing them: {answer}")
        return f"{1000 * (time.monotonic() - start) / len(keys):.1f} ms each"

    def writes(self):
        """Writes that find their rows by expensive conditions: all other writes wait for them."""
        client = Client(self.port, timeout=60)
        pattern = ",".join(["description.ilike.*%C3%A9%C3%A9b*"] * 300)
        return client.ask("DELETE", f"/rest/v1/tasks?or=({pattern})", None, self.token).status

    def filters(self):
        """Joins channels with heavy filters, while changes come; they stay joined."""
        told = []
        self.sockets = [Socket(self.port) for _ in range(4)]
        for number, connection in enumerate(self.sockets):
            for channel in range(20):
                connection.join(f"{number}-{channel}", [
                    {"table": "tasks", "filter": f"description=ilike.*é{binding}é*"} for binding in range(20)], self.token)
                while (message := connection.receive(10))["event"] != "phx_reply":
                    pass
                told.append(message["payload"]["status"])
        joined = told.count("ok")
        self.found.check(0 < joined < len(told), f"{joined} of {len(told)} channels with heavy filters were joined")
        client = Client(self.port, timeout=60)
        for number in range(20):
            client.ask("PATCH", f"/rest/v1/tasks?title=eq.Task%20{number}", {"title": f"Task {number}"[::-1]}, self.token)
        return f"{joined} of {len(told)} channels joined"


def hear(server, token, account, title):
    """How long another account waits to hear of a change of its own."""
    listener, client = Socket(server.port), Client(server.port)
    listener.join("own", [{"table": "tasks", "filter": f"user_id=eq.{account}"}], token)
    listener.all(0.5)
    start = time.monotonic()
    client.ask("POST", "/rest/v1/tasks", {"title": title}, token)
    message = listener.receive(30)
    listener.close()
    return time.monotonic() - start if message else None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("server")
    parser.add_argument("--tasks", type=int, default=2700)
    parser.add_argument("--patience", type=float, default=1.0)
    options = parser.parse_args()
    found, start = Findings(), time.monotonic()
    with Served(os.path.abspath(options.server)) as server:
        client = Client(server.port)
        other = client.sign_in("patient@example.org")
        token = other["access_token"]
        greedy = Greedy(server, client.sign_in("greedy@example.org")["access_token"], found, options.tasks)
        pipe, end = multiprocessing.Pipe()
        waited = multiprocessing.Value("d", 0)
        watcher = multiprocessing.Process(target=watch, args=(server.port, token, end, waited), daemon=True)
        watcher.start()
        before = memory(server.process)
        for name, step in (
            ("conditions", greedy.conditions), ("orders", greedy.orders), ("embeds", greedy.embeds),
            ("long answers", greedy.long_answers), ("the past", greedy.past), ("each second", greedy.seconds),
            ("writes", greedy.writes), ("filters", greedy.filters),
        ):
            waited.value, began, healthy = 0, time.monotonic(), []
            done = threading.Event()

            def ask_health():
                while not done.wait(0.1):
                    asked = time.monotonic()
                    status = Client(server.port, timeout=60).ask("GET", "/health").status
                    healthy.append((status, time.monotonic() - asked))
            asker = threading.Thread(target=ask_health)
            asker.start()
            result = step()
            delay = hear(server, token, other["user"]["id"], name)
            done.set()
            asker.join()
            worst = max([waited.value, delay or 60] + [time for _, time in healthy])
            print(f"{name}: {time.monotonic() - began:.1f} s, {memory(server.process):.0f} MB, others waited {waited.value:.2f} s, "
                  f"heard after {delay and round(delay, 2)} s {result or ''}", flush=True)
            found.check(worst < options.patience, f"{name}: others waited {worst:.2f} s")
            found.check(all(status == 200 for status, _ in healthy), f"{name}: /health {healthy}")
        pipe.send(None)
        count, faults, fault_count = pipe.recv() if pipe.poll(60) else (0, ["it hangs"], 1)
        found.check(fault_count == 0, f"a well-behaved client was not answered {fault_count} times: {faults}")
        after = memory(server.process)
        found.check(after < before + 800, f"memory grew from {before:.0f} to {after:.0f} MB")
        print(f"memory {before:.0f} -> {after:.0f} MB; a well-behaved client asked {count} times")
        found.check(server.stop() == 0, "the server does not end well")
    print(f"{found.checks} checks, {time.monotonic() - start:.0f} s: {found.count} findings")
    return 1 if found.count else 0


if __name__ == "__main__":
    sys.exit(main())
