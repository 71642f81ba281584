import Daybook

/// Finds the hive that a member means: by its key, its whole name, or a prefix that only one name has.
enum HiveChoice {
  static func find(_ text: String, in state: State, for account: Account.ID) throws -> Hive.ID {
    if let key = Key(text) {
      guard let number = state.hives.number(of: key) else { throw HiveRejection.hiveNotFound }
      return number
    }
    let hives = state.hives(of: account).compactMap { state.hives[$0] }
    let found = hives.matches(text, name: \.description.name, key: \.key)
    guard let first = found.first, let number = state.hives.number(of: first.key) else {
      let names = hives.prefix(12).map { "\"\($0.description.name)\"" }.joined(separator: ", ")
      throw Failure(
        "hive_not_found",
        hives.isEmpty
          ? "You are in no hive yet; `daybook hives add NAME` begins one, `daybook join CODE` joins one."
          : "No hive's name begins with \"\(text)\"; there are \(names).")
    }
    guard found.count == 1 else {
      let candidates = found.map { "\"\($0.description.name)\" (\($0.key))" }
      throw Failure(
        "hive_ambiguous",
        "\"\(text)\" may be \(candidates.joined(separator: " or ")); give more of the name, or the key."
      )
    }
    return number
  }
}

extension ActorOptions {
  /// The account that acts, when a question is seen by somebody: the one named, else the book's only one.
  func viewer(_ sight: Sight) throws -> Account.ID {
    try sight.account ?? account(in: sight.state)
  }
}
