public import Values
public import Avro

/// Completes the actor's onboarding (HH-5): all that was chosen in its steps, in one commit. After the first time it
/// changes nothing.
public struct CompleteOnboarding: OwnAccountCommand {
  /// The changes of the profile.
  package var patch: Patch<Choices>
  /// The habits to begin with, two at most.
  package var habits: [StarterHabit] = []

  /// The part of a profile that the onboarding asks for: the theme, the day clock, and the notifications.
  package struct Choices: Columns, Hashable {
    package var profile: Account.Profile

    /// The choices of a person who chose nothing.
    package static var defaults: Choices { Choices(profile: .defaults) }

    /// The columns of the profile that the onboarding asks for.
    package mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
      try visitor.column("theme", &profile.theme)
      try visitor.column("timezone", &profile.timeZone, [.doc("an IANA time zone")])
      // Later hours can be chosen afterwards: a profile may have any hour.
      try visitor.column(
        "day_start_hour", &profile.dayStartHour,
        [.doc("the hour at which the day begins"), .bounds(["minimum": 0, "maximum": 6])])
      try profile.visitNotifications(&visitor)
    }
  }

  /// A habit to begin with.
  public struct StarterHabit: Hashable, Sendable {
    /// The tile that was chosen.
    public var tile: StarterTile
    /// The client's name for the habit; a fresh one unless given.
    public var key: Key?
    /// What the habit is called, in the person's language; as the tile is unless given.
    public var name: String?

    public init(_ tile: StarterTile, key: Key? = nil, name: String? = nil) {
      self.tile = tile
      self.key = key
      self.name = name
    }
  }

  /// Makes a command from the ``Choices`` that the closure sets; other parts of the profile that it sets are ignored.
  public init(habits: [StarterHabit] = [], _ set: (inout Account.Profile) -> Void = { _ in }) {
    patch = Patch { set(&$0.profile) }
    self.habits = habits
  }

  package static let form = CommandForm(
    "complete_onboarding", "Ends the onboarding and records every choice made in it.",
    answer: "profile")
  /// Nothing is chosen.
  public static var defaults: CompleteOnboarding { CompleteOnboarding() }

  /// The columns of the choices, and `habits`.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.columns(&patch)
    try visitor.column(
      "habits", &habits,
      [.doc("the first habits"), .bounds(["maxItems": .number(Limit.starterHabits.maximum)])])
  }

  func events(
    _ number: Account.ID, _ account: Account, _ state: BookState, _ context: Context
  ) throws(Rejection) -> [Event] {
    guard account.onboarded == nil else { return [] }
    var account = account
    var events = try profileEvents(number, account, state, context)
    for case .dayClockChanged(let event) in events { account.apply(event, at: context.at) }
    // The habits begin on a day of the clock that was just chosen.
    let day = try account.firstOpenDay(context)
    for create in try commands(context) {
      for case .habitCreated(var event) in try create.decide(state, context).events {
        event.day = day
        events.append(.habitCreated(event))
      }
    }
    events.append(.accountOnboarded(AccountOnboarded(account: number)))
    return events
  }

  private func profileEvents(
    _ number: Account.ID, _ account: Account, _ state: BookState, _ context: Context
  ) throws(Rejection) -> [Event] {
    let new = patch.applied(to: Choices(profile: account.profile)).profile
    if patch.has("day_start_hour"), !(0...6).contains(new.dayStartHour) {
      throw .lateDayStart(new.dayStartHour)
    }
    try Limit.starterHabits.check(habits.count, "habits")
    return try account.changing(to: new, number, state, context)
  }

  /// The commands that create the habits, each with a key of its own.
  private func commands(_ context: Context) throws(Rejection) -> [CreateHabit] {
    // A context gives one fresh key; the second habit's key differs from it in one bit.
    let fresh = habits.contains { $0.key == nil } ? context.freshKey : Key(high: 0, low: 0)
    var keys: Set<Key> = []
    var commands: [CreateHabit] = []
    for (place, starter) in habits.enumerated() {
      let key = starter.key ?? Key(high: fresh.high, low: fresh.low ^ UInt64(place) << 32)
      guard keys.insert(key).inserted else { throw .keyTaken(key) }
      commands.append(starter.tile.command(key: key, name: starter.name))
    }
    return commands
  }
}

extension CompleteOnboarding.StarterHabit: JSONForm {
  private static var tiles: [String] { StarterTile.allCases.map(\.rawValue) }

  /// "one of" the tiles, "or an object of tile, key, name".
  public static var jsonWords: String {
    "one of \(tiles.joined(separator: ", ")), or an object of tile, key, name"
  }
  /// A tile, or an object of it with a key and a name for the habit.
  public static var jsonSchema: JSON {
    let tile: JSON = ["enum": .array(tiles.map { .string($0) })]
    return [
      "anyOf": [
        tile,
        [
          "type": "object",
          "properties": ["tile": tile, "key": Key.jsonSchema, "name": String.jsonSchema],
          "required": ["tile"], "additionalProperties": false,
        ],
      ]
    ]
  }
  /// An example to read, and one to visit.
  public static var examples: (CompleteOnboarding.StarterHabit, CompleteOnboarding.StarterHabit) {
    (.init(.read), .init(.walk))
  }

  /// Reads a starter.
  ///
  /// - Throws: ``JSONFault``.
  public init(json: JSON, _ keys: some EntityKeys) throws(JSONFault) {
    guard let name = json.text ?? json["tile"]?.text, let tile = StarterTile(rawValue: name) else {
      throw .form
    }
    self.init(tile)
    for member in json.members ?? [] where member.name != "tile" {
      switch member.name {
      case "key": key = try Key(json: member.value, keys)
      case "name": self.name = try String(json: member.value, keys)
      default: throw .form
      }
    }
  }

  /// The tile, with the key and the name if there are any.
  public func json(_ keys: some EntityKeys) -> JSON {
    guard key != nil || name != nil else { return .string(tile.rawValue) }
    var members: [JSON.Member] = [.init("tile", .string(tile.rawValue))]
    if let key { members.append(.init("key", key.json(keys))) }
    if let name { members.append(.init("name", .string(name))) }
    return .object(members)
  }
}
