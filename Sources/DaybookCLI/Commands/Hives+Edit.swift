import ArgumentParser
import Daybook
import DaybookStore

extension Hives {
  struct Edit: RecordingCommand {
    static let records: [any ColumnCommand.Type] = [UpdateHive.self]
    static let configuration = CommandConfiguration(
      commandName: "edit",
      abstract: "Change the name or look of a hive that you lead.")
    @OptionGroup var change: HiveChangeOptions
    @Option(help: "What it is called.")
    var name: String?
    @Option(help: "A picture for it; an empty one clears it.")
    var emoji: String?
    @Option(help: "Its colour: #FF9F1C.")
    var color: String?

    func run() throws {
      try change.run({ hive, _, _ in
        UpdateHive(hive) { description in
          if let name { description.name = name }
          if let emoji { description.emoji = emoji }
          if let color { description.color = color }
        }
      }) { hive, _ in "\(hive.title), \(hive.description.color)." }
    }
  }

  struct Advance: RecordingCommand {
    static let records: [any ColumnCommand.Type] = [AdvanceHiveDay.self]
    static let configuration = CommandConfiguration(
      commandName: "advance",
      abstract: "Check again whether a hive's day advances.",
      discussion:
        "A hive checks this whenever somebody logs; use this command for days that wait for no log."
    )
    @OptionGroup var change: HiveChangeOptions
    @Option(help: "The day: \(DayArgument.help) (default: today).")
    var day: String?

    func run() throws {
      let (answer, given) = (try CommandAnswer(change.options, change.actor, change.clock), self)
      try answer.run({ state, account in
        let day = try DayArgument.day(
          given.day ?? "today", for: state.accounts[account], answer.query(state))
        return AdvanceHiveDay(
          try HiveChoice.find(given.change.hive, in: state, for: account), day: day)
      }) { day, _ in
        "\(day.day): \(day.completeCount)/\(day.requiredCount) done, "
          + (day.hasAdvanced
            ? "advanced." : "not advanced: \(day.neededCount.counted("member")) must be done.")
      }
    }
  }
}
