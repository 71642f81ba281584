import ArgumentParser
import Avro
import Daybook
import DaybookStore

/// The options of a command that changes a named hive.
struct HiveChangeOptions: JoinedOptions {
  var options = BookOptions()
  var actor = ActorOptions()
  @Argument(help: "The hive: a prefix of its name, or its key.", completion: Completions.hives)
  var hive: String
  var clock = ClockOptions()

  static var parts: [OptionPart<Self>] {
    [OptionPart(\.options), OptionPart(\.actor), OptionPart("hive", \._hive), OptionPart(\.clock)]
  }

  func run<C: RequestBody>(
    _ command: (Hive.ID, BookState, Account.ID) throws -> C, _ words: (Hive, BookState) -> String
  ) throws where C.Answer == Hive.ID {
    try CommandAnswer(options, actor, clock).run({ state, account in
      try command(try HiveChoice.find(hive, in: state, for: account), state, account)
    }) { number, state in
      words(try state.found(number), state)
    }
  }

  func runDay<C: RequestBody>(
    _ day: String?, _ command: (Hive.ID, DayChoice) -> C,
    _ words: (HiveCard, HiveMemberDay, _ hasChanged: Bool) -> String
  ) throws where C.Answer == HiveMemberDay {
    let answer = try CommandAnswer(options, actor, clock)
    try answer.record({ state, account in
      let choice = try DayArgument.choice(day, for: account, in: state, answer.query(state))
      return command(try HiveChoice.find(hive, in: state, for: account), choice)
    }) { receipt, state in
      let day = receipt.answer
      var query = answer.query(state)
      query.on = day.day
      return words(
        try state.hiveCard(day.hive, for: day.member, query), day, receipt.count > 0)
    }
  }
}

extension BookState {
  /// The hive after a command changed it.
  func found(_ number: Hive.ID) throws -> Hive {
    guard let hive = hives[number] else { throw Rejection.hiveNotFound }
    return hive
  }
}

/// The argument that selects a member of a hive or a household.
struct MemberArgument: ParsableArguments {
  @Argument(help: "The member: a prefix of the name, or the key.", completion: Completions.people)
  var member: String

  /// Finds a member of a hive by key, whole name, or unambiguous prefix.
  func find(in hive: Hive.ID, _ state: BookState) throws -> Account.ID {
    let members = state.hives[hive]?.activeMembers.compactMap { state.accounts[$0.account] } ?? []
    return try EntityFinder(noun: "member", whenEmpty: "The hive has no members.")
      .find(member, in: state.accounts, among: members)
  }
}

extension Hive {
  /// The emoji and name of the hive.
  var title: String {
    [description.emoji, description.name].filter { !$0.isEmpty }.joined(separator: " ")
  }
}

extension HiveCard {
  /// The number of members done: "2/3 done".
  var ring: String {
    switch day.verdict {
    case .off: "not due"
    case .before: "before the hive"
    case .leftOut: "the day never was"
    case .advanced: "\(day.completeCount)/\(day.requiredCount) done, advanced"
    default:
      "\(day.completeCount)/\(day.requiredCount) done"
        + (day.neededCount < day.requiredCount ? " (\(day.neededCount) needed)" : "")
    }
  }
}
