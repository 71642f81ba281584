/// Nodes of a segment's map from which its root and all nodes above them can be computed (``AggregateMap``). They are,
/// for each tree, the highest nodes with at most ``entryCapacity`` entries below them, and the entities with more.
///
/// A prover then reads the entries of a few neighbours, not the whole segment. The outline is made
/// of the segment, and trusted only if it leads to the seal: ``leads(to:)``.
package struct MapOutline: Hashable, Sendable {
  /// A node of a tree, with entries below it.
  package struct Node: Hashable, Sendable {
    /// Its number: 1 is the root.
    package var number: Int64
    package var digest: Digest

    package init(number: Int64, digest: Digest) {
      self.number = number
      self.digest = digest
    }
  }

  /// The tree of a kind.
  package struct Tree: Hashable, Sendable {
    /// The tree's depth.
    package var depth: Int
    /// The nodes, from left to right; there are no entries below any others.
    package var nodes: [Node]

    package init(depth: Int, nodes: [Node]) {
      self.depth = depth
      self.nodes = nodes
    }
  }

  /// The most entries below a node, unless it belongs to a single entity.
  static let entryCapacity = 1024

  /// The blinded digest of the segment's entries.
  package var content: Digest
  /// The trees, in the order of the kinds' names.
  package var trees: [Tree]

  package init(content: Digest, trees: [Tree]) {
    self.content = content
    self.trees = trees
  }

  /// Whether it is the outline of a sealed segment.
  package func leads(to header: SegmentHeader) -> Bool {
    guard let seal = header.seal, let blind = header.blind,
      let scanner = (try? KnownSchemas.find(header.schemaText))?.aggregates
    else { return false }
    let schema = Digest(of: header.schemaText.utf8)
    return entries(of: schema, scanner, through: seal.last, blind) == seal.entries
  }

  /// The digest of the segment's entries up to one; nil when this is not an outline of such a segment.
  ///
  /// - Parameters:
  ///   - schema: The digest of the schema's text.
  ///   - scanner: Knows the kinds.
  ///   - last: The last entry.
  ///   - blind: The segment's blind.
  /// - Returns: The digest.
  func entries(
    of schema: Digest, _ scanner: AggregateScanner, through last: Position, _ blind: Digest
  ) -> Digest? {
    guard trees.count == scanner.kinds.count else { return nil }
    var kinds: [Digest] = []
    for (name, tree) in zip(scanner.kinds, trees) {
      let outlined = OutlinedTree(tree, MapKey(of: name, through: last, blind: blind))
      guard let digest = outlined.digest else { return nil }
      kinds.append(digest)
    }
    return EntriesDigest.digest(of: [schema, content, ProvenKind.root(of: kinds)])
  }
}

extension Journal {
  /// The outline of the map of a closed segment, made from its entries; nil before format 3.
  ///
  /// - Throws: ``JournalError``.
  package func outline(of segment: SegmentName) throws(JournalError) -> MapOutline? {
    try outline(of: segment, entryCapacity: MapOutline.entryCapacity)
  }

  /// Makes an outline with fewer entries below a node, for tests.
  func outline(
    of segment: SegmentName, entryCapacity: Int
  ) throws(JournalError) -> MapOutline? {
    var scanners = ScannerCache()
    return try scanners.digest(ofClosed: segment, in: self).entries.outlined(entryCapacity).outline
  }
}
