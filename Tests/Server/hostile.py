"""Whatever comes over the wire, the server refuses it or closes the connection; it never fails, hangs or dies, and serves
others meanwhile.

    hostile.py daybook-server [--seconds 10] [--connections 2000] [--patience 1.0] [SEED]

Bytes that are no requests, slow ones, smuggled ones, floods, sockets misused, valid requests mutated (for `--seconds`). A
well-behaved client asks all the while from a process of its own and must be answered within `--patience`; memory is read
from /proc before and after.
"""

import argparse
import json
import multiprocessing
import os
import random
import resource
import socket
import sys
import time

from client import HOST, Client, Findings, exchange, memory, raw, statuses
from served import KEY, Served
from sockets import misuse

MEGABYTES = 1 << 20


def watch(port, token, pipe, waited):
    """Sends requests as apps do, and notes the longest time; reports at the end how many there were, and what went wrong."""
    client, count, faults = Client(port, timeout=20), 0, []
    while not pipe.poll(0.02):
        start = time.monotonic()
        try:
            answer = client.ask("GET", "/rest/v1/habits?limit=5", None, token)
            if answer.status not in (200, 503):
                faults.append(repr(answer))
        except Exception as error:
            faults.append(repr(error))
        count += 1
        waited.value = max(waited.value, time.monotonic() - start)
    pipe.send((count, faults[:3], len(faults)))


