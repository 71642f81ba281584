"""Checks a proof of a streak without Daybook: it needs Python, its time zones, and verify.py beside it.

    python3 check_proof.py FILE [POSITION:DIGEST]

It checks what Docs/Proofs.md says: that all entries about a habit and its owner's account stand in a book with the
head, at their positions, and no others; and, for the rule `daybook`, that the streak follows from them. It prints JSON
as `daybook check-proof --json` does. Exit codes: 0 proven, 1 not; the reason is told.
"""

import datetime, hashlib, json, pathlib, re, sys, zoneinfo
import verify
from verify import hashed, kind_digest, entry_bytes, take_long

FIRST_LINE = b"daybook-proof 1\n"
EPOCH = datetime.date(1970, 1, 1).toordinal()

class Reader:
    """Takes Avro values off the front, each written in the one way that a proof has."""

    def __init__(self, data):
        self.data, self.place = data, 0

    def number(self, low=0, high=(1 << 63) - 1):
        start = self.place
        value, self.place = take_long(self.data, start)
        if self.place - start > 1 and self.data[self.place - 1] == 0 or not low <= value <= high:
            raise ValueError("a number is too large, or too long")
        return value

    def bytes(self):
        length = self.number()
        start, self.place = self.place, verify.skip(self.data, self.place, length)
        return self.data[start : self.place]

    def digest(self, may_be_absent=False):
        digest = self.bytes()
        if len(digest) != 32 and not (may_be_absent and not digest):
            raise ValueError("a digest is not whole")
        return digest

    def digests(self):
        data = self.bytes()
        if len(data) % 32:
            raise ValueError("a digest is not whole")
        return [data[at : at + 32] for at in range(0, len(data), 32)]

    def text(self):
        return self.bytes().decode("utf-8")

    def list(self, item):
        count = self.number()
        items = [item() for _ in range(count)]
        if count and self.number() != 0:
            raise ValueError("a list is in pieces")
        return items

