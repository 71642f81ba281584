/// The findings of a verification of a journal.
public struct Verification: Sendable {
  /// The book's id; nil when no segment holds it.
  public internal(set) var book: String?
  /// How many segments there are.
  public internal(set) var segmentCount = 0
  /// How many of them are sealed.
  public internal(set) var sealedCount = 0
  /// How many intact entries were found.
  public internal(set) var entryCount: Int64 = 0
  /// The total size of the segments' files.
  public internal(set) var byteCount = 0
  /// The head of all entries with no damage in or before them; of the whole book, if it is intact.
  public internal(set) var head: Head?
  /// The torn tail that a crash left of a commit that was never acknowledged; it is not damage.
  public internal(set) var torn: TornTail?
  /// All damage, in the order of the files.
  public internal(set) var damages: [Damage] = []
  /// Whether the book still contains the expected heads.
  public internal(set) var proofs: [Head: HeadProof] = [:]
  /// Whether the book still contains the one expected head; nil unless there was exactly one.
  public var proof: HeadProof? { proofs.count == 1 ? proofs.first?.value : nil }
  /// The entries whose personal fields were erased; everything else in them is as recorded. For
  /// segments of format 1, erased entries are unknown.
  public internal(set) var erased: [Position] = []
  /// The segments of format 1: their erasures must be taken on trust (Docs/Format.md, "Format 1").
  public internal(set) var oldSegments: [SegmentName] = []

  /// Whether there is no damage.
  public var isWhole: Bool { damages.isEmpty }

  init(book: String?) {
    self.book = book
    head = book.map(Head.init(book:))
  }
}

/// Something in a journal that differs from what was written.
public struct Damage: Sendable, Hashable {
  /// The file.
  public var file: String
  /// The offset of the damage in the file.
  public var offset: Int
  /// How many bytes cannot be used.
  public var byteCount: Int
  /// The position of the first lost entry; nil when none is lost.
  public var first: Position?
  /// The position of the last lost entry; nil when none is lost, or when the number is unknown.
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
      "; an unknown number of the entries from \(first) on cannot be read"
    case (let first?, let last?) where first == last: "; entry \(first) cannot be read"
    case (let first?, let last?): "; entries \(first) to \(last) cannot be read"
    }
  }
}

/// Whether a book still contains a head that was noted earlier.
public enum HeadProof: Sendable, Hashable {
  /// Nothing up to the head's position was changed except by erasures.
  case contained
  /// The book ends before the head.
  case endsBefore(last: Position)
  /// The book's contents up to there differ from those noted; this is its own head at that
  /// position.
  case differs(found: Head)
  /// It can be neither proved nor disproved.
  case unknown(reason: String)
}

extension HeadProof {
  /// One sentence about a head.
  public func description(of head: Head) -> String {
    switch self {
    case .contained:
      "The book contains the head \(head): nothing before it was changed, except by erasures."
    case .endsBefore(let last):
      "The book does not contain the head \(head): it ends with entry \(last)."
    case .differs(let found):
      "The book does not contain the head \(head): up to there its own is \(found.digest), so"
        + " something before it was changed, or this is another book."
    case .unknown(let reason):
      "It is unknown whether the book contains the head \(head): \(reason)."
    }
  }
}
