import Calendar
import Daybook
import DaybookStore
import Synchronization
import Values

@testable import DaybookTables

/// A book in memory with people, and the tables of all apps over it.
final class TableWorld {
  let book: Book
  private let clock = WorldClock()
  let schema = TableSchema.together
  private(set) var people: [Account.ID] = []

  init(people count: Int = 2) throws {
    let clock = clock
    book = Book.inMemory(clock: BookClock(now: { clock.now }))
    for place in 0..<count {
      people.append(
        try book.record(
          CreateAccount(
            key: Self.key(100 + place), name: "Person \(place)", timeZone: "Etc/UTC",
            dayStartHour: 0)))
    }
  }

  static func key(_ number: Int) -> Key { Key(high: 0x4000, low: 1 << 63 | UInt64(number)) }

  /// Lets time pass.
  func wait(minutes: Int = 1) { clock.advance(minutes: minutes) }

  var now: Instant { clock.now }
  var state: BookState { book.read { $0 } }
  var today: Day { Day(clampingNumber: Int(now.milliseconds / 86_400_000)) }

  func table(_ name: String) throws -> AppTable {
    guard let table = schema.table(name) else { throw Missing(what: name) }
    return table
  }

  /// The rows that somebody sees.
  func rows(
    _ name: String, for viewer: Account.ID, _ bounds: ScanBounds = ScanBounds(),
    in state: BookState? = nil, at instant: Instant? = nil
  ) throws -> [RowColumns] {
    let table = try table(name)
    let view = AccountView(
      state ?? self.state, viewer, at: instant ?? now, book.reader, EmptyDirectory())
    var rows: [RowColumns] = []
    try table.scan(view, bounds) { row in
      rows.append(
        Dictionary(
          zip(table.columns.map(\.name), row.values), uniquingKeysWith: { first, _ in first }))
    }
    return rows
  }

  /// Writes as one commit.
  @discardableResult
  func write<Result>(
    by viewer: Account.ID, _ body: (inout TableWrite) throws -> Result
  ) throws -> Result {
    wait()
    return try book.transaction { batch in
      var write = TableWrite(
        batch, by: viewer, at: max(now, batch.state.at), book.reader, EmptyDirectory())
      let result = try body(&write)
      batch = write.batch
      return result
    }
  }

  /// Makes a row with the defaults of what is not said; gives the row that is there then.
  @discardableResult
  func insert(_ name: String, _ said: RowColumns, by viewer: Account.ID) throws -> RowColumns {
    let table = try table(name)
    guard let writer = table.writer else { throw Missing(what: "writer of \(name)") }
    let key = try write(by: viewer) { write in
      var row: RowColumns = [:]
      for column in table.columns where column.writing == .client {
        row[column.name] =
          switch column.defaultValue {
          case .null: .null
          case .value(let value), .always(let value): value
          case .caller: write.key.columnValue
          case .freshKey: .uuid(Key())
          case .derivedKey: nil
          }
      }
      return try writer.insert(row.merging(said) { $1 }, given: Set(said.keys), &write)
    }
    let named = Dictionary(zip(table.primaryKey, key), uniquingKeysWith: { first, _ in first })
    return try row(name, named, for: viewer)
  }

  /// Changes the columns of a row that have another value, as a request does, and gives the row as it is then.
  @discardableResult
  func update(
    _ name: String, _ row: RowColumns, to changes: RowColumns, by viewer: Account.ID
  ) throws -> RowColumns {
    let table = try table(name)
    let changed = changes.filter { row[$0.key] != $0.value }
    try write(by: viewer) { write in
      write.given = Set(changes.keys)
      if !changed.isEmpty { try table.writer?.update(row, to: changed, &write) }
    }
    let key = table.primaryKey.map { ($0, row[$0] ?? .null) }
    return try self.row(name, Dictionary(key, uniquingKeysWith: { $1 }), for: viewer)
  }

  func delete(_ name: String, _ row: RowColumns, by viewer: Account.ID) throws {
    let table = try table(name)
    try write(by: viewer) { try table.writer?.delete(row, &$0) }
  }

  /// Calls a function.
  func call(
    _ name: String, _ arguments: RowColumns, by viewer: Account.ID
  ) throws -> RemoteFunction.Answer {
    guard let function = schema.functions.first(where: { $0.name == name }) else {
      throw Missing(what: name)
    }
    var all = arguments
    for argument in function.arguments where all[argument.name] == nil {
      guard let defaultValue = argument.defaultValue else { throw Missing(what: argument.name) }
      all[argument.name] = defaultValue
    }
    return try write(by: viewer) { try function.call(all, &$0) }
  }

  /// The row that an answer names.
  func row(_ answer: RemoteFunction.Answer, for viewer: Account.ID) throws -> RowColumns {
    guard case .row(let table, let key) = answer else { throw Missing(what: "row") }
    return try row(table, key, for: viewer)
  }

  /// The one row of a key.
  func row(_ name: String, _ key: RowColumns, for viewer: Account.ID) throws -> RowColumns {
    let found = try rows(name, for: viewer, ScanBounds(key)).filter { row in
      key.allSatisfy { row[$0.key] == $0.value }
    }
    guard found.count == 1 else { throw Missing(what: "\(found.count) rows of \(name) for \(key)") }
    return found[0]
  }

  struct Missing: Error { let what: String }
}

/// The time, set by hand.
private final class WorldClock: Sendable {
  private let instant = Mutex(Instant(clamping: 1_772_366_400_000))

  var now: Instant { instant.withLock { $0 } }

  func advance(minutes: Int) {
    instant.withLock { $0 = $0.advanced(byMilliseconds: Int64(minutes) * 60_000) }
  }
}
