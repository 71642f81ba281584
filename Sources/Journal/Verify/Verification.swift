/// What a verification of a journal found.
public struct Verification: Sendable {
  /// The book's id; none when no segment tells it.
  public internal(set) var book: String?
  /// How many segments there are.
  public internal(set) var segmentCount = 0
  /// How many of them are sealed.
  public internal(set) var sealedCount = 0
  /// How many entries were found whole.
  public internal(set) var entryCount: Int64 = 0
  /// How many bytes the segments' files have.
  public internal(set) var byteCount = 0
  /// The head of all entries that have no damage in or before them: of the book, if it is whole.
  public internal(set) var head: Head?
  /// What a crash left of a commit that was never acknowledged; that is no damage.
  public internal(set) var torn: TornTail?
  /// Everything that is wrong, in the order of the files.
  public internal(set) var damages: [Damage] = []
  /// Whether the book still contains the heads that were asked for.
  public internal(set) var proofs: [Head: HeadProof] = [:]
  /// Whether the book still contains the one head that was asked for; none without one.
  public var proof: HeadProof? { proofs.count == 1 ? proofs.first?.value : nil }
  /// The entries whose personal fields were erased; all else of them is as it was recorded. What was erased of
  /// segments of format 1 is not known.
  public internal(set) var erased: [Position] = []
  /// The segments of format 1: what was erased of them has to be believed (Docs/Format.md, "Format 1").
  public internal(set) var oldSegments: [SegmentName] = []

  /// Whether nothing is damaged.
  public var isWhole: Bool { damages.isEmpty }

  init(book: String?) {
    self.book = book
    head = book.map(Head.init(book:))
  }
}

/// Something in a journal that is not as it was written.
public struct Damage: Sendable, Hashable {
  /// The file.
  public var file: String
  /// Where it begins, in bytes from 0.
  public var offset: Int
  /// How many bytes cannot be used.
  public var byteCount: Int
  /// The first entry that is lost; none when none is.
  public var first: Position?
  /// The last one; none when none is, and when nobody can know how many there were.
  public var last: Position?
  /// What is wrong.
  public var reason: String

  public init(
    file: String, offset: Int, byteCount: Int = 0, first: Position? = nil, last: Position? = nil,
    reason: String
  ) {
    self.file = file
    self.offset = offset
    self.byteCount = byteCount
    self.first = first
    self.last = last
    self.reason = reason
  }
}

extension Damage: CustomStringConvertible {
  /// One sentence: where, what, and which entries cannot be read.
  public var description: String {
    "In \(file) at byte \(offset), \(reason)\(lost)."
  }

  private var lost: String {
    switch (first, last) {
    case (nil, _): ""
    case (let first?, nil):
      "; of the entries from \(first) on some cannot be read, nobody can tell how many"
    case (let first?, let last?) where first == last: "; entry \(first) cannot be read"
    case (let first?, let last?): "; entries \(first) to \(last) cannot be read"
    }
  }
}

/// Whether a book still contains a head that was noted earlier.
public enum HeadProof: Sendable, Hashable {
  /// Nothing up to the head's position was changed but what was erased.
  case contained
  /// The book ends before the head.
  case endsBefore(last: Position)
  /// What the book holds up to there is not what was noted; this is its own head there.
  case differs(found: Head)
  /// It can be neither shown nor denied.
  case unknown(reason: String)
}

extension HeadProof {
  /// One sentence about a head.
  public func description(of head: Head) -> String {
    switch self {
    case .contained:
      "The book contains the head \(head): nothing before it was changed but what was erased."
    case .endsBefore(let last):
      "The book does not contain the head \(head): it ends with entry \(last)."
    case .differs(let found):
      "The book does not contain the head \(head): up to there its own is \(found.digest), so"
        + " something before it was changed, or this is another book."
    case .unknown(let reason):
      "Whether the book contains the head \(head) cannot be told: \(reason)."
    }
  }
}
