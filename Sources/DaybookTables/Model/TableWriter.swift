public import Calendar
public import Daybook
public import DaybookStore
public import Values

/// Turns writes to a table into commands. Every write goes through `decide`.
public protocol TableWriter: Sendable {
  /// Inserts a row.
  ///
  /// - Parameters:
  ///   - row: The columns that the client set and the defaults of the others, without those that the server
  ///     decides.
  ///   - given: The columns that the client set.
  ///   - write: The write that records the commands.
  /// - Returns: The primary key of the row.
  /// - Throws: ``TableError``, or `Rejection`; then nothing of the request is recorded.
  func insert(
    _ row: [String: TableValue], given: Set<String>, _ write: inout TableWrite
  ) throws -> [TableValue]

  /// Updates a row that the writer may see.
  ///
  /// - Parameters:
  ///   - row: The row before.
  ///   - changes: The columns whose value changes, at least one.
  ///   - write: The write that records the commands.
  /// - Throws: ``TableError``, or `Rejection`; then nothing of the request is recorded.
  func update(
    _ row: [String: TableValue], to changes: [String: TableValue], _ write: inout TableWrite
  ) throws

  /// Whether an inserted row exists already but nobody has written it; inserting it then counts as creating it.
  func isUnwritten(_ row: [String: TableValue], _ write: TableWrite) -> Bool

  /// Whether the writer may change a visible row; a row that they may not change is silently skipped.
  func mayChange(_ row: [String: TableValue], _ write: TableWrite) -> Bool

  /// Whether the writer may delete a visible row; a row that they may not delete is silently skipped.
  func mayDelete(_ row: [String: TableValue], _ write: TableWrite) -> Bool

  /// Deletes a row that the writer may see.
  ///
  /// - Throws: ``TableError``, or `Rejection`; then nothing of the request is recorded.
  func delete(_ row: [String: TableValue], _ write: inout TableWrite) throws
}

extension TableWriter {
  /// By default, an existing row has been written.
  public func isUnwritten(_ row: [String: TableValue], _ write: TableWrite) -> Bool { false }

  /// By default, the writer may.
  public func mayChange(_ row: [String: TableValue], _ write: TableWrite) -> Bool { true }

  /// By default, the writer may delete what they may change.
  public func mayDelete(_ row: [String: TableValue], _ write: TableWrite) -> Bool {
    mayChange(row, write)
  }
}

/// A commit in progress: the commands of one request, all of them or none.
public struct TableWrite {
  /// The commands recorded so far.
  public var batch: Batch
  /// The writer.
  public let viewer: Account.ID
  /// The instant of all its commands.
  public let at: Instant
  /// The columns that the client sets in an update, including those that already have the value.
  var given: Set<String> = []
  /// The state after the commands so far, as the writer views it.
  public var view: AccountView {
    AccountView(present: batch.state, viewer, at: at, reader, directory)
  }
  /// The allowance for finding and answering rows.
  var allowance = RequestBudget.Allowance.write
  let reader: BookReader
  let directory: any ContactDirectory

  init(
    _ batch: consuming Batch, by viewer: Account.ID, at: Instant, _ reader: BookReader,
    _ directory: any ContactDirectory
  ) {
    self.batch = batch
    self.viewer = viewer
    self.at = at
    self.reader = reader
    self.directory = directory
  }

  /// Ends the write and returns its commands.
  consuming func end() -> Batch { batch }

  /// The writer's key.
  public var key: Key? { batch.state.accounts[viewer]?.key }

  /// Decides a command as the writer.
  ///
  /// - Throws: `Rejection`.
  @discardableResult
  public mutating func record<C: Command>(_ command: C) throws -> C.Answer {
    try batch.record(command, by: viewer, at: at)
  }

  /// Decides the name of a row, together with the last command if there is one.
  ///
  /// - Throws: `Rejection`.
  mutating func recordName(_ name: NameRow) throws {
    try batch.recordContinuation(name, by: viewer, at: at)
  }
}
