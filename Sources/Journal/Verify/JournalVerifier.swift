import Avro

extension Journal {
  /// Checks every byte of the journal.
  ///
  /// It checks frames and checksums, every entry by its segment's schema, that times never decrease
  /// and positions have no gap, that there is one book, the headers, the erased entries, the seals
  /// and the chain.
  ///
  /// Damage is a finding, not an error. Where possible the verification continues after it. It
  /// takes no lock: a writer may go on meanwhile, and what it appends may or may not be seen.
  ///
  /// A chain cannot reveal that its end is missing, because a shorter book is a valid book, too. A
  /// head that was noted elsewhere reveals it.
  ///
  /// - Parameters:
  ///   - expected: Heads that were noted earlier, to check that the book still contains them.
  ///   - rewrites: The intended rewrites.
  ///   - progress: Receives how many bytes were read, and how many there are.
  /// - Returns: The findings.
  /// - Throws: ``JournalError/noBook(path:)``, ``JournalError/notABook(path:)``, or
  ///   ``JournalError/storage(_:)`` when the directory cannot be read.
  public func verify(
    expecting expected: [Head], rewrites: Rewrites = Rewrites(),
    progress: (_ done: Int, _ all: Int) -> Void = { _, _ in }
  ) throws(JournalError) -> Verification {
    let patient = ZeroFillingStorage(storage)
    let journal = Journal(directory: directory, storage: patient)
    return try withoutActuallyEscaping(progress) { progress throws(JournalError) in
      var verifier = try JournalVerifier(
        journal, try journal.segments(), expected, rewrites, progress: progress)
      return try verifier.run()
    }
  }
}

extension Journal {
  /// Checks every byte of the journal, and whether it still contains a head that was noted earlier, as
  /// ``verify(expecting:rewrites:progress:)`` does.
  ///
  /// - Throws: ``JournalError``.
  public func verify(
    expecting expected: Head? = nil, rewrites: Rewrites = Rewrites(),
    progress: (_ done: Int, _ all: Int) -> Void = { _, _ in }
  ) throws(JournalError) -> Verification {
    let heads = expected.map { [$0] } ?? []
    return try verify(expecting: heads, rewrites: rewrites, progress: progress)
  }
}

/// Verifies a journal, segment after segment.
struct JournalVerifier {
  private let journal: Journal
  private let names: [SegmentName]
  private let expected: [Head]
  private let rewrites: Rewrites
  private let place: (SegmentName) -> String
  private let progress: (Int, Int) -> Void
  private let decompressor: ZstandardDecompressor
  private var scanners: [String: EntryScanner] = [:]
  private var totalByteCount = 0
  /// The state before each segment, for going back to it.
  private var states: [VerificationState] = []
  private var state: VerificationState

  /// Verifies segments at their usual paths, or at other ones.
  ///
  /// - Throws: ``JournalError``.
  init(
    _ journal: Journal, _ names: [SegmentName], _ expected: [Head] = [],
    _ rewrites: Rewrites = Rewrites(), place: ((SegmentName) -> String)? = nil,
    progress: @escaping (Int, Int) -> Void = { _, _ in }
  ) throws(JournalError) {
    self.journal = journal
    self.names = names
    self.expected = expected
    self.rewrites = rewrites
    self.place = place ?? journal.path(of:)
    self.progress = progress
    decompressor = try withCodec { () throws(AvroError) in try ZstandardDecompressor() }
    state = VerificationState()
    var books: [String] = []
    for name in names {
      totalByteCount += (try? journal.storage.open(self.place(name), .read).byteCount()) ?? 0
      do throws(JournalError) { books.append(try reader(of: name).header.book) } catch {
        // A failing disk says nothing about its contents.
        if case .storage = error { throw error }
      }
    }
    // The book is the one with the most segments; of equals, the first.
    let counts = Dictionary(books.map { ($0, 1) }, uniquingKeysWith: +)
    let most = counts.values.max()
    state.report = Verification(book: books.first { counts[$0] == most })
    state.report.segmentCount = names.count
  }

  private func reader(of name: SegmentName) throws(JournalError) -> SegmentReader {
    try SegmentReader(name: name, of: journal, at: place(name), decompressor: decompressor)
  }

  mutating func run() throws(JournalError) -> Verification {
    var index = 0
    while index < names.count {
      states.append(state)
      if let back = try verifySegment(over: index) {
        state = states[back]
        states.removeSubrange(back...)
        index = back
      } else {
        index += 1
      }
    }
    state.conclude(expected)
    return state.report
  }

