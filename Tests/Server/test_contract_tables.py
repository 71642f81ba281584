"""The dialect of `/rest/v1`, whatever the app: grammar, operators, embedded rows, writes, values, errors, visibility."""

import base64
import datetime
import json
import urllib.parse

import pytest

from contract_tables import (
    IGNORE, KEY, MERGE, OBJECT, REPRESENTATION, Person, address, ask, fresh, http, moment, now, person, refused, word)

anna, bert = person("HABITHIVE", "Anna"), person("HABITHIVE", "Bert")
mona, nils = person("MANNA", "Mona"), person("MANNA", "Nils")


def quoted(text):
    return urllib.parse.quote(text, safe="")


@pytest.fixture(scope="module")
def tagged(anna):
    """Six habits whose names begin alike: 1…6 a day, emoji of all kinds."""
    tag = word("t")
    rows = [
        {"name": f"{tag}_{place}", "emoji": emoji, "target_per_day": place + 1, "type": kind, "is_active": place != 5,
         "schedule_weekmask": 127, "reminders": reminders}
        for place, (emoji, kind, reminders) in enumerate([
            ("a", "checkbox", []), (None, "counter", ["08:00"]), ("b,c", "checkbox", ["08:00", "20:00"]),
            ('q"t', "counter", ["20:00"]), ("(p)", "checkbox", []), ("back\\slash", "counter", ["12:30", "08:00"]),
        ])]
    answer = anna.post("habits", rows)
    assert answer.status_code == 201, answer.text
    return tag


def places(anna, tag, query, order="&order=target_per_day"):
    rows = anna.rows(f"habits?select=name&name=like.{tag}*&{query}{order}")
    return "".join(row["name"][-1] for row in rows)


class TestOperators:
    @pytest.mark.parametrize("query, found", [
        ("target_per_day=eq.3", "2"), ("target_per_day=neq.3", "01345"), ("target_per_day=gt.4", "45"),
        ("target_per_day=gte.4", "345"), ("target_per_day=lt.2", "0"), ("target_per_day=lte.2", "01"),
        ("target_per_day=in.(1,6)", "05"), ("target_per_day=in.()", ""), ("target_per_day=not.in.(1,6)", "1234"),
        ("target_per_day=gte.2&target_per_day=lt.5", "123"),
        ("emoji=is.null", "1"), ("emoji=not.is.null", "02345"), ("emoji=is.not_null", "02345"),
        ("emoji=is.NULL", "1"), ("is_active=is.false", "5"), ("is_active=is.true", "01234"),
        ("is_active=not.is.true", "5"), ("is_active=eq.false", "5"), ("is_active=neq.false", "01234"),
        ("is_active=in.(false)", "5"),
        ("emoji=neq.a", "2345"), ("emoji=not.eq.a", "2345"), ("emoji=isdistinct.a", "12345"),
        ("emoji=not.isdistinct.a", "0"),
        ("emoji=eq.b,c", "2"), ('emoji=eq.q"t', "3"), ("emoji=eq.(p)", "4"), ('emoji=eq."a"', ""),
        ('emoji=in.("b,c")', "2"), (r'emoji=in.("q\"t","(p)")', "34"), (r'emoji=in.("back\\slash")', "5"),
        ("emoji=in.(a,(p))", None), ("emoji=in.()", ""), ("emoji=not.in.()", "012345"), ("emoji=not.in.(a)", "2345"),
        ("emoji=like.*p*", "4"), ("emoji=like.%25p%25", "4"), ("emoji=ilike.A", "0"), ("emoji=not.like.*p*", "0235"),
        ("target_per_day=eq(any).{1,3}", "02"), ("target_per_day=gt(all).{1,3}", "345"),
        ("emoji=like(any).{a*,b*}", "025"), ("emoji=ilike(any).{A*,B*}", "025"),
        ("target_per_day=not.eq(any).{1,3}", "1345"),
        ("reminders=cs.{08:00}", "125"), ("reminders=cs.{08:00,20:00}", "2"), ("reminders=cs.{}", "012345"),
        ("reminders=cd.{08:00,20:00}", "01234"), ("reminders=ov.{12:30,20:00}", "235"),
        ("reminders=not.ov.{12:30,20:00}", "014"), ("reminders=eq.{}", "04"),
        ("type=eq.counter", "135"), ("type=in.(counter)", "135"), ("type=neq.counter", "024"),
        ("or=(target_per_day.eq.1,target_per_day.eq.6)", "05"),
        ("or=(target_per_day.eq.1,and(target_per_day.gt.3,type.eq.checkbox))", "04"),
        ("and=(target_per_day.gt.1,target_per_day.lt.4)", "12"),
        ("not.or=(target_per_day.eq.1,target_per_day.eq.6)", "1234"),
        ("not.and=(target_per_day.gt.1,target_per_day.lt.4)", "0345"),
        ("or=(target_per_day.not.in.(1,2,3,4,5),emoji.is.null)", "15"),
        ("or=(not.and(target_per_day.gte.2,target_per_day.lte.5),emoji.eq.a)", "05"),
        ('or=(emoji.eq."b,c",emoji.eq."(p)")', "24"), (r'or=(emoji.eq."q\"t")', "3"),
        ("or=(reminders.cs.{08:00,20:00},target_per_day.eq.1)", "02"),
        ("or=(emoji.not.is.null,target_per_day.eq.2)&type=eq.counter", "135"),
        ("or=(target_per_day.eq.1,target_per_day.eq.2)&or=(type.eq.counter,type.eq.nothing)", None),
        ("or=(target_per_day.eq.1,target_per_day.eq.2)&or=(type.eq.counter,target_per_day.eq.9)", "1"),
        ("or=%28target_per_day.eq.1%2Ctarget_per_day.eq.6%29", "05"),
        ("or=(target_per_day.eq(any).{1,2},target_per_day.eq.6)", "015"),
    ])
    def test_finds(self, anna, tagged, query, found):
        if found is None:
            answer = anna.get(f"habits?select=name&name=like.{tagged}*&{query}")
            assert answer.status_code == 400 and answer.json()["code"] in ("PGRST100", "22P02"), answer.text
            return
        assert places(anna, tagged, query) == found

    def test_a_space_is_percent_twenty_or_a_plus_and_a_plus_is_percent_2b(self, anna):
        name = f"{word()} a+b & c=d%/é,\"x\""
        made = anna.habit(name=name)
        for encoded in (quoted(name), urllib.parse.quote_plus(name)):
            assert anna.rows(f"habits?select=id&name=eq.{encoded}") == [{"id": made["id"]}]

    def test_a_long_list_goes_in_a_long_target(self, anna):
        made = anna.habit()
        keys = ",".join([fresh() for _ in range(400)] + [made["id"].upper()])
        assert len(keys) > 14_000
        assert anna.rows(f"habits?select=id&id=in.({keys})") == [{"id": made["id"]}]

    def test_upper_case_keys_match_everywhere(self, anna):
        made = anna.habit()
        key = made["id"].upper()
        for query in (f"id=eq.{key}", f"id=in.(%22{key}%22)", f"or=(id.eq.{key})", f"id=eq(any).{{{key}}}",
                      f"user_id=eq.{anna.id.upper()}&id=eq.{key}"):
            assert anna.rows(f"habits?select=id&{query}") == [{"id": made["id"]}], query
        assert anna.rows(f"habits?select=id&id=neq.{key}&name=eq.{made['name']}") == []

    @pytest.mark.parametrize("query, code", [
        ("target_per_day=eq.x", "22P02"), ("id=eq.x", "22P02"), ("is_active=eq.maybe", "22P02"),
        ("type=eq.nonsense", "22P02"), ("created_at=gt.yesterday-ish", "22007"), ("created_at=gt.2026-13-01", "22008"),
        ("target_per_day=in.(1,x)", "22P02"), ("id=in.(x)", "22P02"), ("or=(id.eq.x)", "22P02"),
        ("created_at=gt.2026-02-30T00:00:00Z", "22008"),
        ("none=eq.1", "42703"), ("order=none", "42703"), ("select=none", "42703"), ("or=(none.eq.1)", "42703"),
        ("select=id,nones(id)", "PGRST200"), ("nones.id=eq.1", "PGRST108"), ("habit_logs.value=eq.1", "PGRST108"),
        ("habit_logs.order=value", "PGRST108"), ("habit_logs.limit=1", "PGRST108"),
        ("habit_logs.or=(value.eq.1)", "PGRST108"),
        ("name=eq", "PGRST100"), ("name=", "PGRST100"), ("name=near.x", "PGRST100"), ("or=(name.eq.x", "PGRST100"),
        ("or=name.eq.x", "PGRST100"), ("and=()", "PGRST100"), ("select=id,(", "PGRST100"), ("select=id)", "PGRST100"),
        ("order=name.sideways", "PGRST100"), ("emoji=is.green", "PGRST100"),
        ("target_per_day=in.1,2", "PGRST100"),
    ])
    def test_refuses(self, anna, query, code):
        refused(anna.get(f"habits?{query}"), 400, code)

    def test_an_operator_that_a_type_does_not_have(self, anna):
        for query in ("name=cs.{x}", "target_per_day=ov.{1}"):
            refused(anna.get(f"habits?{query}"), 404, "42883")

    def test_a_limit_that_is_no_number_is_none(self, anna):
        assert anna.get("habits?offset=x&limit=undefined").status_code == 200


