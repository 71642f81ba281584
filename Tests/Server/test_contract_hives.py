"""HabitHive's functions, and what its people see of each other: hives, invites, days, the feed, devices, contacts."""

import datetime
import threading
import uuid

import pytest

from contract_tables import (
    IGNORE, MERGE, OBJECT, REPRESENTATION, Person, ask, fresh, moment, now, person, refused, word)

anna, bert, cleo = (person("HABITHIVE", name) for name in ("Anna", "Bert", "Cleo"))
DAY = datetime.timedelta(days=1)


def today(somebody, at=None):
    arguments = {"p_user": somebody.id, **({"p_at": at} if at else {})}
    return somebody.called("user_local_date", **arguments)


def before(day, count):
    return (datetime.date.fromisoformat(day) - count * DAY).isoformat()


class TestLocalDates:
    @pytest.mark.parametrize("zone, start, at, expected", [
        ("America/New_York", 4, "2026-11-01T07:59:00", "2026-10-31"), ("America/New_York", 4, "2026-11-01T09:00:00", "2026-11-01"),
        ("Asia/Kolkata", 0, "2026-03-09T18:30:00Z", "2026-03-10"), ("Pacific/Kiritimati", 0, "2026-03-09T10:00:00Z", "2026-03-10"),
        ("Pacific/Pago_Pago", 23, "2026-03-10T09:59:59Z", "2026-03-08"), ("Europe/Berlin", 4, "2026-03-29T01:59:59Z", "2026-03-28"),
        ("UTC", 0, "2026-03-29T01:59:59+03:00", "2026-03-28"),
    ])
    def test_days_of_zones(self, zone, start, at, expected):
        somebody = Person("HABITHIVE").lives_in(zone, start)
        assert today(somebody, at) == expected

    def test_who_may_ask_about_whom(self, anna, bert):
        hive = anna.hive()
        stranger = Person("HABITHIVE")
        answer = stranger.call("user_local_date", {"p_user": anna.id})
        refused(answer, 400, "P0001")
        anna.lets_in(bert, hive)
        assert len(bert.called("user_local_date", p_user=anna.id.upper())) == 10
        answer = bert.call("user_local_date", {"p_user": anna.id}, prefer="count=exact")
        assert answer.headers["content-range"] == "0-0/1"
        assert bert.call("user_local_date", {"p_user": anna.id}).headers["content-range"] == "0-0/*"
        refused(anna.call("user_local_date", {"p_user": fresh()}), 400, "P0001")
        refused(anna.call("user_local_date", {"p_user": "x"}), 400, "22P02")
        refused(anna.call("user_local_date", {}), 404, "PGRST202")

    @pytest.mark.parametrize("change, code", [
        ({"timezone": "Mars/Olympus"}, "23514"), ({"timezone": "EST5"}, "23514"), ({"day_start_hour": 24}, "23514"),
        ({"day_start_hour": -1}, "23514"), ({"day_start_hour": "x"}, "22P02"), ({"timezone": None}, "23502"),
        ({"theme": None}, "23502"), ({"none": 1}, "PGRST204"),
    ])
    def test_profiles_refuse(self, anna, change, code):
        refused(anna.patch(f"profiles?id=eq.{anna.id}", change), 400, code)

    def test_profiles_upsert_and_stay(self):
        somebody = Person("HABITHIVE", "Zoe")
        answer = somebody.upsert("profiles", {"id": somebody.id.upper(), "theme": "night"})
        assert answer.status_code == 200
        (row,) = answer.json()
        assert (row["id"], row["display_name"], row["theme"]) == (somebody.id, "Zoe", "night")
        assert (row["timezone"], row["day_start_hour"]) == ("America/New_York", 4)
        refused(somebody.post("profiles", {"id": fresh(), "display_name": "x"}), 403, "42501")
        refused(somebody.post("profiles", {"id": somebody.id, "display_name": "x"}), 409, "23505")


    def test_hive_mates_see_names_and_pictures_of_each_other_and_nothing_else(self):
        owner, mate, stranger = Person("HABITHIVE", "Olga"), Person("HABITHIVE", "Mats"), Person("HABITHIVE", "Sven")
        owner.patch(f"profiles?id=eq.{owner.id}", {"avatar_url": "https://example.org/o.png", "timezone": "Asia/Tokyo", "theme": "night"})
        path = f"profiles?id=eq.{owner.id}"
        assert mate.rows(path) == [] and stranger.rows(path) == []
        hive = owner.hive()
        owner.lets_in(mate, hive)
        (row,) = mate.rows(path)
        assert (row["display_name"], row["avatar_url"]) == ("Olga", "https://example.org/o.png")
        assert {name for name, value in row.items() if value is not None} == {"id", "display_name", "avatar_url"}
        assert stranger.rows(path) == []
        # No filter reveals more; nobody changes another person's row, and without keys the caller's own row is meant.
        assert mate.rows(f"{path}&timezone=eq.Asia/Tokyo") == [] and mate.rows(f"{path}&theme=not.is.null") == []
        assert mate.rows("profiles?select=id") == [{"id": mate.id}]
        assert mate.patch(path, {"display_name": "Mine"}).json() == [] and mate.delete(path).json() == []
        refused(mate.upsert("profiles", {"id": owner.id, "display_name": "Mine"}), 403, "42501")
        both = mate.rows(f"profiles?select=display_name&id=in.({owner.id},{mate.id},{stranger.id})&order=display_name")
        assert both == [{"display_name": "Mats"}, {"display_name": "Olga"}]
        rows = mate.rows(f"hive_members?select=role,profiles(display_name)&hive_id=eq.{hive}&order=role.desc")
        assert rows == [{"role": "owner", "profiles": {"display_name": "Olga"}}, {"role": "member", "profiles": {"display_name": "Mats"}}]
        (row,) = mate.rows(f"hives?select=hive_members(profiles(display_name))&id=eq.{hive}")
        assert sorted(each["profiles"]["display_name"] for each in row["hive_members"]) == ["Mats", "Olga"]
        owner.called("log_hive_today", p_hive_id=hive)
        (row,) = mate.rows(f"hive_member_days?select=value,profiles(display_name)&hive_id=eq.{hive}")
        assert row["profiles"] == {"display_name": "Olga"}
        mate.delete(f"hive_members?hive_id=eq.{hive}&user_id=eq.{mate.id}")
        assert mate.rows(path) == [] and owner.rows(f"profiles?id=eq.{mate.id}") == []


