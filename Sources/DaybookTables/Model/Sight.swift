public import Calendar
public import Daybook
public import DaybookStore
public import Values

/// Who looks at rows, and at which state of a book.
public struct Sight: Sendable {
  /// The state.
  public var state: BookState
  /// Who looks.
  public var viewer: Account.ID
  /// When: now, or the past moment that is asked about.
  public var at: Instant
  /// Where entries are read that the state does not keep.
  public var reader: BookReader
  /// What is known of people outside the book.
  public var directory: any PeopleDirectory

  /// Makes a sight.
  public init(
    _ state: BookState, _ viewer: Account.ID, at: Instant, _ reader: BookReader,
    _ directory: any PeopleDirectory
  ) {
    self.state = state
    self.viewer = viewer
    self.at = at
    self.reader = reader
    self.directory = directory
  }
}

/// What is known of people outside the book: addresses and numbers, of which it keeps hashes alone.
public protocol PeopleDirectory: Sendable {
  /// The e-mail address of an account, if one is known.
  func email(of account: Key) -> String?
  /// The phone number of an account, without its `+`, if one is known.
  func phone(of account: Key) -> String?
}

/// A directory in which nobody is.
public struct EmptyDirectory: PeopleDirectory {
  /// Makes it.
  public init() {}
  /// Nothing.
  public func email(of account: Key) -> String? { nil }
  /// Nothing.
  public func phone(of account: Key) -> String? { nil }
}
