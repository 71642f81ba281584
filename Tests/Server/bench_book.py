"""The people of a bench: a book of theirs, and the same rows for PostgreSQL."""

import concurrent.futures
import datetime
import json
import subprocess
import urllib.request

from served import KEY

HABITS = 10
HIVE_SIZE = 5


def habit_key(number):
    """A key that PostgreSQL computes from the number, too."""
    return f"00000000-0000-4000-8000-{number:012x}"


def hive_key(number):
    return f"00000000-0000-4000-9000-{number:012x}"


def account_key(number):
    return f"00000000-0000-4000-a000-{number:012x}"


def hives(people):
    """Members of each hive, its owner first: everybody is in two."""
    near = [range(first, first + HIVE_SIZE) for first in range(0, people, HIVE_SIZE)]
    step = people // HIVE_SIZE
    far = [[first + step * place for place in range(HIVE_SIZE)] for first in range(step)]
    return [list(hive) for hive in near] + far


def day(ago):
    # New accounts live in New York, and their day starts at four: it has begun nine hours after UTC's at the latest.
    now = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(hours=9)
    return (now.date() - datetime.timedelta(days=ago)).isoformat()


def post(url, body):
    request = urllib.request.Request(
        url, json.dumps(body).encode(), {"apikey": KEY, "Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)


def sign_in(url, number):
    """An access token and the key of the account, which is created at the first sign-in."""
    person = {"provider": "apple", "sub": f"bench-{number}", "email": f"bench-{number}@example.com"}
    token = post(f"{url}/dev/id_token", person)["id_token"]
    session = post(f"{url}/auth/v1/token?grant_type=id_token", {"provider": "apple", "id_token": token})
    return session["access_token"], session["user"]["id"]


def sign_in_all(url, people):
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        return list(pool.map(lambda number: sign_in(url, number), range(people)))


def lines(accounts, days):
    """The commands that make the book: habits, hives, then days of logs, the oldest first."""
    for number in range(len(accounts) * HABITS):
        yield {"do": "create_habit", "as": accounts[number // HABITS], "key": habit_key(number),
               "name": f"Habit {number}", "type": "counter", "target_per_day": 5}
    for number, members in enumerate(hives(len(accounts))):
        yield {"do": "create_hive", "as": accounts[members[0]], "key": hive_key(number), "name": f"Hive {number}"}
        code = f"{number:012x}"
        yield {"do": "create_hive_invite", "as": accounts[members[0]], "p_hive_id": hive_key(number), "code": code}
        for member in members[1:]:
            yield {"do": "join_hive_with_code", "as": accounts[member], "p_code": code}
    for ago in range(days - 1, -1, -1):
        for number in range(len(accounts) * HABITS):
            yield {"do": "log_habit", "as": accounts[number // HABITS], "habit": habit_key(number),
                   "value": 1 + (number + ago) % 5, "day": day(ago)}


def fill(program, book, accounts, entries):
    """Records the book's habits, hives and logs, about as many entries as are asked for."""
    days = max(1, entries // (len(accounts) * HABITS))
    with subprocess.Popen(
        [program, "apply", "--book", book], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        def send():
            for line in lines(accounts, days):
                process.stdin.write(json.dumps(line) + "\n")
            process.stdin.close()
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            sent = pool.submit(send)
            refused = [answer for answer in process.stdout if '"error"' in answer]
            sent.result()
    if refused:
        raise SystemExit(f"the book could not be made: {refused[0]}")
    return days
