import Crypto

/// Derives the salts of a segment's entries.
///
/// It is a binary tree of SHA-256: the root is node 1, the children of node n are 2n (the hash of
/// the node's bytes and 00) and 2n + 1 (of them and 01), and node 2³² + i is the salt of the entry
/// at ordinal i. All nodes below a node can be computed from it, and no others (O. Goldreich, S.
/// Goldwasser, S. Micali: How to construct random functions, 1986). So a segment stores one node,
/// its root, until somebody is erased. From then on it stores the nodes that give all salts still
/// needed, and none of the others.
///
/// Taking salts in ascending order costs two hashes each, and memory for one path from the root.
struct SaltTree: Sendable {
  private static let depth = 32
  /// The most entries in a segment.
  static let capacity = 1 << depth

  private let nodes: [UInt64: Digest]
  /// The nodes from a stored one down to the salt asked for last.
  private var path: [(number: UInt64, node: Digest)] = []

  /// No salts at all.
  static let empty = SaltTree(nodes: [:])

  /// A value that reveals nothing else and can only be computed from all salts together: SHA-256 of
  /// the root and 02. Nil when some salt is gone.
  var blind: Digest? {
    nodes[1].map { root in
      var hash = SHA256()
      hash.update(root.bytes)
      hash.update(2 as UInt8)
      return Digest(hash.finalize())
    }
  }

  /// All salts.
  init(root: Digest) { nodes = [1: root] }

  private init(nodes: [UInt64: Digest]) { self.nodes = nodes }

  /// Parses `NUMBER:NODE NUMBER:NODE …`; fails for any other text.
  init?(_ text: String) {
    var nodes: [UInt64: Digest] = [:]
    for item in text.split(separator: " ", omittingEmptySubsequences: text.isEmpty) {
      let parts = item.split(separator: ":", omittingEmptySubsequences: false)
      guard parts.count == 2, parts[0].utf8.count <= 10, let number = Int64(digits: parts[0]),
        let node = Digest(parts[1])
      else { return nil }
      nodes[UInt64(number)] = node
    }
    self.nodes = nodes
  }

  /// `NUMBER:NODE NUMBER:NODE …`, by number.
  var text: String {
    nodes.sorted { $0.key < $1.key }.map { "\($0.key):\($0.value)" }.joined(separator: " ")
  }

  /// The salt of an entry of the segment; nil when no stored node leads to it.
  mutating func salt(at ordinal: Int) -> Digest? {
    guard ordinal >= 0, ordinal < Self.capacity else { return nil }
    return node(UInt64(Self.capacity) + UInt64(ordinal))
  }

  private mutating func node(_ number: UInt64) -> Digest? {
    while let last = path.last, !Self.isAbove(last.number, number) { path.removeLast() }
    if path.isEmpty {
      let above = (0..<UInt64(64 - number.leadingZeroBitCount)).lazy.map { number >> $0 }
        .first { nodes[$0] != nil }
      guard let above, let node = nodes[above] else { return nil }
      path.append((above, node))
    }
    while let last = path.last, last.number < number {
      let below = number >> UInt64(last.number.leadingZeroBitCount - number.leadingZeroBitCount - 1)
      path.append((below, Self.child(of: last.node, isRight: below & 1 == 1)))
    }
    return path.last?.node
  }

  /// Whether a node is equal to another or an ancestor of it.
  private static func isAbove(_ upper: UInt64, _ lower: UInt64) -> Bool {
    let levels = upper.leadingZeroBitCount - lower.leadingZeroBitCount
    return levels >= 0 && lower >> UInt64(levels) == upper
  }

  private static func child(of node: Digest, isRight: Bool) -> Digest {
    var hash = SHA256()
    hash.update(node.bytes)
    hash.update(isRight ? 1 as UInt8 : 0)
    return Digest(hash.finalize())
  }

  /// A tree that gives the needed salts, and neither erased ones nor any from an ordinal on.
  ///
  /// - Parameters:
  ///   - needed: The ordinals of the needed salts, ascending.
  ///   - erased: The ordinals of the erased salts, ascending.
  ///   - end: The first ordinal whose salt must not be available.
  /// - Returns: The tree; nil when this one lacks a needed salt.
  mutating func leading(
    to needed: [Int], without erased: [Int], before end: Int = capacity
  ) -> SaltTree? {
    var kept: [UInt64: Digest] = [:]
    var isComplete = true
    // For each node: the ordinals below it, and which of them are needed and erased, as ranges of
    // these lists.
    func cover(_ number: UInt64, _ range: Range<Int>, _ wanted: Range<Int>, _ gone: Range<Int>) {
      guard !wanted.isEmpty else { return }
      if gone.isEmpty, range.upperBound <= end {
        kept[number] = node(number)
        if kept[number] == nil { isComplete = false }
        return
      }
      guard range.count > 1 else { return isComplete = false }
      let middle = range.lowerBound + range.count / 2
      let right = (
        wanted: wanted.partitioned { needed[$0] < middle },
        gone: gone.partitioned { erased[$0] < middle }
      )
      cover(
        2 * number, range.lowerBound..<middle, wanted.lowerBound..<right.wanted,
        gone.lowerBound..<right.gone)
      cover(
        2 * number + 1, middle..<range.upperBound, right.wanted..<wanted.upperBound,
        right.gone..<gone.upperBound)
    }
    cover(1, 0..<Self.capacity, needed.indices, erased.indices)
    return isComplete ? SaltTree(nodes: kept) : nil
  }
}

extension SaltTree {
  /// A tree that gives the same salts for the first entries, and no others.
  func prefix(_ count: Int) -> SaltTree {
    var kept: [UInt64: Digest] = [:]
    func keep(_ number: UInt64, _ node: Digest) {
      // How many salts it gives, and the first one's ordinal.
      let width = Self.capacity >> (UInt64.bitWidth - 1 - number.leadingZeroBitCount)
      let first = Int(number) * width - Self.capacity
      guard first < count else { return }
      guard first + width > count else { return kept[number] = node }
      keep(2 * number, Self.child(of: node, isRight: false))
      keep(2 * number + 1, Self.child(of: node, isRight: true))
    }
    for (number, node) in nodes where number > 0 && number < 2 * UInt64(Self.capacity) {
      keep(number, node)
    }
    return SaltTree(nodes: kept)
  }
}

extension Range<Int> {
  /// The partition point: the first index for which the condition does not hold. It must hold for
  /// all indices before that and for none after.
  fileprivate func partitioned(_ condition: (Int) -> Bool) -> Int {
    var (low, high) = (lowerBound, upperBound)
    while low < high {
      let middle = low + (high - low) / 2
      if condition(middle) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// The source of the root of each new segment's salts.
public struct SaltSource: Sendable {
  /// Returns the thirty-two bytes of a root, for the segment that begins at a position. Nobody else
  /// may ever know or guess them.
  public var root: @Sendable (_ first: Position) -> [UInt8]

  /// Makes a source; tests use roots of their own.
  public init(root: @escaping @Sendable (_ first: Position) -> [UInt8]) { self.root = root }

  /// A source that uses the system's random numbers.
  public static let system = SaltSource { _ in
    var generator = SystemRandomNumberGenerator()
    return (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
  }

  /// The tree of a new segment.
  func tree(for first: Position) -> SaltTree {
    // If there are not exactly thirty-two bytes, their digest serves as well.
    let root = root(first)
    return SaltTree(
      root: root.count == 32
        ? Digest(bytes: SIMD32(root)) : Digest(of: root))
  }
}
