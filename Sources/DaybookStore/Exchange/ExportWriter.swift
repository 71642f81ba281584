import Avro
public import Daybook
import Journal

/// How an export is written.
public enum ExportFormat: String, CaseIterable, Sendable {
  /// JSON Lines: an object for each entry, with every field.
  case jsonl
  /// Comma-separated values (RFC 4180): a record for each entry, for spreadsheets. What a spreadsheet would carry out
  /// as a formula begins with an apostrophe (``FormulaGuard``).
  case csv
  /// As ``csv``, with every text as it is: for programs that carry nothing out.
  case rawCSV = "raw-csv"
}

extension BookReader {
  /// Writes every entry out, with keys instead of numbers, in order.
  ///
  ///     {"position":17,"at":"2026-01-02T12:00:00Z","actor":"<key>","event":"HabitLogged",
  ///      "data":{"habit":"<key>","day":"2026-01-02","value":1,"source":"manual","note":null}}
  ///
  /// The state's digest is that of the book into which the JSON Lines are imported
  /// (``Book/importExport(at:as:storage:)``). The memory needed is that of the entities' keys.
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
    try export(as: format, nil, until: last, emit)
  }

  /// Writes out all that is one account's (DM-13): its own things, and what it shares as a member of hives and
  /// households, with the names and the clocks of the other members and nothing else of theirs.
  ///
  /// Positions are counted anew. It is the export of a book of its own: imported into an empty one and exported
  /// again, it is the same, and of a book with one account it is the export of the book.
  ///
  /// - Parameters:
  ///   - account: Whose it is.
  ///   - format: How the entries are written.
  ///   - last: Entries that were recorded later are left out.
  ///   - emit: Is given line after line, each with its end; what it throws ends the export.
  /// - Returns: How many entries were written.
  /// - Throws: what `emit` throws, ``JournalError``, or ``ExchangeError``.
  @discardableResult
  public func export(
    of account: Account.ID, as format: ExportFormat, until last: Instant = .last,
    _ emit: (String) throws -> Void
  ) throws -> Int {
    let state = last == .last ? try state() : try seenState(asOf: last)
    var search = ScopeSearch(scope: AccountScope(of: account, in: state))
    try replay(into: &search, until: last)
    return try export(as: format, search.scope.rewound, until: last, emit)
  }

  private func export(
    as format: ExportFormat, _ scope: AccountScope?, until last: Instant,
    _ emit: (String) throws -> Void
  ) throws -> Int {
    try withoutActuallyEscaping(emit) { emit in
      var writer = ExportWriter(format: format, scope: scope, emit: emit)
      if format != .jsonl { try emit(CSVWriter.record(ExportTable.columns)) }
      var bridge = SchemaBridge()
      try log.read(from: .start) { schemaText, block throws(JournalError) in
        let count = block.count
        let first = block.first.number
        return try bridge.read(block, of: schemaText) { bytes throws(AvroError) in
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

/// Finds out who is named by what an account shares.
private struct ScopeSearch: Projection {
  var scope: AccountScope

  mutating func apply(_ entry: Entry) {
    if let part = scope.part(of: entry) { scope.introduce(those: part) }
  }
}

/// Writes entries out as they are replayed.
private struct ExportWriter: Projection {
  let format: ExportFormat
  /// What of the book is written; all of it without one.
  private var scope: AccountScope?
  private var steps = StepCounter()
  let emit: (String) throws -> Void
  private(set) var count = 0
  /// Why nothing more is written.
  private(set) var failure: (any Error)?
  private var keys = EntityKeys()
  private var transcriber = EntryTranscriber()

  init(format: ExportFormat, scope: AccountScope?, emit: @escaping (String) throws -> Void) {
    self.format = format
    self.scope = scope
    self.emit = emit
  }

  mutating func apply(_ entry: Entry) {
    guard failure == nil else { return }
    keys.note(entry.event)
    guard let part = part(of: entry) else { return }
    do {
      let line = try line(of: part)
      try emit(line)
      count += 1
    } catch let error as TranscodingError {
      failure = ExchangeError.danglingNumber(
        position: entry.head.position, reason: error.description)
    } catch {
      failure = error
    }
  }

  private mutating func part(of entry: Entry) -> Entry? {
    guard scope != nil else { return entry }
    guard var part = scope?.part(of: entry) else { return nil }
    part.head.step = steps.step(of: entry.head)
    part.head.position = Int64(count) + 1
    return part
  }

  private mutating func line(of entry: Entry) throws(TranscodingError) -> String {
    let json = try transcriber.json(of: entry, keys)
    switch format {
    case .jsonl: return json.encoded + "\n"
    case .csv: return CSVWriter.record(ExportTable.fields(of: json).map(FormulaGuard.guarded))
    case .rawCSV: return CSVWriter.record(ExportTable.fields(of: json))
    }
  }
}
