"""Sockets of changes, misused."""

import json
import os
import socket
import struct
import time

from client import HOST, Socket, memory, raw
from served import KEY

# What one socket may cost the server, whatever is sent to it, in megabytes.
MOST = 40


def ending(port, what, data, found, ends=True):
    """Sends bytes on an open socket, which must be closed, or keep working."""
    opened = Socket(port)
    try:
        opened.connection.sendall(data)
        opened.all(1.5 if ends else 0.2)
        found.check(not ends, f"{what}: the socket is open still")
    except (ConnectionError, socket.timeout):
        found.check(ends, f"{what}: the socket was closed")
    except ValueError as error:
        found.check(False, f"{what}: {error}")
    finally:
        opened.close()


def misuse(server, token, found):
    port, frame = server.port, Socket.frame
    upgrade = (f"GET /realtime/v1/websocket?apikey={KEY}&vsn=1.0.0 HTTP/1.1\r\nHost: {HOST}\r\n"
               "Connection: Upgrade\r\n{}\r\n\r\n")
    for headers in ("Upgrade: websocket", "Upgrade: websocket\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 99",
                    "Upgrade: h2c", "Upgrade: websocket, websocket\r\nSec-WebSocket-Version: 13"):
        received = raw(port, upgrade.format(headers).encode(), timeout=3, half_close=True)
        found.check(not received.startswith((b"HTTP/1.1 101", b"HTTP/1.1 5")), f"{headers!r}: {received[:200]}")
    received = raw(port, upgrade.replace(KEY, "wrong").format(
        "Upgrade: websocket\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13").encode(),
        timeout=1)
    found.check(received.startswith(b"HTTP/1.1 401"), f"a wrong key: {received[:200]}")

    text = json.dumps({"topic": "phoenix", "event": "heartbeat", "payload": {}, "ref": "1"}).encode()
    for what, data in {
        "no JSON": frame(1, b"nonsense"), "no mask": frame(1, text, masked=False), "a bit of an extension": b"\xc1" + frame(1, text)[1:],
        "bad UTF-8": frame(1, b'"\xff\xfe"'), "a long ping": frame(9, bytes(300)), "a huge frame": frame(1, bytes(300_000)),
        "a frame that overflows": b"\x81\xff" + struct.pack(">Q", 2**63 - 1) + bytes(100),
        "a frame of the largest size": b"\x81\xff" + b"\xff" * 8 + bytes(100), "a lone continuation": frame(0, b"x"),
        "text amid fragments": frame(1, b"{", final=False) + frame(1, text),
        "fragments without end": b"".join([frame(1, b"{", final=False)] + [frame(0, b" ", final=False)] * 3000),
        "deep JSON": frame(1, b"[" * 200_000), "a broken ping": frame(9, b"x", final=False), "no object": frame(1, b"[1,2,3]"),
        "a bad close": frame(8, b"\x00"), "a number for an event": frame(1, b'{"topic":"phoenix","event":1,"payload":{}}'),
    }.items():
        ending(port, what, data, found)
    for what, data in {
        "a heartbeat": frame(1, text), "a reserved opcode": frame(3, b"x"), "an empty binary": frame(2, b""), "a binary": frame(2, os.urandom(2000)),
        "fragments": frame(1, text[:9], final=False) + frame(9, b"x") + frame(0, text[9:]), "a pong": frame(10, b"x"),
    }.items():
        ending(port, what, data, found, ends=False)

    # Joins: thousands, long ones, strange ones.
    before = memory(server.process)
    joining = Socket(port)
    for index in range(3000):
        joining.join(f"t{index}", [{"table": "tasks"}], token)
        if index % 50 == 0:
            joining.all(0.005)
    replies = joining.all(1)
    found.check(bool(replies), "after thousands of joins nothing is answered")
    joining.close()
    fat = Socket(port)
    try:
        for index in range(100):
            fat.join(f"{index}" + "x" * 200_000, [{"table": "tasks", "filter": "title=eq." + "y" * 50_000}])
            fat.all(0.01)
    except (ConnectionError, socket.timeout):
        pass
    grown = memory(server.process) - before
    found.check(grown < MOST, f"a socket's joins took {grown:.0f} MB")
    fat.close()
    strange = Socket(port)
    for payload in ({"config": None}, {"config": {"postgres_changes": {}}}, {"config": {"postgres_changes": [1, None, []]}},
                    {"config": {"postgres_changes": [{"event": 1, "table": [], "filter": {}}] * 101}}, {"access_token": 5},
                    {"config": {"postgres_changes": [{"event": "*", "schema": "public", "table": "tasks", "filter": "x"}]}},
                    {"access_token": "x" * 20_000}, [], "x", None):
        strange.send("realtime:strange", "phx_join", payload)
    for event in ("phx_leave", "access_token", "broadcast", "presence", "postgres_changes", "system", "x" * 1000):
        for topic in ("realtime:nowhere", "phoenix", "", "realtime:"):
            strange.send(topic, event, {"a": 1})
    strange.send("phoenix", "heartbeat")
    found.check(bool(strange.all(0.5)), "after strange joins nothing is answered")
    strange.close()

    # A client that sends and never reads costs no more than others.
    before = memory(server.process)
    for what, data in (("heartbeats", frame(1, text) * 500), ("pings", frame(9, bytes(120)) * 2000)):
        deaf = Socket(port, receive_bytes=4096)
        deaf.connection.settimeout(1)
        end = time.monotonic() + 2.5
        try:
            while time.monotonic() < end:
                deaf.connection.sendall(data)
        except OSError:
            pass
        grown = memory(server.process) - before
        found.check(grown < MOST, f"{what} whose answers nobody reads took {grown:.0f} MB")
        deaf.close()
    return None
