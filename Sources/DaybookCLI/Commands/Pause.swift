import ArgumentParser
import Daybook
import DaybookStore

struct PauseAccount: RecordingCommand {
  static let records: [any ColumnCommand.Type] = [Pause.self]
  static let configuration = CommandConfiguration(
    commandName: "pause",
    abstract: "Pause all habits on some days: a vacation, an illness.",
    discussion: """
      Days of a pause neither extend nor break a streak, and what is done on them counts as a bonus. Without --to it \
      goes on until `daybook resume`.
      """)

  @OptionGroup var options: BookOptions
  @OptionGroup var actor: ActorOptions
  @Argument(help: "The first day, in the same words as for --from.")
  var first: String?
  @Argument(help: "The last day, in the same words as for --to.")
  var last: String?
  @Option(help: "The first day, past or to come: \(ComingDay.help) (default: today).")
  var from: String?
  @Option(help: "The last day (default: the end is not known yet).")
  var to: String?
  @OptionGroup var clock: ClockOptions

  func run() throws {
    guard first == nil || from == nil, last == nil || to == nil else {
      throw ValidationError("A day is given twice: in words, and with --from or --to")
    }
    let answer = try CommandAnswer(options, actor, clock)
    let (from, to) = (first ?? from, last ?? to)
    try answer.run({ state, account in
      let (account, query) = (state.accounts[account], answer.query(state))
      let first = try ComingDay.day(from ?? "today", for: account, query)
      return Pause(
        first: first, last: try to.map { try ComingDay.day($0, for: account, query, from: first) })
    }) { number, state in
      guard let pause = state.accounts[number]?.pauses.last else { return "" }
      return "Paused \(pause.words): nothing is due then."
    }
  }
}

struct ResumeAccount: RecordingCommand {
  static let records: [any ColumnCommand.Type] = [Resume.self]
  static let configuration = CommandConfiguration(
    commandName: "resume", abstract: "End your pauses: today counts again.")

  @OptionGroup var options: BookOptions
  @OptionGroup var actor: ActorOptions
  @OptionGroup var clock: ClockOptions

  func run() throws {
    let answer = try CommandAnswer(options, actor, clock)
    try answer.run(Resume()) { number, state in
      guard let account = state.accounts[number] else { return "" }
      let today = try DayArgument.today(for: account, answer.query(state))
      let ahead = account.pauses.filter { $0.days.first > today }
      return "Today, \(today), counts."
        + (ahead.isEmpty
          ? "" : " Still ahead: \(ahead.map(\.words).joined(separator: ", ")).")
    }
  }
}

extension Account.Pause {
  /// The pause, for people.
  var words: String {
    guard let last = days.last else { return "from \(days.first) on" }
    return last == days.first ? "on \(last)" : "from \(days.first) to \(last)"
  }
}
