public import Daybook
public import Journal

/// What a verification of a book found.
public struct BookVerification: Sendable {
  /// What was found of its journal.
  public var journal: Verification
  /// Who was erased, oldest first; of a damaged journal nobody tells.
  public var erasures: [FoundErasure]
}

/// An erasure of an account, and what it left.
public struct FoundErasure: Sendable, Hashable {
  /// The account.
  public var account: Account.ID
  /// Its key.
  public var key: Key
  /// The entry that tells of it.
  public var entry: Position
  /// The entries whose personal fields are gone with it.
  public var blank: [Position] = []
  /// Entries that should be blank, too, and are not: the erasure is not finished.
  public var unfinished: [Position] = []
}
