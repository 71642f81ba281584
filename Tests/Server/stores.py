"""The two stores of a server: one is lost or old, or somebody is erased; and what files and logs reveal about people.

    stores.py daybook-server

The `daybook` program is expected beside the server.
"""

import glob
import http.client
import json
import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time

from client import Client, run
from life import MARK, live
from served import KEY, PEPPER, Served

PHONE = "15550001234"


def daybook(binary, *arguments):
    """Runs the program beside the server; returns its exit code and what it wrote."""
    answer = subprocess.run(
        [os.path.join(os.path.dirname(binary), "daybook"), *arguments], capture_output=True, text=True,
        env={**os.environ, "DAYBOOK_PEPPER": PEPPER})
    return answer.returncode, answer.stdout + answer.stderr


def files(book):
    return [path for path in glob.glob(os.path.join(book, "**"), recursive=True) if os.path.isfile(path)]


def holding(paths, needles):
    """Which files hold which of some texts."""
    found = []
    for path in paths:
        with open(path, "rb") as file:
            data = file.read().lower()
        found += [(os.path.basename(path), needle) for needle in needles if needle.lower().encode() in data]
    return found


def remove_database(book):
    for path in glob.glob(os.path.join(book, "server.sqlite*")):
        os.remove(path)


def titles(client, session):
    """The titles of all tasks, a page after another: an answer has a thousand rows at most."""
    found = []
    while True:
        path = f"/rest/v1/tasks?select=title&order=id&limit=1000&offset={len(found)}"
        page = client.ask("GET", path, None, session["access_token"]).json
        found += [row["title"] for row in page]
        if len(page) < 1000:
            return sorted(found)


def lost_database(binary, found):
    """Without its database a server knows people by the book: a code gives the same account, and all its rows."""
    with Served(binary) as server:
        client = Client(server.port)
        session = client.sign_in("one@example.org", "One")
        client.ask("POST", "/rest/v1/tasks", {"title": "kept"}, session["access_token"])
        server.stop()
        remove_database(server.book)
        server.start()
        client.close()
        old = client.ask("GET", "/rest/v1/tasks", None, session["access_token"])
        found.check(old.status == 401, f"a token of a database that is lost: {old}")
        again = client.sign_in("one@example.org")
        found.check(again["user"]["id"] == session["user"]["id"], "without a database a code gives another account")
        found.check(titles(client, again) == ["kept"], "without a database rows are lost")


def old_book(binary, found):
    """A book that is older than the database: a sign-in, or a refresh, makes the account again under its key."""
    with Served(binary) as server:
        client = Client(server.port)
        client.sign_in("early@example.org")
        server.stop()
        backup = server.book + ".backup"
        shutil.copytree(server.book, backup)
        server.start()
        client.close()
        late, later = client.sign_in("late@example.org", "Late"), client.sign_in("later@example.org", "Later")
        server.stop()
        for path in os.listdir(server.book):
            if not path.startswith("server.sqlite"):
                whole = os.path.join(server.book, path)
                (shutil.rmtree if os.path.isdir(whole) else os.remove)(whole)
        for path in os.listdir(backup):
            if not path.startswith("server.sqlite"):
                source, target = os.path.join(backup, path), os.path.join(server.book, path)
                (shutil.copytree if os.path.isdir(source) else shutil.copy)(source, target)
        server.start()
        client.close()
        gone = client.ask("GET", "/rest/v1/profiles", None, late["access_token"])
        found.check(gone.status == 401 or gone.json == [], f"a token of an account that the book has not: {gone}")
        again = client.sign_in("late@example.org")
        found.check(again["user"]["id"] == late["user"]["id"], "in an older book a code gives another account")
        refreshed = client.ask("POST", "/auth/v1/token?grant_type=refresh_token", {"refresh_token": later["refresh_token"]})
        found.check(
            refreshed.status == 200 and refreshed.json["user"]["id"] == later["user"]["id"],
            f"in an older book a refresh token: {refreshed}")
        for session in (again, refreshed.json):
            profiles = client.ask("GET", "/rest/v1/profiles", None, session["access_token"])
            found.check(len(profiles.json) == 1, f"the account is not made again: {profiles}")
        server.stop()
        code, output = daybook(binary, "verify", "--book", server.book)
        found.check(code == 0, f"verify of an older book: {output}")


