extension Recording {
  /// One case in so many has a value that is equal to an earlier one of it.
  static let casesPerDuplicate: UInt64 = 8
  /// A record of more choices is left as it is.
  static let longestDuplicated = 4_096

  /// Whether the case of a seed is one in which a value is repeated: that is told by the seed alone.
  static func repeats(in seed: CaseSeed) -> Bool {
    SplitMix64.mix(~seed.bits) % casesPerDuplicate == 0
  }

  /// The choices with those of one value in the place of a later one's of the same type: two elements of a list,
  /// a key and another. Chance alone makes such values where there are few; faults like them where there are many.
  ///
  /// - Parameter random: Chooses.
  /// - Returns: The choices; nothing where no two values can be made equal.
  func withDuplicate(_ random: inout SplitMix64) -> [UInt64]? {
    guard !spans.isEmpty else { return nil }
    for _ in 0..<4 {
      let one = spans[Int(random.next(upTo: UInt64(spans.count - 1)))]
      let others = spans.filter { other in
        other.type == one.type && (other.end <= one.start || one.end <= other.start)
          && values[other.start..<other.end] != values[one.start..<one.end]
          && other.end - other.start > 1 && one.end - one.start > 1
      }
      guard !others.isEmpty else { continue }
      let other = others[Int(random.next(upTo: UInt64(others.count - 1)))]
      let (earlier, later) = one.start < other.start ? (one, other) : (other, one)
      var copy = values
      copy.replaceSubrange(later.start..<later.end, with: values[earlier.start..<earlier.end])
      return copy
    }
    return nil
  }
}
