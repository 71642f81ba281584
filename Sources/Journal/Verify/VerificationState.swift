#if PLANTED_BUGS
  import Avro
#endif

/// The state of a verification between two segments, and how the next one changes it.
struct VerificationState {
  var report = Verification(book: nil)
  /// The next position, where it is known.
  private(set) var next: Position? = .start.next
  /// `at` of the last entry.
  private(set) var latest: Int64 = .min
  /// How many entities of each kind were created so far, where that is known.
  private(set) var created: EntityCounts? = EntityCounts.none
  /// The segment before.
  private(set) var previous: Segment?
  /// Whether the current segment begins where the one before it ends.
  private(set) var isContiguous = true
  /// The newest format of the segments so far.
  var format = 1
  /// The index of the first unsealed segment.
  var unsealed: Int?

  /// One segment's file.
  struct Segment {
    let name: SegmentName
    let path: String
    let isLast: Bool
    /// The first position of the next segment.
    let successor: Position?
    var byteCount = 0
    /// Its header, if that could be read.
    var header: SegmentHeader?
    var isSealed: Bool { header?.seal != nil }
    /// Whether the file has no damage.
    var isSound = false
    /// The end of its last complete block.
    var wholeByteCount = 0
  }

  /// Notes damage.
  mutating func note(_ damage: Damage) { report.damages.append(damage) }

  /// Starts a segment, which must begin where the one before it ends.
  mutating func begin(_ segment: Segment, missing path: String) {
    isContiguous = next == nil || next == segment.name.first
    guard let next, !isContiguous else { return }
    let (last, first) = (next.number - 1, segment.name.first)
    guard next < first else {
      return note(
        Damage(
          file: segment.path, offset: 0,
          reason: "it begins with entry \(first), and the segment before it ends with \(last)"))
    }
    var damage = Damage(
      file: path, offset: 0, first: next, last: Position(first.number - 1),
      reason: "the segment is not there")
    if let previous, !previous.isSealed, previous.isSound {
      damage.file = previous.path
      damage.offset = previous.wholeByteCount
      damage.reason = "it ends with entry \(last), and the next segment begins with \(first)"
    }
    note(damage)
  }

  /// Ends a segment that cannot be used at all.
  mutating func lose(_ segment: Segment, _ error: JournalError) {
    note(
      Damage(
        file: segment.path, offset: 0, byteCount: segment.byteCount, first: segment.name.first,
        last: segment.successor.map { Position($0.number - 1) }, reason: error.reason))
    created = nil
    end(segment, next: segment.successor)
  }

  /// Ends a surveyed segment.
  mutating func settle(
    _ segment: Segment, _ header: SegmentHeader, _ findings: SegmentFindings, _ expected: [Head],
    _ rewrites: Rewrites
  ) {
    var findings = findings
    if header.format == 1 { report.oldSegments.append(segment.name) }
    if segment.isLast, header.seal == nil, let torn = findings.takeTornTail() {
      report.torn = TornTail(file: segment.path, offset: torn.offset, byteCount: torn.byteCount)
    }
    let first = segment.name.first
    let head = report.isWhole ? report.head : nil
    let last = header.seal?.last ?? segment.successor.map { Position($0.number - 1) }
    report.damages += findings.damages(in: segment.path, from: first, to: last)
    let count = findings.entryCount
    if let flaw = Self.flaw(of: findings, header, rewrites) {
      note(Damage(file: segment.path, offset: 0, reason: flaw))
    } else {
      report.erased += findings.erased.map(\.position)
      if let head { advance(from: head, over: findings, header, expected, rewrites) }
    }
    latest = findings.latest
    created =
      findings.gaps.isEmpty && (isContiguous || header.seal != nil)
      ? findings.created : header.seal?.created
    report.entryCount += Int64(count)
    if header.seal != nil { report.sealedCount += 1 }
    var segment = segment
    segment.wholeByteCount = findings.wholeByteCount
    end(segment, next: findings.gaps.isEmpty ? first.advanced(by: count) : last?.next)
  }

