import ArgumentParser
import Daybook
import DaybookStore

extension Habits {
  struct Edit: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "edit",
      abstract:
        "Change what a habit is called, asks or looks like; schedule and target from today.",
      discussion: """
        What is not named stays as it is, and so do the days before today: their streaks are judged by the \
        schedule and the target that they had.
        """)

    @OptionGroup var change: Change
    @Option(help: "What it is called.")
    var name: String?
    @Option(help: "When it is due: \(ScheduleArgument.help)")
    var schedule: String?
    @Option(help: "Count it, and this much makes a day done: 8, or 2.5.")
    var target: String?
    @Flag(help: "The target is to be reached, or not to be passed.")
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
    @Option(help: "Remind me at these local times instead, one each time: 07:30 or 7pm.")
    var remind: [String] = []
    @Flag(help: "Remind me no more.")
    var noReminders = false

    enum Bound: String, EnumerableFlag { case atLeast, atMost }

    mutating func validate() throws {
      guard remind.isEmpty || !noReminders else {
        throw ValidationError("give --remind or --no-reminders")
      }
      guard !uncounted || target == nil && bound != .atMost else {
        throw ValidationError("--uncounted: what is not counted has no target")
      }
    }

    mutating func run() throws {
      let given = self
      let amount = try AmountArgument.amount(target, "--target")
      let schedule = try schedule.map { try ScheduleArgument.schedule($0) }
      let reminders = try remind.compactMap { try TimeOfDay.time($0, "--remind") }
      try change.run({ habit, _ in
        let update = UpdateHabit(habit) { content in
          if let name = given.name { content.name = name }
          if let emoji = given.emoji { content.description.emoji = emoji }
          if let color = given.color { content.description.color = color }
          if let question = given.question { content.description.question = question }
          if let unit = given.unit { content.description.unit = unit }
          if let schedule { content.schedule = schedule }
          if let bound = given.bound {
            content.target.bound = bound == .atMost ? .atMost : .atLeast
          }
          if let amount { content.target.amount = amount }
          if amount != nil || given.bound == .atMost { content.type = .counter }
          if given.uncounted {
            content.type = .checkbox
            content.target = Target(.one)
          }
          if given.noReminders || !reminders.isEmpty { content.reminders = reminders }
        }
        guard !update.patch.isEmpty else { throw EditArgument.nothingGiven }
        return update
      }) { $0.words }
    }
  }
}

/// A command that changes what is named.
enum EditArgument {
  /// Nothing was named.
  static let nothingGiven = ValidationError(
    "nothing is to be changed: give an option; --help lists them")
}

extension Habit {
  /// The habit in one line: what it is called, when it is due, and what a done day needs.
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
