package import Calendar
import GRDB
package import Values

/// A token that a person makes for one device or program of their own. It permits little, and lasts until it is revoked.
package struct PersonalToken: Sendable, Hashable {
  package let key: Key
  package let account: Key
  /// What its owner calls it.
  package let name: String
  package let scopes: [TokenScope]
  package let created: Instant
  /// When it was used last, to the minute; `nil` before its first use.
  package let lastUsed: Instant?

  /// The beginning of every secret. No token of a session begins like this, and programs that search for lost secrets
  /// find it.
  package static let prefix = "daybook_"
  /// The most tokens of an account.
  package static let mostCount = 50

  /// Whether a bearer token is a personal one.
  package static func isOne(_ text: String) -> Bool { text.hasPrefix(prefix) }

  init?(_ row: Row) {
    let scopes = (row["scopes"] as String).split(separator: " ").map { TokenScope(String($0)) }
    guard let key = Key(row["id"] as String), let account = Key(row["account"] as String),
      !scopes.contains(nil)
    else { return nil }
    self.key = key
    self.account = account
    name = row["name"]
    self.scopes = scopes.compactMap { $0 }
    created = Instant(clamping: row["created_at"])
    lastUsed = (row["used_at"] as Int64?).map { Instant(clamping: $0) }
  }
}

/// What a personal token permits.
package enum TokenScope: Hashable, Sendable {
  /// Logging a habit: `log:` and its id.
  case log(Key)
  /// Reading the day: `today`.
  case today
  /// A calendar with the account's open tasks: `calendar:tasks`.
  case taskCalendar
  /// A calendar with the account's habits: `calendar:habits`.
  case habitCalendar
  /// A calendar of a household: `calendar:` and its id.
  case householdCalendar(Key)

  /// Reads the text of a scope; `nil` for any other text.
  package init?(_ text: String) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    switch (parts.first, parts.dropFirst().first.map(String.init)) {
    case ("today", nil): self = .today
    case ("log", let habit?):
      guard let key = Key(habit), key.description == habit else { return nil }
      self = .log(key)
    case ("calendar", "tasks"): self = .taskCalendar
    case ("calendar", "habits"): self = .habitCalendar
    case ("calendar", let household?):
      guard let key = Key(household), key.description == household else { return nil }
      self = .householdCalendar(key)
    default: return nil
    }
  }

  /// The text of the scope.
  package var text: String {
    switch self {
    case .log(let habit): "log:\(habit)"
    case .today: "today"
    case .taskCalendar: "calendar:tasks"
    case .habitCalendar: "calendar:habits"
    case .householdCalendar(let household): "calendar:\(household)"
    }
  }

  /// Whether it concerns a calendar, whose address contains the secret.
  package var isCalendar: Bool {
    switch self {
    case .log, .today: false
    case .taskCalendar, .habitCalendar, .householdCalendar: true
    }
  }
}