class TestOrderAndPages:
    def test_nulls_are_last_ascending_and_first_descending_unless_said(self, anna, tagged):
        assert places(anna, tagged, "order=emoji", "")[-1] == "1"
        assert places(anna, tagged, "order=emoji.desc", "")[0] == "1"
        assert places(anna, tagged, "order=emoji.desc.nullslast", "")[-1] == "1"
        assert places(anna, tagged, "order=emoji.asc.nullsfirst", "")[0] == "1"
        assert places(anna, tagged, "order=emoji.nullsfirst", "")[0] == "1"

    def test_terms_break_ties_in_their_order(self, anna, tagged):
        assert places(anna, tagged, "order=type.asc,target_per_day.desc", "") in ("420531", "531420")
        assert places(anna, tagged, "order=is_active,target_per_day.desc.nullslast", "") == "543210"

    def test_limit_and_offset(self, anna, tagged):
        assert places(anna, tagged, "limit=2&offset=1") == "12"
        assert places(anna, tagged, "limit=0") == ""
        assert places(anna, tagged, "offset=4") == "45"
        assert places(anna, tagged, "offset=40") == ""

    def test_content_range_says_which_rows_and_of_how_many(self, anna, tagged):
        path = f"habits?select=name&name=like.{tagged}*&order=target_per_day"
        for more, status, shown in [
            ("&limit=2", 206, "0-1/6"), ("&limit=2&offset=4", 206, "4-5/6"), ("", 200, "0-5/6"),
            ("&limit=10", 200, "0-5/6"), ("&target_per_day=eq.77", 200, "*/0"),
        ]:
            for method in ("GET", "HEAD"):
                answer = anna.ask(method, path + more, prefer="count=exact")
                assert (answer.status_code, answer.headers["content-range"]) == (status, shown), (method, more)
                assert method == "GET" or answer.content == b""
        assert anna.get(path + "&limit=2&offset=1").headers["content-range"] == "1-2/*"
        assert anna.get(path + "&target_per_day=eq.77").headers["content-range"] == "*/*"
        for kind in ("planned", "estimated"):
            assert anna.get(path, prefer=f"count={kind}").headers["content-range"].split("/")[1].isdigit()

    def test_an_offset_beyond_the_total_is_416_when_counted(self, anna, tagged):
        path = f"habits?name=like.{tagged}*&offset=10"
        refused(anna.get(path, prefer="count=exact"), 416, "PGRST103")
        head = anna.ask("HEAD", path, prefer="count=exact")
        assert head.status_code == 416 and head.content == b""
        assert "PGRST103" in head.headers["proxy-status"]
        assert anna.rows(path) == []

    def test_range_header(self, anna, tagged):
        path = f"habits?select=name&name=like.{tagged}*&order=target_per_day"
        answer = anna.get(path, headers={"Range-Unit": "items", "Range": "2-3"})
        assert [row["name"][-1] for row in answer.json()] == ["2", "3"]
        answer = anna.get(path, headers={"Range-Unit": "items", "Range": "4-"}, prefer="count=exact")
        assert [row["name"][-1] for row in answer.json()] == ["4", "5"]
        assert answer.status_code == 206 and answer.headers["content-range"] == "4-5/6"

    def test_the_answer_says_its_media_type(self, anna):
        answer = anna.get("habits?limit=1")
        assert answer.headers["content-type"] == "application/json; charset=utf-8"

    def test_head_of_an_error_names_it_in_a_header(self, anna):
        answer = anna.ask("HEAD", "habits?none=eq.1")
        assert answer.status_code == 400 and answer.content == b""
        assert answer.headers["proxy-status"] == "PostgREST; error=42703"


class TestSelect:
    def test_columns_aliases_spaces_and_star(self, anna, tagged):
        (row,) = anna.rows(f"habits?select=id,%20title:name%20,%20color_hex&name=eq.{tagged}_0")
        assert set(row) == {"id", "title", "color_hex"}
        (row,) = anna.rows(f"habits?select=*,title:name&name=eq.{tagged}_0")
        assert row["title"] == row["name"] == f"{tagged}_0"
        assert set(anna.rows(f"habits?select&name=eq.{tagged}_0")[0]) == set(anna.rows(f"habits?name=eq.{tagged}_0")[0])
        assert set(anna.rows(f"habits?select=&name=eq.{tagged}_0")[0]) <= set(anna.rows("habits?limit=1")[0])

    def test_columns_come_in_the_order_asked_for(self, anna, tagged):
        (row,) = anna.rows(f"habits?select=name,id,emoji&name=eq.{tagged}_0")
        assert list(row) == ["name", "id", "emoji"]

    def test_an_object_is_asked_for_by_media_type(self, anna, tagged):
        answer = anna.get(f"habits?select=name&name=eq.{tagged}_0", headers={"Accept": OBJECT})
        assert answer.json() == {"name": f"{tagged}_0"}
        assert answer.headers["content-type"].startswith(OBJECT)
        none = anna.get(f"habits?id=eq.{fresh()}", headers={"Accept": OBJECT})
        body = refused(none, 406, "PGRST116", details="The result contains 0 rows")
        assert body["message"] == "Cannot coerce the result to a single JSON object" and body["hint"] is None
        many = anna.get(f"habits?name=like.{tagged}*", headers={"Accept": OBJECT})
        refused(many, 406, "PGRST116", details="The result contains 6 rows")
        with_zero = anna.get(f"habits?name=like.{tagged}*&limit=1", headers={"Accept": OBJECT})
        assert with_zero.status_code == 200


