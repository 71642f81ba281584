/// The intended rewrites, which erasures made.
///
/// In format 2 an erasure changes no digest; every blank entry must belong to an erased account. In format 1, this maps
/// the digest of the present bytes to that of the original. Heads and the chain of files cover the original, so a
/// verification looks up here which original a digest stands for. This is the only place that does so.
public struct Rewrites: Sendable {
  private var origins: [Digest: Digest] = [:]
  /// The erased entries that belong to erased accounts; nil to skip that check.
  public var erased: Set<Position>?

  public init() {}

  /// Notes a rewrite of a sealed file, or of the entries of a segment.
  public mutating func note(_ old: Digest, became new: Digest) {
    if old != new { origins[new] = old }
  }

  /// The first erased entry that no account's erasure explains.
  func unexplained(among entries: [ErasedEntry]) -> Position? {
    guard let erased else { return nil }
    return entries.first { !erased.contains($0.position) }?.position
  }

  /// The original of a digest that was replaced by rewriting, once or repeatedly; the digest itself if it was not.
  func origin(of digest: Digest) -> Digest {
    var origin = digest
    // At most one step for each note, so that even a cycle ends.
    for _ in origins {
      guard let older = origins[origin] else { break }
      origin = older
    }
    return origin
  }
}