class Proof:
    def __init__(self, data):
        body, checksum = data[:-32], data[-32:]
        if not data.startswith(FIRST_LINE) or len(data) < len(FIRST_LINE) + 32:
            raise ValueError("it is no proof, or cut short")
        if hashlib.sha256(body).digest() != checksum:
            raise ValueError("its checksum is wrong: it was changed or cut short")
        reader = self.reader = Reader(body[len(FIRST_LINE) :])
        self.book, self.head, self.rule = reader.text(), reader.text(), json.loads(reader.text())
        self.habit, self.as_of = reader.number(1, (1 << 31) - 1), reader.number(-62_135_596_800_000, 253_402_300_799_999)
        self.on = reader.number(1 - EPOCH, datetime.date.max.toordinal() - EPOCH)
        self.current, self.longest = reader.number(), reader.number()
        self.schemas, self.segments = reader.list(reader.text), reader.list(self.segment)
        if reader.place != len(reader.data):
            raise ValueError("something follows it")
        if len(set(self.schemas)) != len(self.schemas) or {segment["schema"] for segment in self.segments} != set(range(len(self.schemas))):
            raise ValueError("it has a schema twice, or for nothing")
        self.named = [{} for _ in self.schemas]
        self.entry = [json.loads(text, object_hook=self.noting(named)) for text, named in zip(self.schemas, self.named)]
        self.subjects = [verify.Subjects(entry, named) for entry, named in zip(self.entry, self.named)]

    @staticmethod
    def noting(named):
        def note(schema):
            if schema.get("type") in ("record", "enum", "fixed"):
                named[schema["name"]] = schema
            return schema
        return note

    def segment(self):
        reader = self.reader
        return {"last": reader.number(1), "schema": reader.number(0, (1 << 31) - 1), "content": reader.digest(),
                "others": reader.digests(), "habit": self.way(), "account": self.way()}

    def way(self):
        reader = self.reader
        return {"blind": reader.digest(), "depth": reader.number(0, 31), "root": reader.digest(True),
                "path": reader.digests(), "node": reader.digest(True), "entries": reader.list(self.proven)}

    def proven(self):
        return self.reader.number(1), self.reader.bytes(), self.reader.digest(True)

    def digest(self, way, number):
        """The digest of a kind, if this is a way to the thing of a number."""
        depth, path = way["depth"], way["path"]
        if number >= 1 << depth:
            if not way["root"] or path or way["node"] or way["entries"]:
                raise ValueError("a way does not lead to its thing")
            return kind_digest(way["blind"], depth, way["root"])
        if way["root"] or not way["node"] or len(path) > depth or way["entries"] and len(path) < depth:
            raise ValueError("a way does not lead to its thing")
        if way["entries"]:
            digest = hashed(b"\1", way["node"], *(entry_bytes(*entry) for entry in way["entries"]))
        else:
            digest = hashed(b"\0", way["node"])
        for step, sibling in reversed(list(enumerate(path))):
            is_right = number >> (depth - 1 - step) & 1
            digest = hashed(b"\2", sibling, digest) if is_right else hashed(b"\2", digest, sibling)
        return kind_digest(way["blind"], depth, digest)

    def follow(self, owner):
        """The head to which all segments lead."""
        before, head = 0, verify.sha256(self.book)
        things = {"habit-number": ("habit", self.habit), "account-number": ("account", owner)}
        for segment in self.segments:
            subjects, others, digests = self.subjects[segment["schema"]], list(segment["others"]), []
            if segment["last"] <= before or not set(things) <= set(subjects.kinds):
                raise ValueError("its segments are not in order, or its kinds are not those of the schema")
            for kind in subjects.kinds:
                if kind not in things:
                    digests.append(others.pop(0) if others else b"")
                    continue
                way, number = segment[things[kind][0]], things[kind][1]
                positions = [before, *(position for position, *_ in way["entries"])]
                if positions != sorted(set(positions)) or positions[-1] > segment["last"]:
                    raise ValueError("an entry does not stand where it says")
                if any(subjects.of(form) not in ((kind, number), (kind, None)) for _, form, _ in way["entries"]):
                    raise ValueError("an entry is about something else")
                digests.append(self.digest(way, number))
            if others or b"" in digests:
                raise ValueError("its kinds are not those of the schema")
            schema = verify.sha256(self.schemas[segment["schema"]])
            entries = verify.sha256(schema, segment["content"].hex(), hashed(*digests).hex())
            head = verify.sha256(f"daybook 3 {before}:{head} {segment['last']}:{entries}")
            before = segment["last"]
        return f"{before}:{head}"

    def entries(self, name):
        """The entries about the habit or the account: position, time, the event's name and its fields."""
        found = []
        for segment in self.segments:
            for position, form, _ in segment[name]["entries"]:
                value, end = decode(self.entry[segment["schema"]], self.named[segment["schema"]], form, 0)
                if end != len(form):
                    raise ValueError(f"entry {position} cannot be read")
                found.append((position, value["at"], *value["event"]))
        return found

def decode(schema, named, data, place):
    """A value and the place behind it; of a union of records the record's name and the record."""
    kind = schema["type"] if isinstance(schema, dict) else schema
    if isinstance(kind, list):
        branch, place = take_long(data, place, below=len(kind))
        value, place = decode(kind[branch], named, data, place)
        return ((kind[branch]["name"] if isinstance(kind[branch], dict) else kind[branch], value)
                if all(named.get(part if isinstance(part, str) else part.get("name"), {}).get("type") == "record"
                       for part in kind) else value), place
    if kind == "record":
        record = {}
        for field in schema["fields"]:
            record[field["name"]], place = decode(field["type"], named, data, place)
        return record, place
    if kind == "null":
        return None, place
    if kind == "string":
        return verify.take_text(data, place)
    if kind in ("int", "long"):
        return take_long(data, place)
    if kind == "enum":
        number, place = take_long(data, place, below=len(schema["symbols"]))
        return schema["symbols"][number], place
    if kind == "array":
        items = []
        while True:
            count, place = take_long(data, place)
            if count < 0:
                count, place = -count, take_long(data, place)[1]
            if count == 0:
                return items, place
            for _ in range(count):
                item, place = decode(schema["items"], named, data, place)
                items.append(item)
    if kind in ("boolean", "fixed", "float", "double", "bytes", "map"):
        end = verify.pass_value(schema, named, data, place)
        value = data[place:end]
        return value == b"\1" if kind == "boolean" else value, end
    return decode(kind if isinstance(kind, dict) else named[kind], named, data, place)

