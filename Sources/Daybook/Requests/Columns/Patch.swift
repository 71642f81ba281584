/// A change of some columns of a content: it sets the columns that it names, and leaves the others alone.
///
/// ```swift
/// Patch<PantryStapleContent> { $0.amount = nil }
/// ```
///
/// It knows which columns it sets, so it can be written as JSON. In JSON, a column that is absent is left alone; null
/// clears a column.
public struct Patch<Content: Columns>: Sendable {
  /// The changes, in the order of the columns.
  let changes: [ColumnChange]

  init(_ changes: [ColumnChange]) { self.changes = changes }

  /// Changes nothing.
  public init() { changes = [] }

  /// Sets what the closure sets.
  ///
  /// - Parameter set: Sets columns. It must not depend on their old values, because it does not see the content that
  ///   will be changed. It runs twice, which shows which columns it sets.
  /// - Precondition: It sets the same both times.
  /// - Throws: what it throws.
  public init(_ set: (inout Content) throws -> Void) rethrows {
    // Runs the closure on two contents that differ in every column. A column with equal values afterwards was set.
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

  /// The content with the change applied.
  package func applied(to old: Content) -> Content {
    var new = old
    var writer = PatchWriter(changes: changes[...])
    new.visitColumns(&writer)
    return new
  }
}

/// A column that a patch sets.
struct ColumnChange: Sendable {
  /// The index of the column among those of the content, from 0.
  var place: Int
  /// The name of the column.
  var name: String
  /// The new value of the column.
  var value: any Sendable
}
