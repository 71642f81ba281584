public import ArgumentParser
public import Daybook
import DaybookStore
import Pictures

struct Chores: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "chores",
    abstract: "List the household's tasks; add, edit, assign, finish or delete one.",
    subcommands: [
      List.self, Add.self, Edit.self, Assign.self, Done.self, Reopen.self, Delete.self,
    ],
    defaultSubcommand: List.self)

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list",
      abstract: "List the household's tasks, what is due first at the top (the default).")
    @OptionGroup var read: HouseholdReadOptions
    @Option(help: "Which: \(HouseholdTaskFilter.allCases.map(\.rawValue).joined(separator: ", ")).")
    var show = HouseholdTaskFilter.incomplete

    func run() throws {
      let context = try read.context()
      let found = try context.ask(HouseholdTasksQuestion(of: context.number, show: show))
      if read.json { return Output.answer(found) }
      guard !found.householdTasks.isEmpty else { return Output.line(nothing) }
      let today = try context.today
      let times = context.base.times(of: context.viewer)
      var table = TextTable([
        .whole("", 9), .text("task", 9), .text("due", 7), .text("for", 5), .text("", 4),
      ])
      for householdTask in found.householdTasks {
        table.add([
          householdTask.symbol, householdTask.content.title, householdTask.dueWords(today, times),
          context.name(householdTask.assignee),
          householdTask.priorityWords,
        ])
      }
      table.print()
    }

    private var nothing: String {
      switch show {
      case .all:
        "No tasks yet. Add one: `daybook chores add \"Water the plants\" --due fri`."
      case .incomplete:
        "Nothing to do. Add a task: `daybook chores add \"Water the plants\" --due fri`."
      case .mine: "Nothing is assigned to you."
      case .complete: "Nothing is done yet. Finish something: `daybook chores done TASK`."
      }
    }
  }

  struct Add: RecordingCommand {
    static let records: [any ColumnCommand.Type] = [CreateHouseholdTask.self]
    static let configuration = CommandConfiguration(
      commandName: "add", abstract: "Add a task.")
    @OptionGroup var change: HouseholdChangeOptions
    @Argument(help: "What is to be done.")
    var title: String
    @Option(help: "More about it.")
    var description: String?
    @Option(help: "The day on which it is due: \(ComingDay.help).")
    var due: String?
    @Option(help: "The time of that day: 18:30.")
    var time: String?
    @Option(help: "How much it matters: low, medium, high or urgent.")
    var priority: HouseholdTaskPriority = .medium
    @Option(
      name: .customLong("for"), help: "Who is to do it: a prefix of a member's name, or a key.")
    var assignee: String?
    @OptionGroup var key: KeyOption

    func run() throws {
      let key = try key.given()
      let time = try TimeOfDay.time(time, "--time")
      try change.run { context in
        CreateHouseholdTask(
          in: context.household, key: key,
          HouseholdTaskContent(
            title: title, description: description, dueDate: try due.map { try context.day($0) },
            dueTime: time, priority: priority),
          assignee: try assignee.map { try context.member($0) })
      } words: { number, state in
        guard let householdTask = state.householdTasks[number] else { return "" }
        return "\(householdTask.content.title) is added\(householdTask.forWords(in: state))."
      }
    }
  }

  struct Edit: RecordingCommand {
    static let records: [any ColumnCommand.Type] = [UpdateHouseholdTask.self]
    static let configuration = CommandConfiguration(
      commandName: "edit",
      abstract:
        "Change a task; \"none\" removes a day, time or description.")
    @OptionGroup var change: HouseholdChangeOptions
    @OptionGroup var named: HouseholdTaskOptions
    @Option(help: "What is to be done.")
    var title: String?
    @Option(help: "More about it, or none.")
    var description: String?
    @Option(help: "The day on which it is due: \(ComingDay.help); or none.")
    var due: String?
    @Option(help: "The time of that day: 18:30, or none.")
    var time: String?
    @Option(help: "How much it matters: low, medium, high or urgent.")
    var priority: HouseholdTaskPriority?

    func run() throws {
      let time: LocalTime?? =
        time == "none" ? .some(nil) : try TimeOfDay.time(time, "--time").map { .some($0) }
      try named.run(with: change) { task, context in
        let day: Day?? = try due.map { $0 == "none" ? nil : try context.day($0) }
        return UpdateHouseholdTask(task) { draft in
          if let title { draft.content.title = title }
          if let description {
            draft.content.description = description == "none" ? nil : description
          }
          if let day { draft.content.dueDate = day }
          if let time { draft.content.dueTime = time }
          if let priority { draft.content.priority = priority }
        }
      } words: { task, _ in
        "\(task.content.title) is changed."
      }
    }
  }

  struct Assign: RecordingCommand {
    static let records: [any ColumnCommand.Type] = [AssignHouseholdTask.self]
    static let configuration = CommandConfiguration(
      commandName: "assign",
      abstract: "Assign a task to a member; without one, to nobody in particular.")
    @OptionGroup var change: HouseholdChangeOptions
    @OptionGroup var named: HouseholdTaskOptions
    @Argument(help: "The member: a prefix of the name, or the key.", completion: Completions.people)
    var member: String?
    func run() throws {
      try named.run(with: change) { task, context in
        AssignHouseholdTask(task, to: try member.map { try context.member($0) })
      } words: { task, state in
        task.assignee == nil
          ? "\(task.content.title) is for nobody in particular."
          : "\(task.content.title) is\(task.forWords(in: state)) now."
      }
    }
  }

  struct Done: RecordingCommand {
    static let records: [any ColumnCommand.Type] = [CompleteHouseholdTask.self]
    static let configuration = CommandConfiguration(
      commandName: "done", abstract: "Mark a task as done.")
    @OptionGroup var change: HouseholdChangeOptions
    @OptionGroup var named: HouseholdTaskOptions
    func run() throws {
      try named.run(with: change) { task, _ in
        CompleteHouseholdTask(task)
      } words: { task, _ in
        "\(task.content.title) is done."
      }
    }
  }

  struct Reopen: RecordingCommand {
    static let records: [any ColumnCommand.Type] = [ReopenHouseholdTask.self]
    static let configuration = CommandConfiguration(
      commandName: "reopen",
      abstract: "Reopen a task that is done.")
    @OptionGroup var change: HouseholdChangeOptions
    @OptionGroup var named: HouseholdTaskOptions
    func run() throws {
      try named.run(with: change) { task, _ in
        ReopenHouseholdTask(task)
      } words: { task, _ in
        "\(task.content.title) is open again."
      }
    }
  }

  struct Delete: RecordingCommand {
    static let records: [any ColumnCommand.Type] = [DeleteHouseholdTask.self]
    static let configuration = CommandConfiguration(
      commandName: "delete",
      abstract: "Delete a task; --as-of still finds it.")
    @OptionGroup var change: HouseholdChangeOptions
    @OptionGroup var named: HouseholdTaskOptions
    func run() throws {
      try named.run(with: change) { task, _ in
        DeleteHouseholdTask(task)
      } words: { task, _ in
        "\(task.content.title) is deleted."
      }
    }
  }
}

