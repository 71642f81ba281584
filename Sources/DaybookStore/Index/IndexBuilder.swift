import Avro
import Daybook
import Journal

/// Builds the index of a sealed segment from its blocks.
struct IndexBuilder {
  private static let level = 3

  private var directory = IndexDirectory()
  private var aggregates: AggregateReader
  /// The bytes of all entries of the segment, and where each entry ends.
  private var bytes: [UInt8] = []
  private var ends: [Int] = []
  /// For each entry, its aggregate's code in the upper 34 bits and its place in the segment in the
  /// lower 30; sorted, they give the order of the postings.
  private var order: [UInt64] = []
  private var offsets: [Int64] = []
  private var times: [Int64] = []
  private var entryTimes: [Int64] = []
  private var lastAt: Int64 = 0

  /// Starts with a segment's header and the counts of what was created in all earlier segments.
  init(_ header: SegmentHeader, after counts: AggregateReader) {
    aggregates = counts
    directory.marker = AvroBytes(header.marker)
    directory.fingerprint = IndexDirectory.currentFingerprint
    directory.version = IndexDirectory.currentVersion
    directory.countsBefore = counts.counts
    directory.first = header.first.number
  }

  /// Adds the next block of the segment; its entries are in this Daybook's schema.
  mutating func append(
    _ count: Int, _ entries: RawSpan, at offset: Int
  ) throws(AvroError) {
    let base = bytes.count
    offsets.append(Int64(offset))
    directory.blockCounts.append(Int64(count))
    entries.withUnsafeBytes { bytes.append(contentsOf: $0) }
    var ends = ends
    var order = order
    var isFirst = true
    self.ends = []
    self.order = []
    try aggregates.read(count, in: entries) { aggregate, at, range in
      if isFirst { times.append(at.milliseconds) }
      isFirst = false
      lastAt = at.milliseconds
      if ends.count % Int(TimeSamples.stride) == 0 { entryTimes.append(lastAt) }
      order.append(Self.place(of: aggregate, UInt64(ends.count)))
      ends.append(base + range.upperBound)
    }
    self.ends = ends
    self.order = order
  }

  /// The index as a file, and the counts at the segment's end.
  ///
  /// - Parameter outline: The outline of the segment's map, if it has one.
  /// - Returns: The file and the counts.
  /// - Throws: ``AvroError`` when an entry cannot be read, or there is no memory to compress.
  mutating func finish(
    _ outline: MapOutline?
  ) throws(AvroError) -> (file: [UInt8], counts: AggregateReader) {
    order.sort()
    #if PLANTED_BUGS
      if PlantedBug.dropIndexEntry.isPlanted { order.removeLast() }
    #endif
    directory.last = directory.first + Int64(ends.count) - 1
    directory.lastAt = lastAt
    directory.countsAfter = aggregates.counts
    directory.blockOffsets = offsets.deltas
    directory.blockTimes = times.deltas
    directory.entryTimes = entryTimes.deltas
    let header = IndexFile.header(directory.marker.bytes)
    let compressor = try ZstandardCompressor(level: Self.level)
    func block(_ values: BinaryWriter) throws(AvroError) -> [UInt8] {
      ContainerBlock.encode(
        count: 1, payload: try compressor.compress(values.bytes), syncMarker: header.syncMarker)
    }
    let known = TimeSamples(samples: entryTimes, count: Int64(ends.count), lastAt: lastAt)
    var blocks: [UInt8] = []
    var roster = Roster()
    var codes: [Int64] = []
    var place = 0
    while place < order.count {
      codes.append(Self.code(order[place]))
      var postings = PostingsWriter()
      while place < order.count, !postings.isFull {
        try writeList(from: &place, to: &postings, known, &roster)
      }
      var values = BinaryWriter()
      values.put(IndexFile.postingsBranch)
      postings.postings.write(to: &values)
      let block = try block(values)
      directory.postingByteCounts.append(Int64(block.count))
      blocks += block
    }
    directory.postingCodes = codes.deltas
    var owners = BinaryWriter()
    owners.put(IndexFile.rosterBranch)
    roster.write(to: &owners)
    let rosterBlock = try block(owners)
    directory.rosterByteCount = Int64(rosterBlock.count)
    blocks += rosterBlock
    if let outline {
      var values = BinaryWriter()
      values.put(IndexFile.mapBranch)
      IndexedMap(outline).write(to: &values)
      blocks += try block(values)
    }
    var first = BinaryWriter()
    first.put(IndexFile.directoryBranch)
    directory.write(to: &first)
    return (header.encoded + (try block(first)) + blocks, aggregates)
  }

  /// The bits of an element of the order: an aggregate's number, below its kind; and the entry's
  /// ordinal in the segment, from 0.
  private static let (numberBits, ordinalBits): (UInt64, UInt64) = (31, 27)

  /// An element of the order: it sorts by aggregate, then as recorded.
  private static func place(of aggregate: Aggregate, _ ordinal: UInt64) -> UInt64 {
    (UInt64(aggregate.kind.index) << numberBits | UInt64(aggregate.number)) << ordinalBits
      | ordinal & (1 << ordinalBits - 1)
  }

  /// The aggregate's code in an element of the order.
  private static func code(_ place: UInt64) -> Int64 {
    let aggregate = place >> ordinalBits
    return Int64(aggregate >> numberBits) << 32 | Int64(aggregate & (1 << numberBits - 1))
  }

  /// Writes the entries of one aggregate, from an element of the order on, and notes them in the
  /// roster.
  private func writeList(
    from place: inout Int, to postings: inout PostingsWriter, _ times: TimeSamples,
    _ roster: inout Roster
  ) throws(AvroError) {
    let aggregate = order[place] >> Self.ordinalBits
    let start = place
    while place < order.count, order[place] >> Self.ordinalBits == aggregate { place += 1 }
    postings.beginList(of: Self.code(order[start]), place - start)
    for item in order[start..<place] {
      let ordinal = Int(item & (1 << Self.ordinalBits - 1))
      let begin = ordinal == 0 ? 0 : ends[ordinal - 1]
      roster.note(try postings.put(bytes[begin..<ends[ordinal]], at: Int64(ordinal), times))
    }
  }
}
