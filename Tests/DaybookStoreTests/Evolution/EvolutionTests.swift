import Avro
import Daybook
import Journal
import PropertyTesting
import Testing

@testable import DaybookStore

/// Books whose first segments were written by a Daybook with another schema.
@Suite(.tags(.law)) struct EvolutionTests {
  private static let today = Entry.schema.json.encoded
  private static let older = OlderSchema.json.encoded

  private static func reader(_ storage: MemoryStorage = MemoryStorage()) -> BookReader {
    BookReader(at: "book", storage: storage, zones: StateLedger.zones)
  }

  private static func entries(of book: BookReader) throws -> [Entry] {
    var every = Every()
    try book.replay(into: &every)
    return every.entries
  }

  private struct Every: Projection {
    var entries: [Entry] = []
    mutating func apply(_ entry: Entry) { entries.append(entry) }
  }

  @Test
  func `a history alternating between an older schema and today's reads the same (ES-1, ES-2)`()
    throws
  {
    let transcoder = SchemaTranscoder(try Schema(parsing: Self.older))
    let report = check(
      "an older book says the same", .histories(), cases: 7
    ) { (history: History, statistics) in
      let ledger = try JournalLawTests.play(history)
      let entries = try ledger.entries()
      // Entries that the older schema cannot express are written in today's schema, and start a new segment.
      let old = entries.map { try? OlderSchema.encode($0, with: transcoder) }
      let known = old.count { $0 != nil }
      statistics.cover("several old entries", atLeast: 50, known > 5)
      statistics.cover("entries of both", atLeast: 30, known > 0 && known < entries.count)
      let book = Self.reader()
      try OlderSchema.write([], schemaText: Self.older, to: book.journal)
      try Self.writeInTurns(Array(zip(entries, old)), to: book.journal)
      let meant = zip(entries, old).map { $1 == nil ? $0 : $0.withoutStep }
      try expectEqual(try Self.entries(of: book), meant)
      try expectEqual(try book.state().digest, ledger.state.digest)
      let half = entries.count / 2
      var later = Every()
      try book.replay(into: &later, from: Int64(half) + 1)
      try expectEqual(later.entries, Array(meant.dropFirst(half)))
    }
    #expect(report.passed, "\(report)")
  }

  /// Writes entries in the older schema where it can express them, in separate segments.
  private static func writeInTurns(
    _ entries: [(entry: Entry, old: [UInt8]?)], to journal: Journal
  ) throws {
    var rest = entries[...]
    while let first = rest.first {
      let isOld = first.old != nil
      let run = rest.prefix { ($0.old != nil) == isOld }
      try OlderSchema.write(
        run.map { $0.old ?? $0.entry.encoded }, schemaText: isOld ? older : today, to: journal)
      rest = rest.dropFirst(run.count)
    }
  }

  /// Two months that the older Daybook could have recorded.
  private static func olderHistory() throws -> Book {
    let book = try ExchangeWorld.book()
    var now = try #require(Instant("2026-03-01T08:00:00Z"))
    func at() -> Instant {
      now = now.advanced(byMilliseconds: 11 * 3_600_000)
      return now
    }
    let ada = try book.record(CreateAccount(name: "Ada", timeZone: "Asia/Tokyo"), at: at())
    let bob = try book.record(CreateAccount(name: "Bob", theme: .mint), by: nil, at: at())
    let goal = try book.record(CreateGoal(title: "Fit", description: "in body"), by: ada, at: at())
    let run = try book.record(
      CreateHabit(
        name: "Run", unit: "km", type: .counter,
        target: Target(try #require(Amount(thousandths: 2500)))), by: ada, at: at())
    let read = try book.record(CreateHabit(name: "Read"), by: bob, at: at())
    try book.record(AttachHabit(run, to: goal), by: ada, at: at())
    for step in 0..<60 {
      let value = try #require(Amount(thousandths: 1000 * Int64(step % 4)))
      try book.record(
        LogHabit(run, value: value, note: step % 7 == 0 ? "wet" : nil), by: ada, at: at())
      try book.record(LogHabit(read, source: .api), by: bob, at: at())
      if step % 9 == 4 { try book.record(SkipDay(read), by: bob, at: at()) }
      if step % 11 == 5 { try book.record(ClearLog(read), by: bob, at: at()) }
    }
    try book.record(ArchiveHabit(read), by: bob, at: at())
    return book
  }

  /// A book in the older schema, and the entries that it means.
  private static func olderBook(_ storage: MemoryStorage) throws -> (BookReader, [Entry]) {
    let entries = try entries(of: olderHistory().reader).map(\.withoutStep)
    let transcoder = SchemaTranscoder(try Schema(parsing: older))
    let old = try entries.map { try OlderSchema.encode($0, with: transcoder) }
    #expect(old != entries.map(\.encoded))
    let book = reader(storage)
    try OlderSchema.write(old, schemaText: older, to: book.journal)
    return (book, entries)
  }

  @Test func `entries appended to an older book go to a new segment, in today's schema`() throws {
    let storage = MemoryStorage()
    let (reader, entries) = try Self.olderBook(storage)
    var state = BookState()
    for entry in entries { state.apply(entry) }
    do {
      let book = try Book(opening: reader, clock: ExchangeWorld.clock)
      #expect(book.read { $0.digest } == state.digest)
      let ada = try book.record(CreateAccount(name: "Ada", theme: .night))
      let read = try book.record(CreateHabit(name: "Read"), by: ada)
      try book.record(LogHabit(read, note: "two pages"), by: ada)
      #expect(try reader.state().digest == book.read { $0.digest })
    }
    let segments = try reader.journal.segments()
    #expect(segments.map(\.first.number) == [1, Int64(entries.count) + 1])
    let schemas = try segments.map { try reader.journal.header(of: $0).schemaText }
    #expect(schemas == [Self.older, Self.today])
    let all = try Self.entries(of: reader)
    #expect(Array(all.prefix(entries.count)) == entries)
    #expect(all.count == entries.count + 3)
    #expect(all.suffix(3).map(\.head.step) == [1, 1, 1])
    // The book accepts commands after that, also as an export.
    let book = try Book(opening: reader, clock: ExchangeWorld.clock)
    #expect(try reader.journal.segments().count == 2)
    let again = Self.reader()
    try OlderSchema.write(all.map(\.encoded), schemaText: Self.today, to: again.journal)
    #expect(try Self.lines(of: reader) == Self.lines(of: again))
    #expect(book.read { $0.digest } == (try again.state().digest))
  }

  private static func lines(of book: BookReader) throws -> [String] {
    var lines: [String] = []
    try book.export(as: .jsonl) { lines.append($0) }
    return lines
  }

  @Test func `a renamed field, event and enumeration are read by their aliases`() throws {
    let storage = MemoryStorage()
    let (reader, entries) = try Self.olderBook(storage)
    let names = ["display_name": "full_name", "HabitCreated": "HabitBegun", "Source": "Origin"]
    let newer = try Schema(Self.renaming(Entry.schema.json, names))
    #expect(newer.json.encoded.contains(#""name":"full_name","type":"string","aliases":["#))
    var bridge = SchemaBridge(to: newer)
    var state = StateReplay()
    try reader.journal.readBlocks { segment, block throws(JournalError) in
      let (count, first) = (block.count, block.first.number)
      return try bridge.read(block, of: segment.schemaText) { bytes throws(AvroError) in
        try state.applyEntries(count, in: bytes, from: first, startingAt: 0, until: .last)
      }
    }
    state.finish()
    var expected = BookState()
    for entry in entries { expected.apply(entry) }
    #expect(state.state.digest == expected.digest)
  }

  /// A schema with some new names, and the old ones as aliases.
  private static func renaming(_ json: JSON, _ names: [String: String]) -> JSON {
    switch json {
    case .string(let name): return .string(names[name] ?? name)
    case .array(let elements): return .array(elements.map { renaming($0, names) })
    case .object(let members):
      let renamed = JSON.object(members.map { .init($0.name, renaming($0.value, names)) })
      guard let old = json["name"]?.text, names[old] != nil else { return renamed }
      return renamed.setting("aliases", [.string(old)])
    default: return json
    }
  }

  // MARK: Newer books

  /// Today's schema with one more type of event.
  private static let newer: JSON = Entry.schema.json.fields { fields in
    fields.map { field in
      guard field["name"] == "event" else { return field }
      let more: JSON = [
        "type": "record", "name": "HabitBlessed",
        "fields": [["name": "habit", "type": "int"]],
      ]
      return field.setting("type", .array((field["type"]?.elements ?? []) + [more]))
    }
  }

  private static let blessing: [UInt8] = {
    var writer = BinaryWriter()
    // The branch after all of today's.
    guard case .union(let today) = Event.schema else { return [] }
    for number in [1, 0, 0, 0, Int64(today.count), 1] { writer.put(number) }
    return writer.bytes
  }()

  private static func expectUnknown(
    _ reader: BookReader, file: String, at location: SourceLocation = #_sourceLocation
  ) {
    for read in [
      { _ = try reader.state() }, { _ = try Book(opening: reader) },
      { _ = try reader.export(as: .csv) { _ in } },
    ] {
      do {
        try read()
        Issue.record("it was read", sourceLocation: location)
      } catch {
        guard case .unknownSchema(file) = error as? JournalError else {
          Issue.record("\(error)", sourceLocation: location)
          continue
        }
      }
    }
  }

  @Test func `a newer book is read until its first unknown event`() throws {
    let storage = MemoryStorage()
    let (_, entries) = try Self.olderBook(MemoryStorage())
    let reader = Self.reader(storage)
    try OlderSchema.write(
      entries.map(\.encoded), schemaText: Self.newer.encoded, to: reader.journal)
    #expect(try Self.entries(of: reader) == entries)
    #expect(try Book(opening: reader).read { $0.position } == Int64(entries.count))
    try OlderSchema.write(
      [Self.blessing], schemaText: Self.newer.encoded, to: reader.journal)
    Self.expectUnknown(reader, file: "00000000000000000001.avro")
    // Everything recorded before it can still be read.
    let last = try #require(entries.last).head.at
    var state = BookState()
    for entry in entries { state.apply(entry) }
    let before = try reader.state(asOf: last.advanced(byMilliseconds: -1))
    #expect(before.position < state.position)
  }

  @Test func `an unreadable schema is refused with its file, whatever its fault`()
    throws
  {
    let retyped = Entry.schema.json.fields {
      $0.map { $0["name"] == "at" ? $0.setting("type", "string") : $0 }
    }
    for text in [retyped.encoded, #""string""#, "no schema", "{}", ""] {
      let reader = Self.reader()
      try OlderSchema.write([Self.blessing], schemaText: text, to: reader.journal)
      Self.expectUnknown(reader, file: "00000000000000000001.avro")
    }
  }

  @Test func `damage in an older segment is reported as damage, with its place`() throws {
    for entry: [UInt8] in [[], [1], [2, 0, 0, 99], [2, 0, 0, 0, 0]] {
      let storage = MemoryStorage()
      let (reader, entries) = try Self.olderBook(storage)
      try OlderSchema.write([entry], schemaText: Self.older, to: reader.journal)
      let error = #expect(throws: JournalError.self) { try reader.state() }
      guard case .corrupt(let corruption) = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
      #expect(corruption.after.number == Int64(entries.count))
      #expect(corruption.reason.hasPrefix("its entries cannot be read"))
    }
  }

  @Test func `every default of an entry is a value of its field`() throws {
    // An entry without any field would need the defaults; an older entry needs those of the fields it lacks.
    var checked = 0
    func check(_ schema: Schema) throws {
      switch schema {
      case .array(let inner, _), .map(let inner, _): try check(inner)
      case .union(let branches): try branches.forEach(check)
      case .record(let record):
        for field in record.fields {
          try check(field.schema)
          guard field.defaultValue != nil else { continue }
          checked += 1
          _ = try SchemaResolution(
            from: .record(.init(name: "R", fields: [])),
            to: .record(.init(name: "R", fields: [field])))
        }
      default: break
      }
    }
    try check(Entry.schema)
    #expect(checked > 5)
  }
}
