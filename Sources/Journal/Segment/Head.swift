/// The head of a book: a position, and a digest of everything recorded up to it.
///
/// The digests form a chain. A head's digest covers the head at the end of the previous segment,
/// and the digest of its own segment's entries up to the position. Before the first entry, the
/// digest is SHA-256 of the book's id. The chain covers only what an erasure leaves unchanged
/// (``EntriesDigest``), so sealing, erasing and backing up do not change a head. A head that was
/// noted once therefore proves later that nothing before it was changed
/// (``Journal/verify(expecting:rewrites:progress:)``).
public struct Head: Hashable, Sendable, CustomStringConvertible {
  /// The position of the last entry that it covers.
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

  /// The head at a position in the segment that begins right after this head.
  ///
  /// From format 2 on, the digested bytes begin with the format's name. Format 1 trusts a list of
  /// rewritten segments; the name ensures that no such list can produce a head of a later format.
  func advanced(to position: Position, _ entries: Digest, format: Int) -> Head {
    let text =
      format == 1
      ? digest.description + entries.description
      : "daybook \(format) \(self) \(position):\(entries)"
    return Head(position: position, digest: Digest(of: text.utf8))
  }

  /// Parses "POSITION:DIGEST"; fails for anything else.
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
  /// The head at the segment's end, according to its seal; nil when the segment is not sealed or
  /// has format 1.
  var sealedHead: Head? {
    guard let seal, format > 1 else { return nil }
    return Head(position: Position(first.number - 1), digest: seal.previous)
      .advanced(to: seal.last, seal.entries, format: format)
  }
}
