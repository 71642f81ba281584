public import Daybook
public import Journal

extension BookReader {
  /// Checks every byte of the book's journal, and whether it still contains a head that was noted earlier.
  ///
  /// - Parameters:
  ///   - expected: The head.
  ///   - progress: Is told how many bytes were read, and how many there are.
  /// - Returns: What was found; damage is no error.
  /// - Throws: ``JournalError`` when there is no book, or its directory cannot be read.
  public func verify(
    expecting expected: Head? = nil, progress: (_ done: Int, _ all: Int) -> Void = { _, _ in }
  ) throws(JournalError) -> Verification {
    try verify(expecting: expected.map { [$0] } ?? [], progress: progress).journal
  }

  /// Checks every byte of the book's journal, whether it still contains heads that were noted earlier, and who was
  /// erased of it.
  ///
  /// - Parameters:
  ///   - expected: The heads.
  ///   - progress: Is told how many bytes were read, and how many there are.
  /// - Returns: What was found; damage is no error.
  /// - Throws: ``JournalError`` when there is no book, or its directory cannot be read.
  public func verify(
    expecting expected: [Head], progress: (_ done: Int, _ all: Int) -> Void = { _, _ in }
  ) throws(JournalError) -> BookVerification {
    // Whatever stops a reading is what the verification is about to find.
    var survey = try? ErasureSurvey(of: self)
    while true {
      let found = try journal.verify(
        expecting: expected, rewrites: survey?.rewrites ?? oldRewrites, progress: progress)
      if found.isWhole { return BookVerification(journal: found, erasures: survey?.erasures ?? []) }
      // What is blank may be somebody's who is being erased just now.
      guard let again = try? ErasureSurvey(of: self), again.erasures.count != survey?.erasures.count
      else { return BookVerification(journal: found, erasures: []) }
      survey = again
    }
  }

  /// What was rewritten on purpose in segments of format 1, as far as the journal can be read.
  var oldRewrites: Rewrites {
    var records = ErasureRecords()
    _ = try? replay(into: &records)
    return records.rewrites
  }

  /// What was rewritten on purpose in segments of format 1.
  ///
  /// - Throws: ``JournalError``.
  func rewrites() throws(JournalError) -> Rewrites {
    var records = ErasureRecords()
    try replay(into: &records)
    return records.rewrites
  }

  /// The head of the book, and when its last entry was recorded; sealed segments are believed.
  ///
  /// - Returns: The head, and the time of its entry; none when there are no entries.
  /// - Throws: ``JournalError``.
  public func head() throws(JournalError) -> (head: Head, at: Instant?) {
    let found = try journal.head { () throws(JournalError) in try rewrites() }
    return (found.head, found.at.map { Instant(clamping: $0) })
  }

  /// Replays the whole book the plain way, entry after entry, and holds against it whatever else answers for
  /// the same entries: see ``DerivedCheck``.
  ///
  /// - Returns: What is wrong, a sentence each; nothing when all say the same.
  /// - Throws: ``JournalError`` when the journal is damaged or has event types that are not known.
  package func verifyDeeply() throws -> [String] {
    // What is appended meanwhile is left out everywhere.
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

/// Holds something that is derived from the journal against the entries themselves: a snapshot, an index, a
/// faster replay. Such things may be thrown away at any time, and must never say otherwise.
package struct DerivedCheck: Sendable {
  /// Says in a sentence how it differs from the state that the entries come to; nothing when it does not.
  package var contradiction: @Sendable (BookReader, BookState) throws -> String?

  package init(contradiction: @escaping @Sendable (BookReader, BookState) throws -> String?) {
    self.contradiction = contradiction
  }
}

extension BookReader {
  /// What ``verifyDeeply()`` holds against the entries. What is kept beside the journal has its line here.
  static var derivedChecks: [DerivedCheck] { [.state, .habits] }
}

extension DerivedCheck {
  /// The state as it is asked for every day, by whatever way it is had.
  static let state = DerivedCheck { reader, plain in
    let asked = try reader.state(asOf: plain.at)
    guard asked.position == plain.position, asked.digest != plain.digest else { return nil }
    return "The state that the book answers with is not what its \(plain.position) entries come to"
      + " (its digest is \(asked.digest), and should be \(plain.digest))."
  }
}

extension DerivedCheck {
  /// Habits as they are looked up by the indexes: all of them, or some two thousand evenly spread.
  static let habits = DerivedCheck { reader, plain in
    let count = plain.habits.elements.count
    for index in stride(from: 0, to: count, by: max(1, count / 2000)) {
      guard let number = Habit.ID(index + 1), let habit = plain.habits[number] else { continue }
      let found = try reader.view(of: number, asOf: plain.at).state
      guard found.at <= plain.at, found.habits[number] != habit else { continue }
      return "The habit \(habit.key), as it is looked up, is not what its entries come to."
    }
    return nil
  }
}

/// Applies entries one by one to a state, and sees to it that what they name is there.
private struct PlainReplay: Projection {
  private(set) var state = BookState()
  private(set) var complaints: [String] = []
  private let last: Int64
  /// Who wants to know is told; nobody wants to read a million lines of it.
  private static let maximumComplaintCount = 20

  init(until last: Int64) { self.last = last }

  mutating func apply(_ entry: Entry) {
    guard entry.head.position <= last else { return }
    for reference in entry.references where reference.number > state.table(of: reference.kind).count
    {
      guard complaints.count < Self.maximumComplaintCount else { break }
      complaints.append(
        "Entry \(entry.head.position) names the \(reference.kind.word) number \(reference.number),"
          + " which is not there.")
    }
    state.apply(entry)
  }
}
