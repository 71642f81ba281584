import Avro
public import Daybook
import Journal

/// How an export is written.
public enum ExportFormat: String, CaseIterable, Sendable {
  /// JSON Lines: an object for each entry, with every field.
  case jsonl
  /// Comma-separated values (RFC 4180): a record for each entry, for spreadsheets.
  case csv
}

extension BookReader {
  /// Writes every entry out, with keys instead of numbers, in order.
  ///
  ///     {"position":17,"at":"2026-01-02T12:00:00Z","actor":"<key>","event":"HabitLogged",
  ///      "data":{"habit":"<key>","day":"2026-01-02","value":1,"source":"manual","note":null}}
  ///
  /// The state's digest is that of the book into which the JSON Lines are imported
  /// (``Book/importExport(at:storage:)``). The memory needed is that of the entities' keys.
  ///
  /// - Parameters:
  ///   - format: How the entries are written.
  ///   - last: Entries that were recorded later are left out.
  ///   - emit: Is given line after line, each with its end; what it throws ends the export.
  /// - Returns: How many entries were written.
  /// - Throws: what `emit` throws, ``JournalError``, or ``ExchangeError``.
  @discardableResult
  public func export(
    as format: ExportFormat, until last: Instant = .last, _ emit: (String) throws -> Void
  ) throws -> Int {
    try withoutActuallyEscaping(emit) { emit in
      var writer = ExportWriter(format: format, emit: emit)
      if format == .csv { try emit(CSVWriter.record(ExportWriter.columns)) }
      var bridge = SchemaBridge()
      try journal.readBlocks { header, block throws(JournalError) in
        let count = block.count
        let first = block.first.number
        return try bridge.read(block, of: header) { bytes throws(AvroError) in
          let goesOn = try writer.applyEntries(
            count, in: bytes, from: first, startingAt: 0, until: last)
          return goesOn && writer.failure == nil
        }
      }
      if let failure = writer.failure { throw failure }
      return writer.count
    }
  }
}

/// Writes entries out as they are replayed.
private struct ExportWriter: Projection {
  static let columns = [
    "position", "at", "actor", "id", "event", "account", "habit", "goal", "day", "value", "source",
    "note", "data",
  ]

  let format: ExportFormat
  let emit: (String) throws -> Void
  private(set) var count = 0
  /// Why nothing more is written.
  private(set) var failure: (any Error)?
  private var keys = EntityKeys()
  private var transcriber = EntryTranscriber()

  init(format: ExportFormat, emit: @escaping (String) throws -> Void) {
    self.format = format
    self.emit = emit
  }

  mutating func apply(_ entry: Entry) {
    guard failure == nil else { return }
    do {
      keys.note(entry.event)
      let line = try line(of: entry)
      try emit(line)
      count += 1
    } catch let error as TranscodingError {
      failure = ExchangeError.danglingNumber(
        position: entry.head.position, reason: error.description)
    } catch {
      failure = error
    }
  }

  private mutating func line(of entry: Entry) throws(TranscodingError) -> String {
    let json = try transcriber.json(of: entry, keys)
    switch format {
    case .jsonl: return json.encoded + "\n"
    case .csv: return CSVWriter.record(Self.fields(entry, json))
    }
  }

  /// What has a column of its own goes there; all else is the last column's JSON.
  private static func fields(_ entry: Entry, _ json: JSON) -> [String] {
    var cells: [String: String] = [
      "position": String(entry.head.position), "at": entry.head.at.description,
      "actor": json["actor"]?.text ?? "", "id": entry.head.key?.description ?? "",
      "event": json["event"]?.text ?? "",
    ]
    let own = EntityKind.created(by: entry.event)?.kind.word
    var rest: [JSON.Member] = []
    for member in json["data"]?.members ?? [] {
      let column =
        switch member.name {
        case "key": own ?? "data"
        case "owner": "account"
        default: member.name
        }
      switch member.value {
      case .null where isColumn(column): break
      case .string(let text) where isColumn(column): cells[column] = text
      case .number(let digits) where isColumn(column): cells[column] = digits
      default: rest.append(member)
      }
    }
    if !rest.isEmpty { cells["data"] = JSON.object(rest).encoded }
    return columns.map { cells[$0] ?? "" }
  }

  /// Whether a field of an event has a column of its own.
  private static func isColumn(_ name: String) -> Bool {
    columns.dropFirst(5).dropLast().contains(name)
  }
}