# The streak by the rule `daybook`, as Docs/Streaks.md tells it. Days are numbers from 1970-01-01.

class History:
    """What a habit's days depend on, entry after entry."""

    def __init__(self, entries):
        self.versions, self.records, self.archived, self.pauses, self.closed_before = [], {}, [], [], 1 - EPOCH
        for _, _, name, event in sorted(entries, key=lambda entry: entry[0]):
            getattr(self, name, lambda event: None)(event)

    def AccountCreated(self, event):
        self.zone, self.day_start = event["time_zone"], event["day_start_hour"]

    def DayClockChanged(self, event):
        self.zone, self.day_start = event["time_zone"], event["day_start_hour"]
        self.closed_before = max(self.closed_before, event["closed_before"])

    def AccountPaused(self, event):
        self.pauses.append((event["first"], event["last"]))

    def AccountResumed(self, event):
        day = event["day"]
        self.pauses = [(first, day - 1 if first <= day and (last is None or day <= last) else last) for first, last in self.pauses]
        self.pauses = [(first, last) for first, last in self.pauses if last is None or first <= last]

    def PausesReverted(self, event):
        self.pauses = [(pause["days"]["first"], pause["days"]["last"]) for pause in event["pauses"]]

    def HabitCreated(self, event):
        self.created, self.key = event["day"], event["key"]
        self.versions = [(event["day"], event["schedule"], event["target"])]

    def change(self, day, schedule=None, target=None):
        first, last = self.versions[0], self.versions[-1]
        kept = [version for version in self.versions if version[0] < day]
        kept = kept or [(min(first[0], day - 1), *first[1:])]
        self.versions = kept + [(day, schedule or last[1], target or last[2])]

    def HabitScheduleChanged(self, event):
        self.change(event["day"], schedule=event["schedule"])

    def HabitTargetChanged(self, event):
        self.change(event["day"], target=event["target"])

    def HabitVersionsReverted(self, event):
        if event["versions"]:
            self.versions = [(version["since"], version["schedule"], version["target"]) for version in event["versions"]]

    def HabitArchived(self, event):
        if not self.archived or self.archived[-1][1] is not None:
            self.archived.append((event["day"], None))

    def HabitRestored(self, event):
        if self.archived and self.archived[-1][1] is None:
            first, _ = self.archived.pop()
            self.archived += [(first, event["day"] - 1)] if event["day"] > first else []

    def HabitLogged(self, event):
        self.records[event["day"]] = event["value"]

    def HabitDaySkipped(self, event):
        self.records[event["day"]] = None

    def HabitLogCleared(self, event):
        self.records.pop(event["day"], None)

    def day(self, instant):
        """The local day of an instant, in milliseconds."""
        utc = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc) + datetime.timedelta(milliseconds=instant)
        offset = utc.astimezone(zoneinfo.ZoneInfo(self.zone)).utcoffset() // datetime.timedelta(milliseconds=1)
        return (instant + offset - self.day_start * 3_600_000) // 86_400_000

    def version(self, day):
        return ([version for version in self.versions if version[0] <= day] or self.versions[:1])[-1]

    @staticmethod
    def is_met(target, value):
        return value <= target["amount"] if target["bound"] == "at_most" else value >= target["amount"]

    def windows(self, times, days):
        """The days that a quota's windows cover."""
        done = sorted(day for day, value in self.records.items() if value is not None and self.is_met(self.version(day)[2], value))
        covered, newer = set(), None
        for oldest in range(len(done) - times, -1, -1):
            center, size = done[oldest + times - 1], length(days, done[oldest])
            if center - done[oldest] >= size:
                continue
            end = done[oldest] + size - 1
            if newer is not None and end >= newer:
                end = max(center, newer - 1)
            newer = end - size + 1
            covered.update(range(newer, end + 1))
        return covered

    def streaks(self, as_of, on):
        """The current streak on a day, where it begins, and the longest until then."""
        today = self.day(as_of)
        open_from = max(today, self.closed_before)
        logged = [day for day, value in self.records.items() if value is not None]
        first, last = min([self.created, *logged]), max([today, open_from - 1, *logged])
        if on > max([open_from, *self.records]):
            raise ValueError("it asks about a day to come")
        run = loose = longest = 0
        start, plans = None, {}
        for day in range(first, min(last, on) + 1):
            since, schedule, target = self.version(day)
            is_idle = any(begin <= day and (end is None or day <= end) for begin, end in self.archived + self.pauses)
            is_quota = schedule["quota_times"] > 0
            if is_quota:
                plan = plans.setdefault((schedule["quota_times"], schedule["quota_days"]), None)
                if plan is None:
                    plan = plans[schedule["quota_times"], schedule["quota_days"]] = self.windows(schedule["quota_times"], schedule["quota_days"])
                is_free = day in plan
            else:
                is_free = not schedule["weekmask"] >> (day + 3) % 7 & 1
            value = self.records.get(day)
            is_full = value is not None and self.is_met(target, value) and (is_quota or not is_free)
            if is_full:
                start = day if run == 0 else start
                run, loose = run + 1 + loose, 0
            elif day in self.records and (value is None or self.is_met(target, value)) or is_idle:
                pass  # skipped, bonus or paused
            elif is_free:
                loose += is_quota and run > 0
            elif day < open_from:
                longest, run, loose, start = max(longest, run), 0, 0, None
        return run, start, max(longest, run)

