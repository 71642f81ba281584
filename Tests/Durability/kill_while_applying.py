"""Kills `daybook apply` at random moments, and now and then `daybook seal`; every answered line must be there
afterwards, and `daybook verify` must find nothing wrong.

    python3 Tests/Durability/kill_while_applying.py DAYBOOK [ROUNDS] [SEED]
"""
import json, os, random, shutil, signal, subprocess, sys, tempfile, threading, time, uuid

daybook = os.path.abspath(sys.argv[1])
rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 200
seed = int(sys.argv[3]) if len(sys.argv) > 3 else random.randrange(1 << 32)
chance = random.Random(seed)
print(f"{rounds} rounds, seed {seed}", flush=True)

ACCOUNT, HABIT = str(uuid.UUID(int=1)), str(uuid.UUID(int=2))
START = 1_704_067_200  # 2024-01-01T00:00:00Z
# A book is begun anew now and then, so that it is also killed while it is made, and read quickly.
ROUNDS_PER_BOOK = 50


def stamp(seconds):
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))


def line(number):
    """The n-th command; each log has a day of its own, so that it can be found again."""
    if number == 0:
        return {"do": "create_account", "key": ACCOUNT, "timezone": "UTC", "day_start_hour": 0, "at": stamp(START),
                "id": str(uuid.UUID(int=10))}
    if number == 1:
        return {"do": "create_habit", "as": ACCOUNT, "key": HABIT, "name": "Read", "type": "counter",
                "target_per_day": 1000000, "at": stamp(START), "id": str(uuid.UUID(int=11))}
    return {"do": "log_habit", "as": ACCOUNT, "habit": HABIT, "value": number,
            "day": time.strftime("%Y-%m-%d", time.gmtime(START - number * 86400)), "at": stamp(START + number),
            "id": str(uuid.UUID(int=number + 10))}


def start(command, book, seconds):
    """Starts a command on the book, to be killed after this many seconds."""
    process = subprocess.Popen([daybook, command, "--book", book], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL)
    timer = threading.Timer(seconds, process.send_signal, [signal.SIGKILL])
    timer.start()
    return process, timer


def apply(book, first):
    """Sends commands from the first on, until the program is killed; returns how many were answered, and whether
    it was killed."""
    process, timer = start("apply", book, chance.uniform(0.005, 0.08))
    answers = []
    reader = threading.Thread(target=lambda: answers.extend(process.stdout.readlines()), daemon=True)
    reader.start()
    try:
        for number in range(first, first + 2000):
            process.stdin.write((json.dumps(line(number)) + "\n").encode())
            process.stdin.flush()
    except BrokenPipeError:
        pass
    try:
        process.stdin.close()
    except BrokenPipeError:
        pass
    process.wait()
    timer.cancel()
    reader.join()
    whole = [answer for answer in answers if answer.endswith(b"\n")]
    for number, answer in enumerate(whole, first):
        assert "ok" in json.loads(answer), (number, answer)
    return len(whole), process.returncode == -signal.SIGKILL


def seal(book):
    """Seals the book until that is killed; returns whether it was."""
    process, timer = start("seal", book, chance.uniform(0.001, 0.03))
    process.communicate()
    timer.cancel()
    assert process.returncode in (0, -signal.SIGKILL), process.returncode
    verified = subprocess.run([daybook, "verify", "--book", book], capture_output=True)
    assert verified.returncode == 0, verified.stdout + verified.stderr
    return process.returncode == -signal.SIGKILL


directory = tempfile.mkdtemp()
answered = total = killed = killed_sealing = 0
try:
    for round_number in range(rounds):
        if round_number % ROUNDS_PER_BOOK == 0:
            book = os.path.join(directory, f"book-{round_number}")
            answered = 0
        # Begins with the last lines that were sent before: they may or may not have got through.
        count, was_killed = apply(book, answered)
        answered += count
        total += count
        killed += was_killed
        if answered < 2:
            continue
        if chance.random() < 0.4:
            killed_sealing += seal(book)
        dump = subprocess.run([daybook, "dump", "--json", "--book", book], capture_output=True, check=True)
        values = {row["value"] for row in json.loads(dump.stdout)["habit_logs"]}
        missing = set(range(2, answered)) - values
        assert not missing, f"round {round_number}: answered and lost: {sorted(missing)[:5]}"
        assert len(values) == max(values, default=1) - 1, f"round {round_number}: not a prefix"
    print(f"{killed} kills while applying, {killed_sealing} while sealing; {total} lines answered, none lost")
finally:
    shutil.rmtree(directory)