class TestLogging:
    def test_the_answer_is_the_row(self, anna):
        habit = anna.habit(type="counter", target_per_day=4)
        row = anna.called("log_habit", p_habit_id=habit["id"].upper(), p_value="3", p_at="2026-02-03T12:00:00")
        assert {"id", "habit_id", "user_id", "log_date", "value", "source", "created_at"} <= set(row)
        assert (row["habit_id"], row["log_date"], row["value"], row["source"]) == (habit["id"], "2026-02-03", 3, "api")
        assert anna.rows(f"habit_logs?habit_id=eq.{habit['id']}") == [row]
        moment(row["created_at"])

    def test_absent_and_null_are_the_defaults(self, anna):
        habit = anna.habit(type="counter", target_per_day=4)
        row = anna.called("log_habit", p_habit_id=habit["id"], p_value=None, p_at=None)
        assert row["value"] == 1 and row["log_date"] == today(anna)

    def test_the_last_value_stays_and_is_clamped(self, anna):
        habit = anna.habit(type="counter", target_per_day=4)
        values = [anna.called("log_habit", p_habit_id=habit["id"], p_value=value)["value"] for value in (9, 2, 0, -7, 4, 3)]
        assert values == [4, 2, 1, 1, 4, 3]
        assert [row["value"] for row in anna.rows(f"habit_logs?habit_id=eq.{habit['id']}")] == [3]

    def test_one_completion_a_habit_and_day(self, anna):
        habit = anna.habit(type="counter", target_per_day=2)
        feed = f"activity_events?habit_id=eq.{habit['id']}&select=type,data,actor_id"
        anna.called("log_habit", p_habit_id=habit["id"], p_value=1)
        assert anna.rows(feed) == []
        for value in (2, 2, 1, 2):
            anna.called("log_habit", p_habit_id=habit["id"], p_value=value)
        (event,) = anna.rows(feed)
        assert (event["type"], event["actor_id"], event["data"]["log_date"]) == ("habit_completed", anna.id, today(anna))

    def test_refusals(self, anna, bert):
        habit = anna.habit()
        refused(anna.call("log_habit", {"p_habit_id": fresh()}), 400, "P0001", "habit not found")
        refused(bert.call("log_habit", {"p_habit_id": habit["id"]}), 400, "P0001")
        refused(anna.call("log_habit", {"p_habit_id": "x"}), 400, "22P02")
        refused(anna.call("log_habit", {"p_habit_id": habit["id"], "p_value": "many"}), 400, "22P02")
        refused(anna.call("log_habit", {"p_habit_id": habit["id"], "p_at": "soon"}), 400, "22007")
        refused(anna.call("log_habit", {"p_habit_id": habit["id"], "p_day": "2026-01-01"}), 404, "PGRST202")
        later = (now() + 3 * DAY).isoformat()
        refused(anna.call("log_habit", {"p_habit_id": habit["id"], "p_at": later}), 400, "P0001")
        anna.patch(f"habits?id=eq.{habit['id']}", {"is_active": False})
        refused(anna.call("log_habit", {"p_habit_id": habit["id"]}), 400, "P0001")
        nobody = ask("POST", "HABITHIVE", "/rest/v1/rpc/log_habit", json={"p_habit_id": habit["id"]})
        assert nobody.status_code in (401, 403) or nobody.json()["code"] == "P0001"
        assert anna.rows(f"habit_logs?habit_id=eq.{habit['id']}") == []

    def test_object_media_type_and_select(self, anna):
        habit = anna.habit()
        answer = anna.call("log_habit", {"p_habit_id": habit["id"]}, headers={"Accept": OBJECT})
        assert answer.status_code == 200 and answer.json()["habit_id"] == habit["id"]

    def test_a_skipped_day(self, anna):
        habit = anna.habit()
        row = {"habit_id": habit["id"], "log_date": "2026-02-03", "value": 1}
        by = "habit_logs?on_conflict=habit_id,log_date"
        for skipped in (True, True):
            (made,) = anna.upsert(by, {**row, "skipped": skipped}).json()
            assert (made["skipped"], made["value"]) == (True, 0)
        path = f"habit_logs?id=eq.{made['id']}"
        (same,) = anna.patch(path, {"value": 1, "skipped": True}).json()
        assert (same["skipped"], same["value"]) == (True, 0)
        (logged,) = anna.upsert(by, row).json()
        assert (logged["id"], logged["skipped"], logged["value"]) == (made["id"], False, 1)
        anna.patch(path, {"skipped": True})
        (logged,) = anna.patch(path, {"value": 1}).json()
        assert (logged["skipped"], logged["value"]) == (False, 1)

    def test_rows_of_logs(self, anna):
        habit = anna.habit(type="counter", target_per_day=3)
        row = anna.made("habit_logs", {"habit_id": habit["id"], "log_date": "2026-02-01", "value": 2, "source": "manual"})
        assert row["value"] == 2 and row["user_id"] == anna.id
        again = anna.post("habit_logs", {"habit_id": habit["id"], "log_date": "2026-02-01"})
        refused(again, 409, "23505", details="already exists")
        merged = anna.upsert("habit_logs?on_conflict=habit_id,log_date", {"habit_id": habit["id"], "log_date": "2026-02-01", "value": 3})
        assert merged.status_code in (200, 403)
        (gone,) = anna.delete(f"habit_logs?id=eq.{row['id']}").json()
        assert gone["id"] == row["id"]
        assert anna.made("habit_logs", {"habit_id": habit["id"], "log_date": "2026-02-01"})["value"] == 1

    def test_ranges_for_a_month(self, anna):
        habit = anna.habit()
        rows = [{"habit_id": habit["id"], "user_id": anna.id, "log_date": f"2026-02-{day:02}"} for day in (1, 14, 28)]
        assert anna.post("habit_logs", rows).status_code == 201
        found = anna.rows(
            f"habit_logs?select=log_date&habit_id=eq.{habit['id']}&log_date=gte.2026-02-02&log_date=lte.2026-02-28&order=log_date.desc")
        assert [row["log_date"] for row in found] == ["2026-02-28", "2026-02-14"]