  /// Why the entries are not those that were recorded, although they can be read.
  private static func flaw(
    of findings: SegmentFindings, _ header: SegmentHeader, _ rewrites: Rewrites
  ) -> String? {
    if let flaw = findings.flaw { return flaw }
    guard findings.gaps.isEmpty else { return nil }
    if let unexplained = rewrites.unexplained(among: findings.erased) {
      return "entry \(unexplained) is blank, but belongs to nobody who was erased"
    }
    guard let seal = header.seal else { return nil }
    if seal.entries != findings.entries { return "its entries are not those that were sealed" }
    return seal.created == findings.created
      ? nil : "the creations up to its end are not those that were sealed"
  }

  /// Advances the head over the entries of a segment with no damage in or before them.
  private mutating func advance(
    from head: Head, over findings: SegmentFindings, _ header: SegmentHeader, _ expected: [Head],
    _ rewrites: Rewrites
  ) {
    let (count, digest) = findings.sound
    let first = header.first
    guard count > 0 else { return }
    // Formats after 1 never rewrite bytes that a digest covers.
    let origin = header.format == 1 ? rewrites.origin(of: findings.entries) : findings.entries
    #if PLANTED_BUGS
      let last = first.advanced(by: PlantedBug.verifyOffByOne.isPlanted ? count - 2 : count - 1)
    #else
      let last = first.advanced(by: count - 1)
    #endif
    let isAll = count == findings.entryCount && findings.gaps.isEmpty
    if isAll {
      report.head = head.advanced(to: last, origin, format: header.format)
    } else if origin == findings.entries {
      report.head = head.advanced(to: last, digest, format: header.format)
    }
    for expected in expected {
      guard let probed = findings.probed[expected.position] else { continue }
      let found = isAll && expected.position == last ? origin : probed
      if origin != findings.entries, found != origin {
        report.proofs[expected] = .unknown(
          reason:
            "the entries \(first) to \(last) were rewritten since; only a head at their end can "
            + "be checked"
        )
      } else {
        let own = head.advanced(to: expected.position, found, format: header.format)
        report.proofs[expected] = own == expected ? .contained : .differs(found: own)
      }
    }
  }

  private mutating func end(_ segment: Segment, next: Position?) {
    var segment = segment
    segment.isSound = !report.damages.contains { $0.file == segment.path }
    report.byteCount += segment.byteCount
    previous = segment
    self.next = next
  }

  /// Gives results for the expected heads that have none yet.
  mutating func conclude(_ expected: [Head]) {
    for head in expected where report.proofs[head] == nil { report.proofs[head] = proof(of: head) }
  }

  private func proof(of expected: Head) -> HeadProof {
    guard let book = report.book else {
      return .unknown(reason: "no segment says which book this is")
    }
    let empty = Head(book: book)
    if expected.position == .start {
      return expected == empty ? .contained : .differs(found: empty)
    }
    return report.isWhole
      ? .endsBefore(last: report.head?.position ?? .start)
      : .unknown(reason: "entries before it are damaged")
  }
}

extension SegmentFindings {
  /// The damage of the segment's blocks, in the order of the file.
  func damages(in path: String, from first: Position, to last: Position?) -> [Damage] {
    let losses = Placement.place(from: first, to: last, runs: runs, claims: gaps.map(\.claimed))
    var damages = zip(gaps, losses).map { gap, loss in
      Damage(
        file: path, offset: gap.offset, byteCount: gap.byteCount, first: loss.span?.first,
        last: loss.span?.last, reason: gap.reason)
    }
    damages += disorders.map {
      Damage(file: path, offset: $0, reason: "an entry is earlier than the one before it")
    }
    return damages.sorted { $0.offset < $1.offset }
  }
}
