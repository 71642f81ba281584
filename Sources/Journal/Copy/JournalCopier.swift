import Avro

/// Copies a journal, segment after segment, into a stage.
struct JournalCopier {
  private let source: Journal
  private var stage: JournalStage
  private let last: Int64
  private let linking: Bool
  private let rewrites: Rewrites
  private let progress: (Int, Int) -> Void
  private var parts: [Part] = []
  private var scanners: [String: EntryScanner] = [:]
  /// Whether entries of a copied segment are blank.
  private var hasBlanks = false

  /// A segment of the copy.
  private struct Part {
    let name: SegmentName
    var isSealed = false
    var origin = Origin.copied
  }

  private enum Origin { case linked, copied, kept }

  init(
    _ source: Journal, _ stage: JournalStage, until last: Int64, _ linking: Bool,
    _ rewrites: Rewrites, _ progress: @escaping (Int, Int) -> Void
  ) {
    self.source = source
    self.stage = stage
    self.last = last
    self.linking = linking
    self.rewrites = rewrites
    self.progress = progress
  }

  mutating func run() throws(JournalError) -> JournalCopy {
    let copy: JournalCopy
    do throws(JournalError) {
      let earlier = try earlierHead()
      try gather()
      copy = try verified(earlier)
    } catch {
      stage.abandon()
      throw error
    }
    try stage.publish()
    return copy
  }

  /// The head of the backup to bring up to date.
  private func earlierHead() throws(JournalError) -> Head? {
    guard !stage.existing.isEmpty else { return nil }
    let target = stage.journal
    let found = try target.verify(rewrites: rewrites)
    if let damage = found.damages.first {
      throw damage.error(after: found.head?.position ?? .start)
    }
    let book = try source.header(of: source.segments()[0]).book
    guard found.book == book else {
      throw .anotherHistory(path: target.directory, reason: "its book is \(found.book ?? "none")")
    }
    return found.head
  }

  /// Copies all segments to the stage.
  ///
  /// An erasure is recorded on disk before the first segment is blanked for it, and it comes after
  /// all of those segments. So the end of the journal is read again after a blanked segment was
  /// copied: the copy then has the erasure, too.
  private mutating func gather() throws(JournalError) {
    repeat {
      hasBlanks = false
      // The active segment may have grown.
      if parts.last?.isSealed == false { parts.removeLast() }
      let names = try source.segments()
      gathering: for name in names.dropFirst(parts.count) {
        switch try gather(name, isFirst: name == names[0], isLast: name == names.last) {
        case .part(let part): parts.append(part)
        case .lastPart(let part):
          parts.append(part)
          break gathering
        case .tooLate: break gathering
        }
      }
      // A segment that was copied before it was sealed may not come before a sealed one.
      while let open = parts.firstIndex(where: { !$0.isSealed }),
        parts[open...].contains(where: \.isSealed),
        case .part(let part) = try gather(parts[open].name, isFirst: open == 0, isLast: false),
        part.isSealed
      {
        parts[open] = part
      }
    } while hasBlanks && last == .max
  }

  private enum Gathered {
    case part(Part)
    /// The time falls into the segment.
    case lastPart(Part)
    /// The whole segment was recorded after the time.
    case tooLate
  }

  private mutating func gather(
    _ name: SegmentName, isFirst: Bool, isLast: Bool
  ) throws(JournalError) -> Gathered {
    let reader = try open(name)
    let (header, file, path) = (reader.header, reader.file, reader.path)
    if header.seal != nil, last == .max { return .part(try bring(sealed: name, header)) }
    var findings = try SegmentFindings(of: reader, try scanner(header), after: .min, until: last)
    if let cut = findings.cut {
      if cut.isWhole, cut.first == name.first, !isFirst { return .tooLate }
      try write(name, until: cut)
      return .lastPart(Part(name: name))
    }
    if isLast, header.seal == nil { _ = findings.takeTornTail() }
    if let damage = findings.damages(in: path, from: name.first, to: nil).first {
      throw damage.error(after: Position(name.first.number - 1))
    }
    if header.seal != nil { return .part(try bring(sealed: name, header)) }
    // A commit can be read before it is on disk. If it were lost, the copy would have another
    // history.
    try onDisk { () throws(StorageError) in try file.synchronize() }
    let part = try stage.begin(name)
    try copy(file, findings.wholeByteCount, to: part)
    return .part(Part(name: name))
  }

  private func open(
    _ name: SegmentName, at path: String? = nil
  ) throws(JournalError) -> SegmentReader {
    let decompressor = try withCodec { () throws(AvroError) in try ZstandardDecompressor() }
    return try SegmentReader(name: name, of: source, at: path, decompressor: decompressor)
  }

  private mutating func scanner(_ header: SegmentHeader) throws(JournalError) -> EntryScanner {
    if let scanner = scanners[header.schemaText] { return scanner }
    do throws(AvroError) {
      let scanner = try EntryScanner(schemaText: header.schemaText)
      scanners[header.schemaText] = scanner
      return scanner
    } catch {
      throw .corrupt(
        .init(
          file: source.path(of: SegmentName(first: header.first)), offset: 0,
          after: Position(header.first.number - 1), reason: "its schema cannot be read (\(error))"))
    }
  }

