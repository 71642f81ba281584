/// The head of a book: a position, and a digest of all that was recorded up to it.
///
/// The digest is a chain: it is of the head before the segment that holds the position, and of the digest of
/// that segment's entries up to the position; before the first entry it is SHA-256 of the book's id. What is
/// chained is what stays when somebody is erased (``EntriesDigest``), so a head that was noted once proves later
/// that nothing before it was changed (``Journal/verify(expecting:rewrites:progress:)``), and neither sealing nor
/// erasing nor backing up changes it.
public struct Head: Hashable, Sendable, CustomStringConvertible {
  /// The last entry that it covers.
  public let position: Position
  /// The digest.
  public let digest: Digest

  init(position: Position, digest: Digest) {
    self.position = position
    self.digest = digest
  }

  /// The head of a book without entries.
  package init(book: String) {
    self.init(position: .start, digest: Digest(of: book.utf8))
  }

  /// The head after more entries of the segment that follows this head.
  ///
  /// What later formats digest begins with their name, so that no list of rewritten segments, which format 1 believes,
  /// ever leads to one of their heads.
  func advanced(to position: Position, _ entries: Digest, format: Int) -> Head {
    let text =
      format == 1
      ? digest.description + entries.description
      : "daybook \(format) \(self) \(position):\(entries)"
    return Head(position: position, digest: Digest(of: text.utf8))
  }

  /// Reads "POSITION:DIGEST"; anything else is no head.
  public init?(_ text: some StringProtocol) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, let number = Int64(parts[0]), number >= 0, let digest = Digest(parts[1])
    else { return nil }
    self.init(position: Position(number), digest: digest)
  }

  /// "POSITION:DIGEST".
  public var description: String { "\(position):\(digest)" }
}

extension SegmentHeader {
  /// The head at the segment's end, as its seal tells it; nothing when it is not sealed, or of format 1.
  var sealedHead: Head? {
    guard let seal, format > 1 else { return nil }
    return Head(position: Position(first.number - 1), digest: seal.previous)
      .advanced(to: seal.last, seal.entries, format: format)
  }
}
