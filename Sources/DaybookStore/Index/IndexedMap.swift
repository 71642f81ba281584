import Avro
import Journal

/// The last block of an index: the outline of the segment's map (``MapOutline``), from which proofs
/// are made without the segment.
struct IndexedMap: AvroRecord {
  /// The blinded digest of the segment's entries.
  var content = AvroBytes()
  /// The trees, in the order of the kinds' names.
  var trees: [Tree] = []

  static let recordName = "IndexedMap"
  static var placeholder: IndexedMap { IndexedMap() }

  mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("content", &content)
    try visitor.visit("trees", &trees)
  }

  /// The tree of a kind.
  struct Tree: AvroRecord {
    /// The tree's depth.
    var depth: Int32 = 0
    /// The numbers of its nodes, from left to right; from the second on, the distance from the one
    /// before.
    var numbers: [Int64] = []
    /// Their digests, one after another.
    var digests = AvroBytes()

    static let recordName = "IndexedTree"
    static var placeholder: Tree { Tree() }

    mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
      try visitor.visit("depth", &depth)
      try visitor.visit("numbers", &numbers)
      try visitor.visit("digests", &digests)
    }
  }
}

extension IndexedMap {
  /// Takes an outline.
  init(_ outline: MapOutline) {
    content = AvroBytes(outline.content.byteList)
    trees = outline.trees.map { tree in
      Tree(
        depth: Int32(clamping: tree.depth), numbers: tree.nodes.map(\.number).deltas,
        digests: AvroBytes(tree.nodes.flatMap(\.digest.byteList)))
    }
  }

  /// The outline; nil when the block does not hold a valid one.
  var outline: MapOutline? {
    guard let content = Digest(bytes: content.bytes) else { return nil }
    var outline = MapOutline(content: content, trees: [])
    for tree in trees {
      let bytes = tree.digests.bytes
      guard bytes.count == 32 * tree.numbers.count else { return nil }
      let nodes = tree.numbers.sums.enumerated().compactMap { index, number in
        Digest(bytes: bytes[32 * index..<32 * (index + 1)]).map {
          MapOutline.Node(number: number, digest: $0)
        }
      }
      outline.trees.append(MapOutline.Tree(depth: Int(tree.depth), nodes: nodes))
    }
    return outline
  }
}
