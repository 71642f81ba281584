import Avro
public import Daybook
import Journal

/// The format of an export.
public enum ExportFormat: String, CaseIterable, Sendable {
  /// JSON Lines: an object for each entry, with every field.
  case jsonl
  /// Comma-separated values (RFC 4180): a record for each entry, for spreadsheets. A text that a
  /// spreadsheet would run as a formula gets an apostrophe in front (``FormulaGuard``).
  case csv
  /// The same as ``csv`` with every text as it is, for programs that run no formulas.
  case rawCSV = "raw-csv"
}

extension BookReader {
  /// Writes every entry in order, with keys instead of numbers.
  ///
  ///     {"position":17,"at":"2026-01-02T12:00:00Z","actor":"<key>","event":"HabitLogged",
  ///      "data":{"habit":"<key>","day":"2026-01-02","value":1,"source":"manual","note":null}}
  ///
  /// Importing the JSON Lines gives a book with the same state digest
  /// (``Book/importExport(at:as:storage:)``). Memory is needed for the entities' keys only.
  ///
  /// - Parameters:
  ///   - format: The format.
  ///   - last: Entries that were recorded later are left out.
  ///   - emit: Receives line after line, each with its line end; an error from it ends the export.
  /// - Returns: How many entries were written.
  /// - Throws: what `emit` throws, ``JournalError``, or ``ExchangeError``.
  @discardableResult
  public func export(
    as format: ExportFormat, until last: Instant = .last, _ emit: (String) throws -> Void
  ) throws -> Int {
    try export(as: format, nil, until: last, emit)
  }

  /// Writes everything that belongs to one account (DM-13): its own entities, and what it shares as
  /// a member of hives and households, with the names and day clocks of the other members and
  /// nothing else of theirs.
  ///
  /// Positions are counted from 1 again. The result is the export of a book of its own: importing
  /// it into an empty book and exporting that gives the same. For a book with one account it equals
  /// the export of the book.
  ///
  /// - Parameters:
  ///   - account: The account.
  ///   - format: The format.
  ///   - last: Entries that were recorded later are left out.
  ///   - emit: Receives line after line, each with its line end; an error from it ends the export.
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

/// Finds the accounts that an account's shared entities refer to.
private struct ScopeSearch: Projection {
  var scope: AccountScope

  mutating func apply(_ entry: Entry) {
    if let part = scope.part(of: entry) { scope.introduce(those: part) }
  }
}

/// Writes entries as they are replayed.
private struct ExportWriter: Projection {
  let format: ExportFormat
  /// The part of the book to write; nil for all of it.
  private var scope: AccountScope?
  private var steps = StepCounter()
  let emit: (String) throws -> Void
  private(set) var count = 0
  /// The error after which nothing more is written.
  private(set) var failure: (any Error)?
  private var keys = KeysByNumber()
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
