package import Values

/// What an account's apps call rows of which the book has a name already, which follows from what they hold: a habit's day,
/// a device. An app names what it makes before the book hears of it, and finds it by that name.
///
/// Copies share what they have in common: a commit copies no more than the way to what it changes.
package struct RowNames: Sendable {
  private var namesByRow = SortedSet<Pair>()
  private var rowsByName = SortedSet<Pair>()

  /// One name, and the other.
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

  /// No names.
  package init() {}

  /// Makes them of pairs of a row's own name and the app's; of a name that is given twice the last one counts.
  package init(_ pairs: [Pair]) {
    for pair in pairs { call(pair.from, pair.to) }
  }

  /// All of them, from the rows' own names to the apps', ascending.
  package var pairs: [Pair] { namesByRow.elements }

  /// Whether there are none.
  package var isEmpty: Bool { namesByRow.isEmpty }

  /// What apps call a row, if they call it anything.
  package func name(of row: Key) -> Key? { Self.other(of: row, in: namesByRow) }

  /// The row that apps call so, by its own name.
  package func row(called name: Key) -> Key? { Self.other(of: name, in: rowsByName) }

  /// The key by which a row is shown: what apps call it, or else its own; where another row is called by that, one that
  /// follows from it.
  package func shown(_ row: Key) -> Key {
    guard !isEmpty else { return row }
    var row = row
    // Nobody comes to a second turn but on purpose.
    for _ in 0..<8 {
      if let name = name(of: row) { return name }
      guard self.row(called: row) != nil else { return row }
      row = Key(derivedFrom: ["row", row.description])
    }
    return row
  }

  /// The own name of the row that is shown by a key.
  package func row(shownAs key: Key) -> Key { row(called: key) ?? key }

  /// Calls a row by a name from now on, and no other row by it.
  mutating func call(_ row: Key, _ name: Key) {
    if let former = self.row(called: name) { forget(former, name) }
    if let former = self.name(of: row) { forget(row, former) }
    namesByRow.insert(Pair(from: row, to: name))
    rowsByName.insert(Pair(from: name, to: row))
  }

  private mutating func forget(_ row: Key, _ name: Key) {
    namesByRow.remove(Pair(from: row, to: name))
    rowsByName.remove(Pair(from: name, to: row))
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

extension RowNames: Hashable {
  /// Whether both call the same rows the same.
  package static func == (left: RowNames, right: RowNames) -> Bool {
    left.namesByRow == right.namesByRow
  }

  /// Hashes how many there are: those of one book that differ in nothing else are few.
  package func hash(into hasher: inout Hasher) { hasher.combine(namesByRow.count) }
}

extension RowNamed: ChangeEvent {
  static var mayMoveInIndexes: Bool { false }
  var changed: Account.ID { account }
  func change(_ account: inout Account, _ head: EntryHead) {
    guard let row, let name else { return }
    account.rowNames.call(row, name)
  }
}
