"""Checks a proof of a streak without Daybook: it needs Python, its time zones, and verify.py beside it.

    python3 check_proof.py FILE [POSITION:DIGEST]

It checks what Docs/Proofs.md says: that all entries about a habit and its owner's account, or about a hive and its members'
accounts, stand in a book with the head, at their positions, and no others; and, for the rule `daybook` and for hives, that
the streak follows from them. It prints JSON as `daybook check-proof --json` does. Exit codes: 0 proven, 1 not, with the
reason.
"""

import datetime, hashlib, json, pathlib, re, sys, zoneinfo
import verify
from verify import hashed, kind_digest, entry_bytes, take_long

FIRST_LINE, HIVE_LINE = b"daybook-proof 1\n", b"daybook-hive-proof 1\n"
EPOCH = datetime.date(1970, 1, 1).toordinal()

class Reader:
    """Reads Avro values from the front, each in the only form that a proof allows."""

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
        self.is_hive = data.startswith(HIVE_LINE)
        first = HIVE_LINE if self.is_hive else FIRST_LINE
        if not data.startswith(first) or len(data) < len(first) + 32:
            raise ValueError("it is not a proof, or it is cut short")
        if hashlib.sha256(body).digest() != checksum:
            raise ValueError("its checksum is wrong: it was changed or cut short")
        reader = self.reader = Reader(body[len(first) :])
        self.book, self.head, self.rule = reader.text(), reader.text(), None if self.is_hive else verify.parse_json(reader.text())
        self.thing, self.as_of = reader.number(1, (1 << 31) - 1), reader.number(-62_135_596_800_000, 253_402_300_799_999)
        self.on = reader.number(1 - EPOCH, datetime.date.max.toordinal() - EPOCH)
        self.current, self.longest = reader.number(), reader.number()
        self.schemas, self.segments = reader.list(reader.text), reader.list(self.segment)
        if reader.place != len(reader.data):
            raise ValueError("something follows it")
        if len(set(self.schemas)) != len(self.schemas) or {segment["schema"] for segment in self.segments} != set(range(len(self.schemas))):
            raise ValueError("it has a schema that is duplicated or unused")
        self.named = [{} for _ in self.schemas]
        self.entry = [verify.parse_json(text, self.noting(named)) for text, named in zip(self.schemas, self.named)]
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
                "others": reader.digests(), "thing": self.way(),
                "accounts": reader.list(self.way) if self.is_hive else [self.way()]}

    def way(self):
        reader = self.reader
        return {"blind": reader.digest(), "depth": reader.number(0, 31), "root": reader.digest(True),
                "path": reader.digests(), "node": reader.digest(True), "entries": reader.list(self.proven)}

    def proven(self):
        return self.reader.number(1), self.reader.bytes(), self.reader.digest(True)

    def digest(self, way, number):
        """The digest of a kind, if this path leads to the entity with a number."""
        depth, path = way["depth"], way["path"]
        if number >= 1 << depth:
            if not way["root"] or path or way["node"] or way["entries"]:
                raise ValueError("a path does not lead to its entity")
            return kind_digest(way["blind"], depth, way["root"])
        if way["root"] or not way["node"] or len(path) > depth or way["entries"] and len(path) < depth:
            raise ValueError("a path does not lead to its entity")
        if way["entries"]:
            digest = hashed(b"\1", way["node"], *(entry_bytes(*entry) for entry in way["entries"]))
        else:
            digest = hashed(b"\0", way["node"])
        for step, sibling in reversed(list(enumerate(path))):
            is_right = number >> (depth - 1 - step) & 1
            digest = hashed(b"\2", sibling, digest) if is_right else hashed(b"\2", digest, sibling)
        return kind_digest(way["blind"], depth, digest)

    def follow(self, accounts):
        """The head to which all segments lead, if their paths lead to the entity and to these accounts."""
        before, head = 0, verify.sha256(self.book)
        thing = "hive-number" if self.is_hive else "habit-number"
        for segment in self.segments:
            subjects, others, digests = self.subjects[segment["schema"]], list(segment["others"]), []
            if segment["last"] <= before or not {thing, "account-number"} <= set(subjects.kinds):
                raise ValueError("its segments are not in order, or its kinds are not those of the schema")
            if len(segment["accounts"]) != len(accounts):
                raise ValueError("a path is missing")
            ways = {thing: [(self.thing, segment["thing"])], "account-number": list(zip(accounts, segment["accounts"]))}
            for kind in subjects.kinds:
                if not ways.get(kind):
                    digests.append(others.pop(0) if others else b"")
                    continue
                for number, way in ways[kind]:
                    positions = [before, *(position for position, *_ in way["entries"])]
                    if positions != sorted(set(positions)) or positions[-1] > segment["last"]:
                        raise ValueError("an entry is not where it says that it is")
                    if any(subjects.of(form) not in ((kind, number), (kind, None)) for _, form, _ in way["entries"]):
                        raise ValueError("an entry is about something else")
                found = {self.digest(way, number) for number, way in ways[kind]}
                if len(found) != 1:
                    raise ValueError("a path does not lead to its entity")
                digests += found
            if others or b"" in digests:
                raise ValueError("its kinds are not those of the schema")
            schema = verify.sha256(self.schemas[segment["schema"]])
            entries = verify.sha256(schema, segment["content"].hex(), hashed(*digests).hex())
            head = verify.sha256(f"daybook 3 {before}:{head} {segment['last']}:{entries}")
            before = segment["last"]
        return f"{before}:{head}"

    def entries(self, account=None):
        """The entries about the habit or hive, or about an account by its place: position, time, the event's name and fields."""
        found = []
        for segment in self.segments:
            way = segment["thing"] if account is None else segment["accounts"][account]
            for position, form, _ in way["entries"]:
                value, end = decode(self.entry[segment["schema"]], self.named[segment["schema"]], form, 0)
                if end != len(form):
                    raise ValueError(f"entry {position} cannot be read")
                found.append((position, value["at"], *value["event"]))
        return found

