/// A change of some of the columns of a content: those that it names are set, the others left alone.
///
/// ```swift
/// Patch<PantryStapleContent> { $0.amount = nil }
/// ```
///
/// It knows which columns it sets, so that it can be told to others as JSON; an absent column is left alone there, and
/// null clears it.
public struct Patch<Content: Columns>: Sendable {
  /// What is set, in the order of the columns.
  let changes: [ColumnChange]

  init(_ changes: [ColumnChange]) { self.changes = changes }

  /// Changes nothing.
  public init() { changes = [] }

  /// Sets what the closure sets.
  ///
  /// - Parameter set: Sets columns, whatever they hold: it is not shown the content that will be changed, and is run
  ///   twice, so that it is seen what it sets.
  /// - Precondition: It sets the same both times.
  /// - Throws: what it throws.
  public init(_ set: (inout Content) throws -> Void) rethrows {
    // What is set to the same value in two contents that differ in every column was set in both.
    var found: [Int: ColumnChange] = [:]
    for isFirst in [true, false] {
      var before = Content.defaults
      var filler = ColumnFiller(isFirst: isFirst)
      before.visitColumns(&filler)
      var after = before
      try set(&after)
      var finder = ChangeFinder(before: filler.values, others: found)
      after.visitColumns(&finder)
      for change in finder.changes { found[change.place] = change }
    }
    changes = found.values.sorted { $0.place < $1.place }
  }

  /// Sets one more column.
  public mutating func set<Value>(_ column: WritableKeyPath<Content, Value>, _ value: Value) {
    let more = Patch { $0[keyPath: column] = value }
    let kept = changes.filter { old in !more.changes.contains { $0.place == old.place } }
    self = Patch((kept + more.changes).sorted { $0.place < $1.place })
  }

  /// Whether it sets nothing.
  public var isEmpty: Bool { changes.isEmpty }

  /// Whether it sets a column.
  public func has(_ name: String) -> Bool { changes.contains { $0.name == name } }

  /// The content after the change.
  package func applied(to old: Content) -> Content {
    var new = old
    var writer = PatchWriter(changes: changes[...])
    new.visitColumns(&writer)
    return new
  }
}

/// A column that a patch sets.
struct ColumnChange: Sendable {
  /// The place of the column among all those of the content, from 0.
  var place: Int
  /// What it is called.
  var name: String
  /// What it is set to.
  var value: any Sendable
}