def length(days, number):
    if days not in (30, 31):
        return days
    day = datetime.date.fromordinal(number + EPOCH)
    following = (day.replace(day=28) + datetime.timedelta(4)).replace(day=1)
    count = (following - day.replace(day=1)).days
    after = (following.replace(day=28) + datetime.timedelta(4)).replace(day=1)
    return (after - following).days if day.day == count else count

def check(data, expected=None):
    proof = Proof(data)
    habit = proof.entries("habit")
    account = proof.entries("account")
    if [name for *_, name, _ in habit + account if name in verify.CREATIONS] != ["HabitCreated", "AccountCreated"] or (
            habit[0][2] != "HabitCreated" or account[0][2] != "AccountCreated"):
        raise ValueError("its first entries, and no others, do not create habit and account")
    head = proof.follow(habit[0][3]["owner"])
    if head != proof.head:
        raise ValueError(f"it leads to the head {head}, and says {proof.head}")
    entries = sorted(habit + account, key=lambda entry: entry[0])
    times = [at for _, at, *_ in entries]
    if times != sorted(times):
        raise ValueError("an entry is earlier than the one before it")
    last_at = times[-1]
    if proof.as_of < last_at:
        raise ValueError("it is asked from before its last entry")
    if proof.rule.get("name") != "daybook" or set(proof.rule) - {"name", "version", "about", "base", "holds"}:
        raise ValueError(f"the rule {proof.rule.get('name')} is not known here: the entries are proven, the streak is not")
    history = History(entries)
    current, start, longest = history.streaks(proof.as_of, proof.on)
    if (current, longest) != (proof.current, proof.longest):
        raise ValueError(f"by its entries the current streak is {current} and the longest {longest}, not {proof.current} and {proof.longest}")
    if expected and expected != head:
        raise ValueError(f"it leads to the head {head}, not to {expected}")
    day = lambda number: number if number is None else str(datetime.date.fromordinal(number + EPOCH))
    return {"proven": True, "book": proof.book, "head": head, "habit_number": proof.habit, "rule": "daybook",
            "on": day(proof.on), "current": current, "current_start": day(start), "longest": longest, "entries": len(entries)}

if __name__ == "__main__":
    if len(sys.argv) not in (2, 3) or not re.fullmatch(r"(\d{1,18}:[0-9a-f]{64})?", (sys.argv[2:] or [""])[0]):
        print(__doc__, file=sys.stderr)
        sys.exit(2)
    try:
        print(json.dumps(check(pathlib.Path(sys.argv[1]).read_bytes(), *sys.argv[2:]), indent=2))
    except (ValueError, LookupError, TypeError, AttributeError, OSError, RecursionError, zoneinfo.ZoneInfoNotFoundError) as error:
        print(json.dumps({"proven": False, "reason": str(error)}))
        sys.exit(1)