def erased(binary, found):
    """When the server starts, it forgets whoever was erased while it was stopped."""
    with Served(binary) as server:
        client = Client(server.port)
        session = client.sign_in(f"{MARK}@example.org", f"{MARK} Name")
        token = session["access_token"]
        live(client, session)
        client.ask("PUT", "/auth/v1/user", {"phone": f"+{PHONE}", "data": {"nickname": f"{MARK} Nick"}}, token)
        client.ask("POST", "/auth/v1/verify", {
            "type": "phone_change", "phone": f"+{PHONE}",
            "token": client.ask("GET", f"/dev/outbox?to=%2B{PHONE}").json[-1]["code"]}, token)
        client.ask("POST", "/auth/v1/otp", {"email": f"{MARK}@example.org"})
        other = client.sign_in("other@example.org")
        server.stop()
        needles = [MARK, PHONE, token, session["refresh_token"], session["user"]["id"]]
        found.check(holding(files(server.book), [MARK]), "nothing is found of somebody who is there: the search is blind")
        code, output = daybook(binary, "erase-account", session["user"]["id"], "--book", server.book, "--yes")
        found.check(code == 0, f"erase-account: {output}")
        server.start()
        client.close()
        for method, path, body in (("GET", "/auth/v1/user", None), ("GET", "/rest/v1/tasks", None), ("GET", "/v1/ask/tasks", None)):
            answer = client.ask(method, path, body, token)
            found.check(answer.status in (401, 403), f"the token of who was erased: {method} {path} -> {answer}")
        refresh = client.ask("POST", "/auth/v1/token?grant_type=refresh_token", {"refresh_token": session["refresh_token"]})
        found.check(refresh.status == 400, f"the refresh token of who was erased: {refresh}")
        found.check(client.ask("GET", "/rest/v1/profiles", None, other["access_token"]).status == 200, "others are gone, too")
        database = glob.glob(os.path.join(server.book, "server.sqlite*"))
        left = holding(database, needles)
        found.check(not left, f"while serving, the database's files hold of who was erased: {left}")
        again = client.sign_in(f"{MARK}@example.org")
        found.check(again["user"]["id"] != session["user"]["id"], "who was erased comes back as the same account")
        found.check(titles(client, again) == [], f"who was erased comes back with {titles(client, again)}")
        server.stop()
        found.check(not holding(files(os.path.join(server.book, "journal")), [PHONE, "nick"]), "the journal holds a phone")


def quiet_logs(binary, found):
    """The log of a busy server reveals nothing about anybody."""
    with Served(binary) as server:
        client = Client(server.port)
        session = client.sign_in(f"{MARK}@example.org", f"{MARK} Name")
        token = session["access_token"]
        live(client, session)
        key = client.ask("GET", "/rest/v1/tasks", None, token).json[0]["id"]
        invite = client.ask("GET", "/rest/v1/hive_invites", None, token).json[0]["code"]
        for method, path, body in (
            ("GET", f"/rest/v1/tasks?title=eq.{MARK}", None), ("GET", f"/rest/v1/{MARK}", None), ("GET", f"/{MARK}/x", None),
            ("POST", "/rest/v1/tasks", {MARK: 1}), ("POST", f"/rest/v1/rpc/{MARK}", {}), ("GET", f"/rest/v1/tasks?{MARK}=eq.1", None),
            ("POST", f"/functions/v1/{MARK}", {}), ("GET", f"/v1/ask/{MARK}", None), ("POST", "/v1/commands", {"do": MARK}),
            ("GET", f"/auth/v1/{MARK}", None), ("GET", f"/auth/v1/verify?token={MARK}&type=magiclink", None),
            ("POST", "/auth/v1/otp", {"phone": f"+{PHONE}"}), ("POST", "/auth/v1/otp", {"email": f"{MARK}@"}),
            ("POST", "/auth/v1/signup", {"email": f"{MARK}-2@example.org", "password": f"{MARK}-password"}),
            ("POST", "/auth/v1/token?grant_type=password", {"email": f"{MARK}@example.org", "password": f"{MARK}-password"}),
            ("POST", "/functions/v1/send-email", {"to": f"{MARK}@example.org", "subject": MARK, "html": MARK}),
            ("POST", "/rest/v1/rpc/join_hive_with_code", {"p_code": invite}), ("GET", f"/rest/v1/tasks?id=eq.{key}", None),
            ("GET", f"/p/{MARK}/rest/v1/tasks", None), (MARK.upper(), "/rest/v1/tasks", None),
        ):
            client.ask(method, path, body, token)
            client.ask(method, path, body, token + "x")
        figures = client.ask("GET", "/metrics").body.decode()
        found.check("daybook_requests_total" in figures and MARK not in figures, "figures tell words of who asked")
        server.stop()
        with open(server.log, encoding="utf-8") as lines:
            count = sum(1 for _ in lines)
        told = holding([server.log], [
            MARK, PHONE, token, token.split(".")[2], session["refresh_token"], session["user"]["id"], key, invite, "@example.org",
            PEPPER])
        found.check(not told, f"the log tells {told}")
        found.check(count > 60, f"the log has {count} lines: nothing was logged")


