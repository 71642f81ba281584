import Daybook

/// Finds the entity that a text denotes: by key, whole name, number, unambiguous prefix, or the beginning of
/// a word in the name.
struct EntityFinder {
  /// The kind of entity, in one word: "habit".
  let noun: String
  /// A hint in case there is nothing to choose from, as a sentence.
  let whenEmpty: String
  /// A hint in case no entity matches, as a sentence.
  var whenMissing: String?

  /// Finds the number of an entity among some of a table; a key may denote any entity of the table that is
  /// not deleted.
  func find<Kind: Entity>(
    _ text: String, in table: Daybook.Table<Kind>, among candidates: [Kind],
    likely isLikely: (Kind) -> Bool = { _ in true }
  ) throws -> EntityNumber<Kind> {
    if let key = Key(text) {
      guard let number = table.number(of: key), table[number]?.isDeleted == false else {
        throw CommandFailure("\(noun)_not_found", "There is no such \(noun): \(key).")
      }
      return number
    }
    let found = try find(
      text, among: candidates, likely: isLikely, number: { table.number(of: $0.key)?.number })
    guard let number = table.number(of: found.key) else {
      throw CommandFailure("\(noun)_not_found", "There is no such \(noun): \(found.key).")
    }
    return number
  }

  /// Finds an entity by a name, or by the beginning of a key.
  ///
  /// - Parameters:
  ///   - text: The text that a person wrote.
  ///   - candidates: The entities to choose from.
  ///   - isLikely: Decides between several matches. A whole name always matches before a prefix, likely or
  ///     not.
  ///   - number: The short number of a candidate, which also denotes it and is shown in errors; `nil` for
  ///     none.
  ///   - names: The names of a candidate in order of precedence; errors show the first.
  /// - Returns: The entity.
  /// - Throws: ``CommandFailure`` when none matches, or when several do.
  func find<Candidate: Entity>(
    _ text: String, among candidates: [Candidate],
    likely isLikely: (Candidate) -> Bool = { _ in true },
    number: (Candidate) -> Int32? = { _ in nil },
    names: (Candidate) -> [String] = { [$0.displayName] }
  ) throws -> Candidate {
    let named = Self.matches(text, among: candidates, number, names)
    let likely = named.filter(isLikely)
    let found = likely.isEmpty ? named : likely
    guard let first = found.first else {
      throw CommandFailure(
        "\(noun)_not_found", missing(text, candidates.compactMap { names($0).first }))
    }
    guard found.count == 1 else {
      throw CommandFailure("\(noun)_ambiguous", ambiguous(text, found, number, names))
    }
    return first
  }

  /// The candidates that match, by the first criterion that any of them meets: the exact name; the name
  /// regardless of case; a prefix of the name or the number; a prefix of a later word in the name; a prefix
  /// of the key of at least eight digits. All but the first ignore case.
  private static func matches<Candidate: Entity>(
    _ text: String, among candidates: [Candidate], _ number: (Candidate) -> Int32?,
    _ names: (Candidate) -> [String]
  ) -> [Candidate] {
    let wanted = text.lowercased()
    guard !wanted.isEmpty else { return [] }
    let ways: [(String) -> Bool] = [{ $0 == text }, { $0.lowercased() == wanted }]
    let nameCount = candidates.map { names($0).count }.max() ?? 0
    for isMeant in ways {
      for place in 0..<nameCount {
        let found = candidates.filter { names($0).dropFirst(place).first.map(isMeant) ?? false }
        if !found.isEmpty { return found }
      }
    }
    // A text that fits both a number and a prefix is reported as ambiguous.
    let asNumber = Int32(text)
    for place in 0..<nameCount {
      let found = candidates.filter { candidate in
        asNumber != nil && number(candidate) == asNumber
          || names(candidate).dropFirst(place).first?.lowercased().hasPrefix(wanted) ?? false
      }
      if !found.isEmpty { return found }
    }
    let within = candidates.filter { names($0).contains { $0.lowercased().hasWord(wanted) } }
    if !within.isEmpty || wanted.count < 8 { return within }
    return candidates.filter { $0.key.description.hasPrefix(wanted) }
  }

  private func ambiguous<Candidate: Entity>(
    _ text: String, _ found: [Candidate], _ number: (Candidate) -> Int32?,
    _ names: (Candidate) -> [String]
  ) -> String {
    // If a name begins like a number, the number does not distinguish the candidates.
    let isNumber = Int32(text) != nil
    let labels = found.prefix(12).map { candidate in
      let name = "\"\(names(candidate).first ?? "")\""
      guard !isNumber, let number = number(candidate) else { return "\(name) (\(candidate.key))" }
      return "\(number) \(name)"
    }
    let more = found.count > 12 ? " or one of \(found.count - 12) more" : ""
    let others = isNumber || found.contains { number($0) == nil } ? "or the key" : "or the number"
    return
      "\"\(text)\" may be \(labels.joined(separator: " or "))\(more); give more of the name, \(others)."
  }

  private func missing(_ text: String, _ names: [String]) -> String {
    guard !names.isEmpty else { return whenEmpty }
    let listed = names.prefix(12).map { "\"\($0)\"" }.joined(separator: ", ")
    let more = names.count > 12 ? " and \(names.count - 12) more." : "."
    let hint = whenMissing.map { " " + $0 } ?? ""
    return
      "No \(noun)'s name has a word that begins with \"\(text)\"; there are \(listed)\(more)\(hint)"
  }
}

extension String {
  /// Whether a word other than the first, together with the text after it, has this prefix.
  fileprivate func hasWord(_ beginning: String) -> Bool {
    for index in indices.dropFirst() {
      let (before, first) = (self[self.index(before: index)], self[index])
      if !before.isLetter, !before.isNumber, first.isLetter || first.isNumber,
        self[index...].hasPrefix(beginning)
      {
        return true
      }
    }
    return false
  }
}

extension Entity {
  /// The entity's label in an error.
  var label: String { "\"\(displayName)\" (\(key))" }
}
