/// Computes which entries the gaps of a segment lost, as far as that is possible.
///
/// Positions are not stored; they follow from the number of entries before. The number of entries in each run of
/// complete blocks is known. So are the claims of some gaps, and often the end of the segment, from its seal or from
/// the name of the next segment.
struct Placement {
  /// The entries lost in one gap.
  struct Loss: Hashable {
    /// How many there are, if that is certain.
    var count: Int?
    /// The position of the first that may be lost.
    var first: Position
    /// The position of the last that may be lost, if the segment's end is known.
    var last: Position?

    /// The positions for a report; nil when nothing was lost.
    var span: (first: Position, last: Position?)? { count == 0 ? nil : (first, last) }
  }

  /// - Parameters:
  ///   - first: The segment's first position.
  ///   - last: Its last position, if that is known.
  ///   - runs: How many entries are before the first gap, between gaps, and after the last one.
  ///   - claims: How many entries each gap claims to hold, if that can be read.
  /// - Returns: A loss for each gap.
  static func place(
    from first: Position, to last: Position?, runs: [Int], claims: [Int?]
  ) -> [Loss] {
    let whole = runs.reduce(0, +)
    let total = last.map { Int($0.number - first.number) + 1 }
    let counts = counts(of: claims, lost: total.map { max(0, $0 - whole) })
    return claims.indices.map { gap in
      // An uncertain count is taken as 0, which leaves room for it on either side.
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

  /// How many entries each gap holds, where that is certain: the claims, if their sum is right; and
  /// the remainder for a single gap without a claim.
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
