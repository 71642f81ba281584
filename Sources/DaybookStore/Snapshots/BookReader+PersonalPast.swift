import Daybook
import Journal

extension BookReader {
  /// The most things of an account whose past is read without the rest of the book's.
  private static let personalPastAggregateCount = 200

  /// What an account has and shares, as of an instant, where the book is so large that this is less work than reading
  /// the past of all of it. The number of the account's own entries decides what it costs, however long the book is.
  ///
  /// - Parameters:
  ///   - account: The account.
  ///   - instant: The instant.
  ///   - present: The book as it is now.
  /// - Returns: The state, in which nobody else has anything but what they share with the account; nil where the whole
  ///   past is read.
  /// - Throws: ``JournalError``.
  func personalPast(
    of account: Account.ID, asOf instant: Instant, knowing present: BookState
  ) throws -> BookState? {
    guard files != nil, log.signal != nil, instant < present.at,
      present.position >= personalPastPosition, present.accounts.isThere(account)
    else { return nil }
    // What belongs to an account belongs to it for ever, so today's own and shared things include those of then.
    let aggregates = present.aggregates(of: account, withOthersHabits: true)
    // Each costs a block of postings in each segment; with many, the state of the moment is read faster.
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
