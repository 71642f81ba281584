// Commands by name, as `book.record(.logHabit(read), by: ada)` reads best.

extension Command where Self == CreateAccount {
  /// Begins an account.
  public static func createAccount(
    name: String = "New Bee", timeZone: String = "America/New_York", dayStartHour: Int = 4,
    key: Key? = nil
  ) -> CreateAccount {
    CreateAccount(key: key, displayName: name, timeZone: timeZone, dayStartHour: dayStartHour)
  }
}

extension Command where Self == CreateHabit {
  /// Takes up a habit: done or not done, daily unless scheduled otherwise.
  public static func createHabit(
    name: String, schedule: Schedule = .daily, key: Key? = nil
  ) -> CreateHabit {
    CreateHabit(key: key, name: name, schedule: schedule)
  }

  /// Takes up a habit that is counted.
  public static func createCounter(
    name: String, target: Target, unit: String = "", schedule: Schedule = .daily, key: Key? = nil
  ) -> CreateHabit {
    CreateHabit(
      key: key, name: name, unit: unit, type: .counter, target: target, schedule: schedule)
  }
}

extension Command where Self == LogHabit {
  /// Logs a day of a habit.
  public static func logHabit(
    _ habit: Habit.ID, value: Amount = .one, day: DayChoice = .today, note: String? = nil
  ) -> LogHabit {
    LogHabit(habit, value: value, day: day, note: note)
  }
}

extension Command where Self == ClearLog {
  /// Takes back what is known of a day.
  public static func clearLog(_ habit: Habit.ID, day: DayChoice = .today) -> ClearLog {
    ClearLog(habit, day: day)
  }
}

extension Command where Self == SkipDay {
  /// Skips a day.
  public static func skipDay(_ habit: Habit.ID, day: DayChoice = .today) -> SkipDay {
    SkipDay(habit, day: day)
  }
}

extension Command where Self == Pause {
  /// Pauses the account on some days.
  public static func pause(from first: Day, to last: Day? = nil) -> Pause {
    Pause(first: first, last: last)
  }
}

extension Command where Self == ArchiveHabit {
  /// Lays a habit aside.
  public static func archiveHabit(_ habit: Habit.ID) -> ArchiveHabit { ArchiveHabit(habit) }
}

extension Command where Self == RestoreHabit {
  /// Takes an archived habit up again.
  public static func restoreHabit(_ habit: Habit.ID) -> RestoreHabit { RestoreHabit(habit) }
}
