"""Live sockets: how long after its acknowledgement a change is delivered, and how much memory a socket takes."""

import asyncio
import json
import re
import time

from bench_book import HABITS, habit_key
from served import KEY


def resident_bytes(process):
    text = open(f"/proc/{process.pid}/status", encoding="utf-8").read()
    return int(re.search(r"^VmRSS:\s+(\d+) kB", text, re.MULTILINE)[1]) * 1024


class Client:
    """One connection with a plain reader of frames: 2 000 connections of a library would measure the library."""

    def __init__(self, port, number, token, account):
        self.port, self.number, self.token, self.account = port, number, token, account
        self.reader = self.writer = None

    async def join(self):
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port, limit=1 << 14)
        self.writer.write((
            f"GET /p/habithive/realtime/v1/websocket?apikey={KEY}&vsn=1.0.0 HTTP/1.1\r\nHost: bench\r\n"
            "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n").encode())
        head = await self.reader.readuntil(b"\r\n\r\n")
        if b" 101 " not in head.split(b"\r\n")[0]:
            raise SystemExit(f"a socket was refused: {head[:200]}")
        binding = {"event": "*", "schema": "public", "table": "habit_logs", "filter": f"user_id=eq.{self.account}"}
        self.send({"topic": "realtime:bench", "event": "phx_join", "ref": "1", "join_ref": "1", "payload": {
            "config": {"postgres_changes": [binding]}, "access_token": self.token}})
        reply = json.loads(await self.frame())
        if reply["payload"].get("status") != "ok":
            raise SystemExit(f"a channel was refused: {reply}")

    def send(self, message):
        data = json.dumps(message).encode()
        # A client's frames are masked; a mask of zeros changes nothing.
        self.writer.write(bytes([0x81, 0xFE]) + len(data).to_bytes(2, "big") + bytes(4) + data)

    async def frame(self):
        first, length = await self.reader.readexactly(2)
        if length == 126:
            length = int.from_bytes(await self.reader.readexactly(2), "big")
        return await self.reader.readexactly(length)

    async def listen(self, delivered):
        while True:
            data = await self.frame()
            if b'"event":"postgres_changes"' in data:
                delivered(self.number, data)

    async def beat(self):
        while True:
            await asyncio.sleep(25)
            self.send({"topic": "phoenix", "event": "heartbeat", "ref": "2", "payload": {}})


async def change(port, people, number, value):
    """Logs a person's first habit over a connection of its own; returns when it was acknowledged."""
    token = people[number][0]
    body = json.dumps({"p_habit_id": habit_key(number * HABITS), "p_value": value})
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write((
        f"POST /p/habithive/rest/v1/rpc/log_habit HTTP/1.1\r\nHost: bench\r\napikey: {KEY}\r\nConnection: close\r\n"
        f"Authorization: Bearer {token}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n{body}"
    ).encode())
    line = await reader.readline()
    at = time.perf_counter()
    await reader.read()
    writer.close()
    if b" 200 " not in line:
        raise SystemExit(f"a change was refused: {line}")
    return at


async def measure(served, people, count, rate, seconds):
    before = resident_bytes(served.process)
    clients = [Client(served.port, number % len(people), *people[number % len(people)]) for number in range(count)]
    for first in range(0, count, 50):
        await asyncio.gather(*(client.join() for client in clients[first:first + 50]))
    await asyncio.sleep(1)
    memory = (resident_bytes(served.process) - before) / count
    arrivals, lags = {}, []

    def delivered(number, data):
        arrivals.setdefault(number, []).append(time.perf_counter())

    tasks = [asyncio.create_task(client.listen(delivered)) for client in clients]
    tasks += [asyncio.create_task(client.beat()) for client in clients]

    async def one(number, value):
        at = await change(served.port, people, number, value)
        end = time.perf_counter() + 5
        heard = count // len(people) + (number < count % len(people))
        while len(arrivals.get(number, [])) < heard and time.perf_counter() < end:
            await asyncio.sleep(0.002)
        found = arrivals.pop(number, [])
        lags.append(max(0.0, max(found) - at) * 1000 if len(found) >= heard else 5000)

    changes, start = [], time.perf_counter()
    for place in range(rate * seconds):
        await asyncio.sleep(max(0, start + place / rate - time.perf_counter()))
        # A different value each time a person's turn comes; otherwise nothing would change.
        changes.append(asyncio.create_task(one(place % len(people), 1 + (place // len(people) + int(start)) % 5)))
    await asyncio.gather(*changes)
    for task in tasks:
        task.cancel()
    for client in clients:
        client.writer.close()
    lags.sort()
    return {"memory": memory, "p50": lags[len(lags) // 2], "p99": lags[len(lags) * 99 // 100], "changes": len(lags)}


def run(served, people, count=2000, rate=100, seconds=10):
    return asyncio.run(measure(served, people, count, rate, seconds))
