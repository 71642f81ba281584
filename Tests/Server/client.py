"""A client of a daybook-server, as small as can be: requests, raw bytes, and sockets of changes."""

import base64
import http.client
import json
import os
import secrets
import socket
import struct
import sys
import time

from served import KEY

HOST = "127.0.0.1"


class Answer:
    """What a server answered."""

    def __init__(self, status, headers, body):
        self.status = status
        self.headers = {name.lower(): value for name, value in headers}
        self.body = body

    @property
    def json(self):
        return json.loads(self.body) if self.body else None

    def __repr__(self):
        return f"{self.status} {self.body[:300]!r}"


class Client:
    """Sends requests to one server over one connection, which is reopened when it was closed."""

    def __init__(self, port, prefix="", timeout=30):
        self.port = port
        self.prefix = prefix
        self.timeout = timeout
        self.connection = None

    def ask(self, method, path, body=None, token=None, key=KEY, **headers):
        """Sends a request; a body that is not bytes is sent as JSON. Underscores in the names of headers stand for hyphens."""
        data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        sent = {"Authorization": f"Bearer {token or KEY}"}
        if key:
            sent["apikey"] = key
        if data is not None:
            sent["Content-Type"] = "application/json"
        sent.update({name.replace("_", "-"): value for name, value in headers.items()})
        if self.connection is None:
            self.connection = http.client.HTTPConnection(HOST, self.port, timeout=self.timeout)
        try:
            self.connection.request(method, self.prefix + path, data, sent)
            answer = self.connection.getresponse()
            return Answer(answer.status, answer.getheaders(), answer.read())
        except (OSError, http.client.HTTPException):
            self.close()
            raise

    def close(self):
        if self.connection is not None:
            self.connection.close()
            self.connection = None

    def sign_in(self, email, name=None):
        """Signs somebody in by the code that was sent to them; returns their session."""
        data = {"display_name": name} if name else None
        self.ask("POST", "/auth/v1/otp", {"email": email, "data": data})
        code = self.ask("GET", f"/dev/outbox?to={email}").json[-1]["code"]
        answer = self.ask("POST", "/auth/v1/verify", {"type": "email", "email": email, "token": code})
        if answer.status != 200:
            raise AssertionError(f"{email} cannot sign in: {answer}")
        return answer.json


def raw(port, data, timeout=5, half_close=False, pause=0):
    """Sends bytes as they are, and returns everything received until the server closes or is silent for too long."""
    with socket.create_connection((HOST, port), timeout=timeout) as connection:
        return exchange(connection, data, timeout, half_close, pause)


def exchange(connection, data, timeout=5, half_close=False, pause=0):
    received = b""
    try:
        for part in data if isinstance(data, list) else [data]:
            connection.sendall(part)
            if pause:
                time.sleep(pause)
        if half_close:
            connection.shutdown(socket.SHUT_WR)
        connection.settimeout(timeout)
        while part := connection.recv(65536):
            received += part
    except OSError:  # closed by the server, at whichever call; a time that ran out is one too
        pass
    return received


def statuses(received):
    """The status of each answer in received bytes."""
    found, rest = [], received
    while rest.startswith(b"HTTP/1."):
        head, _, rest = rest.partition(b"\r\n\r\n")
        found.append(int(head[9:12]))
        length = 0
        for line in head.split(b"\r\n")[1:]:
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        rest = rest[length:]
    return found


