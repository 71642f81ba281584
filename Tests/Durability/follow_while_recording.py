"""Follows a book with `daybook tail` from several positions, while other processes record into it, are killed, and seal.

Every tail must show exactly the lines of `daybook export` from its position on: none skipped, none twice.

    python3 Tests/Durability/follow_while_recording.py DAYBOOK [ROUNDS] [SEED]
"""
import json, os, random, shutil, signal, subprocess, sys, tempfile, threading, time, uuid

daybook = os.path.abspath(sys.argv[1])
rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 20
seed = int(sys.argv[3]) if len(sys.argv) > 3 else random.randrange(1 << 32)
chance = random.Random(seed)
print(f"{rounds} rounds, seed {seed}")

ACCOUNT, HABIT = str(uuid.UUID(int=1)), str(uuid.UUID(int=2))
START = 1_704_067_200  # 2024-01-01T00:00:00Z


def stamp(seconds):
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))


def log(number):
    return {"do": "log_habit", "as": ACCOUNT, "habit": HABIT, "value": number, "at": stamp(START + number),
            "day": time.strftime("%Y-%m-%d", time.gmtime(START - (number % 7000) * 86400))}


class Tail:
    """A tail that runs; its lines are read as they come."""

    def __init__(self, book, first):
        self.first, self.lines = first, []
        self.process = subprocess.Popen(
            [daybook, "tail", "--json", "--from", str(first), "--book", book], stdout=subprocess.PIPE,
            stderr=subprocess.PIPE)
        self.thread = threading.Thread(target=self.read, daemon=True)
        self.thread.start()

    def read(self):
        for line in self.process.stdout:
            self.lines.append(line)

    def end(self, count):
        """Waits until the tail has shown this many lines, and interrupts it; returns what it said on stderr."""
        deadline = time.monotonic() + 60
        while len(self.lines) < count and time.monotonic() < deadline and self.process.poll() is None:
            time.sleep(0.01)
        self.process.send_signal(signal.SIGINT)
        errors = self.process.stderr.read()
        self.process.wait()
        self.thread.join()
        return errors


directory = tempfile.mkdtemp()
book = os.path.join(directory, "book")
sent = 0
tails = []
try:
    first = [{"do": "create_account", "key": ACCOUNT, "timezone": "UTC", "day_start_hour": 0, "at": stamp(START)},
             {"do": "create_habit", "as": ACCOUNT, "key": HABIT, "name": "Read", "type": "counter",
              "target_per_day": 1000000000, "at": stamp(START)}]
    subprocess.run([daybook, "apply", "--book", book], input="".join(json.dumps(line) + "\n" for line in first).encode(),
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    for round_number in range(rounds):
        if len(tails) < 6:
            tails.append(Tail(book, chance.choice([1, sent // 2 + 1, sent + 1, sent + 40])))
        writer = subprocess.Popen([daybook, "apply", "--book", book], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL)
        is_killed = chance.random() < 0.5
        timer = threading.Timer(chance.uniform(0.02, 0.15), writer.kill)
        if is_killed:
            timer.start()
        try:
            for _ in range(chance.randrange(50, 300)):
                sent += 1
                writer.stdin.write((json.dumps(log(sent)) + "\n").encode())
                writer.stdin.flush()
            writer.stdin.close()
        except BrokenPipeError:
            pass
        writer.wait()
        timer.cancel()
        if chance.random() < 0.4:
            subprocess.run([daybook, "seal", "--book", book], stdout=subprocess.DEVNULL, check=True)
    export = subprocess.run([daybook, "export", "--book", book], capture_output=True, check=True).stdout
    lines = export.splitlines(keepends=True)
    for tail in tails:
        expected = lines[tail.first - 1:]
        errors = tail.end(len(expected))
        assert tail.lines == expected, (tail.first, len(tail.lines), len(expected), errors)
        assert errors == b"", errors
    segments = len([name for name in os.listdir(os.path.join(book, "journal")) if name.endswith(".avro")])
    print(f"{len(tails)} tails saw each of {len(lines)} entries once, over {segments} segments")
finally:
    for tail in tails:
        tail.process.kill()
    shutil.rmtree(directory)
