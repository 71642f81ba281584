import Daybook
public import DaybookStore
public import Values
import Wire

/// Who asks for rows.
public enum Viewer: Sendable, Hashable {
  /// Nobody that is known: sees no rows of people's, and changes none.
  case anonymous
  /// The account of a key.
  case account(Key)
}

/// Answers what clients ask of `/rest/v1`: tables and functions.
public struct TableService: Sendable {
  /// The book.
  public let book: Book
  /// What is known of people outside the book.
  public let directory: any PeopleDirectory
  /// How many rows a read answers at most; clients page on.
  public let rowLimit: Int
  let clock: WriteClock
  let plans = PlanCache()
  /// How much a read may cost on the thread that asks, and on one of its own.
  var allowances: (brief: RequestBudget.Allowance, long: RequestBudget.Allowance) = (.brief, .read)
  /// Reads of the present that take long.
  let longReads = TurnQueue(width: 1)
  /// Reads of the past: each holds a state of its own, so there is one at a time.
  let pastReads = TurnQueue(width: 1)

  /// Long writes: each has a commit of its own, and one runs at a time.
  let longWrites = TurnQueue(width: 1)

  public init(
    _ book: Book, _ directory: any PeopleDirectory = EmptyDirectory(), rowLimit: Int = 1000
  ) {
    self.book = book
    self.directory = directory
    self.rowLimit = max(1, rowLimit)
    clock = WriteClock(after: book.read { $0.at })
  }
}
