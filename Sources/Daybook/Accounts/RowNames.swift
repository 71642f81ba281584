package import Values

/// What an account's apps call rows of which the book has a name already, which follows from what they hold: a habit's day,
/// a device. An app names what it makes before the book hears of it, and finds it by that name.
///
/// In a table no two rows are called the same. Copies share what they have in common: a commit copies no more than the way to
/// what it changes.
package struct RowNames: Sendable {
  private var tables: [NamedTable: Names] = [:]

  /// A row's own key, and what it is called.
  package struct Pair: Comparable, Hashable, Sendable {
    /// The one that leads to the other.
    package var from: Key
    /// The other.
    package var to: Key

    /// By the one that leads, then by the other.
    package static func < (left: Pair, right: Pair) -> Bool {
      (left.from, left.to) < (right.from, right.to)
    }
  }

  /// The names of a table.
  package struct Names: Sendable {
    fileprivate var byRow = SortedSet<Pair>()
    private var byName = SortedSet<Pair>()

    /// The key by which a row is shown: what apps call it, or else its own.
    package func shown(_ row: Key) -> Key { name(of: row) ?? row }

    /// What apps call a row, if they call it anything.
    package func name(of row: Key) -> Key? { Self.other(of: row, in: byRow) }

    /// The own key of the row that is called so, if one is.
    package func row(called name: Key) -> Key? { Self.other(of: name, in: byName) }

    /// The own key of the row that is shown by a key.
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

  /// No names.
  package init() {}

  /// Whether there are none.
  package var isEmpty: Bool { tables.isEmpty }

  /// The names of a table.
  package subscript(table: NamedTable) -> Names { tables[table] ?? Names() }

  /// Calls a row by a name from now on, and no other row of its table by it.
  mutating func call(_ row: Key, _ name: Key, in table: NamedTable) {
    tables[table, default: Names()].call(row, name)
  }

  /// All that rows are called, by table and the rows' own keys.
  var pairs: [(table: NamedTable, pair: Pair)] {
    NamedTable.allCases.flatMap { table in
      (tables[table]?.byRow.elements ?? []).map { (table, $0) }
    }
  }
}

extension RowNames: Hashable {
  /// Whether both call the same rows the same.
  package static func == (left: RowNames, right: RowNames) -> Bool {
    NamedTable.allCases.allSatisfy { left[$0].byRow == right[$0].byRow }
  }

  /// Hashes how many there are: those of one book that differ in nothing else are few.
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
