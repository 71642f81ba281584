import Streaks
package import Values
public import Calendar
public import Avro

/// Creates an account (HH-1). Repeated with the same key and profile it changes nothing.
public struct CreateAccount: ColumnCommand {
  /// The client's name for the account; a fresh one unless given.
  package var key: Key?
  /// The part of the profile that an account begins with: its name, picture, day clock and theme.
  package var profile: Account.Profile

  public init(
    key: Key? = nil, name: String = "New Bee", avatarURL: String? = nil,
    timeZone: String = "America/New_York", dayStartHour: Int = 4, theme: Theme = .honey
  ) {
    self.key = key
    profile = Account.Profile()
    profile.displayName = name
    profile.avatarURL = avatarURL
    profile.timeZone = timeZone
    profile.dayStartHour = dayStartHour
    profile.theme = theme
  }

  package static let form = CommandForm(
    "create_account", "Creates an account; it needs no actor.", answer: "profile")
  /// A new bee.
  public static var defaults: CreateAccount { CreateAccount() }

  /// `key`, and the columns of the profile that an account begins with.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.column("key", &key)
    try profile.visitFirstColumns(&visitor)
  }

  /// Decides the command; the answer is the account's number.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: BookState, _ context: Context
  ) throws(Rejection) -> Decision<Account.ID> {
    let key = key ?? context.freshKey
    let name = try trimmedName(profile.displayName)
    try Limit.address.check(profile.avatarURL, "avatar_url")
    if let number = state.accounts.number(of: key), let account = state.accounts[number] {
      // Only a caller who knows the whole profile gets the account back: nobody learns another's profile by trying
      // keys.
      guard !account.isErased, account.displayName == name, account.avatarURL == profile.avatarURL,
        account.dayClock == profile.dayClock, account.theme == profile.theme
      else { throw .keyTaken(key) }
      return Decision([], number)
    }
    // Usually there is no actor, because the account does not exist yet; but an actor that is named must exist.
    if context.actor != nil { _ = try state.placeOfActor(context) }
    try profile.dayClock.check(context)
    return Decision(
      [
        .accountCreated(
          AccountCreated(
            key: key, displayName: name, avatarURL: profile.avatarURL, timeZone: profile.timeZone,
            dayStartHour: Int32(clamping: profile.dayStartHour), theme: profile.theme))
      ], state.accounts.nextNumber)
  }
}

/// Pauses the actor's account on some days, past or future (vacation).
public struct Pause: OwnAccountCommand {
  /// The first day.
  package var first: Day
  /// The last day; none while the end is not known.
  package var last: Day?

  public init(first: Day, last: Day?) {
    self.first = first
    self.last = last
  }

  package static let form = CommandForm(
    "pause", "Pauses the account on some days, past or future.",
    answer: "user_id, from, to")
  /// A pause without a first day yet.
  public static var defaults: Pause { Pause(first: .placeholder, last: nil) }

  /// `from`, `to`: days, both included.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.column("from", &first, [.needed])
    try visitor.column(
      "to", &last, [.doc("the last day of the pause; without it the pause has no end yet")])
  }

  /// The pause.
  package func row(of answer: Account.ID, in state: BookState) -> JSON {
    ["user_id": .key(state.accounts[answer]?.key), "from": .day(first), "to": .day(last)]
  }

  func events(
    _ number: Account.ID, _ account: Account, _ state: BookState, _ context: Context
  ) throws(Rejection) -> [Event] {
    if let last, last < first { throw .invalidPause(first: first, last: last) }
    return [.accountPaused(AccountPaused(account: number, first: first, last: last))]
  }
}

/// Ends the actor's pauses on a day: it counts again. Without a pause on that day it changes nothing.
///
/// A day to come shortens a pause, or calls off one that begins on it.
public struct Resume: OwnAccountCommand {
  /// The first day that counts again; today if not given.
  package var day: Day?

  public init(on day: Day? = nil) { self.day = day }

  package static let form = CommandForm(
    "resume", "Ends the account's pauses: today, or a day to come, counts again.", answer: "profile"
  )
  /// From today on.
  public static var defaults: Resume { Resume() }

  /// `day`.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.column(
      "day", &day, [.doc("the first day that counts again, not before today; today unless given")])
  }

  func events(
    _ number: Account.ID, _ account: Account, _ state: BookState, _ context: Context
  ) throws(Rejection) -> [Event] {
    let today = try account.firstOpenDay(context)
    let day = day ?? today
    guard day >= today else { throw .resumptionInPast(on: day, today: today) }
    guard account.pauses.contains(where: { $0.days.contains(day) }) else { return [] }
    return [.accountResumed(AccountResumed(account: number, day: day))]
  }
}