@pytest.fixture(scope="module")
def logged(anna):
    habits = [anna.habit(name=f"{name}{word()}", type="counter", target_per_day=9) for name in "abc"]
    for habit, count in zip(habits, (3, 1, 0)):
        for day in range(count):
            anna.made("habit_logs", {"habit_id": habit["id"], "log_date": f"2026-03-0{day + 1}", "value": day + 1})
    return habits, ",".join(habit["id"] for habit in habits)


class TestEmbedding:
    def test_children_parents_and_counts(self, anna, logged):
        habits, keys = logged
        rows = anna.rows(f"habits?select=id,habit_logs(value)&id=in.({keys})&order=name&habit_logs.order=value")
        assert [[log["value"] for log in row["habit_logs"]] for row in rows] == [[1, 2, 3], [1], []]
        for counted in ("habit_logs(count)", "habit_logs(count())"):
            rows = anna.rows(f"habits?select=id,{counted}&id=in.({keys})&order=name")
            assert [row["habit_logs"] for row in rows] == [[{"count": 3}], [{"count": 1}], [{"count": 0}]]
        rows = anna.rows(f"habit_logs?select=value,habits(name)&habit_id=eq.{habits[1]['id']}")
        assert rows == [{"value": 1, "habits": {"name": habits[1]["name"]}}]

    def test_filters_order_and_limit_of_children_leave_the_parents(self, anna, logged):
        _, keys = logged
        path = f"habits?select=id,habit_logs(value)&id=in.({keys})&order=name"
        of = lambda more: [[log["value"] for log in row["habit_logs"]] for row in anna.rows(path + more)]
        assert of("&habit_logs.value=gte.2&habit_logs.order=value.desc") == [[3, 2], [], []]
        assert of("&habit_logs.order=value.desc&habit_logs.limit=1") == [[3], [1], []]
        assert of("&habit_logs.order=value&habit_logs.limit=1&habit_logs.offset=1") == [[2], [], []]
        assert of("&habit_logs.or=(value.eq.1,value.eq.3)&habit_logs.order=value") == [[1, 3], [1], []]
        assert of("&habit_logs.value=not.in.(1,2)") == [[3], [], []]

    def test_inner_drops_parents_without_children(self, anna, logged):
        habits, keys = logged
        path = f"habits?id=in.({keys})&order=name&select=id,habit_logs!inner(value)"
        assert [row["id"] for row in anna.rows(path)] == [habits[0]["id"], habits[1]["id"]]
        assert [row["id"] for row in anna.rows(path + "&habit_logs.value=eq.2")] == [habits[0]["id"]]
        counted = anna.get(path + "&habit_logs.value=eq.2", prefer="count=exact")
        assert counted.headers["content-range"] == "0-0/1"
        left = anna.rows(f"habits?id=in.({keys})&select=id,habit_logs!left(value)&habit_logs.value=eq.2")
        assert len(left) == 3

    def test_aliases_and_several_embeds_of_one_table(self, anna, logged):
        habits, _ = logged
        (row,) = anna.rows(
            f"habits?select=title:name,few:habit_logs(value,day:log_date),all:habit_logs(count)"
            f"&id=eq.{habits[0]['id']}&few.value=lt.2")
        assert row == {
            "title": habits[0]["name"], "few": [{"value": 1, "day": "2026-03-01"}], "all": [{"count": 3}]}

    def test_two_deep_with_filters_of_the_depth(self, anna, logged):
        habits, keys = logged
        (row,) = anna.rows(
            f"habit_logs?select=value,habits(name,habit_logs(value))&habit_id=eq.{habits[0]['id']}&value=eq.1"
            "&habits.habit_logs.value=gt.1&habits.habit_logs.order=value.desc")
        assert row == {"value": 1, "habits": {"name": habits[0]["name"], "habit_logs": [{"value": 3}, {"value": 2}]}}

    def test_embeds_by_the_name_of_the_key(self, anna, logged):
        habits, _ = logged
        for hint in ("habits!habit_id", "habits!habit_logs_habit_id_fkey"):
            (row, *_) = anna.rows(f"habit_logs?select={hint}(name)&habit_id=eq.{habits[0]['id']}")
            assert row == {"habits": {"name": habits[0]["name"]}}, hint

    def test_parent_filters_with_inner(self, anna, logged):
        habits, keys = logged
        rows = anna.rows(
            f"habit_logs?select=value,habits!inner(name)&habits.name=eq.{habits[1]['name']}&habit_id=in.({keys})")
        assert rows == [{"value": 1, "habits": {"name": habits[1]["name"]}}]
        rows = anna.rows(
            f"habit_logs?select=value,habits(name)&habits.name=eq.{habits[1]['name']}&habit_id=eq.{habits[0]['id']}")
        assert [row["habits"] for row in rows] == [None] * 3

    def test_writes_answer_with_embedded_rows(self, anna):
        habit = anna.habit()
        answer = anna.post(
            "habit_logs?select=value,habits(name)", {"habit_id": habit["id"], "log_date": "2026-04-01"})
        assert answer.json() == [{"value": 1, "habits": {"name": habit["name"]}}]
        answer = anna.patch(f"habits?id=eq.{habit['id']}&select=name,habit_logs(log_date)", {"emoji": "x"})
        assert answer.json() == [{"name": habit["name"], "habit_logs": [{"log_date": "2026-04-01"}]}]
        answer = anna.delete(f"habit_logs?habit_id=eq.{habit['id']}&select=log_date,habits(name)")
        assert answer.json() == [{"log_date": "2026-04-01", "habits": {"name": habit["name"]}}]

    def test_many_to_many_goes_through_the_join_table(self, mona):
        task = mona.made("tasks", {"id": fresh(), "bucket_key": "WEEKEND", "title": word()})
        bare = mona.made("tasks", {"id": fresh(), "bucket_key": "WEEKEND", "title": word()})
        labels = [mona.made("labels", {"id": fresh(), "name": word(name), "color": "#123456"}) for name in "ab"]
        for label in labels:
            mona.made("task_labels", {"task_id": task["id"], "label_id": label["id"]})
        (row,) = mona.rows(f"tasks?select=id,labels(name)&id=eq.{task['id']}&labels.order=name")
        assert row["labels"] == [{"name": label["name"]} for label in labels]
        (row,) = mona.rows(f"tasks?select=id,task_labels(labels(name))&id=eq.{task['id']}")
        assert sorted(link["labels"]["name"] for link in row["task_labels"]) == [label["name"] for label in labels]
        (row,) = mona.rows(f"labels?select=name,tasks(id)&id=eq.{labels[0]['id']}")
        assert row["tasks"] == [{"id": task["id"]}]
        rows = mona.rows(
            f"tasks?select=id,task_labels!inner(label_id)&task_labels.label_id=eq.{labels[1]['id']}")
        assert rows == [{"id": task["id"], "task_labels": [{"label_id": labels[1]["id"]}]}]
        rows = mona.rows(f"tasks?select=id,labels!inner(name)&labels.name=eq.{labels[0]['name']}")
        assert rows == [{"id": task["id"], "labels": [{"name": labels[0]["name"]}]}]
        (row,) = mona.rows(f"tasks?select=id,labels(count)&id=eq.{bare['id']}")
        assert row["labels"] == [{"count": 0}]

    def test_subtasks_embed_in_their_parents(self, mona):
        parent = mona.made("tasks", {"id": fresh(), "bucket_key": "WEEKEND", "title": "parent"})
        child = mona.made(
            "tasks", {"id": fresh(), "bucket_key": "WEEKEND", "title": "child", "parent_task_id": parent["id"]})
        (row,) = mona.rows(f"tasks?select=title,parent:parent_task_id(title)&id=eq.{child['id']}")
        assert row == {"title": "child", "parent": {"title": "parent"}}
        for embed in ("parts:tasks(title)", "parts:tasks!parent_task_id(title)", "parts:tasks!tasks_parent_task_id_fkey(title)"):
            (row,) = mona.rows(f"tasks?select=title,{embed}&id=eq.{parent['id']}")
            assert row == {"title": "parent", "parts": [{"title": "child"}]}, embed

    def test_rows_without_what_could_be_embedded_and_their_order_by_it(self, mona):
        parent = mona.made("tasks", {"id": fresh(), "bucket_key": "WEEKEND", "title": word("b")})
        other = mona.made("tasks", {"id": fresh(), "bucket_key": "WEEKEND", "title": word("a")})
        part = mona.made("tasks", {"id": fresh(), "bucket_key": "WEEKEND", "title": "part", "parent_task_id": parent["id"]})
        last = mona.made("tasks", {"id": fresh(), "bucket_key": "WEEKEND", "title": "part", "parent_task_id": other["id"]})
        by = f"id=in.({parent['id']},{other['id']},{part['id']},{last['id']})"
        rows = mona.rows(f"tasks?select=id,parts:tasks!parent_task_id()&parts=is.null&{by}&order=created_at")
        assert [row["id"] for row in rows] == [part["id"], last["id"]]
        rows = mona.rows(f"tasks?select=id,parent:parent_task_id(title)&order=parent(title)&parent=not.is.null&{by}")
        assert [row["id"] for row in rows] == [last["id"], part["id"]]
        # Embedded rows do not decide which rows are written; a request in which they would is refused.
        for query in ("parts=is.null", "parts=not.is.null"):
            for write in (mona.delete, lambda path: mona.patch(path, {"description": "x"})):
                refused(write(f"tasks?select=id,parts:tasks!parent_task_id()&{query}&{by}"), 400, "42703")
        refused(mona.delete(f"tasks?select=id,parent:parent_task_id()&order=parent(title)&limit=1&{by}"), 400, "PGRST108")
        assert len(mona.rows(f"tasks?{by}")) == 4
        answer = mona.patch(f"tasks?select=id,parts:tasks!parent_task_id!inner(id)&{by}", {"description": "x"})
        assert len(answer.json()) == 4
        assert mona.delete(f"tasks?select=id,parts:tasks!parent_task_id!inner(id)&id=eq.{last['id']}").status_code == 200
        assert mona.rows(f"tasks?id=eq.{last['id']}") == []

    def test_now_is_a_moment(self, mona):
        task = mona.made("tasks", {"id": fresh(), "bucket_key": "WEEKEND", "title": "soon", "due_at": "now()"})
        assert abs((moment(task["due_at"]) - now()).total_seconds()) < 60
        by = f"id=eq.{task['id']}"
        assert mona.rows(f"tasks?select=title&{by}&created_at=gte.today&created_at=lt.tomorrow") == [{"title": "soon"}]
        assert mona.rows(f"tasks?{by}&created_at=gt.now()") == []
        (dead,) = mona.patch(f"tasks?{by}", {"deleted_at": "now()"}).json()
        assert dead["deleted_at"]

    def test_json_paths_in_select_filter_and_order(self, anna):
        tag = word()
        for place in (2, 10, 1):
            anna.made("activity_events", {
                "type": "streak_milestone", "data": {"tag": tag, "n": place, "deep": {"list": [place, "x"]}, "z": None}})
        by = f"activity_events?data->>tag=eq.{tag}&type=eq.streak_milestone"
        assert anna.rows(f"{by}&select=data->>n&order=data->n") == [{"n": "1"}, {"n": "2"}, {"n": "10"}]
        assert anna.rows(f"{by}&select=n:data->n&order=data->>n.desc") == [{"n": 2}, {"n": 10}, {"n": 1}]
        assert anna.rows(f"{by}&select=first:data->deep->list->0&data->n=eq.10") == [{"first": 10}]
        assert anna.rows(f"{by}&select=data->deep->list->>1&data->n=gt.2") in ([{"1": "x"}], [{"list": "x"}])
        assert anna.rows(f"{by}&select=data->>none&limit=1") == [{"none": None}]
        assert len(anna.rows(f"{by}&data->>z=is.null")) == 3
        contained = quoted(json.dumps({"tag": tag, "n": 2}))
        assert anna.rows(f"activity_events?select=n:data->n&data=cs.{contained}") == [{"n": 2}]
        assert len(anna.rows(f"{by}&or=(data->>n.eq.1,data->>n.eq.10)")) == 2


