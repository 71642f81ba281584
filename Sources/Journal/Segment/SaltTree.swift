import Crypto

/// What the salts of a segment's entries come from.
///
/// A binary tree of SHA-256: the root is node 1, the children of node n are 2n (of the node's bytes and 00) and
/// 2n + 1 (of them and 01), and node 2³² + i is the salt of the entry at ordinal i. A node leads to what is below
/// it and to nothing else (O. Goldreich, S. Goldwasser, S. Micali: How to construct random functions, 1986). So a
/// segment holds one node, its root, until somebody is erased; from then on those that lead to all salts that
/// are still needed, and to none of the others.
///
/// To take salts in ascending order costs two hashes each; memory for the way from the root to one of them.
struct SaltTree: Sendable {
  private static let depth = 32
  /// How many entries a segment may have.
  static let capacity = 1 << depth

  private let nodes: [UInt64: Digest]
  /// The nodes from one that is held down to the salt that was asked for last.
  private var path: [(number: UInt64, node: Digest)] = []

  /// No salts at all.
  static let empty = SaltTree(nodes: [:])

  /// A value that nothing else can be had from, and that cannot be had from less than all salts: SHA-256 of the root
  /// and 02. Nothing when some salt is gone.
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

  /// Reads `NUMBER:NODE NUMBER:NODE …`; nothing when the text is not that.
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

  /// The salt of an entry of the segment; nothing when no node leads to it.
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

  /// Whether a node is another, or stands above it.
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

  /// A tree that leads to the salts that are needed, and to none that were erased nor to any from an ordinal on.
  ///
  /// - Parameters:
  ///   - needed: The ordinals of salts that are needed, ascending.
  ///   - erased: The ordinals of those that were erased, ascending.
  ///   - end: The ordinal after the last one that may be led to.
  /// - Returns: The tree; nothing when a salt that is needed is not led to by this one.
  mutating func leading(
    to needed: [Int], without erased: [Int], before end: Int = capacity
  ) -> SaltTree? {
    var kept: [UInt64: Digest] = [:]
    var isComplete = true
    // Of each node: which ordinals it leads to, and which of those are needed and erased, as places in their lists.
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
  /// A tree that leads to the same salts of the first entries, and to no others.
  func prefix(_ count: Int) -> SaltTree {
    var kept: [UInt64: Digest] = [:]
    func keep(_ number: UInt64, _ node: Digest) {
      // How many salts it leads to, and the first one's ordinal.
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
  /// The first index for which the condition does not hold, which holds for some first ones and no others.
  fileprivate func partitioned(_ condition: (Int) -> Bool) -> Int {
    var (low, high) = (lowerBound, upperBound)
    while low < high {
      let middle = low + (high - low) / 2
      if condition(middle) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// Gives each new segment the root of its salts.
public struct SaltSource: Sendable {
  /// The thirty-two bytes of a root, for the segment that begins at a position. Nobody else may ever know or guess
  /// them.
  public var root: @Sendable (_ first: Position) -> [UInt8]

  /// Makes a source; tests give roots of their own.
  public init(root: @escaping @Sendable (_ first: Position) -> [UInt8]) { self.root = root }

  /// The system's randomness.
  public static let system = SaltSource { _ in
    var generator = SystemRandomNumberGenerator()
    return (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
  }

  /// The tree of a new segment.
  func tree(for first: Position) -> SaltTree {
    // Of bytes that are not thirty-two the digest is as good.
    let root = root(first)
    return SaltTree(
      root: root.count == 32
        ? Digest(bytes: SIMD32(root)) : Digest(of: root))
  }
}
