package import Values

extension Account {
  /// The name as others are shown it in short: "Profile" when there is none, else the first name and the initial
  /// of the last (DG-1): "Ada Lovelace" is "Ada L.".
  public var shortName: String { Self.shortName(of: displayName) }

  /// As ``shortName``, of any name.
  package static func shortName(of name: String) -> String {
    let words = name.split(whereSeparator: \.isWhitespace)
    guard let first = words.first else { return "Profile" }
    guard words.count > 1, let initial = words.last?.first else { return String(first) }
    return "\(first) \(initial.uppercased())."
  }

  /// The name of somebody who signed up and gave none: "Bee " and the first six of the id (HH-1).
  package static func signUpName(of key: Key) -> String { "Bee \(key.description.prefix(6))" }
}
