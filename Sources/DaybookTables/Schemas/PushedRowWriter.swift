import Avro
import Daybook
import DaybookStore
import Values

/// Carries out the rows that devices push (DM-7): a row creates an entity, or changes the columns that it sets. A
/// deleted entity stays as a tombstone until a client deletes its row, which purges it.
struct PushedRowWriter<
  Thing: Entity, Upsert: ColumnCommand, Restore: Command, Purge: Command
>: TableWriter where Upsert.Answer == EntityNumber<Thing> {
  /// The book's table of the entities.
  let things: @Sendable (BookState) -> Table<Thing>
  let isPurged: @Sendable (Thing) -> Bool
  let restore: @Sendable (EntityNumber<Thing>) -> Restore
  let purge: @Sendable (EntityNumber<Thing>) -> Purge
  /// Turns columns into the fields of the command that takes over a row.
  let fields: @Sendable (RowColumns) -> [JSON.Member]

  init(
    _ upsert: Upsert.Type, in things: @escaping @Sendable (BookState) -> Table<Thing>,
    isPurged: @escaping @Sendable (Thing) -> Bool,
    restore: @escaping @Sendable (EntityNumber<Thing>) -> Restore,
    purge: @escaping @Sendable (EntityNumber<Thing>) -> Purge,
    fields: @escaping @Sendable (RowColumns) -> [JSON.Member]
  ) {
    self.things = things
    self.isPurged = isPurged
    self.restore = restore
    self.purge = purge
    self.fields = fields
  }

  func insert(
    _ row: RowColumns, given: Set<String>, _ write: inout TableWrite
  ) throws -> [TableValue] {
    // A purged entity still exists for a client that inserts it again.
    if let key = row.key("id"), let number = number(of: row, write),
      let thing = things(write.batch.state)[number], isPurged(thing), thing.ownedBy == write.viewer
    {
      throw Rejection.keyTaken(key)
    }
    let number = try write.record(Upsert.self, fields(row.filled(given.union(["id"]))))
    return [(things(write.batch.state)[number]?.key).columnValue]
  }

  func update(_ row: RowColumns, to changes: RowColumns, _ write: inout TableWrite) throws {
    if changes["deleted_at"] == .null, let number = number(of: row, write) {
      try write.record(restore(number))
    }
    var changes = changes
    changes["id"] = row["id"]
    try write.record(Upsert.self, fields(changes))
  }

  func delete(_ row: RowColumns, _ write: inout TableWrite) throws {
    if let number = number(of: row, write) { try write.record(purge(number)) }
  }

  private func number(of row: RowColumns, _ write: TableWrite) -> EntityNumber<Thing>? {
    row.key("id").flatMap { things(write.batch.state).number(of: $0) }
  }
}