class TestWrites:
    def test_statuses_and_headers(self, anna):
        made = anna.post("habits", {"name": word()}, prefer=())
        assert (made.status_code, made.content, made.headers["content-range"]) == (201, b"", "*/*")
        made = anna.post("habits", {"name": word()}, prefer="return=minimal")
        assert (made.status_code, made.content) == (201, b"")
        habit = anna.habit()
        changed = anna.patch(f"habits?id=eq.{habit['id']}", {"emoji": "x"}, prefer=())
        assert (changed.status_code, changed.content, changed.headers["content-range"]) == (204, b"", "0-0/*")
        changed = anna.patch(f"habits?id=eq.{habit['id']}", {"emoji": "y"})
        assert (changed.status_code, changed.headers["content-range"]) == (200, "0-0/*")
        changed = anna.patch(f"habits?id=eq.{fresh()}", {"emoji": "y"})
        assert (changed.status_code, changed.json()) == (200, [])
        changed = anna.patch(f"habits?id=eq.{fresh()}", {"emoji": "y"}, prefer=())
        assert (changed.status_code, changed.content) == (204, b"")
        gone = anna.delete(f"habits?id=eq.{habit['id']}", prefer=())
        assert (gone.status_code, gone.content, gone.headers["content-range"]) == (204, b"", "*/*")
        assert anna.delete(f"habits?id=eq.{habit['id']}").json() == []

    def test_a_count_of_what_was_written(self, anna):
        tag = word()
        rows = [{"name": tag}, {"name": tag}]
        answer = anna.post("habits", rows, [REPRESENTATION, "count=exact"])
        assert answer.headers["content-range"] == "*/2"
        answer = anna.patch(f"habits?name=eq.{tag}", {"emoji": "x"}, [REPRESENTATION, "count=exact"])
        assert answer.headers["content-range"] == "0-1/2"
        answer = anna.delete(f"habits?name=eq.{tag}", "count=exact")
        assert answer.headers["content-range"] == "*/2"

    def test_preferences_in_one_line_in_several_and_the_first_of_two(self, anna):
        row = {"id": fresh(), "name": "one"}
        one = anna.post("habits", row, f"{REPRESENTATION},{MERGE}, count=exact , odd=thing")
        assert one.status_code == 201 and one.json()
        applied = one.headers["preference-applied"]
        assert {"return=representation", "resolution=merge-duplicates", "count=exact"} <= {
            part.strip() for part in applied.split(",")}
        assert "odd" not in applied
        lines = anna.post("habits", row, [MERGE, REPRESENTATION])
        assert lines.status_code == 200 and lines.json()
        first = anna.post("habits", {"name": "x"}, "return=minimal,return=representation")
        assert first.status_code == 201 and first.content == b""
        first = anna.post("habits", {"name": "x"}, ["return=representation", "return=minimal"])
        assert first.status_code == 201 and first.json()
        ignored = anna.post("habits", {**row, "name": "two"}, ["resolution=ignore-duplicates", MERGE, REPRESENTATION])
        assert ignored.json() == [] and anna.rows(f"habits?select=name&id=eq.{row['id']}") == [{"name": "one"}]

    def test_arrays_with_columns(self, anna):
        names = [word(), word()]
        rows = [{"name": names[0], "emoji": "x", "color_hex": "#000000"}, {"name": names[1]}]
        answer = anna.post('habits?columns="name","emoji"', [{"name": names[0], "emoji": "x", "junk": 1}, {"name": names[1]}])
        assert answer.status_code == 201 and [row["emoji"] for row in answer.json()] == ["x", None]
        answer = anna.post(
            "habits?columns=%22emoji%22%2C%22color_hex%22%2C%22name%22", rows, [REPRESENTATION, "missing=default"])
        assert [row["color_hex"] for row in answer.json()] == ["#000000", "#FF9F1C"]
        assert "missing=default" in answer.headers["preference-applied"]
        refused(anna.post('habits?columns="color_hex","name"', rows), 400, "23502")
        refused(anna.post("habits", rows), 400, "PGRST102")
        refused(anna.post('habits?columns="name","none"', rows), 400, "PGRST204")
        refused(anna.post("habits?columns=", rows[0]), 400, "PGRST100")
        refused(anna.upsert("habits?columns=", rows[0]), 400, "PGRST100")

    def test_the_last_of_members_with_one_name_counts(self, anna):
        body = b'{"name":"one","emoji":"x","name":"two"}'
        answer = anna.ask("POST", "habits", REPRESENTATION, headers={"Content-Type": "application/json"}, content=body)
        assert answer.status_code == 201 and [row["name"] for row in answer.json()] == ["two"], answer.text

    def test_a_limit_of_what_is_changed_needs_strict_handling(self, anna):
        tag = word()
        anna.post("habits", [{"name": tag}, {"name": tag}])
        path = f"habits?name=eq.{tag}"
        refused(anna.patch(path, {"emoji": "x"}, ["handling=strict", "max-affected=1"]), 400, "PGRST124", details="2 rows")
        lenient = anna.patch(path, {"emoji": "x"}, ["handling=lenient", "max-affected=1"])
        assert lenient.status_code == 204 and lenient.headers["preference-applied"] == "handling=lenient"
        strict = anna.delete(path, ["handling=strict", "max-affected=2"])
        assert strict.status_code == 204 and strict.headers["preference-applied"] == "handling=strict, max-affected=2"

    def test_a_row_is_put_where_its_key_says(self, mona):
        key = fresh()
        row = {"id": key, "bucket_key": "WEEKEND", "title": "one"}
        put = lambda path, row: mona.ask("PUT", path, REPRESENTATION, json=row)
        made = put(f"tasks?id=eq.{key}", row)
        assert made.status_code == 201 and made.json()[0]["title"] == "one", made.text
        changed = put(f"tasks?id=eq.{key}", {**row, "title": "two"})
        assert changed.status_code == 200 and changed.json()[0]["title"] == "two", changed.text
        refused(put("tasks?title=eq.two", row), 405, "PGRST105")
        refused(put(f"tasks?id=eq.{key}&limit=1", row), 400, "PGRST114")
        refused(put(f"tasks?id=eq.{fresh()}", row), 400, "PGRST115")

    def test_an_empty_array_writes_nothing(self, anna):
        answer = anna.post("habits", [])
        assert answer.status_code == 201 and answer.json() == []
        answer = anna.post("habits", [], prefer=())
        assert answer.status_code == 201 and answer.content == b""

    def test_bodies_that_are_none(self, anna):
        path = "habits"
        for content in (b"{", b"name=x", b"\xff\xfe", b'"text"', b"3", b'[1]', b"[[]]"):
            answer = anna.ask("POST", path, content=content, headers={"Content-Type": "application/json"})
            refused(answer, 400, "PGRST102")
        answer = anna.ask("PATCH", f"{path}?id=eq.{fresh()}", content=b"[", headers={"Content-Type": "application/json"})
        refused(answer, 400, "PGRST102")

    def test_an_empty_object_takes_all_defaults(self, anna):
        refused(anna.post("habits", {}), 400, "23502", 'null value in column "name"')

    def test_rows_are_all_written_or_none(self, anna):
        tag = word()
        habit = anna.habit()
        for broken, status, code in [
            ({"name": tag, "type": "nonsense"}, 400, "22P02"), ({"name": None, "type": "counter"}, 400, "23502"),
            ({"name": tag, "type": "counter", "target_per_day": 0}, 400, "23514"),
            ({"name": tag, "type": "counter", "id": habit["id"]}, 409, "23505"),
            ({"name": tag, "type": "counter", "user_id": fresh()}, 403, "42501"),
        ]:
            columns = ",".join(f'"{column}"' for column in broken)
            answer = anna.post(
                f"habits?columns={columns}", [{"name": tag, "type": "counter"}, broken], [REPRESENTATION, "missing=default"])
            refused(answer, status, code)
        assert anna.rows(f"habits?name=eq.{tag}") == []

    def test_what_a_single_object_cannot_be_changes_nothing(self, anna):
        tag = word()
        anna.post("habits", [{"name": tag}, {"name": tag}])
        accept = {"Accept": OBJECT}
        refused(anna.patch(f"habits?name=eq.{tag}", {"emoji": "x"}, headers=accept), 406, "PGRST116", details="2 rows")
        refused(anna.delete(f"habits?name=eq.{tag}", headers=accept), 406, "PGRST116", details="2 rows")
        refused(anna.post("habits", [{"name": tag}, {"name": tag}], headers=accept), 406, "PGRST116")
        refused(anna.delete(f"habits?id=eq.{fresh()}", headers=accept), 406, "PGRST116", details="0 rows")
        assert anna.rows(f"habits?select=emoji&name=eq.{tag}") == [{"emoji": None}] * 2
        one = anna.post("habits", {"name": tag}, headers=accept)
        assert one.status_code == 201 and one.json()["name"] == tag
        assert one.headers["content-type"].startswith(OBJECT)
        gone = anna.delete(f"habits?id=eq.{one.json()['id']}&select=id", headers=accept)
        assert gone.status_code == 200 and gone.json() == {"id": one.json()["id"]}

    def test_an_object_array_of_one_is_one(self, anna):
        answer = anna.post("habits", [{"name": "x"}], headers={"Accept": OBJECT})
        assert answer.status_code == 201 and answer.json()["name"] == "x"

    def test_delete_with_the_empty_body_that_the_python_client_sends(self, anna):
        habit = anna.habit()
        answer = anna.ask("DELETE", f"habits?id=eq.{habit['id']}", REPRESENTATION, json={})
        assert [row["id"] for row in answer.json()] == [habit["id"]]

    def test_updated_at_is_the_servers(self, mona):
        key = fresh()
        row = {"id": key, "bucket_key": "WEEKEND", "title": "x", "updated_at": "2001-01-01T00:00:00", "created_at": None}
        seen = []
        for answer in (
            mona.upsert("tasks", row), mona.upsert("tasks", {**row, "title": "y"}),
            mona.patch(f"tasks?id=eq.{key}", {"updated_at": "2001-01-01T00:00:00", "title": "z"}),
        ):
            assert answer.status_code in (200, 201), answer.text
            seen.append(moment(answer.json()[0]["updated_at"]))
        assert seen == sorted(set(seen)) and abs(now() - seen[0]) < datetime.timedelta(minutes=5)
        assert all(time.microsecond % 1000 == 0 for time in seen)

    def test_a_patch_without_filter_is_of_all_ones_own(self):
        one, other = Person("MANNA"), Person("MANNA")
        for somebody in (one, one, other):
            somebody.made("labels", {"id": fresh(), "name": word(), "color": "#000000"})
        answer = one.patch("labels", {"color": "#ffffff"})
        assert len(answer.json()) == 2
        assert [row["color"] for row in other.rows("labels")] == ["#000000"]
        assert len(one.delete("labels").json()) == 2 and len(other.rows("labels")) == 1

    def test_an_empty_patch_changes_nothing(self, anna):
        habit = anna.habit()
        answer = anna.patch(f"habits?id=eq.{habit['id']}", {})
        assert answer.status_code == 200 and answer.json() == [], answer.text
        refused(anna.patch(f"habits?id=eq.{habit['id']}", {}, headers={"Accept": OBJECT}), 406, "PGRST116")
        assert anna.rows(f"habits?id=eq.{habit['id']}") == [habit]
        refused(anna.patch(f"habits?id=eq.{habit['id']}", {"none": 1}), 400, "PGRST204")

    def test_a_patch_of_the_key_or_owner(self, anna, bert):
        habit = anna.habit()
        body = {**habit, "name": "same key", "user_id": anna.id.upper(), "id": habit["id"].upper()}
        for column in ("created_at", "updated_at"):
            body.pop(column)
        assert anna.patch(f"habits?id=eq.{habit['id']}", body).json()[0]["name"] == "same key"
        refused(anna.patch(f"habits?id=eq.{habit['id']}", {"user_id": bert.id}), 403, "42501")
        refused(anna.patch(f"habits?id=eq.{habit['id']}", {"id": fresh(), "name": "other key"}), 400, "0A000")
        assert anna.rows(f"habits?select=name&id=eq.{habit['id']}") == [{"name": "same key"}]

    def test_a_patch_that_moves_a_row_tells_where_it_is(self, anna):
        habit = anna.habit()
        anna.made("habit_logs", {"habit_id": habit["id"], "log_date": "2026-03-01", "value": 1})
        path = f"habit_logs?habit_id=eq.{habit['id']}"
        moved = anna.patch(path, {"log_date": "2026-03-02"})
        assert moved.status_code == 200 and [row["log_date"] for row in moved.json()] == ["2026-03-02"], moved.text
        assert anna.rows(path) == moved.json()
        single = {"Accept": "application/vnd.pgrst.object+json"}
        again = anna.patch(path, {"log_date": "2026-03-03"}, headers=single)
        assert again.status_code == 200 and again.json()["log_date"] == "2026-03-03", again.text

    def test_the_whole_row_can_be_sent_back(self, mona):
        row = mona.made("tasks", {"id": fresh(), "bucket_key": "WEEKEND", "title": "x"})
        again = mona.upsert("tasks", {**row, "title": "y"})
        assert again.status_code == 200 and again.json()[0]["title"] == "y"
        assert mona.patch(f"tasks?id=eq.{row['id']}", again.json()[0]).status_code == 200


