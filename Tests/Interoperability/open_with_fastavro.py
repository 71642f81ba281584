"""Opens every segment of a book with fastavro, a reader that knows nothing of Daybook.

    python3 open_with_fastavro.py my.daybook

Prints the entries per segment and in all. Fails unless the segments follow one another without a gap, belong to one book and
are of format 3. Fails also when an entry's `at` is earlier than that of the one before, or when an entry whose `step` is above
1 does not follow the step before it with the same `at`.
"""

import pathlib
import sys

import fastavro


def milliseconds(at):
    return at if isinstance(at, int) else round(at.timestamp() * 1000)


def main(book):
    segments = sorted((pathlib.Path(book) / "journal").glob("*.avro"))
    if not segments:
        sys.exit(f"{book} has no segments")
    position, last, step, ids = 1, None, 0, set()
    for segment in segments:
        with segment.open("rb") as file:
            reader = fastavro.reader(file)
            header = reader.metadata
            if header["daybook.format"] != "3" or header["avro.codec"] != "zstandard":
                sys.exit(f"{segment} is not of format 3")
            if not int(segment.stem) == int(header["daybook.first"]) == position:
                sys.exit(f"{segment} does not begin at position {position}")
            ids.add(header["daybook.book"])
            count = 0
            for entry in reader:
                at = milliseconds(entry["at"])
                if last is not None and at < last:
                    sys.exit(f"entry {position + count} is earlier than the one before")
                if entry.get("step", 0) > 1 and (at, entry["step"]) != (last, step + 1):
                    sys.exit(f"entry {position + count} is of a command that the one before is not of")
                last, step, count = at, entry.get("step", 0), count + 1
        print(f"{segment.name}: {count} entries, positions {position}...{position + count - 1}")
        position += count
    if len(ids) != 1:
        sys.exit(f"the segments are of several books: {', '.join(sorted(ids))}")
    print(f"{position - 1} entries in all")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