class TestHives:
    def test_a_hive_copies_its_habit(self, anna):
        habit = anna.habit(emoji="📚", color_hex="#123456", type="counter", target_per_day=3, schedule_daily=False, schedule_weekmask=31)
        key = anna.called("create_hive_from_habit", p_habit_id=habit["id"], p_name="Readers", p_backfill_days=0)
        (hive,) = anna.rows(f"hives?select=*,hive_members(count)&id=eq.{key}")
        copied = ("emoji", "color_hex", "type", "target_per_day", "schedule_daily", "schedule_weekmask")
        assert [hive[column] for column in copied] == [habit[column] for column in copied]
        assert (hive["name"], hive["owner_id"], hive["rule"]) == ("Readers", anna.id, "all_must_complete")
        assert hive["hive_members"] == [{"count": 1}]
        (member,) = anna.rows(f"hive_members?hive_id=eq.{key}")
        assert (member["user_id"], member["role"]) == (anna.id, "owner")
        named = anna.called("create_hive_from_habit", p_habit_id=habit["id"], p_backfill_days=0)
        assert anna.rows(f"hives?select=name&id=eq.{named}") == [{"name": habit["name"]}]

    def test_backfill(self, anna):
        habit = anna.habit(type="counter", target_per_day=2)
        day = today(anna)
        for count, value in ((0, 2), (1, 1), (5, 2), (40, 2)):
            anna.made("habit_logs", {"habit_id": habit["id"], "log_date": before(day, count), "value": value})
        days = lambda hive: [
            (row["day_date"], row["value"], row["done"])
            for row in anna.rows(f"hive_member_days?hive_id=eq.{hive}&user_id=eq.{anna.id}&order=day_date.desc")]
        expected = [(day, 2, True), (before(day, 1), 1, False), (before(day, 5), 2, True), (before(day, 40), 2, True)]
        hive = lambda **more: anna.called("create_hive_from_habit", p_habit_id=habit["id"], **more)
        assert days(hive()) == expected[:3]
        assert days(hive(p_backfill_days=0)) == [] and days(hive(p_backfill_days=-3)) == []
        assert days(hive(p_backfill_days=1)) == expected[:2] and days(hive(p_backfill_days=60)) == expected
        refused(anna.call("create_hive_from_habit", {"p_habit_id": habit["id"], "p_backfill_days": 91}), 400, "P0001")

    def test_making_is_refused(self, anna, bert):
        habit = anna.habit()
        refused(anna.call("create_hive_from_habit", {"p_habit_id": fresh()}), 400, "P0001")
        refused(bert.call("create_hive_from_habit", {"p_habit_id": habit["id"]}), 400, "P0001")
        refused(anna.call("create_hive_from_habit", {"p_habit_id": habit["id"], "p_name": ""}), 400, "P0001")
        refused(anna.call("create_hive_from_habit", {}), 404, "PGRST202")
        anna.patch(f"habits?id=eq.{habit['id']}", {"is_active": False})
        refused(anna.call("create_hive_from_habit", {"p_habit_id": habit["id"]}), 400, "P0001")

    def test_only_members_see_a_hive(self, anna, bert):
        hive, stranger = anna.hive(), Person("HABITHIVE")
        anna.lets_in(bert, hive)
        tables = {"hives": "id", "hive_members": "hive_id", "hive_invites": "hive_id", "hive_days": "hive_id",
                  "hive_member_days": "hive_id", "activity_events": "hive_id"}
        anna.called("log_hive_today", p_hive_id=hive)
        bert.called("log_hive_today", p_hive_id=hive)
        for table, column in tables.items():
            path = f"{table}?{column}=eq.{hive}"
            assert bert.rows(path), table
            assert stranger.rows(path) == [], table
            assert stranger.patch(path, {"hive_id": hive} if column == "hive_id" else {"name": "x"}).json() in ([], ), table
            assert stranger.delete(path).json() == [], table
        (row,) = anna.rows(f"hives?select=*,hive_members(count)&id=eq.{hive}")
        assert row["hive_members"] == [{"count": 2}]
        (row,) = bert.rows(f"hives?select=name,hive_members(user_id,role)&id=eq.{hive}&hive_members.order=joined_at")
        assert [(member["user_id"], member["role"]) for member in row["hive_members"]] == [(anna.id, "owner"), (bert.id, "member")]

    def test_only_the_owner_changes_a_hive(self, anna, bert):
        hive = anna.hive()
        anna.lets_in(bert, hive)
        assert bert.patch(f"hives?id=eq.{hive}", {"name": "mine"}).json() == []
        assert bert.delete(f"hives?id=eq.{hive}").json() == []
        assert anna.patch(f"hives?id=eq.{hive}", {"name": "ours"}).json()[0]["name"] == "ours"
        assert len(anna.delete(f"hives?id=eq.{hive}").json()) == 1
        assert bert.rows(f"hives?id=eq.{hive}") == [] and bert.rows(f"hive_members?hive_id=eq.{hive}") == []

    def test_a_member_leaves_and_the_owner_does_not(self, anna, bert):
        hive = anna.hive()
        anna.lets_in(bert, hive)
        gone = bert.delete(f"hive_members?hive_id=eq.{hive}&user_id=eq.{bert.id}")
        assert gone.status_code == 200 and len(gone.json()) == 1, gone.text
        assert bert.rows(f"hives?id=eq.{hive}") == []
        answer = anna.delete(f"hive_members?hive_id=eq.{hive}&user_id=eq.{anna.id}")
        assert answer.status_code < 500 and anna.rows(f"hive_members?hive_id=eq.{hive}&user_id=eq.{anna.id}")
        refused(bert.post("hive_members", {"hive_id": hive, "user_id": bert.id}), 403, "42501")

    def test_a_hive_begins_as_a_row(self, anna):
        hive = anna.made("hives", {"name": "From scratch", "target_per_day": 2, "type": "counter"})
        assert hive["owner_id"] == anna.id
        assert [row["role"] for row in anna.rows(f"hive_members?hive_id=eq.{hive['id']}")] == ["owner"]


