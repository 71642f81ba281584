"""Verifies a Daybook book without Daybook: it needs Avro (read by hand below), zstd and SHA-256.

    python3 verify.py my.daybook [POSITION:DIGEST]

It checks what Docs/Format.md says: headers and markers, frames and checksums, every entry by its segment's schema,
times that never decrease, positions without a gap, seals, the chain, erasures and whose entries they blanked, and a head
that was noted earlier. It prints JSON, with the head that `daybook verify` prints, the entries that were erased, and the
files of format 1. Exit codes: 0 whole, 3 damaged, 1 the head is not contained. zstd is Python's own from 3.14 on; before,
`pip install backports.zstd` (or `zstandard`).
"""

import collections, hashlib, importlib, json, pathlib, re, sys

for module in ("compression.zstd", "backports.zstd", "zstandard"):
    try:
        zstd = importlib.import_module(module)
        break
    except ImportError:
        pass

def sha256(*parts):
    return hashlib.sha256(b"".join(part.encode() if isinstance(part, str) else part for part in parts)).hexdigest()

def eight_bytes(number):
    return number.to_bytes(8, "big")

# Avro: a function skips a value, from its offset in bytes to the offset after it; an invalid value is a ValueError.

def take_long(data, place, below=None):
    """A variable-length zig-zag number, and the place behind it."""
    number = shift = 0
    while place < len(data) and shift < 70:
        number |= (data[place] & 0x7F) << shift
        place, shift = place + 1, shift + 7
        if data[place - 1] < 0x80:
            value = number >> 1 ^ -(number & 1)
            if number >= 1 << 64 or below is not None and not 0 <= value < below:
                break
            return value, place
    raise ValueError("a number is cut short, or too large")


def parse_json(text, note=lambda members: members):
    """The value of JSON in which no object repeats a name; each object is passed to `note`."""

    def once(pairs):
        members = dict(pairs)
        if len(members) < len(pairs):
            raise ValueError("an object says a name twice")
        return note(members)

    return json.loads(text, object_pairs_hook=once)


def skip(data, place, count):
    if not 0 <= count <= len(data) - place:
        raise ValueError("the bytes end inside a value")
    return place + count

def take_text(data, place):
    length, start = take_long(data, place)
    end = skip(data, start, length)
    return data[start:end].decode("utf-8"), end

def blank(kind):
    """The blank value of a personal field of a type: null, or the empty text or list."""
    return bytes([2 * kind.index("null")]) if isinstance(kind, list) else b"\0"

def pass_value(schema, named, data, place, personal=None):
    """Skips a value of a schema; notes its personal fields: where each begins and ends, and its blank."""
    kind = schema["type"] if isinstance(schema, dict) else schema
    if isinstance(kind, list):
        branch, place = take_long(data, place, below=len(kind))
        return pass_value(kind[branch], named, data, place, personal)
    if kind in ("null", "string"):
        return take_text(data, place)[1] if kind == "string" else place
    if kind in ("long", "int"):
        number, place = take_long(data, place)
        return skip(data, place, 0 if kind == "long" or -(1 << 31) <= number < 1 << 31 else -1)
    if kind == "record":
        for field in schema["fields"]:
            start, place = place, pass_value(field["type"], named, data, place, personal)
            if personal is not None and field.get("personal"):
                while personal and personal[-1][0] >= start:  # what stands within it belongs to it
                    personal.pop()
                personal.append((start, place, blank(field["type"])))
        return place
    if kind == "boolean":
        return skip(data, place, 1 if data[place : place + 1] in (b"\0", b"\1") else -1)
    if kind == "enum":
        return take_long(data, place, below=len(schema["symbols"]))[1]
    if kind in ("fixed", "float", "double"):
        return skip(data, place, schema["size"] if kind == "fixed" else 4 if kind == "float" else 8)
    if kind == "bytes":
        length, place = take_long(data, place)
        return skip(data, place, length)
    if kind not in ("array", "map"):
        return pass_value(kind if isinstance(kind, dict) else named[kind], named, data, place, personal)
    while True:
        count, place = take_long(data, place)
        if count < 0:
            count, place = -count, take_long(data, place)[1]
        if count == 0:
            return place
        for _ in range(count):
            place = take_text(data, place)[1] if kind == "map" else place
            place = pass_value(schema["items" if kind == "array" else "values"], named, data, place, personal)