  /// Puts a sealed segment on the stage: keeps the existing file, links the original, or copies it.
  private mutating func bring(
    sealed name: SegmentName, _ header: SegmentHeader
  ) throws(JournalError) -> Part {
    if stage.existing.contains(name), try stage.journal.header(of: name).marker == header.marker {
      hasBlanks = hasBlanks || !header.erasedPositions.isEmpty
      return Part(name: name, isSealed: true, origin: .kept)
    }
    let path = source.path(of: name)
    let newPath = try stage.begin(name)
    let isLinked = linking && (try? source.storage.link(path, to: newPath)) != nil
    if !isLinked {
      let file = try onDisk { () throws(StorageError) in try source.storage.open(path, .read) }
      let byteCount = try onDisk { () throws(StorageError) in try file.byteCount() }
      try copy(file, byteCount, to: newPath)
      try onDisk { () throws(StorageError) in try source.storage.makeReadOnly(newPath) }
    }
    // The segment may have been rewritten since its header was read.
    let brought = try open(name, at: newPath).header
    hasBlanks = hasBlanks || !brought.erasedPositions.isEmpty
    return Part(name: name, isSealed: true, origin: isLinked ? .linked : .copied)
  }

  /// Copies the first bytes of a file.
  private func copy(
    _ file: any StorageFile, _ byteCount: Int, to path: String
  ) throws(JournalError) {
    var output = try NewFile(path, storage: source.storage)
    var offset = 0
    while offset < byteCount {
      var bytes: [UInt8] = []
      let count = min(1 << 20, byteCount - offset)
      try onDisk { () throws(StorageError) in
        try file.read(count, at: offset, appendingTo: &bytes)
      }
      // If the file has become shorter, verifying the copy will find that out.
      if bytes.isEmpty { break }
      try output.write(bytes)
      offset += bytes.count
    }
    _ = try output.finish()
  }

  /// Writes the entries of a segment up to a time, which falls into or before one of its blocks.
  private mutating func write(
    _ name: SegmentName, until cut: SegmentFindings.Cut
  ) throws(JournalError) {
    var reader = try open(name)
    let scanner = try scanner(reader.header)
    let compressor = try withCodec { () throws(AvroError) in try ZstandardCompressor() }
    let header = reader.header.cut(before: cut.end)
    var output = try NewFile(stage.begin(name), storage: source.storage)
    try output.write(header.container.encoded)
    while reader.next <= cut.first {
      let offset = reader.wholeByteCount
      guard case .block(var count, var byteCount) = try reader.step() else {
        throw Damage(
          file: reader.path, offset: offset, reason: "a block before the time is damaged"
        )
        .error(after: Position(reader.next.number - 1))
      }
      let block = reader.block(count: count, byteCount: byteCount)
      if block.first == cut.first {
        (count, byteCount) = try entries(of: block, until: last, scanner)
      }
      guard count > 0 else { break }
      let bytes = block.bytes.extracting(first: byteCount).withUnsafeBytes { [UInt8]($0) }
      let payload = try withCodec { () throws(AvroError) in try compressor.compress(bytes) }
      try output.write(
        ContainerBlock.encode(count: count, payload: payload, syncMarker: header.marker))
    }
    _ = try output.finish()
  }

  /// How many entries of a block were recorded until a time, and how many bytes they take.
  private func entries(
    of block: borrowing Block, until last: Int64, _ scanner: EntryScanner
  ) throws(JournalError) -> (count: Int, byteCount: Int) {
    var reader = BinaryReader(block.bytes)
    var taken = (count: 0, byteCount: 0)
    try withCodec { () throws(AvroError) in
      while taken.count < block.count, try scanner.scan(over: &reader) <= last {
        taken = (taken.count + 1, reader.offset)
      }
    }
    return taken
  }

  /// Verifies the stage, and checks that it continues the earlier backup.
  private func verified(_ earlier: Head?) throws(JournalError) -> JournalCopy {
    let target = stage.journal
    let names = parts.map(\.name)
    var verifier = try JournalVerifier(
      target, names, earlier.map { [$0] } ?? [], rewrites, place: stage.place(of:),
      progress: progress)
    let found = try verifier.run()
    if var damage = found.damages.first {
      // Damage of the copy is damage of the book.
      if let name = names.first(where: { stage.place(of: $0) == damage.file }) {
        damage.file = source.path(of: name)
      } else if let name = damage.first.map(SegmentName.init(first:)),
        damage.file == target.path(of: name)
      {
        damage.file = source.path(of: name)
      }
      throw damage.error(after: found.head?.position ?? .start)
    }
    guard let head = found.head else { throw .notABook(path: source.directory) }
    if let earlier, let proof = found.proof, proof != .contained {
      let reason =
        if case .endsBefore(let last) = proof {
          "it goes on to entry \(earlier.position), and the book ends with \(last)"
        } else {
          "its entries up to \(earlier.position) are not the book's"
        }
      throw .anotherHistory(path: target.directory, reason: reason)
    }
    guard Set(names).isSuperset(of: stage.existing) else {
      throw .anotherHistory(path: target.directory, reason: "somebody has written to it")
    }
    func count(_ origin: Origin) -> Int { parts.count { $0.origin == origin } }
    return JournalCopy(
      head: head, entryCount: found.entryCount, byteCount: found.byteCount,
      linkedCount: count(.linked), copiedCount: count(.copied), keptCount: count(.kept))
  }
}

extension Damage {
  /// The damage as an error, for callers that cannot continue.
  func error(after position: Position) -> JournalError {
    .corrupt(
      .init(
        file: file, offset: offset, after: first.map { Position($0.number - 1) } ?? position,
        reason: reason))
  }
}
