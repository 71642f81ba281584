import Daybook
import Synchronization
public import Values

/// The e-mail addresses of accounts, kept in memory for rows that show them.
///
/// They are not in the book, which has only their hashes.
public final class PeopleDirectory: Sendable {
  private let emails = Mutex<[Key: String]>([:])

  init() {}

  /// The e-mail address of an account, if it is known.
  public func email(of account: Key) -> String? { emails.withLock { $0[account] } }

  /// Loads all of them.
  func load(from database: ServerDatabase) async throws {
    let users = try await database.read { try UserRecord.fetchAll($0) }
    let found = users.compactMap { user in user.email.map { (user.account, $0) } }
    emails.withLock { $0 = Dictionary(found) { _, last in last } }
  }

  /// Updates the entry of a person.
  func note(_ user: UserRecord) { emails.withLock { $0[user.account] = user.email } }

  /// Removes an address from the entries of some accounts.
  func release(_ address: Address, from holders: [Key]) {
    guard address.kind != .phone else { return }
    emails.withLock { emails in for holder in holders { emails[holder] = nil } }
  }

  /// Removes an account.
  func forget(_ account: Key) { emails.withLock { $0[account] = nil } }
}