class Segment:
    """A segment's file, its header checked."""

    def __init__(self, path):
        self.path, self.first, data = path, int(path.stem), path.read_bytes()
        place, keys, count = 4, {}, -1
        while count:
            count, place = take_long(data, place)
            if count < 0:
                count, place = -count, take_long(data, place)[1]
            for _ in range(count):
                key, place = take_text(data, place)
                if key in keys:
                    raise ValueError(f"the header says {key} twice")
                keys[key], place = take_text(data, place)
        self.data, self.marker, self.begin = data, data[place : place + 16], place + 16
        if data[:4] != b"Obj\1" or self.marker != hashlib.sha256(data[:place]).digest()[:16]:
            raise ValueError("the header's marker does not fit the header")
        wanted = {"avro.codec": "zstandard", "daybook.first": str(self.first)}
        self.format = {"1": 1, "2": 2, "3": 3}.get(keys.get("daybook.format"))
        if self.format is None or any(keys.get(key) != value for key, value in wanted.items()):
            raise ValueError("the header does not fit the file's name and a format that is known")
        self.book, self.schema, self.named = keys["daybook.book"], keys["avro.schema"], {}
        self.salts, self.erased = keys["daybook.salts"] if self.format > 1 else "", keys.get("daybook.erased", "")
        self.blind = keys["daybook.blind"] if self.format > 2 else ""
        self.entry = parse_json(self.schema, self.note_name)
        if self.entry["fields"][0]["type"] not in ("long", {"type": "long", "logicalType": "timestamp-millis"}):
            raise ValueError("an entry does not begin with its time")
        seal = [keys.get(f"daybook.{key}") for key in ("last", "entries", "previous")]
        self.is_sealed = seal != [None] * 3
        if self.is_sealed:
            if not re.fullmatch(r"\d{1,18}( [0-9a-f]{64}){2}", " ".join(map(str, seal))) or int(seal[0]) < self.first:
                raise ValueError("the header's seal is not whole")
            self.last, self.entries, self.previous = int(seal[0]), *seal[1:]
            created = keys.get("daybook.created") if self.format > 2 else ""
            if created is None or not re.fullmatch(r"|[^ :]+:\d{10}( [^ :]+:\d{10})*", created, re.ASCII):
                raise ValueError("the header's seal is not whole")
            self.created = collections.Counter({kind: int(count) for kind, count in (item.split(":") for item in created.split())})

    def note_name(self, schema):
        if schema.get("type") in ("record", "enum", "fixed"):
            self.named[schema["name"]] = schema
        return schema

    def envelope(self, place):
        """The count of the block at a place, where its frame begins, and where the block ends."""
        count, start = take_long(self.data, place, below=1 << 31)
        size, start = take_long(self.data, start, below=1 << 31)
        end = skip(self.data, start, size + 16)
        if count == 0 or self.data[end - 16 : end] != self.marker:
            raise ValueError("a block is empty, or does not end with the file's sync marker")
        return count, start, end

    def block(self, place):
        """The count of the whole block at a place, its content, and where it ends."""
        count, start, end = self.envelope(place)
        decompressor = getattr(zstd.ZstdDecompressor(), "decompressobj", zstd.ZstdDecompressor)()
        try:
            content = decompressor.decompress(self.data[start : end - 16])
        except Exception as error:
            raise ValueError(f"a block does not decompress: {error}") from None
        if not decompressor.eof or decompressor.unused_data:
            raise ValueError("a block does not decompress: it is not exactly one frame")
        return count, content, end

    def walk(self, count, content):
        """`at`, the end and the personal fields of each entry; fails unless the content is exactly that many."""
        place, entries = 0, []
        for _ in range(count):
            at, _ = take_long(content, place)
            personal = []
            place = pass_value(self.entry, self.named, content, place, personal)
            entries.append((at, place, personal))
        if place != len(content):
            raise ValueError("a block's count is not that of its entries")
        return entries

    def resume(self, place):
        """The offset of the next whole block after damage, found by the first bytes of its frame."""
        found = place + 6
        while (found := self.data.find(b"\x28\xb5\x2f\xfd", found + 1)) >= 0:
            # Bytes before a count may look like a part of it; the right count is the one that fits the content.
            starts = []
            for start in range(max(place + 5, found - 10), found):
                try:
                    if self.envelope(start)[1] == found and (whole := self.block(start)):
                        starts.append(start)
                        self.walk(*whole[:2])
                        return start
                except ValueError:
                    pass
            if starts:
                return starts[-1]

