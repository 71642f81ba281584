"""Makes every call that changes something on disk fail, one at a time and in every way, under the released program.

    python3 Tests/Durability/fault_sweep.py DAYBOOK [--seconds N] [--seed N] [--jobs N]
    python3 Tests/Durability/fault_sweep.py DAYBOOK --only SCENARIO KIND CALL

It builds fault_shim.c and preloads it. Each scenario is run once to count its calls; then again for every call and every
kind of fault: the process killed before or after it, a write torn or short, a call interrupted, failed, or the disk full
from there on. After each, what was answered must be there, `daybook verify` must find nothing wrong, and what the
scenario promises must hold. Where that is more than the seconds given, what is run is chosen by the seed.
"""
import argparse, collections, json, os, pathlib, random, re, shutil, subprocess, sys, tempfile, threading, time

HERE = pathlib.Path(__file__).resolve().parent
KINDS = ["kill-before", "kill-after", "torn", "short", "interrupted", "failed", "full"]
WRITES = {"write", "pwrite"}
# The calls that POSIX lets a signal interrupt, and those that a full disk refuses.
INTERRUPTIBLE = WRITES | {"open", "ftruncate", "fsync", "fdatasync"}
NEEDS_ROOM = WRITES | {"open", "mkdir", "rename", "link", "fsync", "fdatasync"}
ADA, BEE, READ, SWIM, HIVE = (f"00000000-0000-4000-8000-00000000000{digit}" for digit in "12345")
START = 1_704_096_000  # 2024-01-01T08:00:00Z


def stamp(hours=0):
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(START + 3600 * hours))


def log(number, habit=READ, person=ADA):
    """A log of a day and with a note of its own, so that it can be found again."""
    return {"do": "log_habit", "as": person, "habit": habit, "value": number, "note": f"poetry {number}",
            "day": time.strftime("%Y-%m-%d", time.gmtime(START - number * 86400)), "at": stamp(1)}


PEOPLE = [{"do": "create_account", "key": ADA, "display_name": "Lovelace", "timezone": "UTC", "at": stamp()},
          {"do": "create_account", "key": BEE, "display_name": "Bee", "timezone": "UTC", "at": stamp()},
          {"do": "create_habit", "as": ADA, "key": READ, "name": "Looms", "type": "counter",
           "target_per_day": 1000000, "at": stamp()},
          {"do": "create_habit", "as": BEE, "key": SWIM, "name": "Swim", "type": "counter",
           "target_per_day": 1000000, "at": stamp()}]


class Program:
    """The program, without faults."""

    def __init__(self, path):
        self.path = path

    def run(self, *arguments, lines=(), codes=(0,), environment=None):
        text = "".join(json.dumps(line) + "\n" for line in lines)
        done = subprocess.run([self.path, *map(str, arguments)], input=text, capture_output=True, text=True,
                              timeout=60, env=environment)
        assert codes is None or done.returncode in codes, (arguments, done.returncode, done.stderr[-600:])
        return done

    def lines(self, book):
        return self.run("export", "--book", book).stdout.splitlines()

    def head(self, book):
        return re.search(r"^Head: (\S+)$", self.run("verify", "--book", book).stdout, re.MULTILINE)[1]

    def verify(self, book, head=None):
        self.run("verify", "--book", book, *(["--head", head] if head else []))


def make_book(program, book, seals=2):
    """A book of some sealed segments and an active one."""
    program.run("apply", "--book", book, lines=PEOPLE)
    number = 0
    for _ in range(seals + 1):
        logs = [log(number + 1), log(number + 2), log(number + 1, SWIM, BEE)]
        number += 2
        program.run("apply", "--book", book, lines=logs)
        if number <= 2 * seals:
            program.run("seal", "--book", book)


class Scenario:
    """A scenario on a book in a directory of its own, and what must hold whatever goes wrong meanwhile."""
    input = ()

    def __init__(self, program, directory):
        self.program, self.template = program, directory / type(self).__name__.lower()
        self.template.mkdir()
        self.prepare(self.template)
        self.lines_before = self.head = None
        if (self.template / "book").exists():
            self.note_book(self.template / "book")

    def note_book(self, book):
        self.lines_before, self.head = self.program.lines(book), self.program.head(book)

    def prepare(self, work):
        pass

    def make_book(self, book, seals=2):
        make_book(self.program, book, seals)

    def command(self, work):
        raise NotImplementedError

    def check_book_untouched(self, work):
        self.program.verify(work / "book", self.head)
        assert self.program.lines(work / "book") == self.lines_before, "the book changed"

    def check(self, work, done):
        """`done.returncode` is 0 when the program said that all is done."""
        raise NotImplementedError

    def check_healthy(self, work):
        """Notes the complete result, from a run in which nothing went wrong."""


