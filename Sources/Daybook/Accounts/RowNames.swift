package import Values

/// The names that an account's apps use for rows whose key in the book is derived from their content, such as a habit's
/// day or a device. An app names what it makes before the book hears of it, and looks it up by that name.
///
/// In a table no two rows have the same name. Copies share their common parts: a commit copies only the path to what it
/// changes.
package struct RowNames: Sendable {
  private var tables: [NamedTable: Names] = [:]

  /// A row's own key and its name, in either order.
  package struct Pair: Comparable, Hashable, Sendable {
    /// The key that is looked up.
    package var from: Key
    /// The key that is found.
    package var to: Key

    /// Compares the looked-up keys, then the found ones.
    package static func < (left: Pair, right: Pair) -> Bool {
      (left.from, left.to) < (right.from, right.to)
    }
  }

  /// The names of a table.
  package struct Names: Sendable {
    fileprivate var byRow = SortedSet<Pair>()
    private var byName = SortedSet<Pair>()

    /// The key under which a row is shown: the apps' name for it, or else its own key.
    package func shown(_ row: Key) -> Key { name(of: row) ?? row }

    /// The apps' name for a row, if it has one.
    package func name(of row: Key) -> Key? { Self.other(of: row, in: byRow) }

    /// The own key of the row with this name, if there is one.
    package func row(called name: Key) -> Key? { Self.other(of: name, in: byName) }

    /// The own key of the row that is shown under a key.
    package func row(shownAs key: Key) -> Key { row(called: key) ?? key }

    fileprivate mutating func call(_ row: Key, _ name: Key) {
      if let former = self.row(called: name) { forget(former, name) }
      if let former = self.name(of: row) { forget(row, former) }
      guard row != name else { return }
      byRow.insert(Pair(from: row, to: name))
      byName.insert(Pair(from: name, to: row))
    }

    private mutating func forget(_ row: Key, _ name: Key) {
      byRow.remove(Pair(from: row, to: name))
      byName.remove(Pair(from: name, to: row))
    }

    private static func other(of key: Key, in pairs: SortedSet<Pair>) -> Key? {
      guard !pairs.isEmpty else { return nil }
      var other: Key?
      pairs.visit(from: Pair(from: key, to: Key(high: 0, low: 0))) { pair in
        if pair.from == key { other = pair.to }
        return false
      }
      return other
    }
  }

  /// Without names.
  package init() {}

  /// Whether there are none.
  package var isEmpty: Bool { tables.isEmpty }

  /// The names of a table.
  package subscript(table: NamedTable) -> Names { tables[table] ?? Names() }

  /// Gives a row a name, and takes that name from any other row of the table.
  mutating func call(_ row: Key, _ name: Key, in table: NamedTable) {
    tables[table, default: Names()].call(row, name)
  }

  /// All names, by table and by the rows' own keys.
  var pairs: [(table: NamedTable, pair: Pair)] {
    NamedTable.allCases.flatMap { table in
      (tables[table]?.byRow.elements ?? []).map { (table, $0) }
    }
  }
}

extension RowNames: Hashable {
  /// Whether both hold the same names for the same rows.
  package static func == (left: RowNames, right: RowNames) -> Bool {
    NamedTable.allCases.allSatisfy { left[$0].byRow == right[$0].byRow }
  }

  /// Hashes only the number of names: values of one book rarely differ in nothing else.
  package func hash(into hasher: inout Hasher) {
    for table in NamedTable.allCases { hasher.combine(self[table].byRow.count) }
  }
}

extension RowNamed: ChangeEvent {
  static var mayMoveInIndexes: Bool { false }
  var changed: Account.ID { account }
  func change(_ account: inout Account, _ head: EntryHead) {
    guard let row, let name else { return }
    account.rowNames.call(row, name, in: table)
  }
}
