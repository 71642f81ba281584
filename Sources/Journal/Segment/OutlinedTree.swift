/// A kind's tree of which an outline gives some nodes.
///
/// An error in the outline leads to no digest, or to one that no seal has.
struct OutlinedTree {
  /// An entity with all entries about it.
  typealias Thing = (number: Int32, entries: [ProvenEntry])

  private let key: MapKey
  private let depth: Int
  private let nodes: [MapOutline.Node]

  init(_ tree: MapOutline.Tree, _ key: MapKey) {
    self.key = key
    // An impossible depth leads to no digest.
    depth = (0...31).contains(tree.depth) ? tree.depth : 0
    nodes = (0...31).contains(tree.depth) ? tree.nodes : []
  }

  /// The digest of the kind.
  var digest: Digest? {
    node(1, of: nodes[...], depth).map {
      ProvenKind.digest(blind: key.blind(of: 0), depth: depth, root: $0)
    }
  }

  /// The digest of a node at a level above the entities, with some of the nodes below it.
  private func node(_ number: Int64, of nodes: ArraySlice<MapOutline.Node>, _ level: Int) -> Digest?
  {
    guard let first = nodes.first else { return ProvenKind.none(key.blind(of: number)) }
    if nodes.count == 1, first.number == number { return first.digest }
    guard level > 0 else { return nil }
    let (left, right) = split(nodes, number, level)
    guard let left = node(2 * number, of: left, level - 1),
      let right = node(2 * number + 1, of: right, level - 1)
    else { return nil }
    return ProvenKind.between(left, right)
  }

  /// The given nodes below the left child and below the right child of a node.
  private func split(
    _ nodes: ArraySlice<MapOutline.Node>, _ number: Int64, _ level: Int
  ) -> (ArraySlice<MapOutline.Node>, ArraySlice<MapOutline.Node>) {
    let first = firstThing(below: 2 * number + 1, level - 1)
    let middle = nodes.partitionPoint { node in
      let height = depth - (63 - max(1, node.number).leadingZeroBitCount)
      return height >= 0 && firstThing(below: node.number, height) < first
    }
    return (nodes[..<middle], nodes[middle...])
  }

  /// The lowest number of an entity below a node at a level above the entities.
  private func firstThing(below node: Int64, _ level: Int) -> Int64 {
    (node << Int64(level)) - 1 << Int64(depth)
  }

  /// Proves all entries about an entity, or that there are none; nil when the outline is invalid.
  ///
  /// - Parameters:
  ///   - number: The entity's number.
  ///   - things: Returns all entities with entries in a range of numbers, in order; nil where they
  ///     cannot be had.
  /// - Returns: The path to the entity.
  func opening(
    of number: Int32, _ things: (Range<Int64>) -> [Thing]?
  ) -> ProvenKind? {
    var proof = ProvenKind(blind: key.blind(of: 0), depth: depth)
    guard Int(number) < 1 << depth else {
      guard let root = node(1, of: nodes[...], depth) else { return nil }
      proof.root = root
      return proof
    }
    var (node, level, below) = (Int64(1), depth, nodes[...])
    while let first = below.first, below.count > 1 || first.number != node {
      guard level > 0 else { return nil }
      let (left, right) = split(below, node, level)
      level -= 1
      let isRight = number >> Int32(level) & 1 == 1
      let beside = self.node(2 * node + (isRight ? 0 : 1), of: isRight ? left : right, level)
      guard let beside else { return nil }
      proof.path.append(beside)
      node = 2 * node + (isRight ? 1 : 0)
      below = isRight ? right : left
    }
    guard !below.isEmpty else {
      proof.nodeBlind = key.blind(of: node)
      return proof
    }
    let start = firstThing(below: node, level)
    guard let found = things(start..<start + 1 << Int64(level)) else { return nil }
    descend(to: number, from: node, level, among: found[...], &proof)
    return proof
  }

  /// Continues from a node below which all entries are known.
  private func descend(
    to number: Int32, from top: Int64, _ height: Int, among things: ArraySlice<Thing>,
    _ proof: inout ProvenKind
  ) {
    var (node, level, below) = (top, height, things)
    while level > 0, !below.isEmpty {
      let first = firstThing(below: 2 * node + 1, level - 1)
      let middle = below.partitionPoint { $0.number < first }
      let (left, right) = (below[..<middle], below[middle...])
      level -= 1
      let isRight = number >> Int32(level) & 1 == 1
      proof.path.append(
        digest(2 * node + (isRight ? 0 : 1), of: isRight ? left : right, level))
      node = 2 * node + (isRight ? 1 : 0)
      below = isRight ? right : left
    }
    proof.nodeBlind = key.blind(of: node)
    proof.entries = below.first?.entries ?? []
  }

  /// The digest of a node below which all entries are known.
  private func digest(_ node: Int64, of things: ArraySlice<Thing>, _ level: Int) -> Digest {
    guard let thing = things.first else { return ProvenKind.none(key.blind(of: node)) }
    guard level > 0 else {
      var bytes: [UInt8] = []
      for entry in thing.entries { entry.append(to: &bytes) }
      return ProvenKind.thing(key.blind(of: node), bytes)
    }
    let first = firstThing(below: 2 * node + 1, level - 1)
    let middle = things.partitionPoint { $0.number < first }
    return ProvenKind.between(
      digest(2 * node, of: things[..<middle], level - 1),
      digest(2 * node + 1, of: things[middle...], level - 1))
  }
}

extension ArraySlice {
  /// The partition point: the index of the first element for which the condition does not hold. It
  /// must hold for all elements before that and for none after.
  fileprivate func partitionPoint(_ condition: (Element) -> Bool) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = low + (high - low) / 2
      if condition(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
