import Avro
import Crypto

/// A Merkle map of a segment's entries by entity. It proves, to anybody who has its root, all
/// entries about one entity, or that there are none, and reveals nothing about the others.
///
/// Each kind has a binary tree of SHA-256, as deep as its largest number has bits. Node 1 is the
/// root, nodes 2n and 2n + 1 are below node n, and at depth d the node 2^d + n belongs to the
/// entity with number n.
///
///     key of a kind      of the segment's blind, the last entry's position (8 bytes), and the kind's name
///     blind of a node    of the kind's key and the node's number (8 bytes)
///     with no entries    of 00 and the node's blind; all below such a node has none
///     of an entity       of 01, the node's blind, and its entries (``ProvenEntry``)
///     between            of 02 and the two below it
///     of a kind          of 03, the blind of node 0, the depth (1 byte), and node 1
///     the map            of the digests of all kinds, in the order of their names
///
/// A digest without its blind reveals nothing, because it cannot be guessed; and the blinds of two
/// heads differ.
struct AggregateMap {
  private let tally: AggregateTally
  private let places: [AggregateTally.Place]
  private let trees: [Tree]

  /// The entries of one kind.
  private struct Tree {
    var key: MapKey
    /// The tree's range among the places.
    var range: Range<Int>
    var depth: Int
  }

  /// Makes the map of all entries in a tally.
  ///
  /// - Parameters:
  ///   - tally: The entries.
  ///   - blind: The segment's blind.
  ///   - before: How many entities of each kind were created before the segment.
  init(_ tally: AggregateTally, blind: Digest, after before: EntityCounts) {
    self.tally = tally
    let places = tally.places(after: before)
    self.places = places
    let last = Position(tally.first.number - 1 + Int64(tally.count))
    var start = 0
    trees = tally.scanner.kinds.enumerated().map { kind, name in
      let end = Self.end(of: kind, in: places, from: start)
      let largest = end > start ? Self.number(places[end - 1]) : 0
      defer { start = end }
      return Tree(
        key: MapKey(of: name, through: last, blind: blind), range: start..<end,
        depth: Int.bitWidth - largest.leadingZeroBitCount)
    }
  }

  private static func end(of kind: Int, in places: [AggregateTally.Place], from start: Int) -> Int {
    partition(start..<places.count) {
      Int(places[$0] >> (AggregateTally.numberBits + AggregateTally.ordinalBits)) <= kind
    }
  }

  private static func number(_ place: AggregateTally.Place) -> Int {
    Int(place >> AggregateTally.ordinalBits & (1 << AggregateTally.numberBits - 1))
  }

