"""People who speak to a server's tables as the apps' clients do, for the tests of the contract."""

import datetime
import os
import time
import uuid

import httpx
import pytest

BASE = os.environ.get("BASE_URL", "").rstrip("/")
KEY = os.environ.get("ANON_KEY", "")
OBJECT = "application/vnd.pgrst.object+json"
REPRESENTATION = "return=representation"
MERGE = "resolution=merge-duplicates"
IGNORE = "resolution=ignore-duplicates"

http = httpx.Client(timeout=20)


def address(app):
    return os.environ.get(f"BASE_URL_{app}", BASE).rstrip("/")


def has_prefix(app):
    return address(app) != BASE


def fresh():
    return str(uuid.uuid4())


def word(prefix="w"):
    return f"{prefix}{uuid.uuid4().hex[:12]}"


def moment(text):
    assert text[10] == "T" and text.endswith(("+00:00", "Z")), text
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))


def now():
    return datetime.datetime.now(datetime.timezone.utc)


def ask(method, app, path, token=None, prefer=(), headers=None, **body):
    """One request with the headers that every client sends; several preferences are several header lines."""
    prefer = [prefer] if isinstance(prefer, str) else list(prefer)
    lines = [("apikey", KEY), ("Authorization", f"Bearer {token or KEY}")]
    lines += [("Prefer", line) for line in prefer] + list((headers or {}).items())
    return http.request(method, f"{address(app)}{path}", headers=lines, **body)


def refused(answer, status, code, message=None, details=None):
    """An error with all four members, as `supabase-swift` needs them."""
    assert answer.status_code == status, f"{answer.status_code} {answer.text}"
    body = answer.json()
    assert set(body) == {"code", "message", "details", "hint"}, body
    assert body["code"] == code, body
    assert isinstance(body["message"], str) and body["message"], body
    for member in ("details", "hint"):
        assert body[member] is None or isinstance(body[member], str), body
    if message is not None:
        assert message in body["message"], body
    if details is not None:
        assert details in (body["details"] or ""), body
    return body


class Person:
    """Somebody with an account of an app."""

    def __init__(self, app, name="Bee"):
        self.app, self.email = app, f"{word('p')}@example.com"
        answer = ask(
            "POST", app, "/auth/v1/signup",
            json={"email": self.email, "password": "Correct-Horse-9", "data": {"display_name": name, "name": name}})
        assert answer.status_code == 200, answer.text
        session = answer.json()
        if "access_token" not in session:
            session = self.verified()
        self.token, self.id = session["access_token"], session["user"]["id"]

    def verified(self):
        end = time.time() + 5
        while True:
            messages = http.get(f"{os.environ.get('DEV_URL', BASE)}/dev/outbox", params={"to": self.email}).json()
            if messages:
                break
            assert time.time() < end, "no message"
            time.sleep(0.05)
        answer = ask(
            "POST", self.app, "/auth/v1/verify",
            json={"type": "signup", "email": self.email, "token": messages[-1]["code"]})
        assert answer.status_code == 200, answer.text
        return answer.json()

    def ask(self, method, path, prefer=(), headers=None, **body):
        return ask(method, self.app, f"/rest/v1/{path}", self.token, prefer, headers, **body)

    def get(self, path, **more):
        return self.ask("GET", path, **more)

    def rows(self, path, **more):
        answer = self.get(path, **more)
        assert answer.status_code == 200, f"{answer.status_code} {answer.text}"
        return answer.json()

    def post(self, path, row, prefer=REPRESENTATION, **more):
        return self.ask("POST", path, prefer, json=row, **more)

    def patch(self, path, row, prefer=REPRESENTATION, **more):
        return self.ask("PATCH", path, prefer, json=row, **more)

    def delete(self, path, prefer=REPRESENTATION, **more):
        return self.ask("DELETE", path, prefer, **more)

    def upsert(self, path, row, resolution=MERGE):
        return self.post(path, row, [REPRESENTATION, resolution])

    def made(self, table, row):
        answer = self.post(table, row)
        assert answer.status_code == 201, f"{answer.status_code} {answer.text}"
        (made,) = answer.json()
        return made

    def call(self, function, arguments=None, **more):
        return self.ask("POST", f"rpc/{function}", json=arguments or {}, **more)

    def called(self, function, **arguments):
        answer = self.call(function, arguments)
        assert answer.status_code == 200, f"{answer.status_code} {answer.text}"
        return answer.json()

    def habit(self, **more):
        return self.made("habits", {"name": word("habit"), **more})

    def hive(self, **more):
        return self.called("create_hive_from_habit", p_habit_id=self.habit(**more)["id"], p_backfill_days=0)

    def lets_in(self, other, hive):
        code = self.called("create_hive_invite", p_hive_id=hive)["code"]
        assert other.called("join_hive_with_code", p_code=code) == hive

    def lives_in(self, zone, day_start=0):
        answer = self.patch(f"profiles?id=eq.{self.id}", {"timezone": zone, "day_start_hour": day_start})
        assert answer.status_code == 200, answer.text
        return self


def person(app, name="Bee"):
    @pytest.fixture(scope="module")
    def somebody():
        return Person(app, name)
    return somebody
