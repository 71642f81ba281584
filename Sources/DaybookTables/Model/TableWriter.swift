public import Calendar
public import Daybook
public import DaybookStore
public import Values

/// Which commands what clients write to a table becomes. Every write goes through `decide`.
public protocol TableWriter: Sendable {
  /// Makes a row.
  ///
  /// - Parameters:
  ///   - row: The columns: those that were said, and the defaults of the others; none that is the server's.
  ///   - said: The columns that the client said.
  ///   - write: Where commands are recorded.
  /// - Returns: The values of the primary key of the row that is there then.
  /// - Throws: ``TableError``, or `Rejection`; then nothing of the request is kept.
  func insert(
    _ row: [String: Value], said: Set<String>, _ write: inout TableWrite
  ) throws -> [Value]

  /// Changes a row that the one who writes may see.
  ///
  /// - Throws: ``TableError``, or `Rejection`; then nothing of the request is kept.
  func update(
    _ row: [String: Value], to changes: [String: Value], _ write: inout TableWrite
  ) throws

  /// Whether a row that is to be made is there already, and nobody has written it yet: it is made by being inserted.
  func isUnwritten(_ row: [String: Value], _ write: TableWrite) -> Bool

  /// Whether the one who writes may change a row that they see; one that they may not is passed over in silence.
  func mayChange(_ row: [String: Value], _ write: TableWrite) -> Bool

  /// Whether the one who writes may take away a row that they see; one that they may not is passed over in silence.
  func mayDelete(_ row: [String: Value], _ write: TableWrite) -> Bool

  /// Takes a row away that the one who writes may see.
  ///
  /// - Throws: ``TableError``, or `Rejection`; then nothing of the request is kept.
  func delete(_ row: [String: Value], _ write: inout TableWrite) throws
}

extension TableWriter {
  /// What is there was written.
  public func isUnwritten(_ row: [String: Value], _ write: TableWrite) -> Bool { false }

  /// They may.
  public func mayChange(_ row: [String: Value], _ write: TableWrite) -> Bool { true }

  /// What they may change they may take away.
  public func mayDelete(_ row: [String: Value], _ write: TableWrite) -> Bool {
    mayChange(row, write)
  }
}

/// A commit in the making: the commands of one request, all of them or none.
public struct TableWrite {
  /// The commands so far.
  public var batch: Batch
  /// Who writes.
  public let viewer: Account.ID
  /// The book's clock for all of them.
  public let at: Instant
  /// The columns that the client says of the row that is changed, also those in which it is so already.
  var said: Set<String> = []
  /// The sight of the one who writes, on the state that the commands so far leave.
  public var sight: Sight {
    Sight(present: batch.state, viewer, at: at, reader, directory)
  }
  /// How much it may cost to find and to answer rows.
  var allowance = RequestBudget.Allowance.write
  let reader: BookReader
  let directory: any PeopleDirectory

  init(
    _ batch: consuming Batch, by viewer: Account.ID, at: Instant, _ reader: BookReader,
    _ directory: any PeopleDirectory
  ) {
    self.batch = batch
    self.viewer = viewer
    self.at = at
    self.reader = reader
    self.directory = directory
  }

  /// What was written, once no more is.
  consuming func end() -> Batch { batch }

  /// The key of the one who writes.
  public var key: Key? { batch.state.accounts[viewer]?.key }

  /// Decides a command of the one who writes.
  ///
  /// - Throws: `Rejection`.
  @discardableResult
  public mutating func record<C: Command>(_ command: C) throws -> C.Answer {
    try batch.record(command, by: viewer, at: at)
  }

  /// Records a row's name, as a part of the command that made or changed the row, if there is one.
  ///
  /// - Throws: `Rejection`.
  mutating func recordName(_ name: NameRow) throws {
    try batch.recordWithLast(name, by: viewer, at: at)
  }
}
