import Avro
import Crypto

/// An entry as a proof shows it: its position, its public form, and the commitment to the rest.
package struct ProvenEntry: Hashable, Sendable {
  package var position: Position
  /// Its public form: its bytes with personal fields blanked.
  package var form: ArraySlice<UInt8>
  /// The commitment to its personal fields, if any of them was not blank when it was recorded.
  package var commitment: Digest?

  package init(position: Position, form: ArraySlice<UInt8>, commitment: Digest?) {
    self.position = position
    self.form = form
    self.commitment = commitment
  }

  /// Appends the bytes to be digested: the position (8 bytes, big-endian), the length of the public
  /// form (8 bytes), the public form, and then 01 and the commitment, or 00 without one.
  func append(to bytes: inout [UInt8]) {
    withUnsafeBytes(of: position.number.bigEndian) { bytes.append(contentsOf: $0) }
    withUnsafeBytes(of: Int64(form.count).bigEndian) { bytes.append(contentsOf: $0) }
    bytes += form
    bytes.append(commitment == nil ? 0 : 1)
    if let commitment {
      withUnsafeBytes(of: commitment.bytes) { bytes.append(contentsOf: $0) }
    }
  }
}

/// All entries of a segment about one entity, or a proof that there are none: a path of an
/// ``AggregateMap``.
package struct ProvenKind: Hashable, Sendable {
  /// The blind of node 0 of the kind's tree.
  package var blind: Digest
  /// The depth of the tree.
  package var depth: Int
  /// The root, when the entity's number exceeds the tree's capacity.
  package var root: Digest?
  /// The sibling nodes along the path from the root.
  package var path: [Digest] = []
  /// The blind of the node at the path's end.
  package var nodeBlind: Digest?
  /// The entries; empty when the path ends before the entity, or there are none.
  package var entries: [ProvenEntry] = []

  /// Starts an opening.
  package init(blind: Digest, depth: Int) {
    self.blind = blind
    self.depth = depth
  }

  /// The digest of the kind, if this is a valid path to the entity with a number.
  package func digest(of number: Int32) -> Digest? {
    guard (0...31).contains(depth), number >= 1 else { return nil }
    guard Int(number) < 1 << depth else {
      guard let root, path.isEmpty, nodeBlind == nil, entries.isEmpty else { return nil }
      return Self.digest(blind: blind, depth: depth, root: root)
    }
    guard root == nil, let nodeBlind, path.count <= depth, entries.isEmpty || path.count == depth
    else { return nil }
    var digest: Digest
    if entries.isEmpty {
      digest = Self.none(nodeBlind)
    } else {
      var bytes: [UInt8] = []
      for entry in entries { entry.append(to: &bytes) }
      digest = Self.thing(nodeBlind, bytes)
    }
    for (step, sibling) in path.enumerated().reversed() {
      let isRight = Int(number) >> (depth - 1 - step) & 1 == 1
      digest = isRight ? Self.between(sibling, digest) : Self.between(digest, sibling)
    }
    return Self.digest(blind: blind, depth: depth, root: digest)
  }

  // MARK: The contents of the digests (``AggregateMap``)

  static func none(_ blind: Digest) -> Digest {
    var hash = SHA256()
    hash.update(0 as UInt8)
    hash.update(blind.bytes)
    return Digest(hash.finalize())
  }

  static func thing(_ blind: Digest, _ entries: [UInt8]) -> Digest {
    var hash = SHA256()
    hash.update(1 as UInt8)
    hash.update(blind.bytes)
    hash.update(entries.span.bytes)
    return Digest(hash.finalize())
  }

  static func between(_ left: Digest, _ right: Digest) -> Digest {
    var hash = SHA256()
    hash.update(2 as UInt8)
    hash.update(left.bytes)
    hash.update(right.bytes)
    return Digest(hash.finalize())
  }

  static func digest(blind: Digest, depth: Int, root: Digest) -> Digest {
    var hash = SHA256()
    hash.update(3 as UInt8)
    hash.update(blind.bytes)
    hash.update(UInt8(truncatingIfNeeded: depth))
    hash.update(root.bytes)
    return Digest(hash.finalize())
  }

  /// The digest of a map, from those of its kinds.
  static func root(of kinds: [Digest]) -> Digest {
    var hash = SHA256()
    for kind in kinds { hash.update(kind.bytes) }
    return Digest(hash.finalize())
  }
}