/// The options that select a household task.
struct HouseholdTaskOptions: ParsableArguments {
  @Argument(help: "The task: a prefix of its title, or its key.")
  var task: String

  /// Records a command for the task, and prints the result.
  func run<C: RequestBody>(
    with change: HouseholdChangeOptions,
    _ command: (HouseholdTask.ID, HouseholdCommandContext) throws -> C,
    words: (HouseholdTask, BookState) -> String
  ) throws where C.Answer == HouseholdTask.ID {
    try change.run { context in
      try command(try context.householdTask(task), context)
    } words: { number, state in
      state.householdTasks[number].map { words($0, state) } ?? ""
    }
  }
}

/// Parses a time of day written by a person.
enum TimeOfDay {
  static func time(_ text: String?, _ option: String) throws -> LocalTime? {
    guard let text else { return nil }
    guard let time = TimeWords.time(text) else {
      throw ValidationError("\(option): \"\(text)\" is not a time such as \(TimeWords.help)")
    }
    return time
  }
}

extension HouseholdTaskFilter: ExpressibleByArgument {}
extension HouseholdTaskPriority: ExpressibleByArgument {}

extension HouseholdTask {
  fileprivate var symbol: String { Sign.box(isComplete) }

  /// The due date, or the time of completion.
  fileprivate func dueWords(_ today: Day, _ times: LocalTimes) -> String {
    if let completed { return Style.faint("done \(times(completed))") }
    guard let day = content.dueDate else { return "" }
    let time = content.dueTime.map { " \($0)" } ?? ""
    let words =
      switch today.distance(to: day) {
      case 0: "today"
      case 1: "tomorrow"
      case 2...6: day.weekdayName
      default: day.description
      }
    return isOverdue(on: today)
      ? Style.color(RGB(0xFF6B6B))("\(words)\(time), overdue") : words + time
  }

  fileprivate var priorityWords: String {
    switch content.priority {
    case .medium: ""
    case .low: Style.faint("low")
    case .high: Style.color(RGB(0xFFB841))("high")
    case .urgent: Style.color(RGB(0xFF6B6B))("urgent")
    }
  }

  /// The assignee, as " for Bob"; empty if there is none.
  fileprivate func forWords(in state: BookState) -> String {
    assignee.flatMap { state.accounts[$0]?.displayName }.map { " for \($0)" } ?? ""
  }
}