class Hostile:
    def __init__(self, server, token, found, source):
        self.server, self.port, self.token = server, server.port, token
        self.found, self.source = found, source
        self.held = []

    def request(self, method="GET", target="/rest/v1/habits", headers=(), body=b"", version="1.1"):
        lines = [f"{method} {target} HTTP/{version}", f"Host: {HOST}:{self.port}", f"apikey: {KEY}",
                 f"Authorization: Bearer {self.token}", *headers]
        return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body

    def post(self, body, target="/rest/v1/tasks", method="POST"):
        return self.request(method, target, ["Content-Type: application/json", f"Content-Length: {len(body)}"], body)

    def send(self, what, data, allowed=None, timeout=6, **options):
        """Sends bytes on a connection of their own and closes it for writing; the server must then end the connection."""
        start = time.monotonic()
        try:
            received = raw(self.port, data, timeout, half_close=options.pop("half_close", True), **options)
        except OSError as error:
            return self.found.check(False, f"{what}: {error}")
        seconds, told = time.monotonic() - start, statuses(received)
        self.found.check(all(status < 500 or status == 503 for status in told), f"{what}: {received[:300]}")
        self.found.check(seconds < timeout, f"{what}: neither answered nor closed in {seconds:.1f} s: {received[:100]}")
        if allowed is not None:
            self.found.check(set(told) <= set(allowed), f"{what}: answered {told}: {received[:200]}")
        return told

    def requests(self):
        """Bytes that are no request, or are too large a request."""
        refused = range(400, 500)
        long = "a" * 70_000
        for what, data in {
            "no HTTP": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(200), "only NULs": bytes(4096),
            "another protocol": b"SSH-2.0-x\r\n", "HTTP/2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
            "HTTP/9.9": self.request(version="9.9"), "no version": b"GET /health\r\n\r\n", "no target": b"GET HTTP/1.1\r\n\r\n",
            "an unknown method": self.request("BREW"), "a long method": self.request("A" * 9000),
            "a long target": self.request(target="/rest/v1/habits?x=" + long),
            "a long header": self.request(headers=["X: " + long]),
            "a hundred thousand headers": self.request(headers=["X: 1"] * 100_000),
            "a long key": self.request(headers=[long + ": 1"]), "a NUL in a header": self.request(headers=["X: a\0b"]),
            "a header without a colon": self.request(headers=["nonsense"]),
            "a space before the colon": self.request(headers=["Transfer-Encoding : chunked"]),
            "a folded header": self.request(headers=["X: a", "  b"]),
            "a bare return": self.request(headers=["X: a\rY: b"]),
            "a NUL in the target": b"GET /health\0 HTTP/1.1\r\nHost: x\r\n\r\n",
            "UTF-8 in the target": "GET /rest/v1/hä HTTP/1.1\r\nHost: x\r\n\r\n".encode(),
            "two lengths": self.request("POST", headers=["Content-Length: 2", "Content-Length: 40"], body=b"{}" + bytes(38)),
            "lengths in a list": self.request("POST", headers=["Content-Length: 2, 40"], body=b"{}" + bytes(38)),
            "a negative length": self.request("POST", headers=["Content-Length: -1"]),
            "a signed length": self.request("POST", headers=["Content-Length: +2"], body=b"{}"),
            "a length in hex": self.request("POST", headers=["Content-Length: 0x2"], body=b"{}"),
            "a length that overflows": self.request("POST", headers=["Content-Length: 18446744073709551617"], body=b"{}"),
            "a length and chunks": self.request(
                "POST", headers=["Content-Length: 4", "Transfer-Encoding: chunked"], body=b"0\r\n\r\n"),
            "an unknown encoding": self.request("POST", headers=["Transfer-Encoding: xchunked"], body=b"0\r\n\r\n"),
            "chunks twice": self.request("POST", headers=["Transfer-Encoding: chunked, chunked"], body=b"0\r\n\r\n"),
            "a chunk of no size": self.request("POST", headers=["Transfer-Encoding: chunked"], body=b"zz\r\nab\r\n0\r\n\r\n"),
            "a chunk that overflows": self.request(
                "POST", headers=["Transfer-Encoding: chunked"], body=b"ffffffffffffffffff\r\nab\r\n0\r\n\r\n"),
            "a body that ends early": self.request("POST", headers=["Content-Length: 100"], body=b"{}"),
            "a body that is too long": self.request("POST", headers=["Content-Length: 99999999999"], body=b"{"),
        }.items():
            self.send(what, data, allowed=refused)
        # A client of HTTP/1.0 reads to the end, and does not end its own side first.
        for headers in ([], ["Connection: keep-alive"], ["Connection: close"]):
            self.send(f"HTTP/1.0 {headers}", self.request(headers=headers, version="1.0"), allowed=[200], half_close=False)
        # Why a head is refused is told on a fresh connection and after another request, and the connection ends.
        fine, overlong = self.request(), self.request(target="/rest/v1/habits?x=" + long)
        for before in (b"", fine):
            received = raw(self.port, before + overlong, 6, half_close=False)
            self.found.check(
                statuses(received)[-1:] == [431] and b'"head_too_long"' in received, f"an overlong head: {received[-300:]}")
            received = raw(self.port, before + b"GET nonsense\r\n\r\n", 6, half_close=False)
            self.found.check(
                statuses(received)[-1:] == [400] and b'"malformed_request"' in received, f"a malformed head: {received[-300:]}")
        inner = b"GET /health HTTP/1.1\r\nHost: x\r\nX: y\r\n\r\n"
        for what, headers, body in (
            ("CL.TE", [f"Content-Length: {len(inner) + 5}", "Transfer-Encoding: chunked"], b"0\r\n\r\n" + inner),
            ("TE.CL", ["Transfer-Encoding: chunked", "Content-Length: 3"], b"1\r\nZ\r\n0\r\n\r\n" + inner),
            ("two lengths", ["Content-Length: 0", f"Content-Length: {len(inner)}"], inner),
            ("a folded encoding", ["Transfer-Encoding:", "\tchunked"], b"0\r\n\r\n" + inner),
        ):
            told = self.send(f"smuggled by {what}", self.request("POST", headers=headers, body=body), allowed=refused)
            self.found.check(not told or len(told) == 1, f"smuggled by {what}: {told}")

    def paths(self):
        for target in ("/../../etc/passwd", "/rest/v1/../../dev/outbox", "/rest/v1/%2e%2e/%2e%2e/dev/outbox",
                       "/rest/v1/..%2f..%2fserver.sqlite", "/rest%2fv1%2fhabits", "/rest/v1/rpc%2flog_habit",
                       "/rest/v1/habits%00", "/rest/v1/habits/../tasks", "/rest/v1/%c0%ae%c0%ae/x", "/rest/v1/%", "*",
                       "/rest/v1/%zz", "rest/v1/habits", "/rest/v1/habits/x", "/p", "/p/", "/p/nobody/rest/v1/habits",
                       "/p/../rest/v1/habits", "/functions/v1/../x", "/server.sqlite", "/journal/x", "/dev/../metrics",
                       "//example.org/../rest/v1/habits", "/%2e/health"):
            self.send(f"the target {target}", self.request(target=target), allowed=range(400, 500))

    def bodies(self):
        """Invalid JSON, or too much of it."""
        refused = range(400, 500)
        deep = 200_000
        for what, body in {
            "nothing": b"", "a brace": b"{", "no JSON": b"title=x", "NULs": bytes(100), "a NUL": b'{"title":"\0"}',
            "an escaped NUL": b'{"title":"a\\u0000b"}', "bad UTF-8": b'{"title":"\xff\xfe"}',
            "half a pair": b'{"title":"\\ud800"}', "over-long UTF-8": b'{"title":"\xc0\xaf"}', "deep arrays": b"[" * deep,
            "deep objects": b'{"a":' * deep, "deep and whole": b"[" * deep + b"]" * deep, "a number": b"1", "null": b"null",
            "a huge number": b'{"title":"x","due_at":1' + b"0" * 100_000 + b"}",
            "NaN": b'{"title":NaN}', "a key twice": b'{"title":1,"title":2}',
            "rows of unlike keys": b'[{"title":"x"},{"name":"x"}]', "a long title": json.dumps({"title": "x" * MEGABYTES}).encode(),
            "an unknown column": b'{"' + b"x" * 100_000 + b'":1}', "five megabytes": b" " * (5 * MEGABYTES),
            "a mark before": b'\xef\xbb\xbf{"title":',
        }.items():
            for target in ("/rest/v1/tasks", "/v1/commands", "/v1/ask", "/auth/v1/otp", "/auth/v1/token?grant_type=password",
                           "/rest/v1/rpc/log_habit"):
                if what == "nothing" and "rpc" not in target:
                    continue
                # An address that nobody has is not refused, but no such address is tried here. When
                # a row's key comes twice, the last one counts.
                taken = what == "null" or (what, target) == ("a key twice", "/rest/v1/tasks")
                self.send(f"{what} to {target}", self.post(body, target), allowed=None if taken else refused)
        for value in ("1e308", "-1e308", "9223372036854775808", "1e99999", "0.00000000001", "-0", "1" * 400, "[]", "{}", "true"):
            for table, column in (("habits", "target_per_day"), ("habits", "schedule_weekmask"), ("profiles", "day_start_hour"),
                                  ("tasks", "due_at"), ("habits", "reminders")):
                self.send(f"{column} = {value[:30]}",
                          self.post(f'{{"name":"x","title":"x","{column}":{value}}}'.encode(), f"/rest/v1/{table}"))
                self.send(f"{column}=gt.{value[:30]}", self.request(target=f"/rest/v1/{table}?{column}=gt.{value}"))
            for name, argument in (("log_habit", "p_value"), ("create_hive_invite", "p_ttl_minutes"),
                                   ("create_hive_from_habit", "p_backfill_days")):
                body = json.dumps({"p_habit_id": HABIT, "p_hive_id": HABIT}).encode()[:-1] + f',"{argument}":{value}}}'.encode()
                self.send(f"{argument} = {value[:30]}", self.post(body, f"/rest/v1/rpc/{name}"))
        for at in ("-999999-01-01T00:00:00Z", "999999-12-31T23:59:59Z", "9999-12-31T23:59:59Z", "0000-00-00", "infinity",
                   "2026-02-30", "2026-01-01T25:00:00Z", "2026-01-01T00:00:00+99:99", "0001-01-01T00:00:00+15:59"):
            self.send(f"p_at = {at}", self.post(json.dumps({"p_habit_id": HABIT, "p_at": at}).encode(), "/rest/v1/rpc/log_habit"))
            self.send(f"due_at = {at}", self.post(json.dumps({"title": "x", "due_at": at}).encode()))
            self.send(f"due_at=lt.{at}", self.request(target=f"/rest/v1/tasks?due_at=lt.{at.replace('+', '%2B')}"))

    def queries(self):
        """Queries that are small to send and large to answer."""
        nested = "and(" * 4000 + "id.is.null" + ")" * 4000
        wide = "*," + ",".join(f"a{index}:habit_logs(*)" for index in range(800))
        embed = "hive_members(*,hives(*,hive_members(*,hives(*,hive_members(*,hives(*,hive_members(*,hives(*))))))))"
        for what, query in {
            "deep logic": f"or=({nested})", "deep negation": "not.and=(" + "not.and(" * 3000 + "id.is.null" + ")" * 3001,
            "many embeds": f"select={wide}", "deep embeds": f"select=*,{embed}", "no end": "select=" + "hives(" * 4000,
            "a long list": "id=in.(" + ",".join([HABIT] * 700) + ")", "a pattern": "name=like." + "*a" * 5000 + "b",
            "a pattern of any": "name=ilike.any.{" + ",".join(["*a*b*"] * 2000) + "}", "many orders": "order=" + "name," * 5000,
            "a regex": "name=match.(a*)*(a*)*(a*)*b", "many filters": "&".join(["name=neq.x"] * 2500),
            "a great offset": "offset=9223372036854775807&limit=9223372036854775807", "a negative limit": "limit=-1",
            "quotes": "id=in.(" + '"' * 9000, "percent signs": "name=eq." + "%25" * 9000, "half a percent sign": "name=eq.%",
            "a JSON path": "reminders" + "->x" * 8000 + "=eq.1", "a cast": "select=name::" + "x" * 9000,
        }.items():
            for table in ("habits", "hives"):
                start = time.monotonic()
                self.send(f"{what} of {table}", self.request(target=f"/rest/v1/{table}?{query}"), timeout=10)
                self.found.check(time.monotonic() - start < 2, f"{what} of {table} took {time.monotonic() - start:.1f} s")

    # Slow requests, and many requests.

    def hold(self, data, count=60):
        """Opens connections that begin a request and never end it."""
        for _ in range(count):
            connection = socket.create_connection((HOST, self.port), timeout=5)
            connection.sendall(data)
            self.held.append(connection)

    def begin_slowly(self):
        self.began = time.monotonic()
        self.hold(b"")
        self.hold(b"GET /rest/v1/habits HTTP/1.1\r\nHost: x\r\n")
        self.hold(self.request("POST", headers=["Content-Length: 1000"], body=b'{"title"'))
        self.hold(self.request("POST", headers=["Transfer-Encoding: chunked"], body=b"5\r\n{"))
        self.hold(self.request(target="/health"))

    def drip(self):
        """Sends one more byte on each: a slow connection is not a silent one."""
        for index, connection in enumerate(self.held):
            try:
                connection.sendall(b"X: 1\r\n" if 60 <= index < 120 else b"\r\n" if index < 60 else b"0")
            except OSError:
                pass

    def end_slowly(self, limit=40):
        """Waits for as long as a server may keep such connections open, and checks which of them it closed."""
        while time.monotonic() - self.began < limit:
            self.drip()
            time.sleep(2)
        open_still = 0
        for connection in self.held:
            connection.settimeout(0.01)
            try:
                while connection.recv(65536):
                    pass
            except socket.timeout:
                open_still += 1
            except OSError:
                pass
            connection.close()
        self.found.check(open_still == 0, f"{open_still} of {len(self.held)} slow connections are open after {limit} s")

    def flood(self, count):
        """Connections that all send requests at once."""
        connections, told = [], {}
        data = self.request(target="/rest/v1/habits?limit=1", headers=["Connection: close"])
        for _ in range(count):
            try:
                connections.append(socket.create_connection((HOST, self.port), timeout=10))
            except OSError as error:
                self.found.check(False, f"connection {len(connections)}: {error}")
                break
        for connection in connections:
            try:
                connection.sendall(data)
            except OSError:
                pass
        for connection in connections:
            told_now = (statuses(exchange(connection, b"", timeout=10)) or ["closed"])[0]
            told[told_now] = told.get(told_now, 0) + 1
            connection.close()
        self.found.check(set(told) <= {200, 503}, f"{count} connections at once: {told}")
        return told

    def pipeline(self):
        """Sends requests without waiting, on a connection whose answers nobody reads."""
        connection = socket.create_connection((HOST, self.port), timeout=2)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        sent, data = 0, self.request(target="/v1/openapi.json") * 20
        try:
            while sent < 64 * MEGABYTES:
                sent += connection.send(data)
        except OSError:
            pass
        connection.close()

    def mutate(self, seconds):
        """Valid requests with bytes changed, left out, doubled and put in."""
        valid = [
            self.request(target="/rest/v1/habits?select=*,habit_logs(count)&order=created_at.desc&limit=5"),
            self.request(target=f"/rest/v1/tasks?id=in.({HABIT})&or=(title.eq.x,and(due_at.gt.2026-01-01,title.like.*a*))",
                         headers=["Prefer: count=exact", "Range: 0-4"]),
            self.post(b'[{"title":"x","due_at":"2026-01-01T00:00:00Z"},{"title":"y","due_at":null}]'),
            self.post(json.dumps({"p_habit_id": HABIT, "p_value": 1}).encode(), "/rest/v1/rpc/log_habit"),
            self.post(b'{"do":"create_habit","name":"Read","schedule_weekmask":5}', "/v1/commands"),
            self.post(b'[{"do":"create_task","title":"x"},{"do":"create_goal","title":"y"}]', "/v1/commands"),
            self.post(b'{"ask":"today"}', "/v1/ask"),
            self.post(b'{"email":"x@example.org","create_user":false,"data":{"a":[1]}}', "/auth/v1/otp"),
            self.post(b'{"refresh_token":"xxxxxxxxxxxxxxxxxxxxxxxxxx"}', "/auth/v1/token?grant_type=refresh_token"),
            self.post(b'{"price_id":"x"}', "/functions/v1/create-checkout-session"),
            self.post(b'{"name":"x"}', f"/rest/v1/habits?id=eq.{HABIT}", "PATCH"),
        ]
        end, count, told = time.monotonic() + seconds, 0, {}
        while time.monotonic() < end:
            data = bytearray(self.source.choice(valid))
            for _ in range(self.source.choice([1, 1, 2, 4, 16])):
                place = self.source.randrange(len(data))
                kind = self.source.randrange(5)
                if kind == 0:
                    data[place] = self.source.randrange(256)
                elif kind == 1:
                    del data[place:place + self.source.randrange(1, 8)]
                elif kind == 2:
                    data[place:place] = bytes(self.source.choices(b'%(){}[]",.:&=\\\0\xff-+*9', k=self.source.randrange(1, 5)))
                elif kind == 3:
                    data[place:place] = data[place:place + self.source.randrange(1, 200)]
                else:
                    data[place] ^= 1 << self.source.randrange(8)
                if not data:
                    data = bytearray(b"\r\n")
            for status in self.send(f"the mutation {bytes(data)!r}", bytes(data), timeout=8) or ["closed"]:
                told[status] = told.get(status, 0) + 1
            count += 1
        return count, told


