import ArgumentParser
import Avro
import Daybook
import DaybookStore

/// A change of a hive, and how it is answered.
struct HiveAnswer {
  let options: BookOptions
  let actor: ActorOptions
  let at: Instant?

  init(_ options: BookOptions, _ actor: ActorOptions, _ at: String?) throws {
    self.options = options
    self.actor = actor
    self.at = try TimeArgument.instant(at, "--at")
  }

  func write<C: RequestBody>(
    _ command: C, _ words: (Hive, State) -> String
  ) throws where C.Answer == Hive.ID {
    try write({ _, _ in command }, words: words)
  }

  /// Records a command that is made from the state, and says what came of it.
  func write<C: RequestBody>(
    _ command: (State, Account.ID) throws -> C, words: (Hive, State) -> String
  ) throws where C.Answer == Hive.ID {
    try record(command) { answer, state in
      guard let hive = state.hives[answer] else { throw HiveRejection.hiveNotFound }
      return words(hive, state)
    }
  }

  func record<C: RequestBody>(
    _ command: (State, Account.ID) throws -> C, _ words: (C.Answer, State) throws -> String
  ) throws {
    let book = try options.open()
    let (account, made) = try book.read { state in
      let account = try actor.account(in: state)
      return (account, try command(state, account))
    }
    let receipt = try book.commit(made, by: account, at: at)
    try book.read { state in
      guard options.json else { return Output.line(try words(receipt.answer, state)) }
      let answer: JSON = [
        "ok": made.row(of: receipt.answer, in: state), "position": .number(receipt.position),
      ]
      Output.line(answer.encoded)
    }
  }
}

/// A change of a hive that is named.
struct HiveChange: ParsableArguments {
  @OptionGroup var options: BookOptions
  @OptionGroup var actor: ActorOptions
  @Argument(help: "The hive: a prefix of its name, or its key.")
  var hive: String
  @Option(help: "The book's clock (default: now).")
  var at: String?

  func run<C: RequestBody>(
    _ command: (Hive.ID, State, Account.ID) throws -> C, _ words: (Hive, State) -> String
  ) throws where C.Answer == Hive.ID {
    try HiveAnswer(options, actor, at).write { state, account in
      try command(try HiveChoice.find(hive, in: state, for: account), state, account)
    } words: {
      words($0, $1)
    }
  }

  func runDay<C: RequestBody>(
    _ day: String?, _ command: (Hive.ID, DayChoice) -> C,
    _ words: (HiveCard, HiveMemberDay) -> String
  ) throws where C.Answer == HiveMemberDay {
    let answer = try HiveAnswer(options, actor, at)
    try answer.record({ state, account in
      let query = query(state, answer.at)
      let choice = try day.map {
        DayChoice.day(try DayArgument.day($0, for: state.accounts[account], query))
      }
      return command(try HiveChoice.find(hive, in: state, for: account), choice ?? .today)
    }) { day, state in
      var query = query(state, answer.at)
      query.on = day.day
      return words(try state.hiveCard(day.hive, for: day.member, query), day)
    }
  }

  private func query(_ state: State, _ at: Instant?) -> Query {
    Query(asOf: at ?? max(BookClock.system.now(), state.at), zones: options.reader.zones)
  }
}

/// Finds the member that is meant: by key, whole name, or a prefix that only one name has.
enum MemberChoice {
  static func find(_ text: String, of hive: Hive.ID, in state: State) throws -> Account.ID {
    let members = state.hives[hive]?.activeMembers.compactMap { state.accounts[$0.account] } ?? []
    if let key = Key(text) {
      guard let number = state.accounts.number(of: key) else { throw HiveRejection.memberNotFound }
      return number
    }
    let found = members.matches(text, name: \.displayName, key: \.key)
    guard let first = found.first, let number = state.accounts.number(of: first.key) else {
      throw HiveRejection.memberNotFound
    }
    guard found.count == 1 else {
      throw Failure(
        "member_ambiguous",
        "\"\(text)\" may be \(found.map(\.label).joined(separator: " or ")); give more of the name, or the key."
      )
    }
    return number
  }
}

extension Hive {
  /// Its picture and its name.
  var title: String {
    [description.emoji, description.name].filter { !$0.isEmpty }.joined(separator: " ")
  }
}

extension HiveCard {
  /// How many are done of how many: "2/3 done".
  var ring: String {
    switch day.verdict {
    case .off: "not due"
    case .before: "before the hive"
    case .advanced: "\(day.completeCount)/\(day.requiredCount) done, advanced"
    default:
      "\(day.completeCount)/\(day.requiredCount) done"
        + (day.neededCount < day.requiredCount ? " (\(day.neededCount) needed)" : "")
    }
  }
}

extension HiveVerdict {
  /// The verdict as one character, with its colour.
  var symbol: String {
    switch self {
    case .advanced: Style.color(RGB(0x34C759))(Output.isTerminal ? "⬢" : "#")
    case .broken: Style.color(RGB(0xFF6B6B))(Output.isTerminal ? "⬡" : "x")
    case .open: Style.color(RGB(0xFFD166))(Output.isTerminal ? "⬡" : "o")
    case .off: Style.faint(Output.isTerminal ? "·" : ".")
    case .unshared: Style.faint("-")
    case .before: " "
    }
  }
}
