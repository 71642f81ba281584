import Journal

/// The distances between a book's snapshots.
///
/// A state as of any instant is computed from the newest snapshot before it and a replay of what
/// follows. Gaps of an eighth of the book bound that replay, and a gap of half that size justifies
/// a new snapshot. All snapshots together are then some five times as large as the newest, whatever
/// the length of the book.
public struct SnapshotSpacing: Sendable {
  /// Replaying fewer entries than this is cheaper than a snapshot.
  var smallestGap: Int64
  /// Where segments allow it, the largest gap is the length of the book divided by this.
  var share: Int64

  /// The default of a book: gaps of an eighth, none below 8192 entries.
  public static let standard = SnapshotSpacing(smallestGap: 8192, share: 8)

  /// Other gaps, for a test.
  package init(smallestGap: Int64, share: Int64) {
    self.smallestGap = max(1, smallestGap)
    self.share = max(1, share)
  }

  /// The snapshots to write and to remove.
  ///
  /// - Parameters:
  ///   - ends: The last positions of sealed segments, ascending; only these can have snapshots.
  ///   - kept: The positions of existing snapshots, ascending.
  /// - Returns: The positions to write snapshots for, and those of the snapshots to remove.
  func plan(
    ends: [Position], kept: [Position]
  ) -> (write: [Position], remove: [Position]) {
    guard let last = ends.last?.number else { return ([], []) }
    let gap = max(smallestGap, last / share)
    var places = kept.map(\.number)
    let newest = places.last ?? 0
    if last - newest >= max(smallestGap, gap / 2) { places.append(last) }
    // A snapshot put into a gap may make its neighbour unnecessary.
    places = thinned(filled(thinned(places, gap), gap, ends.map(\.number)), gap)
    let old = Set(kept.map(\.number))
    return (
      places.filter { !old.contains($0) }.map { Position($0) },
      kept.filter { !places.contains($0.number) }
    )
  }

  /// Drops positions that the gaps do not need; never the newest.
  private func thinned(_ places: [Int64], _ gap: Int64) -> [Int64] {
    var result: [Int64] = []
    for (index, place) in places.enumerated() {
      let before = result.last ?? 0
      if index + 1 < places.count, places[index + 1] - before <= gap { continue }
      result.append(place)
    }
    return result
  }

  /// Adds segment ends in gaps that are too large.
  private func filled(_ places: [Int64], _ gap: Int64, _ ends: [Int64]) -> [Int64] {
    var result: [Int64] = []
    var rest = ends[...]
    for place in places {
      while place - (result.last ?? 0) > gap {
        let before = result.last ?? 0
        rest = rest.drop { $0 <= before }
        // The farthest end within the gap, or else the next one that exists.
        guard let next = rest.prefix(while: { $0 - before <= gap }).last ?? rest.first,
          next < place
        else { break }
        result.append(next)
      }
      result.append(place)
    }
    return result
  }
}
