import Avro
import Daybook
import DaybookStore
import HTTPTypes
import Values

/// Inserts the rows of a body, or updates existing ones where the request asks for that.
struct RowInserter: Sendable {
  let table: AppTable
  let schema: TableSchema
  let body: BodyRows
  let preferences: Preferences
  /// The columns that identify an existing row.
  let conflictColumns: [String]
  /// The conditions that a row of `PUT` must satisfy, because it is written under its own key; other rows are skipped.
  let place: [Predicate]

  /// The result of an insert.
  struct Outcome {
    /// The rows that were inserted or updated, each once.
    var rows: [WrittenRow] = []
    /// Whether any row is new.
    var isNew = false
  }

  /// - Throws: ``TableError`` (`42703`, `42P10`) for conflict columns that are no key of the table.
  init(
    _ body: BodyRows, into table: AppTable, of schema: TableSchema, _ preferences: Preferences,
    conflictColumns: [String]?, at place: [Predicate] = []
  ) throws(TableError) {
    (self.body, self.table, self.schema) = (body, table, schema)
    self.place = place
    self.preferences = preferences
    guard preferences.resolution != nil, let columns = conflictColumns,
      columns != table.primaryKey
    else {
      self.conflictColumns = table.primaryKey
      return
    }
    for column in columns where table.place(of: column) == nil {
      throw .unknownColumn(column, of: table.name)
    }
    guard table.isUnique(columns) || table.recognizes(columns) else {
      throw TableError(
        .badRequest, "42P10",
        "there is no unique or exclusion constraint matching the ON CONFLICT specification")
    }
    self.conflictColumns = columns
  }

  private var checks: RowChecks { RowChecks(table: table, schema: schema) }

  /// Writes all rows.
  ///
  /// - Throws: ``TableError``, or what writing throws; then the whole write must be dropped.
  func write(_ write: inout TableWrite) throws -> Outcome {
    guard let caller = write.key else { throw TableError.unknownAccount }
    // All literals are parsed before anything is decided.
    let at = write.at
    var drafts = try body.rows.map {
      try RowDraft($0, body.given, of: table, preferences, caller, at: at)
    }
    if !place.isEmpty {
      drafts = drafts.filter { draft in
        let row = Row(table.columns.map { draft.values[$0.name] ?? .null })
        return place.allSatisfy { $0.matches(row, nil) }
      }
      guard !drafts.isEmpty else { throw TableError.otherPlace }
    }
    var rows = [WrittenRow?](repeating: nil, count: drafts.count)
    var (outcome, written) = (Outcome(), Set<RowKey>())
    for place in order(of: drafts) {
      // A name belongs to the command of its own row, which may come to nothing.
      write.batch.beginCommand()
      guard let row = try self.write(drafts[place], caller, &write, &outcome.isNew, written) else {
        continue
      }
      rows[place] = row
      if let named = RowKey(row.key) { written.insert(named) }
    }
    var seen: Set<[TableValue]> = []
    outcome.rows = rows.compactMap { $0 }.filter { seen.insert($0.key).inserted }
    return outcome
  }

  /// Writes a row and returns its key; `nil` for a row that is skipped.
  ///
  /// A row that the same request has already written is not changed again, because the result would depend on their
  /// order.
  private func write(
    _ draft: RowDraft, _ caller: Key, _ write: inout TableWrite, _ isNew: inout Bool,
    _ written: Set<RowKey>
  ) throws -> WrittenRow? {
    guard let writer = table.writer else { throw TableError.rowSecurity(table.name) }
    try checks.checkOwner(draft.values, caller, isNew: false)
    let isUnwritten = writer.isUnwritten(draft.values, write)
    if isUnwritten || preferences.resolution != nil, let existing = try existing(draft, write) {
      if preferences.resolution == .ignore, !isUnwritten { return nil }
      isNew = isNew || isUnwritten
      let known = existing.key(table.places(of: table.primaryKey) ?? [])
      if known.map({ written.contains($0) }) ?? false { throw TableError.secondTime }
      var changes = draft.values.filter { draft.given.contains($0.key) }
      for column in table.columns where column.writing == .once { changes[column.name] = nil }
      // A deleted row stays deleted: a device may simply not know yet (DM-8).
      if table.kind != nil, changes["deleted_at"] == .null { changes["deleted_at"] = nil }
      // A row that was found by its day takes the client's name for it. Any other row keeps its
      // key, whatever key the client made in case the row was new.
      if !table.namesRows {
        for column in conflictColumns + table.primaryKey { changes[column] = nil }
      }
      let updater = RowUpdater(table: table, schema: schema)
      guard writer.mayChange(table.values(of: existing), write) else {
        throw TableError.rowSecurity(table.name)
      }
      return try updater.update(existing, to: changes, caller, &write)
    }
    if let row = try restored(draft, caller, &write) {
      isNew = true
      return row
    }
    try checks.checkOwner(draft.values, caller, isNew: true)
    try checks.checkValues(draft.values)
    try checks.checkKeys(draft.values, changed: draft.named, own: nil, in: write.view)
    try checks.checkReferences(draft.values, changed: draft.given, in: write.view)
    let position = write.batch.state.position
    do {
      let key = try writer.insert(draft.values, given: draft.given, &write)
      isNew = true
      return WrittenRow(
        key: try RowNaming(table: table).name(key, draft.values, &write),
        near: table.naturalKey(of: draft.values))
    } catch let rejection as Rejection {
      // A row that was deleted for good stays deleted, even if a device that does not know sends it late (DM-8).
      if rejection.reason == .keyTaken, preferences.resolution != nil, table.hasTombstones {
        return nil
      }
      guard let resolution = preferences.resolution, rejection.reason.isOfTaken else {
        throw TableError(rejection, writing: table, draft.values)
      }
      // The key belongs to somebody else, whose row is not visible.
      if resolution == .ignore, write.batch.state.position == position { return nil }
      throw TableError.rowSecurity(table.name)
    }
  }

