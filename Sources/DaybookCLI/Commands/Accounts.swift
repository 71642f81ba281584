import ArgumentParser
import Daybook
import DaybookStore

struct Accounts: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "accounts",
    abstract: "Who uses the book: name, zone, day start, habits, key; add somebody.",
    subcommands: [List.self, Add.self], defaultSubcommand: List.self)

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list",
      abstract: "Show who uses the book (the default).")

    @OptionGroup var options: BookOptions
    @OptionGroup var screen: ScreenOptions

    @Option(help: "As the book knew it at this time: 2026-03-01T12:00:00Z.")
    var asOf: String?

    func run() throws {
      let list = try QueryContext(options, asOf: asOf).ask(AccountsQuestion())
      if options.json { return Output.answer(list) }
      guard !list.accounts.isEmpty else {
        return Output.line("No accounts yet. Make one: `daybook init --name NAME`.")
      }
      var table = TextTable([
        .text("name", 9), .whole("timezone", 5), .number("day start", 4), .number("habits", 3),
        .whole("key", 0),
      ])
      for (account, habitCount) in list.accounts {
        table.add([
          account.displayName, account.dayClock.timeZone, account.dayClock.startWords,
          String(habitCount), Style.faint(account.key.description),
        ])
      }
      table.print()
    }
  }

  struct Add: RecordingCommand {
    static let records: [any ColumnCommand.Type] = [CreateAccount.self]
    static let configuration = CommandConfiguration(
      commandName: "add",
      abstract: "Make an account in the book for somebody else.",
      discussion: "Once there are several, most commands ask who you are: `--as NAME`.")

    @OptionGroup var options: BookOptions
    @Argument(help: "Their name.")
    var name: String
    @Option(help: "Their IANA time zone (default: this machine's).")
    var timezone: String?
    @Option(help: "The hour at which their day begins, 0…23.")
    var dayStart: Int = 4
    @Option(help: "The account's key, a UUID (default: a fresh one).")
    var key: String?
    @OptionGroup var clock: ClockOptions

    func run() throws {
      let command = CreateAccount(
        key: try KeyArgument.key(key, "--key"), name: name,
        timeZone: timezone ?? SystemTimeZones.current, dayStartHour: dayStart)
      let at = try self.clock.instant()
      let book = try options.open()
      let answer = try book.answer(to: command, at: at)
      if options.json { return CommandAnswer.print(answer) }
      book.read { state in
        let clock = state.accounts[answer.receipt.answer]?.dayClock
        Output.line(
          "\(name) has an account now (\(clock?.timeZone ?? ""), day from \(clock?.startWords ?? ""));"
            + " say `--as \(quoted(name))` to act as them.")
      }
    }
  }
}

extension DayClock {
  /// The hour at which the day begins, for people.
  var startWords: String {
    LocalTime(minutes: dayStartHour * 60).map(\.description) ?? String(dayStartHour)
  }
}