def hashed(*parts):
    return hashlib.sha256(b"".join(parts)).digest()

class Subjects:
    """Finds the entities that entries are about, from their schema alone (Docs/Format.md, "What an entry is about")."""

    def __init__(self, entry, named):
        *self.head, last = entry["fields"]
        self.named, self.events = named, [named.get(event, event) if isinstance(event, str) else event
            for event in (last["type"] if isinstance(last["type"], list) else [])]
        self.kinds = sorted({event["creates"] for event in self.events if isinstance(event, dict) and "creates" in event})
        self.kinds = self.kinds if len(self.kinds) <= 32 else []

    def of(self, form):
        """The kind and number of what an entry is about; the number is None for what it creates; None if it is about
        nothing."""
        place = 0
        if not self.kinds:
            return None
        for field in self.head:
            place = pass_value(field["type"], self.named, form, place)
        branch, place = take_long(form, place, below=len(self.events))
        event = self.events[branch]
        if event.get("creates"):
            return event["creates"], None
        for field in event.get("fields", []):
            kind = field["type"] if isinstance(field["type"], dict) else {}
            if kind.get("type") == "int" and kind.get("logicalType") in self.kinds:
                number = take_long(form, place)[0]
                return (kind["logicalType"], number) if number > 0 else None
            place = pass_value(field["type"], self.named, form, place)
        return None

def kind_digest(blind, depth, root):
    return hashed(b"\3", blind, bytes([depth]), root)

def entry_bytes(position, form, commitment):
    return eight_bytes(position) + eight_bytes(len(form)) + form + (b"\1" + commitment if commitment else b"\0")

def map_digest(blind, last, things, kinds):
    """The digest of the map of (kind, number) to the bytes of entries, of a segment up to its entry `last`."""
    def node(key, number, level, thing):
        own = hashed(key, eight_bytes(number))
        if not thing:
            return hashed(b"\0", own)
        if level == 0:
            return hashed(b"\1", own, *(part for parts in thing.values() for part in parts))
        middle = 2 * number + 1 << level - 1  # the first node of the right half, at the depth of the things
        return hashed(b"\2", node(key, 2 * number, level - 1, {at: thing[at] for at in thing if at < middle}),
                      node(key, 2 * number + 1, level - 1, {at: thing[at] for at in thing if at >= middle}))
    digests = []
    for kind in kinds:
        key = hashed(bytes.fromhex(blind), eight_bytes(last), kind.encode())
        own = {number: parts for (of, number), parts in things.items() if of == kind}
        depth = max(own, default=0).bit_length()
        root = node(key, 1, depth, {(1 << depth) + number: parts for number, parts in own.items()})
        digests.append(kind_digest(hashed(key, eight_bytes(0)), depth, root))
    return hashed(*digests).hex()

