extension BookState {
  /// How many elements, keys and references lie in what another state does not share: what was copied between the two.
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
