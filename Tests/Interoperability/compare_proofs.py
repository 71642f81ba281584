"""Compares `daybook prove` and `daybook check-proof` with Examples/verify/check_proof.py, on random books and on forgeries.

    python3 compare_proofs.py DAYBOOK [ROUNDS] [SEED]

Each round makes a book of two people and three habits, of several segments, with logs, skips, clears, pauses, changes of
schedules, targets and zones, and a hive that people log, leave and join again; proves each habit and the hive for a random
day; and lets both check the proof. Both must report the same streaks, and the book's head. Then an adversary: bits flipped,
bytes cut off, and entries changed, moved or taken away with every length and the checksum recomputed; both must refuse.
"""

import datetime
import hashlib
import json
import pathlib
import random
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.append(str(ROOT / "Examples" / "verify"))
import check_proof

ACCOUNTS = [f"00000000-0000-4000-8000-00000000000{letter}" for letter in "abc"]
HIVE = "00000000-0000-4000-8000-00000000000f"
HABITS = [f"00000000-0000-4000-8000-00000000000{number}" for number in "123"]
ZONES = ["UTC", "Europe/London", "Asia/Tokyo", "Pacific/Honolulu", "America/New_York"]


def run(*words, **options):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, **options)


def stamp(at):
    return datetime.datetime.fromtimestamp(at, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def commands(chance):
    """Commands of a random past; some are refused, and change nothing."""
    at, lines = 1_772_323_200, []

    def add(command, whose=None):
        nonlocal at
        at += chance.randrange(1, 50_000)
        lines.append(json.dumps(command | ({"as": whose} if whose else {}) | {"at": stamp(at)}))

    owners = [ACCOUNTS[0], ACCOUNTS[1], ACCOUNTS[0]]
    for account in ACCOUNTS:
        add({"do": "create_account", "key": account, "display_name": "Ada", "timezone": chance.choice(ZONES),
             "day_start_hour": chance.randrange(6)})
    plans = [{"schedule_daily": True}, {"schedule_weekmask": chance.randrange(1, 128)},
             {"schedule_quota": {"times": chance.randrange(1, 4), "days": chance.choice([5, 7, 30, 31])}}]
    for habit, owner in zip(HABITS, owners):
        add({"do": "create_habit", "key": habit, "name": "Read", "type": "counter", "target_per_day": 2,
             "target_bound": chance.choice(["at_least", "at_least", "at_most"])} | chance.choice(plans), owner)
    add({"do": "create_hive", "key": HIVE, "name": "Readers", "type": "counter", "target_per_day": 2,
         "threshold": chance.choice([None, None, 2])}, ACCOUNTS[0])
    add({"do": "create_hive_invite", "p_hive_id": HIVE, "code": "0123456789ab", "p_ttl_minutes": 100_000, "p_max_uses": 20},
        ACCOUNTS[0])
    for account in ACCOUNTS[1:]:
        add({"do": "join_hive_with_code", "p_code": "0123456789ab"}, account)
    for _ in range(chance.randrange(20, 120)):
        place = chance.randrange(3)
        hive_log = {"do": "log_hive_today", "p_hive_id": HIVE, "p_value": chance.choice([1, 2, 2, 3])}
        for account in ACCOUNTS:
            if chance.random() < 0.35:
                add(hive_log, account)
        if chance.random() < 0.1:
            add(chance.choice([{"do": "leave_hive", "p_hive_id": HIVE}, {"do": "join_hive_with_code", "p_code": "0123456789ab"},
                               {"do": "clear_hive_log", "p_hive_id": HIVE}, {"do": "settle"}]), chance.choice(ACCOUNTS[1:]))
        habit, owner = HABITS[place], owners[place]
        day = str(datetime.datetime.fromtimestamp(at, datetime.timezone.utc).date() - datetime.timedelta(chance.randrange(6)))
        last = str(datetime.date.fromisoformat(day) + datetime.timedelta(chance.randrange(5)))
        add(*chance.choice([({"do": "log_habit", "habit": habit, "value": chance.randrange(4)}, owner)] * 8 + [
            ({"do": "log_habit", "habit": habit, "value": 2, "day": day, "note": "a secret"}, owner),
            ({"do": "skip_day", "habit": habit, "day": day}, owner), ({"do": "clear_log", "habit": habit, "day": day}, owner),
            ({"do": "pause", "from": day, "to": last}, owner), ({"do": "resume"}, owner),
            ({"do": "update_habit", "habit": habit} | chance.choice(plans), owner),
            ({"do": "update_habit", "habit": habit, "target_per_day": chance.randrange(1, 4)}, owner),
            ({"do": "archive_habit", "habit": habit}, owner), ({"do": "restore_habit", "habit": habit}, owner),
            ({"do": "undo"}, owner),
            ({"do": "update_profile", "timezone": chance.choice(ZONES)}, owner)]))
    # A hive with a valid invite is not proved.
    add({"do": "revoke_hive_invite", "p_code": "0123456789ab"}, ACCOUNTS[0])
    return lines


def sealed(data):
    """A file with its checksum recomputed."""
    return data[:-32] + hashlib.sha256(data[:-32]).digest()


def refuses(data, head):
    try:
        check_proof.check(data, head)
        return False
    except (ValueError, LookupError, TypeError, AttributeError, OverflowError, RecursionError):
        return True


def forgeries(data, chance):
    """Changed files, some of them with the checksum recomputed."""
    for _ in range(12):
        place = chance.randrange(len(data))
        yield data[:place] + bytes([data[place] ^ 1 << chance.randrange(8)]) + data[place + 1 :]
    yield data[: chance.randrange(len(data))]
    proof = check_proof.Proof(data)
    forms = [form for segment in proof.segments for way in [segment["thing"], *segment["accounts"]] for _, form, _ in way["entries"]]
    for _ in range(12):
        form = chance.choice(forms)
        place = data.index(form) + chance.randrange(len(form))
        yield sealed(data[:place] + bytes([data[place] ^ 1 << chance.randrange(8)]) + data[place + 1 :])
    for form in chance.sample(forms, min(4, len(forms))):
        # Removes the last entry of a list, with its position and its length.
        place = data.index(form)
        yield sealed(data[: place - 2] + data[place + len(form) :])
    for _ in range(12):
        place = chance.randrange(data.index(b"}") if chance.random() < 0.1 else len(data) // 2, len(data) - 32)
        yield sealed(data[:place] + bytes([data[place] ^ 1 << chance.randrange(8)]) + data[place + 1 :])


def compare(daybook, book, work, chance, what):
    head = run(daybook, "head", "--book", book).stdout.split()[0]
    proved = 0
    for habit, owner in zip([*HABITS, HIVE], [ACCOUNTS[0], ACCOUNTS[1], ACCOUNTS[0], ACCOUNTS[0]]):
        file = work / "habit.proof"
        on = [] if chance.random() < 0.3 else ["--on", str(datetime.date(2026, 3, 2) + datetime.timedelta(chance.randrange(40)))]
        done = run(daybook, "prove", habit, "--book", book, "--as", owner, "--output", file, *on)
        if done.returncode != 0:
            if "ahead" in done.stderr or "to come" in done.stderr or "future" in done.stderr or "not yet" in done.stderr:
                continue
            sys.exit(f"{what}: {habit} is not proved: {done.stdout}{done.stderr}")
        proved += 1
        theirs = run(daybook, "check-proof", file, "--head", head, "--json")
        data = file.read_bytes()
        ours = check_proof.check(data, head)
        told = json.loads(theirs.stdout)
        for key in ("book", "head", "on", "current", "longest", "entries", "members" if habit == HIVE else "current_start"):
            if ours[key] != told[key]:
                sys.exit(f"{what}: {habit}: {key} is {told[key]}, and {ours[key]} by check_proof.py")
        if b"secret" in data:
            sys.exit(f"{what}: a proof tells a note")
        for number, forged in enumerate(forgeries(data, chance)):
            if forged == data:
                continue
            if not refuses(forged, head):
                sys.exit(f"{what}: forgery {number} of {habit} is taken by check_proof.py")
            file.write_bytes(forged)
            if number % 8 == 0 and run(daybook, "check-proof", file, "--head", head).returncode != 1:
                sys.exit(f"{what}: forgery {number} of {habit} is taken by daybook")
    return proved


def main(daybook, rounds, seed):
    chance = random.Random(seed)
    proved = 0
    for number in range(rounds):
        with tempfile.TemporaryDirectory() as directory:
            work = pathlib.Path(directory)
            book, lines = work / "book", commands(chance)
            cut = chance.randrange(5, len(lines))
            run(daybook, "apply", "--book", book, input="\n".join(lines[:cut]) + "\n")
            if chance.random() < 0.7:
                run(daybook, "seal", "--book", book)
            run(daybook, "apply", "--book", book, input="\n".join(lines[cut:]) + "\n")
            if chance.random() < 0.2:
                run(daybook, "seal", "--book", book)
            proved += compare(daybook, book, work, chance, f"round {number} of seed {seed}")
    print(f"{proved} proofs of {rounds} books: both say the same, and refuse what is forged")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 20, int(sys.argv[3]) if len(sys.argv) > 3 else random.randrange(1 << 30))
