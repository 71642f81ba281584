import ArgumentParser
import Daybook
import DaybookStore

struct Hives: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "hives",
    abstract: "List your hives; create, edit, log, leave or delete one.",
    discussion: "A hive is two to ten people who keep one streak together.",
    subcommands: [
      List.self, Add.self, FromHabit.self, Edit.self, Log.self, Clear.self, Advance.self, Link.self,
      Unlink.self,
      AddMember.self, Leave.self, Remove.self, HandOver.self, Delete.self,
    ],
    defaultSubcommand: List.self)

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List your hives (the default).")

    @OptionGroup var read: ReadOptions

    func run() throws {
      let context = try read.context()
      let list = try context.ask(HivesQuestion(), by: read.actor)
      if read.json { return Output.answer(list) }
      guard !list.cards.isEmpty else {
        return Output.line(
          "No hives yet. Create one: `daybook hives add Readers`; or join one: `daybook join CODE`."
        )
      }
      var table = TextTable([
        .text("hive", 9), .number("members", 3), .number("streak", 8), .text("today", 6),
        .whole("last 14 days", 5),
      ])
      for card in list.cards {
        table.add([
          card.hive.title, String(card.members.count), String(card.streak), card.ring,
          card.comb(last: 14).map(\.verdict.symbol).joined(),
        ])
      }
      table.print()
    }
  }

  struct Add: RecordingCommand {
    static let records: [any ColumnCommand.Type] = [CreateHive.self]
    static let configuration = CommandConfiguration(commandName: "add", abstract: "Create a hive.")

    @OptionGroup var options: BookOptions
    @OptionGroup var actor: ActorOptions
    @Argument(help: "What it is called.")
    var name: String
    @Option(help: "When it is due: daily, weekdays, weekends, or mon,wed,fri.")
    var schedule: String = "daily"
    @Option(help: "Count it; each member must reach this amount: 8, or 2.5.")
    var target: String?
    @Option(help: "A day advances when this many members are done (default: all of them).")
    var threshold: Int?
    @Option(help: "A picture for it.")
    var emoji: String = ""
    @Option(help: "Its colour.")
    var color: String = HabitDescription.usualColor
    @OptionGroup var key: KeyOption
    @OptionGroup var clock: ClockOptions

    func run() throws {
      let amount = try AmountArgument.amount(target, "--target")
      guard case .weekdays(let weekdays) = try ScheduleArgument.schedule(schedule) else {
        throw Rejection.cannotShareQuota
      }
      let command = CreateHive(
        key: try key.given(), name: name, emoji: emoji, color: color,
        type: amount == nil ? .checkbox : .counter, target: amount ?? .one, schedule: weekdays,
        threshold: threshold)
      try CommandAnswer(options, actor, clock).run(command) { _, _ in
        "\(command.description.name) is a hive now. Invite others: `daybook invite "
          + "\(quoted(command.description.name))`."
      }
    }
  }

  struct FromHabit: RecordingCommand {
    static let records: [any ColumnCommand.Type] = [CreateHiveFromHabit.self]
    static let configuration = CommandConfiguration(
      commandName: "from-habit",
      abstract: "Create a hive from a habit of yours, with its last days.")

    @OptionGroup var options: BookOptions
    @OptionGroup var actor: ActorOptions
    @OptionGroup var named: HabitArgument
    @Option(help: "What the hive is called (default: as the habit).")
    var name: String?
    @Option(help: "How many of your last days are shown in it: 0 to 90.")
    var backfill: Int = 30
    @Option(help: "A day advances when this many members are done (default: all of them).")
    var threshold: Int?
    @OptionGroup var key: KeyOption
    @OptionGroup var clock: ClockOptions

    func run() throws {
      let key = try key.given()
      try CommandAnswer(options, actor, clock).run({ state, account in
        CreateHiveFromHabit(
          try named.find(in: state, for: account), key: key, name: name, backfillDays: backfill,
          threshold: threshold)
      }) { number, state in
        let hive = try state.found(number)
        return
          "\(hive.description.name) is a hive now. Invite others: `daybook invite "
          + "\(quoted(hive.description.name))`."
      }
    }
  }

  struct Log: RecordingCommand {
    static let records: [any ColumnCommand.Type] = [LogHiveDay.self]
    static let configuration = CommandConfiguration(
      commandName: "log",
      abstract: "Log your day in a hive: done today, or a value, or another day.")

    @OptionGroup var change: HiveChangeOptions
    @Argument(help: "What was done: 1 unless given, or 2.5.")
    var value: String?
    @Option(help: "The day: \(DayArgument.help) (default: today).")
    var day: String?

    func run() throws {
      let amount = try AmountArgument.amount(value)
      try change.runDay(day, { LogHiveDay($0, value: amount ?? .one, day: $1) }) {
        card, answer, _ in
        let isLate = card.members.first { $0.account == answer.member }?.isLate ?? false
        return "\(card.hive.description.name), \(answer.day): \(card.ring)"
          + (isLate ? ", logged late: the day was closed." : ".") + " Streak: \(card.streak)."
      }
    }
  }

  struct Clear: RecordingCommand {
    static let records: [any ColumnCommand.Type] = [ClearHiveLog.self]
    static let configuration = CommandConfiguration(
      commandName: "clear",
      abstract: "Clear what you logged for a hive's day.")

    @OptionGroup var change: HiveChangeOptions
    @Option(help: "The day: \(DayArgument.help) (default: today).")
    var day: String?

    func run() throws {
      try change.runDay(day, { ClearHiveLog($0, day: $1) }) { card, answer, wasCleared in
        "\(card.hive.description.name), \(answer.day): "
          + (wasCleared ? "cleared." : "nothing was logged.") + " \(card.ring)."
      }
    }
  }

  struct Link: RecordingCommand {
    static let records: [any ColumnCommand.Type] = [LinkHabit.self]
    static let configuration = CommandConfiguration(
      commandName: "link",
      abstract: "Link a habit of yours: logging it also logs the hive's day.")
    @OptionGroup var change: HiveChangeOptions
    @OptionGroup var named: HabitArgument

    func run() throws {
      try change.run({ hive, state, account in
        LinkHabit(try named.find(in: state, for: account), to: hive)
      }) { hive, _ in "Logging the habit logs \(hive.description.name), too." }
    }
  }

  struct Unlink: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "unlink", abstract: "Remove the link.")
    @OptionGroup var change: HiveChangeOptions
    func run() throws {
      try change.run({ hive, _, _ in LinkHabit(nil, to: hive) }) { hive, _ in
        "No habit logs \(hive.description.name) any more."
      }
    }
  }

  struct AddMember: RecordingCommand {
    static let records: [any ColumnCommand.Type] = [AddHiveMember.self]
    static let configuration = CommandConfiguration(
      commandName: "add-member",
      abstract:
        "Add one of your contacts to a hive that you lead (`daybook matches` lists them).")
    @OptionGroup var change: HiveChangeOptions
    @Argument(help: "The person: a prefix of the name, or the key.", completion: Completions.people)
    var member: String
    func run() throws {
      try change.run({ hive, state, account in
        let known = state.contactMatches(of: account).compactMap { state.accounts[$0] }
        let contacts = EntityFinder(
          noun: "contact", whenEmpty: Rejection.noContact.description)
        return AddHiveMember(
          try contacts.find(member, in: state.accounts, among: known), to: hive)
      }) { hive, _ in "\(member) is in \(hive.description.name) now." }
    }
  }

  struct Leave: RecordingCommand {
    static let records: [any ColumnCommand.Type] = [LeaveHive.self]
    static let configuration = CommandConfiguration(commandName: "leave", abstract: "Leave a hive.")
    @OptionGroup var change: HiveChangeOptions
    func run() throws {
      try change.run({ hive, _, _ in LeaveHive(hive) }) { hive, _ in
        "You left \(hive.description.name)."
      }
    }
  }

  struct Remove: RecordingCommand {
    static let records: [any ColumnCommand.Type] = [RemoveHiveMember.self]
    static let configuration = CommandConfiguration(
      commandName: "remove",
      abstract: "Remove a member from a hive that you lead.")
    @OptionGroup var change: HiveChangeOptions
    @OptionGroup var named: MemberArgument
    func run() throws {
      try change.run({ hive, state, _ in
        RemoveHiveMember(try named.find(in: hive, state), from: hive)
      }) { hive, _ in "\(named.member) is no longer a member of \(hive.description.name)." }
    }
  }

  struct HandOver: RecordingCommand {
    static let records: [any ColumnCommand.Type] = [HandOverHive.self]
    static let configuration = CommandConfiguration(
      commandName: "hand-over",
      abstract: "Hand a hive that you lead over to another member.")
    @OptionGroup var change: HiveChangeOptions
    @OptionGroup var named: MemberArgument
    func run() throws {
      try change.run({ hive, state, _ in
        HandOverHive(hive, to: try named.find(in: hive, state))
      }) { hive, state in
        "\(state.accounts[hive.owner]?.displayName ?? "") leads \(hive.description.name) now."
      }
    }
  }

  struct Delete: RecordingCommand {
    static let records: [any ColumnCommand.Type] = [DeleteHive.self]
    static let configuration = CommandConfiguration(
      commandName: "delete",
      abstract: "Delete a hive that you lead; --as-of still finds it.")
    @OptionGroup var change: HiveChangeOptions
    func run() throws {
      let isMeant = change.clock.yes
      try change.run({ hive, state, _ in
        let found = try state.found(hive)
        try Confirmation.ask(
          "delete", found.description.name,
          with: "its days, for all \(found.activeMembers.count.counted("member"))", isMeant)
        return DeleteHive(hive)
      }) { hive, _ in
        "\(hive.description.name) is deleted. "
          + Confirmation.wayBack(sharedBy: hive.activeMembers.count)
      }
    }
  }
}
