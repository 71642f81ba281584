/// How many entities of each kind were created.
package struct EntityCounts: Hashable, Sendable {
  /// The counts by the names of the kinds' numbers; zero counts are left out.
  private(set) var counts: [String: Int]

  /// None so far.
  package static let none = EntityCounts(counts: [:])

  init(counts: [String: Int]) { self.counts = counts.filter { $0.value != 0 } }

  /// The count of a kind.
  subscript(kind: String) -> Int { counts[kind] ?? 0 }

  /// The sum of two counts.
  static func + (left: Self, right: Self) -> Self {
    EntityCounts(counts: left.counts.merging(right.counts, uniquingKeysWith: &+))
  }

  /// The difference of two counts.
  static func - (left: Self, right: Self) -> Self {
    EntityCounts(
      counts: left.counts.merging(right.counts.mapValues { 0 &- $0 }, uniquingKeysWith: &+))
  }

  /// The fixed number of digits in a count, so that all headers of one schema have one length.
  private static let digitCount = 10

  /// `KIND:COUNT KIND:COUNT …` for some kinds, each count in ten decimal digits.
  func text(of kinds: [String]) -> String {
    kinds.map { kind in
      let digits = String(max(0, self[kind]))
      let zeros = String(repeating: "0", count: max(0, Self.digitCount - digits.count))
      return "\(kind):\(zeros)\(digits)"
    }.joined(separator: " ")
  }

  /// Parses `KIND:COUNT KIND:COUNT …`; fails for any other text.
  init?(_ text: String) {
    var counts: [String: Int] = [:]
    for item in text.split(separator: " ", omittingEmptySubsequences: text.isEmpty) {
      let parts = item.split(separator: ":", omittingEmptySubsequences: false)
      guard parts.count == 2, parts[1].utf8.count == Self.digitCount,
        let count = Int64(digits: parts[1]),
        counts.updateValue(Int(count), forKey: String(parts[0])) == nil
      else { return nil }
    }
    self.init(counts: counts)
  }
}
