import Daybook

/// The subject of an audit or proof: a habit, or a hive that the caller belongs to.
enum AuditChoice {
  case habit(Habit.ID, Habit)
  case hive(Hive.ID)

  /// Finds the subject by key, whole name, or unambiguous prefix.
  static func find(
    _ text: String, in state: BookState, for account: Account.ID?, to verb: String = "audit"
  ) throws -> AuditChoice {
    if let number = Key(text).flatMap({ state.hives.number(of: $0) }) { return .hive(number) }
    let hives = account.map { state.hives(of: $0).compactMap { state.hives[$0] } } ?? []
    guard Key(text) == nil, !hives.isEmpty else { return try habit(text, in: state, for: account) }
    let choice = EntityFinder(noun: "habit", whenEmpty: "There is nothing to \(verb) yet.")
    let things = state.habits(of: account) as [any Entity] + hives
    let found = try choice.find(
      text, among: things.map { Named(key: $0.key, displayName: $0.displayName) })
    if hives.contains(where: { $0.key == found.key }),
      let number = state.hives.number(of: found.key)
    {
      return .hive(number)
    }
    return try habit(found.key.description, in: state, for: account)
  }

  private static func habit(
    _ text: String, in state: BookState, for account: Account.ID?
  ) throws -> AuditChoice {
    let (number, habit) = try HabitChoice.find(text, in: state, for: account)
    return .habit(number, habit)
  }
}
