import ArgumentParser
import Daybook
import DaybookStore

extension Habits {
  struct Edit: RecordingCommand {
    static let records: [any ColumnCommand.Type] = [UpdateHabit.self, MoveHabit.self]
    static let configuration = CommandConfiguration(
      commandName: "edit",
      abstract:
        "Change a habit's name, question or look; its schedule and target from today.",
      discussion: """
        Options that are left out change nothing. Days before today keep the schedule and the \
        target that they had, so their streaks stay.
        """)

    @OptionGroup var change: HabitChangeOptions
    @Option(help: "What it is called.")
    var name: String?
    @Option(help: "When it is due: \(ScheduleArgument.help)")
    var schedule: String?
    @Option(help: "Count it; this amount makes a day done: 8, or 2.5.")
    var target: String?
    @Flag(help: "Whether the target is a minimum or a maximum.")
    var bound: Bound?
    @Flag(help: "Do not count it any more: a day is done or not.")
    var uncounted = false
    @Option(help: "What is counted: km, pages.")
    var unit: String?
    @Option(help: "What to ask about a day; an empty one clears it.")
    var question: String?
    @Option(help: "A picture for it; an empty one clears it.")
    var emoji: String?
    @Option(help: "Its colour: #FF9F1C.")
    var color: String?
    @Option(help: "Remind me at these local times instead, one for each option: 07:30 or 7pm.")
    var remind: [String] = []
    @Flag(help: "Remove all reminders.")
    var noReminders = false
    @OptionGroup var place: HabitPlaceOptions

    enum Bound: String, EnumerableFlag { case atLeast, atMost }

    mutating func validate() throws {
      guard remind.isEmpty || !noReminders else {
        throw ValidationError("give --remind or --no-reminders")
      }
      guard !uncounted || target == nil && bound != .atMost else {
        throw ValidationError("--uncounted: a habit that is not counted has no target")
      }
    }

    func run() throws {
      if place.isGiven {
        try change.run({ habit, state in
          guard try self.update(habit).isEmpty else {
            throw ValidationError("give --place, --before or --after without other changes")
          }
          return try self.place.command(habit, state)
        }) { "\($0.description.name) has moved." }
        return
      }
      try change.run({ habit, _ in try self.update(habit) }) { $0.words }
    }

    /// The command with the changes that the options ask for.
    private func update(_ habit: Habit.ID) throws -> UpdateHabit {
      let amount = try AmountArgument.amount(target, "--target")
      let schedule = try schedule.map { try ScheduleArgument.schedule($0) }
      let reminders = try remind.compactMap { try TimeOfDay.time($0, "--remind") }
      return UpdateHabit(habit) { content in
        if let name { content.name = name }
        if let emoji { content.description.emoji = emoji }
        if let color { content.description.color = color }
        if let question { content.description.question = question }
        if let unit { content.description.unit = unit }
        if let schedule { content.schedule = schedule }
        if let bound {
          content.target.bound = bound == .atMost ? .atMost : .atLeast
        }
        if let amount { content.target.amount = amount }
        if amount != nil || self.bound == .atMost { content.type = .counter }
        if self.uncounted {
          content.type = .checkbox
          content.target = Target(.one)
        }
        if self.noReminders || !reminders.isEmpty { content.reminders = reminders }
      }
    }
  }
}

/// The position of a habit among the others.
struct HabitPlaceOptions: ParsableArguments {
  @Option(help: "Its place among your habits: first, last, or a number from 1.")
  var place: String?
  @Option(help: "Put it right before this habit.", completion: Completions.habits)
  var before: String?
  @Option(help: "Put it right after this habit.", completion: Completions.habits)
  var after: String?

  /// Whether one of the options is given.
  var isGiven: Bool { place != nil || before != nil || after != nil }

  mutating func validate() throws {
    guard [place, before, after].compactMap(\.self).count < 2 else {
      throw ValidationError("give one of --place, --before and --after")
    }
  }

  /// The command that moves a habit to the position.
  func command(_ habit: Habit.ID, _ state: BookState) throws -> MoveHabit {
    let owner = try state.found(habit).owner
    if let before { return MoveHabit(habit, to: .before(try find(before, owner, state))) }
    if let after { return MoveHabit(habit, to: .after(try find(after, owner, state))) }
    switch place {
    case "first": return MoveHabit(habit, to: .first)
    case "last", nil: return MoveHabit(habit, to: .last)
    case .some(let text):
      guard let number = Int(text), number >= 1 else {
        throw ValidationError("--place: \"\(text)\" is not first, last or a number from 1")
      }
      let others = state.shownHabits(of: owner).filter { $0 != habit }
      return MoveHabit(habit, to: number > others.count ? .last : .before(others[number - 1]))
    }
  }

  private func find(
    _ text: String, _ owner: Account.ID, _ state: BookState
  ) throws -> Habit.ID {
    try HabitChoice.find(text, in: state, for: owner).0
  }
}

extension Habit {
  /// The habit on one line: its name, schedule and target.
  var words: String {
    var words = [
      [description.emoji, description.name].filter { !$0.isEmpty }.joined(separator: " "),
      version.schedule.words,
    ]
    if type == .counter { words.append(version.target.words(description.unit)) }
    if !description.question.isEmpty { words.append(quoted(description.question)) }
    if !reminders.isEmpty {
      words.append("reminders at " + reminders.map(\.description).joined(separator: " and "))
    }
    return words.joined(separator: ", ") + "."
  }
}
