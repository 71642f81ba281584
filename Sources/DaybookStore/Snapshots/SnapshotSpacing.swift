import Journal

/// How far apart the snapshots of a book are kept.
///
/// A state as of any instant is the newest snapshot before it and a replay of what follows. Gaps of an
/// eighth of the book bound the replay, and half as much is enough to write a new one for; all snapshots
/// together are then some five times as large as the newest, whatever the length of the book.
public struct SnapshotSpacing: Sendable {
  /// Fewer entries than this are replayed before a snapshot is read.
  var smallestGap: Int64
  /// The part of the book that no gap is larger than, if segments allow: one by this.
  var share: Int64

  /// What a book keeps: gaps of an eighth, none below 8192 entries.
  public static let standard = SnapshotSpacing(smallestGap: 8192, share: 8)

  /// Other gaps, for a test.
  package init(smallestGap: Int64, share: Int64) {
    self.smallestGap = max(1, smallestGap)
    self.share = max(1, share)
  }

  /// Which snapshots to write and which to remove.
  ///
  /// - Parameters:
  ///   - ends: Where sealed segments end, ascending: a snapshot can be of nothing else.
  ///   - kept: Where there are snapshots, ascending.
  /// - Returns: Where snapshots are to be written, and which are to go.
  func plan(
    ends: [Position], kept: [Position]
  ) -> (write: [Position], remove: [Position]) {
    guard let last = ends.last?.number else { return ([], []) }
    let gap = max(smallestGap, last / share)
    var places = kept.map(\.number)
    let newest = places.last ?? 0
    if last - newest >= max(smallestGap, gap / 2) { places.append(last) }
    // What is put into a gap may make its neighbour needless.
    places = thinned(filled(thinned(places, gap), gap, ends.map(\.number)), gap)
    let old = Set(kept.map(\.number))
    return (
      places.filter { !old.contains($0) }.map { Position($0) },
      kept.filter { !places.contains($0.number) }
    )
  }

  /// Leaves out what the gaps can do without; never the newest.
  private func thinned(_ places: [Int64], _ gap: Int64) -> [Int64] {
    var result: [Int64] = []
    for (index, place) in places.enumerated() {
      let before = result.last ?? 0
      if index + 1 < places.count, places[index + 1] - before <= gap { continue }
      result.append(place)
    }
    return result
  }

  /// Puts segment ends into gaps that are too large.
  private func filled(_ places: [Int64], _ gap: Int64, _ ends: [Int64]) -> [Int64] {
    var result: [Int64] = []
    var rest = ends[...]
    for place in places {
      while place - (result.last ?? 0) > gap {
        let before = result.last ?? 0
        rest = rest.drop { $0 <= before }
        // The farthest that the gap allows, else the next one there is.
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