def whole_backup(binary, found):
    """A backup that is made while people write is a whole book."""
    with Served(binary) as server:
        client = Client(server.port)
        session = client.sign_in("busy@example.org")
        stop, counts = threading.Event(), []

        def write():
            own, count = Client(server.port), 0
            while not stop.is_set():
                answer = own.ask("POST", "/rest/v1/tasks", {"title": f"{count}"}, session["access_token"])
                found.check(answer.status == 201, f"a write amid a backup: {answer}")
                count += 1
            counts.append(count)

        threads = [threading.Thread(target=write, daemon=True) for _ in range(3)]
        for thread in threads:
            thread.start()
        time.sleep(0.3)
        for number in range(3):
            backup = f"{server.book}.{number}"
            code, output = daybook(binary, "backup", backup, "--book", server.book)
            found.check(code == 0, f"backup: {output}")
            code, output = daybook(binary, "verify", "--book", backup)
            found.check(code == 0, f"verify of a backup: {output}")
        stop.set()
        for thread in threads:
            thread.join()
        found.check(len(titles(client, session)) == sum(counts), "a write amid a backup is lost")


def soft_end(binary, found, seconds=1.0):
    """SIGTERM under load: acknowledged writes are there, and the server soon exits with 0."""
    with Served(binary) as server:
        client = Client(server.port)
        session = client.sign_in("ending@example.org")
        token, acknowledged, unanswered = session["access_token"], [], []

        def write(number):
            own, count = Client(server.port), 0
            try:
                while True:
                    title = f"{number} {count}"
                    if own.ask("POST", "/rest/v1/tasks", {"title": title}, token).status != 201:
                        return
                    acknowledged.append(title)
                    count += 1
            except (OSError, http.client.HTTPException):
                unanswered.append(title)

        threads = [threading.Thread(target=write, args=(number,), daemon=True) for number in range(6)]
        for thread in threads:
            thread.start()
        time.sleep(seconds)
        start = time.monotonic()
        code = server.stop(signal.SIGTERM)
        took = time.monotonic() - start
        for thread in threads:
            thread.join()
        found.check(code == 0 and took < 10, f"SIGTERM under load: exit {code} after {took:.1f} s")
        server.start()
        client.close()
        there = titles(client, session)
        found.check(set(acknowledged) <= set(there), f"{len(set(acknowledged) - set(there))} acknowledged writes are lost")
        found.check(len(there) <= len(acknowledged) + 6, "writes are there twice")
        server.stop()
        code, output = daybook(binary, "verify", "--book", server.book)
        found.check(code == 0, f"verify after SIGTERM: {output}")
        return f"{len(acknowledged)} writes, ended in {took:.2f} s"


def soon_end(binary, found):
    """SIGTERM while clients are slow: the server waits at most some seconds for clients that have sent no whole request, or do not read."""
    with Served(binary) as server:
        client = Client(server.port)
        token = client.sign_in("slow@example.org")["access_token"]
        for number in range(60):
            rows = [{"title": f"{number} {index} " + "x" * 400} for index in range(100)]
            client.ask("POST", "/rest/v1/goals", rows, token)
        client.close()
        unread = f"GET /v1/events?after=0 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n\r\n"
        begun = ["", "GET /he", "POST /v1/commands HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{", unread]
        slow = []
        for text in begun:
            slow.append(socket.create_connection(("127.0.0.1", server.port)))
            slow[-1].sendall(text.encode())
        time.sleep(1)
        start = time.monotonic()
        code = server.stop(signal.SIGTERM)
        took = time.monotonic() - start
        found.check(code == 0 and took < 12, f"SIGTERM while others are slow: exit {code} after {took:.1f} s")
        return f"ended in {took:.1f} s"


