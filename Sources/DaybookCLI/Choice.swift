import Daybook

/// Finds what a person means by a text: a key, a whole name, or a prefix that only one name has.
struct Choice {
  /// What is looked for, in one word: "habit".
  let noun: String
  /// What to do when there is nothing to choose from, as a sentence.
  let whenEmpty: String

  /// Finds the number of what is meant among some of a table; a key may name any of the table that is not
  /// deleted.
  func find<Kind: Entity>(
    _ text: String, in table: Daybook.Table<Kind>, among candidates: [Kind]
  ) throws -> EntityNumber<Kind> {
    if let key = Key(text) {
      guard let number = table.number(of: key), table[number]?.isDeleted == false else {
        throw Failure("\(noun)_not_found", "There is no such \(noun): \(key).")
      }
      return number
    }
    let found = try find(text, among: candidates)
    guard let number = table.number(of: found.key) else {
      throw Failure("\(noun)_not_found", "There is no such \(noun): \(found.key).")
    }
    return number
  }

  /// Finds the entity that is meant by a name, or by the beginning of a key.
  func find(_ text: String, among candidates: [any Entity]) throws -> any Entity {
    let found = Self.matches(text, among: candidates)
    guard let first = found.first else {
      throw Failure("\(noun)_not_found", missing(text, among: candidates))
    }
    guard found.count == 1 else {
      let labels = found.map(\.label).joined(separator: " or ")
      throw Failure(
        "\(noun)_ambiguous", "\"\(text)\" may be \(labels); give more of the name, or the key.")
    }
    return first
  }

  /// Those whose whole name it is, letter by letter, else those whose whole name it is, else those whose name
  /// begins so, else those whose key begins so (eight digits at least); but in the first, letters of either case
  /// are alike.
  private static func matches(_ text: String, among candidates: [any Entity]) -> [any Entity] {
    let wanted = text.lowercased()
    guard !wanted.isEmpty else { return [] }
    let exact = candidates.filter { $0.calledName == text }
    if !exact.isEmpty { return exact }
    let whole = candidates.filter { $0.calledName.lowercased() == wanted }
    if !whole.isEmpty { return whole }
    let begun = candidates.filter { $0.calledName.lowercased().hasPrefix(wanted) }
    if !begun.isEmpty || wanted.count < 8 { return begun }
    return candidates.filter { $0.key.description.hasPrefix(wanted) }
  }

  private func missing(_ text: String, among candidates: [any Entity]) -> String {
    guard !candidates.isEmpty else { return whenEmpty }
    let names = candidates.prefix(12).map { "\"\($0.calledName)\"" }.joined(separator: ", ")
    let more = candidates.count > 12 ? " and \(candidates.count - 12) more." : "."
    return "No \(noun)'s name begins with \"\(text)\"; there are \(names)\(more)"
  }
}

extension Entity {
  /// The entity as an error lists it.
  var label: String { "\"\(calledName)\" (\(key))" }
}