  /// Restores the deleted entity with a row's key and sets its values to the row's; `nil` where the entity belongs
  /// to somebody else or cannot be restored.
  private func restored(
    _ draft: RowDraft, _ caller: Key, _ write: inout TableWrite
  ) throws -> WrittenRow? {
    guard let kind = table.kind, case .uuid(let key)? = draft.values["id"],
      let number = write.batch.state.table(of: kind).entityNumber(of: key),
      write.batch.state.table(of: kind).entity(number)?.isDeleted == true
    else { return nil }
    let homes = table.foreignKeys.filter { !$0.isChecked }.flatMap(\.columns)
    // A row that other columns recognise is restored through those.
    let known = table.recognitionKeys.flatMap(\.self).filter { !homes.contains($0) }
    guard known.allSatisfy({ draft.values[$0]?.isNull ?? true }) else { return nil }
    do { try write.record(RestoreEntity(kind, number)) } catch is Rejection { return nil }
    guard let row = try checks.row(with: table.primaryKey, of: draft.values, in: write.view) else {
      throw TableError.rowSecurity(table.name)
    }
    // Columns that the row does not set return to their defaults; the household need not be set.
    let changes = draft.values.filter { name, value in
      guard let column = table.place(of: name).map({ table.columns[$0] }) else { return false }
      guard column.writing == .client else { return false }
      return !value.isNull || column.isNullable && !homes.contains(name)
    }
    return try RowUpdater(table: table, schema: schema).update(row, to: changes, caller, &write)
  }

  /// The existing row, if one is visible. Where keys are derived and the client does not set the natural key, it is
  /// the row that the client calls so; otherwise it is the row of the same day, text or person.
  private func existing(_ draft: RowDraft, _ write: TableWrite) throws -> Row? {
    let view = write.view
    if !table.recognizes(conflictColumns),
      let found = try checks.row(with: conflictColumns, of: draft.values, in: view)
    {
      return found
    }
    // Matches by the first key whose columns are all set, because several households may have the same row. An
    // ignored duplicate must not be changed by inserting it as a new row.
    if preferences.resolution == .ignore || table.recognizes(conflictColumns),
      let key = table.recognitionKeys.first(where: { key in
        key.allSatisfy { draft.values[$0]?.isNull == false }
      }),
      let found = try checks.row(with: key, of: draft.values, in: view)
    {
      return found
    }
    guard table.namesRows, conflictColumns == table.primaryKey,
      let natural = table.uniqueKeys.first
    else { return nil }
    return try checks.row(with: natural, of: draft.values, in: view)
  }

  /// The order in which to write rows: a row comes after the row of the same body to which it
  /// refers.
  private func order(of drafts: [RowDraft]) -> [Int] {
    guard let key = table.foreignKeys.first(where: { $0.table == table.name }),
      let column = key.columns.first, let referenced = key.referenced.first, drafts.count > 1
    else { return Array(drafts.indices) }
    var places: [TableValue: Int] = [:]
    for (place, draft) in drafts.enumerated() {
      if let value = draft.values[referenced] { places[value] = place }
    }
    var children: [Int: [Int]] = [:]
    var order: [Int] = []
    for (place, draft) in drafts.enumerated() {
      if let value = draft.values[column], let parent = places[value], parent != place {
        children[parent, default: []].append(place)
      } else {
        order.append(place)
      }
    }
    var next = 0
    while next < order.count {
      order += children.removeValue(forKey: order[next]) ?? []
      next += 1
    }
    // Rows that refer to each other in a circle are refused when they are decided.
    return order + children.values.flatMap { $0 }.sorted()
  }
}

extension AppTable {
  /// Whether a deleted row remains as a tombstone.
  fileprivate var hasTombstones: Bool { place(of: "deleted_at") != nil }

  /// Whether these columns recognise an inserted row that exists already.
  fileprivate func recognizes(_ columns: [String]) -> Bool {
    recognitionKeys.contains { Set($0) == Set(columns) }
  }
}

/// A row to insert: the values that were given, and the defaults of the rest.
struct RowDraft {
  /// The values of all columns that the client may set.
  private(set) var values: [String: TableValue] = [:]
  /// The columns that the client set.
  private(set) var given: Set<String> = []
  /// The columns whose values another row may also have: all but fresh keys.
  private(set) var named: Set<String> = []

  /// - Throws: ``TableError`` for a literal that does not fit.
  fileprivate init(
    _ row: [String: JSON], _ columns: [TableColumn], of table: AppTable, _ preferences: Preferences,
    _ caller: Key, at now: Instant
  ) throws(TableError) {
    let names = Set(columns.map(\.name))
    for column in table.columns where column.writing == .client || column.writing == .once {
      if let json = row[column.name], names.contains(column.name) {
        values[column.name] = column.stored(try TableValue(json, column.type, at: now))
        given.insert(column.name)
      } else if names.contains(column.name), !preferences.usesDefaults {
        values[column.name] = column.stored(.null)
        given.insert(column.name)
      } else {
        switch column.defaultValue {
        case .null: values[column.name] = .null
        case .value(let value), .always(let value): values[column.name] = value
        case .caller: values[column.name] = .uuid(caller)
        case .freshKey:
          values[column.name] = .uuid(Key())
          continue
        case .derivedKey: continue
        }
      }
      named.insert(column.name)
    }
  }
}