class Init(Scenario):
    def command(self, work):
        return ["init", "--book", work / "book"]

    def check(self, work, done):
        again = self.program.run("init", "--book", work / "book", codes=(0, 1))
        assert done.returncode or "already" in again.stderr, again.stderr
        self.program.verify(work / "book")
        self.program.run("apply", "--book", work / "book", lines=PEOPLE)


class Apply(Scenario):
    """Into a book of an older schema, so that a new segment is begun."""
    input = PEOPLE + [log(number) for number in range(1, 7)]

    def prepare(self, work):
        fixtures = HERE.parent / "DaybookStoreTests" / "Fixtures"
        shutil.copytree(fixtures / "golden-1", work / "book")
        # Accounts of the golden book act in it, too.
        self.day = self.program.lines(work / "book")[-1]
        at = json.loads(self.day)["at"]
        self.input = [dict(line, at=at) for line in self.input]

    def command(self, work):
        return ["apply", "--book", work / "book"]

    def check(self, work, done):
        book = work / "book"
        self.program.verify(book, self.head)
        lines = self.program.lines(book)
        count = len(self.lines_before)
        assert lines[:count] == self.lines_before, "what was there before changed"
        values = [json.loads(line)["data"].get("value") for line in lines[count:]]
        expected = [line.get("value") for line in self.input]
        assert values == expected[:len(values)], (values, "not a prefix of what was asked")
        whole = done.stdout[:done.stdout.rfind("\n") + 1]
        for number, answer in enumerate(map(json.loads, whole.splitlines())):
            assert answer.get("position") == count + 1 + number, answer
            assert number < len(values), f"answered and lost: {answer['position']}"
        assert done.returncode or len(values) == len(expected), "it ended well, and not all is there"
        rest = self.input[len(values):]
        self.program.run("apply", "--book", book, lines=rest)
        assert len(self.program.lines(book)) == count + len(expected), "it does not go on"


class Begin(Apply):
    """Into no book: it is made."""

    def prepare(self, work):
        self.lines_before = []

    def __init__(self, program, directory):
        super().__init__(program, directory)
        self.lines_before = []

    def check(self, work, done):
        if not done.returncode or done.stdout.count("\n") or self.program.run(
                "verify", "--book", work / "book", codes=None).returncode == 0:
            return super().check(work, done)
        # Nobody was answered and there is no book: it can be made.
        self.program.run("apply", "--book", work / "book", lines=self.input)
        self.program.verify(work / "book")


class Seal(Scenario):
    def prepare(self, work):
        self.make_book(work / "book", seals=1)

    def command(self, work):
        return ["seal", "--book", work / "book"]

    def check(self, work, done):
        self.check_book_untouched(work)
        again = self.program.run("seal", "--book", work / "book")
        assert done.returncode or "already" in again.stdout, again.stdout
        self.check_book_untouched(work)


class Erase(Scenario):
    def prepare(self, work):
        self.make_book(work / "book")

    def command(self, work):
        return ["erase-account", "--book", work / "book", ADA, "--yes"]

    def check(self, work, done):
        book = work / "book"
        # Opening the book for writing finishes the erasure.
        if done.returncode:
            self.program.run("apply", "--book", book)
        self.program.verify(book, self.head)
        lines = self.program.lines(book)
        is_erased = any('"AccountErased"' in line for line in lines)
        secrets = [line for line in lines if "Lovelace" in line or "Looms" in line]
        if is_erased:
            assert not secrets, ("erased, and there is", secrets[0])
            assert not [line for line in lines if f'"{READ}"' in line and "poetry" in line]
        else:
            assert done.returncode, "it ended well, and nobody is erased"
            assert lines[:len(self.lines_before)] == self.lines_before, "not erased, and changed"
        left = [name for name in os.listdir(book / "journal") if name.endswith((".rewritten", ".new", ".sealing"))]
        assert not left, left


