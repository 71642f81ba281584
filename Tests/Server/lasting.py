"""Long requests: streams of events and large writes. They end with their session and with the server, and do not block others.

    lasting.py daybook-server
"""

import json
import signal
import socket
import sys
import threading
import time

from client import Client, raw, run
from served import KEY, Served


def stream(port, token, method="GET"):
    """Asks for events, and leaves the connection open."""
    connection = socket.create_connection(("127.0.0.1", port), timeout=40)
    connection.sendall(
        f"{method} /v1/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n\r\n".encode())
    return connection


def until(connection, text):
    """The bytes received on a connection until they contain a text or the connection ends; and whether it ended."""
    received = b""
    while text is None or text.encode() not in received:
        part = connection.recv(65536)
        if not part:
            return received.decode("utf-8", "replace"), True
        received += part
    return received.decode("utf-8", "replace"), False


def ended_session(binary, found):
    """A stream ends with the session that opened it, and sends nothing that was recorded after."""
    with Served(binary) as server:
        client = Client(server.port)
        first, second = (client.sign_in("ada@example.org", "Ada")["access_token"] for _ in range(2))
        connection = stream(server.port, first)
        client.ask("POST", "/rest/v1/tasks", {"title": "before"}, second)
        found.check("before" in until(connection, "before")[0], "a stream tells nothing of one's own")
        answer = client.ask("POST", "/auth/v1/logout?scope=others", None, second)
        found.check(answer.status == 204, f"signing out elsewhere: {answer}")
        client.ask("POST", "/rest/v1/tasks", {"title": "after"}, second)
        received, is_ended = until(connection, "after")
        found.check("after" not in received and is_ended, "a stream outlives its session")


def limits(binary, found):
    """An account has eight streams at most; HEAD has no body, whatever is answered."""
    with Served(binary) as server:
        token = Client(server.port).sign_in("ada@example.org", "Ada")["access_token"]
        streams = [stream(server.port, token) for _ in range(8)]
        for connection in streams:
            found.check(until(connection, "retry:")[0].startswith("HTTP/1.1 200"), "a stream is refused")
        last = until(stream(server.port, token), "}")[0]
        found.check(last.startswith("HTTP/1.1 429") and "too_many_streams" in last, f"a ninth stream: {last[:80]}")
        # A client that closed its side of the connection gets no more messages.
        streams[-1].shutdown(socket.SHUT_WR)
        found.check(until(streams.pop(), None)[1], "a stream outlives its client's side of the connection")
        # The server notices at once that a client disconnected, not only with the next comment after 15 seconds.
        for _ in range(50):
            again = until(stream(server.port, token), "\r\n\r\n")[0]
            if again.startswith("HTTP/1.1 200"):
                break
            time.sleep(0.1)
        found.check(again.startswith("HTTP/1.1 200"), "a stream that was closed counts still")
        for connection in streams:
            connection.close()
        for path, header in (
                ("/health", ""), ("/nope", ""), ("/rest/v1/habits", ""), ("/rest/v1/habits", f"apikey: {KEY}\r\n"),
                ("/rest/v1/habits", f"apikey: {KEY}\r\nAuthorization: Bearer x\r\n"), ("/auth/v1/user", f"apikey: {KEY}\r\n"),
                ("/v1/openapi.json", ""), ("/v1/events", f"Authorization: Bearer {token}\r\n"), ("/v1/events", "")):
            request = f"HEAD {path} HTTP/1.1\r\nHost: x\r\n{header}Connection: close\r\n\r\n".encode()
            answer = raw(server.port, request, timeout=5)
            found.check(answer.startswith(b"HTTP/1.1 ") and answer.endswith(b"\r\n\r\n")
                        and answer.count(b"\r\n\r\n") == 1, f"HEAD {path}: {answer[-200:]!r}")


def soft_end(binary, found):
    """SIGTERM ends a server that has listeners."""
    with Served(binary) as server:
        token = Client(server.port).sign_in("ada@example.org", "Ada")["access_token"]
        connection = stream(server.port, token)
        until(connection, "retry:")
        start = time.monotonic()
        code = server.stop(signal.SIGTERM)
        found.check(code == 0 and time.monotonic() - start < 10, f"SIGTERM with a stream: exit {code}")
        found.check(until(connection, None)[1], "a stream outlives its server")


