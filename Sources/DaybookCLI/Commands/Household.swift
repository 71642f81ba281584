import ArgumentParser
import Daybook
import DaybookStore

struct Households: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "household",
    abstract: "List your households; create, join, rename or leave one, add or remove people.",
    discussion: """
      A household shares its tasks, recipes and meals: every member sees and changes all of it, nobody else sees \
      any of it.
      """,
    subcommands: [
      List.self, Create.self, Code.self, Join.self, Add.self, Remove.self, Leave.self,
      Rename.self, Delete.self, Past.self,
    ],
    defaultSubcommand: List.self)

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list",
      abstract: "List your households and who is in them (the default).")
    @OptionGroup var read: ReadOptions

    func run() throws {
      let context = try read.context(byMembers: true)
      let answer = try context.ask(HouseholdQuestion(), by: try read.actor.viewer(context))
      if read.json { return Output.answer(answer) }
      guard !answer.households.isEmpty else {
        return Output.line(
          "No household yet. Create one: `daybook household create Home`; or join one by its code: "
            + "`daybook household join CODE`.")
      }
      for household in answer.households {
        let names = answer.memberNames(of: household)
        Output.line(
          Style.bold(household.name) + "  \(names.joined(separator: ", "))  "
            + Style.faint(household.key.description))
      }
    }
  }

  struct Past: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "history",
      abstract: "What happened in the household, newest first: when, what, by whom.")
    @OptionGroup var read: HouseholdReadOptions
    @Option(help: "At most this many entries.")
    var limit: Int?

    mutating func validate() throws {
      if let limit, limit < 1 { throw ValidationError("--limit: \(limit) is less than 1") }
    }

    func run() throws {
      let context = try read.context()
      let history = try context.ask(HouseholdHistoryQuestion(context.number, limit: limit))
      if read.json { return Output.answer(history) }
      let times = context.base.times(of: context.viewer)
      var table = TextTable([
        .number("#", 3), .whole("at", 6), .whole("event", 5), .text("what", 9), .text("by", 4),
      ])
      for entry in history.entries {
        table.add([
          String(entry.head.position), times(entry.head.at), entry.event.name,
          history.name(of: entry), history.name(of: entry.head.actor),
        ])
      }
      table.print()
    }
  }

  struct Create: RecordingCommand {
    static let records: [any ColumnCommand.Type] = [CreateHousehold.self]
    static let configuration = CommandConfiguration(
      commandName: "create", abstract: "Create a household.")
    @OptionGroup var options: BookOptions
    @OptionGroup var actor: ActorOptions
    @Argument(help: "What it is called.")
    var name: String
    @OptionGroup var key: KeyOption
    @OptionGroup var clock: ClockOptions

    func run() throws {
      let command = CreateHousehold(key: try key.given(), name: name)
      try CommandAnswer(options, actor, clock).run(command) { number, state in
        "\(state.households[number]?.name ?? "") is a household now. Add others: `daybook household add PERSON`."
      }
    }
  }

  struct Add: RecordingCommand {
    static let records: [any ColumnCommand.Type] = [AddHouseholdMember.self]
    static let configuration = CommandConfiguration(
      commandName: "add", abstract: "Add somebody to the household.")
    @OptionGroup var change: HouseholdChangeOptions
    @Argument(
      help: "The person: an account's key, or a prefix of its name.", completion: Completions.people
    )
    var person: String
    func run() throws {
      try change.run { context in
        AddHouseholdMember(
          try EntityFinder(
            noun: "account", whenEmpty: "The book has no account yet.",
            whenMissing: "`daybook accounts add NAME` makes one."
          ).find(person, in: context.state.accounts, among: context.state.livingAccounts),
          to: context.household)
      } words: { number, state in
        "\(person) is in \(state.households[number]?.name ?? "") now."
      }
    }
  }

  struct Remove: RecordingCommand {
    static let records: [any ColumnCommand.Type] = [RemoveHouseholdMember.self]
    static let configuration = CommandConfiguration(
      commandName: "remove",
      abstract: "Remove somebody from the household; their open tasks become unassigned.")
    @OptionGroup var change: HouseholdChangeOptions
    @OptionGroup var named: MemberArgument
    func run() throws {
      let member = named.member
      try change.run { context in
        RemoveHouseholdMember(try context.member(member), from: context.household)
      } words: { number, state in
        "\(member) is no longer in \(state.households[number]?.name ?? "")."
      }
    }
  }

  struct Leave: RecordingCommand {
    static let records: [any ColumnCommand.Type] = [LeaveHousehold.self]
    static let configuration = CommandConfiguration(
      commandName: "leave",
      abstract: "Leave the household; with its last member it is deleted.")
    @OptionGroup var change: HouseholdChangeOptions
    func run() throws {
      let isMeant = change.clock.yes
      try change.run { context in
        let household = context.state.households[context.household]
        if household?.activeMembers.count == 1 {
          try Confirmation.ask(
            "leave", household?.name ?? "",
            with: "all that belongs to it, which goes with its last member", isMeant)
        }
        return LeaveHousehold(context.household)
      } words: { number, state in
        let household = state.households[number]
        return "You left \(household?.name ?? "")."
          + (household?.isDeleted == true
            ? " Nobody is in it any more: it is deleted. \(Confirmation.wayBack)" : "")
      }
    }
  }

  struct Rename: RecordingCommand {
    static let records: [any ColumnCommand.Type] = [RenameHousehold.self]
    static let configuration = CommandConfiguration(
      commandName: "rename", abstract: "Rename the household.")
    @OptionGroup var change: HouseholdChangeOptions
    @Argument(help: "What it is called from now on.")
    var name: String
    func run() throws {
      try change.run {
        RenameHousehold($0.household, name: name)
      } words: { number, state in
        "It is called \(state.households[number]?.name ?? "") now."
      }
    }
  }

  struct Delete: RecordingCommand {
    static let records: [any ColumnCommand.Type] = [DeleteHousehold.self]
    static let configuration = CommandConfiguration(
      commandName: "delete",
      abstract: "Delete the household with all that belongs to it; --as-of still finds it.")
    @OptionGroup var change: HouseholdChangeOptions
    func run() throws {
      let isMeant = change.clock.yes
      try change.run { context in
        try Confirmation.ask(
          "delete", context.state.households[context.household]?.name ?? "",
          with: "all that belongs to it, for all its members", isMeant)
        return DeleteHousehold(context.household)
      } words: { number, state in
        let household = state.households[number]
        return "\(household?.name ?? "") is deleted. "
          + Confirmation.wayBack(sharedBy: household?.activeMembers.count ?? 1)
      }
    }
  }
}