def slow_bodies(binary, found, count=600):
    """Request bodies that never end keep no other client out."""
    with Served(binary) as server:
        head = b"POST /v1/commands HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"
        slow = []
        for _ in range(count):
            slow.append(socket.create_connection(("127.0.0.1", server.port)))
            slow[-1].sendall(head)
        time.sleep(0.5)
        client = Client(server.port)
        found.check(client.ask("GET", "/rest/v1/tasks").status == 200, "slow bodies keep others out")
        client.close()


def another_pepper(binary, found):
    """With another pepper nobody would be recognised: the server says so, and does not start."""
    with Served(binary) as server:
        server.stop()
        for settings, word in [
                ({"DAYBOOK_PEPPER": "another pepper, which is long enough"}, "pepper"), ({"DAYBOOK_PORT": "banana"}, "port"),
                ({"DAYBOOK_TRUST_PROXY": "perhaps"}, "trustProxy"), ({"DAYBOOK_LIMITS_SECONDS": "9223372036854775807"}, "seconds"),
                ({"DAYBOOK_LIMITS_CONNECTIONS": "0"}, "connections"),
                ({"DAYBOOK_MAIL_HOST": "mail.example", "DAYBOOK_MAIL_PORT": "smtp"}, "mail.port"), ({"DAYBOOK_PUBLIC_URL": "javascript:alert(1)"}, "publicURL")]:
            environment = dict(
                os.environ, DAYBOOK_PEPPER=PEPPER, DAYBOOK_ANONYMOUS_KEY=KEY, DAYBOOK_PUBLIC_URL=server.url) | settings
            begun = subprocess.run(
                [binary, "--book", server.book], env=environment, capture_output=True, text=True, timeout=20)
            said = begun.stderr + begun.stdout
            found.check(begun.returncode == 64 and word in said, f"{settings}: exit {begun.returncode}: {said[-300:]}")
        server.start()
        server.stop()


def given_up(binary, found):
    """Messages that were given up can be listed and sent again, while the server runs; no address is shown."""
    def outbox(*arguments):
        answer = subprocess.run([binary, "outbox", *arguments], capture_output=True, text=True, timeout=20)
        return answer.returncode, answer.stdout + answer.stderr
    with Served(binary) as server:
        client = Client(server.port)
        client.ask("POST", "/auth/v1/otp", {"email": "dead@example.org"})
        client.close()
        database = sqlite3.connect(os.path.join(server.book, "server.sqlite"), timeout=5)
        with database:
            database.execute("UPDATE outbox SET dead_at = 1772452800000, attempts = 10, last_error = 'refused: 550'")
        id, payload = database.execute("SELECT id, payload FROM outbox").fetchone()
        code, said = outbox("--book", server.book)
        found.check(code == 0 and id in said and "refused: 550" in said and "dead@" not in said, f"outbox: {code} {said}")
        over = json.dumps({**json.loads(payload), "expires_at": 1772452800000})
        with database:
            database.execute("UPDATE outbox SET payload = ?", (over,))
        code, said = outbox("--book", server.book, "--all")
        found.check(code == 0 and f"{id}  is not sent again" in said, f"one that is over: {code} {said}")
        with database:
            database.execute("UPDATE outbox SET payload = ?", (payload,))
        unknown = "00000000-0000-4000-8000-000000000000"
        code, said = outbox("--book", server.book, "--send-again", id, unknown)
        found.check(code == 0 and f"{id}  is sent again" in said and f"{unknown}  is not" in said, f"again: {code} {said}")
        kept = database.execute("SELECT dead_at, attempts FROM outbox").fetchall()
        found.check(kept == [(None, 0)], f"it is not due again: {kept}")
        code, said = outbox("--book", server.book)
        found.check(code == 0 and "No message" in said, f"outbox without any: {code} {said}")
        database.close()
        code, said = outbox("--book", server.book + ".none")
        found.check(code == 64 and "server.sqlite does not exist" in said, f"outbox of no book: {code} {said}")


