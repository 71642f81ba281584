import Avro
import Daybook
import Journal

/// The first block of an index: what segment it is of, and where everything is.
///
/// Layout: an index is an Avro container named for its segment (`….index`), of a union of three records. Its
/// first block holds one ``IndexDirectory``; each block after it holds one ``Postings``, ordered by aggregate; the last
/// one an ``IndexedMap``, where the segment has a map. It is valid iff the container is whole and the directory fits the
/// segment's header and the counts of the segments before; else it is built anew. Nothing is in it that is not in the
/// segment.
struct IndexDirectory: AvroRecord {
  /// The sync marker of the segment's header, which stands for all that the header says.
  var marker = AvroBytes()
  /// The fingerprint of the schema that the postings' entries are written with: this Daybook's own.
  var fingerprint: Int64 = 0
  /// What is an entry's aggregate may be decided otherwise one day.
  var version: Int32 = 0
  /// How many of each kind of entity were created before the segment, in the order of the kinds.
  var countsBefore: [Int32] = []
  /// How many of each kind were created until its end.
  var countsAfter: [Int32] = []
  /// The segment's first entry.
  var first: Int64 = 0
  /// Its last entry.
  var last: Int64 = 0
  /// When the last entry was recorded.
  var lastAt: Int64 = 0
  /// Where each block of the segment begins in its file; from the second on, how far from the one before.
  var blockOffsets: [Int64] = []
  /// How many entries each block holds.
  var blockCounts: [Int64] = []
  /// When each block's first entry was recorded; from the second on, how long after the one before.
  var blockTimes: [Int64] = []
  /// When each entry at a multiple of ``EntryTimes/stride`` was recorded; from the second on, how long after the one
  /// before.
  var entryTimes: [Int64] = []
  /// How many bytes each block of postings has in this file; they follow the directory without a gap.
  var postingByteCounts: [Int64] = []
  /// The first aggregate of each block of postings; from the second on, how far from the one before.
  var postingCodes: [Int64] = []

  /// Raised when ``AggregateReader`` tells otherwise.
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
  }
}

/// The container that an index is.
enum IndexFile {
  static let schemaText =
    Schema.union([IndexDirectory.schema, Postings.schema, IndexedMap.schema]).json.encoded
  static let directoryBranch: Int64 = 0
  static let postingsBranch: Int64 = 1
  static let mapBranch: Int64 = 2

  /// The header of the index of a segment with the marker: a block of another segment's index does not
  /// fit it.
  static func header(_ marker: [UInt8]) -> ContainerHeader {
    ContainerHeader(
      checkedSchema: schemaText, codec: .zstandard,
      metadata: [
        .init("daybook.format", "2"),
        .init("daybook.segment", marker.map { String($0, radix: 16) }.joined(separator: ".")),
      ])
  }

  /// Where the index of a segment is.
  static func path(of segment: SegmentName, in journal: Journal) -> String {
    journal.path(of: segment).dropLast(5) + ".index"
  }
}

extension [Int64] {
  /// Each but the first as the distance from the one before.
  var deltas: [Int64] { indices.map { $0 == 0 ? self[$0] : self[$0] &- self[$0 - 1] } }

  /// The values of which these are the distances.
  var sums: [Int64] {
    var sum: Int64 = 0
    return map { delta in
      sum &+= delta
      return sum
    }
  }

  /// The place of the last element that is not above a value, in a list that ascends.
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