class Entries:
    """The chained form of a segment's entries, in order: their bytes in format 1, otherwise their public forms."""

    def __init__(self, segment, created=None):
        self.segment, self.flaw, self.salts, self.erased = segment, None, {}, {}
        self.created_before, self.forms = created, []
        self.subjects = Subjects(segment.entry, segment.named) if segment.format > 2 else None
        self.bytes, self.commitments = hashlib.sha256(), hashlib.sha256()
        if segment.format == 1:
            return self.bytes.update(segment.schema.encode())
        if not re.fullmatch(r"([0-9]{1,10}:[0-9a-f]{64}( (?!$)|$))*", segment.salts):
            self.flaw = "its salts cannot be read"
        elif segment.format > 2 and not re.fullmatch(r"[0-9a-f]{64}", segment.blind):
            self.flaw = "its blind cannot be read"
        elif not re.fullmatch(r"|[0-9]{1,18}:[0-9a-f]{64}( [0-9]{1,18}:[0-9a-f]{64})*", segment.erased):
            self.flaw = "its list of erased entries cannot be read"
        else:
            self.salts, self.erased = [{int(number): bytes.fromhex(value) for number, value in
                (item.split(":") for item in text.split())} for text in (segment.salts, segment.erased)]
            if list(self.erased) != sorted(self.erased) or any(position < segment.first for position in self.erased):
                self.flaw = "its list of erased entries cannot be read"
        self.left = list(self.erased)  # the erased entries that are still to come

    def copy(self):
        other = Entries(self.segment, self.created_before)
        other.forms = list(self.forms)
        other.bytes, other.commitments, other.left = self.bytes.copy(), self.commitments.copy(), list(self.left)
        return other

    def salt(self, position):
        leaf, depth = (1 << 32) + position - self.segment.first, 0
        while leaf >> depth not in self.salts:
            depth += 1
            if depth > 32:
                return None
        node = self.salts[leaf >> depth]
        for bit in reversed(range(depth)):
            node = hashlib.sha256(node + bytes([leaf >> bit & 1])).digest()
        return node

    def add(self, first, content, entries):
        if self.segment.format == 1:
            return self.bytes.update(content[: entries[-1][1]])
        start = 0
        for position, (_, end, personal) in enumerate(entries, first):
            commitment, salt = self.erased.get(position), self.salt(position)
            is_blank = all(content[begin:behind] == empty for begin, behind, empty in personal)
            if commitment is not None and not is_blank:
                self.flaw = self.flaw or f"entry {position}, which was erased, is not blank"
            elif commitment is not None and salt:
                self.flaw = self.flaw or f"the salt of entry {position}, which was erased, is still there"
            elif not is_blank and not salt:
                self.flaw = self.flaw or f"entry {position} has no salt"
            elif not is_blank:
                parts = [part for begin, behind, _ in personal for part in (eight_bytes(behind - begin), content[begin:behind])]
                commitment = hashlib.sha256(salt + eight_bytes(position) + b"".join(parts)).digest()
            if commitment is not None:
                self.commitments.update(eight_bytes(position) + commitment)
            self.left = self.left[1:] if self.left[:1] == [position] else self.left
            form = b""
            for begin, behind, empty in personal:
                form, start = form + content[start:begin] + empty, behind
            form, start = form + content[start:end], end
            self.bytes.update(form)
            if self.subjects:
                self.forms.append((position, form, commitment, self.subjects.of(form)))

    def created(self):
        """How many things of each kind were created before the segment, and in it."""
        own = collections.Counter(subject[0] for *_, subject in self.forms if subject and subject[1] is None)
        before = self.created_before
        if before is None and self.segment.is_sealed:
            before = collections.Counter({kind: self.segment.created[kind] - own[kind] for kind in {*self.segment.created, *own}})
        return before or collections.Counter(), own

    def created_after(self):
        before, own = self.created() if self.subjects else ({}, {})
        after = {kind: before[kind] + own[kind] for kind in {*before, *own}}
        return collections.Counter({kind: count for kind, count in after.items() if count})

    def map(self):
        things, (counts, _) = collections.defaultdict(list), self.created()
        counts = collections.Counter(counts)
        for position, form, commitment, subject in self.forms:
            if subject and subject[1] is None:
                counts[subject[0]] += 1
                subject = (subject[0], counts[subject[0]])
            if subject and 1 <= subject[1] < 1 << 31:
                things[subject].append(entry_bytes(position, form, commitment))
        last = self.segment.first + len(self.forms) - 1
        return map_digest(self.segment.blind, last, things, self.subjects.kinds)

    def digest(self):
        if self.segment.format == 1:
            return self.bytes.hexdigest()
        schema, parts = sha256(self.segment.schema), (self.bytes.hexdigest(), self.commitments.hexdigest())
        if self.segment.format == 2:
            return sha256(schema, *parts)
        return sha256(schema, sha256(self.segment.blind, *parts), self.map())

