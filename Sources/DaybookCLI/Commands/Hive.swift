import ArgumentParser
import Avro
import Daybook
import DaybookStore

struct ShowHive: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "hive",
    abstract: "One hive: its streak, its members and what they did, its comb.")

  @OptionGroup var read: ReadOptions

  @Argument(help: "The hive: a prefix of its name, or its key.", completion: Completions.hives)
  var hive: String

  @Option(help: "How many days of the comb to show, up to the given day.")
  var days: Int = 35

  func run() throws {
    guard (1...3660).contains(days) else { throw ValidationError("--days: give 1 to 3660") }
    let context = try read.context(byMembers: true)
    let viewer = try read.actor.viewer(context)
    let number = try HiveChoice.find(hive, in: context.state, for: viewer)
    let report = try context.ask(HiveQuestion(number, days: days), by: read.actor)
    if read.json { return Output.answer(report) }
    Self.print(report)
    let times = context.times(of: viewer)
    for line in report.feed.lines {
      Output.line(Style.faint(times(line.activity.at)) + "  " + line.sentence)
    }
  }

  private static func print(_ report: HiveReport) {
    let card = report.card
    Output.line(
      Style.bold(card.hive.title) + "  streak \(card.streak), longest \(report.longest)")
    Output.line("\(card.day.day): \(card.ring)" + (card.isAtRisk ? ", at risk" : ""))
    var table = TextTable([.whole("", 9), .text("member", 9), .number("value", 7), .text("", 5)])
    for member in card.members {
      let symbol =
        member.isDone
        ? HiveVerdict.advanced.symbol : member.isRequired ? HiveVerdict.open.symbol : " "
      table.add([
        symbol, member.name + (member.isOwner ? " (owner)" : ""),
        (member.entered ?? member.value).map { "\($0)/\(card.hive.target)" } ?? "",
        Style.faint(member.isLate ? "late" : member.isRequired ? "" : "not required yet"),
      ])
    }
    table.print()
    writeComb(report.comb)
  }

  /// Prints the days of the comb. Each line begins with the date of its first day, and holds as many whole
  /// weeks as fit on the screen.
  private static func writeComb(_ comb: [HiveDay]) {
    let room = Output.screen.columnCount.map { max(7, ($0 - 11) / 7 * 7) } ?? max(1, comb.count)
    for start in stride(from: 0, to: comb.count, by: room) {
      let days = comb[start..<min(start + room, comb.count)]
      let end = room < comb.count ? "" : " \(days.last?.day.description ?? "")"
      Output.line("\(comb[start].day) " + days.map(\.verdict.symbol).joined() + end)
    }
  }
}

struct Invite: RecordingCommand {
  static let records: [any ColumnCommand.Type] = [CreateHiveInvite.self, RevokeHiveInvite.self]
  static let options = ["revoke_hive_invite": "--revoke"]
  static let configuration = CommandConfiguration(
    commandName: "invite",
    abstract: "Create an invite to a hive that you lead, or revoke one.")

  @OptionGroup var options: BookOptions
  @OptionGroup var actor: ActorOptions
  @Argument(
    help: "The hive: a prefix of its name, or its key; with --revoke the code.",
    completion: Completions.hives)
  var hive: String
  @Option(help: "For how many minutes it is valid (default: a week).")
  var minutes: Int = 10_080
  @Option(help: "How many people may use it.")
  var uses: Int = 20
  @Flag(help: "Revoke the invite with this code.")
  var revoke = false
  @OptionGroup var clock: ClockOptions

  func run() throws {
    let answer = try CommandAnswer(options, actor, clock)
    if revoke {
      return try answer.run({ _, _ in RevokeHiveInvite(hive) }) { _, _ in
        "The invite \(hive) is revoked."
      }
    }
    let reader = options.reader
    try answer.run({ state, account in
      CreateHiveInvite(
        try HiveChoice.find(hive, in: state, for: account), minutes: minutes, maximumUseCount: uses)
    }) { id, state in
      guard let invite = state.hives[id.hive]?.invites.last else { throw Rejection.invalidCode }
      let times = LocalTimes(of: state.accounts[try actor.account(in: state)], reader.zones)
      return
        "\(invite.code)  until \(times(invite.expires)), for \(invite.maximumUseCount.counted("person", "people")):"
        + " `daybook join \(invite.code)`"
    }
  }
}

struct Join: RecordingCommand {
  static let records: [any ColumnCommand.Type] = [JoinHive.self]
  static let configuration = CommandConfiguration(
    commandName: "join", abstract: "Join a hive by an invite's code.")

  @OptionGroup var joining: JoinOptions

  func run() throws {
    try joining.run(JoinHive(joining.code)) { number, state in
      let hive = try state.found(number)
      return
        "You are in \(hive.description.name), with \((hive.activeMembers.count - 1).counted("other"))."
    }
  }
}

struct SettleHives: RecordingCommand {
  static let records: [any ColumnCommand.Type] = [Settle.self]
  static let configuration = CommandConfiguration(
    commandName: "settle",
    abstract: "Record every break of a hive's streak that is due.",
    discussion: """
      For a scheduled job; it acts as no account. It records the breaks that members are \
      notified of; answers about a hive do not depend on it.
      """)

  @OptionGroup var options: BookOptions
  @OptionGroup var clock: ClockOptions

  func run() throws {
    let instant = try clock.instant()
    let book = try options.open()
    let receipt = try book.recordWithReceipt(Settle(), by: nil, at: instant)
    if options.json {
      let row: JSON = ["hive_broken": .number(receipt.answer)]
      return Output.line(JSON.object([.init("ok", row)] + receipt.span.members).encoded)
    }
    Output.line(
      receipt.answer == 0
        ? "Nothing to settle." : "\(receipt.answer.counted("streak")) ended, and recorded.")
  }
}
