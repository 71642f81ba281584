import ArgumentParser
import Daybook
import DaybookStore

struct ListTasks: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tasks", abstract: "The tasks in their five buckets.",
    discussion: """
      The buckets stand side by side on a wide terminal, one below another on a narrow one and in a pipe. \
      Change tasks with `daybook task`.
      """)

  @OptionGroup var read: ReadOptions
  @Option(help: "Only this bucket: \(BucketArgument.help).")
  var bucket: String?
  @Option(help: "Only tasks with this label; may be given again.")
  var label: [String] = []
  @Flag(help: "Several labels: one of them is enough (the default), or all are needed.")
  var needed: Needed = .any
  @Option(
    help: "Only tasks with this in the title or the description; case and accents are ignored.")
  var search: String = ""
  @Option(help: "Only tasks that are due today, or overdue.")
  var due: Due?
  @Flag(help: "The done ones instead of the open ones.")
  var completed = false

  enum Needed: String, EnumerableFlag { case any, all }
  enum Due: String, CaseIterable, ExpressibleByArgument { case today, overdue }

  func run() throws {
    let context = try read.context()
    let account = try read.actor.account(in: context.state)
    var filter = TaskFilter(
      bucket: try BucketArgument.bucket(bucket), needed: needed == .any ? .any : .all,
      text: search, due: due.map { $0 == .today ? .today : .overdue },
      status: completed ? .completed : .open)
    filter.labels = try label.map {
      try TaskChoice.label($0, in: context.state, for: account)
    }
    let answer = try context.ask(TasksQuestion(filter), by: account)
    if read.json { return Output.answer(answer) }
    guard !context.state.tasks(of: account).isEmpty else {
      return Output.line("No tasks yet. Note one: `daybook task add \"Buy milk\"`.")
    }
    guard answer.list.matchCount > 0 else { return Output.line("There is no such task.") }
    TaskBoard(answer.list, for: answer.account, context.query).print()
  }
}
