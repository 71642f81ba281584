import Daybook

/// Finds a hive of a member by key, whole name, or unambiguous prefix.
enum HiveChoice {
  private static let choice = EntityFinder(
    noun: "hive",
    whenEmpty:
      "You are in no hive yet; `daybook hives add NAME` creates one, `daybook join CODE` joins one."
  )

  static func find(_ text: String, in state: BookState, for account: Account.ID) throws -> Hive.ID {
    try choice.find(
      text, in: state.hives, among: state.hives(of: account).compactMap { state.hives[$0] })
  }
}

extension ActorOptions {
  /// The account that views the answer: the one named, else the book's only one.
  func viewer(_ context: QueryContext) throws -> Account.ID {
    try context.account ?? account(in: context.people)
  }
}
