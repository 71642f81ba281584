#if PLANTED_BUGS
  import Avro
#endif

/// What a verification knows between two segments, and what the next one adds to it.
struct Standing {
  var report = Verification(book: nil)
  /// The position that comes next, where it is known.
  private(set) var next: Position? = .start.next
  /// `at` of the last entry.
  private(set) var latest: Int64 = .min
  /// The segment before.
  private(set) var previous: Segment?
  /// Whether the segment at hand begins where the one before it ends.
  private(set) var isContiguous = true
  /// The place in the list of the first segment that is not sealed.
  var unsealed: Int?

  /// One segment's file.
  struct Segment {
    let name: SegmentName
    let path: String
    let isLast: Bool
    /// Where the next segment begins.
    let successor: Position?
    var byteCount = 0
    var isSealed = false
    /// Whether nothing is wrong with the file.
    var isSound = false
    /// Where its last whole block ends.
    var wholeByteCount = 0
  }

  /// Notes damage.
  mutating func note(_ damage: Damage) { report.damages.append(damage) }

  /// Begins a segment: it must begin where the one before it ends.
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

  /// Ends a segment of which nothing can be used.
  mutating func lose(_ segment: Segment, _ error: JournalError) {
    note(
      Damage(
        file: segment.path, offset: 0, byteCount: segment.byteCount, first: segment.name.first,
        last: segment.successor.map { Position($0.number - 1) }, reason: error.reason))
    end(segment, next: segment.successor)
  }

  /// Ends a segment that was surveyed.
  mutating func settle(
    _ segment: Segment, _ header: SegmentHeader, _ findings: SegmentFindings, _ expected: Head?,
    _ rewrites: Rewrites
  ) {
    var findings = findings
    if segment.isLast, header.seal == nil, let torn = findings.takeTornTail() {
      report.torn = TornTail(file: segment.path, offset: torn.offset, byteCount: torn.byteCount)
    }
    let first = segment.name.first
    let head = report.isWhole ? report.head : nil
    let last = header.seal?.last ?? segment.successor.map { Position($0.number - 1) }
    report.damages += findings.damages(in: segment.path, from: first, to: last)
    let count = findings.entryCount
    if findings.gaps.isEmpty, let seal = header.seal, seal.entries != findings.entries {
      note(
        Damage(file: segment.path, offset: 0, reason: "its entries are not those that were sealed"))
    } else if let head {
      advance(from: head, over: findings, at: first, expected, rewrites)
    }
    latest = findings.latest
    report.entryCount += Int64(count)
    if header.seal != nil { report.sealedCount += 1 }
    var segment = segment
    segment.wholeByteCount = findings.wholeByteCount
    end(segment, next: findings.gaps.isEmpty ? first.advanced(by: count) : last?.next)
  }

  /// Moves the head on over the entries of a segment that have no damage in or before them.
  private mutating func advance(
    from head: Head, over findings: SegmentFindings, at first: Position, _ expected: Head?,
    _ rewrites: Rewrites
  ) {
    let (count, digest) = findings.sound
    guard count > 0 else { return }
    let origin = rewrites.origin(of: findings.entries)
    #if PLANTED_BUGS
      let last = first.advanced(by: PlantedBug.verifyOffByOne.isPlanted ? count - 2 : count - 1)
    #else
      let last = first.advanced(by: count - 1)
    #endif
    let isAll = count == findings.entryCount && findings.gaps.isEmpty
    if isAll {
      report.head = head.advanced(to: last, origin)
    } else if origin == findings.entries {
      report.head = head.advanced(to: last, digest)
    }
    guard let expected, let probed = findings.probed else { return }
    let found = isAll && expected.position == last ? origin : probed
    if origin != findings.entries, found != origin {
      report.proof = .unknown(
        reason:
          "the entries \(first) to \(last) were rewritten since; a head at their end can be told")
    } else {
      let own = head.advanced(to: expected.position, found)
      report.proof = own == expected ? .contained : .differs(found: own)
    }
  }

  private mutating func end(_ segment: Segment, next: Position?) {
    var segment = segment
    segment.isSound = !report.damages.contains { $0.file == segment.path }
    report.byteCount += segment.byteCount
    previous = segment
    self.next = next
  }

  /// Says of a head what is not said yet.
  mutating func conclude(_ expected: Head?) {
    guard let expected, report.proof == nil else { return }
    guard let book = report.book else {
      report.proof = .unknown(reason: "no segment tells which book this is")
      return
    }
    let empty = Head(book: book)
    if expected.position == .start {
      report.proof = expected == empty ? .contained : .differs(found: empty)
    } else if report.isWhole {
      report.proof = .endsBefore(last: report.head?.position ?? .start)
    } else {
      report.proof = .unknown(reason: "entries before it are damaged")
    }
  }
}

extension SegmentFindings {
  /// What is wrong with the segment's blocks, in the order of the file.
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
