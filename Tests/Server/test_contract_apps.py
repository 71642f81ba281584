"""Digit, Daily Manna, McCallHome and Motiv on the server: their tables as their clients use them."""

import datetime

import pytest

from contract_tables import (
    IGNORE, MERGE, OBJECT, REPRESENTATION, Person, ask, fresh, has_prefix, moment, now, person, refused, word)

dora, emil = person("DIGIT", "Dora"), person("DIGIT", "Emil")
mona, nils = person("MANNA", "Mona"), person("MANNA", "Nils")
gina, hugo = person("MOTIV", "Gina"), person("MOTIV", "Hugo")


def at(text):
    return text.replace("+", "%2B")


class TestDigit:
    PATH = "habit_progress?on_conflict=user_id%2Chabit_id%2Cdate"

    def test_the_profile_is_there_with_its_name(self):
        somebody = Person("DIGIT", "Ada")
        row = somebody.get(f"profiles?select=*&id=eq.{somebody.id.upper()}", headers={"Accept": OBJECT}).json()
        assert row["id"] == somebody.id and "Ada" in (row.get("name"), row.get("display_name"))
        (row,) = somebody.upsert("profiles", {"id": somebody.id, "name": "Ada L.", "birthday": "1815-12-10"}).json()
        assert (row["name"], row["birthday"], row["email"]) == ("Ada L.", "1815-12-10", somebody.email)

    def test_progress_is_upserted(self, dora):
        habit = dora.habit(type="counter", target_per_day=10)
        row = {"user_id": dora.id.upper(), "habit_id": habit["id"].upper(), "date": "2026-04-01", "progress": 4}
        first = dora.upsert(self.PATH, row)
        assert first.status_code == 201
        (made,) = first.json()
        assert set(made) == {"id", "user_id", "habit_id", "date", "progress", "created_at", "updated_at"}
        assert (made["user_id"], made["habit_id"], made["date"], made["progress"]) == (dora.id, habit["id"], "2026-04-01", 4)
        second = dora.upsert(self.PATH, {**row, "progress": 7})
        assert second.status_code == 200
        (changed,) = second.json()
        assert (changed["id"], changed["progress"], changed["created_at"]) == (made["id"], 7, made["created_at"])
        assert moment(changed["updated_at"]) > moment(made["updated_at"])
        single = dora.get(f"habit_progress?habit_id=eq.{habit['id']}&date=eq.2026-04-01", headers={"Accept": OBJECT})
        assert single.json() == changed

    @pytest.mark.parametrize("progress", [0, 1, 10, 250])
    def test_progress_is_what_was_entered(self, dora, progress):
        habit = dora.habit(type="counter", target_per_day=10)
        (row,) = dora.upsert(self.PATH, {"habit_id": habit["id"], "date": "2026-04-01", "progress": progress}).json()
        assert row["progress"] == progress

    def test_progress_by_its_id(self, dora):
        habit = dora.habit(type="counter", target_per_day=10)
        row = dora.made("habit_progress", {"habit_id": habit["id"], "date": "2026-04-02", "progress": 1})
        assert dora.patch(f"habit_progress?id=eq.{row['id']}", {"progress": 5}).json()[0]["progress"] == 5
        refused(dora.post("habit_progress", {"habit_id": habit["id"], "date": "2026-04-02"}), 409, "23505")
        assert len(dora.delete(f"habit_progress?id=eq.{row['id']}").json()) == 1
        refused(dora.get(f"habit_progress?id=eq.{row['id']}", headers={"Accept": OBJECT}), 406, "PGRST116", details="0 rows")

    def test_progress_is_called_as_the_app_called_it(self, dora):
        habit, own, other = dora.habit(type="counter", target_per_day=10), fresh(), fresh()
        row = {"id": own.upper(), "habit_id": habit["id"], "date": "2026-04-03", "progress": 1}
        (made,) = dora.upsert(self.PATH, row).json()
        assert made["id"] == own
        answer = dora.upsert("habit_progress", {**row, "progress": 2})
        assert answer.status_code == 200 and [(row["id"], row["progress"]) for row in answer.json()] == [(own, 2)]
        (row,) = dora.patch(f"habit_progress?id=eq.{own.upper()}", {"progress": 3, "date": "2026-04-05"}).json()
        assert (row["id"], row["progress"], row["date"]) == (own, 3, "2026-04-05")
        refused(dora.post("habit_progress", {"id": own, "habit_id": habit["id"], "date": "2026-04-04"}), 409, "23505",
                details=f"Key (id)=({own}) already exists.")
        assert dora.upsert(self.PATH, {**row, "id": other}).json()[0]["id"] == other
        assert dora.delete(f"habit_progress?id=eq.{own}").json() == []
        assert [row["id"] for row in dora.delete(f"habit_progress?id=eq.{other}").json()] == [other]
        rows = [{"id": fresh(), "habit_id": habit["id"], "date": f"2026-02-{day:02}", "progress": day} for day in range(1, 21)]
        assert [row["id"] for row in dora.upsert(self.PATH, rows).json()] == [row["id"] for row in rows]

    def test_ranges_and_bulk(self, dora):
        habit = dora.habit(type="counter", target_per_day=10)
        days = [f"2026-03-{day:02}" for day in range(1, 31)]
        rows = [{"user_id": dora.id, "habit_id": habit["id"], "date": day, "progress": 1 + place % 9} for place, day in enumerate(days)]
        assert len(dora.upsert(self.PATH, rows).json()) == 30
        found = dora.rows(
            f"habit_progress?habit_id=eq.{habit['id']}&user_id=eq.{dora.id}&date=gte.2026-03-10T00:00:00&date=lte.2026-03-20&order=date.asc")
        assert [row["date"] for row in found] == days[9:20]
        again = dora.upsert(self.PATH, rows + [{**rows[0], "date": "2026-02-01"}], IGNORE)
        assert [row["date"] for row in again.json()] == ["2026-02-01"]

    def test_progress_of_another(self, dora, emil):
        habit = dora.habit()
        dora.upsert(self.PATH, {"habit_id": habit["id"], "date": "2026-04-01", "progress": 1})
        assert emil.rows(f"habit_progress?habit_id=eq.{habit['id']}") == []
        refused(
            emil.upsert(self.PATH, {"user_id": dora.id, "habit_id": habit["id"], "date": "2026-04-01", "progress": 9}),
            403, "42501")
        answer = emil.upsert(self.PATH, {"user_id": emil.id, "habit_id": habit["id"], "date": "2026-04-01", "progress": 9})
        assert answer.status_code in (403, 409)
        assert dora.rows(f"habit_progress?select=progress&habit_id=eq.{habit['id']}") == [{"progress": 1}]

    def test_one_focus(self):
        somebody = Person("DIGIT")
        first, second = somebody.habit(is_focus=True), somebody.habit()
        assert first["is_focus"] is True and second["is_focus"] is False
        somebody.patch(f"habits?id=eq.{second['id']}", {"is_focus": True})
        assert somebody.rows("habits?select=id&is_focus=is.true") == [{"id": second["id"]}]

    def test_embedded_progress(self, dora):
        habit = dora.habit(type="counter", target_per_day=5)
        dora.upsert(self.PATH, {"habit_id": habit["id"], "date": "2026-04-01", "progress": 2})
        (row,) = dora.rows(f"habits?select=id,habit_progress(date,progress)&id=eq.{habit['id']}")
        assert row["habit_progress"] == [{"date": "2026-04-01", "progress": 2}]


