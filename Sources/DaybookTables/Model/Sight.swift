public import Calendar
public import Daybook
public import DaybookStore
public import Values

/// Who looks at rows, and at which state of a book.
///
/// A class, for a state has many parts, and a sight is handed on for every row.
public final class Sight: Sendable {
  /// The state.
  public let state: BookState
  /// Who looks.
  public let viewer: Account.ID
  /// When: now, or the past moment that is asked about.
  public let at: Instant
  /// Where entries are read that the state does not keep.
  public let reader: BookReader
  /// What is known of people outside the book.
  public let directory: any PeopleDirectory
  /// The people, as they are now: found once, for every row names some.
  let accounts: Daybook.Table<Account>
  /// What the apps of the one who looks call their rows.
  private let ownNames: RowNames
  /// The key of the one who looks, if there is such an account.
  private let ownKey: Key?
  /// The key of the one who looks; who was erased sees nothing.
  let viewerKey: Key?

  public convenience init(
    _ state: BookState, _ viewer: Account.ID, at: Instant, _ reader: BookReader,
    _ directory: any PeopleDirectory
  ) {
    self.init(state, viewer, at: at, reader, directory, among: state.people.accounts)
  }

  convenience init(
    present state: BookState, _ viewer: Account.ID, at: Instant, _ reader: BookReader,
    _ directory: any PeopleDirectory
  ) {
    self.init(state, viewer, at: at, reader, directory, among: state.accounts)
  }

  private init(
    _ state: BookState, _ viewer: Account.ID, at: Instant, _ reader: BookReader,
    _ directory: any PeopleDirectory, among accounts: Daybook.Table<Account>
  ) {
    self.state = state
    self.viewer = viewer
    self.at = at
    self.reader = reader
    self.directory = directory
    self.accounts = accounts
    ownNames = state.rowNames(of: viewer)
    ownKey = accounts.key(of: viewer)
    viewerKey = accounts.isThere(viewer) ? ownKey : nil
  }

  /// The key by which a row is shown that belongs to somebody.
  func shown(_ row: Key, in table: NamedTable, ownedBy owner: Account.ID?) -> Key {
    if owner == viewer { return ownNames.isEmpty ? row : ownNames[table].shown(row) }
    return owner.map { state.rowNames(of: $0)[table].shown(row) } ?? row
  }

  /// Whether an app of the one who looks calls some row of a table so, or one of those whose rows they see there.
  func isName(_ name: Key, in table: NamedTable) -> Bool {
    if ownNames[table].row(called: name) != nil { return true }
    guard table == .hiveMemberDays || table == .hiveInvites else { return false }
    return hives(Narrowing(), "id").contains { hive in
      hive.members.contains { member in
        state.rowNames(of: member.account)[table].row(called: name) != nil
      }
    }
  }

  /// The key of an account; most rows name the one who looks.
  func key(of account: Account.ID) -> Key? {
    account == viewer ? ownKey : accounts.key(of: account)
  }
}

extension BookState {
  /// What an account's apps call its rows.
  func rowNames(of account: Account.ID) -> RowNames { accounts.rowNames(of: account) }
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
