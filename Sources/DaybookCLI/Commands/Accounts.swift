import ArgumentParser
import Avro
import Daybook
import DaybookStore

struct Accounts: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Who uses the book: name, zone, day start, habits, key.")

  @OptionGroup var options: BookOptions

  @Option(help: "As the book knew it at this time: 2026-03-01T12:00:00Z.")
  var asOf: String?

  mutating func run() throws {
    let instant = try TimeArgument.instant(asOf, "--as-of")
    let state = try options.reader.state(asOf: instant ?? .last)
    let accounts = state.livingAccounts
    let counts = Self.habitCounts(in: state)
    if options.json {
      return Output.line(
        JSON.array(accounts.map { Self.row(of: $0, counts[$0.key] ?? 0) }).encoded)
    }
    guard !accounts.isEmpty else {
      return Output.line("No accounts yet. Make one: `daybook init --name NAME`.")
    }
    var table = Table(
      header: ["name", "timezone", "day start", "habits", "key"], rightAligned: [2, 3])
    for account in accounts {
      table.add([
        account.displayName, account.dayClock.timeZone, account.dayClock.startWords,
        String(counts[account.key] ?? 0), Style.faint(account.key.description),
      ])
    }
    table.write()
  }

  /// How many habits each has, all in one pass.
  private static func habitCounts(in state: State) -> [Key: Int] {
    var counts: [Key: Int] = [:]
    for habit in state.habits.elements where !habit.isDeleted {
      if let owner = state.accounts[habit.owner] { counts[owner.key, default: 0] += 1 }
    }
    return counts
  }

  private static func row(of account: Account, _ habitCount: Int) -> JSON {
    [
      "id": .string(account.key.description), "display_name": .string(account.displayName),
      "timezone": .string(account.dayClock.timeZone),
      "day_start_hour": .number(account.dayClock.dayStartHour),
      "habit_count": .number(habitCount), "created_at": .string(account.created.description),
    ]
  }
}

extension DayClock {
  /// The hour at which the day begins, as a person reads it.
  var startWords: String {
    LocalTime(minutes: dayStartHour * 60).map(\.description) ?? String(dayStartHour)
  }
}
