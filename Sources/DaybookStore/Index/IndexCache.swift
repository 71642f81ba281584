import Daybook
import Journal
import Synchronization

/// The indexes of a book that were already read.
///
/// A sealed segment keeps its file until an erasure replaces it, so a cached index is valid while
/// the file is the same. Where the storage cannot tell, nothing is cached.
final class IndexCache: Sendable {
  private struct CachedIndex {
    var identity: FileIdentity
    var counts: AggregateReader
    var index: SegmentIndex
  }

  private let kept = Mutex<[SegmentName: CachedIndex]>([:])

  /// The index of a segment. Nil when the segment is not sealed, or has no index that fits it and
  /// the counts before it.
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
      kept.withLock { $0[name] = CachedIndex(identity: identity, counts: counts, index: index) }
    }
    return index
  }
}
