import Avro

/// What is left of one segment: runs of intact blocks, loose frames, and the gaps between them.
struct SalvagedSegment {
  /// The file.
  let path: String
  /// The segment's name: from its own header if that is intact, otherwise from the file.
  let name: SegmentName
  /// Its header; if that is damaged, one with the schema that its entries turned out to have.
  let header: SegmentHeader
  private(set) var pieces: [Piece]
  /// `at` of the last entry.
  private(set) var latest: Int64

  enum Piece {
    /// Consecutive intact blocks, as a range of offsets.
    case blocks(Range<Int>, count: Int)
    /// A frame whose surrounding block is damaged.
    case frame(Range<Int>, count: Int)
    /// Bytes that cannot be used. They may give the number of entries that they held.
    case gap(Range<Int>, claimed: Int?, reason: String)
  }

  /// Surveys a segment whose header is intact.
  ///
  /// - Throws: ``JournalError/storage(_:)``.
  init(
    surveying reader: consuming SegmentReader, _ scanner: EntryScanner, after latest: Int64,
    isLast: Bool
  ) throws(JournalError) {
    (path, name, header) = (reader.path, reader.name, reader.header)
    let file = reader.file
    let frames = FrameScanner(
      decompressor: try withCodec { () throws(AvroError) in try ZstandardDecompressor() },
      scanner: scanner, marker: header.marker)
    pieces = []
    self.latest = latest
    var survey = SegmentSurvey(reader, scanner, after: latest)
    var bytes: [UInt8]?
    var known: Set<Int> = []
    var isBehindGap = false
    while let piece = try survey.next() {
      switch piece {
      case .block(let count, let byteCount):
        let hash = FrameScanner.hash(
          of: survey.reader.block(count: count, byteCount: byteCount).bytes)
        // A block seen before that goes back in time or follows damage is a copy left by a stray
        // write. So are the blocks that follow it, and the last of those need not go back in time.
        let isCopy = !known.insert(hash).inserted && (survey.isDisordered || isBehindGap)
        isBehindGap = isCopy
        if isCopy { continue }
        add(survey.reader.blockOffset..<survey.reader.wholeByteCount, count: count)
        self.latest = max(self.latest, survey.latest)
      case .gap(let gap):
        isBehindGap = true
        if bytes == nil { bytes = try Self.bytes(of: file) }
        let all = bytes ?? []
        // Bytes at the end of the active segment with nothing intact after them were never
        // acknowledged: no loss.
        let mayBeTorn = isLast && header.seal == nil && !gap.isFollowed
        let range = gap.offset..<gap.offset + gap.byteCount
        add(
          frames.find(in: all, range, after: self.latest, known: &known), in: range,
          claimed: gap.claimed, mayBeTorn ? nil : gap.reason)
      }
    }
  }

  /// Surveys a segment whose header is damaged.
  ///
  /// Its schema is found by trying: the one in which most of the file's frames are entries.
  ///
  /// - Throws: ``JournalError/storage(_:)``.
  init(
    searching file: any StorageFile, at path: String, _ name: SegmentName, book: String,
    schemaTexts: [String], after latest: Int64, _ reason: String
  ) throws(JournalError) {
    let bytes = try Self.bytes(of: file)
    var reader = BinaryReader(bytes.span.bytes)
    // The header may be readable, and only differ from the original.
    let container = try? ContainerHeader(from: &reader)
    var begin = container == nil ? 0 : reader.offset
    let decompressor = try withCodec { () throws(AvroError) in try ZstandardDecompressor() }
    var best: (schemaText: String, found: [FrameScanner.Found]) = (schemaTexts.first ?? "", [])
    for text in schemaTexts + [container?.schemaText].compactMap(\.self) {
      guard let scanner = try? EntryScanner(schemaText: text) else { continue }
      func find(_ marker: [UInt8]?) -> [FrameScanner.Found] {
        var known: Set<Int> = []
        return FrameScanner(decompressor: decompressor, scanner: scanner, marker: marker)
          .find(in: bytes, begin..<bytes.count, after: latest, known: &known)
      }
      var found = find(container?.syncMarker)
      // All blocks end with the same marker, so the first one found gives it.
      if let first = found.first, first.offset + first.byteCount + 16 <= bytes.count {
        let end = first.offset + first.byteCount
        found = find(Array(bytes[end..<end + 16]))
      }
      if found.reduce(0, { $0 + $1.count }) > best.found.reduce(0, { $0 + $1.count }) {
        best = (text, found)
      }
    }
    (self.path, self.name, self.latest, pieces) = (path, name, latest, [])
    header = SegmentHeader(book: book, first: name.first, schemaText: best.schemaText)
    // Everything before the first block is the header, if it can be one.
    if let first = best.found.first?.blockOffset, header.mayHaveBeen(bytes[..<max(0, first)]) {
      begin = first
    }
    add(best.found, in: begin..<bytes.count, claimed: nil, reason)
    // The segment's first position is then unknown, and so is its end.
    if case .gap = pieces.first, pieces.count > 1 {
      pieces.append(.gap(bytes.count..<bytes.count, claimed: nil, reason: reason))
    }
  }

