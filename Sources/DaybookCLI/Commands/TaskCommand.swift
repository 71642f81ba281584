import ArgumentParser
import Daybook
import DaybookStore

struct ChangeTasks: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "task", abstract: "Add, edit, move, do, reopen or delete a task.",
    discussion:
      "A task is named by a prefix of its title, or by its key. `daybook tasks` lists them.",
    subcommands: [
      Add.self, Edit.self, Move.self, Done.self, Reopen.self, Delete.self, History.self,
    ])

  struct Add: RecordingCommand {
    static let records: [any ColumnCommand.Type] = [CreateTask.self]
    static let configuration = CommandConfiguration(
      commandName: "add", abstract: "Add a task.")
    @OptionGroup var options: BookOptions
    @OptionGroup var actor: ActorOptions
    @Argument(help: "What is to be done.")
    var title: String
    @Option(
      name: [.customLong("in"), .customLong("bucket")],
      help: "The bucket: \(BucketArgument.help) (default: this-week).")
    var bucket: String?
    @Option(help: "Its parent task.")
    var under: String?
    @Option(help: "When it is due: \(DueArgument.help).")
    var due: String?
    @Option(name: .customLong("repeat"), help: "How it repeats: \(RepeatArgument.help).")
    var repetition: String?
    @Flag(help: "Repeat from when it was done, not from when it was due.")
    var fromCompletion = false
    @Option(help: "A label that it has; may be given again.")
    var label: [String] = []
    @Option(help: "More about it.")
    var description: String?
    @Flag(help: "Put it before the others, not after.")
    var first = false
    @OptionGroup var key: KeyOption
    @OptionGroup var clock: ClockOptions

    func run() throws {
      let answer = try CommandAnswer(options, actor, clock)
      try answer.run({ state, account in
        let command = try self.command(state, account, answer.query(state))
        try Confirmation.ofSecond(
          command.key, name: self.title, "task",
          among: state.tasks(of: account).map(\.task).filter {
            !$0.isDone && $0.parent == command.parent
          }, self.clock.yes)
        return command
      }) { number, state in
        guard let task = state.tasks[number] else { return "" }
        let account = state.accounts[task.owner]
        let parent = task.parent.flatMap { state.tasks[$0]?.title }
        let due = task.due.map {
          ", due \($0.words(for: account, answer.query(state)))"
        }
        return "\(task.title): added " + (parent.map { "under \($0)" } ?? "to \(task.bucket.title)")
          + (due ?? "") + "."
      }
    }

    private func command(
      _ state: BookState, _ account: Account.ID, _ query: Query
    ) throws -> CreateTask {
      guard let owner = state.accounts[account] else { throw Rejection.accountNotFound }
      let due = try DueArgument.due(due, for: owner, query).value(orElse: nil)
      // A task that repeats from completion counts from the day on which it was completed.
      let date = fromCompletion ? nil : due.flatMap { owner.date(of: $0, query) }
      return CreateTask(
        key: try key.given(), title: title, description: description,
        bucket: try BucketArgument.bucket(bucket),
        parent: try under.map { try TaskChoice.task($0, in: state, for: account) },
        due: due,
        recurrence: RepeatArgument.rule(repetition, from: date).value(orElse: nil),
        from: fromCompletion ? .completion : .due, place: first ? .first : .last,
        labels: try label.map { try TaskChoice.label($0, in: state, for: account) })
    }
  }

  enum Origin: String, CaseIterable, ExpressibleByArgument { case due, completion }

  struct Edit: RecordingCommand {
    static let records: [any ColumnCommand.Type] = [UpdateTask.self, SetTaskLabels.self]
    static let configuration = CommandConfiguration(
      commandName: "edit",
      abstract: "Change a task's text, due time, repetition or labels.")
    @OptionGroup var change: TaskChangeOptions
    @Option(help: "What is to be done.")
    var title: String?
    @Option(help: "More about it; an empty one clears it.")
    var description: String?
    @Option(help: "When it is due: \(DueArgument.help).")
    var due: String?
    @Option(name: .customLong("repeat"), help: "How it repeats: \(RepeatArgument.help).")
    var repetition: String?
    @Option(help: "Repeat from due (by the calendar) or from completion.")
    var from: Origin?
    @Option(help: "A label to add; may be given again.")
    var label: [String] = []
    @Option(help: "A label to remove; may be given again.")
    var unlabel: [String] = []

    func run() throws {
      try change.run { task, state, account, query in
        guard let owner = state.accounts[account] else { throw Rejection.accountNotFound }
        let due = try DueArgument.due(self.due, for: owner, query)
        let former = state.tasks[task]
        let isFromCompletion =
          from.map { $0 == .completion } ?? (former?.repetition?.origin == .completion)
        let date =
          isFromCompletion
          ? nil : due.value(orElse: former?.due).flatMap { owner.date(of: $0, query) }
        var command = UpdateTask(task) { content in
          if let title { content.title = title }
          if let text = self.description { content.description = text.isEmpty ? nil : text }
          if case .set(let due) = due { content.due = due }
          if case .set(let rule) = RepeatArgument.rule(self.repetition, from: date) {
            content.recurrence = rule
          }
          if let from { content.origin = from == .due ? .due : .completion }
        }
        command.added = try self.label.map { try TaskChoice.label($0, in: state, for: account) }
        command.removed = try self.unlabel.map {
          try TaskChoice.label($0, in: state, for: account)
        }
        return command
      } words: { number, state, query in
        guard let task = state.tasks[number] else { return "" }
        var words = [task.title]
        if let due = task.due {
          words.append("due " + due.words(for: state.accounts[task.owner], query))
        }
        if let rule = task.repetition?.rule { words.append(rule) }
        return (words + state.labels(of: task).map { "#\($0.name)" }).joined(separator: ", ") + "."
      }
    }
  }

  struct Move: RecordingCommand {
    static let records: [any ColumnCommand.Type] = [MoveTask.self]
    static let configuration = CommandConfiguration(
      commandName: "move",
      abstract: "Move a task to a bucket, under another task, or before or after one.")
    @OptionGroup var change: TaskChangeOptions
    @Option(
      name: [.customLong("to"), .customLong("bucket")], help: "The bucket: \(BucketArgument.help).")
    var bucket: String?
    @Option(help: "The new parent task; or none.")
    var under: String?
    @Option(help: "Right before this task.")
    var before: String?
    @Option(help: "Right after this task.")
    var after: String?
    @Flag(help: "Before all others there.")
    var first = false

    mutating func validate() throws {
      guard [before != nil, after != nil, first].filter({ $0 }).count < 2 else {
        throw ValidationError("give one of --before, --after and --first")
      }
      guard bucket != nil || under != nil || before != nil || after != nil || first else {
        throw ValidationError("say where to: --to, --under, --before, --after or --first")
      }
    }

    func run() throws {
      try change.run { task, state, account, _ in
        func find(_ text: String) throws -> TaskItem.ID {
          try TaskChoice.task(text, in: state, for: account)
        }
        let bucket = try BucketArgument.bucket(self.bucket)
        let isUnderNone = self.under?.lowercased() == "none"
        let parent = try isUnderNone ? nil : self.under.map(find)
        var command = MoveTask(task, to: bucket) {
          if isUnderNone || parent != nil { $0.parent = parent }
        }
        if let before { command.place = .before(try find(before)) }
        if let after { command.place = .after(try find(after)) }
        if self.first { command.place = .first }
        return command
      } words: { number, state, _ in
        guard let task = state.tasks[number] else { return "" }
        let parent = task.parent.flatMap { state.tasks[$0]?.title }
        return "\(task.title) is now "
          + (parent.map { "under \($0)." } ?? "in \(task.bucket.title).")
      }
    }
  }

  struct Done: RecordingCommand {
    static let records: [any ColumnCommand.Type] = [CompleteTask.self]
    static let configuration = CommandConfiguration(
      commandName: "done",
      abstract: "Mark a task as done; a repeating task opens again, with its next due time.")
    @OptionGroup var change: TaskChangeOptions
    @Option(
      help: "The occurrence, named by the time when it was due: it is completed only once.")
    var slot: String?

    func run() throws {
      let slot = try TimeArgument.instant(slot, "--slot")
      try change.run(isUndoable: true) { task, _, _, _ in
        CompleteTask(task, slot: slot)
      } words: { number, state, query in
        guard let task = state.tasks[number] else { return "" }
        guard !task.isDone else { return "\(task.title) is done." }
        let due = task.due.map {
          ", due \($0.words(for: state.accounts[task.owner], query))"
        }
        return "\(task.title) is done and open again\(due ?? "")."
      }
    }
  }

  struct Reopen: RecordingCommand {
    static let records: [any ColumnCommand.Type] = [ReopenTask.self]
    static let configuration = CommandConfiguration(
      commandName: "reopen",
      abstract: "Reopen a done task.")
    @OptionGroup var change: TaskChangeOptions

    func run() throws {
      try change.run(done: true) { task, _, _, _ in
        ReopenTask(task)
      } words: { number, state, _ in
        guard let task = state.tasks[number] else { return "" }
        return task.isDone
          ? "\(task.title) stays done: it was completed only just now. `daybook undo` undoes that."
          : "\(task.title) is open."
      }
    }
  }

  struct Delete: RecordingCommand {
    static let records: [any ColumnCommand.Type] = [DeleteTask.self]
    static let configuration = CommandConfiguration(
      commandName: "delete",
      abstract: "Delete a task with its subtasks; --as-of still finds them.")
    @OptionGroup var change: TaskChangeOptions

    func run() throws {
      try change.run(isUndoable: true) { task, _, _, _ in
        DeleteTask(task)
      } words: { number, state, _ in
        "\(state.tasks[number]?.title ?? "") is deleted."
      }
    }
  }

  struct History: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "history",
      abstract: "What happened to a task, with the positions that `undo` takes.")
    @OptionGroup var read: ReadOptions
    @Argument(help: "The task: a prefix of its title, or its key.", completion: Completions.tasks)
    var task: String

    func run() throws {
      let context = try read.context()
      let account = try read.actor.account(in: context.state)
      let number = try TaskChoice.task(task, in: context.state, for: account)
      let history = try context.ask(TaskHistoryQuestion(number), by: account)
      if read.json { return Output.answer(history) }
      let times = context.times(of: account)
      var table = TextTable([.number("position", 9), .whole("at", 4), .text("what", 8)])
      for entry in history.entries {
        table.add([
          String(entry.head.position), times(entry.head.at), history.words(of: entry),
        ])
      }
      table.print()
    }
  }

  /// The options of a command that changes a named task.
  struct TaskChangeOptions: JoinedOptions {
    var options = BookOptions()
    var actor = ActorOptions()
    @Argument(help: "The task: a prefix of its title, or its key.", completion: Completions.tasks)
    var task: String
    var clock = ClockOptions()

    static var parts: [OptionPart<Self>] {
      [
        OptionPart(\.options), OptionPart(\.actor), OptionPart("task", \._task),
        OptionPart(\.clock),
      ]
    }

    func run<C: RequestBody>(
      done: Bool = false, isUndoable: Bool = false,
      _ command: (TaskItem.ID, BookState, Account.ID, Query) throws -> C,
      words: (C.Answer, BookState, Query) -> String
    ) throws {
      let answer = try CommandAnswer(options, actor, clock)
      try answer.run(
        isUndoable: isUndoable,
        { state, account in
          try command(
            try TaskChoice.task(task, in: state, for: account, done: done), state, account,
            answer.query(state))
        }
      ) { words($0, $1, answer.query($1)) }
    }
  }
}
