public import Avro

extension CreateHabit: RequestBody {
  /// `key`, `name`, `emoji`, `color_hex`, `question`, `unit`, `type`, `target_per_day`, `target_bound`,
  /// `schedule_daily` or `schedule_weekmask` or `schedule_quota`, `reminders`, `goal`.
  public init(_ reader: inout RequestReader) throws {
    self.init(
      key: try reader.optionalKey("key"), name: try reader.text("name"),
      emoji: try reader.optionalText("emoji") ?? "",
      color: try reader.optionalText("color_hex") ?? "#FF9F1C",
      question: try reader.optionalText("question") ?? "",
      unit: try reader.optionalText("unit") ?? "")
    type = try reader.type().applied(to: .checkbox)
    let amount = try reader.amountEdit("target_per_day").applied(to: .one)
    target = Target(amount, try reader.bound().applied(to: .atLeast))
    schedule = try reader.schedule().applied(to: .daily)
    reminders = try reader.reminders().applied(to: [])
    goal = try reader.optionalKey("goal")
  }

  /// The habit's row.
  public func row(of answer: Habit.ID, in state: State) -> JSON { state.habitRow(answer) }
}

extension UpdateHabit: RequestBody {
  /// `habit`, and of the fields of `create_habit` those that change.
  public init(_ reader: inout RequestReader) throws {
    self.init(try reader.habit())
    name = try reader.textEdit("name")
    emoji = try reader.textEdit("emoji")
    color = try reader.textEdit("color_hex")
    question = try reader.textEdit("question")
    unit = try reader.textEdit("unit")
    type = try reader.type()
    target = try reader.amountEdit("target_per_day")
    bound = try reader.bound()
    schedule = try reader.schedule()
    reminders = try reader.reminders()
  }

  /// The habit's row.
  public func row(of answer: Habit.ID, in state: State) -> JSON { state.habitRow(answer) }
}

extension ArchiveHabit: RequestBody {
  /// `habit`.
  public init(_ reader: inout RequestReader) throws {
    self.init(try reader.habit())
  }

  /// The habit's row.
  public func row(of answer: Habit.ID, in state: State) -> JSON { state.habitRow(answer) }
}

extension RestoreHabit: RequestBody {
  /// `habit`.
  public init(_ reader: inout RequestReader) throws {
    self.init(try reader.habit())
  }

  /// The habit's row.
  public func row(of answer: Habit.ID, in state: State) -> JSON { state.habitRow(answer) }
}

extension DeleteHabit: RequestBody {
  /// `habit`.
  public init(_ reader: inout RequestReader) throws {
    self.init(try reader.habit())
  }

  /// The key of what is gone.
  public func row(of answer: Habit.ID, in state: State) -> JSON {
    ["id": .key(state.habits[answer]?.key), "deleted": true]
  }
}

extension ChooseFocus: RequestBody {
  /// `habit`, or null to give the focus up.
  public init(_ reader: inout RequestReader) throws {
    guard let json = reader.value("habit") else { throw Rejection.missingField("habit") }
    if case .null = json { self.init(nil) } else { self.init(try reader.habit()) }
  }

  /// Whose focus is on what.
  public func row(of answer: Account.ID, in state: State) -> JSON {
    [
      "user_id": .key(state.accounts[answer]?.key),
      "habit_id": .key(habit.flatMap { state.habits[$0]?.key }),
    ]
  }
}

extension AttachHabit: RequestBody {
  /// `habit`, `goal`.
  public init(_ reader: inout RequestReader) throws {
    let habit = try reader.habit()
    self.init(habit, to: try reader.goal())
  }

  /// The habit's row.
  public func row(of answer: Habit.ID, in state: State) -> JSON { state.habitRow(answer) }
}

extension DetachHabit: RequestBody {
  /// `habit`.
  public init(_ reader: inout RequestReader) throws {
    self.init(try reader.habit())
  }

  /// The habit's row.
  public func row(of answer: Habit.ID, in state: State) -> JSON { state.habitRow(answer) }
}

extension State {
  fileprivate func habitRow(_ number: Habit.ID) -> JSON {
    habits[number].map { habitRow($0) } ?? .null
  }
}

extension RequestReader {
  mutating func type() throws(Rejection) -> Edit<HabitType> {
    try edit("type", "checkbox or counter") { $0.text.flatMap { HabitType(rawValue: $0) } }
  }

  fileprivate mutating func bound() throws(Rejection) -> Edit<Target.Bound> {
    try edit("target_bound", "at_least or at_most") {
      $0.text.flatMap { Target.Bound(rawValue: $0) }
    }
  }

  fileprivate mutating func reminders() throws(Rejection) -> Edit<[LocalTime]> {
    try times("reminders")
  }

  /// The schedule, from whichever of its three fields is given; two that disagree are refused.
  mutating func schedule() throws(Rejection) -> Edit<Schedule> {
    let daily = try optional("schedule_daily", "true or false") { $0.boolean }
    let mask = try optional("schedule_weekmask", "a whole number from 1 to 127") {
      $0.integer.flatMap { WeekdayMask(bits: $0) }
    }
    let quota = try optional("schedule_quota", "{\"times\":n,\"days\":d} with 1 ≤ n ≤ d ≤ 1000") {
      json -> Schedule? in
      guard let times = json["times"]?.integer, let days = json["days"]?.integer,
        json.members?.count == 2
      else { return nil }
      return Schedule.quota(times, in: days)
    }
    var schedules: [Schedule] = []
    if daily == true { schedules.append(.daily) }
    if let mask { schedules.append(.weekdays(mask)) }
    if let quota { schedules.append(quota) }
    guard let first = schedules.first else {
      guard daily != false else {
        throw .invalidField("schedule_daily", "false says only when the habit is not due")
      }
      return .keep
    }
    guard schedules.allSatisfy({ $0 == first }) else {
      throw .invalidField("schedule_weekmask", "the schedule's fields disagree")
    }
    return .set(first)
  }
}
