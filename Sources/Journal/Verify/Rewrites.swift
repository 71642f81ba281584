/// What became of files and entries that were rewritten on purpose, as erasure does: the digest of what is
/// there now leads to that of what was there first.
///
/// Heads and the chain of files are of what was recorded, so a verification asks here what a digest stands
/// for. This is the only place where it does.
public struct Rewrites: Sendable {
  private var origins: [Digest: Digest] = [:]

  /// Nothing was rewritten.
  public init() {}

  /// Notes that something was rewritten: a sealed file, or the entries of a segment.
  public mutating func note(_ old: Digest, became new: Digest) { origins[new] = old }

  /// What a digest stands for: itself, unless it is of something that was rewritten, once or repeatedly.
  func origin(of digest: Digest) -> Digest {
    var origin = digest
    // No more steps than there are notes: what leads round in a circle ends too.
    for _ in origins {
      guard let older = origins[origin] else { break }
      origin = older
    }
    return origin
  }
}