class Backup(Scenario):
    def prepare(self, work):
        self.make_book(work / "book")

    def command(self, work):
        return ["backup", "--book", work / "book", work / "copy"]

    def check(self, work, done):
        self.check_book_untouched(work)
        restored = self.program.run("restore", "--book", work / "copy", work / "early", codes=None)
        if restored.returncode == 0:
            assert self.program.lines(work / "early") == self.lines_before, "half a backup"
        else:
            assert done.returncode, "it ended well, and cannot be restored"
            self.program.run("backup", "--book", work / "book", work / "copy")
            self.program.run("restore", "--book", work / "copy", work / "late")
            assert self.program.lines(work / "late") == self.lines_before


class Update(Scenario):
    """A backup is brought up to date after an erasure, which rewrote segments that it holds."""

    def prepare(self, work):
        self.make_book(work / "book")
        self.program.run("backup", "--copy", "--book", work / "book", work / "copy")
        self.earlier = self.program.lines(work / "copy")
        self.program.run("erase-account", "--book", work / "book", ADA, "--yes")
        # The entry gets the machine's time, as the erasure did.
        last = {name: value for name, value in log(99, SWIM, BEE).items() if name != "at"}
        self.program.run("apply", "--book", work / "book", lines=[last])

    def command(self, work):
        return ["backup", "--book", work / "book", work / "copy"]

    def check(self, work, done):
        self.check_book_untouched(work)
        self.program.run("restore", "--book", work / "copy", work / "early")
        found = self.program.lines(work / "early")
        assert found in (self.earlier, self.lines_before), "neither the old backup nor the new"
        assert done.returncode or found == self.lines_before, "it ended well, and is the old one"
        self.program.run("backup", "--book", work / "book", work / "copy")
        self.program.verify(work / "copy", self.head)
        assert self.program.lines(work / "copy") == self.lines_before


class Restore(Scenario):
    def prepare(self, work):
        self.make_book(work / "book")

    def command(self, work):
        return ["restore", "--book", work / "book", work / "new"]

    def check(self, work, done):
        self.check_book_untouched(work)
        again = self.program.run("restore", "--book", work / "book", work / "new", codes=(0, 1))
        assert again.returncode == 0 or "already" in again.stderr, again.stderr
        assert done.returncode or again.returncode == 1, "it ended well, and there is no book"
        self.program.verify(work / "new", self.head)
        assert self.program.lines(work / "new") == self.lines_before


class Salvage(Scenario):
    def __init__(self, program, directory):
        super().__init__(program, directory)
        self.files = self.contents(self.template / "book")

    @staticmethod
    def contents(book):
        return {path.name: path.read_bytes() for path in sorted((book / "journal").iterdir())}

    def note_book(self, book):
        """It is damaged."""

    def prepare(self, work):
        self.make_book(work / "book")
        segment = sorted((work / "book" / "journal").glob("*.avro"))[1]
        data = bytearray(segment.read_bytes())
        data[-40] ^= 1
        segment.chmod(0o644)
        segment.write_bytes(data)

    def command(self, work):
        return ["salvage", "--book", work / "book", work / "saved"]

    def check_healthy(self, work):
        self.lines_saved = self.program.lines(work / "saved")
        assert len(self.lines_saved) > 4

    def check(self, work, done):
        assert self.contents(work / "book") == self.files, "the damaged book was changed"
        again = self.program.run("salvage", "--book", work / "book", work / "saved", codes=(0, 1))
        assert again.returncode == 0 or "already" in again.stderr, again.stderr
        assert done.returncode or again.returncode == 1, "it ended well, and there is no book"
        self.program.verify(work / "saved")
        assert self.program.lines(work / "saved") == self.lines_saved


class Import(Scenario):
    """All of an export, or nothing."""

    def prepare(self, work):
        self.make_book(work / "source")
        self.lines_all = self.program.lines(work / "source")
        (work / "lines.jsonl").write_text("".join(line + "\n" for line in self.lines_all))

    def command(self, work):
        return ["import", "jsonl", "--book", work / "book", work / "lines.jsonl"]

    def check(self, work, done):
        verified = self.program.run("verify", "--book", work / "book", codes=None)
        if verified.returncode == 0 and self.program.lines(work / "book") == self.lines_all:
            return
        assert done.returncode, "it ended well, and not all is there"
        if verified.returncode == 0:
            assert self.program.lines(work / "book") == [], "a part was imported"
        self.program.run(*self.command(work))
        self.program.verify(work / "book")
        assert self.program.lines(work / "book") == self.lines_all


