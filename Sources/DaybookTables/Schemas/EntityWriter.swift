import Avro
import Daybook
import DaybookStore
import Values

/// What a client writes to one row.
struct RowWrite {
  /// The new values: of a new row all but NULL, of an existing row those that change.
  let columns: RowColumns
  /// The columns that the client set; the others of a new row have their defaults.
  let given: Set<String>
  /// The row before the write; `nil` for a new row.
  let former: RowColumns?
}

/// Carries out writes to entities of one kind. Columns have the names of the commands' fields, so each write becomes
/// one command.
struct EntityWriter<
  Thing: Entity, Create: ColumnCommand, Update: ColumnCommand, Delete: ColumnCommand
>: TableWriter where Create.Answer == EntityNumber<Thing> {
  let table: String
  /// The commands' word for an entity.
  let noun: String
  /// The book's table of the entities.
  let things: @Sendable (BookState) -> Table<Thing>
  /// Whether the writer may change a visible row.
  let isAllowed: @Sendable (RowColumns, TableWrite) -> Bool
  /// Turns columns into the fields of the commands.
  let fields: @Sendable (RowWrite) throws -> [JSON.Member]
  /// Records further commands for the columns that need some.
  let further: @Sendable (RowWrite, EntityNumber<Thing>, inout TableWrite) throws -> Void
  /// Records the commands that accompany a deletion.
  let alongDeletion: @Sendable (EntityNumber<Thing>, inout TableWrite) throws -> Void

  init(
    _ table: String, _ noun: String, _ create: Create.Type, _ update: Update.Type,
    _ delete: Delete.Type, in things: @escaping @Sendable (BookState) -> Table<Thing>,
    mayChange: @escaping @Sendable (RowColumns, TableWrite) -> Bool = { _, _ in true },
    fields: @escaping @Sendable (RowWrite) throws -> [JSON.Member],
    further: @escaping @Sendable (RowWrite, EntityNumber<Thing>, inout TableWrite) throws -> Void =
      {
        _, _, _ in
      },
    alongDeletion: @escaping @Sendable (EntityNumber<Thing>, inout TableWrite) throws -> Void = {
      _, _ in
    }
  ) {
    self.table = table
    self.noun = noun
    self.things = things
    isAllowed = mayChange
    self.fields = fields
    self.further = further
    self.alongDeletion = alongDeletion
  }

  func insert(
    _ row: RowColumns, given: Set<String>, _ write: inout TableWrite
  ) throws -> [TableValue] {
    // A column that the row does not set has its default, if there is one.
    let new = RowWrite(columns: row.filled(Set(row.keys)), given: given, former: nil)
    var command = try fields(new) + new.columns.fields(["created_at"])
    if let household = row.key("household_id") {
      guard (try? write.household(household)) != nil else { throw TableError.rowSecurity(table) }
      command.append(JSON.Member("household", .string(household.description)))
    }
    if let key = row.key("id") { command.append(JSON.Member("key", .string(key.description))) }
    let number = try write.record(Create.self, command)
    try further(new, number, &write)
    return [(things(write.batch.state)[number]?.key).columnValue]
  }

  func mayChange(_ row: RowColumns, _ write: TableWrite) -> Bool { isAllowed(row, write) }

  func update(_ row: RowColumns, to changes: RowColumns, _ write: inout TableWrite) throws {
    if changes.sets("household_id") { throw TableError.rowSecurity(table) }
    guard let key = row.key("id"), let number = things(write.batch.state).number(of: key) else {
      return
    }
    let change = RowWrite(columns: changes, given: write.given, former: row)
    let command = try fields(change)
    if !command.isEmpty { try write.record(Update.self, [name(key)] + command) }
    try further(change, number, &write)
  }

  func delete(_ row: RowColumns, _ write: inout TableWrite) throws {
    guard let key = row.key("id") else { return }
    if let number = things(write.batch.state).number(of: key) { try alongDeletion(number, &write) }
    try write.record(Delete.self, [name(key)])
  }

  private func name(_ key: Values.Key) -> JSON.Member {
    JSON.Member(noun, .string(key.description))
  }
}
