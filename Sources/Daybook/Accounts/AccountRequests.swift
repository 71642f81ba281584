public import Avro

extension CreateAccount: RequestBody {
  /// `key`, `display_name`, `avatar_url`, `timezone`, `day_start_hour`, `theme`.
  public init(_ reader: inout RequestReader) throws {
    self.init(
      key: try reader.optionalKey("key"),
      displayName: try reader.optionalText("display_name") ?? "New Bee",
      avatarURL: try reader.optionalText("avatar_url"),
      timeZone: try reader.optionalText("timezone") ?? "America/New_York",
      dayStartHour: try reader.optional("day_start_hour", "a whole number") { $0.integer } ?? 4,
      theme: try reader.optional("theme", Theme.words) { $0.text.flatMap { Theme(rawValue: $0) } }
        ?? .honey)
  }

  /// The profile's row.
  public func row(of answer: Account.ID, in state: State) -> JSON { state.profileRow(answer) }
}

extension UpdateProfile: RequestBody {
  /// `display_name`, `avatar_url`, `timezone`, `day_start_hour`, `theme`, `birthday`, `notifications_enabled`,
  /// `notification_times`: those that change.
  public init(_ reader: inout RequestReader) throws {
    self.init(
      displayName: try reader.textEdit("display_name"),
      avatarURL: try reader.clearableEdit("avatar_url"),
      timeZone: try reader.textEdit("timezone"),
      dayStartHour: try reader.edit("day_start_hour", "a whole number") { $0.integer },
      theme: try reader.theme(),
      birthday: try reader.edit("birthday", "a date such as 1990-03-01, or null") { json in
        if case .null = json { return .some(nil) }
        return json.text.flatMap { Day($0) }.map { .some($0) }
      },
      notificationsAreOn: try reader.flagEdit("notifications_enabled"),
      notificationTimes: try reader.times("notification_times"))
  }

  /// The profile's row.
  public func row(of answer: Account.ID, in state: State) -> JSON { state.profileRow(answer) }
}

extension Pause: RequestBody {
  /// `from`, `to`: days, both included; without `to` the pause has no end yet.
  public init(_ reader: inout RequestReader) throws {
    guard let first = try reader.optionalDay("from") else { throw Rejection.missingField("from") }
    self.init(first: first, last: try reader.optionalDay("to"))
  }

  /// The pause.
  public func row(of answer: Account.ID, in state: State) -> JSON {
    ["user_id": .key(state.accounts[answer]?.key), "from": .day(first), "to": .day(last)]
  }
}

extension Resume: RequestBody {
  /// No fields.
  public init(_ reader: inout RequestReader) throws { self.init() }

  /// The profile's row.
  public func row(of answer: Account.ID, in state: State) -> JSON { state.profileRow(answer) }
}

extension UserLocalDate: RequestBody {
  /// `p_at`: the instant; the book's clock unless given.
  public init(_ reader: inout RequestReader) throws {
    self.init(at: try reader.optionalInstant("p_at"))
  }

  /// The day.
  public func row(of answer: Day, in state: State) -> JSON { .day(answer) }

  /// Nothing: it is a day.
  public func aggregate(of answer: Day) -> Aggregate? { nil }
}

extension Theme {
  fileprivate static let words = "one of honey, mint, night"
}

extension RequestReader {
  mutating func theme() throws(Rejection) -> Edit<Theme> {
    try edit("theme", Theme.words) { $0.text.flatMap { Theme(rawValue: $0) } }
  }

  mutating func flagEdit(_ name: String) throws(Rejection) -> Edit<Bool> {
    try edit(name, "true or false") { $0.boolean }
  }

  mutating func times(_ name: String) throws(Rejection) -> Edit<[LocalTime]> {
    try edit(name, "a list of times such as \"07:30\"") { json in
      guard let elements = json.elements else { return nil }
      let times = elements.compactMap { $0.text.flatMap { LocalTime($0) } }
      return times.count == elements.count ? times : nil
    }
  }
}

extension State {
  func profileRow(_ number: Account.ID) -> JSON {
    accounts[number].map { profileRow($0) } ?? .null
  }
}
