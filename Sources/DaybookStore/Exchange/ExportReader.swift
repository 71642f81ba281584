import Avro
import Daybook
public import Journal

extension Book {
  /// Imports a book that ``BookReader/export(as:until:_:)`` wrote into this empty one, all of it in
  /// one commit.
  ///
  /// Times, actors, ids and the order are kept, so both books have the same state digest. The lines
  /// are facts, not commands, but they may have been edited, so each is checked against those above
  /// it. A table is held in memory as a whole, JSON Lines one at a time.
  ///
  /// - Returns: How many entries were imported.
  /// - Throws: ``ExchangeError`` with the file and line, or ``JournalError``; then nothing changed.
  @discardableResult
  public func importExport(
    at path: String, as format: ExportFormat = .jsonl,
    storage: any Storage = FileStorage(followingLinks: true)
  ) throws -> Int {
    switch format {
    case .jsonl:
      var lines = try ExportLineReader(path, storage, reader.journal.meter)
      defer { lines.end() }
      return try importExport(file: path) { () throws in try lines.next() }
    case .csv, .rawCSV:
      let bytes = try ForeignFiles.bytes(of: path, storage)
      return try importTable(file: path, bytes, isGuarded: format == .csv)
    }
  }

  /// Imports a table in memory, as ``importExport(at:as:storage:)`` does.
  ///
  /// - Parameters:
  ///   - file: The name of the table's source in errors.
  ///   - bytes: The table, with the names of the columns on its first line.
  ///   - isGuarded: Whether an apostrophe precedes formulas in it, as in ``ExportFormat/csv``.
  /// - Returns: How many entries were imported.
  /// - Throws: ``ExchangeError`` with the line, or ``JournalError``; then nothing changed.
  @discardableResult
  package func importTable(
    file: String, _ bytes: [UInt8], isGuarded: Bool = true
  ) throws -> Int {
    let meter = reader.journal.meter
    meter?.begin("Importing", bytes.count)
    defer { meter?.end() }
    var records = CSVReader(bytes, file: file)
    let header = try records.next()?.fields ?? []
    if let strange = header.first(where: { !ExportTable.columns.contains($0) }) {
      throw ExchangeError.malformed(
        file: file, line: 1, reason: "no export has a column \"\(strange)\"")
    }
    return try importing { reader, batch in
      guard let record = try records.next() else { return false }
      // Not for every record: each call takes a lock.
      if record.line % 256 == 0 { meter?.reach(records.offset, of: bytes.count) }
      do throws(TranscodingError) {
        let json = try ExportTable.json(
          of: isGuarded ? record.fields.map(FormulaGuard.plain) : record.fields, header)
        try reader.read(json, line: record.line, into: &batch)
      } catch {
        throw ExchangeError.malformed(file: file, line: record.line, reason: error.description)
      }
      return true
    }
  }

  /// Imports lines from any source, as ``importExport(at:as:storage:)`` does.
  ///
  /// - Parameters:
  ///   - file: The name of the lines' source in errors.
  ///   - nextLine: Returns the bytes of one line after another, with or without line ends, then
  ///     `nil`.
  /// - Returns: How many entries were imported.
  /// - Throws: what `nextLine` throws, ``ExchangeError``, or ``JournalError``; then nothing changed.
  @discardableResult
  public func importExport(file: String, nextLine: () throws -> [UInt8]?) throws -> Int {
    var line = 0
    return try importing { reader, batch in
      guard let bytes = try nextLine() else { return false }
      line += 1
      do throws(TranscodingError) {
        try reader.read(bytes, line: line, into: &batch)
      } catch {
        throw ExchangeError.malformed(file: file, line: line, reason: error.description)
      }
      return true
    }
  }

  /// Reads one entry after another into one commit until there are no more.
  private func importing(
    _ readNext: (inout ExportReader, inout Batch) throws -> Bool
  ) throws -> Int {
    try transaction { (batch: inout Batch) throws -> Int in
      guard batch.state.position == 0 else {
        throw ExchangeError.bookNotEmpty(entryCount: batch.state.position)
      }
      var reader = ExportReader(zones: self.reader.zones)
      while try readNext(&reader, &batch) {}
      return Int(batch.state.position)
    }
  }
}

/// Reads the lines of an export back into entries.
struct ExportReader {
  private static let transcoder = SchemaTranscoder(Event.schema)
  /// The names of all events, including those from older exports.
  private static let names: Set<String> = {
    guard case .union(let records) = Event.schema else { return [] }
    return Set(records.flatMap { $0.aliases + [$0.name ?? ""] })
  }()
  private let zones: any TimeZones
  private var ids: Set<Key> = []
  /// The step of the entry above within its command; 0 where that is unknown.
  private var lastStep: Int32 = 0
  private var erasures = ErasureCheck()

  init(zones: any TimeZones) { self.zones = zones }

  /// Adds the entry of a line; skips a blank line.
  mutating func read(
    _ bytes: [UInt8], line: Int, into batch: inout Batch
  ) throws(TranscodingError) {
    guard !bytes.allSatisfy({ $0 == 0x20 || (0x09...0x0D).contains($0) }) else { return }
    let json: JSON
    let hasMark = batch.state.position == 0 && bytes.starts(with: [0xEF, 0xBB, 0xBF])
    do throws(JSONError) {
      json = try JSON(parsing: hasMark ? Array(bytes.dropFirst(3)) : bytes)
    } catch {
      throw TranscodingError("it is \(error.description)")
    }
    try read(json, line: line, into: &batch)
  }

  /// Adds the entry of a line, or of a record in a table.
  mutating func read(_ json: JSON, line: Int, into batch: inout Batch) throws(TranscodingError) {
    let entry = try entry(json, after: batch.state)
    do throws(Rejection) { try batch.append(entry) } catch {
      throw TranscodingError(error.description)
    }
    try erasures.note(entry, line: line, in: batch.state)
  }

