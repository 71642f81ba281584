import Daybook
import Journal

extension BookReader {
  /// The most entities that an account may have for its past to be read without the rest of the book.
  private static let personalPastAggregateCount = 200

  /// What an account has and shares, as of an instant. This is used when the book is so large that reading the whole
  /// book's past would be more work. The number of the account's own entries decides what it costs, however long the
  /// book is.
  ///
  /// - Parameters:
  ///   - account: The account.
  ///   - instant: The instant.
  ///   - present: The book as it is now.
  /// - Returns: The state; it has nothing of other people except what they share with the account. Nil if the whole
  ///   past is to be read.
  /// - Throws: ``JournalError``.
  func personalPast(
    of account: Account.ID, asOf instant: Instant, knowing present: BookState
  ) throws -> BookState? {
    guard files != nil, log.signal != nil, instant < present.at,
      present.position >= personalPastPosition, present.accounts.isThere(account)
    else { return nil }
    // An account never loses an entity. So the entities that it has and shares now include all that it had and shared
    // at the instant.
    let aggregates = present.aggregates(of: account, withOthersHabits: true)
    // Each entity costs a block of postings in each segment. With many entities, reading the whole state of that
    // instant is faster.
    guard aggregates.count <= Self.personalPastAggregateCount else { return nil }
    return try personalPasts.state(asOf: instant, of: account) {
      let lists = try AggregateEntries(
        of: aggregates, until: instant, through: present.position, in: self
      ).lists
      var state = BookState(only: aggregates)
      for entry in lists.values.joined().sorted(by: { $0.head.position < $1.head.position }) {
        state.apply(entry)
      }
      return state
    }
  }
}
