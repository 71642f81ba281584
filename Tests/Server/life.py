"""A person's rows in every table of a server."""

import json
import time

MARK = "qzmarker"


def live(client, session):
    """Makes a row in every table, or changes the row if it exists; every text holds the marker."""
    token, me = session["access_token"], session["user"]["id"]
    # A day starts some hours after midnight.
    today = time.strftime("%Y-%m-%d", time.gmtime(time.time() - 4 * 3600))

    def insert(table, query="", **row):
        preferences = "return=representation,resolution=merge-duplicates"
        answer = client.ask("POST", f"/rest/v1/{table}{query}", row, token, Prefer=preferences)
        if answer.status not in (200, 201):
            raise AssertionError(f"{table}: {answer}")
        return answer.json[0]

    def call(name, **arguments):
        answer = client.ask("POST", f"/rest/v1/rpc/{name}", arguments, token)
        if answer.status not in (200, 204):
            raise AssertionError(f"{name}: {answer}")
        return answer.json

    def text(what):
        return f"{MARK} {what} {time.time_ns()}"

    unique = format(time.time_ns(), "x")
    insert("device_tokens", apns_token=unique.rjust(64, "d"))
    insert("contact_hashes", contact_hash=unique.rjust(64, "a"))
    goal = insert("goals", title=text("goal"))
    habit = insert("habits", name=text("habit"), goal_id=goal["id"])
    call("log_habit", p_habit_id=habit["id"])
    insert("habit_progress", "?on_conflict=user_id,habit_id,date", habit_id=habit["id"], date=today, progress=1)
    hive = call("create_hive_from_habit", p_habit_id=habit["id"], p_name=text("hive"))
    call("create_hive_invite", p_hive_id=hive)
    call("log_hive_today", p_hive_id=hive)
    task = insert("tasks", title=text("task"), description=text("description"))
    label = insert("labels", name=text("label"))
    insert("task_labels", task_id=task["id"], label_id=label["id"])
    homes = client.ask("GET", "/rest/v1/households", None, token).json
    home = homes[0]["id"] if homes else insert("households", name=text("home"))["id"]
    insert("household_tasks", household_id=home, title=text("chore"))
    recipe = insert("recipes", household_id=home, title=text("recipe"))
    insert("meal_plans", household_id=home, recipe_id=recipe["id"], date=today, meal_type="dinner")
    insert("pantry_staples", household_id=home, name=text("staple"))
    starts = time.strftime("%Y-%m-%dT18:00:00Z", time.gmtime())
    insert("calendar_events", household_id=home, title=text("event"), start_time=starts, end_time=starts)
    lists = client.ask("GET", "/rest/v1/grocery_lists", None, token).json
    week = lists[0] if lists else call("generate_grocery_list", p_household_id=home)
    insert("grocery_items", grocery_list_id=week["id"], name=text("item"))
    return json.dumps([habit, task])