class TestInvites:
    def test_the_answer_is_the_row(self, anna):
        hive = anna.hive()
        invite = anna.called("create_hive_invite", p_hive_id=hive)
        assert (invite["hive_id"], invite["max_uses"], invite["use_count"], invite["created_by"]) == (hive, 20, 0, anna.id)
        assert len(invite["code"]) == 12 and int(invite["code"], 16) >= 0
        life = moment(invite["expires_at"]) - moment(invite["created_at"])
        assert abs(life - datetime.timedelta(minutes=10_080)) < datetime.timedelta(minutes=2)
        assert anna.rows(f"hive_invites?code=eq.{invite['code']}") == [invite]

    def test_joining_counts_once(self, anna, bert):
        hive = anna.hive()
        invite = anna.called("create_hive_invite", p_hive_id=hive, p_max_uses=1)
        for _ in range(3):
            assert bert.called("join_hive_with_code", p_code=invite["code"]) == hive
        assert anna.called("join_hive_with_code", p_code=invite["code"]) == hive
        assert anna.rows(f"hive_invites?select=use_count&id=eq.{invite['id']}") == [{"use_count": 1}]
        refused(Person("HABITHIVE").call("join_hive_with_code", {"p_code": invite["code"]}), 400, "P0001", "invite exhausted")
        assert len(anna.rows(f"activity_events?hive_id=eq.{hive}&type=eq.hive_joined&actor_id=eq.{bert.id}")) == 1

    def test_messages(self, anna, bert):
        body = refused(bert.call("join_hive_with_code", {"p_code": "000000000000"}), 400, "P0001")
        assert body["message"] == "invalid code"
        for code in ("", "x", None):
            answer = bert.call("join_hive_with_code", {"p_code": code})
            assert refused(answer, 400, "P0001")["message"] == "invalid code"
        hive = anna.hive()
        invite = anna.called("create_hive_invite", p_hive_id=hive, p_max_uses=1)
        bert.called("join_hive_with_code", p_code=invite["code"])
        answer = Person("HABITHIVE").call("join_hive_with_code", {"p_code": invite["code"]})
        assert refused(answer, 400, "P0001")["message"] == "invite exhausted"

    def test_an_invite_ends_when_its_app_says(self, anna):
        hive = anna.called("create_hive_from_habit", p_habit_id=anna.habit()["id"])
        end = "2036-01-02T03:04:05.678+00:00"
        assert anna.made("hive_invites", {"hive_id": hive, "expires_at": end})["expires_at"] == end
        refused(anna.post("hive_invites", {"hive_id": hive, "expires_at": "2020-01-01T00:00:00Z"}), 400, "23514")

    def test_a_hive_remembers_the_habit_that_its_app_made_it_of(self, anna, bert):
        habit = anna.habit()
        hive = anna.made("hives", {"name": "Bees", "source_habit_id": habit["id"]})
        assert hive["source_habit_id"] == habit["id"]
        path = f"hives?select=source_habit_id,habits(name)&id=eq.{hive['id']}"
        assert anna.rows(path) == [{"source_habit_id": habit["id"], "habits": {"name": habit["name"]}}]
        refused(bert.post("hives", {"name": "Mine", "source_habit_id": habit["id"]}), 409, "23503")
        anna.delete(f"habits?id=eq.{habit['id']}")
        assert anna.rows(path) == [{"source_habit_id": None, "habits": None}]

    def test_an_expired_invite(self, anna, bert):
        hive = anna.hive()
        past = (now() - DAY).isoformat()
        made = anna.post("hive_invites", {"hive_id": hive, "expires_at": past})
        assert made.status_code in (201, 400)
        for life in (0, -5):
            refused(anna.call("create_hive_invite", {"p_hive_id": hive, "p_ttl_minutes": life}), 400, "P0001")
            refused(anna.call("create_hive_invite", {"p_hive_id": hive, "p_max_uses": life}), 400, "P0001")

    def test_who_may_invite(self, anna, bert):
        hive = anna.hive()
        anna.lets_in(bert, hive)
        refused(bert.call("create_hive_invite", {"p_hive_id": hive}), 400, "P0001")
        refused(Person("HABITHIVE").call("create_hive_invite", {"p_hive_id": hive}), 400, "P0001")
        refused(anna.call("create_hive_invite", {"p_hive_id": fresh()}), 400, "P0001")

    def test_the_eleventh_is_refused_and_a_member_may_come_again(self, anna):
        hive = anna.hive()
        code = anna.called("create_hive_invite", p_hive_id=hive)["code"]
        people = [Person("HABITHIVE") for _ in range(12)]
        answers = [None] * len(people)

        def join(place):
            answers[place] = people[place].call("join_hive_with_code", {"p_code": code})

        threads = [threading.Thread(target=join, args=(place,), daemon=True) for place in range(len(people))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sum(answer.status_code == 200 for answer in answers) == 9
        for somebody, answer in zip(people, answers):
            if answer.status_code != 200:
                assert refused(answer, 400, "P0001")["message"] == "hive full"
            else:
                assert somebody.called("join_hive_with_code", p_code=code) == hive
        (row,) = anna.rows(f"hives?select=hive_members(count)&id=eq.{hive}")
        assert row["hive_members"] == [{"count": 10}]
        assert anna.rows(f"hive_invites?select=use_count&code=eq.{code}") == [{"use_count": 9}]

    def test_the_owner_takes_a_code_back(self, anna, bert):
        hive = anna.hive()
        invite = anna.called("create_hive_invite", p_hive_id=hive)
        assert bert.delete(f"hive_invites?id=eq.{invite['id']}").json() == []
        assert len(anna.delete(f"hive_invites?id=eq.{invite['id']}").json()) == 1
        refused(bert.call("join_hive_with_code", {"p_code": invite["code"]}), 400, "P0001", "invalid code")


class TestHiveDays:
    def test_the_answer_is_the_row_and_done_is_computed(self, anna):
        hive = anna.hive(type="counter", target_per_day=3)
        row = anna.called("log_hive_today", p_hive_id=hive.upper(), p_value=2)
        assert (row["hive_id"], row["user_id"], row["value"], row["done"], row["day_date"]) == (hive, anna.id, 2, False, today(anna))
        row = anna.called("log_hive_today", p_hive_id=hive, p_value=99)
        assert (row["value"], row["done"]) == (3, True)
        assert anna.called("log_hive_today", p_hive_id=hive)["value"] == 1
        assert len(anna.rows(f"hive_member_days?hive_id=eq.{hive}")) == 1

    def test_people_in_several_zones_advance_together(self, bert):
        one, other = Person("HABITHIVE").lives_in("Pacific/Kiritimati"), Person("HABITHIVE").lives_in("Pacific/Kiritimati")
        hive = one.hive()
        one.lets_in(other, hive)
        first = one.called("log_hive_today", p_hive_id=hive)
        day = first["day_date"]
        (state,) = one.called("advance_hive_day", p_hive_id=hive, p_day=day)
        assert state == {"advanced": False, "complete_count": 1, "required_count": 2}
        for _ in range(2):
            assert other.called("log_hive_today", p_hive_id=hive)["day_date"] == day
        for somebody in (one, other, one):
            (state,) = somebody.called("advance_hive_day", p_hive_id=hive, p_day=day)
            assert state == {"advanced": True, "complete_count": 2, "required_count": 2}
        (row,) = one.rows(f"hives?id=eq.{hive}")
        assert row["last_advanced_on"] == day
        assert len(one.rows(f"activity_events?hive_id=eq.{hive}&type=eq.hive_advanced")) == 1
        (row,) = other.rows(f"hive_days?hive_id=eq.{hive}&day_date=eq.{day}")
        assert (row["advanced"], row["complete_count"], row["required_count"]) == (True, 2, 2)
        single = one.call("advance_hive_day", {"p_hive_id": hive, "p_day": day}, headers={"Accept": OBJECT})
        assert single.json() == {"advanced": True, "complete_count": 2, "required_count": 2}

    def test_each_member_has_a_day_of_their_own(self):
        east, west = Person("HABITHIVE").lives_in("Pacific/Kiritimati"), Person("HABITHIVE").lives_in("Pacific/Pago_Pago")
        hive = east.hive()
        east.lets_in(west, hive)
        days = [somebody.called("log_hive_today", p_hive_id=hive)["day_date"] for somebody in (east, west)]
        assert days == [today(east), today(west)] and days[0] > days[1]
        assert west.called("user_local_date", p_user=east.id) == days[0]

    def test_refusals(self, anna, bert):
        hive = anna.hive()
        refused(bert.call("log_hive_today", {"p_hive_id": hive}), 400, "P0001")
        refused(bert.call("advance_hive_day", {"p_hive_id": hive, "p_day": today(anna)}), 400, "P0001")
        refused(anna.call("log_hive_today", {"p_hive_id": fresh()}), 400, "P0001")
        refused(anna.call("log_hive_today", {"p_hive_id": hive, "p_at": (now() + 3 * DAY).isoformat()}), 400, "P0001")
        refused(anna.call("log_hive_today", {"p_hive_id": hive, "p_at": (now() - 9 * DAY).isoformat()}), 400, "P0001")
        refused(anna.call("advance_hive_day", {"p_hive_id": hive, "p_day": "2020-01-01"}), 400, "P0001")
        refused(anna.call("advance_hive_day", {"p_hive_id": hive, "p_day": "x"}), 400, "22007")
        refused(anna.call("advance_hive_day", {"p_hive_id": hive}), 404, "PGRST202")
        for path in ("hive_days", "hive_member_days"):
            assert ask("POST", "HABITHIVE", f"/rest/v1/{path}", json={"hive_id": hive}).status_code in (400, 401)
        refused(anna.post("hive_days", {"hive_id": hive, "day_date": today(anna), "advanced": True}), 403, "42501")
        refused(
            anna.post("hive_member_days", {"hive_id": hive, "user_id": bert.id, "day_date": today(anna)}), 403, "42501")

    def test_replays_from_an_offline_queue(self, anna):
        hive, at = anna.hive(), now().isoformat(timespec="milliseconds")[:-6]
        rows = [anna.called("log_hive_today", p_hive_id=hive, p_value=1, p_at=at) for _ in range(3)]
        assert rows[0] == rows[1] == rows[2] or len({row["day_date"] for row in rows}) == 1
        assert len(anna.rows(f"hive_member_days?hive_id=eq.{hive}")) == 1


class TestFeed:
    def test_personal_completions_stay_personal(self, anna, bert):
        hive, habit = anna.hive(), anna.habit()
        anna.lets_in(bert, hive)
        anna.called("log_habit", p_habit_id=habit["id"])
        assert len(anna.rows(f"activity_events?habit_id=eq.{habit['id']}")) == 1
        assert bert.rows(f"activity_events?habit_id=eq.{habit['id']}") == []

    def test_completions_of_the_hives_habit_are_shown(self, anna, bert):
        habit = anna.habit()
        hive = anna.called("create_hive_from_habit", p_habit_id=habit["id"], p_backfill_days=0)
        anna.lets_in(bert, hive)
        anna.called("log_habit", p_habit_id=habit["id"])
        feed = bert.rows(f"activity_events?actor_id=eq.{anna.id}&type=eq.habit_completed")
        assert len(feed) == 1

    def test_newest_first_and_twenty(self, anna, bert):
        hive = anna.hive()
        anna.lets_in(bert, hive)
        for number in range(25):
            anna.made("activity_events", {"hive_id": hive, "type": "streak_milestone", "data": {"n": number}})
        feed = bert.rows(f"activity_events?hive_id=eq.{hive}&order=created_at.desc.nullslast&limit=20")
        assert [event["data"]["n"] for event in feed] == list(range(24, 4, -1))

    def test_nobody_posts_for_another_or_elsewhere(self, anna, bert):
        hive = anna.hive()
        refused(bert.post("activity_events", {"hive_id": hive, "type": "streak_milestone", "data": {}}), 403, "42501")
        refused(bert.post("activity_events", {"actor_id": anna.id, "type": "streak_milestone", "data": {}}), 403, "42501")
        refused(anna.post("activity_events", {"type": "nonsense"}), 400, "22P02")
        event = anna.made("activity_events", {"type": "streak_milestone"})
        assert event["data"] == {} and event["actor_id"] == anna.id
        assert anna.patch(f"activity_events?id=eq.{event['id']}", {"data": {"a": 1}}).json() == []
        assert anna.delete(f"activity_events?id=eq.{event['id']}").json() == []

    def test_hive_mates_names(self, anna, bert):
        hive = anna.hive()
        anna.lets_in(bert, hive)
        rows = bert.rows(f"hive_members?select=*&hive_id=eq.{hive}&order=joined_at.asc")
        assert [row["user_id"] for row in rows] == [anna.id, bert.id]


class TestDevicesAndContacts:
    def test_a_token_is_registered_and_moves(self, anna, bert):
        token = word("apns")
        path = "device_tokens?on_conflict=apns_token"
        first = anna.upsert(path, {"apns_token": token, "environment": "dev", "user_id": anna.id.upper()})
        assert first.status_code == 201
        second = anna.upsert(path, {"apns_token": token, "environment": "prod"})
        assert second.status_code == 200 and second.json()[0]["id"] == first.json()[0]["id"]
        moved = bert.upsert(path, {"apns_token": token, "environment": "prod", "user_id": bert.id})
        assert moved.status_code in (200, 201), moved.text
        assert moved.json()[0]["user_id"] == bert.id
        assert anna.rows(f"device_tokens?apns_token=eq.{token}") == []
        assert len(bert.delete(f"device_tokens?apns_token=eq.{token}").json()) == 1

    def test_environments(self, anna):
        refused(anna.post("device_tokens", {"apns_token": word(), "environment": "odd"}), 400, "23514")
        refused(anna.post("device_tokens", {"environment": "prod"}), 400, "23502")
        token = word()
        anna.made("device_tokens", {"apns_token": token, "environment": "prod"})
        refused(anna.post("device_tokens", {"apns_token": token, "environment": "prod"}), 409, "23505")

    def test_a_hash_in_capitals_is_the_same_contact(self, anna):
        digits = uuid.uuid4().hex * 2
        made = anna.made("contact_hashes", {"contact_hash": digits, "display_name": "Mum"})
        refused(anna.post("contact_hashes", {"contact_hash": digits.upper()}), 409, "23505")
        answer = anna.upsert("contact_hashes?on_conflict=user_id,contact_hash", {"contact_hash": digits.upper()})
        assert answer.status_code == 200 and answer.json() == [made]
        assert anna.rows(f"contact_hashes?contact_hash=eq.{digits.upper()}") == [made]

    def test_contacts(self, anna, bert):
        path = "contact_hashes?on_conflict=user_id,contact_hash"
        hashes = [word("h") for _ in range(3)]
        rows = [{"user_id": anna.id, "contact_hash": text, "display_name": f"n{place}"} for place, text in enumerate(hashes)]
        assert anna.upsert(path, rows[:2]).status_code == 201
        answer = anna.upsert(path, [{**row, "display_name": "x"} for row in rows], IGNORE)
        assert [row["contact_hash"] for row in answer.json()] == hashes[2:]
        answer = anna.upsert(path, {**rows[0], "display_name": "again"})
        assert answer.status_code == 200 and answer.json()[0]["display_name"] == "again"
        assert bert.rows(f"contact_hashes?contact_hash=eq.{hashes[0]}") == []
        assert bert.upsert(path, {"contact_hash": hashes[0], "user_id": bert.id}).status_code == 201
        refused(bert.upsert(path, rows[0]), 403, "42501")
        assert len(anna.delete(f"contact_hashes?contact_hash=in.({','.join(hashes)})").json()) == 3
