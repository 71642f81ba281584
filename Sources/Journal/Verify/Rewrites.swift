/// What was rewritten on purpose, as erasure does.
///
/// In format 2 an erasure changes no digest; what it blanked must have been somebody's who was erased. In format 1
/// the digest of what is there now leads to that of what was there first: heads and the chain of files are of
/// what was recorded, so a verification asks here what a digest stands for. This is the only place where it does.
public struct Rewrites: Sendable {
  private var origins: [Digest: Digest] = [:]
  /// The erased entries that were somebody's who was erased since; without it nobody judges that.
  public var erased: Set<Position>?

  /// Nothing was rewritten.
  public init() {}

  /// Notes that something was rewritten: a sealed file, or the entries of a segment.
  public mutating func note(_ old: Digest, became new: Digest) {
    if old != new { origins[new] = old }
  }

  /// The first of erased entries that no erasure explains: it was nobody's who was erased.
  func unexplained(among entries: [ErasedEntry]) -> Position? {
    guard let erased else { return nil }
    return entries.first { !erased.contains($0.position) }?.position
  }

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
