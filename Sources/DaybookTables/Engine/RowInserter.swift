import Avro
import Daybook
import DaybookStore
import HTTPTypes
import Values

/// Makes the rows of a body, or changes those that are there already where that was asked for.
struct RowInserter: Sendable {
  let table: Table
  let schema: TableSchema
  let body: BodyRows
  let preferences: Preferences
  /// By which columns a row is there already.
  let conflictColumns: [String]
  /// The key that the row of a `PUT` must have, as predicates; rows of the body without that key are skipped.
  let place: [Predicate]

  /// What became of the rows.
  struct Outcome {
    /// The rows that were made or changed, each once.
    var rows: [WrittenRow] = []
    /// Whether any row is new.
    var isNew = false
  }

  /// - Throws: ``TableError`` (`42703`, `42P10`) for what is no key of the table.
  init(
    _ body: BodyRows, into table: Table, of schema: TableSchema, _ preferences: Preferences,
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
  /// - Throws: ``TableError``, or what writing throws; then nothing may be kept.
  func write(_ write: inout TableWrite) throws -> Outcome {
    guard let caller = write.key else { throw TableError.unknownAccount }
    // Literals are read before anything is decided.
    let at = write.at
    var drafts = try body.rows.map {
      try RowDraft($0, body.said, of: table, preferences, caller, at: at)
    }
    if !place.isEmpty {
      drafts = drafts.filter { draft in
        let row = Row(table.columns.map { draft.values[$0.name] ?? .null })
        return place.allSatisfy { $0.takes(row, nil) }
      }
      guard !drafts.isEmpty else { throw TableError.otherPlace }
    }
    var rows = [WrittenRow?](repeating: nil, count: drafts.count)
    var (outcome, written) = (Outcome(), Set<RowKey>())
    for place in order(of: drafts) {
      guard let row = try self.write(drafts[place], caller, &write, &outcome.isNew, written) else {
        continue
      }
      rows[place] = row
      if let named = RowKey(row.key) { written.insert(named) }
    }
    var seen: Set<[Value]> = []
    outcome.rows = rows.compactMap { $0 }.filter { seen.insert($0.key).inserted }
    return outcome
  }

  /// Writes a row, and tells by what it is found; nothing of one that is passed over.
  ///
  /// A row that the same request wrote already is not changed by another of its rows: which of them came last would decide.
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
      var changes = draft.values.filter { draft.said.contains($0.key) }
      for column in table.columns where column.writing == .once { changes[column.name] = nil }
      // What is deleted stays so: a device may only not know of it yet (DM-8).
      if table.kind != nil, changes["deleted_at"] == .null { changes["deleted_at"] = nil }
      // One that was found by its day is called as its client says.
      // Any other keeps its key, whichever the client has made in case it was new.
      if !table.namesRows {
        for column in conflictColumns + table.primaryKey { changes[column] = nil }
      }
      let updater = RowUpdater(table: table, schema: schema)
      guard writer.mayChange(table.values(of: existing), write) else {
        throw TableError.rowSecurity(table.name)
      }
      return try updater.update(existing, to: changes, caller, &write)
    }
    if let row = try revived(draft, caller, &write) {
      isNew = true
      return row
    }
    try checks.checkOwner(draft.values, caller, isNew: true)
    try checks.checkValues(draft.values)
    try checks.checkKeys(draft.values, changed: draft.named, own: nil, in: write.sight)
    try checks.checkReferences(draft.values, changed: draft.said, in: write.sight)
    let position = write.batch.state.position
    do {
      let key = try writer.insert(draft.values, said: draft.said, &write)
      isNew = true
      return WrittenRow(
        key: try RowNaming(table: table).name(key, draft.values, &write),
        near: table.naturalKey(of: draft.values))
    } catch let rejection as Rejection {
      // What is deleted for good stays so, whatever rows of devices come late that do not know it (DM-8).
      if rejection.reason == .keyTaken, preferences.resolution != nil, table.hasTombstones {
        return nil
      }
      guard let resolution = preferences.resolution, rejection.reason.isOfTaken else {
        throw TableError(rejection, writing: table, draft.values)
      }
      // The key is another's, whose row cannot be seen.
      if resolution == .ignore, write.batch.state.position == position { return nil }
      throw TableError.rowSecurity(table.name)
    }
  }

  /// Brings back what was deleted under the key of a row, and makes it what the row says; nothing where that is somebody
  /// else's, or cannot come back.
  private func revived(
    _ draft: RowDraft, _ caller: Key, _ write: inout TableWrite
  ) throws -> WrittenRow? {
    guard let kind = table.kind, case .uuid(let key)? = draft.values["id"],
      let number = write.batch.state.table(of: kind).entityNumber(of: key),
      write.batch.state.table(of: kind).entity(number)?.isDeleted == true
    else { return nil }
    let homes = table.foreignKeys.filter { !$0.isChecked }.flatMap(\.columns)
    // What is known again by something else is brought back by that.
    let known = table.recognitionKeys.flatMap(\.self).filter { !homes.contains($0) }
    guard known.allSatisfy({ draft.values[$0]?.isNull ?? true }) else { return nil }
    do { try write.record(Revive(kind, number)) } catch is Rejection { return nil }
    guard let row = try checks.row(with: table.primaryKey, of: draft.values, in: write.sight) else {
      throw TableError.rowSecurity(table.name)
    }
    // What the row does not say has its default again; but in which household it is, nobody needs to say.
    let changes = draft.values.filter { name, value in
      guard let column = table.place(of: name).map({ table.columns[$0] }) else { return false }
      guard column.writing == .client else { return false }
      return !value.isNull || column.isNullable && !homes.contains(name)
    }
    return try RowUpdater(table: table, schema: schema).update(row, to: changes, caller, &write)
  }

  /// The row that is there already, if one is to be seen. Where keys follow from what rows hold and the client says nothing
  /// of what tells them apart, it is one that the client calls so, or else one of the same day, text or person.
  private func existing(_ draft: RowDraft, _ write: TableWrite) throws -> Row? {
    let sight = write.sight
    if !table.recognizes(conflictColumns),
      let found = try checks.row(with: conflictColumns, of: draft.values, in: sight)
    {
      return found
    }
    // By as much as is said: the same may be in several households. What is not to be changed is not changed as a new one, either.
    if preferences.resolution == .ignore || table.recognizes(conflictColumns),
      let key = table.recognitionKeys.first(where: { key in
        key.allSatisfy { draft.values[$0]?.isNull == false }
      }),
      let found = try checks.row(with: key, of: draft.values, in: sight)
    {
      return found
    }
    guard table.namesRows, conflictColumns == table.primaryKey,
      let natural = table.uniqueKeys.first
    else { return nil }
    return try checks.row(with: natural, of: draft.values, in: sight)
  }

  /// The order in which rows are written: one that names another of the same body after it.
  private func order(of drafts: [RowDraft]) -> [Int] {
    guard let key = table.foreignKeys.first(where: { $0.table == table.name }),
      let column = key.columns.first, let referenced = key.referenced.first, drafts.count > 1
    else { return Array(drafts.indices) }
    var places: [Value: Int] = [:]
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
    // What names one another in a circle is refused by whoever gets to decide it.
    return order + children.values.flatMap { $0 }.sorted()
  }
}

