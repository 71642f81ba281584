import Avro
import Daybook
import DaybookStore
import Values

/// Carries out members' writes to entities of one kind in their households. Columns have the names of the commands'
/// fields, so each write becomes one command.
struct HouseholdThingWriter<
  Thing: Entity, Create: ColumnCommand, Update: ColumnCommand, Delete: ColumnCommand
>: TableWriter where Create.Answer == EntityNumber<Thing> {
  let table: String
  /// The commands' word for an entity.
  let noun: String
  /// The book's table of the entities.
  let things: @Sendable (BookState) -> Daybook.Table<Thing>
  /// Turns columns into the fields of the commands.
  let fields: @Sendable (RowColumns) throws -> [JSON.Member]
  /// Records a further command for the columns that need one.
  let more: @Sendable (RowColumns, EntityNumber<Thing>, inout TableWrite) throws -> Void
  /// Records the commands that accompany a deletion.
  let goesWith: @Sendable (EntityNumber<Thing>, inout TableWrite) throws -> Void

  init(
    _ table: String, _ noun: String, _ create: Create.Type, _ update: Update.Type,
    _ delete: Delete.Type, in things: @escaping @Sendable (BookState) -> Daybook.Table<Thing>,
    fields: @escaping @Sendable (RowColumns) throws -> [JSON.Member],
    more: @escaping @Sendable (RowColumns, EntityNumber<Thing>, inout TableWrite) throws -> Void = {
      _, _, _ in
    },
    goesWith: @escaping @Sendable (EntityNumber<Thing>, inout TableWrite) throws -> Void = {
      _, _ in
    }
  ) {
    self.table = table
    self.noun = noun
    self.things = things
    self.fields = fields
    self.more = more
    self.goesWith = goesWith
  }

  func insert(
    _ row: RowColumns, said: Set<String>, _ write: inout TableWrite
  ) throws -> [Value] {
    // A column that the row does not set has its default, if there is one.
    let said = row.filled(Set(row.keys))
    var command = try fields(said) + said.fields(["created_at"])
    if let household = row.key("household_id") {
      guard (try? write.household(household)) != nil else { throw TableError.rowSecurity(table) }
      command.append(JSON.Member("household", .string(household.description)))
    }
    if let key = row.key("id") { command.append(JSON.Member("key", .string(key.description))) }
    let number = try write.record(Create.self, command)
    try more(said, number, &write)
    return [(things(write.batch.state)[number]?.key).columnValue]
  }

  func update(_ row: RowColumns, to changes: RowColumns, _ write: inout TableWrite) throws {
    let changes = changes.differing(from: row)
    if changes.says("household_id") || changes.says("id") { throw TableError.rowSecurity(table) }
    guard let key = row.key("id"), let number = things(write.batch.state).number(of: key) else {
      return
    }
    let command = try fields(changes)
    if !command.isEmpty { try write.record(Update.self, [name(key)] + command) }
    try more(changes, number, &write)
  }

  func delete(_ row: RowColumns, _ write: inout TableWrite) throws {
    guard let key = row.key("id") else { return }
    if let number = things(write.batch.state).number(of: key) { try goesWith(number, &write) }
    try write.record(Delete.self, [name(key)])
  }

  private func name(_ key: Values.Key) -> JSON.Member {
    JSON.Member(noun, .string(key.description))
  }
}