class Loop(Scenario):
    """An import of another program's export, in blocks of many commits: a fault leaves a prefix, and a repetition adds the rest."""

    def prepare(self, work):
        self.program.run("init", "--book", work / "book")
        export = work / "export"
        export.mkdir()
        habits = ["Position,Name,Question,Description,NumRepetitions,Interval,Color"]
        days = [time.strftime("%Y-%m-%d", time.gmtime(START - day * 86400)) for day in range(60)]
        for number, name in enumerate(["Read", "Swim"], 1):
            habits.append(f"{number:03},{name},,,1,1,#FF9F1C")
            folder = export / f"{number:03} {name}"
            folder.mkdir()
            (folder / "Checkmarks.csv").write_text("".join(f"{day},2\n" for day in days))
        (export / "Habits.csv").write_text("\n".join(habits) + "\n")

    def command(self, work):
        return ["import", "loop", "--book", work / "book", "--name", "Ada", "--timezone", "UTC", work / "export"]

    @staticmethod
    def facts(lines):
        """Who did what, without the times and keys that are new each time."""
        facts = []
        for line in map(json.loads, lines):
            data = line["data"]
            facts.append((line["event"], data.get("day"), data.get("value")))
        return facts

    def check_healthy(self, work):
        self.all = self.facts(self.program.lines(work / "book"))
        assert len(self.all) > 100, len(self.all)

    def check(self, work, done):
        book = work / "book"
        self.program.verify(book, self.head)
        found = self.facts(self.program.lines(book))
        assert found == self.all[:len(found)], "not a prefix"
        assert done.returncode or len(found) == len(self.all), "it ended well, and not all is there"
        self.program.run(*self.command(work))
        logs = [fact for fact in self.facts(self.program.lines(book)) if fact[0] == "HabitLogged"]
        assert sorted(logs) == sorted(fact for fact in self.all if fact[0] == "HabitLogged")
        self.program.verify(book)


class Export(Scenario):
    def prepare(self, work):
        self.make_book(work / "book", seals=1)
        (work / "out.jsonl").write_text("an earlier export\n")

    def command(self, work):
        return ["export", "--book", work / "book", "--output", work / "out.jsonl"]

    def check(self, work, done):
        self.check_book_untouched(work)
        text = (work / "out.jsonl").read_text()
        whole = "".join(line + "\n" for line in self.lines_before)
        assert text == whole or done.returncode and text == "an earlier export\n", "half an export"


class Settle(Scenario):
    def prepare(self, work):
        self.program.run("apply", "--book", work / "book", lines=PEOPLE + [
            {"do": "create_hive", "as": ADA, "key": HIVE, "name": "Bees", "at": stamp()},
            {"do": "create_hive_invite", "as": ADA, "p_hive_id": HIVE, "code": "0123456789ab", "at": stamp()},
            {"do": "join_hive_with_code", "as": BEE, "p_code": "0123456789ab", "at": stamp()},
            {"do": "log_hive_today", "as": ADA, "p_hive_id": HIVE, "p_value": 1, "at": stamp(1)},
            {"do": "log_hive_today", "as": BEE, "p_hive_id": HIVE, "p_value": 1, "at": stamp(1)},
            {"do": "log_hive_today", "as": ADA, "p_hive_id": HIVE, "p_value": 1, "at": stamp(25)},
            {"do": "log_hive_today", "as": BEE, "p_hive_id": HIVE, "p_value": 1, "at": stamp(25)}])

    def command(self, work):
        return ["settle", "--book", work / "book", "--at", stamp(200)]

    def check_healthy(self, work):
        self.all = self.program.lines(work / "book")
        assert len(self.all) > len(self.lines_before), "nothing was settled"

    def check(self, work, done):
        book = work / "book"
        self.program.verify(book, self.head)
        lines = self.program.lines(book)
        assert lines in (self.lines_before, self.all), "half settled"
        assert done.returncode or lines == self.all, "it ended well, and nothing is settled"
        self.program.run("settle", "--book", book, "--at", stamp(200))
        assert self.program.lines(book) == self.all


SCENARIOS = [Init, Apply, Begin, Seal, Erase, Backup, Update, Restore, Salvage, Import, Loop, Export, Settle]


