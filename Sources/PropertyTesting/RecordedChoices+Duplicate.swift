extension RecordedChoices {
  /// One case in this many repeats an earlier value.
  static let casesPerDuplicate: UInt64 = 8
  /// A record with more choices is left unchanged.
  static let longestDuplicated = 4_096

  /// Whether the case with a seed repeats a value; this depends on the seed alone.
  static func repeats(in seed: CaseSeed) -> Bool {
    SplitMix64.mix(~seed.bits) % casesPerDuplicate == 0
  }

  /// The choices, with those of one value copied over a later value of the same type, such as two elements of
  /// a list, or two keys. Pure chance produces equal values only where few are possible, while bugs depend on
  /// them elsewhere as well.
  ///
  /// - Parameter random: The random generator.
  /// - Returns: The choices, or `nil` if no two values can be made equal.
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
