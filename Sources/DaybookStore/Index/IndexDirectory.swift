import Avro
import Daybook
import Journal

/// The first block of an index: which segment it covers, and where everything is.
///
/// Layout: an index is an Avro container named for its segment (`….index`), of a union of four
/// records. Its first block holds one ``IndexDirectory``. Each block after it holds one
/// ``Postings``, ordered by aggregate. Then comes a block with a ``Roster``. The last block is an
/// ``IndexedMap``, where the segment has a map. The index is valid iff the container is complete and the directory fits the segment's
/// header and the counts of the segments before. Otherwise it is rebuilt. It holds nothing that is
/// not in the segment.
struct IndexDirectory: AvroRecord {
  /// The sync marker of the segment's header, which stands for the whole header.
  var marker = AvroBytes()
  /// The fingerprint of the schema that the postings' entries are written with: this Daybook's own.
  var fingerprint: Int64 = 0
  /// The version of the rules that find an entry's aggregate (``currentVersion``).
  var version: Int32 = 0
  /// How many of each kind of entity were created before the segment, in the order of the kinds.
  var countsBefore: [Int32] = []
  /// How many of each kind were created until the segment's end.
  var countsAfter: [Int32] = []
  /// The position of the segment's first entry.
  var first: Int64 = 0
  /// The position of its last entry.
  var last: Int64 = 0
  /// When the last entry was recorded.
  var lastAt: Int64 = 0
  /// Where each block of the segment begins in its file; from the second on, the distance from the
  /// one before.
  var blockOffsets: [Int64] = []
  /// How many entries each block holds.
  var blockCounts: [Int64] = []
  /// When each block's first entry was recorded; from the second on, the time since the one before.
  var blockTimes: [Int64] = []
  /// When each entry at a multiple of ``TimeSamples/stride`` was recorded; from the second on, the
  /// time since the one before.
  var entryTimes: [Int64] = []
  /// How many bytes each block of postings has in this file; the blocks follow the directory
  /// without a gap.
  var postingByteCounts: [Int64] = []
  /// The first aggregate of each block of postings; from the second on, the distance from the one
  /// before.
  var postingCodes: [Int64] = []
  /// How many bytes the block of the roster has, which follows those of the postings.
  var rosterByteCount: Int64 = 0

  /// Raised whenever ``AggregateReader`` changes its results.
  static let currentVersion: Int32 = 2
  /// The fingerprint of this Daybook's entries.
  static let currentFingerprint = Int64(bitPattern: Entry.schema.fingerprint)

  static let recordName = "IndexDirectory"
  static var placeholder: IndexDirectory { IndexDirectory() }

  mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("marker", &marker)
    try visitor.visit("fingerprint", &fingerprint)
    try visitor.visit("version", &version)
    try visitor.visit("countsBefore", &countsBefore)
    try visitor.visit("countsAfter", &countsAfter)
    try visitor.visit("first", &first)
    try visitor.visit("last", &last)
    try visitor.visit("lastAt", &lastAt)
    try visitor.visit("blockOffsets", &blockOffsets)
    try visitor.visit("blockCounts", &blockCounts)
    try visitor.visit("blockTimes", &blockTimes)
    try visitor.visit("entryTimes", &entryTimes)
    try visitor.visit("postingByteCounts", &postingByteCounts)
    try visitor.visit("postingCodes", &postingCodes)
    try visitor.visit("rosterByteCount", &rosterByteCount)
  }
}

/// The Avro container of an index.
enum IndexFile {
  static let schemaText =
    Schema.union([
      IndexDirectory.schema, Postings.schema, IndexedMap.schema, Roster.schema,
    ]).json.encoded
  static let directoryBranch: Int64 = 0
  static let postingsBranch: Int64 = 1
  static let mapBranch: Int64 = 2
  static let rosterBranch: Int64 = 3

  /// The header of the index of a segment with a sync marker; a block of another segment's index
  /// does not fit it.
  static func header(_ marker: [UInt8]) -> ContainerHeader {
    ContainerHeader(
      checkedSchema: schemaText, codec: .zstandard,
      metadata: [
        .init("daybook.format", "2"),
        .init("daybook.segment", marker.map { String($0, radix: 16) }.joined(separator: ".")),
      ])
  }

  /// The path of a segment's index.
  static func path(of segment: SegmentName, in journal: Journal) -> String {
    journal.path(of: segment).dropLast(5) + ".index"
  }
}

extension [Int64] {
  /// The differences between neighbours, after the first value.
  var deltas: [Int64] { indices.map { $0 == 0 ? self[$0] : self[$0] &- self[$0 - 1] } }

  /// The values whose differences these are.
  var sums: [Int64] {
    var sum: Int64 = 0
    return map { delta in
      sum &+= delta
      return sum
    }
  }

  /// The index of the last element that is not above a value, in an ascending list.
  func lastIndex(notAbove value: Int64) -> Int? {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if self[middle] <= value { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? nil : low - 1
  }
}