class Sweep:
    def __init__(self, program, directory, shim):
        self.program, self.directory, self.shim = program, directory, shim
        self.work_count = 0
        self.lock = threading.Lock()

    def run(self, scenario, kind=None, call=0):
        """Runs a scenario with a fault, and checks what is left; returns the calls that were made."""
        with self.lock:
            self.work_count += 1
            work = self.directory / f"work-{self.work_count}"
        shutil.copytree(scenario.template, work, symlinks=True)
        calls = self.directory / f"{work.name}.calls"
        environment = dict(os.environ, LD_PRELOAD=str(self.shim), FAULT_UNDER=str(work), FAULT_LOG=str(calls))
        if kind:
            environment |= {"FAULT_KIND": kind, "FAULT_CALL": str(call)}
        try:
            before = {path for path in work.rglob("*")}
            done = self.program.run(*scenario.command(work), lines=scenario.input, codes=None, environment=environment)
            made = [tuple(line.split(" ", 1)) for line in calls.read_text().splitlines()] if calls.exists() else []
            if kind is None:
                assert done.returncode == 0, (done.returncode, done.stderr)
                seen = {path for _, path in made}
                missed = [path for path in work.rglob("*") if path not in before and str(path) not in seen]
                assert not missed, f"the shim did not see {missed[0]} made"
                scenario.check_healthy(work)
            elif kind in ("short", "interrupted"):
                assert done.returncode == 0, ("it did not go on", done.returncode, done.stderr[-600:])
            elif done.returncode < 0:
                assert kind in ("kill-before", "kill-after", "torn") and done.returncode == -9, \
                    ("it crashed", done.returncode, done.stderr[-600:])
            else:
                assert done.returncode in (0, 1), (done.returncode, done.stderr[-600:])
            scenario.check(work, done)
            return made
        finally:
            shutil.rmtree(work, ignore_errors=True)
            calls.unlink(missing_ok=True)


def cases(calls):
    """Every fault that makes sense at every call."""
    for number, (name, _) in enumerate(calls, 1):
        for kind in KINDS:
            wanted = {"torn": WRITES, "short": WRITES, "interrupted": INTERRUPTIBLE, "full": NEEDS_ROOM}.get(kind)
            if wanted is None or name in wanted:
                yield kind, number


def build_shim(directory):
    shim = directory / "shim.so"
    compiler = next((name for name in ("cc", "clang", "gcc") if shutil.which(name)), None)
    if compiler is None:
        sys.exit("A C compiler is needed: cc, clang or gcc.")
    subprocess.run([compiler, "-O1", "-shared", "-fPIC", "-o", shim, HERE / "fault_shim.c", "-ldl"], check=True)
    return shim


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("daybook")
    parser.add_argument("--seconds", type=float, default=240)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", nargs=3, metavar=("SCENARIO", "KIND", "CALL"))
    options = parser.parse_args()
    directory = pathlib.Path(tempfile.mkdtemp()).resolve()
    try:
        shim = build_shim(directory)
        program = Program(os.path.abspath(options.daybook))
        sweep = Sweep(program, directory, shim)
        chosen = [kind for kind in SCENARIOS if not options.only or kind.__name__.lower() == options.only[0]]
        waiting, counts = [], {}
        for kind in chosen:
            scenario = kind(program, directory)
            calls = sweep.run(scenario)
            counts[kind.__name__.lower()] = len(calls)
            if not options.only:
                waiting += [(scenario, *case) for case in cases(calls)]
            else:
                sweep.run(scenario, options.only[1], int(options.only[2]))
                return print("That holds.")
        random.Random(options.seed).shuffle(waiting)
        total, end = len(waiting), time.monotonic() + options.seconds
        print(f"{sum(counts.values())} calls in {len(counts)} scenarios, {total} faults; seed {options.seed}", flush=True)
        done, failures = collections.Counter(), []
        # However slow the machine is, a quarter of them is tried.
        most_left = total - -(-total // 4)

        def work():
            while waiting and (time.monotonic() < end or len(waiting) > most_left) and len(failures) < 20:
                try:
                    scenario, kind, call = waiting.pop()
                except IndexError:
                    return
                name = type(scenario).__name__.lower()
                try:
                    sweep.run(scenario, kind, call)
                except (AssertionError, subprocess.TimeoutExpired) as error:
                    failures.append(f"{name} {kind} {call}: {error}")
                done[name] += 1

        workers = [threading.Thread(target=work, daemon=True) for _ in range(options.jobs)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        for name, count in counts.items():
            print(f"{name:<8} {count:4} calls, {done[name]:5} faults")
        if failures:
            print("\n".join(failures))
            sys.exit("Again: fault_sweep.py DAYBOOK --only SCENARIO KIND CALL")
        ran = sum(done.values())
        print(f"{ran} of {total} faults, and every promise held" + ("" if ran == total else "; the time was over"))
    finally:
        shutil.rmtree(directory, ignore_errors=True)


if __name__ == "__main__":
    main()