# Bytes that are not a whole block: how many entries they claim to hold, and whether a whole frame is in or after them.
Gap = collections.namedtuple("Gap", "offset end claimed is_followed reason")

def pieces(segment):
    """The segment's blocks, as (place, content, entries), and the gaps between them."""
    place, position, gaps = segment.begin, segment.first, []
    while place < len(segment.data):
        gap = None
        try:
            count, content, end = segment.block(place)
        except ValueError as error:
            following, claimed = segment.resume(place), None
            end = len(segment.data) if following is None else following
            try:
                if segment.envelope(place)[2] <= end:
                    claimed, _, end = segment.envelope(place)
            except ValueError:
                pass
            gap, count = Gap(place, end, claimed, following is not None, str(error)), claimed or 0
        try:
            piece = gap or (place, content, segment.walk(count, content))
        except ValueError as error:
            piece = gap = Gap(place, end, None, True, str(error))
        gaps += [gap] if gap else []
        yield piece
        position, place = position + count, end
    if segment.is_sealed and position != segment.last + 1 and not (gaps and gaps[-1].end == place):
        if not gaps or all(gap.claimed for gap in gaps) and position <= segment.last:
            yield Gap(place, place, None, False, f"it ends at entry {position - 1}, and was sealed with {segment.last}")

def erasures(segments):
    origins = {}  # what digests were before; AccountErased holds four for each segment, files first, old before new
    for segment in segments:
        for piece in pieces(segment) if isinstance(segment, Segment) else ():
            content = b"" if isinstance(piece, Gap) else piece[1]
            for digests in re.findall(rb"\x80\x01([0-9a-f]{64})" * 4, content):
                old, new, *entries = (digest.decode() for digest in digests)
                origins.update({new: old, entries[1]: entries[0]})
    return origins

# What each creation creates; all other events begin with the number of what they are about.
CREATIONS = {"AccountCreated": "account", "HabitCreated": "habit", "GoalCreated": "goal", "HiveCreated": "hive",
             "HouseholdCreated": "household", "ChoreCreated": "chore", "RecipeCreated": "recipe", "MealPlanned": "meal",
             "TaskCreated": "task", "LabelCreated": "label", "GroceryListCreated": "list", "StapleAdded": "staple",
             "CalendarEventCreated": "calendar-event"}

class Owners:
    """Finds the owner of each entry, and the position up to which that account, hive or household was erased."""

    def __init__(self):
        self.counts, self.owners, self.homes = collections.Counter(), {}, {}
        self.members, self.gone, self.erased = collections.defaultdict(set), set(), {}

    def fields(self, segment, content, start):
        """An event's name, and the numbers of entities among its fields."""
        place, numbers = start, {}
        for field in segment.entry["fields"][:-1]:
            place = pass_value(field["type"], segment.named, content, place)
        kinds = segment.entry["fields"][-1]["type"]
        branch, place = take_long(content, place, below=len(kinds))
        record = kinds[branch] if isinstance(kinds[branch], dict) else segment.named[kinds[branch]]
        for field in record["fields"]:
            kind = field["type"].get("logicalType", "") if isinstance(field["type"], dict) else ""
            if kind.endswith("-number"):
                numbers[field["name"]] = (kind.removesuffix("-number"), take_long(content, place)[0])
            place = pass_value(field["type"], segment.named, content, place)
        return record["name"], numbers

    def subject(self, position, segment, content, start):
        """The entity that an entry is about; notes its owner, and what the entry erases."""
        name, numbers = self.fields(segment, content, start)
        subject = next(iter(numbers.values()), None)
        if kind := CREATIONS.get(name):
            self.counts[kind] += 1
            subject = (kind, self.counts[kind])
            self.owners[subject], self.homes[subject] = numbers.get("owner", subject), numbers.get("household")
        if name in ("HouseholdCreated", "HouseholdJoined"):
            self.members[subject].add(numbers.get("member", numbers.get("owner")))
        elif name == "HouseholdLeft":
            self.members[subject].discard(numbers["member"])
        elif name == "HiveHandedOver":
            self.owners[subject] = numbers["owner"]
        elif name == "AccountErased":
            self.gone.add(subject)
            alone = [home for home, members in self.members.items() if subject in members and members <= self.gone]
            hives = [hive for hive, owner in self.owners.items() if hive[0] == "hive" and owner == subject]
            self.erased.update({whose: position for whose in [subject, *alone, *hives]})
        return subject

    def erasure(self, subject):
        """The position of the last entry that erased the words about an entity."""
        if subject and subject[0] not in ("hive", "household"):
            subject = self.homes.get(subject) or self.owners.get(subject)
        return self.erased.get(subject, 0)