def database_in_trouble(binary, found, seconds=2.0):
    """While the database is locked, or lacks tables, sign-in says so at once, everything else continues, and no new database is made."""
    with Served(binary) as server:
        client = Client(server.port)
        session = client.sign_in("locked@example.org")
        token, took = session["access_token"], []

        def refused(method, path, body, answers=(503,)):
            start = time.monotonic()
            answer = Client(server.port).ask(method, path, body, token)
            took.append(time.monotonic() - start)
            found.check(answer.status in answers and answer.headers.get("retry-after"), f"{method} {path} -> {answer}")
            return answer

        def in_trouble(word):
            ready = client.ask("GET", "/ready")
            found.check(ready.status == 503 and word in ready.json.get("reason", ""), f"/ready, {word}: {ready}")
            otp = ("POST", "/auth/v1/otp", {"email": "new@example.org"})
            refused(*otp)
            threads = [threading.Thread(target=refused, args=otp, daemon=True) for _ in range(20)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            for method, path, body, status in (
                    ("POST", "/rest/v1/tasks", {"title": word}, 201), ("GET", "/rest/v1/tasks", None, 200),
                    ("GET", "/v1/ask/tasks", None, 200), ("GET", "/health", None, 200)):
                answer = client.ask(method, path, body, token)
                found.check(answer.status == status, f"{word}: {method} {path} -> {answer}")

        def well_again():
            ready = client.ask("GET", "/ready")
            found.check(ready.status == 200, f"/ready of what was put right: {ready}")
            answer = client.ask("POST", "/auth/v1/otp", {"email": f"{len(took)}@example.org"})
            found.check(answer.status == 200, f"a sign-in with what was put right: {answer}")

        database = sqlite3.connect(os.path.join(server.book, "server.sqlite"), timeout=5, isolation_level=None)
        database.execute("BEGIN IMMEDIATE")
        in_trouble("database is locked")
        refused("POST", "/auth/v1/token?grant_type=refresh_token", {"refresh_token": session["refresh_token"]})
        refused("POST", "/functions/v1/send-email", {"subject": "a", "text": "b"})
        database.execute("ROLLBACK")
        well_again()
        lost = ("limits", "one_time_codes")
        made = [row[0] for row in database.execute(
            "SELECT sql FROM sqlite_master WHERE tbl_name IN (?, ?) AND sql NOT NULL", lost)]
        for table in lost:
            database.execute(f"DROP TABLE {table}")
        in_trouble("limits")
        for sql in made:
            database.execute(sql)
        database.close()
        well_again()
        found.check(max(took) < seconds, f"it took {max(took):.2f} s to say that the database is in trouble")
        server.stop()
        with open(server.log, encoding="utf-8") as lines:
            told = [line for line in lines if "server.sqlite" in line]
        found.check(sum("database is locked" in line for line in told) == 1, f"the log tells a lock more than once: {told}")
        return f"told within {max(took):.2f} s"


def clock_behind(binary, found):
    """A server whose clock is behind the book's last entry is not ready, and says so."""
    with Served(binary) as server:
        server.stop()
        ahead = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 20 * 3600))
        code, output = daybook(binary, "accounts", "add", "Zed", "--book", server.book, "--at", ahead, "--yes")
        found.check(code == 0, f"an entry ahead of the clock: {output}")
        environment = dict(os.environ, DAYBOOK_PEPPER=PEPPER, DAYBOOK_ANONYMOUS_KEY=KEY, DAYBOOK_PUBLIC_URL=server.url)
        begun = subprocess.Popen(
            [binary, "--book", server.book, "--port", str(server.port)], env=environment, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True)
        for _ in range(100):
            time.sleep(0.1)
            try:
                answer = Client(server.port).ask("GET", "/ready")
                break
            except OSError:
                continue
        begun.terminate()
        said = begun.communicate(timeout=20)[0]
        found.check(answer.status == 503 and "behind the book" in str(answer.json), f"/ready: {answer.status}")
        found.check("clock is behind" in said, f"the log does not say it: {said[-300:]}")


if __name__ == "__main__":
    sys.exit(run(
        lost_database, old_book, erased, quiet_logs, whole_backup, soft_end, soon_end, slow_bodies, another_pepper,
        given_up, database_in_trouble, clock_behind))