class TestDailyManna:
    def task(self, somebody, **more):
        return somebody.made("tasks", {"id": fresh(), "user_id": somebody.id, "bucket_key": "THIS_WEEK", "title": word(), **more})

    @pytest.mark.parametrize("bucket", ["THIS_WEEK", "WEEKEND", "NEXT_WEEK", "NEXT_MONTH", "ROUTINES"])
    def test_buckets(self, mona, bucket):
        task = self.task(mona, bucket_key=bucket)
        assert task["bucket_key"] == bucket
        refused(mona.patch(f"tasks?id=eq.{task['id']}", {"bucket_key": bucket.lower()}), 400, "23514")

    def test_every_column(self, mona):
        task = self.task(mona)
        assert set(task) >= {
            "id", "user_id", "bucket_key", "parent_task_id", "title", "description", "due_at", "recurrence_rule",
            "is_completed", "completed_at", "created_at", "updated_at", "deleted_at"}
        assert (task["is_completed"], task["completed_at"], task["deleted_at"], task["due_at"]) == (False, None, None, None)
        refused(mona.post("tasks", {"id": fresh(), "bucket_key": "WEEKEND"}), 400, "23502")
        refused(mona.post("tasks", {"id": fresh(), "title": "x", "bucket_key": None}), 400, "23502")

    def test_a_full_push_as_swift_sends_it(self, mona):
        key = fresh().upper()
        body = {
            "id": key, "user_id": mona.id.upper(), "bucket_key": "WEEKEND", "parent_task_id": None, "title": "T",
            "description": "line\nline", "due_at": "2026-01-02T03:04:05.678", "recurrence_rule": None,
            "is_completed": True, "completed_at": "2026-01-02T05:00:00.001", "created_at": "2026-01-01T00:00:00.000",
            "updated_at": "2026-01-02T00:00:00.000", "deleted_at": None}
        answer = mona.upsert("tasks?on_conflict=id", body)
        assert answer.status_code == 201, answer.text
        (row,) = answer.json()
        assert (row["id"], row["is_completed"], row["description"]) == (key.lower(), True, "line\nline")
        assert moment(row["completed_at"]) == datetime.datetime(2026, 1, 2, 5, 0, 0, 1000, datetime.timezone.utc)
        # An app that was offline says when an entity began; the server says when it last changed.
        assert moment(row["created_at"]) == datetime.datetime(2026, 1, 1, tzinfo=datetime.timezone.utc)
        assert moment(row["updated_at"]).year > 2025 and moment(row["updated_at"]) > moment(row["created_at"])
        again = mona.upsert("tasks?on_conflict=id", {
            **body, "is_completed": False, "completed_at": None, "created_at": "2026-01-05T00:00:00.000"})
        assert again.status_code == 200 and again.json()[0]["created_at"] == row["created_at"]
        assert (again.json()[0]["is_completed"], again.json()[0]["completed_at"]) in ((False, None), (True, row["completed_at"]))

    def test_tombstones_travel_and_stay(self, mona):
        task = self.task(mona)
        then = now().isoformat(timespec="milliseconds")[:-6]
        (dead,) = mona.patch(f"tasks?id=eq.{task['id']}", {"deleted_at": then}).json()
        assert moment(dead["deleted_at"]) and moment(dead["updated_at"]) > moment(task["updated_at"])
        pulled = mona.rows(f"tasks?updated_at=gt.{at(task['updated_at'])}&order=updated_at.asc.nullslast,id.asc.nullslast")
        assert task["id"] in [row["id"] for row in pulled]
        assert mona.rows(f"tasks?id=eq.{task['id']}&deleted_at=is.null") == []
        assert len(mona.rows(f"tasks?id=eq.{task['id']}&deleted_at=not.is.null")) == 1
        # A device that does not know of the deletion yet pushes its row: the row stays deleted (DM-8).
        (dead,) = mona.upsert("tasks", {"id": task["id"], "bucket_key": "WEEKEND", "title": "late", "deleted_at": None}).json()
        assert dead["deleted_at"]
        # A device undoes a deletion by writing to the tombstone itself.
        (back,) = mona.patch(f"tasks?id=eq.{task['id']}", {"deleted_at": None}).json()
        assert back["deleted_at"] is None and moment(back["updated_at"]) > moment(dead["updated_at"])

    def test_a_task_arrives_as_a_tombstone(self, mona):
        key, then = fresh(), now().isoformat(timespec="milliseconds")
        answer = mona.upsert("tasks", {"id": key, "bucket_key": "WEEKEND", "title": "x", "deleted_at": then})
        assert answer.status_code == 201 and answer.json()[0]["deleted_at"], answer.text
        assert mona.rows(f"tasks?select=id&id=eq.{key}&deleted_at=not.is.null") == [{"id": key}]

    def test_changing_a_tombstone(self, mona):
        task = self.task(mona)
        mona.patch(f"tasks?id=eq.{task['id']}", {"deleted_at": now().isoformat()})
        answer = mona.upsert("tasks", {"id": task["id"], "bucket_key": "WEEKEND", "title": "late", "deleted_at": now().isoformat()})
        assert answer.status_code == 200, answer.text
        assert answer.json()[0]["deleted_at"]

    def test_an_edit_and_a_deletion_pushed_as_one_row(self, mona):
        said = {"title": "edited", "description": "", "bucket_key": "NEXT_WEEK", "deleted_at": now().isoformat()}
        for push in (lambda key: mona.patch(f"tasks?id=eq.{key}", said), lambda key: mona.upsert("tasks", {"id": key, **said})):
            (dead,) = push(self.task(mona)["id"]).json()
            assert dead["deleted_at"] and {key: dead[key] for key in said if key != "deleted_at"} == {
                "title": "edited", "description": "", "bucket_key": "NEXT_WEEK"}
        label, name = mona.made("labels", {"id": fresh(), "name": word()}), word()
        (dead,) = mona.patch(f"labels?id=eq.{label['id']}", {"name": name, "color": "#00ff00", "deleted_at": now().isoformat()}).json()
        assert dead["deleted_at"] and (dead["name"], dead["color"]) == (name, "#00ff00")

    def test_recurrence(self, mona):
        task = self.task(mona, recurrence_rule="FREQ=WEEKLY;BYDAY=MO", due_at="2026-01-05T09:00:00")
        assert task["recurrence_rule"] == "FREQ=WEEKLY;BYDAY=MO"
        answer = mona.patch(f"tasks?id=eq.{task['id']}", {"is_completed": True, "completed_at": now().isoformat()})
        assert answer.status_code == 200, answer.text
        refused(mona.post("tasks", {"id": fresh(), "bucket_key": "ROUTINES", "title": "x", "recurrence_rule": "FREQ=SOMETIMES"}), 400, "23514")

    def test_subtasks(self, mona, nils):
        parent = self.task(mona)
        child = self.task(mona, parent_task_id=parent["id"].upper())
        assert child["parent_task_id"] == parent["id"]
        assert mona.rows(f"tasks?select=id&parent_task_id=eq.{parent['id'].upper()}") == [{"id": child["id"]}]
        # If two devices each put one task under the other, the first one counts, so that there is no cycle (DM-3).
        mona.patch(f"tasks?id=eq.{parent['id']}", {"parent_task_id": child["id"]})
        assert mona.rows(f"tasks?select=parent_task_id&id=eq.{parent['id']}") == [{"parent_task_id": None}]
        assert mona.patch(f"tasks?id=eq.{parent['id']}", {"parent_task_id": parent["id"]}).status_code == 400
        other = nils.post("tasks", {"id": fresh(), "bucket_key": "WEEKEND", "title": "x", "parent_task_id": parent["id"]})
        assert other.status_code in (403, 409)
        assert mona.patch(f"tasks?id=eq.{child['id']}", {"parent_task_id": None}).json()[0]["parent_task_id"] is None

    def test_parents_and_children_in_one_request_in_any_order(self, mona):
        parent, child = fresh(), fresh()
        rows = [
            {"id": child, "bucket_key": "WEEKEND", "title": "child", "parent_task_id": parent},
            {"id": parent, "bucket_key": "WEEKEND", "title": "parent", "parent_task_id": None}]
        answer = mona.upsert("tasks", rows)
        assert answer.status_code == 201, answer.text
        assert [row["title"] for row in answer.json()] == ["child", "parent"]

    def test_paging_by_cursor_and_by_offset(self):
        somebody = Person("MANNA")
        rows = [{"id": fresh(), "bucket_key": "ROUTINES", "title": f"n{number:03}"} for number in range(450)]
        assert somebody.post("tasks", rows, MERGE).status_code == 201
        expected = sorted(row["id"] for row in rows)
        got, cursor = [], None
        while True:
            more = f"&or=(updated_at.gt.\"{at(cursor[0])}\",and(updated_at.eq.\"{at(cursor[0])}\",id.gt.{cursor[1]}))" if cursor else ""
            page = somebody.rows(f"tasks?select=id,updated_at&order=updated_at.asc,id.asc&limit=200{more}")
            got += [row["id"] for row in page]
            if len(page) < 200:
                break
            cursor = page[-1]["updated_at"], page[-1]["id"]
        assert sorted(got) == expected and len(got) == 450
        got = [row["id"] for start in range(0, 600, 200)
               for row in somebody.rows(f"tasks?select=id&order=id&limit=200&offset={start}")]
        assert got == expected
        answer = somebody.ask("HEAD", "tasks?select=*", prefer="count=exact")
        assert answer.headers["content-range"].endswith("/450")

    def test_no_row_is_younger_than_its_entry(self, mona):
        task = self.task(mona, created_at="2999-01-01T00:00:00Z")
        assert moment(task["created_at"]) == moment(task["updated_at"]) <= now() + datetime.timedelta(seconds=5)
        refused(mona.post("tasks", {"title": "x", "created_at": "yesterday, or so"}), 400, "22007")

    @pytest.mark.parametrize("color", ["#ff0000", "#F00", "#ff000080", "ff0000", "red", "teal"])
    def test_colours_of_labels_stay_as_written(self, mona, color):
        assert mona.made("labels", {"name": word(), "color": color})["color"] == color

    def test_labels_in_bulk_need_no_colour(self, mona):
        rows = [{"name": word(), "color": "#ff0000"}, {"name": word()}]
        answer = mona.post('labels?columns=%22name%22,%22color%22', rows)
        assert answer.status_code == 201, answer.text
        assert [row["color"] for row in answer.json()] == ["#ff0000", mona.made("labels", {"name": word()})["color"]]
        refused(mona.post("labels", {"name": None, "color": None}), 400, "23502")

    def test_labels(self, mona, nils):
        label = mona.made("labels", {"id": fresh().upper(), "user_id": mona.id, "name": word(), "color": "#FF0000"})
        assert set(label) == {"id", "user_id", "name", "color", "created_at", "updated_at", "deleted_at"}
        assert label["color"].lower() == "#ff0000"
        usual = mona.made("labels", {"id": fresh(), "name": word()})["color"]
        assert mona.made("labels", {"id": fresh(), "name": word(), "color": ""})["color"] == usual
        (dead,) = mona.upsert("labels", {**label, "deleted_at": now().isoformat()}).json()
        assert dead["deleted_at"] and mona.rows(f"labels?select=id&id=eq.{label['id']}&deleted_at=is.null") == []
        assert nils.rows(f"labels?id=eq.{label['id']}") == []
        refused(nils.upsert("labels", {"id": label["id"], "name": "x", "color": "#000000"}), 403, "42501")
        refused(mona.post("labels", {"id": fresh(), "color": "#000000"}), 400, "23502")

    def test_tasks_that_have_labels_or_a_title(self, mona):
        tag = word()
        titles = [f"{tag}{number}" for number in range(3)]
        tasks = [mona.made("tasks", {"id": fresh(), "bucket_key": "WEEKEND", "title": title}) for title in titles]
        label = mona.made("labels", {"id": fresh(), "name": word()})
        mona.made("task_labels", {"task_id": tasks[1]["id"], "label_id": label["id"], "user_id": mona.id})
        path = f"tasks?select=title,labels(name)&title=like.{tag}*&order=title"
        found = mona.rows(f"{path}&or=(labels.not.is.null,title.eq.{titles[0]})")
        assert [row["title"] for row in found] == titles[:2] and found[1]["labels"] == [{"name": label["name"]}]
        assert [row["title"] for row in mona.rows(f"{path}&or=(labels.is.null,title.eq.none)")] == [titles[0], titles[2]]
        refused(mona.get(f"tasks?or=(labels.is.null,title.eq.{titles[0]})"), 400, "42703")

    def test_label_links(self, mona, nils):
        task = self.task(mona)
        label = mona.made("labels", {"id": fresh(), "name": word(), "color": "#ff0000"})
        path = "task_labels?on_conflict=task_id,label_id"
        row = {"task_id": task["id"].upper(), "label_id": label["id"].upper(), "user_id": mona.id.upper()}
        first = mona.upsert(path, row)
        assert first.status_code == 201
        assert set(first.json()[0]) == {"task_id", "label_id", "user_id", "created_at", "updated_at", "deleted_at"}
        assert mona.upsert(path, row).status_code == 200
        refused(mona.post("task_labels", row), 409, "23505")
        by = f"task_labels?task_id=eq.{task['id']}&label_id=eq.{label['id']}"
        (dead,) = mona.patch(by, {"deleted_at": now().isoformat()}).json()
        assert dead["deleted_at"] and moment(dead["updated_at"]) > moment(first.json()[0]["updated_at"])
        assert mona.rows(f"task_labels?task_id=eq.{task['id']}&deleted_at=is.null") == []
        pulled = mona.rows(f"task_labels?updated_at=gt.{at(first.json()[0]['updated_at'])}&order=updated_at")
        assert label["id"] in [link["label_id"] for link in pulled]
        (alive,) = mona.upsert(path, {**row, "deleted_at": None}).json()
        assert alive["deleted_at"] is None
        theirs = nils.made("labels", {"id": fresh(), "name": word(), "color": "#ff0000"})
        for labeled in ({"task_id": task["id"], "label_id": theirs["id"]}, {"task_id": fresh(), "label_id": theirs["id"]}):
            refused(nils.post("task_labels", labeled), 409, "23503")
        assert len(mona.delete(by).json()) == 1

    def test_deleting_for_good(self, mona):
        task = self.task(mona)
        child = self.task(mona, parent_task_id=task["id"])
        label = mona.made("labels", {"id": fresh(), "name": word(), "color": "#ff0000"})
        mona.made("task_labels", {"task_id": child["id"], "label_id": label["id"]})
        assert [row["id"] for row in mona.delete(f"tasks?id=eq.{task['id']}").json()] == [task["id"]]
        assert mona.rows(f"tasks?id=in.({task['id']},{child['id']})") == []
        assert mona.rows(f"task_labels?task_id=eq.{child['id']}") == []

    def test_filter_by_any_and_all_labels(self, mona):
        tasks = [self.task(mona) for _ in range(3)]
        labels = [mona.made("labels", {"id": fresh(), "name": word(), "color": "#ff0000"})["id"] for _ in range(2)]
        links = [(0, 0), (0, 1), (1, 1)]
        mona.post("task_labels", [{"task_id": tasks[task]["id"], "label_id": labels[label]} for task, label in links])
        found = mona.rows(
            f"tasks?select=id,task_labels!inner(label_id)&task_labels.label_id=in.({','.join(labels)})&order=created_at")
        assert [(row["id"], len(row["task_labels"])) for row in found] == [(tasks[0]["id"], 2), (tasks[1]["id"], 1)]


