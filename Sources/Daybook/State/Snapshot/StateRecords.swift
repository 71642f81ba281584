package import Avro

/// A state as a sequence of records: its head, then its accounts, habits and so on, each kind by number.
///
/// Each record is preceded by its branch, as a value of a union that begins with ``schemas``: 0 is the head, then come
/// the kinds in their order. ``StateBuilder`` reads them.
package struct StateRecords: Sendable {
  /// The records' schemas, in the order of their branches.
  package static var schemas: [Schema] {
    [StateHead.schema] + EntityKind.allCases.map { $0.type.schema }
  }

  /// The branch of an entity's record.
  static func branch(of kind: EntityKind) -> Int64 { Int64(kind.index) + 1 }

  /// The kind of entity of a branch, if there is one.
  static func kind(of branch: Int64) -> EntityKind? {
    EntityKind.allCases.first { self.branch(of: $0) == branch }
  }

  private let state: BookState
  private var isHeadWritten = false
  private var kinds = EntityKind.allCases[...]
  private var index = 0

  /// Begins with the head of a state.
  package init(_ state: BookState) { self.state = state }

  /// Writes the next record.
  ///
  /// - Returns: Whether there was one.
  package mutating func writeNext(to writer: inout BinaryWriter) -> Bool {
    guard isHeadWritten else {
      writer.put(0)
      state.head.write(to: &writer)
      isHeadWritten = true
      return true
    }
    while let kind = kinds.first {
      if kind.type.write(index, of: state, Self.branch(of: kind), to: &writer) {
        index += 1
        return true
      }
      kinds.removeFirst()
      index = 0
    }
    return false
  }
}

extension StoredEntity {
  /// Writes the record of the entity at an index of its table, if there is one.
  fileprivate static func write(
    _ index: Int, of state: BookState, _ branch: Int64, to writer: inout BinaryWriter
  ) -> Bool {
    let elements = state[keyPath: table].elements
    guard index < elements.count else { return false }
    writer.put(branch)
    elements[index].write(to: &writer)
    return true
  }
}
