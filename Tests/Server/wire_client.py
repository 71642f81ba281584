"""Shared parts of the contract tests: requests as the apps' clients send them, people who sign in, and sockets.

    BASE_URL=http://127.0.0.1:8080 ANON_KEY=… [BASE_URL_MANNA=…/p/manna …] pytest Tests/Server
"""

import base64
import hashlib
import json
import os
import random
import secrets
import time
import uuid
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

KEY = os.environ.get("ANON_KEY", "")
SITE = os.environ.get("BASE_URL", "").rstrip("/")
DEVELOPMENT = os.environ.get("DEV_URL", SITE).rstrip("/")
VERSION = {"X-Supabase-Api-Version": "2024-01-01"}
PASSWORD = "Correct-Horse-9"

if not SITE or not KEY:
    pytest.skip("BASE_URL and ANON_KEY name no server", allow_module_level=True)


def site(app="HABITHIVE"):
    return os.environ.get(f"BASE_URL_{app}", SITE).rstrip("/")


def fresh_email():
    return f"bee-{uuid.uuid4().hex[:12]}@example.com"


def fresh_phone():
    return "+1555" + "".join(random.choices("23456789", k=7))


def call(method, path, body=None, token=None, app="HABITHIVE", headers=None, content=None, old=False):
    """A request with the headers that all clients send; `old` leaves out the version of the errors' form."""
    sent = {"apikey": KEY, "Authorization": f"Bearer {token or KEY}", **({} if old else VERSION), **(headers or {})}
    sent = {name: value for name, value in sent.items() if value is not None}
    if body is not None:
        content, sent["Content-Type"] = json.dumps(body).encode(), "application/json"
    return httpx.request(method, site(app) + path, headers=sent, content=content, timeout=15)


def auth(path, body=None, token=None, method="POST", **more):
    return call(method, "/auth/v1" + path, body, token, **more)


def refused(answer, status, code):
    """Checks a refusal in the form that clients read, and returns its body."""
    assert answer.status_code == status, f"{answer.status_code} {answer.text}"
    assert answer.headers.get("x-supabase-api-version") == "2024-01-01"
    said = answer.json()
    assert said["code"] == code, said
    assert isinstance(said["message"], str) and said["message"]
    return said


def messages(to):
    answer = httpx.get(f"{DEVELOPMENT}/dev/outbox", params={"to": to}, headers={"apikey": KEY}, timeout=5)
    assert answer.status_code == 200
    return answer.json()


def message(to, template=None):
    found = [each for each in messages(to) if template in (None, each["template"])]
    assert found, f"nothing was sent to {to}"
    return found[-1]


def challenge_of(verifier):
    return base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()


def fresh_verifier():
    return secrets.token_urlsafe(48)


def opened(link):
    """The redirect of a link: the answer, the target without its query, and the texts after `?` and `#`."""
    answer = httpx.get(link, follow_redirects=False, timeout=10)
    assert answer.status_code in (302, 303), answer.text
    target = answer.headers["location"]
    parts = urlsplit(target)
    return answer, target.split("?")[0].split("#")[0], flat(parts.query), flat(parts.fragment)


def flat(query):
    return {name: values[0] for name, values in parse_qs(query, keep_blank_values=True).items()}


def claims_of(token):
    part = token.split(".")[1]
    return json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))


def by_phone(phone=None, app="HABITHIVE", data=None):
    """Signs in by a code; returns the session."""
    phone = phone or fresh_phone()
    asked = auth("/otp", {"phone": phone, "create_user": True, "channel": "sms", "data": data}, app=app)
    assert asked.status_code == 200, asked.text
    answer = auth("/verify", {"type": "sms", "phone": phone, "token": message(phone)["code"]}, app=app)
    assert answer.status_code == 200, answer.text
    return answer.json()


def by_password(email=None, app="HABITHIVE", data=None):
    """Signs up with a password; returns the session."""
    email = email or fresh_email()
    answer = auth("/signup", {"email": email, "password": PASSWORD, "data": data or {}}, app=app)
    assert answer.status_code == 200, answer.text
    said = answer.json()
    if "access_token" in said:
        return said
    answer = auth("/verify", {"type": "signup", "email": email, "token": message(email)["code"]}, app=app)
    assert answer.status_code == 200, answer.text
    return answer.json()


class Somebody:
    """Somebody who is signed in at an app."""

    def __init__(self, app="HABITHIVE", session=None):
        self.app, self.session = app, session or by_phone(app=app)

    @property
    def id(self):
        return self.session["user"]["id"]

    @property
    def token(self):
        return self.session["access_token"]

    def rest(self, method, path, body=None, **headers):
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        return call(method, "/rest/v1/" + path, body, self.token, self.app, headers=sent, old=True)

    def insert(self, table, row):
        answer = self.rest("POST", table, row, Prefer="return=representation")
        assert answer.status_code == 201, answer.text
        return answer.json()[0]

    def change(self, path, row):
        answer = self.rest("PATCH", path, row)
        assert answer.status_code == 204, answer.text

    def remove(self, path):
        answer = self.rest("DELETE", path)
        assert answer.status_code == 204, answer.text

    def do(self, function, **arguments):
        answer = self.rest("POST", "rpc/" + function, arguments)
        assert answer.status_code in (200, 204), answer.text
        return answer.json() if answer.content else None

    def task(self, **more):
        return self.insert("tasks", {
            "id": str(uuid.uuid4()), "user_id": self.id, "bucket_key": "THIS_WEEK", "title": "Sow", **more})


def wait_until(condition, seconds=5):
    end = time.time() + seconds
    while not condition():
        if time.time() > end:
            return False
        time.sleep(0.02)
    return True