@pytest.fixture(scope="module")
def home():
    """Two people of one household, and one of another."""
    first, second, stranger = Person("MCCALL", "Ida"), Person("MCCALL", "Jon"), Person("MCCALL", "Kai")
    households = {}
    for somebody in (first, stranger):
        key = fresh()
        made = somebody.post("households", {"id": key.upper(), "name": "Home"}, prefer="return=minimal")
        assert (made.status_code, made.content) == (201, b""), made.text
        answer = somebody.upsert(
            "users", {"id": somebody.id.upper(), "email": somebody.email, "name": "X", "household_id": key.upper()})
        assert answer.status_code in (200, 201), answer.text
        assert answer.json()[0]["household_id"] == key
        households[somebody] = key
    code = first.called("create_household_code", p_household_id=households[first])["code"]
    assert second.called("join_household_with_code", p_code=code) == households[first]
    return first, second, stranger, households[first], households[stranger]


class TestHouseholds:
    def test_a_fresh_household_without_a_key(self):
        somebody = Person("MCCALL")
        household = somebody.made("households", {"name": "Ours"})
        answer = somebody.upsert("users", {"id": somebody.id, "household_id": household["id"], "name": "Me", "email": somebody.email})
        assert answer.status_code == 201 and answer.json()[0]["household_id"] == household["id"], answer.text
        again = somebody.upsert("users", {"id": somebody.id, "household_id": household["id"], "name": "Me"})
        assert again.status_code == 200
        (row,) = somebody.rows(f"users?select=*,households(name)&id=eq.{somebody.id}")
        assert row["households"] == {"name": "Ours"} and row["name"] == "Me" and row["email"] == somebody.email

    def test_ones_own_row_by_insert(self):
        somebody = Person("MCCALL")
        answer = somebody.post("users", {"id": somebody.id, "email": somebody.email, "name": "Me"})
        assert answer.status_code == 201 and answer.json()[0]["name"] == "Me", answer.text
        assert somebody.rows(f"users?select=id,name&id=eq.{somebody.id}") == [{"id": somebody.id, "name": "Me"}]
        refused(somebody.post("users", {"id": somebody.id, "name": "Again"}), 409, "23505")
        refused(somebody.post("users", {"id": fresh(), "name": "x"}), 403, "42501")

    def test_the_first_sign_up_as_the_app_does_it(self):
        somebody = Person("MCCALL", "Ida")
        assert somebody.rows("households?select=*") == []
        household = {"id": fresh().upper(), "name": "Ida's Household", "created_at": now().isoformat()}
        assert somebody.post("households", household, prefer=()).status_code == 201
        made = somebody.post("users", {
            "id": somebody.id.upper(), "household_id": household["id"], "name": "Ida", "email": somebody.email,
            "notification_times": ["07:00", "18:00"], "device_token": None, "created_at": now().isoformat()}, prefer=())
        assert (made.status_code, made.content) == (201, b""), made.text
        (row,) = somebody.rows(f"users?select=*&id=eq.{somebody.id.upper()}")
        assert (row["household_id"], row["name"], row["email"]) == (household["id"].lower(), "Ida", somebody.email)
        assert row["notification_times"] == ["07:00", "18:00"] and row["created_at"]

    def test_members_see_each_other_and_nobody_else(self, home):
        first, second, stranger, household, _ = home
        for somebody in (first, second):
            rows = somebody.rows(f"users?select=id,household_id&household_id=eq.{household}")
            assert {row["id"] for row in rows} == {first.id, second.id}
        assert second.rows(f"households?select=name&id=eq.{household}") == [{"name": "Home"}]
        assert stranger.rows(f"users?household_id=eq.{household}") == []
        assert stranger.rows(f"households?id=eq.{household}") == []
        assert second.patch(f"users?id=eq.{first.id}", {"name": "taken"}).json() == []

    def test_a_household_id_alone_opens_nothing(self, home):
        first, _, stranger, household, own = home
        refused(stranger.upsert("users", {"id": stranger.id, "household_id": household}), 403, "42501")
        refused(stranger.patch(f"users?id=eq.{stranger.id}", {"household_id": household}), 403, "42501")
        assert stranger.rows(f"users?select=household_id&id=eq.{stranger.id}") == [{"household_id": own}]
        for table, row in [
            ("pantry_staples", {"name": "x"}), ("recipes", {"title": "x"}), ("grocery_lists", {"week_start": "2026-01-05"}),
            ("calendar_events", {"title": "x", "start_time": "2026-01-01T00:00:00Z", "end_time": "2026-01-01T01:00:00Z"}),
            ("meal_plans", {"date": "2026-01-05", "title": "x"}),
            ("meal_plans", {"date": "2026-01-05", "title": "x", "recipe_id": fresh()}),
            ("tasks", {"title": "x", "assigned_to": first.id}),
        ]:
            refused(stranger.post(table, {**row, "household_id": household}), 403, "42501")

    def test_codes(self, home):
        first, second, stranger, household, _ = home
        refused(stranger.call("create_household_code", {"p_household_id": household}), 400, "P0001")
        refused(stranger.call("join_household_with_code", {"p_code": "nothing"}), 400, "P0001")
        code = second.called("create_household_code", p_household_id=household)["code"]
        assert first.rows(f"households?select=code&id=eq.{household}") == [{"code": code}]
        assert second.called("join_household_with_code", p_code=code) == household

    def test_notification_times_and_tokens(self, home):
        first, second, *_ = home
        (row,) = first.patch(f"users?id=eq.{first.id}", {"notification_times": ["08:00", "19:30"], "device_token": word()}).json()
        assert row["notification_times"] == ["08:00", "19:30"] and row["device_token"]
        assert second.rows(f"users?select=device_token&id=eq.{first.id}") == [{"device_token": None}]

    def tasks(self):
        return "tasks" if has_prefix("MCCALL") else "household_tasks"

    def test_tasks(self, home):
        first, second, stranger, household, _ = home
        table = self.tasks()
        rows = [
            {"id": fresh().upper(), "household_id": household.upper(), "title": title, "description": None, "due_date": due,
             "due_time": time, "priority": priority, "assigned_to": assigned, "created_by": first.id.upper(),
             "is_complete": False, "completed_at": None}
            for title, due, time, priority, assigned in [
                ("later", "2026-05-03", None, "low", None), ("never", None, None, "medium", second.id),
                ("soon", "2026-05-01", "09:30:00", "urgent", second.id.upper())]]
        answer = first.post(table, rows)
        assert answer.status_code == 201, answer.text
        keys = ",".join(row["id"] for row in answer.json())
        made = answer.json()
        assert made[0]["created_by"] == first.id and made[2]["assigned_to"] == second.id
        assert made[2]["due_date"] == "2026-05-01" and made[2]["due_time"].startswith("09:30")
        by = f"{table}?household_id=eq.{household}&id=in.({keys})"
        assert [row["title"] for row in second.rows(f"{by}&order=due_date.asc.nullslast")] == ["soon", "later", "never"]
        assert [row["title"] for row in second.rows(f"{by}&assigned_to=eq.{second.id}&order=title")] == ["never", "soon"]
        assert [row["title"] for row in second.rows(f"{by}&due_date=gte.2026-05-01&due_date=lte.2026-05-02")] == ["soon"]
        then = now().isoformat(timespec="milliseconds")[:-6]
        (row,) = second.patch(f"{table}?id=eq.{made[0]['id']}", {"is_complete": True, "completed_at": then}).json()
        assert row["is_complete"] is True and moment(row["completed_at"]) == moment(then + "+00:00")
        (row,) = first.patch(f"{table}?id=eq.{made[0]['id']}", {"is_complete": False, "completed_at": None}).json()
        assert row["is_complete"] is False and row["completed_at"] is None
        assert stranger.rows(f"{table}?id=in.({keys})") == [] and stranger.delete(f"{table}?id=in.({keys})").json() == []
        refused(first.patch(f"{table}?id=eq.{made[0]['id']}", {"priority": "odd"}), 400, "22P02")
        assert len(second.delete(f"{table}?id=in.({keys})").json()) == 3

    RECIPE = {
        "title": "Soup", "source_url": "https://example.com/soup", "source_type": "url", "base_servings": 4,
        "ingredients": [
            {"id": "a", "name": "carrots", "quantity": 1.5, "unit": "kg", "category": "produce"},
            {"id": "b", "name": "salt", "quantity": None, "unit": None, "category": "pantry"}],
        "steps": ["Cut.", "Cook \"gently\"."], "tags": ["quick", "with, comma"], "prep_time": 10, "cook_time": 30, "notes": "n"}

    def test_recipes(self, home):
        first, second, stranger, household, _ = home
        row = first.made("recipes", {**self.RECIPE, "id": fresh().upper(), "household_id": household})
        for column in ("title", "source_url", "source_type", "base_servings", "steps", "tags", "prep_time", "cook_time", "notes"):
            assert row[column] == self.RECIPE[column], column
        for sent, kept in zip(self.RECIPE["ingredients"], row["ingredients"]):
            assert {name: kept[name] for name in ("name", "quantity", "unit", "category") if sent[name] is not None} == {
                name: sent[name] for name in ("name", "quantity", "unit", "category") if sent[name] is not None}
        by = f"recipes?select=id&household_id=eq.{household}"
        for query in ("tags=cs.{quick}", 'tags=cs.{"with, comma"}', "tags=ov.{quick,none}", "title=ilike.*oup*",
                      "ingredients->0->>name=eq.carrots", "ingredients=cs.[{\"name\":\"salt\"}]", "base_servings=eq.4"):
            assert {"id": row["id"]} in second.rows(f"{by}&{query}"), query
        assert stranger.rows(f"recipes?id=eq.{row['id']}") == []
        (row,) = second.patch(f"recipes?id=eq.{row['id']}", {"tags": [], "steps": [], "base_servings": 6}).json()
        assert (row["tags"], row["steps"], row["base_servings"], row["title"]) == ([], [], 6, "Soup")
        assert len(second.delete(f"recipes?id=eq.{row['id']}").json()) == 1

    def test_what_is_optional_may_be_null(self, home):
        first, _, _, household, _ = home
        for table, row, told in [
            ("recipes", {"title": "S", "ingredients": None, "steps": None, "tags": None, "base_servings": None, "notes": None},
             {"ingredients": [], "steps": [], "tags": [], "base_servings": None, "notes": None}),
            (self.tasks(), {"title": "T", "priority": None, "is_complete": None, "due_date": None, "due_time": "18:30"},
             {"priority": "medium", "is_complete": False, "due_date": None, "due_time": "18:30"}),
            ("grocery_items", {"name": "milk", "quantity": None, "unit": "l", "category": None, "is_checked": None},
             {"quantity": None, "unit": "l", "category": "other", "is_checked": False}),
            ("pantry_staples", {"name": word(), "quantity": None, "unit": "bag", "category": None},
             {"quantity": None, "unit": "bag", "category": "pantry"}),
        ]:
            made = first.made(table, {"household_id": household, **row})
            assert {name: made[name] for name in told} == told, table
            (same,) = first.patch(f"{table}?id=eq.{made['id']}", {name: row[name] for name in told}).json()
            assert {name: same[name] for name in told} == told, table
            refused(first.post(table, {"household_id": household, next(iter(row)): None}), 400, "23502")

    def test_rows_are_as_old_as_their_apps_say(self, home):
        first, _, _, household, _ = home
        then = "2026-01-01T08:00:00.250+00:00"
        recipe = first.made("recipes", {"household_id": household, "title": "S", "created_at": then})
        rows = [recipe] + [first.made(table, {"household_id": household, "created_at": then, **row}) for table, row in [
            (self.tasks(), {"title": "T"}), ("grocery_items", {"name": "milk"}), ("pantry_staples", {"name": word()}),
            ("meal_plans", {"recipe_id": recipe["id"], "date": "2026-04-01"}),
            ("calendar_events", {"title": "Fair", "start_time": "2026-04-01T18:00:00Z"})]]
        assert {row["created_at"] for row in rows} == {then}
        assert all(moment(row["updated_at"]) > moment(then) for row in rows)
        (row,) = first.patch(f"recipes?id=eq.{recipe['id']}", {"title": "Soup", "created_at": "2026-02-01T00:00:00Z"}).json()
        assert (row["title"], row["created_at"]) == ("Soup", then)
        (row,) = first.upsert("recipes", {**row, "title": "Stew", "created_at": "2025-12-01T00:00:00Z"}).json()
        assert (row["title"], row["created_at"]) == ("Stew", then)

    def test_structured_steps(self, home):
        first, _, _, household, _ = home
        answer = first.post("recipes", {"household_id": household, "title": "S", "steps": [{"order": 1, "text": "Cut."}]})
        assert answer.status_code == 201 and answer.json()[0]["steps"] == [{"order": 1, "text": "Cut."}], answer.text

    def test_ingredients_keep_what_a_client_adds(self, home):
        first, _, _, household, _ = home
        ingredient = {"id": fresh(), "name": "salt", "quantity": 2, "unit": "g", "category": "pantry"}
        row = first.made("recipes", {"household_id": household, "title": "S", "ingredients": [ingredient]})
        assert row["ingredients"] == [ingredient]
        odd = [{"name": "oil", "category": "baking", "quantity": None, "swap": {"for": ["butter", None]}}]
        (row,) = first.patch(f"recipes?id=eq.{row['id']}", {"ingredients": odd, "steps": ["Cut.", {"n": 1}]}).json()
        assert (row["ingredients"], row["steps"]) == (odd, ["Cut.", {"n": 1}])

    def test_ingredients_of_several_lines_come_back_as_they_were_written(self, home):
        first, second, _, household, _ = home
        pasted = [{"name": "Salt\n", "quantity": 2, "unit": "g"}, {"name": "oil", "unit": "tea\tspoon"},
                  "two\r\neggs", {"name": "bell\u0007pepper", "quantity": 1}]
        row = first.made("recipes", {"household_id": household, "title": "S", "ingredients": pasted})
        assert row["ingredients"] == pasted
        assert second.rows(f"recipes?id=eq.{row['id']}&select=ingredients") == [{"ingredients": pasted}]
        (row,) = first.patch(f"recipes?id=eq.{row['id']}", {"ingredients": pasted[1:]}).json()
        assert row["ingredients"] == pasted[1:]

    def test_meal_plans(self, home):
        first, second, stranger, household, _ = home
        table = "meal_plans"
        recipe = first.made("recipes", {**self.RECIPE, "household_id": household})
        rows = [{"id": fresh(), "household_id": household, "recipe_id": recipe["id"].upper(), "date": f"2026-06-{day:02}",
                 "servings_override": 3} for day in (1, 4, 8)]
        assert first.post(table, rows).status_code == 201
        found = second.rows(
            f"{table}?select=date,servings_override,recipes(title)&household_id=eq.{household}"
            "&date=gte.2026-06-01&date=lt.2026-06-08&order=date.asc.nullslast")
        assert found == [{"date": f"2026-06-{day:02}", "servings_override": 3, "recipes": {"title": "Soup"}} for day in (1, 4)]
        refused(first.post(table, {"household_id": household, "recipe_id": fresh(), "date": "2026-06-01"}), 409, "23503")
        assert stranger.rows(f"{table}?household_id=eq.{household}") == []
        (row,) = second.patch(f"{table}?id=eq.{rows[0]['id']}", {"servings_override": None}).json()
        assert row["servings_override"] is None
        assert len(second.delete(f"{table}?household_id=eq.{household}&date=gte.2026-06-01").json()) == 3

    @pytest.mark.parametrize("table, day", [
        ("meal_plan", "scheduled_date"), ("meal_plan", "date"), ("meal_plan_entries", "date"), ("meal_plans", "scheduled_date")])
    def test_a_meal_s_day_by_either_name(self, home, table, day):
        first, second, _, household, _ = home
        title = word()
        made = first.made(table, {"household_id": household, "title": title, day: "2026-06-11T00:00:00"})
        assert (made["scheduled_date"], made["date"]) == ("2026-06-11", "2026-06-11")
        by = f"{table}?household_id=eq.{household}&title=eq.{title}"
        (moved,) = second.patch(by, {day: "2026-06-12"}).json()
        assert moved["scheduled_date"] == moved["date"] == "2026-06-12"
        assert len(first.rows(f"{by}&{day}=gte.2026-06-12&{day}=lte.2026-06-12")) == 1
        refused(second.patch(by, {day: None}), 400, "23502")
        refused(first.post(table, {"household_id": household, "title": title}), 400, "23502")
        assert len(second.delete(by).json()) == 1

    def test_meals_go_with_their_recipe(self, home):
        first, second, _, household, _ = home
        kept, gone = (first.made("recipes", {"title": word(), "household_id": household}) for _ in range(2))
        for recipe in (kept, gone):
            assert (recipe["base_servings"], recipe["source_type"]) == (4, "manual")
            first.made("meal_plan", {"household_id": household, "recipe_id": recipe["id"], "scheduled_date": "2026-06-20"})
        assert second.delete(f"recipes?id=eq.{gone['id']}").status_code == 200
        rows = first.rows(f"meal_plan?select=recipe_id&household_id=eq.{household}&scheduled_date=eq.2026-06-20")
        assert rows == [{"recipe_id": kept["id"]}]

    def test_whoever_made_a_thing_is_embedded(self, home):
        first, second, _, household, _ = home
        first.patch(f"users?id=eq.{first.id}", {"name": "Ida"})
        second.patch(f"users?id=eq.{second.id}", {"name": "Jon"})
        task = first.made("tasks", {"household_id": household, "title": word(), "assigned_to": second.id})
        (row,) = second.rows(f"tasks?select=by:users!created_by(name),of:users!assigned_to(name),users(name)&id=eq.{task['id']}")
        assert row == {"by": {"name": "Ida"}, "of": {"name": "Jon"}, "users": {"name": "Jon"}}
        event = first.made("calendar_events", {
            "household_id": household, "title": word(), "start_time": "2027-06-01T10:00:00Z", "end_time": "2027-06-01T11:00:00Z"})
        (row,) = second.rows(f"calendar_events?select=users(name)&id=eq.{event['id']}")
        assert row == {"users": {"name": "Ida"}}

    def test_groceries(self, home):
        first, second, stranger, household, _ = home
        list_ = first.made("grocery_lists", {"household_id": household, "week_start": "2026-06-01", "is_current": True})
        assert (list_["week_start"], list_["is_current"], list_["household_id"]) == ("2026-06-01", True, household)
        rows = [{"id": fresh(), "grocery_list_id": list_["id"], "household_id": household, "name": name, "quantity": quantity, "unit": "g",
                 "category": category, "is_checked": False}
                for name, quantity, category in [("milk", 1.5, "dairy"), ("apples", 6, "produce")]]
        answer = first.post("grocery_items", rows)
        assert answer.status_code == 201, answer.text
        assert [(row["name"], row["quantity"], row["category"], row["is_checked"]) for row in answer.json()] == [
            ("milk", 1.5, "dairy", False), ("apples", 6, "produce", False)]
        by = f"grocery_items?grocery_list_id=eq.{list_['id']}"
        assert second.patch(f"{by}&name=eq.milk", {"is_checked": True}).json()[0]["is_checked"] is True
        counted = second.ask("HEAD", f"{by}&is_checked=is.true", prefer="count=exact")
        assert counted.headers["content-range"].endswith("/1")
        (row,) = second.rows(f"grocery_lists?select=id,grocery_items(name)&id=eq.{list_['id']}&grocery_items.order=name")
        assert [item["name"] for item in row["grocery_items"]] == ["apples", "milk"]
        assert len(second.rows(f"{by}&order=sort_order")) == 2
        assert stranger.rows(by) == [] and stranger.rows(f"grocery_lists?id=eq.{list_['id']}") == []
        assert len(second.delete(f"{by}&name=eq.milk").json()) == 1

    def test_a_list_keeps_the_key_that_a_client_gave(self, home):
        first, _, _, household, _ = home
        key = fresh()
        answer = first.upsert("grocery_lists", {
            "id": key.upper(), "household_id": household, "week_start": "2026-07-06", "is_current": True,
            "meal_plan_hash": "abc", "generated_at": "2026-07-01T00:00:00.000"})
        assert answer.status_code == 201, answer.text
        assert answer.json()[0]["id"] == key
        # The app made the list, and tells by its own digest whether the plan has changed since.
        assert answer.json()[0]["meal_plan_hash"] == "abc" and moment(answer.json()[0]["generated_at"]) == datetime.datetime(
            2026, 7, 1, tzinfo=datetime.timezone.utc)
        (row,) = first.patch(f"grocery_lists?id=eq.{key}", {"meal_plan_hash": "abd", "is_current": True}).json()
        assert row["meal_plan_hash"] == "abd" and row["is_current"] is True
        assert first.rows(f"grocery_lists?select=id,week_start&id=eq.{key}") == [{"id": key, "week_start": "2026-07-06"}]
        again = first.upsert("grocery_lists", {"id": key, "household_id": household, "week_start": "2026-07-06"})
        assert again.status_code == 200 and again.json()[0]["id"] == key, again.text
        refused(first.post("grocery_lists", {"id": key, "household_id": household, "week_start": "2026-07-06"}), 409, "23505")

    def test_a_week_may_have_lists_of_several_keys(self, home):
        first, second, _, household, _ = home
        keys = [fresh(), fresh()]
        for key in keys:
            made = first.made("grocery_lists", {"id": key, "household_id": household, "week_start": "2026-09-07"})
            assert made["id"] == key
            item = {"id": fresh(), "grocery_list_id": key, "household_id": household, "name": "tea"}
            assert second.made("grocery_items", item)["grocery_list_id"] == key
        for key in keys:
            assert [row["name"] for row in first.rows(f"grocery_items?grocery_list_id=eq.{key}")] == ["tea"]

    def test_weeks_begin_when_the_app_says_and_it_chooses_its_list(self, home):
        first, second, _, household, _ = home
        lists = [first.made("grocery_lists", {"household_id": household, "week_start": "2026-11-08", "is_current": True})
                 for _ in range(2)]
        assert lists[0]["id"] != lists[1]["id"] and {row["week_start"] for row in lists} == {"2026-11-08"}
        by = f"grocery_lists?household_id=eq.{household}&week_start=eq.2026-11-08&order=created_at"
        assert [row["is_current"] for row in second.rows(by)] == [False, True]
        (row,) = second.patch(f"grocery_lists?id=eq.{lists[0]['id']}", {"is_current": True}).json()
        assert row["is_current"] is True
        assert [row["is_current"] for row in first.rows(by)] == [True, False]
        current = first.rows(f"grocery_lists?household_id=eq.{household}&is_current=is.true")
        assert [row["id"] for row in current] == [lists[0]["id"]]
        (row,) = first.patch(f"grocery_lists?id=eq.{lists[0]['id']}", {"is_current": False}).json()
        assert row["is_current"] is False
        old = first.made("grocery_lists", {"household_id": household, "week_start": "2026-11-15", "is_current": False,
                                           "generated_at": "2026-11-01T00:00:00Z"})
        assert (old["is_current"], old["meal_plan_hash"]) == (False, None)
        assert moment(old["generated_at"]) == datetime.datetime(2026, 11, 1, tzinfo=datetime.timezone.utc)

    def test_a_list_goes_with_its_items(self, home):
        first, second, stranger, household, _ = home
        key = first.made("grocery_lists", {"household_id": household, "week_start": "2026-10-05"})["id"]
        item = first.made("grocery_items", {"grocery_list_id": key, "household_id": household, "name": "tea"})
        assert stranger.delete(f"grocery_lists?id=eq.{key}").json() == []
        assert [row["id"] for row in second.delete(f"grocery_lists?id=eq.{key}").json()] == [key]
        assert first.rows(f"grocery_lists?id=eq.{key}") == [] and first.rows(f"grocery_items?id=eq.{item['id']}") == []
        assert second.delete(f"grocery_lists?id=eq.{key}").json() == []
        assert first.made("grocery_lists", {"household_id": household, "week_start": "2026-10-05"})["id"] != key

    def test_items_are_ordered_as_the_client_said(self, home):
        first, _, _, household, _ = home
        list_ = first.made("grocery_lists", {"household_id": household, "week_start": "2026-08-03"})
        for name, place in (("c", 3), ("a", 1), ("b", 2)):
            first.made("grocery_items", {"grocery_list_id": list_["id"], "household_id": household, "name": name, "sort_order": place})
        rows = first.rows(f"grocery_items?select=name&grocery_list_id=eq.{list_['id']}&order=sort_order.asc.nullslast")
        assert [row["name"] for row in rows] == ["a", "b", "c"]
        by = f"grocery_items?grocery_list_id=eq.{list_['id']}"
        assert first.patch(f"{by}&name=eq.c", {"sort_order": 0}).json()[0]["sort_order"] == 0
        assert [row["name"] for row in first.rows(f"{by}&order=sort_order")] == ["c", "a", "b"]

    def test_pantry_staples(self, home):
        first, second, stranger, household, _ = home
        row = first.made("pantry_staples", {"id": fresh(), "household_id": household, "name": word("salt"), "category": "pantry"})
        assert second.patch(f"pantry_staples?id=eq.{row['id']}", {"category": "dairy"}).json()[0]["category"] == "dairy"
        assert row["name"] in [staple["name"] for staple in second.rows(f"pantry_staples?household_id=eq.{household}&order=name")]
        assert stranger.rows(f"pantry_staples?id=eq.{row['id']}") == []
        refused(first.post("pantry_staples", {"household_id": household}), 400, "23502")
        for unit in ("", None, "bag"):
            assert first.made("pantry_staples", {"name": word(), "quantity": 2, "unit": unit})["unit"] == unit
        assert len(second.delete(f"pantry_staples?id=eq.{row['id']}").json()) == 1

    def test_calendar_events(self, home):
        first, second, stranger, household, _ = home
        rows = [{"id": fresh().upper(), "household_id": household, "title": title, "description": None, "start_time": start,
                 "end_time": end, "all_day": False} for title, start, end in [
                     ("dinner", "2026-06-02T18:00:00.000", "2026-06-02T20:00:00.000"),
                     ("lunch", "2026-06-01T14:00:00+02:00", "2026-06-01T15:00:00+02:00")]]
        answer = first.post("calendar_events", rows)
        assert answer.status_code == 201, answer.text
        made = answer.json()
        assert moment(made[1]["start_time"]) == datetime.datetime(2026, 6, 1, 12, tzinfo=datetime.timezone.utc)
        assert made[0]["created_by"] == first.id and made[0]["all_day"] is False
        found = second.rows(
            f"calendar_events?household_id=eq.{household}&start_time=gte.2026-06-01T00:00:00.000"
            "&start_time=lt.2026-06-03T00:00:00.000&order=start_time.asc.nullslast")
        assert [row["title"] for row in found] == ["lunch", "dinner"]
        assert stranger.rows(f"calendar_events?id=eq.{made[0]['id']}") == []
        (row,) = second.patch(f"calendar_events?id=eq.{made[0]['id']}", {"location": "", "description": ""}).json()
        assert (row["location"], row["description"]) == ("", "")
        (row,) = second.patch(f"calendar_events?id=eq.{made[0]['id']}", {"title": "supper"}).json()
        assert row["title"] == "supper" and row["start_time"] == made[0]["start_time"]
        assert len(second.delete(f"calendar_events?id=in.({made[0]['id']},{made[1]['id']})").json()) == 2

    def test_synced_events(self, home):
        first, second, _, household, _ = home
        event = word("google")
        row = {"household_id": household, "google_event_id": event, "title": "Sync", "start_time": "2026-06-02T18:00:00Z",
               "end_time": "2026-06-02T19:00:00Z", "all_day": False, "synced_at": "2026-06-01T00:00:00Z"}
        made = first.made("calendar_events", row)
        assert made["google_event_id"] == event
        assert len(second.rows(f"calendar_events?google_event_id=eq.{event}")) == 1
        # The next sync sends it again, perhaps as a row with another key.
        answer = second.upsert("calendar_events?on_conflict=google_event_id", {**row, "id": fresh(), "title": "Later"})
        assert answer.status_code == 200, answer.text
        assert (answer.json()[0]["id"], answer.json()[0]["title"]) == (made["id"], "Later")
        whole = first.made("calendar_events", {
            "household_id": household, "title": "Day", "start_time": "2026-06-05T00:00:00", "end_time": "2026-06-06T00:00:00", "all_day": True})
        assert whole["all_day"] is True and moment(whole["start_time"])
        # Midnight in New York, where new accounts live.
        local = first.made("calendar_events", {
            "household_id": household, "title": "There", "start_time": "2026-06-05T04:00:00", "end_time": "2026-06-06T04:00:00", "all_day": True})
        assert (local["start_time"], local["end_time"]) == (whole["start_time"], whole["end_time"])

    def test_what_is_pasted_is_one_line(self, home):
        first, _, _, household, _ = home
        for table, column in [("tasks", "title"), ("recipes", "title"), ("pantry_staples", "name")]:
            made = first.made(table, {"household_id": household, column: word("a") + "\r\n\tb\n"})
            assert "\n" not in made[column] and made[column].endswith(" b"), made

    def test_nobody_says_that_another_made_it(self, home):
        first, second, _, household, _ = home
        for table, row in [
                ("tasks", {"title": "hers"}), ("pantry_staples", {"name": word("hers")}), ("recipes", {"title": "hers"}),
                ("calendar_events", {"title": "hers", "start_time": "2026-06-02T18:00:00Z", "end_time": "2026-06-02T19:00:00Z"})]:
            row = {"id": fresh(), "household_id": household, **row}
            refused(first.post(table, {**row, "created_by": second.id}), 403, "42501")
            assert first.rows(f"{table}?id=eq.{row['id']}") == []
            made = first.made(table, {**row, "created_by": None})
            assert made["created_by"] == first.id
            # A row made by another member is written back as it was read.
            answer = second.upsert(table, made)
            assert answer.status_code == 200 and answer.json()[0]["created_by"] == first.id, answer.text

    def test_leaving(self):
        one, other = Person("MCCALL"), Person("MCCALL")
        household = one.made("households", {"name": "H"})["id"]
        code = one.called("create_household_code", p_household_id=household)["code"]
        other.called("join_household_with_code", p_code=code)
        staple = other.made("pantry_staples", {"household_id": household, "name": "salt"})
        (row,) = other.patch(f"users?id=eq.{other.id}", {"household_id": None}).json()
        assert row["household_id"] is None
        assert other.rows(f"pantry_staples?id=eq.{staple['id']}") == [] and len(one.rows(f"pantry_staples?id=eq.{staple['id']}")) == 1


