"""Compares `daybook verify` with Examples/verify/verify.py, on whole books and on damaged ones.

    python3 compare_verifiers.py DAYBOOK [ROUNDS] [SEED]

Both must say the same: whole or not, how many entries, the head, the torn tail, each damage's file and offset, whether
heads noted earlier are contained, what was erased, and the exit code. The books: the demo's, as it is and sealed; one of
many segments, the first of them sealed; the same with an account erased; and the golden books among the tests. Damages: bits flipped, files cut, bytes zeroed, put in,
taken out, swapped and removed. Then a forger: it changes one field of one entry and recomputes all else, frames, checksums,
digests, seals and chain; both must find the book whole, and earlier heads not contained. And it blanks an entry as an
erasure does, of somebody who was not erased: both must find that.
"""

import collections
import hashlib
import json
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
VERIFIER = ROOT / "Examples" / "verify" / "verify.py"
sys.dont_write_bytecode = True
sys.path.append(str(VERIFIER.parent))
import verify
ACCOUNT, HABIT = "00000000-0000-4000-8000-00000000000a", "00000000-0000-4000-8000-000000000001"
OTHER, OTHERS_HABIT = "00000000-0000-4000-8000-00000000000b", "00000000-0000-4000-8000-000000000002"


def answer(*words):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True)
    try:
        report = json.loads(done.stdout)
    except json.JSONDecodeError:
        sys.exit(f"{' '.join(map(str, words))}: {done.stdout}{done.stderr}")
    places = sorted({(damage["file"], damage["offset"]) for damage in report["damages"]})
    keys = ("whole", "book", "segments", "entries", "head", "torn", "erased", "format_1")
    return done.returncode, {key: report[key] for key in keys} | {
        "damages": places, "contained": report.get("expected", {}).get("contained")}


def compare(daybook, book, heads, what):
    for head in [None, *heads]:
        one = answer(daybook, "verify", "--json", "--book", book, *(["--head", head] if head else []))
        other = answer(sys.executable, VERIFIER, book, *([head] if head else []))
        if one != other:
            sys.exit(f"{what}, head {head}:\n  daybook  {one}\n  verify.py {other}")
    return one[1]


def grow(daybook, book, chance):
    """A book of several segments, most of them sealed; returns the heads on the way."""
    heads, at = [], 1_767_268_800
    lines = [{"do": "create_account", "key": ACCOUNT, "timezone": "UTC", "at": stamp(at)},
             {"do": "create_habit", "as": ACCOUNT, "key": HABIT, "name": "Read", "at": stamp(at)},
             {"do": "create_account", "key": OTHER, "display_name": "Bee", "timezone": "UTC", "at": stamp(at)},
             {"do": "create_habit", "as": OTHER, "key": OTHERS_HABIT, "name": "Swim", "at": stamp(at)}]
    for part in range(5):
        for _ in range(chance.randrange(20, 60)):
            at += chance.randrange(0, 90_000)
            whose, habit = chance.choice([(ACCOUNT, HABIT), (OTHER, OTHERS_HABIT)])
            lines.append({"do": "log_habit", "as": whose, "habit": habit, "at": stamp(at),
                          "note": chance.choice([None, "a", "é" * 30])})
        text = "".join(json.dumps(line) + "\n" for line in lines)
        subprocess.run([daybook, "apply", "--book", book], input=text, text=True, check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
        lines = []
        heads.append(json.loads(subprocess.run([daybook, "verify", "--json", "--book", book], capture_output=True,
                                               text=True, check=True).stdout)["head"])
        if part < 4:
            subprocess.run([daybook, "seal", "--book", book], check=True, stdout=subprocess.DEVNULL)
    return heads


def stamp(seconds):

    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))


