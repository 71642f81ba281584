import Daybook
import Synchronization
public import Values

/// The phones and e-mail addresses of accounts, kept in memory for rows that show them.
///
/// They are not in the book, which has only their hashes.
public final class PeopleDirectory: Sendable {
  private struct Entry {
    var email: String?
    var phone: String?
  }

  private let entries = Mutex<[Key: Entry]>([:])

  init() {}

  /// The e-mail address of an account, if it is known.
  public func email(of account: Key) -> String? { entries.withLock { $0[account]?.email } }

  /// The phone number of an account (E.164), if it is known.
  public func phone(of account: Key) -> String? { entries.withLock { $0[account]?.phone } }

  /// Loads all of them.
  func load(from database: ServerDatabase) async throws {
    let users = try await database.read { try UserRecord.fetchAll($0) }
    let found = users.map { ($0.account, Entry(email: $0.email, phone: $0.phone)) }
    entries.withLock { $0 = Dictionary(found) { _, last in last } }
  }

  /// Updates the entry of a person.
  func note(_ user: UserRecord) {
    entries.withLock { entries in
      entries[user.account] = Entry(email: user.email, phone: user.phone)
    }
  }

  /// Removes an address from the entries of some accounts.
  func release(_ address: Address, from holders: [Key]) {
    entries.withLock { entries in
      for holder in holders {
        if address.kind == .phone {
          entries[holder]?.phone = nil
        } else {
          entries[holder]?.email = nil
        }
      }
    }
  }

  /// Removes an account.
  func forget(_ account: Key) { entries.withLock { $0[account] = nil } }
}