/// Asks for the actor's user-local day at an instant (HH-3). It changes nothing.
public struct UserLocalDate: ColumnCommand {
  /// The instant; the book's clock unless given.
  package var at: Instant?

  public init(at: Instant? = nil) { self.at = at }

  package static let form = CommandForm(
    "user_local_date", "Returns the day of an instant for the account.", answer: "the day")
  /// An instant that is left to the book's clock.
  public static var defaults: UserLocalDate { UserLocalDate() }

  /// `p_at`.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.column(
      "p_at", &at, [.doc("the instant; the current time of the book's clock unless given")])
  }

  /// The day.
  package func row(of answer: Day, in state: BookState) -> JSON { .day(answer) }

  /// Nothing: the answer is a day, not an entity.
  package func aggregate(of answer: Day) -> Aggregate? { nil }

  /// Decides the command; the answer is the day.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: BookState, _ context: Context
  ) throws(Rejection) -> Decision<Day> {
    let (_, account) = try state.actor(context)
    var context = context
    context.at = at ?? context.at
    return Decision([], try account.today(context))
  }
}

/// A command that an actor gives about their own account.
protocol OwnAccountCommand: ColumnCommand where Answer == Account.ID {
  /// The events that change the account, given its current state.
  func events(
    _ number: Account.ID, _ account: Account, _ state: BookState, _ context: Context
  ) throws(Rejection) -> [Event]
}

extension OwnAccountCommand {
  /// Decides the command; the answer is the account's number.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: BookState, _ context: Context
  ) throws(Rejection) -> Decision<Account.ID> {
    let (number, account) = try state.actor(context)
    return Decision(try events(number, account, state, context), number)
  }
}

extension BookState {
  /// The actor's account.
  func actor(_ context: Context) throws(Rejection) -> (Account.ID, Account) {
    let place = try placeOfActor(context)
    guard let number = context.actor else { throw .actorMissing }
    return (number, accounts.elements[place])
  }

  /// The index of the actor's account in the table of accounts.
  func placeOfActor(_ context: Context) throws(Rejection) -> Int {
    guard let number = context.actor else { throw .actorMissing }
    guard let place = accounts.place(of: number), !accounts.elements[place].isErased else {
      throw .accountNotFound
    }
    return place
  }
}

extension Account {
  /// The user-local day of the context's clock.
  func today(_ context: Context) throws(Rejection) -> Day {
    guard let day = dayClock.day(of: context.at, in: context.zones) else {
      throw .unknownTimeZone(dayClock.timeZone)
    }
    return day
  }
}

extension DayClock {
  func check(_ context: Context) throws(Rejection) {
    guard (0...23).contains(dayStartHour) else { throw .invalidDayStart(dayStartHour) }
    guard context.zones.offsetSeconds(of: timeZone, at: context.at) != nil else {
      throw .unknownTimeZone(timeZone)
    }
  }
}

/// The name on one line, without surrounding white space.
///
/// - Throws: a rejection when it is empty.
func trimmedName(_ name: String) throws(Rejection) -> String {
  let trimmed = name.asOneLine
  guard !trimmed.isEmpty else { throw .emptyDisplayName }
  try Limit.name.check(trimmed, "display_name")
  guard !trimmed.hasControls else { throw .invalidDisplayName }
  return trimmed
}

extension String {
  /// Whether the text contains control characters: they have no place in a line, and they steer terminals.
  package var hasControls: Bool {
    unicodeScalars.contains { $0.properties.generalCategory == .control }
  }

  /// The text on one line, without surrounding white space: tabs and line breaks, as pasted text has them, become
  /// spaces.
  package var asOneLine: String {
    guard unicodeScalars.contains(where: Self.breaks.contains) else { return trimmingSpace }
    return unicodeScalars.split(whereSeparator: Self.breaks.contains)
      .map { String($0).trimmingSpace }.filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// The text on one line: a space for each tab and each line break.
  var withSpacesForBreaks: String {
    guard unicodeScalars.contains(where: Self.breaks.contains) else { return self }
    return String(map { $0.unicodeScalars.allSatisfy(Self.breaks.contains) ? " " : $0 })
  }

  private static let breaks: Set<Unicode.Scalar> = [
    "\t", "\n", "\u{B}", "\u{C}", "\r", "\u{85}", "\u{2028}", "\u{2029}",
  ]

  /// The text without surrounding white space.
  package var trimmingSpace: String {
    guard let first = firstIndex(where: { !$0.isWhitespace }),
      let last = lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return String(self[first...last])
  }
}