extension Table {
  /// Whether what is deleted leaves a row that says so.
  fileprivate var hasTombstones: Bool { place(of: "deleted_at") != nil }

  /// Whether rows that are inserted are known again by these columns.
  fileprivate func recognizes(_ columns: [String]) -> Bool {
    recognitionKeys.contains { Set($0) == Set(columns) }
  }
}

/// A row that is to be made: what was said, and the defaults of the rest.
struct RowDraft {
  /// All columns that are the client's.
  private(set) var values: [String: Value] = [:]
  /// Those that were said.
  private(set) var said: Set<String> = []
  /// Those whose value another row may have: all but fresh keys.
  private(set) var named: Set<String> = []

  /// - Throws: ``TableError`` for a literal that does not fit.
  fileprivate init(
    _ row: [String: JSON], _ columns: [Column], of table: Table, _ preferences: Preferences,
    _ caller: Key, at now: Instant
  ) throws(TableError) {
    let names = Set(columns.map(\.name))
    for column in table.columns where column.writing == .client || column.writing == .once {
      if let json = row[column.name], names.contains(column.name) {
        values[column.name] = column.meant(by: try Value(json, column.type, at: now))
        said.insert(column.name)
      } else if names.contains(column.name), !preferences.usesDefaults {
        values[column.name] = column.meant(by: .null)
        said.insert(column.name)
      } else {
        switch column.standard {
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