class TestUpserts:
    def test_a_day_is_named_by_its_habit_where_its_key_follows(self, anna):
        habit = anna.habit()
        body = {"id": fresh(), "habit_id": habit["id"], "log_date": "2026-03-01", "value": 1}
        first = anna.upsert("habit_logs", body)
        assert first.status_code == 201, first.text
        for target in ("habit_logs", "habit_logs?on_conflict=id"):
            again = anna.upsert(target, body)
            assert again.status_code == 200 and again.json()[0]["id"] == first.json()[0]["id"], again.text

    def test_merging_changes_the_columns_that_were_sent(self, mona):
        key = fresh()
        first = mona.upsert("tasks", {"id": key.upper(), "bucket_key": "WEEKEND", "title": "v1", "description": "d"})
        assert first.status_code == 201 and first.json()[0]["id"] == key
        second = mona.upsert("tasks?on_conflict=id", {"id": key, "bucket_key": "WEEKEND", "title": "v2"})
        assert second.status_code == 200
        assert (second.json()[0]["title"], second.json()[0]["description"]) == ("v2", "d")
        bare = mona.post("tasks", {"id": key, "bucket_key": "WEEKEND", "title": "v3"}, MERGE)
        assert bare.status_code == 200 and bare.content == b""

    def test_some_new_and_some_old_is_201(self, mona):
        rows = [{"id": fresh(), "bucket_key": "WEEKEND", "title": str(place)} for place in range(3)]
        assert mona.upsert("tasks", rows[:2]).status_code == 201
        assert mona.upsert("tasks", rows).status_code == 201
        assert mona.upsert("tasks", rows).status_code == 200

    def test_ignored_duplicates_are_not_returned(self, mona):
        rows = [{"id": fresh(), "bucket_key": "WEEKEND", "title": str(place)} for place in range(2)]
        mona.upsert("tasks", rows[:1])
        answer = mona.upsert("tasks", [{**row, "title": "again"} for row in rows], IGNORE)
        assert answer.status_code == 201 and [row["id"] for row in answer.json()] == [rows[1]["id"]]
        answer = mona.upsert("tasks", rows, IGNORE)
        assert answer.status_code == 201 and answer.json() == []
        assert mona.rows(f"tasks?select=title&id=eq.{rows[0]['id']}") == [{"title": "0"}]

    def test_a_target_that_is_not_unique(self, mona):
        row = {"id": fresh(), "bucket_key": "WEEKEND", "title": "x"}
        refused(mona.upsert("tasks?on_conflict=title", row), 400, "42P10")
        refused(mona.upsert("tasks?on_conflict=id,title", row), 400, "42P10")
        answer = mona.upsert("tasks?on_conflict=none", row)
        assert answer.status_code == 400 and answer.json()["code"] in ("42703", "PGRST204", "42P10"), answer.text

    def test_an_insert_of_what_is_there(self, mona):
        row = mona.made("tasks", {"id": fresh(), "bucket_key": "WEEKEND", "title": "x"})
        again = mona.post("tasks", {"id": row["id"], "bucket_key": "WEEKEND", "title": "y"})
        refused(again, 409, "23505", "duplicate key value", f"Key (id)=({row['id']}) already exists.")

    def test_a_row_of_somebody_else_is_not_taken_over(self, mona, nils):
        row = mona.made("tasks", {"id": fresh(), "bucket_key": "WEEKEND", "title": "mine"})
        refused(
            nils.upsert("tasks", {"id": row["id"], "bucket_key": "WEEKEND", "title": "stolen"}),
            403, "42501", 'new row violates row-level security policy for table "tasks"')
        assert mona.rows(f"tasks?select=title,user_id&id=eq.{row['id']}") == [{"title": "mine", "user_id": mona.id}]

    def test_one_key_twice_in_a_request(self, mona):
        key = fresh()
        rows = [{"id": key, "bucket_key": "WEEKEND", "title": title} for title in ("first", "second")]
        answer = mona.upsert("tasks", rows)
        refused(answer, 400, "21000", "ON CONFLICT DO UPDATE command cannot affect row a second time")
        assert mona.rows(f"tasks?id=eq.{key}") == []
        ignored = mona.upsert("tasks", [{**row, "id": "%s" % (key[:-1] + ("0" if key[-1] != "0" else "1"))} for row in rows], IGNORE)
        assert ignored.status_code == 201 and [row["title"] for row in ignored.json()] == ["first"]


