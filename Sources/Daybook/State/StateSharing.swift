extension BookState {
  /// How many elements, keys and references lie in what another state does not share: what was copied between the two.
  package func unsharedCount(with other: BookState) -> Int {
    let tables = EntityKind.allCases.reduce(0) { $0 + $1.type.unsharedCount(self, other) }
    return tables + accountIndex.unsharedCount(with: other.accountIndex)
      + habitIndex.unsharedCount(with: other.habitIndex)
      + hiveIndex.unsharedCount(with: other.hiveIndex)
      + householdIndex.unsharedCount(with: other.householdIndex)
      + taskIndex.unsharedCount(with: other.taskIndex)
      + activityIndex.unsharedCount(with: other.activityIndex)
  }

  /// Whether the indexes of two states say the same.
  package func hasSameIndexes(as other: BookState) -> Bool {
    accountIndex == other.accountIndex && habitIndex == other.habitIndex
      && hiveIndex == other.hiveIndex && householdIndex == other.householdIndex
      && taskIndex == other.taskIndex && activityIndex == other.activityIndex
  }
}

extension StoredEntity {
  fileprivate static func unsharedCount(_ state: BookState, _ other: BookState) -> Int {
    state[keyPath: table].unsharedCount(with: other[keyPath: table])
  }
}