def unheard(binary, found):
    """A server that cannot write its log, because the disk is full or nobody reads the log any more."""
    reader, writer = os.pipe()
    os.close(reader)
    for name, log in (("full", os.open("/dev/full", os.O_WRONLY)), ("unread", writer)):
        with Served(binary) as server:
            server.stop()
            server.start(log)
            client = Client(server.port)
            statuses = [client.ask("GET", path).status for path in ("/health", "/nothing", "/rest/v1/habits")]
            found.check(statuses == [200, 404, 200], f"with a log that is {name}: {statuses}")
            found.check(server.process.poll() is None, f"with a log that is {name} it died with {server.process.returncode}")
            found.check(server.stop() == 0, f"with a log that is {name} it does not end well")
        os.close(log)


HABIT = "3b425b1f-3a80-4a6c-8c69-0aab5b315d23"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("server")
    parser.add_argument("--seconds", type=float, default=8)
    parser.add_argument("--connections", type=int, default=2000)
    parser.add_argument("--patience", type=float, default=1.0)
    parser.add_argument("seed", type=int, nargs="?", default=1)
    options = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    found, start = Findings(), time.monotonic()
    unheard(os.path.abspath(options.server), found)
    with Served(os.path.abspath(options.server)) as server:
        client = Client(server.port)
        token = client.sign_in("hostile@example.org")["access_token"]
        client.ask("POST", "/rest/v1/habits", {"id": HABIT, "name": "Read"}, token)
        for name in ("a", "b", "c"):
            hive = client.ask("POST", "/rest/v1/rpc/create_hive_from_habit", {"p_habit_id": HABIT, "p_name": name}, token)
            found.check(hive.status == 200, f"{hive}")
        pipe, end = multiprocessing.Pipe()
        waited = multiprocessing.Value("d", 0)
        watcher = multiprocessing.Process(target=watch, args=(server.port, token, end, waited), daemon=True)
        watcher.start()
        hostile = Hostile(server, token, found, random.Random(options.seed))
        before = memory(server.process)
        steps = [
            ("slow", hostile.begin_slowly), ("requests", hostile.requests), ("paths", hostile.paths),
            ("bodies", hostile.bodies), ("queries", hostile.queries), ("pipeline", hostile.pipeline),
            ("sockets", lambda: misuse(server, token, found)), ("flood", lambda: hostile.flood(options.connections)),
            ("mutations", lambda: hostile.mutate(options.seconds)), ("slow ends", hostile.end_slowly),
        ]
        for name, step in steps:
            began, checks, waited.value = time.monotonic(), found.checks, 0
            result = step()
            alive = server.process.poll() is None
            print(f"{name}: {found.checks - checks} checks, {time.monotonic() - began:.1f} s, "
                  f"{memory(server.process) if alive else 0:.0f} MB, others waited {waited.value:.2f} s {result or ''}", flush=True)
            found.check(waited.value < options.patience, f"{name}: a well-behaved client waited {waited.value:.2f} s")
            if not found.check(alive, f"the server died of {name} with {server.process.returncode}"):
                break
        pipe.send(None)
        count, faults, fault_count = pipe.recv() if pipe.poll(30) else (0, ["it hangs"], 1)
        watcher.join(5)
        found.check(fault_count == 0, f"a well-behaved client was not answered {fault_count} times: {faults}")
        if server.process.poll() is None:
            after = memory(server.process)
            found.check(after < before + 400, f"memory grew from {before:.0f} to {after:.0f} MB")
            print(f"memory {before:.0f} -> {after:.0f} MB; a well-behaved client asked {count} times")
            code = server.stop()
            found.check(code == 0, f"the server ended with {code}")
    print(f"{found.checks} checks, {time.monotonic() - start:.0f} s, seed {options.seed}: {found.count} findings")
    return 1 if found.count else 0


if __name__ == "__main__":
    sys.exit(main())
