import Streaks
public import Calendar

/// The day's message (DG-4): one of a few sentences, chosen by the day and its progress, so that repeated queries give
/// the same message.
public enum DayMessage {
  /// The progress of a day.
  public enum Progress: String, Hashable, Sendable, CaseIterable {
    /// Nothing is due.
    case free
    /// Nothing is done yet.
    case begin
    /// Some is done.
    case underway
    /// One is missing.
    case nearlyDone = "nearly_done"
    /// All is done.
    case done
  }

  /// The progress of a day on which `done` of `due` habits are done.
  public static func progress(done: Int, due: Int) -> Progress {
    if due <= 0 { return .free }
    if done >= due { return .done }
    if done <= 0 { return .begin }
    return due - done == 1 ? .nearlyDone : .underway
  }

  /// The message of a day.
  public static func message(on day: Day, _ progress: Progress) -> String {
    english(progress)[place(on: day, progress)]
  }

  /// The name of a day's message, by which a client that speaks another language finds its own sentence: "nearly_done.2".
  package static func key(on day: Day, _ progress: Progress) -> String {
    "\(progress.rawValue).\(place(on: day, progress) + 1)"
  }

  private static func place(on day: Day, _ progress: Progress) -> Int {
    let count = english(progress).count
    let remainder = Int(day.number) % count
    return remainder < 0 ? remainder + count : remainder
  }

  /// The sentences (DG-12: all in one place).
  package static func english(_ progress: Progress) -> [String] {
    switch progress {
    case .free:
      [
        "Nothing is due today. Rest is part of it.",
        "A free day: the streak waits for you.",
        "Today asks nothing of you.",
      ]
    case .begin:
      [
        "Begin small: one tap is a beginning.",
        "The first one is the hardest. Then it is done.",
        "Today is still open.",
        "Five minutes are enough to begin.",
        "Do the easy one first.",
      ]
    case .underway:
      [
        "Well begun. Keep going.",
        "You are on your way.",
        "One after another.",
        "Some is done; the rest is near.",
      ]
    case .nearlyDone:
      [
        "Only one is left.",
        "One more, and the day is full.",
        "Almost there.",
      ]
    case .done:
      [
        "All done. See you tomorrow.",
        "The day is full.",
        "Done, and it counts.",
        "That is how streaks grow.",
      ]
    }
  }
}

extension BookState {
  /// The day's message for an account, by its today list.
  ///
  /// - Throws: ``Rejection``.
  public func message(for account: Account.ID, _ query: Query) throws(Rejection) -> String {
    let (day, progress) = try progress(of: account, query)
    return DayMessage.message(on: day, progress)
  }

  /// The name of the day's message for an account.
  ///
  /// - Throws: ``Rejection``.
  package func messageKey(for account: Account.ID, _ query: Query) throws(Rejection) -> String {
    let (day, progress) = try progress(of: account, query)
    return DayMessage.key(on: day, progress)
  }

  private func progress(
    of account: Account.ID, _ query: Query
  ) throws(Rejection) -> (Day, DayMessage.Progress) {
    guard let person = accounts[account] else { throw .accountNotFound }
    let today = try query.today(of: person)
    let cards = try self.today(of: account, query)
    let done = cards.filter { $0.judged?.mark == .full || $0.judged?.mark == .bonus }.count
    return (query.on ?? today, DayMessage.progress(done: done, due: cards.count))
  }
}
