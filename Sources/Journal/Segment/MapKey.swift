import Crypto

/// The source of the blinds of a kind's nodes in the map of a segment's entries (``AggregateMap``).
struct MapKey {
  private let key: Digest

  /// The key of a kind, in the map of a segment's entries up to a position.
  init(of kind: String, through last: Position, blind: Digest) {
    var hash = SHA256()
    hash.update(blind.bytes)
    hash.update(last.number)
    hash.update(data: Array(kind.utf8))
    key = Digest(hash.finalize())
  }

  /// The blind of a node.
  func blind(of node: Int64) -> Digest {
    var hash = SHA256()
    hash.update(key.bytes)
    hash.update(node)
    return Digest(hash.finalize())
  }
}