  /// The partition point: the first index for which the condition does not hold. It must hold for
  /// all indices before that and for none after.
  private static func partition(_ range: Range<Int>, _ condition: (Int) -> Bool) -> Int {
    var (low, high) = (range.lowerBound, range.upperBound)
    while low < high {
      let middle = low + (high - low) / 2
      if condition(middle) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The names of the kinds, in their order.
  var names: [String] { tally.scanner.kinds }

  /// The digests of the kinds, in the order of their names.
  var kinds: [Digest] { trees.map(digest) }

  /// The digest of the map.
  var root: Digest { ProvenKind.root(of: kinds) }

  /// The digest of a kind by its name; the digest of no entries when there is no such kind.
  func digest(of name: String) -> Digest {
    tally.scanner.kinds.firstIndex(of: name).map { digest(of: trees[$0]) } ?? Digest.none
  }

  private func digest(of tree: Tree) -> Digest {
    ProvenKind.digest(
      blind: tree.key.blind(of: 0), depth: tree.depth,
      root: node(1, over: tree.range, tree.depth, tree))
  }

  /// The digest of a node at a level above the entities, with entries at some places.
  private func node(_ number: Int64, over range: Range<Int>, _ level: Int, _ tree: Tree) -> Digest {
    if range.isEmpty { return ProvenKind.none(tree.key.blind(of: number)) }
    guard level > 0 else {
      return ProvenKind.thing(tree.key.blind(of: number), entries(at: range))
    }
    let middle = split(range, number, level, tree)
    return ProvenKind.between(
      node(2 * number, over: range.lowerBound..<middle, level - 1, tree),
      node(2 * number + 1, over: middle..<range.upperBound, level - 1, tree))
  }

  /// The first place that belongs to the right one of the two nodes below a node.
  private func split(_ range: Range<Int>, _ node: Int64, _ level: Int, _ tree: Tree) -> Int {
    // At level l, the numbers below node 2n + 1 begin with (2n + 1) 2^(l - 1) - 2^depth.
    let first = Int((2 * node + 1) << Int64(level - 1)) - 1 << tree.depth
    return Self.partition(range) { Self.number(places[$0]) < first }
  }

  /// The bytes of an entity's digest.
  private func entries(at range: Range<Int>) -> [UInt8] {
    var bytes: [UInt8] = []
    for place in places[range] { entry(at: place).append(to: &bytes) }
    return bytes
  }

  private func entry(at place: AggregateTally.Place) -> ProvenEntry {
    let ordinal = Int(place & (1 << AggregateTally.ordinalBits - 1))
    let start = ordinal == 0 ? 0 : tally.ends[ordinal - 1]
    return ProvenEntry(
      position: tally.first.advanced(by: ordinal), form: tally.forms[start..<tally.ends[ordinal]],
      commitment: tally.commitments[ordinal])
  }

  /// The nodes from which all nodes above them can be computed.
  ///
  /// - Parameters:
  ///   - content: The blinded digest of the entries, which accompanies the map.
  ///   - entryCapacity: The most entries below a node, unless it belongs to a single entity.
  /// - Returns: The nodes.
  func outline(beside content: Digest, _ entryCapacity: Int) -> MapOutline {
    MapOutline(
      content: content,
      trees: trees.map { tree in
        var nodes: [MapOutline.Node] = []
        addOutline(1, over: tree.range, tree.depth, tree, entryCapacity, to: &nodes)
        return MapOutline.Tree(depth: tree.depth, nodes: nodes)
      })
  }

  private func addOutline(
    _ number: Int64, over range: Range<Int>, _ level: Int, _ tree: Tree, _ entryCapacity: Int,
    to nodes: inout [MapOutline.Node]
  ) {
    if range.isEmpty { return }
    guard level > 0, range.count > entryCapacity else {
      nodes.append(.init(number: number, digest: node(number, over: range, level, tree)))
      return
    }
    let middle = split(range, number, level, tree)
    let (left, right) = (range.lowerBound..<middle, middle..<range.upperBound)
    addOutline(2 * number, over: left, level - 1, tree, entryCapacity, to: &nodes)
    addOutline(2 * number + 1, over: right, level - 1, tree, entryCapacity, to: &nodes)
  }

  /// Proves all entries about an entity, or that there are none; nil when the map has no such kind.
  func opening(of name: String, _ number: Int32) -> ProvenKind? {
    guard let kind = tally.scanner.kinds.firstIndex(of: name) else { return nil }
    let tree = trees[kind]
    var proof = ProvenKind(blind: tree.key.blind(of: 0), depth: tree.depth)
    var (node, range, level) = (Int64(1), tree.range, tree.depth)
    guard Int(number) < 1 << tree.depth else {
      proof.root = self.node(1, over: range, level, tree)
      return proof
    }
    while level > 0, !range.isEmpty {
      let middle = split(range, node, level, tree)
      level -= 1
      let isRight = Int(number) >> level & 1 == 1
      let (left, right) = (range.lowerBound..<middle, middle..<range.upperBound)
      proof.path.append(
        self.node(2 * node + (isRight ? 0 : 1), over: isRight ? left : right, level, tree))
      node = 2 * node + (isRight ? 1 : 0)
      range = isRight ? right : left
    }
    proof.nodeBlind = tree.key.blind(of: node)
    proof.entries = places[range].map(entry)
    return proof
  }
}
