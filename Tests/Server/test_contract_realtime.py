"""Checks the socket of changes against the wire contract, frame by frame, in both versions of the serialisation."""

import contextlib
import json
import time
import uuid
from urllib.parse import urlsplit

import jwt
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from wire_client import KEY, Somebody, auth, call, site, wait_until

VERSIONS = pytest.mark.parametrize("version", ["1.0.0", "2.0.0"])


def address(app, query):
    parts = urlsplit(site(app))
    return f"ws://{parts.netloc}{parts.path}/realtime/v1/websocket{query}"


class Socket:
    """A client's socket: it returns frames as objects, whatever the protocol version."""

    def __init__(self, app="MANNA", version="2.0.0", query=None):
        more = "" if version is None else f"&vsn={version}"
        self.old = version in (None, "1.0.0")
        self.socket = connect(address(app, query or f"?apikey={KEY}{more}"), open_timeout=5, close_timeout=1)
        self.count = 0
        self.kept = []

    def send(self, topic, event, payload=None, ref="", join_ref=None):
        if ref == "":
            self.count += 1
            ref = str(self.count)
        payload = {} if payload is None else payload
        self.socket.send(json.dumps(
            {"topic": topic, "event": event, "payload": payload, "ref": ref, "join_ref": join_ref} if self.old
            else [join_ref, ref, topic, event, payload]))
        return ref

    def read(self, seconds=5):
        """The next frame; none when nothing comes in time."""
        if self.kept:
            return self.kept.pop(0)
        try:
            text = self.socket.recv(timeout=seconds)
        except TimeoutError:
            return None
        assert isinstance(text, str), "frames are text"
        said = json.loads(text)
        if self.old:
            assert isinstance(said, dict) and "ref" in said and {"topic", "event", "payload"} <= set(said)
            return {"join_ref": None, **said}
        assert isinstance(said, list) and len(said) == 5
        return dict(zip(("join_ref", "ref", "topic", "event", "payload"), said))

    def until(self, event, seconds=5):
        end = time.time() + seconds
        while time.time() < end:
            frame = self.read(max(0.01, end - time.time()))
            if frame and frame["event"] == event:
                return frame
        raise AssertionError(f"no {event} came")

    def quiet(self, seconds=0.6):
        frame = self.read(seconds)
        assert frame is None, frame

    def join(self, name, *bindings, token=None, broadcast=None, private=False):
        config = {"broadcast": broadcast or {"ack": False, "self": False}, "presence": {"key": "", "enabled": False},
                  "private": private, "postgres_changes": list(bindings)}
        payload = {"config": config} | ({"access_token": token} if token else {})
        ref = str(self.count + 1)
        self.send("realtime:" + name, "phx_join", payload, join_ref=ref)
        reply = self.read()
        assert reply["event"] == "phx_reply" and reply["ref"] == ref and reply["topic"] == "realtime:" + name, reply
        return ref, reply["payload"]

    def hear(self, name, *bindings, token):
        """Joins and waits until changes are delivered; returns the reference and the numbers of the bindings."""
        ref, reply = self.join(name, *bindings, token=token)
        assert reply["status"] == "ok", reply
        told = self.until("system")
        assert told["payload"] == {"channel": name, "extension": "postgres_changes", "status": "ok",
                                   "message": "Subscribed to PostgreSQL"}
        assert told["ref"] is None
        return ref, [each["id"] for each in reply["response"]["postgres_changes"]]

    def change(self, seconds=5):
        return self.until("postgres_changes", seconds)["payload"]

    def changes(self, count, seconds=5):
        return [self.change(seconds)["data"] for _ in range(count)]


@contextlib.contextmanager
def opened(*arguments, **more):
    client = Socket(*arguments, **more)
    try:
        yield client
    finally:
        client.socket.close()


def binding(table="tasks", event="*", filter=None):
    return {"event": event, "schema": "public", "table": table} | ({"filter": filter} if filter else {})


@pytest.fixture(scope="module")
def maja():
    return Somebody("MANNA")


@pytest.fixture(scope="module")
def willi():
    return Somebody("MANNA")


# ---------------------------------------------------------------------------------------------------- frames