  /// The entry of a line.
  private mutating func entry(_ json: JSON, after state: BookState) throws(TranscodingError)
    -> Entry
  {
    let head = try head(json, after: state)
    guard let name = json["event"]?.text else { throw TranscodingError("event is missing") }
    guard let data = json["data"] else { throw TranscodingError("data is missing") }
    guard Self.names.contains(name) else {
      throw TranscodingError("event: there is no event \"\(name)\"")
    }
    let encoded: [UInt8]
    do throws(TranscodingError) {
      encoded = try Self.transcoder.encode(
        .object([.init(name, data)]),
        ExchangeFormat(names: StateNames(state: state, restored: Event.deletedKinds[name])))
    } catch { throw error.inside("data") }
    let event: Event
    do throws(AvroError) { event = try Event(encoded: encoded) } catch {
      throw TranscodingError(error.description)
    }
    guard event.encoded == encoded else {
      throw TranscodingError("the fields of \(name) contradict one another")
    }
    let entry = Entry(head, event)
    if let reason = state.contradiction(of: entry, zones: zones) { throw TranscodingError(reason) }
    return entry
  }

  private mutating func head(_ json: JSON, after state: BookState) throws(TranscodingError)
    -> EntryHead
  {
    guard let members = json.members else { throw .mismatch(json, "an object") }
    for member in members
    where !["position", "at", "actor", "id", "step", "event", "data"].contains(member.name) {
      throw TranscodingError("no entry has a member \"\(member.name)\"")
    }
    let position = state.position + 1
    if let given = json["position"], given.integer != Int(position) {
      throw TranscodingError(
        "position is \(given.encoded), but \(position) comes next: lines are missing or moved")
    }
    guard let at = json["at"] else { throw TranscodingError("at is missing") }
    guard let instant = at.text.flatMap({ Instant($0) }) else {
      throw .mismatch(at, "a time such as 2026-03-01T12:00:00Z")
    }
    guard instant >= state.at || state.position == 0 else {
      throw TranscodingError("at: \(instant) is before the entry above (\(state.at))")
    }
    var actor: Account.ID?
    if let json = json["actor"], json != .null {
      actor = state.accounts.number(of: try key(json, "actor"))
      guard actor != nil else {
        throw TranscodingError("actor: no line above creates the account \(json.encoded)")
      }
    }
    var id: Key?
    if let json = json["id"], json != .null {
      let given = try key(json, "id")
      guard ids.insert(given).inserted else {
        throw TranscodingError("id: \(given) is on a line above already")
      }
      id = given
    }
    let step = try step(json["step"], follows: instant == state.at)
    guard step <= 1 || id == nil else {
      throw TranscodingError("id: only the first entry of a command has one, and step is \(step)")
    }
    return EntryHead(position: position, at: instant, actor: actor, key: id, step: step)
  }

  /// The step of an entry within its command.
  ///
  /// - Parameters:
  ///   - json: The step that the line gives; nil in older exports.
  ///   - follows: Whether it was recorded at the same time as the entry above.
  /// - Returns: The step, from 1; 0 where it is unknown.
  /// - Throws: ``TranscodingError`` when it does not continue the line above.
  private mutating func step(_ json: JSON?, follows: Bool) throws(TranscodingError) -> Int32 {
    guard let json, json != .null else {
      lastStep = 0
      return 0
    }
    guard let step = json.integer.flatMap({ Int32(exactly: $0) }), step > 0 else {
      throw TranscodingError("step: \(TranscodingError.mismatch(json, "a number from 1"))")
    }
    guard step == 1 || (follows && lastStep == step - 1) else {
      throw TranscodingError(
        "step is \(step), but the line above is not step \(step - 1) of the same command")
    }
    lastStep = step
    return step
  }

  private func key(_ json: JSON, _ name: String) throws(TranscodingError) -> Key {
    guard let key = json.text.flatMap({ Key($0) }) else {
      throw TranscodingError("\(name): \(TranscodingError.mismatch(json, "a UUID"))")
    }
    return key
  }
}

/// Reads the lines of a file without holding all of it.
private struct ExportLineReader {
  static let chunkByteCount = 1 << 16
  static let largestLineByteCount = 16 << 20
  let path: String
  private let file: any StorageFile
  private var offset = 0
  private var line = 0
  private var buffer: [UInt8] = []
  private var start = 0

  private let meter: WorkMeter?

  init(_ path: String, _ storage: any Storage, _ meter: WorkMeter?) throws(ExchangeError) {
    self.path = path
    self.meter = meter
    do throws(StorageError) {
      file = try storage.open(path, .read)
      if let meter { meter.begin("Importing", try file.byteCount()) }
    } catch { throw .storage(error) }
  }

  /// Reports that nothing more is read.
  func end() { meter?.end() }

  mutating func next() throws(ExchangeError) -> [UInt8]? {
    line += 1
    var searched = start
    while true {
      if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        defer { start = end + 1 }
        return Array(buffer[start..<end])
      }
      searched = buffer.count - start
      buffer.removeFirst(start)
      start = 0
      guard buffer.count <= Self.largestLineByteCount else {
        throw .malformed(file: path, line: line, reason: "the line has no end")
      }
      let count = buffer.count
      do throws(StorageError) {
        try file.read(Self.chunkByteCount, at: offset, appendingTo: &buffer)
      } catch { throw .storage(error) }
      offset += buffer.count - count
      meter?.advance(by: buffer.count - count)
      guard buffer.count > count else {
        defer { buffer = [] }
        return buffer.isEmpty ? nil : buffer
      }
    }
  }
}
