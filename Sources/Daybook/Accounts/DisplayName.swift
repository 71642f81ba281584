package import Values

extension Account {
  /// The short name that others see: "Profile" when there is no name, else the first name and the initial of the last
  /// (DG-1); "Ada Lovelace" is "Ada L.".
  public var shortName: String { Self.shortName(of: displayName) }

  /// As ``shortName``, of any name.
  package static func shortName(of name: String) -> String {
    let words = name.split(whereSeparator: \.isWhitespace)
    guard let first = words.first else { return "Profile" }
    guard words.count > 1, let initial = words.last?.first else { return String(first) }
    return "\(first) \(initial.uppercased())."
  }

  /// The name of a person who signed up without one: "Bee " and the first six digits of the id (HH-1).
  package static func signUpName(of key: Key) -> String { "Bee \(key.description.prefix(6))" }
}