  /// How many entries there are.
  var entryCount: Int { runs.reduce(0, +) }

  /// How many entries are before the first gap, between gaps, and after the last one.
  var runs: [Int] {
    var runs = [0]
    for piece in pieces {
      switch piece {
      case .blocks(_, let count), .frame(_, let count): runs[runs.count - 1] += count
      case .gap: runs.append(0)
      }
    }
    return runs
  }

  /// How many entries each gap claims to have held.
  var claims: [Int?] {
    pieces.compactMap { piece in
      if case .gap(_, let claimed, _) = piece { .some(claimed) } else { nil }
    }
  }

  /// Reads the blocks of a piece again.
  func read(
    _ piece: Piece, at first: Position, in journal: Journal, _ decompressor: ZstandardDecompressor,
    _ body: (borrowing Block) throws(JournalError) -> Void
  ) throws(JournalError) {
    switch piece {
    case .gap: return
    case .blocks(let range, _):
      var reader = try SegmentReader(
        name: name, of: journal, at: path, decompressor: decompressor)
      reader.seek(to: range.lowerBound, first)
      while reader.wholeByteCount < range.upperBound {
        guard case .block(let count, let byteCount) = try reader.step() else { return }
        try body(reader.block(count: count, byteCount: byteCount))
      }
    case .frame(let range, let count):
      var bytes: [UInt8] = []
      try onDisk { () throws(StorageError) in
        try journal.storage.open(path, .read)
          .read(range.count, at: range.lowerBound, appendingTo: &bytes)
      }
      var content: [UInt8] = []
      let byteCount = try withCodec { () throws(AvroError) in
        try decompressor.decompress(bytes.span.bytes, into: &content)
      }
      try body(
        Block(
          first: first, count: count, bytes: content.span.bytes.extracting(first: byteCount),
          place: (path, range.lowerBound)))
    }
  }

  private mutating func add(_ block: Range<Int>, count: Int) {
    if case .blocks(let range, let before) = pieces.last, range.upperBound == block.lowerBound {
      pieces[pieces.count - 1] = .blocks(
        range.lowerBound..<block.upperBound, count: before + count)
    } else {
      pieces.append(.blocks(block, count: count))
    }
  }

  /// Adds frames found in a damaged part of the file, and the losses around them; without a reason
  /// nothing is lost.
  private mutating func add(
    _ found: [FrameScanner.Found], in range: Range<Int>, claimed: Int?, _ reason: String?
  ) {
    var place = range.lowerBound
    for frame in found {
      // Adjacent blocks lose no entries, even if their counts, sizes or markers are damaged.
      if let reason, place != frame.blockOffset {
        pieces.append(.gap(place..<max(place, frame.offset), claimed: nil, reason: reason))
      }
      pieces.append(
        .frame(frame.offset..<frame.offset + frame.byteCount, count: frame.count))
      place = frame.offset + frame.byteCount + 16
      latest = max(latest, frame.latest)
    }
    if let reason, found.isEmpty || place != range.upperBound {
      pieces.append(
        .gap(
          min(place, range.upperBound)..<range.upperBound, claimed: found.isEmpty ? claimed : nil,
          reason: reason))
    }
  }

  private static func bytes(of file: any StorageFile) throws(JournalError) -> [UInt8] {
    var bytes: [UInt8] = []
    try onDisk { () throws(StorageError) in
      try file.read(try file.byteCount(), at: 0, appendingTo: &bytes)
    }
    return bytes
  }
}

extension SegmentHeader {
  /// Whether damaged bytes at the beginning of a file may have been a header of the same book,
  /// position and schema, sealed or not, and nothing else.
  fileprivate func mayHaveBeen(_ bytes: ArraySlice<UInt8>) -> Bool {
    // The last position in a sealed header has 1 to 19 digits; an unknown id has 36. The length of
    // a list of erased entries is unknown: then everything before the first block is damage.
    let byteCount = bytes.count - (book.isEmpty ? 36 : 0)
    let seal = Seal(last: Position(1), entries: .none, previous: .none)
    let old = SegmentHeader(book: book, first: first, schemaText: schemaText)
    let new = SegmentHeader(
      book: book, first: first, schemaText: schemaText, salts: SaltTree(root: .none))
    // An unsealed header with damaged blocks may be as long as a sealed one, so a word of the seal
    // must be left.
    func isSealed() -> Bool {
      ["daybook.last", "daybook.entries", "daybook.previous"].contains {
        bytes.contains(Array($0.utf8))
      }
    }
    return [old, new.asFormat2, new].contains { header in
      let sealed = header.sealed(seal).container.encoded.count
      return byteCount == header.container.encoded.count
        || (sealed...sealed + 18).contains(byteCount) && isSealed()
    }
  }
}