def decode(schema, named, data, place):
    """A value and the offset after it; for a union of records, the record's name and the record."""
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

# The streak by the rule `daybook`, as Docs/Streaks.md defines it. Days are numbers from 1970-01-01.

class History:
    """Everything that a habit's days depend on, entry by entry."""

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

    def open_day(self, instant):
        """The latest day that has begun: a day can begin twice when clocks are set back."""
        zone = zoneinfo.ZoneInfo(self.zone)
        offset = lambda at: datetime.datetime.fromtimestamp(at / 1000, zone).utcoffset()
        low, high = instant - 86_400_000, instant
        latest = self.day(instant)
        if offset(low) > offset(high):
            former = offset(low)
            while high - low > 1:
                middle = (low + high) // 2
                low, high = (middle, high) if offset(middle) == former else (low, middle)
            latest = max(latest, self.day(low))
        return max(latest, self.closed_before)

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
            raise ValueError("it asks about a future day")
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

# The streak of a hive, as Docs/Hives.md defines it.

class Hive:
    """Everything that a hive's days depend on, entry by entry."""

    def __init__(self, entries, accounts):
        self.accounts, self.stays, self.days, self.advanced, self.broken = accounts, {}, {}, [], None
        for _, _, name, event in sorted(entries, key=lambda entry: entry[0]):
            getattr(self, name, lambda event: None)(event)

    def HiveCreated(self, event):
        self.key, self.created, self.weekmask = event["key"], event["day"], event["weekmask"]
        self.target, self.threshold = event["target"], event["threshold"] if event["rule"] == "threshold" else None

    def HiveJoined(self, event):
        stays = self.stays.setdefault(event["member"], [])
        if not stays or not stays[-1][2]:
            stays.append([event["required_from"], None, True])

    def HiveLeft(self, event):
        stays = self.stays.get(event["member"])
        if stays and stays[-1][2]:
            stays[-1][1:] = event["required_through"], False

    def HiveDayLogged(self, event):
        if event["member"] in self.stays and not event["late"]:
            self.days[event["member"], event["day"]] = event["value"]

    def HiveDayCleared(self, event):
        if not event["late"]:
            self.days.pop((event["member"], event["day"]), None)

    def HiveAdvanced(self, event):
        day = event["day"]
        required = self.required(day)
        done = sum(self.days.get((member, day), -1) >= self.target for member in required)
        needed = len(required) if self.threshold is None else min(self.threshold, len(required))
        if day in self.advanced or day < self.created or not self.is_due(day) or len(required) < 2 or done < needed:
            raise ValueError("a day advances though too few members were done")
        self.advanced = sorted([*self.advanced, day])

    def HiveBroken(self, event):
        self.broken = max(self.broken or event["day"], event["day"])

    def is_due(self, day):
        return self.weekmask >> (day + 3) % 7 & 1

    def required(self, day):
        return [member for member, stays in self.stays.items()
                if any(first <= day and (last is None or day <= last) for first, last, _ in stays)]

    def is_broken(self, day, open_from):
        return day not in self.advanced and self.created <= day < open_from and self.is_due(day) and len(self.required(day)) > 1

    def streaks(self, as_of, on):
        """The shared streak on a day, and the longest until then."""
        active = [member for member, stays in self.stays.items() if stays[-1][2]]
        opens = {member: self.accounts[member].open_day(as_of) for member in active}
        if not active:
            raise ValueError("nobody is in the hive")
        if on > max(opens.values()):
            raise ValueError("it asks about a future day")
        open_from = min(on + 1, *(max(opens[member], self.stays[member][-1][0]) for member in active))
        advanced = [day for day in self.advanced if day <= on]
        settled = self.broken if self.broken is not None and self.broken <= on else self.created - 1
        left = [day for day in advanced if day > settled]
        current = len(left)
        for day in range(open_from - 1, left[0] - 1 if left else open_from, -1):
            if self.is_broken(day, open_from):
                current = sum(later >= day for later in advanced)
                break
        longest = run = 0
        for day, following in zip(advanced, [*advanced[1:], None]):
            run += 1
            longest = max(longest, run)
            if following and any(self.is_broken(between, open_from) for between in range(day + 1, following)):
                run = 0
        return current, longest