class TestValues:
    @pytest.mark.parametrize("sent, kept", [
        ("2026-01-02T03:04:05.678", "2026-01-02T03:04:05.678"), ("2026-01-02T03:04:05Z", "2026-01-02T03:04:05"),
        ("2026-01-02T03:04:05+05:30", "2026-01-01T21:34:05"), ("2026-01-02T03:04:05.678901-01:00", "2026-01-02T04:04:05.678"),
        ("2026-01-02 03:04:05+00", "2026-01-02T03:04:05"), ("2026-01-02", "2026-01-02T00:00:00"),
        ("2026-01-02T03:04Z", "2026-01-02T03:04:00"), ("2026-01-02T03:04:05.1Z", "2026-01-02T03:04:05.100"),
        ("2026-01-02T03:04:05.678901234Z", "2026-01-02T03:04:05.678"),
    ])
    def test_times(self, mona, sent, kept):
        row = mona.made("tasks", {"id": fresh(), "bucket_key": "WEEKEND", "title": "x", "due_at": sent})
        expected = datetime.datetime.fromisoformat(kept).replace(tzinfo=datetime.timezone.utc)
        difference = moment(row["due_at"]) - expected
        assert abs(difference) < datetime.timedelta(milliseconds=2), row["due_at"]
        found = mona.rows(f"tasks?select=id&id=eq.{row['id']}&due_at=eq.{quoted(row['due_at'])}")
        assert found == [{"id": row["id"]}]
        assert mona.rows(f"tasks?select=id&id=eq.{row['id']}&due_at=lt.{quoted(row['due_at'])}") == []

    @pytest.mark.parametrize("sent, kept", [("2026-04-01", "2026-04-01"), ("2026-04-01T23:59:59.999", "2026-04-01"),
                                            ("2026-04-01T23:59:59+02:00", "2026-04-01"), ("2026-04-01 10:00:00", "2026-04-01")])
    def test_dates(self, anna, sent, kept):
        habit = anna.habit()
        row = anna.made("habit_logs", {"habit_id": habit["id"], "log_date": sent})
        assert row["log_date"] == kept
        assert len(anna.rows(f"habit_logs?habit_id=eq.{habit['id']}&log_date=eq.{quoted(sent)}")) == 1

    def test_numbers_may_be_texts(self, anna):
        row = anna.habit(type="counter", target_per_day="7")
        assert row["target_per_day"] == 7
        assert len(anna.rows(f"habits?id=eq.{row['id']}&target_per_day=eq.7")) == 1

    def test_keys_come_in_any_case_and_go_in_lower(self, anna):
        key = fresh()
        row = anna.made("habits", {"id": key.upper(), "user_id": anna.id.upper(), "name": "x"})
        assert (row["id"], row["user_id"]) == (key, anna.id)

    def test_arrays_and_texts(self, anna, mona):
        row = anna.habit(reminders=["08:00", "21:30"], emoji="👩‍👩‍👧")
        assert row["reminders"] == ["08:00", "21:30"] and row["emoji"] == "👩‍👩‍👧"
        text = "é e\u0301 \"q\" 'p' \\ \n\t{a,b} (c) %* end"
        row = mona.made("tasks", {"id": fresh(), "bucket_key": "WEEKEND", "title": "x", "description": text})
        assert row["description"] == text
        assert len(mona.rows(f"tasks?id=eq.{row['id']}&description=eq.{quoted(text)}")) == 1

    def test_json_is_kept(self, anna):
        for data in ({"a": [1, 2.5, None, True, {"b": "é"}], "n": 12345678901, "e": {}, "l": []}, {}):
            row = anna.made("activity_events", {"type": "streak_milestone", "data": data})
            assert row["data"] == data

    @pytest.mark.parametrize("table, row, code", [
        ("habits", {"name": "x", "target_per_day": "seven"}, "22P02"), ("habits", {"name": "x", "id": "x"}, "22P02"),
        ("habits", {"name": "x", "is_active": "maybe"}, "22P02"), ("habits", {"name": "x", "type": "odd"}, "22P02"),
        ("habits", {"name": None}, "23502"), ("habits", {"name": "x", "target_per_day": 0}, "23514"),
        ("habits", {"name": "x", "target_per_day": None}, "23502"), ("habits", {"name": "x", "none": 1}, "PGRST204"),
        ("habits", {"name": "x", "target_per_day": 99999999999}, "22P02"),
        ("habit_logs", {"habit_id": "HABIT", "log_date": "soon"}, "22007"),
        ("habit_logs", {"habit_id": "HABIT", "log_date": "2026-02-30"}, "22008"),
        ("habit_logs", {"habit_id": "HABIT"}, "23502"), ("habit_logs", {"log_date": "2026-01-01"}, "23502"),
        ("hive_member_days", {"hive_id": fresh(), "day_date": "2026-01-01", "done": True}, "428C9"),
    ])
    def test_refusals(self, anna, table, row, code):
        if row.get("habit_id") == "HABIT":
            row = {**row, "habit_id": anna.habit()["id"]}
        answer = anna.post(table, row)
        refused(answer, 400, code)

    def test_a_missing_foreign_row(self, mona):
        row = {"id": fresh(), "bucket_key": "WEEKEND", "title": "x", "parent_task_id": fresh()}
        refused(mona.post("tasks", row), 409, "23503", "violates foreign key constraint", "is not present in table")


