"""Personal tokens and calendars on the server, by the lines that Docs/Tokens.md tells people to send."""

import json
import pathlib
import re
import subprocess

from contract_tables import BASE, KEY, http, person, word

ada, bob = person("HABITHIVE", "Ada"), person("HABITHIVE", "Bob")
PAGE = pathlib.Path(__file__).parents[2] / "Docs/Tokens.md"


def lines(**values):
    """The answers to the page's shell commands, in their order."""
    answers = []
    for block in re.findall(r"```sh\n(.*?)```", PAGE.read_text(), re.S):
        if all(name in values for name in re.findall(r"\$([A-Z]+)", block)):
            run = subprocess.run(["bash", "-euc", block], env={"PATH": "/usr/bin:/bin", **values}, capture_output=True)
            assert run.returncode == 0, run.stderr
            answers.append(json.loads(run.stdout))
    return answers


def made(somebody, scopes, name="Button"):
    answer = http.post(
        f"{BASE}/v1/tokens", json={"name": name, "scopes": scopes}, headers={"Authorization": f"Bearer {somebody.token}"})
    assert answer.status_code == 201, answer.text
    return answer.json()["ok"]


def test_the_lines_of_the_page(ada):
    habit = ada.habit(name=word())
    token, known = lines(SERVER=BASE, SESSION=ada.token, HABIT=habit["id"])[:2]
    assert token["ok"]["token"].startswith("daybook_") and token["ok"]["id"] in [row["id"] for row in known["ok"]]
    assert token["ok"]["token"] not in json.dumps(known)
    answers = lines(SERVER=BASE, TOKEN=token["ok"]["token"], HABIT=habit["id"])
    logged, today = answers
    assert logged["ok"]["habit_id"] == habit["id"]
    (card,) = [card for card in today["ok"] if card["habit"] == habit["id"]]
    assert card["mark"] == "full"


def test_a_token_opens_nothing_else(ada, bob):
    habit = ada.habit(name=word())
    secret = made(ada, [f"log:{habit['id']}"])["token"]
    header = {"Authorization": f"Bearer {secret}", "apikey": KEY}
    for path in ["v1/ask/habits", "v1/export/jsonl", "v1/events", "v1/tokens"]:
        assert http.get(f"{BASE}/{path}", headers=header).status_code in (401, 403), path
    for path in ["rest/v1/habits", "rest/v1/profiles", "auth/v1/user"]:
        assert http.get(f"{BASE}/{path}", headers=header).status_code in (401, 403), path
    assert http.get(f"{BASE}/feeds/{secret}.ics").status_code == 404
    other = bob.habit(name=word())
    refusal = http.post(f"{BASE}/v1/commands", json={"do": "log_habit", "habit": other["id"]}, headers=header)
    assert refusal.status_code == 403 and refusal.json()["error"]["code"] == "beyond_scope"


def test_a_calendar_is_subscribed_to_until_it_is_revoked(ada):
    name = word()
    ada.habit(name=name)
    feed = made(ada, ["calendar:habits", "calendar:tasks"], "Phone")
    answer = http.get(feed["address"])
    assert answer.status_code == 200 and answer.headers["Content-Type"] == "text/calendar; charset=utf-8"
    assert f"SUMMARY:{name}" in answer.text
    again = http.get(feed["address"], headers={"If-None-Match": answer.headers["ETag"]})
    assert again.status_code == 304 and not again.content
    gone = http.delete(f"{BASE}/v1/tokens/{feed['id']}", headers={"Authorization": f"Bearer {ada.token}"})
    assert gone.json() == {"ok": {"id": feed["id"], "deleted": True}}
    assert http.get(feed["address"]).status_code == 404
