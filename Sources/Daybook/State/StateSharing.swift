extension BookState {
  /// The number of elements, keys and references that are not shared with another state: what was copied between the
  /// two.
  package func unsharedCount(with other: BookState) -> Int {
    let tables = EntityKind.allCases.reduce(0) { $0 + $1.type.unsharedCount(self, other) }
    return tables + indexes.unsharedCount(with: other.indexes)
  }
}

extension StoredEntity {
  fileprivate static func unsharedCount(_ state: BookState, _ other: BookState) -> Int {
    state[keyPath: table].unsharedCount(with: other[keyPath: table])
  }
}
