/// Which entries the gaps of a segment swallowed, as far as it can be told.
///
/// Positions are not written down; they follow from how many entries come before. So what is known is how
/// many entries each run of whole blocks has, how many some gaps say they hold, and often where the segment
/// ends: its seal tells, or the name of the next segment.
struct Placement {
  /// The entries of one gap.
  struct Loss: Hashable {
    /// How many there are, if that is certain.
    var count: Int?
    /// The first that may be lost.
    var first: Position
    /// The last that may be lost, if the segment's end is known.
    var last: Position?

    /// The positions for a report: none when nothing was lost.
    var span: (first: Position, last: Position?)? { count == 0 ? nil : (first, last) }
  }

  /// - Parameters:
  ///   - first: The segment's first position.
  ///   - last: Its last one, if that is known.
  ///   - runs: How many entries stand before the first gap, between gaps, and after the last one.
  ///   - claims: How many entries each gap says it holds, if it can be read.
  /// - Returns: A loss for each gap.
  static func place(
    from first: Position, to last: Position?, runs: [Int], claims: [Int?]
  ) -> [Loss] {
    let whole = runs.reduce(0, +)
    let total = last.map { Int($0.number - first.number) + 1 }
    let counts = counts(of: claims, lost: total.map { max(0, $0 - whole) })
    return claims.indices.map { gap in
      // What is not certain counts as nothing here: that leaves room for it on either side.
      let before = runs[...gap].reduce(0, +) + counts[..<gap].reduce(0) { $0 + ($1 ?? 0) }
      let after =
        runs[(gap + 1)...].reduce(0, +) + counts[(gap + 1)...].reduce(0) { $0 + ($1 ?? 0) }
      let start = first.advanced(by: before)
      let end = last.map { Position($0.number - Int64(after)) }
      if let count = counts[gap] {
        if counts[..<gap].allSatisfy({ $0 != nil }) {
          return Loss(count: count, first: start, last: start.advanced(by: count - 1))
        }
        if let end, counts[(gap + 1)...].allSatisfy({ $0 != nil }) {
          return Loss(count: count, first: end.advanced(by: 1 - count), last: end)
        }
      }
      return Loss(count: end.map { $0 < start } == true ? 0 : counts[gap], first: start, last: end)
    }
  }

  /// How many entries each gap holds, where it is certain: what they say, if the sum is right; and what the
  /// only one must hold that does not say.
  private static func counts(of claims: [Int?], lost: Int?) -> [Int?] {
    let claimed = claims.reduce(0) { $0 + ($1 ?? 0) }
    guard let lost else { return claims }
    if claims.count == 1 { return [lost] }
    if lost == 0 { return claims.map { _ in 0 } }
    let silent = claims.indices.filter { claims[$0] == nil }
    if silent.isEmpty { return claimed == lost ? claims : claims.map { _ in nil } }
    guard claimed <= lost else { return claims.map { _ in nil } }
    var counts = claims
    if silent.count == 1 { counts[silent[0]] = lost - claimed }
    if claimed == lost { for gap in silent { counts[gap] = 0 } }
    return counts
  }
}
