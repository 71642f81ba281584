/// A collection whose copies share all parts that neither of them has changed.
protocol SharingCollection {
  /// The size of the parts that it does not share with another one.
  func unsharedCount(with other: Self) -> Int
}

extension SharingCollection {
  fileprivate func unsharedCount(withAny other: Any) -> Int {
    (other as? Self).map { unsharedCount(with: $0) } ?? 0
  }
}

extension BookState {
  /// The number of elements, keys and references that are not shared with another state: what was copied between the
  /// two.
  package func unsharedCount(with other: BookState) -> Int { Self.unsharedCount(self, other) }

  /// Adds up the collections that two values consist of.
  private static func unsharedCount(_ one: Any, _ other: Any) -> Int {
    if let one = one as? any SharingCollection { return one.unsharedCount(withAny: other) }
    return zip(Mirror(reflecting: one).children, Mirror(reflecting: other).children)
      .reduce(0) { $0 + unsharedCount($1.0.value, $1.1.value) }
  }
}

extension KeyTable: SharingCollection {}
extension PersistentArray: SharingCollection {}
extension SortedSet: SharingCollection {}