class TestErrors:
    def test_tables_functions_schemas_and_methods(self, anna):
        refused(anna.get("nothings"), 404, "PGRST205")
        refused(anna.post("nothings", {"a": 1}), 404, "PGRST205")
        refused(anna.call("nothing"), 404, "PGRST202")
        refused(anna.call("log_habit", {"p_habit_id": fresh(), "p_more": 1}), 404, "PGRST202")
        refused(anna.call("log_habit", {}), 404, "PGRST202")
        refused(anna.get("habits", headers={"Accept-Profile": "private"}), 406, "PGRST106")
        refused(anna.post("habits", {"name": "x"}, headers={"Content-Profile": "private"}), 406, "PGRST106")
        assert anna.get("habits?limit=1", headers={"Accept-Profile": "public"}).status_code == 200
        answer = anna.ask("TRACE", "habits")
        assert answer.status_code == 405 and answer.json()["code"] in ("PGRST117", "PGRST101")
        answer = anna.ask("DELETE", "rpc/log_habit")
        assert answer.status_code == 405 and answer.json()["code"] in ("PGRST117", "PGRST101")

    def test_columns_name_what_counts_of_an_argument_list(self, anna):
        body = {"p_user": anna.id, "p_at": "2026-01-02T12:00:00Z", "more": 1}
        refused(anna.call("user_local_date", body), 404, "PGRST202")
        answer = anna.call("user_local_date?columns=p_user", body)
        assert answer.status_code == 200 and answer.json() != "2026-01-02", answer.text
        answer = anna.call("user_local_date?columns=p_user,p_at", body)
        assert answer.status_code == 200 and answer.json() == "2026-01-02", answer.text
        refused(anna.call("user_local_date?columns=p_user,more", body), 404, "PGRST202")

    def test_options(self, anna, mona):
        for who, path, methods in (
                (mona, "tasks", "OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE"), (anna, "habits", "OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE"),
                (anna, "rpc/log_habit", "OPTIONS,POST"), (anna, "rpc/user_local_date", "OPTIONS,GET,HEAD,POST")):
            answer = who.ask("OPTIONS", path)
            assert answer.status_code == 200 and answer.headers["allow"] == methods and answer.content == b"", path
        refused(anna.ask("OPTIONS", "nothings"), 404, "PGRST205")
        url = f"{address('HABITHIVE')}/rest/v1/habits"
        assert http.options(url).status_code == 401
        # A browser sends a preflight request first, without its key.
        asked = http.options(url, headers={"Origin": "https://app.example.com", "Access-Control-Request-Method": "PATCH"})
        assert asked.status_code == 204 and "PATCH" in asked.headers["access-control-allow-methods"]

    def test_api_keys(self, anna):
        for headers in ({}, {"apikey": "wrong"}):
            answer = http.get(f"{address('HABITHIVE')}/rest/v1/habits", headers=headers)
            assert answer.status_code == 401 and answer.json()["message"]
            answer = http.head(f"{address('HABITHIVE')}/rest/v1/habits", headers=headers)
            assert answer.status_code == 401 and answer.headers["proxy-status"].startswith("PostgREST; error=")
        for name in ("apiKey", "Apikey", "APIKEY"):
            answer = http.get(
                f"{address('HABITHIVE')}/rest/v1/habits",
                headers={name: KEY, "Authorization": f"Bearer {anna.token}"})
            assert answer.status_code == 200

    def test_tokens(self, anna):
        refused(ask("GET", "HABITHIVE", "/rest/v1/habits", "a.b.c"), 401, "PGRST301")
        refused(ask("GET", "HABITHIVE", "/rest/v1/habits", anna.token[:-6] + "AAAAAA"), 401, "PGRST301")
        head, _, _ = anna.token.split(".")
        claims = base64.urlsafe_b64encode(b'{"sub":"%s","role":"authenticated"}' % anna.id.encode()).rstrip(b"=").decode()
        none = base64.urlsafe_b64encode(b'{"alg":"none","typ":"JWT"}').rstrip(b"=").decode()
        for forged in (f"{head}.{claims}.AAAA", f"{none}.{claims}."):
            refused(ask("GET", "HABITHIVE", "/rest/v1/habits", forged), 401, "PGRST301")

    def test_nobody_sees_and_writes_nothing(self):
        nobody = lambda method, path, **more: ask(method, "HABITHIVE", f"/rest/v1/{path}", **more)
        for table in ("profiles", "habits", "habit_logs", "hives", "hive_members", "hive_member_days", "hive_days",
                      "hive_invites", "activity_events", "device_tokens", "contact_hashes"):
            answer = nobody("GET", table, prefer="count=exact")
            assert (answer.status_code, answer.json(), answer.headers["content-range"]) == (200, [], "*/0"), table
        refused(nobody("POST", "habits", json={"name": "x"}), 401, "42501")
        assert nobody("PATCH", "habits", json={"name": "x"}, prefer=REPRESENTATION).json() == []
        assert nobody("DELETE", "habits", prefer=REPRESENTATION).json() == []


