public import Daybook
public import Journal

/// The findings of a verification of a book.
public struct BookVerification: Sendable {
  /// The findings about its journal.
  public var journal: Verification
  /// The erasures, oldest first; empty for a damaged journal.
  public var erasures: [FoundErasure]
}

/// An erasure of an account, and its effect.
public struct FoundErasure: Sendable, Hashable {
  /// The account.
  public var account: Account.ID
  /// Its key.
  public var key: Key
  /// The position of the entry that records it.
  public var entry: Position
  /// The entries whose personal fields it blanked.
  public var blank: [Position] = []
  /// Entries that should also be blank and are not: the erasure is unfinished.
  public var unfinished: [Position] = []
}
