"""Two programs record into one book, again and again, while somebody removes, replaces, empties and swaps the files by
which they keep each other out. Of every line that either was answered the entry must be there, at the position that the
answer told; `daybook verify` must find nothing wrong; and no position may be told twice.

    python3 Tests/Durability/two_writers.py DAYBOOK [ROUNDS] [SEED]
"""
import json, os, random, shutil, subprocess, sys, tempfile, threading, time, uuid

daybook = os.path.abspath(sys.argv[1])
rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 20
seed = int(sys.argv[3]) if len(sys.argv) > 3 else random.randrange(1 << 32)
chance = random.Random(seed)
print(f"{rounds} rounds, seed {seed}", flush=True)

ACCOUNT, HABIT = str(uuid.UUID(int=1)), str(uuid.UUID(int=2))
START = 1_704_067_200  # 2024-01-01T00:00:00Z


def stamp(seconds):
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))


class Writer(threading.Thread):
    """Applies line after line, and starts again when it is refused; keeps the answers."""

    def __init__(self, book, number, stop):
        super().__init__(daemon=True)
        self.book, self.number, self.stop = book, number, stop
        self.answered, self.refusals, self.strange = {}, {}, []
        self.next = 0

    def run(self):
        while not self.stop.is_set():
            process = subprocess.Popen([daybook, "apply", "--book", self.book], stdin=subprocess.PIPE,
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            try:
                while not self.stop.is_set():
                    self.next += 1
                    # Each line has a value of its own, by which its entry is known.
                    value = 2 * self.next + self.number
                    line = {"do": "log_habit", "as": ACCOUNT, "habit": HABIT, "value": value,
                            "day": time.strftime("%Y-%m-%d", time.gmtime(START - value % 9000 * 86400)),
                            "at": stamp(START)}
                    process.stdin.write((json.dumps(line) + "\n").encode())
                    process.stdin.flush()
                    answer = process.stdout.readline()
                    if not answer.endswith(b"\n"):
                        break
                    answer = json.loads(answer)
                    if "position" in answer:
                        self.answered[answer["position"]] = value
                    else:
                        self.strange.append(answer)
                        break
            except BrokenPipeError:
                pass
            errors = process.communicate()[1] if process.poll() is None else process.stderr.read()
            reason = {0: "ended", 1: "stopped", 4: "held"}.get(process.returncode)
            if reason is None:
                self.strange.append((process.returncode, errors))
            self.refusals[reason] = self.refusals.get(reason, 0) + 1


def meddle(book, spare):
    """Tampers with the files that keep writers apart; undoes changes that would leave no book."""
    lock, journal = os.path.join(book, "LOCK"), os.path.join(book, "journal")
    choice = chance.randrange(6)
    try:
        if choice == 0:
            os.remove(lock)
        elif choice == 1:
            with open(lock + ".mine", "w") as file:
                file.write("process 1 on a host of long ago\n")
            os.rename(lock + ".mine", lock)
        elif choice == 2:
            with open(lock, "w") as file:
                file.write("")
        elif choice == 3:
            os.rename(lock, lock + ".old")
            os.rename(lock + ".old", lock)
        elif choice == 4:
            # The lock of another book in the place of this one's.
            with open(spare, "w") as file:
                file.write("process 2 on a host of long ago\n")
            os.remove(lock)
            os.link(spare, lock)
            os.remove(spare)
        else:
            os.rename(journal, journal + ".away")
            os.rename(journal + ".away", journal)
    except (FileNotFoundError, FileExistsError):
        # A writer was there first.
        pass
    return choice


directory = tempfile.mkdtemp()
total, meddled, stopped, held = 0, 0, 0, 0
try:
    for round_number in range(rounds):
        book = os.path.join(directory, f"book-{round_number}")
        first = [{"do": "create_account", "key": ACCOUNT, "timezone": "UTC", "day_start_hour": 0, "at": stamp(START)},
                 {"do": "create_habit", "as": ACCOUNT, "key": HABIT, "name": "Read", "type": "counter",
                  "target_per_day": 1000000000, "at": stamp(START)}]
        subprocess.run([daybook, "apply", "--book", book],
                       input="".join(json.dumps(line) + "\n" for line in first).encode(),
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
        stop = threading.Event()
        writers = [Writer(book, number, stop) for number in range(2)]
        for writer in writers:
            writer.start()
        end = time.monotonic() + 1
        while time.monotonic() < end:
            time.sleep(chance.uniform(0.01, 0.12))
            meddle(book, os.path.join(directory, "spare"))
            meddled += 1
        stop.set()
        for writer in writers:
            writer.join()
        verified = subprocess.run([daybook, "verify", "--book", book], capture_output=True)
        assert verified.returncode == 0, (round_number, verified.stdout, verified.stderr)
        export = subprocess.run([daybook, "export", "--book", book], capture_output=True, check=True).stdout
        entries = [json.loads(line) for line in export.splitlines()]
        values = {entry["position"]: entry["data"].get("value") for entry in entries}
        twice = writers[0].answered.keys() & writers[1].answered.keys()
        assert not twice, f"round {round_number}: both were told positions {sorted(twice)[:5]}"
        for writer in writers:
            assert not writer.strange, writer.strange[:3]
            for position, value in writer.answered.items():
                found = values.get(position)
                assert found == value, \
                    f"round {round_number}: answered {value} at {position}, and there is {found}"
            total += len(writer.answered)
            stopped += writer.refusals.get("stopped", 0)
            held += writer.refusals.get("held", 0)
    print(f"{total} lines answered, none lost; meddled {meddled} times, stopped {stopped} writers, {held} found it held")
finally:
    shutil.rmtree(directory)
