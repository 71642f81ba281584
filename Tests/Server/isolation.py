"""Nobody sees, counts, changes or learns of anything that belongs to others: tries every route and table, as everybody who has no right to it.

    isolation.py daybook-server [SEED]

One person, whose every text holds a marker, has a row in every table. Strangers, nobody, and bearers of bad tokens then
ask for it in every way; a marker or a key in an answer is a finding, so is any change, and so is an answer that differs
between a row that is hidden and one that is not there. The `daybook` program is expected beside the server.
"""

import json
import os
import pathlib
import random
import re
import socket
import subprocess
import sys
import time
import urllib.parse
import uuid

from client import Client, Findings, Socket, exchange
from life import MARK, live
from served import KEY, PEPPER, Served
from tokens import forgeries

SCHEMAS = {
    "": "profiles device_tokens contact_hashes goals habits habit_logs habit_progress hives hive_members "
        "hive_member_days hive_days hive_invites activity_events tasks labels task_labels households users "
        "household_tasks honeydew_tasks recipes meal_plans meal_plan meal_plan_entries grocery_lists grocery_items pantry_staples "
        "calendar_events",
    "/p/habithive": "profiles device_tokens contact_hashes habits habit_logs hives hive_members hive_member_days "
                    "hive_days hive_invites activity_events",
    "/p/digit": "profiles device_tokens habits habit_progress",
    "/p/manna": "profiles tasks labels task_labels",
    "/p/mccall": "households users tasks honeydew_tasks household_tasks recipes meal_plans meal_plan meal_plan_entries grocery_lists "
                 "grocery_items pantry_staples calendar_events",
    "/p/motiv": "profiles goals habits habit_logs",
}
RPCS = {
    "log_habit": ["p_habit_id"], "create_hive_from_habit": ["p_habit_id"], "create_hive_invite": ["p_hive_id"],
    "log_hive_today": ["p_hive_id"], "advance_hive_day": ["p_hive_id"], "hand_over_hive": ["p_hive_id", "p_member"],
    "user_local_date": ["p_user"], "create_household_code": ["p_household_id"],
    "revoke_household_code": ["p_household_id"], "generate_grocery_list": ["p_household_id"],
    "join_hive_with_code": [], "join_household_with_code": [],
}
# The page's screens, as its own list has them, with KEY where a path names a thing. So a screen that is added is asked for, too.
SCREEN_LIST = pathlib.Path(__file__).resolve().parents[2] / "Sources/DaybookPage/Screens/ScreenList.swift"


def screens():
    outer, _, household = SCREEN_LIST.read_text().partition("func householdScreen")
    found = set()
    for prefix, part in (("/", outer), ("/household/", household)):
        for first, count, place, word in re.findall(
                r'case \("(\w+)", (\d|_)\)(?: where path\[(\d)\] == "(\w+)")?', part):
            words = [first] + ["KEY"] * (int(count) - 1 if count.isdigit() else 0)
            if place:
                words[int(place)] = word
            found.add(prefix + "/".join(words))
    return sorted(found)


UUID = re.compile(r"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")
# The parts that differ between any two answers: times, and positions in the journal.
PASSING = re.compile(rb'\d{4}-\d\d-\d\dT[0-9:.]+(Z|\+00:00)|\\?"(last_)?position\\?":\d+')


def snapshot(client, token):
    """Everything that a person has, as they see it."""
    return {
        (prefix, table): sorted(
            json.dumps(row, sort_keys=True) for row in client.ask("GET", f"{prefix}/rest/v1/{table}", None, token).json)
        for prefix, tables in SCHEMAS.items() for table in tables.split()
    }


