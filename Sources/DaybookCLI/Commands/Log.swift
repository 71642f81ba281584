import ArgumentParser
import Avro
import Daybook
import DaybookStore

/// What log, clear and skip have in common: a habit, a day, a clock.
struct DayOptions: ParsableArguments {
  @OptionGroup var options: BookOptions
  @OptionGroup var actor: ActorOptions

  @Argument(help: "The habit: a prefix of its name, or its key.", completion: Completions.habits)
  var habit: String

  @Option(help: "The day: \(DayArgument.help) (default: today).")
  var day: String?

  @OptionGroup var clock: ClockOptions

  @Option(help: "An idempotency key, a UUID: given again, nothing is recorded twice.")
  var id: String?

  func record<C: RequestBody>(
    _ command: (Habit.ID, DayChoice) throws -> C, _ words: (HabitView, Day) -> String
  ) throws where C.Answer == Day {
    let answer = try CommandAnswer(options, actor, clock)
    try answer.write(
      id: try KeyArgument.key(id, "--id"),
      { state, account in
        let (number, found) = try HabitChoice.find(habit, in: state, for: account)
        let choice = try DayArgument.choice(day, for: account, in: state, answer.query(state))
        if case .day(let day) = choice, day < found.createdOn, !clock.yes {
          try Confirmation.askAtTerminal(
            "\(day) is before \(found.displayName) was taken up, on \(found.createdOn). Is that meant?"
          )
        }
        return try command(number, choice)
      }
    ) { day, state in
      let account = try actor.account(in: state)
      let found = try HabitChoice.find(habit, in: state, for: account).1
      let view = try state.view(of: found, answer.query(state))
      let streak = view.judgement.current?.length ?? 0
      return "\(words(view, day)) Streak: \(streak.counted("day"))."
    }
  }
}

struct Log: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "log",
    abstract: "Log a habit: done today, or a value, or another day.")

  @OptionGroup var day: DayOptions

  @Argument(help: "What was done: 1 unless given, or 2.5. Logging a day again replaces it.")
  var value: String?

  @Option(help: "A note about the day.")
  var note: String?

  mutating func run() throws {
    let amount = try AmountArgument.amount(value)
    let note = note
    try day.record({ LogHabit($0, value: amount ?? .one, day: $1, note: note) }) { view, day in
      let unit = view.habit.description.unit
      let record = view.habit.days[day]
      let target = view.habit.version(on: day).target
      return "\(view.habit.description.name), \(day): \(record?.value ?? .zero)"
        + " of \(target.words(unit))."
    }
  }
}

struct Clear: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "clear", abstract: "Take back what was logged of a day.")

  @OptionGroup var day: DayOptions

  mutating func run() throws {
    try day.record({ ClearLog($0, day: $1) }) { view, day in
      "\(view.habit.description.name), \(day): cleared."
    }
  }
}

struct Skip: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "skip",
    abstract: "Skip a day: it neither extends nor breaks the streak.")

  @OptionGroup var day: DayOptions

  @Option(help: "A note about the day.")
  var note: String?

  mutating func run() throws {
    let note = note
    try day.record({ SkipDay($0, day: $1, note: note) }) { view, day in
      "\(view.habit.description.name), \(day): skipped."
    }
  }
}

extension Int {
  /// "1 day", "2 days".
  func counted(_ noun: String, _ plural: String? = nil) -> String {
    "\(self) \(self == 1 ? noun : plural ?? noun + "s")"
  }
}
