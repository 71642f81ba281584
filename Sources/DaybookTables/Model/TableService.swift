import Daybook
public import DaybookStore
public import Values
import Wire

/// The caller who asks for rows.
public enum Viewer: Sendable, Hashable {
  /// No known account: it sees no rows of accounts, and changes none.
  case anonymous
  /// The account with a key.
  case account(Key)
}

/// Answers requests to `/rest/v1`: tables and functions.
public struct TableService: Sendable {
  /// The book.
  public let book: Book
  /// The contact details that the book does not keep.
  public let directory: any ContactDirectory
  /// The most rows in the answer to a read; clients page on.
  public let rowLimit: Int
  let clock: WriteClock
  let plans = PlanCache()
  /// The allowance of a read on the calling thread, and on a thread of its own.
  var allowances: (brief: RequestBudget.Allowance, long: RequestBudget.Allowance) = (.brief, .read)
  /// The queue of long reads of the present.
  let longReads = TurnQueue(width: 1)
  /// The queue of reads of the past. Each holds a state of its own, so only one runs at a time.
  let pastReads = TurnQueue(width: 1)

  /// The queue of long writes. They share no commit, and only one runs at a time.
  let longWrites = TurnQueue(width: 1)

  public init(
    _ book: Book, _ directory: any ContactDirectory = EmptyDirectory(), rowLimit: Int = 1000
  ) {
    self.book = book
    self.directory = directory
    self.rowLimit = max(1, rowLimit)
    clock = WriteClock(after: book.read { $0.at })
  }
}