class Isolation:
    def __init__(self, server, seed):
        self.random = random.Random(seed)
        self.server = server
        self.client = Client(server.port)
        self.found = Findings()
        self.alice = self.client.sign_in(f"{MARK}@example.org", f"{MARK} Alice")
        self.bob = self.client.sign_in("bob@example.org", "Bob")
        self.token, self.stranger = self.alice["access_token"], self.bob["access_token"]
        live(self.client, self.alice)
        self.rows = {key: [json.loads(row) for row in rows] for key, rows in snapshot(self.client, self.token).items()}
        # Keys that everybody has are no secret: the stranger's own rows show which keys those are.
        common = json.dumps(list(snapshot(self.client, self.stranger).values()))
        every = [row for rows in self.rows.values() for row in rows]
        values = {value for row in every for value in row.values() if isinstance(value, str)}
        self.keys = sorted(value for value in values if UUID.match(value) and value not in common)
        made = self.client.ask("POST", "/v1/tokens", {"name": f"{MARK} button", "scopes": ["today"]}, self.token).json["ok"]
        self.keys.append(made["id"])
        self.secret = made["token"]
        empty = [f"{prefix}/{table}" for (prefix, table), rows in self.rows.items() if not rows]
        self.found.check(not empty, f"no rows to look for in {empty}")

    def fresh(self):
        return str(uuid.UUID(int=self.random.getrandbits(128), version=4))

    def leaks(self, answer, sent=""):
        """The hidden texts that an answer reveals, apart from the text of the request itself."""
        text = answer.body.decode("utf-8", "replace") + json.dumps(answer.headers)
        return [secret for secret in [MARK, self.secret, *self.keys] if secret in text and secret not in sent]

    def refused(self, who, token, method, path, body=None, **headers):
        """Asks for hidden data, and checks that the answer reveals none."""
        answer = self.client.ask(method, path, body, token, **headers)
        sent = path + json.dumps(body)
        self.found.check(not self.leaks(answer, sent), f"{who}: {method} {path} tells {self.leaks(answer, sent)[:2]}")
        self.found.check(answer.status < 500, f"{who}: {method} {path} {body} -> {answer}")
        return answer

    def same(self, who, token, ask, hidden):
        """Checks that hidden and missing entities get the same answer, byte for byte."""
        missing = self.fresh()
        told = []
        for key in (hidden, missing):
            method, path, body, headers = ask(key)
            answer = self.refused(who, token, method, path, body, **headers)
            plain = PASSING.sub(b"", answer.body.replace(key.encode(), b"KEY"))
            shown = {name: value for name, value in answer.headers.items() if name not in ("date", "content-length")}
            told.append((answer.status, shown, plain))
        method, path, body, _ = ask("KEY")
        self.found.check(
            told[0] == told[1], f"{who}: {method} {path} {body} tells hidden from missing: {told[0]} / {told[1]}")

    # Tables.

    def read(self, who, token):
        """Reads every table in every way: the bearer of a valid token may see rows of their own, and anybody else none."""
        for (prefix, table), rows in self.rows.items():
            path = f"{prefix}/rest/v1/{table}"
            for query in ("", "?select=*", "?limit=1&offset=0"):
                self.refused(who, token, "GET", path + query, Prefer="count=exact")
            self.refused(who, token, "HEAD", path, Prefer="count=exact")
            for row in rows[:1]:
                for column, value in row.items():
                    if isinstance(value, str) and (MARK in value or value in self.keys):
                        for operator in ("eq.", "neq.", "gte.", "in.("):
                            shown = urllib.parse.quote(operator + value + (")" if operator == "in.(" else ""))
                            asked = f"{path}?{column}={shown}"
                            answer = self.refused(who, token, "GET", asked, Prefer="count=exact")
                            if operator in ("eq.", "in.(") and answer.status < 300:
                                self.found.check(
                                    answer.json == [] and answer.headers["content-range"] in ("*/0", "*/*"),
                                    f"{who}: GET {asked} counts {answer.headers['content-range']} {answer}")
                self.embed(who, token, path, prefix)
                key = row.get("id")
                if key in self.keys:
                    for accept in ("application/json", "application/vnd.pgrst.object+json"):
                        self.same(who, token, lambda key: ("GET", f"{path}?id=eq.{key}", None, {"Accept": accept}), key)

    def embed(self, who, token, path, prefix):
        for other in SCHEMAS[prefix].split():
            self.refused(who, token, "GET", f"{path}?select=*,{other}(*)")
            self.refused(who, token, "GET", f"{path}?select=count,{other}!inner(count)")

    def write(self, who, token, own):
        """Writes over every row, and in the name of its owner."""
        for (prefix, table), rows in self.rows.items():
            path = f"{prefix}/rest/v1/{table}"
            for row in rows[:1]:
                # Whatever a stranger creates from it, if it is accepted, belongs to the stranger and has the stranger's own
                # words.
                row = {column: value.replace(MARK, "taken") if isinstance(value, str) else value
                       for column, value in row.items()}
                key = row.get("id") if row.get("id") in self.keys else None
                filters = [f"{column}=eq.{urllib.parse.quote(value)}" for column, value in row.items()
                           if value in self.keys]
                for chosen in filters:
                    for preference in ("return=representation", "return=minimal,count=exact"):
                        for method, body in (("PATCH", row), ("PATCH", {"name": "taken"}), ("PATCH", {}),
                                             ("DELETE", None)):
                            self.refused(who, token, method, f"{path}?{chosen}", body, Prefer=preference)
                if key:
                    for method, body in (("PATCH", {"updated_at": "2020-01-01"}), ("DELETE", None)):
                        self.same(who, token, lambda key: (
                            method, f"{path}?id=eq.{key}", body, {"Prefer": "return=representation"}), key)
                for resolution in ("", "resolution=merge-duplicates", "resolution=ignore-duplicates"):
                    for renewed in ({}, {"id": self.fresh()}):
                        self.refused(who, token, "POST", path, {**row, **renewed},
                                     Prefer=f"return=representation,{resolution}".strip(","))
                if own:
                    self.refer(who, token, path, row, own)

    def refer(self, who, token, path, row, own):
        """Creates rows of the stranger's own that refer to hidden entities."""
        plain = {column: value for column, value in row.items()
                 if not (isinstance(value, str) and UUID.match(value)) and column not in ("created_at", "updated_at")}
        for column, value in row.items():
            if value in self.keys and column not in ("id", "user_id", "owner_id", "actor_id", "created_by"):
                self.same(who, token, lambda key: (
                    "POST", path, {**plain, column: key}, {"Prefer": "return=minimal"}), value)

    # Routes beside the tables.

    def call(self, who, token):
        today = time.strftime("%Y-%m-%d", time.gmtime(time.time() - 4 * 3600))
        for name, arguments in RPCS.items():
            path = f"/rest/v1/rpc/{name}"
            more = {"p_day": today} if name == "advance_hive_day" else {}
            for argument in arguments:
                others = {other: self.bob["user"]["id"] for other in arguments if other != argument}
                for key in self.keys if token else self.random.sample(self.keys, 3):
                    self.same(who, token, lambda key: ("POST", path, {**others, **more, argument: key}, {}), key)
            if not arguments:
                for code in ("AAAAAA", "", "%", "' OR 1=1", "*"):
                    self.refused(who, token, "POST", path, {"p_code": code})

    def command(self, who, token):
        """Sends every command, and asks every question, about hidden entities."""
        schemas = self.client.ask("GET", "/v1/openapi.json").json["components"]["schemas"]
        for name, schema in schemas.items():
            kind, _, word = name.partition(".")
            if kind not in ("command", "question") or not word:
                continue
            fields = {field: self.example(about) for field, about in schema.get("properties", {}).items()
                      if field in schema.get("required", [])}
            keyed = [field for field, about in schema.get("properties", {}).items()
                     if about.get("format") == "uuid" and not (kind == "command" and field in ("id", "key"))]
            keys = self.keys if token else self.random.sample(self.keys, 3)
            path = "/v1/commands" if kind == "command" else "/v1/ask"
            for field in keyed:
                for key in keys:
                    for more in ({}, {"nonsense": 1}):
                        self.same(who, token, lambda key: ("POST", path, {**fields, **more, field: key}, {}), key)
                    if kind == "command":
                        self.same(who, token, lambda key: (
                            "POST", "/v1/sync", {
                                "account": self.bob["user"]["id"],
                                "commands": [{**fields, "id": str(uuid.UUID(int=9)), field: key}]}, {}), key)
        for field in ("account", "last"):
            for key in self.keys if token else self.random.sample(self.keys, 3):
                self.same(who, token, lambda key: ("POST", "/v1/sync", {"scope": "0" * 64, field: key}, {}), key)
        for word in ("link_identity", "verify_identity", "unlink_identity"):
            body = {"do": word, "kind": "email", "value": f"{MARK}-later@example.org"}
            answer = self.refused(who, token, "POST", "/v1/commands", body)
            self.found.check(answer.status >= 400, f"{who}: {word} claims an address that nobody proved: {answer}")
            answer = self.refused(who, token, "POST", "/v1/commands", [body])
            self.found.check(b'"ok"' not in answer.body, f"{who}: {word} in a batch claims an address: {answer}")

    def tool(self, method, **parameters):
        """A message to the tools of assistants, with its headers."""
        meta = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}
        body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {**parameters, "_meta": meta}}
        headers = {"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": method}
        name = parameters.get("name", parameters.get("uri"))
        return "POST", "/mcp", body, {**headers, "Mcp-Name": name} if name else headers

    def assist(self, who, token):
        """Uses every tool of assistants about hidden entities, and reads their audits."""
        tools, cursor = [], {}
        while True:
            method, path, body, headers = self.tool("tools/list", **cursor)
            answer = self.refused(who, token, method, path, body, **headers)
            if not token:
                return self.found.check(answer.status == 401, f"{who}: {path} -> {answer}")
            tools += answer.json["result"]["tools"]
            if "nextCursor" not in answer.json["result"]:
                break
            cursor = {"cursor": answer.json["result"]["nextCursor"]}
        self.found.check(len(tools) > 100, f"{who}: only {len(tools)} tools")
        for tool in tools:
            about = tool["inputSchema"].get("properties", {})
            is_command = not tool["annotations"]["readOnlyHint"]
            fields = {field: self.example(about[field]) for field in tool["inputSchema"].get("required", [])}
            for field in about:
                if about[field].get("format") == "uuid" and not (is_command and field in ("id", "key")):
                    for key in self.random.sample(self.keys, 8):
                        self.same(who, token, lambda key: self.tool(
                            "tools/call", name=tool["name"], arguments={**fields, field: key}), key)
        for key in self.keys:
            self.same(who, token, lambda key: self.tool(
                "resources/read", uri=f"daybook://habits/{key}/audit"), key)

    def page(self, who, token):
        """Opens every screen as another person, with the key of every hidden entity."""
        cookie = {"Cookie": f"daybook-access={token}"} if token else {}
        keys = self.keys if token == self.stranger else self.random.sample(self.keys, 3)
        for path in ["/", "/settings/export/jsonl", "/settings/export/csv", f"/tasks?search={MARK}", "/join",
                     "/docs", "/docs/Server", f"/docs?search={MARK}"]:
            self.refused(who, None, "GET", path, **cookie)
        for path in screens():
            if "KEY" not in path:
                self.refused(who, None, "GET", path, **cookie)
                self.refused(who, None, "GET", f"{path}?as_of={time.strftime('%Y-%m-%d')}", **cookie)
                continue
            for key in keys:
                told = []
                for asked in (key, self.fresh()):
                    answer = self.refused(who, None, "GET", path.replace("KEY", asked), **cookie)
                    shown = answer.headers.get("location", "") + answer.body.decode("utf-8", "replace")
                    told.append((answer.status, shown.replace(asked, "KEY")))
                self.found.check(told[0] == told[1], f"{who}: GET {path} tells hidden from missing")
                self.found.check(told[0][0] in (303, 404), f"{who}: GET {path} of another -> {told[0][0]}")

    @staticmethod
    def example(about):
        if "const" in about:
            return about["const"]
        if "enum" in about:
            return about["enum"][0]
        kinds = about.get("type", "string")
        kind = kinds if isinstance(kinds, str) else kinds[0]
        formats = {"date": time.strftime("%Y-%m-%d"), "date-time": time.strftime("%Y-%m-%dT%H:%M:%SZ"),
                   "uuid": str(uuid.UUID(int=7))}
        return {"integer": 1, "number": 1, "boolean": True, "array": [], "object": {}}.get(
            kind, formats.get(about.get("format"), "x"))

    def replay(self):
        """A command under an idempotency key is not revealed to another person who sends the same key."""
        key = self.fresh()
        body = {"do": "create_habit", "name": f"{MARK} once", "id": key}
        self.client.ask("POST", "/v1/commands", body, self.token)
        other = {"do": "create_habit", "name": "mine", "id": key}
        self.refused("a stranger", self.stranger, "POST", "/v1/commands", other)
        self.refused("a stranger", self.stranger, "POST", "/v1/commands", {"do": "create_habit", "name": "mine"},
                     Idempotency_Key=key)

    def tokens(self, who, token):
        """Personal tokens: no one learns of another's, revokes it, or makes one for what another has."""
        self.refused(who, token, "GET", "/v1/tokens")
        for key in self.keys:
            self.same(who, token, lambda key: ("DELETE", f"/v1/tokens/{key}", None, {}), key)
            for kind in ("log", "calendar"):
                self.same(
                    who, token,
                    lambda key: ("POST", "/v1/tokens", {"name": "x", "scopes": [f"{kind}:{key}"]}, {}), key)
            self.refused(who, token, "GET", f"/feeds/{key}.ics")

    def personal(self):
        """Tokens that open nothing here: one for a stranger's own day, and one that was revoked."""
        tokens = {}
        for who, token in (("for a stranger's day", self.stranger), ("that was revoked", self.token)):
            made = self.client.ask("POST", "/v1/tokens", {"name": "x", "scopes": ["today"]}, token).json["ok"]
            tokens[who] = made["token"]
            if token == self.token:
                self.client.ask("DELETE", f"/v1/tokens/{made['id']}", None, token)
        return tokens

    def elsewhere(self, who, token, is_bad):
        """Routes beside tables. The only answer to a bad token is that it is bad."""
        for method, path, body in (
            ("GET", "/auth/v1/user", None), ("PUT", "/auth/v1/user", {"data": {"a": 1}}),
            ("POST", "/functions/v1/create-checkout-session", {"price_id": "x"}),
            ("POST", "/functions/v1/send-email", {"to": f"{MARK}@example.org", "subject": "x", "html": "x"}),
            ("GET", "/v1/events?after=0", None), ("GET", "/v1/ask/habits", None), ("GET", "/v1/ask/feed", None),
            ("POST", "/v1/commands", {"do": "create_habit", "name": "x"}), ("POST", "/rest/v1/rpc/log_habit", {}),
            ("GET", "/v1/export/jsonl", None), ("GET", "/v1/export/csv", None), ("POST", "/v1/sync", {}),
            ("POST", "/v1/import/taskwarrior?dry_run=true", []),
            ("GET", "/v1/tokens", None), ("POST", "/v1/tokens", {"name": "x", "scopes": ["today"]}),
            ("POST", "/mcp", {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}),
        ):
            answer = self.refused(who, token, method, path, body) if is_bad or "events" not in path else None
            if is_bad:
                self.found.check(
                    answer.status in (400, 401, 403, 431), f"{who}: {method} {path} -> {answer}")

    def listen(self, who, token, is_bad):
        """Joins the changes of every table, with filters and without, while they come; returns the sockets."""
        joined = Socket(self.server.port)
        for table in SCHEMAS[""].split():
            bindings = [{"table": table}, {"table": table, "filter": f"user_id=eq.{self.alice['user']['id']}"}]
            joined.join(f"{who}-{table}", bindings, token)
        return who, is_bad, joined

    def stream(self, token):
        connection = socket.create_connection(("127.0.0.1", self.server.port))
        connection.sendall((f"GET /v1/events?after=0 HTTP/1.1\r\nHost: x\r\napikey: {KEY}\r\n"
                            f"Authorization: Bearer {token}\r\n\r\n").encode())
        return connection

    def heard(self, listeners, streams):
        """Lets the one person change everything, and checks what others received."""
        live(self.client, self.alice)
        time.sleep(1)
        for who, is_bad, joined in listeners:
            try:
                messages = joined.all(0.6)
            except ConnectionError:
                messages = []
            changes = [message for message in messages if message["event"] == "postgres_changes"]
            self.found.check(not changes, f"{who} hears {json.dumps(changes[:1])[:300]}")
            if is_bad:
                joins = [m for m in messages if m["event"] == "phx_reply" and m["payload"]["status"] == "ok"]
                self.found.check(not joins, f"{who} joins")
            joined.close()
        for who, connection in streams:
            received = exchange(connection, b"", timeout=0.6).decode("utf-8", "replace")
            told = [secret for secret in [MARK, self.secret, *self.keys] if secret in received]
            self.found.check(not told, f"{who} is streamed {told[:2]}")
            connection.close()