def check(data, expected=None):
    proof = Proof(data)
    own = proof.entries()
    if proof.is_hive:
        numbers = list(dict.fromkeys(event["member"] for *_, name, event in own if name == "HiveJoined"))
    else:
        numbers = [event["owner"] for *_, name, event in own if name == "HabitCreated"]
    if not proof.segments or any(len(segment["accounts"]) != len(numbers) for segment in proof.segments):
        raise ValueError("a path is missing")
    accounts = [proof.entries(place) for place in range(len(numbers))]
    first = "HiveCreated" if proof.is_hive else "HabitCreated"
    if not own or own[0][2] != first or any(not account or account[0][2] != "AccountCreated" for account in accounts) or (
            sum(name in verify.CREATIONS for entries in (own, *accounts) for *_, name, _ in entries) != 1 + len(numbers)):
        raise ValueError("its first entries, and no others, do not create what it is about")
    head = proof.follow(numbers)
    if head != proof.head:
        raise ValueError(f"it leads to the head {head}, but names {proof.head}")
    entries = sorted(own + sum(accounts, []), key=lambda entry: entry[0])
    times = [at for _, at, *_ in entries]
    if times != sorted(times):
        raise ValueError("an entry is earlier than the one before it")
    if proof.as_of < times[-1]:
        raise ValueError("its time is before its last entry")
    start = None
    if proof.is_hive:
        histories = {number: History(account) for number, account in zip(numbers, accounts)}
        current, longest = Hive(own, histories).streaks(proof.as_of, proof.on)
    elif proof.rule.get("name") != "daybook" or set(proof.rule) - {"name", "version", "about", "base", "holds"}:
        raise ValueError(f"the rule {proof.rule.get('name')} is not known here: the entries are proven, the streak is not")
    else:
        current, start, longest = History(entries).streaks(proof.as_of, proof.on)
    if (current, longest) != (proof.current, proof.longest):
        raise ValueError(f"by its entries the current streak is {current} and the longest {longest}, not {proof.current} and {proof.longest}")
    if expected and expected != head:
        raise ValueError(f"it leads to the head {head}, not to {expected}")
    day = lambda number: number if number is None else str(datetime.date.fromordinal(number + EPOCH))
    told = {"proven": True, "book": proof.book, "head": head, "on": day(proof.on), "current": current, "longest": longest,
            "entries": len(entries)}
    return told | ({"hive_number": proof.thing, "members": len(numbers)} if proof.is_hive else
                   {"habit_number": proof.thing, "rule": "daybook", "current_start": day(start)})

if __name__ == "__main__":
    if len(sys.argv) not in (2, 3) or not re.fullmatch(r"(\d{1,18}:[0-9a-f]{64})?", (sys.argv[2:] or [""])[0]):
        print(__doc__, file=sys.stderr)
        sys.exit(2)
    try:
        print(json.dumps(check(pathlib.Path(sys.argv[1]).read_bytes(), *sys.argv[2:]), indent=2))
    except (ValueError, LookupError, TypeError, AttributeError, OSError, RecursionError, zoneinfo.ZoneInfoNotFoundError) as error:
        print(json.dumps({"proven": False, "reason": str(error)}))
        sys.exit(1)
