import ArgumentParser
import Daybook
import DaybookStore

struct Goals: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "goals",
    abstract: "List the goals with their habits; add, edit or delete one, or let a habit serve it.",
    subcommands: [List.self, Add.self, Edit.self, Delete.self, Attach.self, Detach.self],
    defaultSubcommand: List.self)

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List the goals (the default).")

    @OptionGroup var read: ReadOptions

    func run() throws {
      let context = try read.context()
      let list = try context.ask(GoalsQuestion())
      if read.json { return Output.answer(list) }
      guard list.stepCount > 0 else {
        return Output.line("No goals yet. Set one: `daybook goals add \"Get fit\"`.")
      }
      let whose = OwnerColumn(list.all.map(\.goal.owner), context)
      for (goal, habits) in list.all {
        let words = whose.cells(goal.owner) + (goal.description.map { [$0.onOneLine] } ?? [])
        Output.line(
          ([Style.bold(goal.title)] + words + [Style.faint(goal.key.description)])
            .joined(separator: "  "))
        for habit in habits {
          let streak =
            try context.state.view(of: habit, context.query).judgement.current?.length ?? 0
          Output.line("  \(habit.description.name)  streak \(streak)")
        }
        if habits.isEmpty {
          Output.line("  No habit leads there yet: `daybook goals attach GOAL HABIT`.")
        }
      }
    }
  }

  struct Add: RecordingCommand {
    static let records: [any ColumnCommand.Type] = [CreateGoal.self]
    static let configuration = CommandConfiguration(commandName: "add", abstract: "Set a goal.")
    @OptionGroup var options: BookOptions
    @OptionGroup var actor: ActorOptions
    @Argument(help: "What it is called.")
    var title: String
    @Option(help: "More about it.")
    var description: String?
    @OptionGroup var key: KeyOption
    @OptionGroup var clock: ClockOptions

    func run() throws {
      let command = CreateGoal(
        key: try key.given(), title: title, description: description)
      try CommandAnswer(options, actor, clock).run(command) { number, state in
        "\(state.goals[number]?.title ?? "") is a goal now."
      }
    }
  }

  struct Edit: RecordingCommand {
    static let records: [any ColumnCommand.Type] = [UpdateGoal.self]
    static let configuration = CommandConfiguration(
      commandName: "edit",
      abstract: "Change a goal's title or description.")
    @OptionGroup var change: GoalChangeOptions
    @Option(help: "What it is called.")
    var title: String?
    @Option(help: "More about it; an empty one clears it.")
    var description: String?

    func run() throws {
      try change.run { goal, _, _ in
        UpdateGoal(goal) { content in
          if let title { content.title = title }
          if let description { content.description = description.isEmpty ? nil : description }
        }
      } words: { number, state in
        guard let goal = state.goals[number] else { return "" }
        return goal.title + (goal.description.map { ": \($0.onOneLine)" } ?? "") + "."
      }
    }
  }

  struct Delete: RecordingCommand {
    static let records: [any ColumnCommand.Type] = [DeleteGoal.self]
    static let configuration = CommandConfiguration(
      commandName: "delete",
      abstract: "Delete a goal with its habits and their logs; --as-of still finds them.")
    @OptionGroup var change: GoalChangeOptions
    func run() throws {
      let isMeant = change.clock.yes
      var habits: [String] = []
      try change.run { goal, state, account in
        habits = state.habits(of: account).filter { $0.goal == goal }.map(\.displayName)
        try Confirmation.ask(
          "delete", state.goals[goal]?.title ?? "",
          with: habits.isEmpty ? nil : "its habits \(habits.joined(separator: ", "))", isMeant)
        return DeleteGoal(goal)
      } words: { _, state in
        "The goal is deleted\(habits.isEmpty ? "" : " with its habits"). \(Confirmation.wayBack)"
      }
    }
  }

  struct Attach: RecordingCommand {
    static let records: [any ColumnCommand.Type] = [AttachHabit.self]
    static let configuration = CommandConfiguration(
      commandName: "attach", abstract: "Attach a habit to a goal.")
    @OptionGroup var change: GoalChangeOptions
    @OptionGroup var named: HabitArgument
    func run() throws {
      try change.run { goal, state, account in
        AttachHabit(try named.find(in: state, for: account), to: goal)
      } words: { number, state in
        "\(state.habits[number]?.description.name ?? "") serves the goal now."
      }
    }
  }

  struct Detach: RecordingCommand {
    static let records: [any ColumnCommand.Type] = [DetachHabit.self]
    static let configuration = CommandConfiguration(
      commandName: "detach", abstract: "Detach a habit from its goal.")
    @OptionGroup var options: BookOptions
    @OptionGroup var actor: ActorOptions
    @OptionGroup var named: HabitArgument
    @OptionGroup var clock: ClockOptions
    func run() throws {
      try CommandAnswer(options, actor, clock).run({ state, account in
        DetachHabit(try named.find(in: state, for: account))
      }) { number, state in
        "\(state.habits[number]?.description.name ?? "") serves no goal now."
      }
    }
  }

  /// The options of a command that changes a named goal.
  struct GoalChangeOptions: JoinedOptions {
    var options = BookOptions()
    var actor = ActorOptions()
    @Argument(help: "The goal: a prefix of its title, or its key.", completion: Completions.goals)
    var goal: String
    var clock = ClockOptions()

    static var parts: [OptionPart<Self>] {
      [
        OptionPart(\.options), OptionPart(\.actor), OptionPart("goal", \._goal),
        OptionPart(\.clock),
      ]
    }

    func run<C: RequestBody>(
      _ command: (Goal.ID, BookState, Account.ID) throws -> C,
      words: (C.Answer, BookState) -> String
    ) throws {
      try CommandAnswer(options, actor, clock).run({ state, account in
        try command(try find(in: state, for: account), state, account)
      }) { words($0, $1) }
    }

    private func find(in state: BookState, for account: Account.ID) throws -> Goal.ID {
      try EntityFinder(
        noun: "goal", whenEmpty: "There is no goal yet; `daybook goals add TITLE` sets one."
      ).find(goal, in: state.goals, among: state.goals(of: account).map(\.goal))
    }
  }
}
