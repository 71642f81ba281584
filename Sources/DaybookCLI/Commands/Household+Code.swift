import ArgumentParser
import Daybook
import DaybookStore

/// The options for joining with a code: who, which code, and when.
struct JoinOptions: JoinedOptions {
  var options = BookOptions()
  var actor = ActorOptions()
  @Argument(help: "The code: twelve hexadecimal digits.")
  var code: String
  var clock = ClockOptions()

  static var parts: [OptionPart<Self>] {
    [OptionPart(\.options), OptionPart(\.actor), OptionPart("code", \._code), OptionPart(\.clock)]
  }

  /// Records the command that joins, and prints the result.
  func run<C: RequestBody>(
    _ command: C, words: (C.Answer, BookState) throws -> String
  ) throws {
    try CommandAnswer(options, actor, clock).run(command, words: words)
  }
}

extension Households {
  struct Code: RecordingCommand {
    static let records: [any ColumnCommand.Type] = [
      CreateHouseholdCode.self, RevokeHouseholdCode.self,
    ]
    static let configuration = CommandConfiguration(
      commandName: "code",
      abstract: "Show the household's join code; make one if there is none.")
    @OptionGroup var change: HouseholdChangeOptions
    @Flag(help: "Make a new code; the old one is no longer valid.")
    var new = false
    @Flag(help: "Revoke it: nobody can join by it any more.")
    var off = false
    @Option(help: "For how many days a new code is valid.")
    var days: Int = 7

    mutating func validate() throws {
      guard !new || !off else { throw ValidationError("give --new or --off") }
      guard (1...3650).contains(days) else {
        throw ValidationError("--days: \(days) is not from 1 to 3650")
      }
    }

    func run() throws {
      if off { return try revoke() }
      let (isNew, minutes) = (new, days * 1440)
      let (zones, actor) = (change.options.reader.zones, change.actor)
      try change.run { context in
        CreateHouseholdCode(context.household, minutes: minutes, isNew: isNew)
      } words: { number, state in
        guard let household = state.households[number], let code = household.code else { return "" }
        let account = state.accounts[try actor.account(in: state)]
        let until = code.expires.words(for: account, Query(asOf: state.at, zones: zones))
        return "\(household.name) shows \(code.text) until \(until). To join: "
          + "`daybook household join \(code.text)`."
      }
    }

    private func revoke() throws {
      try change.run {
        RevokeHouseholdCode($0.household)
      } words: { number, state in
        "\(state.households[number]?.name ?? "") has no join code."
      }
    }
  }

  struct Join: RecordingCommand {
    static let records: [any ColumnCommand.Type] = [JoinHousehold.self]
    static let configuration = CommandConfiguration(
      commandName: "join", abstract: "Join a household by its code.")
    @OptionGroup var joining: JoinOptions

    func run() throws {
      try joining.run(JoinHousehold(joining.code)) { number, state in
        let household = state.households[number]
        let others = max(0, (household?.activeMembers.count ?? 1) - 1)
        return "You are in \(household?.name ?? "") now, with \(others.counted("other"))."
      }
    }
  }
}