def strangers(segments):
    """The blank entries whose owner was never erased; empty for a journal that cannot be read."""
    listed, owners, following = {}, Owners(), 1
    if not any(isinstance(segment, Segment) and segment.erased for segment in segments):
        return set()
    for segment in segments:
        if not isinstance(segment, Segment) or segment.first != following:
            return set()
        erased = Entries(segment).erased if segment.format > 1 else {}
        for piece in pieces(segment):
            if isinstance(piece, Gap) and (segment is not segments[-1] or segment.is_sealed or piece.is_followed):
                return set()
            start = 0
            for _, end, _ in [] if isinstance(piece, Gap) else piece[2]:
                subject = owners.subject(following, segment, piece[1], start)
                if following in erased:
                    listed[following] = subject
                following, start = following + 1, end
    return {position for position, subject in listed.items() if owners.erasure(subject) <= position}

def verify(book, expected=None):
    """The answer of `daybook verify --json`, without the lost entries."""
    journal = pathlib.Path(book, "journal")
    paths = sorted(path for path in journal.glob("*.avro") if re.fullmatch(r"\d{20}\.avro", path.name))
    if not paths:
        sys.exit(f"{book} is not a book: it has no journal in it")
    segments, damages = [], []
    for path in paths:
        try:
            segments.append(Segment(path))
        except (ValueError, LookupError, TypeError, OSError) as error:
            segments.append(error)
    ids = collections.Counter(segment.book for segment in segments if isinstance(segment, Segment))
    book = max(ids, key=ids.get, default=None)
    head, probe = (0, book and sha256(book)), expected and int(expected.partition(":")[0])
    proof = f"0:{head[1]}" if probe == 0 and book else None
    origins, foreign = erasures(segments), strangers(segments)
    erased, old = [], [segment.path.name for segment in segments if isinstance(segment, Segment) and segment.format == 1]

    def origin(digest):
        return origin(origins[digest]) if digest in origins else digest

    def step(before, segment, position, digest):
        """The head at a position of a segment, from the head before the segment."""
        if segment.format == 1:
            return position, sha256(before[1], origin(digest))
        return position, sha256(f"daybook {segment.format} {before[0]}:{before[1]} {position}:{digest}")
    following, latest, previous, has_open, entry_count, torn = 1, -(1 << 63), None, False, 0, None
    newest, created = 1, collections.Counter()

    def note(path, offset, reason):
        damages.append({"file": str(path), "offset": offset, "reason": reason})

    for index, (path, segment) in enumerate(zip(paths, segments)):
        first, successor = int(path.stem), int(paths[index + 1].stem) if index + 1 < len(paths) else None
        is_contiguous = following in (None, first)
        if not is_contiguous and following > first:
            note(path, 0, f"it begins with entry {first}, within the segment before")
        elif not is_contiguous and previous and not previous.is_sealed:
            note(previous.path, len(previous.data), f"entry {following} should come next, and {first} does")
        elif not is_contiguous:
            note(journal / f"{following:020}.avro", 0, "the segment is not there")
        if not isinstance(segment, Segment) or segment.book != book:
            note(path, 0, str(segment) if isinstance(segment, Exception) else f"it is of another book, {segment.book}")
            following, previous, created = successor, None, None
            continue
        if segment.format < newest:
            note(path, 0, f"it is of format {segment.format}, and a segment before it of format {newest}")
        newest = max(newest, segment.format)
        if segment.is_sealed:
            if has_open:
                note(path, 0, "it is sealed, and a segment before it is not")
            before = segment.previous
            if index == 0 and first == 1:
                before = "0" * 64 if segment.format == 1 else sha256(book)
            elif previous and previous.is_sealed and is_contiguous:
                if segment.format == 1:
                    before = origin(sha256(previous.data))
                elif previous.format > 1:
                    before = step((previous.first - 1, previous.previous), previous, previous.last, previous.entries)[1]
                elif not damages:
                    before = head[1]
            if (origin(segment.previous) if segment.format == 1 else segment.previous) != before:
                note(path, 0, "what is before it is not the one that it was sealed after")
        was_whole, gaps, count, chained, sound, flaws = not damages, [], 0, Entries(segment, created if is_contiguous else None), None, []
        for piece in pieces(segment):
            if isinstance(piece, Gap):
                gaps.append(piece)
                sound = sound or (count, chained.digest())
                continue
            place, content, entries = piece
            times = [latest, *(at for at, *_ in entries)]
            if times != sorted(times):
                flaws.append((place, "an entry is earlier than the one before it"))
                sound = sound or (count, chained.digest())
            wanted = probe - first + 1 - count if probe and was_whole and not sound else 0
            if 1 <= wanted <= len(entries):
                part = chained.copy()
                part.add(first + count, content, entries[:wanted])
                proof = "{}:{}".format(*step(head, segment, probe, part.digest()))
            if not gaps:  # after a gap the positions are unknown
                chained.add(first + count, content, entries)
            count, latest = count + len(entries), max(times)
        if successor is None and not segment.is_sealed and (tail := [gap for gap in gaps if not gap.is_followed]):
            torn = {"file": str(path), "offset": tail[0].offset, "bytes": tail[-1].end - tail[0].offset}
            gaps = gaps[: len(gaps) - len(tail)]
        for place, reason in sorted(flaws + [(gap.offset, gap.reason) for gap in gaps]):
            note(path, place, reason)
        sound = sound or (count, chained.digest())
        flaw = chained.flaw
        created = chained.created_after() if not gaps and (is_contiguous or segment.is_sealed) else segment.created if segment.is_sealed else None
        if not gaps and not flaw and segment.format > 1:
            if chained.left:
                flaw = f"entry {chained.left[0]}, which was erased, is not there"
            elif wrong := foreign & chained.erased.keys():
                flaw = f"entry {min(wrong)} is blank, but belongs to nobody who was erased"
            elif segment.is_sealed and segment.entries != chained.digest():
                flaw = "its entries are not those that were sealed"
            elif segment.is_sealed and segment.created != chained.created_after():
                flaw = "the creations up to its end are not those that were sealed"
        elif not gaps and segment.is_sealed and segment.format == 1 and segment.entries != chained.digest():
            flaw = "its entries are not those that were sealed"
        if flaw:
            note(path, 0, flaw)
            proof = None if proof and first <= probe else proof
        else:
            erased += chained.erased
            if was_whole and sound[0]:
                head = step(head, segment, first + sound[0] - 1, sound[1])
        last = segment.last if segment.is_sealed else successor and successor - 1
        following = first + count if not gaps else last and last + 1
        entry_count, has_open = entry_count + count, has_open or not segment.is_sealed
        previous = segment if all(damage["file"] != str(path) for damage in damages) else None
    answer = {"whole": not damages, "book": book, "segments": len(paths), "entries": entry_count,
              "head": book and f"{head[0]}:{head[1]}", "torn": torn, "damages": damages, "erased": erased, "format_1": old}
    if expected:
        answer["expected"] = {"head": expected, "contained": None if damages and not proof else proof == expected}
    return answer

if __name__ == "__main__":
    if len(sys.argv) not in (2, 3) or not re.fullmatch(r"(\d{1,18}:[0-9a-f]{64})?", (sys.argv[2:] or [""])[0]):
        print(__doc__, file=sys.stderr)
        sys.exit(2)
    report = verify(*sys.argv[1:])
    print(json.dumps(report, indent=2))
    sys.exit(3 if not report["whole"] else 0 if report.get("expected", {}).get("contained", True) else 1)