def large_writes(binary, found):
    """Others read while many rows are written at once; a write of too many rows is refused."""
    with Served(binary) as server:
        client = Client(server.port)
        token = client.sign_in("ada@example.org", "Ada")["access_token"]
        other = client.sign_in("bob@example.org", "Bob")["access_token"]
        rows = [{"title": f"task {number}"} for number in range(5_000)]
        answers = []
        writing = threading.Thread(
            target=lambda: answers.append(Client(server.port, timeout=120).ask("POST", "/rest/v1/tasks", rows, token)),
            daemon=True)
        writing.start()
        reads = 0
        while writing.is_alive():
            answer = client.ask("GET", "/rest/v1/labels", None, other)
            found.check(answer.status == 200, f"a read beside a large write: {answer}")
            reads += writing.is_alive()
        found.check(answers and answers[0].status == 201, f"a large write: {answers}")
        found.check(reads >= 10, f"only {reads} reads ended while a large write was carried out")
        posted = [{"type": "habit_completed"} for _ in range(200)]
        answer = client.ask("POST", "/rest/v1/activity_events", posted, token)
        found.check(answer.status == 201, f"200 activities: {answer}")
        many = [{"title": "x"} for _ in range(5_001)]
        answer = client.ask("POST", "/rest/v1/tasks", many, token)
        found.check(answer.status == 413 and answer.json["code"] == "54000", f"too many rows: {answer}")
        return f"{reads} reads beside 5 000 rows"


def large_answers(binary, found):
    """Rows that are embedded in rows multiply: an answer that would be too long is refused, and others are answered meanwhile."""
    with Served(binary) as server:
        client = Client(server.port, timeout=120)
        token = client.sign_in("ada@example.org", "Ada")["access_token"]
        habit = client.ask(
            "POST", "/rest/v1/habits", {"name": "Read"}, token,
            Prefer="return=representation").json[0]["id"]
        lines = "".join(
            json.dumps({"do": "log_habit", "habit": habit, "day": f"2025-{1 + day // 28:02d}-{1 + day % 28:02d}"}) + "\n"
            for day in range(300))
        sent = client.ask("POST", "/v1/commands", lines.encode(), token, Content_Type="application/jsonl")
        found.check(sent.status == 200 and b"error" not in sent.body, f"logs: {sent.body[:300]}")
        logs = "habit_logs(*)"
        select = f"id,habit_logs(*,habits(id,a:{logs},b:{logs},c:{logs}))"
        answer = client.ask("GET", f"/rest/v1/habits?select=id,{logs}", None, token)
        found.check(answer.status == 200 and len(answer.json[0]["habit_logs"]) == 300, f"logs in a habit: {answer}")
        answer = client.ask("GET", f"/rest/v1/habits?select={select}", None, token)
        found.check(answer.status == 413 and answer.json["code"] == "54000", f"logs in logs: {answer}")


def former_member(binary, found):
    """A removed member of a hive can read no code that would let them return, as of any moment."""
    with Served(binary) as server:
        client = Client(server.port)
        ada, bob = (client.sign_in(f"{name}@example.org", name) for name in ("ada", "bob"))
        owner, member = ada["access_token"], bob["access_token"]
        call = lambda name, body, token: client.ask("POST", f"/rest/v1/rpc/{name}", body, token)
        habit = client.ask(
            "POST", "/rest/v1/habits", {"name": "Read"}, owner, Prefer="return=representation").json[0]["id"]
        hive = call("create_hive_from_habit", {"p_habit_id": habit, "p_backfill_days": 0}, owner).json
        code = call("create_hive_invite", {"p_hive_id": hive}, owner).json["code"]
        found.check(call("join_hive_with_code", {"p_code": code}, member).status == 200, "an invite is refused")
        time.sleep(0.05)
        moment = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime()) + f".{int(time.time() * 1000) % 1000:03d}Z"
        time.sleep(0.05)
        path = f"/rest/v1/hive_members?hive_id=eq.{hive}&user_id=eq.{bob['user']['id']}"
        answer = client.ask("DELETE", path, None, owner)
        found.check(answer.status == 204, f"removing a member: {answer}")
        for query in ("", f"&as_of={moment}"):
            seen = client.ask("GET", f"/rest/v1/hive_invites?select=code{query}", None, member)
            found.check(seen.status == 200 and seen.json == [], f"a former member reads invites{query}: {seen}")
            own = client.ask("GET", f"/rest/v1/hive_invites?select=code{query}", None, owner)
            found.check(own.json == [{"code": code}], f"an owner reads invites{query}: {own}")
        asked = client.ask("GET", f"/v1/ask/hive?hive={hive}&as_of={moment}", None, member)
        found.check(code.encode() not in asked.body, f"a former member asks for a code: {asked}")


if __name__ == "__main__":
    sys.exit(run(ended_session, limits, soft_end, large_writes, large_answers, former_member))