def main():
    binary = os.path.abspath(sys.argv[1])
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    switches = {
        f"DAYBOOK_{name}": "true" for name in ("DOCUMENTS", "PERSONAL_TOKENS", "ASSISTANTS", "ASSISTANTS_WRITE")}
    with Served(binary, **switches) as server:
        client = Client(server.port)
        erased = client.sign_in("erased@example.org", "Gone")
        gone = erased["access_token"]
        server.stop()
        program = os.path.join(os.path.dirname(binary), "daybook")
        subprocess.run(
            [program, "erase-account", erased["user"]["id"], "--book", server.book, "--yes"], check=True,
            env={**os.environ, "DAYBOOK_PEPPER": PEPPER}, stdout=subprocess.DEVNULL)
        server.start()
        client.close()
        isolation = Isolation(server, seed)
        found = isolation.found
        ended = client.sign_in(f"{MARK}@example.org")["access_token"]
        client.ask("POST", "/auth/v1/logout?scope=local", None, ended)
        bad = forgeries(isolation.token, server.book, isolation.bob["user"]["id"])
        bad.update({"of an ended session": ended, "of an erased account": gone, **isolation.personal()})
        before = snapshot(isolation.client, isolation.token)
        start = time.monotonic()
        for who, token in (("nobody", None), ("a stranger", isolation.stranger)):
            isolation.read(who, token)
            isolation.write(who, token, who == "a stranger")
            isolation.call(who, token)
            isolation.command(who, token)
            isolation.tokens(who, token)
            isolation.assist(who, token)
            isolation.elsewhere(who, token, is_bad=False)
            isolation.page(who, token)
        for who, token in bad.items():
            for (prefix, table), rows in isolation.rows.items():
                path = f"{prefix}/rest/v1/{table}"
                for method, body in (("GET", None), ("PATCH", {}), ("DELETE", None), ("POST", rows[0] if rows else {})):
                    answer = isolation.refused(f"a token {who}", token, method, path, body)
                    found.check(
                        answer.status in (400, 401, 431), f"a token {who}: {method} {path} -> {answer}")
            isolation.elsewhere(f"a token {who}", token, is_bad=True)
            isolation.page(f"a token {who}", token)
        found.check(
            snapshot(isolation.client, isolation.token) == before, "what is another's was changed")
        isolation.replay()
        listeners = [isolation.listen("nobody", None, False), isolation.listen("a stranger", isolation.stranger, False)]
        listeners += [isolation.listen(f"a token {who}", token, True) for who, token in bad.items()]
        streams = [("a stranger", isolation.stream(isolation.stranger)), ("nobody", isolation.stream(KEY))]
        isolation.heard(listeners, streams)
        print(f"{found.checks} checks, {len(bad)} bad tokens, {len(isolation.rows)} tables, {len(isolation.keys)} keys, "
              f"seed {seed}, {time.monotonic() - start:.0f} s: {found.count} findings")
    return 1 if found.count else 0


if __name__ == "__main__":
    sys.exit(main())