class Socket:
    """A socket of changes (vsn 1.0.0), read by hand: nothing is read without a call of `receive`."""

    TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10

    def __init__(self, port, prefix="", version="1.0.0", key=KEY, timeout=10, receive_bytes=None):
        self.pending = b""
        self.references = 0
        self.connection = socket.socket()
        if receive_bytes:
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
        self.connection.settimeout(timeout)
        self.connection.connect((HOST, port))
        nonce = base64.b64encode(secrets.token_bytes(16)).decode()
        self.connection.sendall((
            f"GET {prefix}/realtime/v1/websocket?apikey={key}&vsn={version} HTTP/1.1\r\nHost: {HOST}:{port}\r\n"
            f"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: {nonce}\r\n"
            "Sec-WebSocket-Version: 13\r\n\r\n").encode())
        while b"\r\n\r\n" not in self.pending:
            part = self.connection.recv(4096)
            if not part:
                raise ConnectionError("the server closed instead of opening a socket")
            self.pending += part
        head, _, self.pending = self.pending.partition(b"\r\n\r\n")
        self.status = int(head[9:12])

    def close(self):
        self.connection.close()

    @staticmethod
    def frame(opcode, data, final=True, masked=True):
        head = bytes([(0x80 if final else 0) | opcode])
        mask_bit = 0x80 if masked else 0
        if len(data) < 126:
            head += bytes([mask_bit | len(data)])
        elif len(data) < 65536:
            head += struct.pack(">BH", mask_bit | 126, len(data))
        else:
            head += struct.pack(">BQ", mask_bit | 127, len(data))
        if not masked:
            return head + data
        mask = os.urandom(4)
        repeated = (mask * (len(data) // 4 + 1))[:len(data)]
        mixed = int.from_bytes(data, "big") ^ int.from_bytes(repeated, "big")
        return head + mask + mixed.to_bytes(len(data), "big")

    def send(self, topic, event, payload=None):
        self.references += 1
        message = {"topic": topic, "event": event, "payload": payload or {}, "ref": str(self.references)}
        self.connection.sendall(self.frame(self.TEXT, json.dumps(message).encode()))

    def join(self, name, bindings, token=None):
        """Subscribes to changes; the answer is received like any other frame."""
        payload = {"config": {"postgres_changes": [{"event": "*", "schema": "public", **b} for b in bindings]}}
        if token:
            payload["access_token"] = token
        self.send(f"realtime:{name}", "phx_join", payload)

    def take(self):
        """A frame from the bytes received so far: its opcode and data; nothing if no frame is complete."""
        if len(self.pending) < 2:
            return None
        length, start = self.pending[1] & 0x7F, 2
        if length == 126:
            length, start = int.from_bytes(self.pending[2:4], "big"), 4
        elif length == 127:
            length, start = int.from_bytes(self.pending[2:10], "big"), 10
        if len(self.pending) < start + length:
            return None
        opcode, data = self.pending[0] & 0x0F, self.pending[start:start + length]
        self.pending = self.pending[start + length:]
        return opcode, data

    def receive(self, seconds=2):
        """The next message; nothing when the time is over; raises ConnectionError at the end, with the code."""
        end = time.monotonic() + seconds
        while True:
            found = self.take()
            if found and found[0] == self.TEXT:
                return json.loads(found[1])
            if found and found[0] == self.CLOSE:
                raise ConnectionError(f"closed with {int.from_bytes(found[1][:2], 'big')}")
            if found:
                continue
            left = end - time.monotonic()
            if left <= 0:
                return None
            self.connection.settimeout(left)
            try:
                part = self.connection.recv(65536)
            except socket.timeout:
                return None
            if not part:
                raise ConnectionError("closed")
            self.pending += part

    def all(self, seconds):
        """All messages that come within some time."""
        messages, end = [], time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            message = self.receive(left)
            if message is not None:
                messages.append(message)
        return messages


class Findings:
    """The findings of a script: printed when they are found, counted at the end."""

    def __init__(self):
        self.count = 0
        self.checks = 0

    def check(self, holds, what):
        self.checks += 1
        if not holds:
            self.count += 1
            if self.count <= 40:
                print(f"FINDING: {what}", flush=True)
        return holds


def run(*scenarios):
    """Runs scenarios with the server that the command line names; returns the exit code."""
    binary, found, start = os.path.abspath(sys.argv[1]), Findings(), time.monotonic()
    for scenario in scenarios:
        checks = found.checks
        result = scenario(binary, found)
        print(f"{scenario.__name__}: {found.checks - checks} checks {result or ''}", flush=True)
    print(f"{found.checks} checks, {time.monotonic() - start:.0f} s: {found.count} findings")
    return 1 if found.count else 0


def memory(process):
    """How many megabytes of memory a process has in use."""
    with open(f"/proc/{process.pid}/status") as lines:
        for line in lines:
            if line.startswith("VmRSS"):
                return int(line.split()[1]) / 1024
    return 0.0