@pytest.mark.parametrize("query", ["?vsn=1.0.0", "?apikey=sb_publishable_other&vsn=1.0.0", "?apikey=", ""])
def test_without_the_public_key_there_is_no_socket(query):
    with pytest.raises(InvalidStatus) as refusal:
        connect(address("MANNA", query), open_timeout=5)
    answer = refusal.value.response
    assert answer.status_code == 401 and json.loads(answer.body)["error"]


@pytest.mark.parametrize("headers", [
    {"Connection": "Upgrade, HTTP2-Settings", "Upgrade": "h2c", "HTTP2-Settings": "AAMAAABkAAQAAP__"},
    {"Connection": "Upgrade", "Upgrade": "websocket"},
    {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": "eA=="}])
def test_a_request_that_offers_another_protocol_is_answered(headers, maja):
    for method, body in (("GET", None), ("POST", {"name": "Errand", "color": "#000000"})):
        answer = call(method, "/rest/v1/labels", body, maja.token, "MANNA", headers=headers)
        assert answer.status_code == (200 if body is None else 201), answer.text


@pytest.mark.parametrize("version", ["1.0.0", "2.0.0", None])
def test_a_heartbeat_is_answered_with_its_reference(version):
    with opened(version=version) as client:
        for ref in ("7", None):
            client.send("phoenix", "heartbeat", ref=ref)
            reply = client.read()
            assert reply["topic"] == "phoenix" and reply["event"] == "phx_reply" and reply["ref"] == ref
            assert reply["payload"] == {"status": "ok", "response": {}}


@VERSIONS
def test_a_join_echoes_its_bindings_in_order(version, maja):
    asked = [binding(filter=f"user_id=eq.{maja.id.upper()}"), binding("labels", "INSERT"), binding(event="UPDATE"),
             {**binding("task_labels"), "filter": None}]
    with opened(version=version) as client:
        ref, reply = client.join("tasks", *asked, token=maja.token)
        echoed = reply["response"]["postgres_changes"]
        assert reply["status"] == "ok" and len(echoed) == len(asked)
        for mine, theirs in zip(asked, echoed):
            assert type(theirs["id"]) is int and theirs["id"] != 0
            for name in ("event", "schema", "table", "filter"):
                assert mine.get(name) == theirs.get(name)
        assert len({each["id"] for each in echoed}) == len(asked)
        assert client.until("system")["payload"]["channel"] == "tasks"


@VERSIONS
def test_a_join_without_bindings_says_so(version):
    with opened(version=version) as client:
        assert client.join("room:a:b")[1] == {"status": "ok", "response": {"postgres_changes": []}}


def test_a_join_without_a_config_is_taken():
    with opened() as client:
        client.send("realtime:bare", "phx_join", {}, join_ref="1")
        reply = client.read()
        assert reply["payload"] == {"status": "ok", "response": {"postgres_changes": []}} and reply["join_ref"] == "1"


@VERSIONS
@pytest.mark.parametrize("token", ["aaa.bbb.ccc", "nonsense", jwt.encode({"sub": "x", "exp": 1}, "k" * 40, "HS256")])
def test_a_bad_token_is_refused_at_the_join(version, token):
    with opened(version=version) as client:
        _, reply = client.join("tasks", binding(), token=token)
        assert reply["status"] == "error" and isinstance(reply["response"]["reason"], str) and reply["response"]["reason"]
        client.send("phoenix", "heartbeat")
        assert client.read()["payload"]["status"] == "ok", "the socket goes on"


@VERSIONS
def test_leaving_is_answered_and_closes_the_join(version, maja):
    with opened(version=version) as client:
        ref, _ = client.hear("tasks", binding(), token=maja.token)
        leaving = client.send("realtime:tasks", "phx_leave", join_ref=ref)
        reply, closing = client.read(), client.read()
        assert reply["event"] == "phx_reply" and reply["ref"] == leaving
        assert reply["payload"] == {"status": "ok", "response": {}}
        assert closing["event"] == "phx_close" and closing["payload"] == {}
        assert closing["ref"] == closing["join_ref"] == ref
        maja.task()
        client.quiet()


def test_joining_again_hears_each_change_once(maja):
    with opened() as client:
        first, _ = client.hear("tasks", binding(), token=maja.token)
        client.send("realtime:tasks", "phx_leave", join_ref=first)
        client.until("phx_close")
        client.hear("tasks", binding(), token=maja.token)
        again, ids = client.hear("tasks", binding(event="INSERT"), token=maja.token)
        task = maja.task()
        frame = client.until("postgres_changes")
        assert frame["payload"]["ids"] == ids and frame["payload"]["data"]["record"]["id"] == task["id"]
        client.quiet()


def test_who_comes_when_nobody_listens_any_more_hears_what_comes_from_then_on(maja):
    for _ in range(3):
        with opened() as client:
            ref, _ = client.hear("tasks", binding(event="INSERT"), token=maja.token)
            task = maja.task()
            assert client.change()["data"]["record"]["id"] == task["id"]
            client.send("realtime:tasks", "phx_leave", join_ref=ref)
            client.until("phx_close")
        # Nobody is notified of these, now or later.
        for _ in range(3):
            maja.task()


def test_an_event_of_a_topic_that_was_not_joined_does_no_harm(maja):
    with opened() as client:
        client.send("realtime:never", "access_token", {"access_token": maja.token})
        client.send("realtime:never", "phx_leave")
        assert client.read()["payload"]["status"] == "ok"
        client.send("realtime:never", "unheard-of")
        client.send("phoenix", "heartbeat", ref="end")
        assert wait_until(lambda: (client.read(1) or {}).get("ref") == "end")


# ---------------------------------------------------------------------------------------------------- changes


def test_a_write_that_changes_much_of_a_row_is_told_once(maja):
    with opened() as client:
        client.hear("tasks", binding(), token=maja.token)
        task = maja.task(title="Sow")
        assert client.change()["data"]["type"] == "INSERT"
        maja.change(f"tasks?id=eq.{task['id']}", {"title": "Reap", "bucket_key": "WEEKEND", "is_completed": True})
        data = client.change()["data"]
        assert data["type"] == "UPDATE" and data["record"]["title"] == "Reap" and data["record"]["bucket_key"] == "WEEKEND"
        assert data["record"]["is_completed"] is True and data["record"]["updated_at"] > task["updated_at"]
        client.quiet()
        done = maja.task(title="Done", is_completed=True)
        data = client.change()["data"]
        assert data["type"] == "INSERT" and data["record"]["id"] == done["id"] and data["record"]["is_completed"] is True
        client.quiet()


@VERSIONS
def test_a_row_is_told_from_its_beginning_to_its_end(version, maja):
    with opened(version=version) as client:
        _, ids = client.hear("tasks", binding(filter=f"user_id=eq.{maja.id}"), token=maja.token)
        task = maja.task(title="Sow")
        maja.change(f"tasks?id=eq.{task['id']}", {"title": "Reap"})
        maja.remove(f"tasks?id=eq.{task['id']}")
        frames = [client.until("postgres_changes") for _ in range(3)]
        for frame in frames:
            assert frame["ref"] is None and frame["topic"] == "realtime:tasks" and frame["payload"]["ids"] == ids
            data = frame["payload"]["data"]
            assert data["schema"] == "public" and data["table"] == "tasks" and data["errors"] is None
            assert data["commit_timestamp"].endswith(("+00:00", "Z")) and "T" in data["commit_timestamp"]
            assert {"id", "user_id", "title"} <= {each["name"] for each in data["columns"]}
            assert all(isinstance(each["type"], str) and each["type"] for each in data["columns"])
        made, changed, gone = (frame["payload"]["data"] for frame in frames)
        assert (made["type"], changed["type"], gone["type"]) == ("INSERT", "UPDATE", "DELETE")
        assert made["record"] == task and "old_record" not in made
        assert changed["record"]["title"] == "Reap" and changed["old_record"]["id"] == task["id"]
        assert set(changed["record"]) == {each["name"] for each in changed["columns"]}
        assert gone["old_record"]["id"] == task["id"] and "record" not in gone


def test_an_upsert_over_a_row_is_an_update_and_one_that_changes_nothing_is_told_once_at_most(maja):
    task = maja.task()
    with opened() as client:
        client.hear("tasks", binding(), token=maja.token)
        answer = maja.rest("POST", "tasks?on_conflict=id", {**task, "title": "Water"},
                           Prefer="resolution=merge-duplicates")
        assert answer.status_code in (200, 201)
        data = client.change()["data"]
        assert data["type"] == "UPDATE" and data["record"]["title"] == "Water"


def test_rows_of_one_request_come_in_order(maja):
    ids = [str(uuid.uuid4()) for _ in range(20)]
    with opened() as client:
        client.hear("tasks", binding(event="INSERT"), token=maja.token)
        answer = maja.rest("POST", "tasks", [
            {"id": each, "user_id": maja.id, "bucket_key": "THIS_WEEK", "title": "Row"} for each in ids])
        assert answer.status_code == 201, answer.text
        assert [each["record"]["id"] for each in client.changes(20)] == ids


def test_one_frame_serves_all_bindings_that_match(maja):
    with opened() as client:
        _, ids = client.hear("tasks", binding(event="INSERT"), binding(), binding(event="DELETE"), binding("labels"),
                             token=maja.token)
        task = maja.task()
        assert client.change()["ids"] == ids[:2]
        client.quiet(0.3)
        maja.remove(f"tasks?id=eq.{task['id']}")
        assert sorted(client.change()["ids"]) == sorted(ids[1:3])


def test_two_channels_of_a_socket_are_told_apart(maja):
    with opened() as client:
        _, one = client.hear("one", binding(), token=maja.token)
        _, two = client.hear("two", binding(), token=maja.token)
        maja.task()
        frames = [client.until("postgres_changes") for _ in range(2)]
        assert {(each["topic"], *each["payload"]["ids"]) for each in frames} == {
            ("realtime:one", one[0]), ("realtime:two", two[0])}


def test_a_schema_alone_means_all_its_tables(maja):
    with opened() as client:
        client.hear("all", {"event": "INSERT", "schema": "public"}, token=maja.token)
        maja.task()
        maja.insert("labels", {"name": f"label {uuid.uuid4()}", "color": "#000000"})
        assert [each["table"] for each in client.changes(2)] == ["tasks", "labels"]


@pytest.mark.parametrize("filter, takes", [
    ("title=eq.b", "b"), ("title=neq.b", "ac"), ("title=lt.b", "a"), ("title=lte.b", "ab"), ("title=gt.b", "c"),
    ("title=gte.b", "bc"), ("title=in.(a,c)", "ac"), ('title=in.("a","b")', "ab"), ("title=gte.b,title=neq.c", "b"),
    ("title=like.b*", "b"), ("title=not.eq.b", "ac"), ("deleted_at=is.null,title=eq.c", "c"), ("is_completed=eq.true", "")])
def test_filters_choose_rows(filter, takes):
    somebody = Somebody("MANNA")
    with opened() as client:
        client.hear("tasks", binding(event="INSERT", filter=filter), binding(event="DELETE"), token=somebody.token)
        tasks = [somebody.task(title=title) for title in "abc"]
        somebody.remove(f"tasks?id=eq.{tasks[0]['id']}")
        heard = ""
        while (data := client.change()["data"])["type"] == "INSERT":
            heard += data["record"]["title"]
        assert heard == takes


def test_a_filter_holds_for_rows_that_go(maja):
    with opened() as client:
        client.hear("weekend", binding(event="DELETE", filter="bucket_key=eq.WEEKEND"), token=maja.token)
        week, weekend = maja.task(), maja.task(bucket_key="WEEKEND")
        maja.remove(f"tasks?id=eq.{week['id']}")
        maja.remove(f"tasks?id=eq.{weekend['id']}")
        assert client.change()["data"]["old_record"]["id"] == weekend["id"]
        client.quiet(0.3)


@pytest.mark.parametrize("bad", [binding("nothing_of_the_kind"), binding(filter="nothing=eq.1"), binding(filter="user_id"),
                                 {**binding(), "schema": "secret"}])
def test_a_binding_that_can_hear_nothing_is_told_as_an_error(bad, maja):
    with opened() as client:
        _, reply = client.join("bad", bad, token=maja.token)
        told = client.until("system") if reply["status"] == "ok" else None
        assert told is None or told["payload"]["status"] == "error" and told["payload"]["message"]


# ---------------------------------------------------------------------------------------------------- who hears


def test_what_others_do_is_not_heard(maja, willi):
    with opened() as client:
        client.hear("spy", binding(), binding(filter=f"user_id=eq.{maja.id}"), binding("labels"), token=willi.token)
        task = maja.task()
        maja.change(f"tasks?id=eq.{task['id']}", {"title": "Secret"})
        maja.remove(f"tasks?id=eq.{task['id']}")
        own = willi.task()
        assert client.change()["data"]["record"]["id"] == own["id"]
        client.quiet(0.3)


@pytest.mark.parametrize("token", [None, KEY])
def test_nobody_hears_no_rows(token, maja):
    with opened() as client:
        _, reply = client.join("anonymous", binding(), token=token)
        assert reply["status"] == "ok"
        maja.task()
        end = time.time() + 0.7
        while time.time() < end:
            frame = client.read(0.2)
            assert frame is None or frame["event"] == "system", frame


@VERSIONS
def test_a_token_that_comes_later_counts_from_then_on(version, maja, willi):
    with opened(version=version) as client:
        ref, _ = client.join("late", binding(), token=KEY)
        client.send("realtime:late", "access_token", {"access_token": maja.token}, join_ref=ref)
        time.sleep(0.2)
        task = maja.task()
        assert client.change()["data"]["record"]["id"] == task["id"]
        for ignored in (None, KEY, "sb_publishable_x"):
            client.send("realtime:late", "access_token", {"access_token": ignored}, join_ref=ref)
        time.sleep(0.2)
        task = maja.task()
        assert client.change()["data"]["record"]["id"] == task["id"], "what is no token changes nothing"
        client.send("realtime:late", "access_token", {"access_token": willi.token}, join_ref=ref)
        time.sleep(0.2)
        maja.task()
        own = willi.task()
        assert client.change()["data"]["record"]["id"] == own["id"]


def test_a_session_that_ends_is_heard_no_more():
    somebody = Somebody("MANNA")
    other = Somebody("MANNA", session=None)
    with opened() as client:
        client.hear("tasks", binding(), token=somebody.token)
        fresh = auth("/token?grant_type=refresh_token", {"refresh_token": somebody.session["refresh_token"]}).json()
        assert auth("/logout?scope=global", token=somebody.token).status_code == 204
        assert other.task() and fresh["access_token"]
        client.quiet()
        _, reply = client.join("again", binding(), token=somebody.token)
        assert reply["status"] == "error" and reply["response"]["reason"]


@pytest.fixture(scope="module")
def hive():
    """A hive of two: its owner, a member, and its key."""
    owner, member = Somebody(), Somebody()
    habit = owner.insert("habits", {"name": "Swim"})
    key = owner.do("create_hive_from_habit", p_habit_id=habit["id"], p_backfill_days=0)
    code = owner.do("create_hive_invite", p_hive_id=key)["code"]
    with opened("HABITHIVE") as client:
        client.hear("members", binding("hive_members", "INSERT", f"hive_id=eq.{key}"), token=owner.token)
        assert member.do("join_hive_with_code", p_code=code) == key
        joined = client.change()["data"]
        assert joined["table"] == "hive_members" and joined["record"]["user_id"] == member.id
    return owner, member, key


@VERSIONS
def test_a_hive_tells_its_members(version, hive):
    owner, member, key = hive
    stranger = Somebody()
    if owner.rest("GET", f"hive_member_days?hive_id=eq.{key}").json():
        for each in (owner, member):
            each.rest("DELETE", f"hive_member_days?hive_id=eq.{key}&user_id=eq.{each.id}")
    tables = ("hives", "hive_members", "hive_member_days", "activity_events")
    bindings = [binding(each, filter=f"{'id' if each == 'hives' else 'hive_id'}=eq.{key}") for each in tables]
    with opened("HABITHIVE", version) as client, opened("HABITHIVE", version) as spy:
        client.hear("hive", *bindings, token=member.token)
        spy.hear("hive", *bindings, token=stranger.token)
        owner.do("log_hive_today", p_hive_id=key)
        days = [each for each in [client.change()["data"]] if each["table"] == "hive_member_days"]
        assert days and days[0]["record"]["user_id"] == owner.id and days[0]["record"]["done"] is True
        event = {"actor_id": owner.id, "hive_id": key, "type": "streak_milestone", "data": {"n": 7}}
        assert owner.rest("POST", "activity_events", event).status_code == 201
        told = client.change()["data"]
        while told["table"] != "activity_events" or told["record"]["type"] != "streak_milestone":
            told = client.change()["data"]
        assert told["type"] == "INSERT" and told["record"]["data"] == {"n": 7}
        spy.quiet(0.3)


def test_a_day_that_all_did_is_told_with_the_hive():
    owner, member = Somebody(), Somebody()
    habit = owner.insert("habits", {"name": "Run"})
    key = owner.do("create_hive_from_habit", p_habit_id=habit["id"], p_backfill_days=0)
    member.do("join_hive_with_code", p_code=owner.do("create_hive_invite", p_hive_id=key)["code"])
    with opened("HABITHIVE") as client:
        client.hear("hive", binding("hives", "UPDATE", f"id=eq.{key}"),
                    binding("activity_events", "INSERT", f"hive_id=eq.{key}"), token=owner.token)
        owner.do("log_hive_today", p_hive_id=key)
        member.do("log_hive_today", p_hive_id=key)
        told = {}
        while {"hives", "hive_advanced"} - set(told):
            data = client.change()["data"]
            told[data["table"] if data["table"] == "hives" else data["record"]["type"]] = data
        assert told["hives"]["record"]["current_length"] == 1
        assert set(told["hives"]["record"]) == {each["name"] for each in told["hives"]["columns"]}


def test_who_left_is_told_by_hive_and_person_and_hears_no_code(hive):
    owner, _, key = hive
    leaver = Somebody()
    invite = owner.do("create_hive_invite", p_hive_id=key)
    leaver.do("join_hive_with_code", p_code=invite["code"])
    with opened("HABITHIVE") as client, opened("HABITHIVE") as theirs:
        theirs.hear("invites", binding("hive_invites", "DELETE"), token=leaver.token)
        client.hear("hive", binding("hive_members", "DELETE"), token=owner.token)
        leaver.remove(f"hive_members?hive_id=eq.{key}&user_id=eq.{leaver.id}")
        gone = client.change()["data"]["old_record"]
        assert (gone["hive_id"], gone["user_id"]) == (key, leaver.id)
        assert theirs.change()["data"]["old_record"].keys() == {"id"}


def test_who_left_a_hive_hears_it_no_more(hive):
    owner, _, key = hive
    leaver = Somebody()
    leaver.do("join_hive_with_code", p_code=owner.do("create_hive_invite", p_hive_id=key)["code"])
    with opened("HABITHIVE") as client:
        client.hear("hive", binding("hive_member_days"), token=leaver.token)
        leaver.remove(f"hive_members?hive_id=eq.{key}&user_id=eq.{leaver.id}")
        time.sleep(0.2)
        while client.read(0.3):
            pass
        owner.rest("DELETE", f"hive_member_days?hive_id=eq.{key}&user_id=eq.{owner.id}")
        owner.do("log_hive_today", p_hive_id=key)
        client.quiet()


def test_a_row_that_is_moved_to_another_day_is_an_update_with_its_name():
    somebody, own, other = Somebody(), str(uuid.uuid4()), str(uuid.uuid4())
    habit = somebody.insert("habits", {"name": "Swim"})["id"]
    with opened("HABITHIVE") as client:
        client.hear("days", binding("habit_logs"), token=somebody.token)
        for sent in ({"id": own}, {}):
            made = somebody.insert("habit_logs", {"habit_id": habit, "log_date": "2026-03-01", **sent})
            assert client.change()["data"]["record"]["id"] == made["id"]
            somebody.change(f"habit_logs?id=eq.{made['id']}", {"log_date": "2026-03-02"})
            data = client.change()["data"]
            assert (data["type"], data["record"]["id"], data["record"]["log_date"]) == ("UPDATE", made["id"], "2026-03-02")
            assert data["old_record"] == {"id": made["id"], "habit_id": habit, "log_date": "2026-03-01"}
            somebody.change(f"habit_logs?id=eq.{made['id']}", {"id": other, "skipped": True})
            data = client.change()["data"]
            assert (data["type"], data["record"]["id"]) == ("UPDATE", other)
            assert data["old_record"] == {"id": made["id"], "habit_id": habit, "log_date": "2026-03-02"}
            somebody.remove(f"habit_logs?id=eq.{other}")
            assert client.change()["data"]["type"] == "DELETE"
            client.quiet(0.3)


def test_an_invite_that_its_app_named_is_told(hive):
    owner, member, key = hive
    own = str(uuid.uuid4())
    with opened("HABITHIVE") as client:
        client.hear("codes", binding("hive_invites"), token=member.token)
        assert owner.insert("hive_invites", {"id": own, "hive_id": key})["id"] == own
        data = client.change()["data"]
        assert (data["type"], data["record"]["id"]) == ("INSERT", own)


def test_a_hive_mate_hears_of_another_name_and_of_no_other_change(hive):
    owner, member, _ = hive
    stranger = Somebody()
    with opened("HABITHIVE") as client, opened("HABITHIVE") as spy:
        client.hear("names", binding("profiles"), token=member.token)
        spy.hear("names", binding("profiles"), token=stranger.token)
        owner.change(f"profiles?id=eq.{owner.id}", {"timezone": "Asia/Tokyo", "theme": "night"})
        owner.change(f"profiles?id=eq.{owner.id}", {"display_name": "Olga"})
        data = client.change()["data"]
        assert (data["type"], data["record"]["id"], data["record"]["display_name"]) == ("UPDATE", owner.id, "Olga")
        assert data["record"]["timezone"] is None and data["record"]["theme"] is None
        client.quiet(0.3)
        spy.quiet(0.3)


def test_personal_completions_stay_with_their_actor(hive):
    owner, member, _ = hive
    habit = owner.insert("habits", {"name": "Diary"})
    with opened("HABITHIVE") as client, opened("HABITHIVE") as mine:
        client.hear("feed", binding("activity_events"), binding("habit_logs"), token=member.token)
        mine.hear("feed", binding("activity_events"), binding("habit_logs"), token=owner.token)
        owner.do("log_habit", p_habit_id=habit["id"])
        assert {each["table"] for each in mine.changes(2)} == {"activity_events", "habit_logs"}
        client.quiet(0.3)


@pytest.mark.parametrize("app, table, row", [
    ("HABITHIVE", "habits", {"name": "Read"}), ("MOTIV", "goals", {"title": "Marathon"}),
    ("DIGIT", "habits", {"name": "Read"}), ("MANNA", "labels", {"name": "Errand", "color": "#000000"})])
def test_every_apps_tables_are_heard_under_its_own_address(app, table, row):
    somebody = Somebody(app)
    with opened(app) as client:
        client.hear(table, binding(table, "INSERT", f"user_id=eq.{somebody.id.upper()}"), token=somebody.token)
        made = somebody.insert(table, row)
        data = client.change()["data"]
        assert data["table"] == table and data["record"] == made


def test_a_household_tells_its_people():
    pat = Somebody("MCCALL")
    household = str(uuid.uuid4())
    answer = pat.rest("POST", "households", {"id": household, "name": "Home"}, Prefer="return=minimal")
    assert answer.status_code == 201, answer.text
    answer = pat.rest("POST", "users", {"id": pat.id, "household_id": household, "name": "Pat"},
                      Prefer="resolution=merge-duplicates")
    assert answer.status_code in (200, 201), answer.text
    stranger = Somebody("MCCALL")
    with opened("MCCALL") as client, opened("MCCALL") as spy:
        wanted = binding("recipes", "INSERT", f"household_id=eq.{household}")
        client.hear("home", wanted, token=pat.token)
        spy.hear("home", wanted, token=stranger.token)
        made = pat.insert("recipes", {"id": str(uuid.uuid4()), "household_id": household, "title": "Soup"})
        assert client.change()["data"]["record"]["id"] == made["id"]
        spy.quiet(0.3)


# ---------------------------------------------------------------------------------------------------- broadcast


@VERSIONS
def test_a_broadcast_reaches_the_others_of_its_topic(version, maja, willi):
    room = f"room-{uuid.uuid4()}"
    with opened(version=version) as one, opened(version="1.0.0") as two, opened(version="2.0.0") as elsewhere:
        one.join(room, token=maja.token)
        two.join(room, token=willi.token)
        elsewhere.join(room + "-other", token=willi.token)
        sent = {"type": "broadcast", "event": "ping", "payload": {"n": 1, "deep": {"x": [None]}}}
        one.send("realtime:" + room, "broadcast", sent, join_ref="1")
        heard = two.until("broadcast")
        assert heard["payload"] == sent and heard["ref"] is None and heard["topic"] == "realtime:" + room
        one.quiet(0.3)
        elsewhere.quiet(0.1)


@VERSIONS
def test_a_broadcast_comes_back_and_is_acknowledged_where_that_was_asked(version, maja):
    room = f"room-{uuid.uuid4()}"
    with opened(version=version) as client:
        client.join(room, token=maja.token, broadcast={"ack": True, "self": True})
        ref = client.send("realtime:" + room, "broadcast", {"type": "broadcast", "event": "e", "payload": {}}, join_ref="1")
        frames = [client.read(), client.read()]
        assert {each["event"] for each in frames} == {"phx_reply", "broadcast"}
        reply = next(each for each in frames if each["event"] == "phx_reply")
        assert reply["ref"] == ref and reply["payload"]["status"] == "ok"


def pushed(room, ref, event, payload, encoding=1, join_ref="1"):
    """A broadcast as supabase-swift and supabase-js write it in the second version: in bytes."""
    texts = [text.encode() for text in (join_ref, ref, "realtime:" + room, event, "")]
    return bytes([3, *map(len, texts), encoding]) + b"".join(texts) + payload


def test_a_broadcast_in_bytes_is_one_as_well(maja, willi):
    room = f"room-{uuid.uuid4()}-ä"
    with opened() as one, opened(version="1.0.0") as two, opened() as three:
        one.join(room, token=maja.token, broadcast={"ack": True, "self": True})
        two.join(room, token=willi.token)
        three.join(room, token=willi.token)
        body = {"n": 1, "deep": {"x": [None, "ü"]}}
        one.socket.send(pushed(room, "77", "píng", json.dumps(body).encode()))
        sent = {"type": "broadcast", "event": "píng", "payload": body}
        for each in (two, three):
            heard = each.until("broadcast")
            assert heard["payload"] == sent and heard["topic"] == "realtime:" + room
        frames = [one.read(), one.read()]
        assert {each["event"] for each in frames} == {"phx_reply", "broadcast"}
        reply = next(each for each in frames if each["event"] == "phx_reply")
        assert reply["ref"] == "77" and reply["payload"]["status"] == "ok"
        one.socket.send(pushed(room, "78", "e", b"\x00\x01", encoding=0))
        assert one.until("phx_reply")["payload"]["status"] == "error"
        one.socket.send(pushed(room, "79", "e", json.dumps({"x": "y" * 100_000}).encode()))
        assert one.until("phx_reply")["payload"]["status"] == "error"
        one.socket.send(pushed("elsewhere", "80", "e", b"{}"))
        assert one.until("phx_reply")["payload"]["status"] == "error"
        for broken in (pushed(room, "81", "e", b"{"), pushed(room, "82", "e", b"{}")[:20], b"\x04" * 9, b"\x03", b"\x03" + b"\xff" * 8):
            one.socket.send(broken)
        one.send("phoenix", "heartbeat", ref="end")
        assert wait_until(lambda: (one.read(1) or {}).get("ref") == "end")
        two.quiet(0.3)


@VERSIONS
def test_nobody_is_let_go_for_a_broadcast_of_another(version, maja):
    room = f"room-{uuid.uuid4()}"
    with opened(version=version) as one, opened(version="2.0.0") as two:
        one.join(room)
        two.join(room, token=maja.token)
        for size, status in [(200_000, "error"), (60_000, "ok")]:
            said = {"type": "broadcast", "event": "e", "payload": {"text": "x" * size}}
            one.send("realtime:" + room, "broadcast", said, join_ref="1")
            if status == "error":
                assert one.until("phx_reply")["payload"]["status"] == "error"
                two.quiet(0.3)
            else:
                assert two.until("broadcast")["payload"] == said


def test_a_private_channel_is_refused(maja):
    with opened() as client:
        _, reply = client.join("room", token=maja.token, private=True)
        assert reply["status"] == "error", reply
        _, reply = client.join("room", token=maja.token)
        assert reply["status"] == "ok", reply


def test_rooms_of_two_apps_are_two_rooms(maja):
    if site("MANNA") == site("HABITHIVE"):
        pytest.skip("the apps have one address")
    with opened("MANNA") as one, opened("HABITHIVE") as two:
        one.join("room", token=maja.token)
        two.join("room", token=maja.token)
        one.send("realtime:room", "broadcast", {"type": "broadcast", "event": "e", "payload": {}}, join_ref="1")
        two.quiet(0.4)


def test_bytes_and_presence_do_not_end_a_socket(maja):
    with opened() as client:
        client.join("room", token=maja.token)
        client.socket.send(b"\x03\x01\x01\x04\x05\x00\x01")
        client.send("realtime:room", "presence", {"type": "presence", "event": "track", "payload": {}}, join_ref="1")
        client.send("phoenix", "heartbeat", ref="end")
        assert wait_until(lambda: (client.read(1) or {}).get("ref") == "end")