def damage(files, chance):
    """Damages one or two files; says how."""
    done = []
    for _ in range(chance.choice([1, 1, 2])):
        path = chance.choice(files)
        if not path.exists():
            continue
        path.chmod(0o644)
        data = bytearray(path.read_bytes())
        place = chance.randrange(len(data))
        if chance.random() < 0.5:
            # Headers are long and blocks are short: look beyond the header more often.
            place = max(place, min(len(data) - 1, 4_500 + chance.randrange(2_000)))
        kind = chance.choice(["flip", "flip", "flip", "cut", "zero", "insert", "remove", "swap", "delete"])
        if kind == "flip":
            data[place] ^= 1 << chance.randrange(8)
        elif kind == "cut":
            del data[place:]
        elif kind == "zero":
            data[place : place + 512] = bytes(len(data[place : place + 512]))
        elif kind == "insert":
            data[place:place] = chance.randbytes(chance.randrange(1, 100))
        elif kind == "remove":
            del data[place : place + chance.randrange(1, 400)]
        elif kind == "swap":
            other = chance.choice(files)
            if other.exists():
                other.chmod(0o644)
                taken = other.read_bytes()
                other.write_bytes(data)
                data = taken
        path.write_bytes(data)
        if kind == "delete" and len(files) > 1:
            path.unlink()
        done.append(f"{kind} at {place} of {path.name}")
    return ", ".join(done)


def long(number):
    """A number as Avro writes it."""
    number, digits = number << 1 ^ number >> 63, []
    while number > 0x7F:
        digits.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*digits, number])


def counted(text):
    return long(len(text.encode())) + text.encode()


class Pen:
    """Rewrites the segments of a book, so that everything in them agrees."""

    def __init__(self, book):
        self.segments = []
        for path in sorted((book / "journal").glob("*.avro")):
            segment, place, keys = verify.Segment(path), 5, {}
            count, place = verify.take_long(path.read_bytes(), 4)
            for _ in range(count):
                key, place = verify.take_text(segment.data, place)
                keys[key], place = verify.take_text(segment.data, place)
            pieces = list(verify.pieces(segment))
            content = b"".join(content for _, content, _ in pieces)
            self.segments.append([segment, keys, content, sum(len(entries) for _, _, entries in pieces)])

    def entries(self, index):
        """Where each entry of a segment begins and ends, and its personal fields."""
        segment, _, content, count = self.segments[index]
        ends = segment.walk(count, content)
        return [(start, end, personal) for (_, start, _), (_, end, personal) in zip([(0, 0, []), *ends], ends)]

    def write(self):
        head, created = None, collections.Counter()
        for segment, keys, content, count in self.segments:
            head = head or (0, verify.sha256(keys["daybook.book"]))
            segment.salts, segment.erased = keys["daybook.salts"], keys.get("daybook.erased", "")
            entries = verify.Entries(segment, created)
            if count:
                entries.add(segment.first, content, segment.walk(count, content))
            if "daybook.last" in keys:
                keys |= {"daybook.entries": entries.digest(), "daybook.previous": head[1]}
            created = entries.created_after()
            if "daybook.last" in keys and segment.format > 2:
                keys["daybook.created"] = " ".join(f"{kind}:{created[kind]:010}" for kind in entries.subjects.kinds)
            if count:
                last = segment.first + count - 1
                head = last, verify.sha256(f"daybook {segment.format} {head[0]}:{head[1]} {last}:{entries.digest()}")
            header = b"Obj\1" + long(len(keys)) + b"".join(counted(text) for pair in keys.items() for text in pair) + b"\0"
            marker = hashlib.sha256(header).digest()[:16]
            frame = verify.zstd.compress(content)
            block = long(count) + long(len(frame)) + frame + marker if count else b""
            segment.path.chmod(0o644)
            segment.path.write_bytes(header + marker + block)


