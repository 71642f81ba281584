import ArgumentParser
import Avro
import Daybook
import DaybookStore

/// The options shared by log, clear and skip: a habit, a day, a clock.
struct DayOptions: JoinedOptions {
  var options = BookOptions()
  var actor = ActorOptions()

  @Argument(help: "The habit: a prefix of its name, or its key.", completion: Completions.habits)
  var habit: String

  @Option(help: "The day: \(DayArgument.help) (default: today).")
  var day: String?

  var clock = ClockOptions()

  @Option(help: "An idempotency key, a UUID: a command repeated with it is recorded only once.")
  var id: String?

  static var parts: [OptionPart<Self>] {
    [
      OptionPart(\.options), OptionPart(\.actor), OptionPart("habit", \._habit),
      OptionPart("day", \._day), OptionPart(\.clock), OptionPart("id", \._id),
    ]
  }

  /// The habit and the day that a command refers to.
  struct HabitDay {
    let number: Habit.ID
    let habit: Habit
    let choice: DayChoice
    let day: Day
  }

  /// Records a command for a day of a habit, and prints the result.
  ///
  /// - Parameters:
  ///   - when: The day, if it follows the habit.
  ///   - command: Builds the command.
  ///   - words: Describes the result.
  /// - Throws: `ValidationError`, ``CommandFailure`` or ``Rejection``.
  func record<C: RequestBody>(
    on when: String?, _ command: (HabitDay) throws -> C,
    _ words: (HabitView, Day, _ hasChanged: Bool) -> String
  ) throws where C.Answer == Day {
    if let when, let day {
      throw ValidationError("The day is given twice: \"\(when)\", and --day \"\(day)\"")
    }
    let answer = try CommandAnswer(options, actor, clock)
    try answer.record(
      id: try KeyArgument.key(id, "--id"),
      { state, account in
        let (number, found) = try HabitChoice.find(habit, in: state, for: account)
        let query = answer.query(state)
        let choice = try DayArgument.choice(when ?? day, for: account, in: state, query)
        var meant = try DayArgument.today(for: state.accounts[account], query)
        if case .day(let day) = choice { meant = day }
        if case .day(let day) = choice, day < found.createdOn, !clock.yes {
          try Confirmation.askAtTerminal(
            "\(day) is before \(found.displayName) was created, on \(found.createdOn). Continue?"
          )
        }
        return try command(HabitDay(number: number, habit: found, choice: choice, day: meant))
      }
    ) { receipt, state in
      let account = try actor.account(in: state)
      let found = try HabitChoice.find(habit, in: state, for: account).1
      let view = try state.view(of: found, answer.query(state))
      let streak = view.judgement.current?.length ?? 0
      return "\(words(view, receipt.answer, receipt.count > 0)) Streak: \(streak.counted("day"))."
    }
  }
}

struct Log: RecordingCommand {
  static let records: [any ColumnCommand.Type] = [LogHabit.self]
  static let configuration = CommandConfiguration(
    commandName: "log",
    abstract: "Log a habit: done today, or a value, or another day.")

  @OptionGroup var day: DayOptions

  @Argument(
    help: "What was done: 1 unless given, or 2.5. Logging a day again replaces it; +1 adds to it.")
  var value: String?

  @Argument(help: "The day, in the same words as for --day: yesterday, tue.")
  var when: String?

  @Option(help: "A note about the day.")
  var note: String?

  func run() throws {
    // `log Read yesterday` omits the value.
    let isDay = when == nil && value.map { Amount($0) == nil && DayArgument.isDay($0) } ?? false
    let (value, when) = isDay ? (nil, value) : (value, when)
    let isMore = value?.hasPrefix("+") ?? false
    let amount = try AmountArgument.amount(isMore ? value.map { String($0.dropFirst()) } : value)
    try day.record(
      on: when, { meant in try Self.command(amount, isMore: isMore, note: note, meant) }
    ) { view, day, _ in
      let unit = view.habit.description.unit
      let record = view.habit.days[day]
      let target = view.habit.version(on: day).target
      let value = view.habit.days.entered(on: day) ?? record?.value ?? .zero
      return "\(view.habit.description.name), \(day): \(value) of \(target.words(unit))."
    }
  }

  /// The command that logs an amount, or adds to the existing one.
  static func command(
    _ amount: Amount?, isMore: Bool, note: String? = nil, _ meant: DayOptions.HabitDay
  ) throws -> LogHabit {
    let value = amount ?? .one
    let days = meant.habit.days
    guard isMore, let record = days[meant.day], !record.isSkipped else {
      try check(value, for: meant)
      return LogHabit(meant.number, value: value, day: meant.choice, note: note)
    }
    let before = days.entered(on: meant.day) ?? record.value
    guard let sum = Amount(thousandths: before.thousandths + value.thousandths) else {
      throw CommandFailure(
        "too_much",
        "\(before) and \(value) are more than \(Amount.last), the most that a day can hold.")
    }
    return LogHabit(
      meant.number, value: sum, day: meant.choice, note: note ?? days.note(on: meant.day))
  }

  /// Refuses to log zero when the target is a minimum.
  private static func check(_ value: Amount, for meant: DayOptions.HabitDay) throws {
    let target = meant.habit.version(on: meant.day).target
    guard value == .zero, target.bound == .atLeast else { return }
    throw CommandFailure(
      "nothing_done",
      "0 cannot be logged for this habit; use `clear` to clear the day.")
  }
}

struct Clear: RecordingCommand {
  static let records: [any ColumnCommand.Type] = [ClearLog.self]
  static let configuration = CommandConfiguration(
    commandName: "clear", abstract: "Clear what was logged for a day.")

  @OptionGroup var day: DayOptions

  @Argument(help: "The day, in the same words as for --day: yesterday, tue.")
  var when: String?

  func run() throws {
    try day.record(on: when, { ClearLog($0.number, day: $0.choice) }) { view, day, wasCleared in
      "\(view.habit.description.name), \(day): "
        + (wasCleared ? "cleared." : "there was nothing to clear.")
    }
  }
}

struct Skip: RecordingCommand {
  static let records: [any ColumnCommand.Type] = [SkipDay.self]
  static let configuration = CommandConfiguration(
    commandName: "skip",
    abstract: "Skip a day: it neither extends nor breaks the streak.")

  @OptionGroup var day: DayOptions

  @Argument(help: "The day, in the same words as for --day: yesterday, tue.")
  var when: String?

  @Option(help: "A note about the day.")
  var note: String?

  func run() throws {
    try day.record(on: when, { SkipDay($0.number, day: $0.choice, note: note) }) { view, day, _ in
      "\(view.habit.description.name), \(day): skipped."
    }
  }
}