  /// Verifies one segment; returns the segment to go back to when segments before it were sealed
  /// meanwhile.
  private mutating func verifySegment(over index: Int) throws(JournalError) -> Int? {
    let name = names[index]
    let before = state.report.byteCount
    var segment = VerificationState.Segment(
      name: name, path: place(name), isLast: index + 1 == names.count,
      successor: index + 1 < names.count ? names[index + 1].first : nil)
    segment.byteCount = (try? journal.storage.open(segment.path, .read).byteCount()) ?? 0
    state.begin(segment, missing: place(SegmentName(first: state.next ?? name.first)))
    do throws(JournalError) {
      let reader = try reader(of: name)
      let header = reader.header
      if header.seal != nil, let unsealed = state.unsealed, isSealed(names[unsealed]) {
        return unsealed
      }
      guard header.book == state.report.book else {
        throw reader.corruption(
          "it belongs to book \(header.book), not of \(state.report.book ?? "")")
      }
      let scanner = try scanner(for: reader)
      segment.header = header
      try checkChain(header, segment.path)
      let findings = try SegmentFindings(
        of: reader, scanner, after: state.latest, state.isContiguous ? state.created : nil,
        probes: Set(expected.map(\.position))
      ) { progress(before + $0, max(totalByteCount, before + $0)) }
      state.settle(segment, header, findings, expected, rewrites)
      if header.seal == nil, state.unsealed == nil { state.unsealed = index }
    } catch {
      if case .storage = error { throw error }
      state.lose(segment, error)
    }
    return nil
  }

  private mutating func scanner(
    for reader: borrowing SegmentReader
  ) throws(JournalError) -> EntryScanner {
    let text = reader.header.schemaText
    if let scanner = scanners[text] { return scanner }
    do throws(AvroError) {
      let scanner = try EntryScanner(schemaText: text)
      scanners[text] = scanner
      return scanner
    } catch {
      throw reader.corruption("its schema cannot be read (\(error))")
    }
  }

  private func isSealed(_ name: SegmentName) -> Bool {
    (try? reader(of: name).header.seal) != nil
  }

  /// Checks a segment against those before it: its format is not older than theirs; if it is
  /// sealed, they are all sealed, too, and its seal names what precedes it.
  private mutating func checkChain(
    _ header: SegmentHeader, _ path: String
  ) throws(JournalError) {
    if header.format < state.format {
      state.note(
        Damage(
          file: path, offset: 0,
          reason:
            "it is of format \(header.format), and a segment before it of format \(state.format)"
        ))
    }
    state.format = max(state.format, header.format)
    guard let seal = header.seal else { return }
    if state.unsealed != nil {
      state.note(
        Damage(file: path, offset: 0, reason: "it is sealed, and a segment before it is not"))
    }
    guard let digest = try digest(before: header) else { return }
    // In format 1 each digest may be from before or after one or more rewrites; both must stand for
    // the same original.
    let isSame =
      header.format == 1
      ? rewrites.origin(of: seal.previous) == rewrites.origin(of: digest) : seal.previous == digest
    if !isSame {
      let what = header.format == 1 ? "the sealed file" : "what was recorded"
      state.note(
        Damage(
          file: path, offset: 0,
          reason: "\(what) before it is not the one that it was sealed after"))
    }
  }

  /// The digest of what precedes a sealed segment, as its seal should give it; nil where that is
  /// unknown.
  private func digest(before header: SegmentHeader) throws(JournalError) -> Digest? {
    guard let previous = state.previous else {
      guard header.first == .start.next else { return nil }
      return header.format == 1 ? Digest.none : Head(book: header.book).digest
    }
    guard previous.isSound, state.isContiguous, let before = previous.header,
      before.seal != nil
    else { return nil }
    if header.format == 1 { return try journal.fileDigest(at: previous.path) }
    // Taken from the previous segment's own seal, so that damage elsewhere hides nothing here.
    if let head = before.sealedHead { return head.digest }
    return state.report.isWhole ? state.report.head?.digest : nil
  }
}

extension SegmentReader {
  /// The damage of a file that cannot be used at all.
  fileprivate func corruption(_ reason: String) -> JournalError {
    .corrupt(.init(file: path, offset: 0, after: Position(name.first.number - 1), reason: reason))
  }
}

extension JournalError {
  /// Why a segment cannot be opened, as the end of a sentence.
  var reason: String {
    switch self {
    case .corrupt(let corruption): corruption.reason
    case .storage(let error): "it cannot be opened (\(error.message))"
    case .newerFormat(_, let format):
      "it says that it is of format \(format), which is newer than this Daybook reads"
    default: description
    }
  }
}
