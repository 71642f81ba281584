import ArgumentParser
import Avro
import Daybook
import DaybookStore

struct Habits: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "List the habits; add, rename, archive, restore or delete one.",
    subcommands: [List.self, Add.self, Rename.self, Archive.self, Restore.self, Delete.self],
    defaultSubcommand: List.self)

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "List the habits (the default).")

    @OptionGroup var options: BookOptions
    @OptionGroup var actor: ActorOptions
    @OptionGroup var time: TimeOptions

    mutating func run() throws {
      let sight = try Sight(options, actor, time)
      let habits = sight.state.habits(of: sight.account)
        .filter { habit in sight.query.on.map { habit.createdOn <= $0 } ?? true }
      if options.json {
        return Output.line(JSON.array(habits.map { sight.state.habitRow($0) }).encoded)
      }
      guard !habits.isEmpty else {
        return Output.line("No habits yet. Make one: `daybook habits add Read`.")
      }
      var table = Table(header: ["habit", "schedule", "target", "since", "goal", "key"])
      for habit in habits {
        let version = sight.query.on.map { habit.version(on: $0) } ?? habit.version
        table.add([
          [habit.description.emoji, habit.description.name].filter { !$0.isEmpty }
            .joined(separator: " ") + (habit.isArchived ? " (archived)" : ""),
          version.schedule.words, version.target.words(habit.description.unit),
          habit.createdOn.description,
          habit.goal.flatMap { sight.state.goals[$0] }.map(\.title) ?? "",
          Style.faint(habit.key.description),
        ])
      }
      table.write()
    }
  }

  struct Add: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Take up a habit.")

    @OptionGroup var options: BookOptions
    @OptionGroup var actor: ActorOptions

    @Argument(help: "What it is called.")
    var name: String

    @Option(help: "When it is due: \(ScheduleArgument.help)")
    var schedule: String = "daily"

    @Option(help: "Count it, and this much makes a day done: 8, or 2.5.")
    var target: String?

    @Flag(help: "The target is not to be passed: at most.")
    var atMost = false

    @Option(help: "What is counted: km, pages.")
    var unit: String = ""

    @Option(help: "A picture for it.")
    var emoji: String = ""

    @Option(help: "Its colour.")
    var color: String = "#FF9F1C"

    @Option(help: "Remind me at this local time, such as 07:30; may be given again.")
    var remind: [String] = []

    @Option(help: "Its key, a UUID (default: a fresh one).")
    var key: String?

    @Option(help: "The book's clock (default: now).")
    var at: String?

    mutating func run() throws {
      var amount = Amount.one
      if let target {
        guard let parsed = Amount(target) else {
          throw ValidationError("--target: \"\(target)\" is not \(Amount.help)")
        }
        amount = parsed
      }
      let reminders = try remind.map { text in
        guard let time = LocalTime(text) else {
          throw ValidationError("--remind: \"\(text)\" is not a time such as 07:30")
        }
        return time
      }
      let command = CreateHabit(
        key: try KeyArgument.key(key, "--key"), name: name, emoji: emoji, color: color, unit: unit,
        type: target == nil && !atMost ? .checkbox : .counter,
        target: Target(amount, atMost ? .atMost : .atLeast),
        schedule: try ScheduleArgument.schedule(schedule), reminders: reminders)
      let instant = try TimeArgument.instant(at, "--at")
      let book = try options.open()
      let account = try book.read { try actor.account(in: $0) }
      let number = try book.record(command, by: account, at: instant)
      try Habits.answer(number, in: book, options) { "\($0) is a habit now, \($1.schedule.words)." }
    }
  }

  struct Rename: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Give a habit another name.")
    @OptionGroup var change: Change
    @Argument(help: "What it is called from now on.")
    var name: String
    mutating func run() throws {
      let name = name
      try change.run({ habit in
        var update = UpdateHabit(habit)
        update.name = .set(name)
        return update
      }) { name, _ in "The habit is called \(name) now." }
    }
  }

  struct Archive: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Lay a habit aside: its days no longer count.")
    @OptionGroup var change: Change
    mutating func run() throws {
      try change.run({ ArchiveHabit($0) }) { name, _ in "\(name) is archived." }
    }
  }

  struct Restore: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Take an archived habit up again.")
    @OptionGroup var change: Change
    mutating func run() throws {
      try change.run({ RestoreHabit($0) }) { name, _ in "\(name) counts again from today." }
    }
  }

  struct Delete: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Delete a habit and its logs; --as-of still finds both.")
    @OptionGroup var change: Change
    mutating func run() throws {
      try change.run({ DeleteHabit($0) }) { name, _ in
        "\(name) is deleted; `daybook habits --as-of` still finds it."
      }
    }
  }

  /// A change of one habit.
  struct Change: ParsableArguments {
    @OptionGroup var options: BookOptions
    @OptionGroup var actor: ActorOptions
    @Argument(help: "The habit: a prefix of its name, or its key.")
    var habit: String
    @Option(help: "The book's clock (default: now).")
    var at: String?

    func run<C: RequestBody>(
      _ command: (Habit.ID) -> C, _ words: (String, HabitHistory.Version) -> String
    ) throws where C.Answer == Habit.ID {
      let instant = try TimeArgument.instant(at, "--at")
      let book = try options.open()
      let (account, number) = try book.read { state in
        let account = try actor.account(in: state)
        return (account, try HabitChoice.find(habit, in: state, for: account).0)
      }
      let answer = try book.record(command(number), by: account, at: instant)
      try Habits.answer(answer, in: book, options, words)
    }
  }

  static func answer(
    _ number: Habit.ID, in book: Book, _ options: BookOptions,
    _ words: (String, HabitHistory.Version) -> String
  ) throws {
    try book.read { state in
      guard let habit = state.habits[number] else { throw HabitRejection.habitNotFound }
      Output.line(
        options.json
          ? JSON.object([.init("ok", state.habitRow(habit))]).encoded
          : words(habit.description.name, habit.version))
    }
  }
}

extension Schedule {
  /// The schedule as a person says it.
  var words: String {
    switch self {
    case .daily: return "daily"
    case .weekdays(let mask):
      let names = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
      return names.indices.filter { mask.bits >> UInt8($0) & 1 == 1 }.map { names[$0] }
        .joined(separator: " ")
    case .quota(let times, let days):
      return days == 7 ? "\(times)× a week" : "\(times)× in \(days) days"
    }
  }
}

extension Target {
  /// The target as a person says it.
  func words(_ unit: String) -> String {
    (bound == .atMost ? "≤ " : "") + "\(amount)" + (unit.isEmpty ? "" : " \(unit)")
  }
}

extension Amount {
  static let help = "a number such as 8 or 2.5, with at most three digits after the point"
}
