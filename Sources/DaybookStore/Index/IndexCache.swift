import Daybook
import Journal
import Synchronization

/// The indexes of a book that were read already.
///
/// A sealed segment keeps its file until an erasure replaces it, so what was read holds while the file is the
/// same; on a disk that cannot tell, nothing is kept.
final class IndexCache: Sendable {
  private struct Kept {
    var identity: FileIdentity
    var counts: AggregateReader
    var index: SegmentIndex
  }

  private let kept = Mutex<[SegmentName: Kept]>([:])

  /// The index of a segment: nothing when the segment is not sealed, or has no index that fits it and the
  /// counts of what was created before.
  func index(
    of name: SegmentName, after counts: AggregateReader, in journal: Journal
  ) -> SegmentIndex? {
    let identity = try? journal.storage.identity(of: journal.path(of: name))
    if let identity, let kept = kept.withLock({ $0[name] }),
      kept.identity == identity, kept.counts == counts
    {
      return kept.index
    }
    guard let header = try? journal.header(of: name), header.seal != nil,
      let index = SegmentIndex(of: header, after: counts, in: journal)
    else { return nil }
    if let identity {
      kept.withLock { $0[name] = Kept(identity: identity, counts: counts, index: index) }
    }
    return index
  }
}
