public import Calendar
public import Daybook
public import DaybookStore
public import Values

/// The state of the book as one account views it.
///
/// A class, because a state has many parts and a view is passed on for every row.
public final class AccountView: Sendable {
  /// The state.
  public let state: BookState
  /// The viewer.
  public let viewer: Account.ID
  /// The viewed moment: now, or a past moment.
  public let at: Instant
  /// Reads the entries that the state does not keep.
  public let reader: BookReader
  /// The contact details that the book does not keep.
  public let directory: any ContactDirectory
  /// The current accounts, looked up once because every row refers to some.
  let accounts: Table<Account>
  /// The names that the viewer's apps give to their rows.
  private let ownNames: RowNames
  /// The viewer's key, if there is such an account.
  private let ownKey: Key?
  /// The viewer's key; `nil` for an erased account, which sees nothing.
  let viewerKey: Key?

  public convenience init(
    _ state: BookState, _ viewer: Account.ID, at: Instant, _ reader: BookReader,
    _ directory: any ContactDirectory
  ) {
    self.init(state, viewer, at: at, reader, directory, among: state.people.accounts)
  }

  convenience init(
    present state: BookState, _ viewer: Account.ID, at: Instant, _ reader: BookReader,
    _ directory: any ContactDirectory
  ) {
    self.init(state, viewer, at: at, reader, directory, among: state.accounts)
  }

  private init(
    _ state: BookState, _ viewer: Account.ID, at: Instant, _ reader: BookReader,
    _ directory: any ContactDirectory, among accounts: Table<Account>
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

  /// The key that a row shows, given its owner.
  func shown(_ row: Key, in table: NamedTable, ownedBy owner: Account.ID?) -> Key {
    if owner == viewer { return ownNames.isEmpty ? row : ownNames[table].shown(row) }
    return owner.map { state.rowNames(of: $0)[table].shown(row) } ?? row
  }

  /// Whether an app of the viewer, or of somebody whose rows the viewer sees, has given a row this name.
  func isName(_ name: Key, in table: NamedTable) -> Bool {
    if ownNames[table].row(called: name) != nil { return true }
    guard table == .hiveMemberDays || table == .hiveInvites else { return false }
    return hives(ScanBounds(), "id").contains { hive in
      hive.members.contains { member in
        state.rowNames(of: member.account)[table].row(called: name) != nil
      }
    }
  }

  /// The key of an account; most rows refer to the viewer.
  func key(of account: Account.ID) -> Key? {
    account == viewer ? ownKey : accounts.key(of: account)
  }
}

extension BookState {
  /// The names that an account's apps give to its rows.
  func rowNames(of account: Account.ID) -> RowNames { accounts.rowNames(of: account) }
}

/// E-mail addresses, of which the book keeps only hashes.
public protocol ContactDirectory: Sendable {
  /// The e-mail address of an account, if one is known.
  func email(of account: Key) -> String?
}

/// An empty directory.
public struct EmptyDirectory: ContactDirectory {
  /// Makes it.
  public init() {}
  /// Nothing.
  public func email(of account: Key) -> String? { nil }
}