class TestMotiv:
    def test_profiles(self):
        somebody = Person("MOTIV", "Gil")
        (row,) = somebody.rows(f"profiles?id=eq.{somebody.id}")
        assert (row["name"], row["email"]) == ("Gil", somebody.email)
        assert somebody.upsert("profiles", {"id": somebody.id, "name": "New"}).json()[0]["name"] == "New"

    def test_goals(self, gina, hugo):
        goal = gina.made("goals", {"title": "Run", "user_id": gina.id.upper()})
        assert (goal["description"], goal["user_id"]) == (None, gina.id)
        refused(gina.post("goals", {"title": None}), 400, "23502")
        refused(gina.post("goals", {"title": ""}), 400, "23514")
        refused(hugo.post("goals", {"title": "x", "user_id": gina.id}), 403, "42501")
        assert hugo.rows(f"goals?id=eq.{goal['id']}") == []
        other = gina.made("goals", {"title": "Later"})
        found = gina.rows(f"goals?select=id&id=in.({goal['id']},{other['id']})&order=created_at.desc.nullslast")
        assert [row["id"] for row in found] == [other["id"], goal["id"]]

    def test_habits_of_goals_and_their_logs(self, gina, hugo):
        goal = gina.made("goals", {"title": "Run"})
        habit = gina.made("habits", {"name": "Jog", "goal_id": goal["id"].upper(), "user_id": gina.id})
        assert habit["goal_id"] == goal["id"]
        rows = [{"habit_id": habit["id"], "user_id": gina.id, "date": f"2026-02-{day:02}"} for day in (1, 2, 5)]
        answer = gina.post("habit_logs", rows)
        assert answer.status_code == 201, answer.text
        assert [row["date"] for row in answer.json()] == ["2026-02-01", "2026-02-02", "2026-02-05"]
        refused(gina.post("habit_logs", rows[0]), 409, "23505")
        assert gina.upsert("habit_logs?on_conflict=habit_id,date", rows[:1], IGNORE).json() == []
        found = gina.rows(f"habit_logs?select=date&habit_id=eq.{habit['id']}&date=gte.2026-02-02&order=date.desc")
        assert [row["date"] for row in found] == ["2026-02-05", "2026-02-02"]
        assert len(gina.delete(f"habit_logs?habit_id=eq.{habit['id']}&date=eq.2026-02-02").json()) == 1
        (row,) = gina.rows(f"goals?select=title,habits(name,habit_logs(date))&id=eq.{goal['id']}&habits.habit_logs.order=date")
        assert row == {"title": "Run", "habits": [{"name": "Jog", "habit_logs": [{"date": "2026-02-01"}, {"date": "2026-02-05"}]}]}
        (row,) = gina.rows(f"habits?select=name,goals(title)&id=eq.{habit['id']}")
        assert row["goals"] == {"title": "Run"}
        (row,) = gina.rows(f"goals?select=habits(count)&id=eq.{goal['id']}")
        assert row["habits"] == [{"count": 1}]
        assert hugo.rows(f"habit_logs?habit_id=eq.{habit['id']}") == []
        assert hugo.post("habits", {"name": "x", "goal_id": goal["id"]}).status_code in (403, 409)
        refused(gina.post("habits", {"name": "x", "goal_id": fresh()}), 409, "23503")
        assert len(gina.delete(f"goals?id=eq.{goal['id']}").json()) == 1
        assert gina.rows(f"habits?id=eq.{habit['id']}") == [] and gina.rows(f"habit_logs?habit_id=eq.{habit['id']}") == []

    def test_todays_toggle(self, gina):
        habit = gina.habit()
        # A day starts some hours after midnight.
        today = (now() - datetime.timedelta(hours=4)).date()
        day, yesterday = today.isoformat(), (today - datetime.timedelta(days=1)).isoformat()
        for _ in range(2):
            gina.made("habit_logs", {"habit_id": habit["id"], "date": yesterday})
            assert len(gina.delete(f"habit_logs?habit_id=eq.{habit['id']}&date=eq.{yesterday}").json()) == 1
        answer = gina.post("habit_logs", {"habit_id": habit["id"], "date": day})
        assert answer.status_code == 201, answer.text
