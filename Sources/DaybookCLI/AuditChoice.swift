import Daybook

/// What a person means to audit: a habit, or a hive that they are a member of.
enum AuditChoice {
  case habit(Habit.ID, Habit)
  case hive(Hive.ID)

  private struct Named {
    let name: String
    let key: Key
    let choice: AuditChoice
    var label: String { "\"\(name)\" (\(key))" }
  }

  /// Finds it by key, by its whole name, or by a prefix that only one name has.
  static func find(
    _ text: String, in state: State, for account: Account.ID?
  ) throws -> AuditChoice {
    if let number = Key(text).flatMap({ state.hives.number(of: $0) }) { return .hive(number) }
    let hives = account.map { state.hives(of: $0) } ?? []
    let named =
      state.habits(of: account).compactMap { habit in
        state.habits.number(of: habit.key).map {
          Named(name: habit.description.name, key: habit.key, choice: .habit($0, habit))
        }
      }
      + hives.compactMap { number in
        state.hives[number].map {
          Named(name: $0.description.name, key: $0.key, choice: .hive(number))
        }
      }
    let found = named.matches(text, name: \.name, key: \.key)
    guard let first = found.first else {
      // Habits are named in the error.
      let (number, habit) = try HabitChoice.find(text, in: state, for: account)
      return .habit(number, habit)
    }
    guard found.count == 1 else {
      throw Failure(
        "habit_ambiguous",
        "\"\(text)\" may be \(found.map(\.label).joined(separator: " or ")); give more of the name, or the key."
      )
    }
    return first.choice
  }
}