def forge(daybook, book, heads, chance, what):
    """Changes one field of one entry, or blanks one, and recomputes all else."""
    pen = Pen(book)
    whole = [(index, entry) for index in range(len(pen.segments)) for entry in enumerate(pen.entries(index))]
    index, (number, (start, end, personal)) = chance.choice(whole)
    segment, keys, content, _ = pen.segments[index]
    telling = [field for field in personal if content[field[0] : field[1]] != field[2]]
    is_sealed = "daybook.last" in keys
    position = segment.first + number
    if telling and is_sealed and chance.random() < 0.5:
        # Blanked as an erasure does: all that is chained stays the same.
        salt = verify.Entries(segment).salt(position)
        fields = [content[begin:behind] for begin, behind, _ in personal]
        parts = [part for field in fields for part in (verify.eight_bytes(len(field)), field)]
        commitment = verify.sha256(salt, verify.eight_bytes(position), *parts)
        for begin, behind, empty in reversed(personal):
            content = content[:begin] + empty + content[behind:]
        pen.segments[index][2] = content
        keys["daybook.erased"] = " ".join(sorted([*keys.get("daybook.erased", "").split(), f"{position}:{commitment}"],
                                                 key=lambda item: int(item.partition(":")[0])))
        keys["daybook.salts"] = punctured(keys["daybook.salts"], number)
        pen.write()
        if compare(daybook, book, heads, f"{what}: blanked {position}")["whole"]:
            sys.exit(f"{what}: entry {position} is blank, and nobody says so")
        return
    if telling:
        begin, behind, _ = chance.choice(telling)
        # The last byte of a text; another letter.
        changed = content[: behind - 1] + bytes([content[behind - 1] ^ 1]) + content[behind:]
    else:
        # The last byte of an entry that says nothing personal: a field of its event.
        changed = content[: end - 1] + bytes([content[end - 1] ^ 2]) + content[end:]
    try:
        segment.walk(pen.segments[index][3], changed)
    except (ValueError, UnicodeDecodeError):
        return
    pen.segments[index][2] = changed
    pen.write()
    later = [head for head in heads if int(head.partition(":")[0]) >= position]
    for head in later:
        if compare(daybook, book, [head], f"{what}: changed {position}")["contained"]:
            sys.exit(f"{what}: entry {position} was changed, and head {head} is contained")


def punctured(salts, ordinal):
    """Nodes that lead to all salts but one."""
    (_, _, root), nodes, leaf = salts.partition(":"), [], (1 << 32) + ordinal
    if " " in root or not salts.startswith("1:"):
        return salts
    node = bytes.fromhex(root)
    for depth in reversed(range(32)):
        above, bit = leaf >> depth, leaf >> depth & 1
        nodes.append((above ^ 1, hashlib.sha256(node + bytes([1 - bit])).hexdigest()))
        node = hashlib.sha256(node + bytes([bit])).digest()
    return " ".join(f"{number}:{value}" for number, value in sorted(nodes))


def main(daybook, rounds, seed):
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory() as directory:
        work = pathlib.Path(directory)
        books = {}
        subprocess.run([daybook, "demo", "--dir", work / "demo"], check=True, stdout=subprocess.DEVNULL)
        shutil.copytree(work / "demo", work / "sealed")
        subprocess.run([daybook, "seal", "--book", work / "sealed"], check=True, stdout=subprocess.DEVNULL)
        books[work / "demo"] = books[work / "sealed"] = []
        books[work / "grown"] = grow(daybook, work / "grown", chance)
        shutil.copytree(work / "grown", work / "erased")
        subprocess.run([daybook, "erase-account", "--yes", OTHER, "--book", work / "erased"], check=True,
                       stdout=subprocess.DEVNULL)
        books[work / "erased"] = books[work / "grown"]
        for golden in sorted(ROOT.glob("Tests/*/Fixtures/**/journal")):
            books[golden.parent] = []
        for book, heads in books.items():
            report = compare(daybook, book, heads, book.name)
            if not report["whole"] or heads and not report["contained"]:
                sys.exit(f"{book} is not whole: {report}")
        found = 0
        for number in range(rounds):
            book = chance.choice([work / "demo", work / "grown", work / "erased", work / "sealed"])
            copy = work / "damaged"
            shutil.copytree(book, copy)
            what = damage(sorted((copy / "journal").glob("*.avro")), chance)
            heads = chance.sample(books[book], 1) if books[book] else []
            found += not compare(daybook, copy, heads, f"seed {seed}, round {number}: {what}")["whole"]
            shutil.rmtree(copy)
        for number in range(rounds):
            book = work / chance.choice(["grown", "erased"])
            copy = work / "forged"
            shutil.copytree(book, copy)
            forge(daybook, copy, books[book], chance, f"seed {seed}, forgery {number}")
            shutil.rmtree(copy)
    print(f"both verifiers agree on {len(books)} whole books and {rounds} random damages ({found} damaged), and on {rounds} "
          f"forgeries, seed {seed}")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(pathlib.Path(sys.argv[1]).resolve(), int(sys.argv[2]) if len(sys.argv) > 2 else 60,
         int(sys.argv[3]) if len(sys.argv) > 3 else random.randrange(1 << 32))