class TestSight:
    def test_what_is_anothers_is_not_there(self, anna, bert):
        habit = anna.habit()
        log = anna.made("habit_logs", {"habit_id": habit["id"], "log_date": "2026-01-05"})
        for path in (f"habits?id=eq.{habit['id']}", f"habit_logs?id=eq.{log['id']}", f"profiles?id=eq.{anna.id}"):
            answer = bert.get(path, prefer="count=exact")
            assert (answer.status_code, answer.json(), answer.headers["content-range"]) == (200, [], "*/0")
            refused(bert.get(path, headers={"Accept": OBJECT}), 406, "PGRST116", details="0 rows")
            assert bert.delete(path).json() == []
        assert bert.patch(f"habits?id=eq.{habit['id']}", {"name": "mine"}).json() == []
        assert anna.rows(f"habits?select=name&id=eq.{habit['id']}") == [{"name": habit["name"]}]

    def test_rows_for_somebody_else_are_refused(self, anna, bert):
        habit = anna.habit()
        for table, row in [
            ("habits", {"name": "x", "user_id": anna.id}),
            ("habit_logs", {"habit_id": habit["id"], "log_date": "2026-01-01", "user_id": anna.id}),
            ("device_tokens", {"apns_token": word(), "environment": "prod", "user_id": anna.id}),
            ("contact_hashes", {"contact_hash": word(), "user_id": anna.id}),
            ("activity_events", {"type": "habit_completed", "actor_id": anna.id}),
        ]:
            refused(
                bert.post(table, row), 403, "42501", f'new row violates row-level security policy for table "{table}"')

    def test_what_is_hidden_and_what_is_not_there_are_refused_alike(self, anna, bert):
        answers = [
            bert.post("habit_logs", {"habit_id": habit, "log_date": "2026-01-01"}).json()
            for habit in (anna.habit()["id"], fresh())]
        assert answers[0]["code"] == answers[1]["code"] and answers[0]["code"] in ("42501", "23503")

    def test_what_nobody_takes_away_is_passed_over(self, anna):
        mccall = Person("MCCALL")
        for somebody, path in [(anna, f"profiles?id=eq.{anna.id}"), (mccall, f"users?id=eq.{mccall.id}")]:
            answer = somebody.delete(path)
            assert (answer.status_code, answer.json()) == (200, []), path
            assert somebody.delete(path, prefer=()).status_code == 204
            refused(somebody.delete(path, headers={"Accept": OBJECT}), 406, "PGRST116", details="0 rows")
            assert len(somebody.rows(path)) == 1

    def test_embedded_rows_are_seen_alike(self, anna, bert):
        hive = anna.hive()
        anna.lets_in(bert, hive)
        (row,) = bert.rows(f"hives?select=id,profiles(id)&id=eq.{hive}")
        assert row["profiles"] is None or row["profiles"]["id"] == anna.id


class TestPast:
    def test_tables_as_of_a_moment(self, mona):
        row = mona.made("tasks", {"id": fresh(), "bucket_key": "WEEKEND", "title": "before"})
        then = row["updated_at"]
        mona.patch(f"tasks?id=eq.{row['id']}", {"title": "after"})
        path = f"tasks?select=title&id=eq.{row['id']}"
        assert mona.rows(path) == [{"title": "after"}]
        assert mona.rows(f"{path}&as_of={quoted(then)}") == [{"title": "before"}]
        assert mona.rows(f"{path}&as_of=2020-01-01") == []
        mona.delete(f"tasks?id=eq.{row['id']}")
        assert mona.rows(path) == [] and mona.rows(f"{path}&as_of={quoted(then)}") == [{"title": "before"}]

    def test_it_is_for_reading(self, mona, anna):
        row = mona.made("tasks", {"id": fresh(), "bucket_key": "WEEKEND", "title": "x"})
        past = f"tasks?id=eq.{row['id']}&as_of={quoted(row['updated_at'])}"
        refused(mona.patch(past, {"title": "y"}), 400, "PGRST100")
        refused(mona.delete(past), 400, "PGRST100")
        refused(mona.post(f"tasks?as_of={quoted(row['updated_at'])}", {**row, "id": fresh()}), 400, "PGRST100")
        assert mona.rows(f"tasks?select=title&id=eq.{row['id']}") == [{"title": "x"}]
        refused(anna.call("user_local_date?as_of=2026-01-01", {"p_user": anna.id}), 400, "PGRST100")
        answer = mona.get("tasks?as_of=then")
        assert answer.status_code == 400 and answer.json()["code"] in ("22007", "PGRST100")
