public import Daybook
public import Journal

extension BookReader {
  /// Checks every byte of the book's journal, and whether it still contains a head that was noted
  /// earlier.
  ///
  /// - Parameters:
  ///   - expected: The head.
  ///   - progress: Receives how many bytes were read, and how many there are.
  /// - Returns: The findings; damage is not thrown.
  /// - Throws: ``JournalError`` when there is no book, or its directory cannot be read.
  public func verify(
    expecting expected: Head? = nil, progress: (_ done: Int, _ all: Int) -> Void = { _, _ in }
  ) throws(JournalError) -> Verification {
    try verify(expecting: expected.map { [$0] } ?? [], progress: progress).journal
  }

  /// Checks every byte of the book's journal, whether it still contains heads that were noted
  /// earlier, and its erasures.
  ///
  /// - Parameters:
  ///   - expected: The heads.
  ///   - progress: Receives how many bytes were read, and how many there are.
  /// - Returns: The findings; damage is not thrown.
  /// - Throws: ``JournalError`` when there is no book, or its directory cannot be read.
  public func verify(
    expecting expected: [Head], progress: (_ done: Int, _ all: Int) -> Void = { _, _ in }
  ) throws(JournalError) -> BookVerification {
    // The verification will find whatever makes this read fail.
    var survey = try? ErasureSurvey(of: self)
    while true {
      let found = try journal.verify(
        expecting: expected, rewrites: survey?.rewrites ?? oldRewrites, progress: progress)
      if found.isWhole { return BookVerification(journal: found, erasures: survey?.erasures ?? []) }
      // A blank entry may belong to an account that is being erased right now.
      guard let again = try? ErasureSurvey(of: self), again.erasures.count != survey?.erasures.count
      else { return BookVerification(journal: found, erasures: []) }
      survey = again
    }
  }

  /// The intended rewrites of segments of format 1, as far as the journal can be read.
  var oldRewrites: Rewrites {
    var records = ErasureRecords()
    _ = try? replay(into: &records)
    return records.rewrites
  }

  /// The intended rewrites of segments of format 1.
  ///
  /// - Throws: ``JournalError``.
  func rewrites() throws(JournalError) -> Rewrites {
    var records = ErasureRecords()
    try replay(into: &records)
    return records.rewrites
  }

  /// The head of the book, and when its last entry was recorded; the digests of sealed segments are
  /// trusted.
  ///
  /// - Returns: The head, and the time of its entry; none when there are no entries.
  /// - Throws: ``JournalError``.
  public func head() throws(JournalError) -> (head: Head, at: Instant?) {
    let found = try journal.head { () throws(JournalError) in try rewrites() }
    return (found.head, found.at.map { Instant(clamping: $0) })
  }

  /// Replays the whole book in the plain way, entry after entry, and compares everything else that
  /// answers for the same entries: see ``DerivedCheck``.
  ///
  /// - Returns: What differs, one sentence each; empty when everything agrees.
  /// - Throws: ``JournalError`` when the journal is damaged or has event types that are not known.
  package func verifyDeeply() throws -> [String] {
    // Entries that are appended meanwhile are left out everywhere.
    let position = try state().position
    var plain = PlainReplay(until: position)
    try replay(into: &plain)
    var complaints = plain.complaints
    for check in Self.derivedChecks {
      if let complaint = try check.contradiction(self, plain.state) { complaints.append(complaint) }
    }
    return complaints
  }
}

/// Compares something derived from the journal with the entries themselves: a snapshot, an index, a
/// faster replay. Derived data can be deleted at any time and must always agree with the entries.
package struct DerivedCheck: Sendable {
  /// Says in one sentence how it differs from the state of the entries; nil when it agrees.
  package var contradiction: @Sendable (BookReader, BookState) throws -> String?

  package init(contradiction: @escaping @Sendable (BookReader, BookState) throws -> String?) {
    self.contradiction = contradiction
  }
}

extension BookReader {
  /// The checks of ``verifyDeeply()``. Every kind of data kept beside the journal has its check
  /// here.
  static var derivedChecks: [DerivedCheck] { [.state, .habits] }
}

extension DerivedCheck {
  /// The state as it is normally computed, whichever way that is.
  static let state = DerivedCheck { reader, plain in
    let asked = try reader.state(asOf: plain.at)
    guard asked.position == plain.position, asked.digest != plain.digest else { return nil }
    return
      "The state that the book answers from differs from a replay of its \(plain.position) "
      + "entries (its digest is \(asked.digest), and should be \(plain.digest))."
  }
}

extension DerivedCheck {
  /// Habits looked up in the indexes: all of them, or some two thousand evenly spread.
  static let habits = DerivedCheck { reader, plain in
    let count = plain.habits.elements.count
    for index in stride(from: 0, to: count, by: max(1, count / 2000)) {
      guard let number = Habit.ID(index + 1), let habit = plain.habits[number] else { continue }
      let found = try reader.view(of: number, asOf: plain.at).state
      guard found.at <= plain.at, found.habits[number] != habit else { continue }
      return "The habit \(habit.key), as the index has it, differs from a replay of its entries."
    }
    return nil
  }
}

/// Applies entries one by one to a state, and checks that what they refer to exists.
private struct PlainReplay: Projection {
  private(set) var state = BookState()
  private(set) var complaints: [String] = []
  private let last: Int64
  /// The most complaints; nobody wants to read a million lines.
  private static let maximumComplaintCount = 20

  init(until last: Int64) { self.last = last }

  mutating func apply(_ entry: Entry) {
    guard entry.head.position <= last else { return }
    for reference in entry.references where reference.number > state.table(of: reference.kind).count
    {
      guard complaints.count < Self.maximumComplaintCount else { break }
      complaints.append(
        "Entry \(entry.head.position) names the \(reference.kind.word) number "
          + "\(reference.number), which does not exist."
      )
    }
    state.apply(entry)
  }
}
