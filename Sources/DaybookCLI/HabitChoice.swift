import Daybook

/// Finds what a person means by a name: a key, a whole name, or a prefix that only one name has.
enum HabitChoice {
  static func find(
    _ text: String, in state: State, for account: Account.ID?
  ) throws -> (Habit.ID, Habit) {
    if let key = Key(text) {
      guard let number = state.habits.number(of: key), let habit = state.habits[number],
        !habit.isDeleted
      else { throw HabitRejection.habitNotFound }
      if let account, habit.owner != account { throw HabitRejection.notOwner }
      return (number, habit)
    }
    let habits = state.habits(of: account)
    let found = habits.matches(text, name: \.description.name, key: \.key)
    guard let first = found.first, let number = state.habits.number(of: first.key) else {
      let names = habits.prefix(12).map { "\"\($0.description.name)\"" }.joined(separator: ", ")
      throw Failure(
        "habit_not_found",
        habits.isEmpty
          ? "There is no habit yet; `daybook habits add NAME` makes one."
          : "No habit's name begins with \"\(text)\"; there are \(names)"
            + (habits.count > 12 ? " and \(habits.count - 12) more." : "."))
    }
    guard found.count == 1 else {
      let candidates = found.map { "\"\($0.description.name)\" (\($0.key))" }
      throw Failure(
        "habit_ambiguous",
        "\"\(text)\" may be \(candidates.joined(separator: " or ")); give more of the name, or the key."
      )
    }
    return (number, first)
  }
}

extension Collection {
  /// Those whose whole name it is, else those whose name begins so, else those whose key begins so (eight
  /// digits at least); letters of either case are alike.
  func matches(
    _ text: String, name: KeyPath<Element, String>, key: KeyPath<Element, Key>
  ) -> [Element] {
    let wanted = text.lowercased()
    guard !wanted.isEmpty else { return [] }
    let whole = filter { $0[keyPath: name].lowercased() == wanted }
    if !whole.isEmpty { return whole }
    let begun = filter { $0[keyPath: name].lowercased().hasPrefix(wanted) }
    if !begun.isEmpty || wanted.count < 8 { return begun }
    return filter { $0[keyPath: key].description.hasPrefix(wanted) }
  }
}

extension Account {
  /// The account as an error lists it.
  var label: String { "\"\(displayName)\" (\(key))" }
}
