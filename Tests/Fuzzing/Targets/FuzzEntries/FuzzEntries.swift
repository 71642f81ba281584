import Avro
import Daybook
import DaybookStore
import Fuzzing
import Journal

/// Entries with valid checksums and any content: they are read or refused; those that are read give the same state in
/// every way of replaying, and every view of it is computed.
@c(LLVMFuzzerTestOneInput)
public func fuzzEntries(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  let entries = readEntries(Input(start, count: count))
  guard !entries.isEmpty else { return 0 }
  checkWritten(entries)

  var plain = BookState()
  for entry in entries { plain.apply(entry) }
  for blockCount in [1, 7, entries.count] {
    let reader = succeed("a book is made") { try book(of: entries, blockCount: blockCount) }
    let replayed = succeed("a book is replayed") { try reader.state() }
    hold(replayed.digest == plain.digest, "every replay gives the same state (law 1)")
    guard blockCount == 7 else { continue }
    let day = Day(year: 2026, month: 3, day: 1)
    reader.checkViews(
      of: plain, Query(asOf: max(plain.at, lateEnough), zones: reader.zones),
      Query(asOf: plain.at, on: day, rule: .loop, zones: reader.zones))
  }
  return 0
}

private let lateEnough = Instant(clamping: 1_773_000_000_000)

/// The decoded entries, up to the first unreadable one; their positions start at 1.
private func readEntries(_ input: Input) -> [Entry] {
  let bytes = Array(input.rest)
  var reader = BinaryReader(bytes.span.bytes)
  var entries: [Entry] = []
  while !reader.isAtEnd, var entry = try? Entry(from: &reader) {
    entry.head.position = Int64(entries.count) + 1
    entries.append(entry)
  }
  return entries
}

private func checkWritten(_ entries: [Entry]) {
  for entry in entries {
    let encoded = entry.encoded
    let again = succeed("a written entry is read") { try Entry(encoded: encoded) }
    hold(again.encoded == encoded, "an entry is read as it was written")
  }
}

/// A book in memory with the entries, this many to a commit.
private func book(of entries: [Entry], blockCount: Int) throws -> BookReader {
  let storage = MemoryStorage()
  let reader = BookReader(at: "book", storage: storage)
  try reader.journal.create(
    book: "9f0c7f3e-5a63-4b8a-9d0c-1d2f6f8f2a11", schemaText: Entry.schema.json.encoded)
  let lock = try JournalWriter.takeLock(of: reader.journal)
  let end = try reader.journal.readBlocks { _, _ in true }
  let writer = try JournalWriter(
    reader.journal, after: end, lock: lock, schemaText: Entry.schema.json.encoded)
  for start in stride(from: 0, to: entries.count, by: blockCount) {
    let commit = entries[start..<min(start + blockCount, entries.count)]
    var bytes = BinaryWriter()
    for entry in commit { entry.write(to: &bytes) }
    try writer.append(count: commit.count, entries: bytes.bytes)
  }
  return reader
}
