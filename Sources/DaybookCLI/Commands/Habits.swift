import ArgumentParser
import Daybook
import DaybookStore

struct Habits: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "habits",
    abstract: "List the habits; add, edit, archive, restore or delete one.",
    subcommands: [
      List.self, Add.self, Edit.self, Rename.self, Archive.self, Restore.self, Delete.self,
    ],
    defaultSubcommand: List.self)

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List the habits (the default).")

    @OptionGroup var read: ReadOptions

    func run() throws {
      let context = try read.context()
      let list = try context.ask(HabitsQuestion())
      if read.json { return Output.answer(list) }
      let habits = list.habits
      guard !habits.isEmpty else {
        return Output.line("No habits yet. Make one: `daybook habits add Read`.")
      }
      let whose = OwnerColumn(habits.map(\.owner), context)
      var table = TextTable(
        [.number("#", 4)] + whose.columns + [
          .text("habit", 9), .text("schedule", 7), .text("target", 6), .whole("since", 3),
          .text("goal", 2), .whole("key", 0),
        ])
      for habit in habits {
        let version = context.query.on.map { habit.version(on: $0) } ?? habit.version
        let number = context.state.habits.number(of: habit.key).map { "\($0.number)" } ?? ""
        table.add(
          [number] + whose.cells(habit.owner) + [
            [habit.description.emoji, habit.description.name].filter { !$0.isEmpty }
              .joined(separator: " ") + (habit.isArchived ? " (archived)" : ""),
            version.schedule.words, version.target.words(habit.description.unit),
            habit.createdOn.description,
            habit.goal.flatMap { context.state.goals[$0] }.map(\.title) ?? "",
            Style.faint(habit.key.description),
          ])
      }
      table.print()
    }
  }

  struct Add: RecordingCommand {
    static let records: [any ColumnCommand.Type] = [CreateHabit.self]
    static let configuration = CommandConfiguration(
      commandName: "add", abstract: "Add a habit.")

    @OptionGroup var options: BookOptions
    @OptionGroup var actor: ActorOptions

    @Argument(help: "What it is called.")
    var name: String

    @Option(help: "When it is due: \(ScheduleArgument.help)")
    var schedule: String = "daily"

    @Option(help: "Count it; this amount makes a day done: 8, or 2.5.")
    var target: String?

    @Flag(help: "The target is a maximum.")
    var atMost = false

    @Option(help: "What is counted: km, pages.")
    var unit: String = ""

    @Option(help: "What to ask about a day: \"Did you read?\"")
    var question: String = ""

    @Option(help: "A picture for it.")
    var emoji: String = ""

    @Option(help: "Its colour.")
    var color: String = HabitDescription.usualColor

    @Option(help: "Remind me at this local time, such as 07:30; may be given again.")
    var remind: [String] = []

    @OptionGroup var key: KeyOption

    @OptionGroup var clock: ClockOptions

    func run() throws {
      let amount = try AmountArgument.amount(target, "--target") ?? .one
      let reminders = try remind.compactMap { try TimeOfDay.time($0, "--remind") }
      let command = CreateHabit(
        key: try key.given(), name: name, emoji: emoji, color: color,
        question: question, unit: unit,
        type: target == nil && !atMost ? .checkbox : .counter,
        target: Target(amount, atMost ? .atMost : .atLeast),
        schedule: try ScheduleArgument.schedule(schedule), reminders: reminders)
      let isMeant = clock.yes
      try CommandAnswer(options, actor, clock).run({ state, account in
        try Confirmation.ofSecond(
          command.key, name: command.content.name, "habit",
          among: state.habits(of: account).filter { !$0.isArchived }, isMeant)
        return command
      }) { number, state in
        let habit = try state.found(number)
        return "\(habit.description.name) is a habit now, \(habit.version.schedule.words)."
      }
    }
  }

  struct Rename: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "rename", abstract: "Give a habit another name.")
    @OptionGroup var change: HabitChangeOptions
    @Argument(help: "What it is called from now on.")
    var name: String
    func run() throws {
      try change.run({ habit, _ in UpdateHabit(habit) { $0.name = name } }) { _ in
        "The habit is called \(name) now."
      }
    }
  }

  struct Archive: RecordingCommand {
    static let records: [any ColumnCommand.Type] = [ArchiveHabit.self]
    static let configuration = CommandConfiguration(
      commandName: "archive",
      abstract: "Archive a habit: its days no longer count.")
    @OptionGroup var change: HabitChangeOptions
    func run() throws {
      try change.run({ number, _ in ArchiveHabit(number) }) {
        "\($0.description.name) is archived."
      }
    }
  }

  struct Restore: RecordingCommand {
    static let records: [any ColumnCommand.Type] = [RestoreHabit.self]
    static let configuration = CommandConfiguration(
      commandName: "restore", abstract: "Restore an archived habit.")
    @OptionGroup var change: HabitChangeOptions
    func run() throws {
      try change.run({ number, _ in RestoreHabit(number) }) {
        "\($0.description.name) counts again from today."
      }
    }
  }

  struct Delete: RecordingCommand {
    static let records: [any ColumnCommand.Type] = [DeleteHabit.self]
    static let configuration = CommandConfiguration(
      commandName: "delete",
      abstract: "Delete a habit and its logs; --as-of still finds both.")
    @OptionGroup var change: HabitChangeOptions
    func run() throws {
      let isMeant = change.clock.yes
      try change.run({ number, state in
        let habit = try state.found(number)
        let count = habit.days.records.count
        try Confirmation.ask(
          "delete", habit.displayName, with: count > 0 ? count.counted("logged day") : nil, isMeant)
        return DeleteHabit(number)
      }) { habit in
        "\(habit.description.name) is deleted. \(Confirmation.wayBack)"
      }
    }
  }

  /// The options of a command that changes one habit.
  struct HabitChangeOptions: JoinedOptions {
    var options = BookOptions()
    var actor = ActorOptions()
    var named = HabitArgument()
    var clock = ClockOptions()

    static var parts: [OptionPart<Self>] {
      [OptionPart(\.options), OptionPart(\.actor), OptionPart(\.named), OptionPart(\.clock)]
    }

    func run<C: RequestBody>(
      _ command: (Habit.ID, BookState) throws -> C, _ words: (Habit) -> String
    ) throws where C.Answer == Habit.ID {
      try CommandAnswer(options, actor, clock).run({ state, account in
        try command(try named.find(in: state, for: account), state)
      }) { number, state in
        words(try state.found(number))
      }
    }
  }
}

extension BookState {
  /// The habit after a command changed it.
  func found(_ number: Habit.ID) throws -> Habit {
    guard let habit = habits[number] else { throw Rejection.habitNotFound }
    return habit
  }
}

extension Schedule {
  /// The schedule, for people.
  var words: String {
    switch self {
    case .daily: return "daily"
    case .weekdays(let mask):
      return Day.weekdayNames.enumerated().filter { mask.bits >> UInt8($0.offset) & 1 == 1 }
        .map(\.element).joined(separator: " ")
    case .quota(let times, let days):
      return days == 7 ? "\(times)× a week" : "\(times)× in \(days) days"
    }
  }
}

extension Target {
  /// The target, for people.
  func words(_ unit: String) -> String {
    (bound == .atMost ? "≤ " : "") + "\(amount)" + (unit.isEmpty ? "" : " \(unit)")
  }
}
