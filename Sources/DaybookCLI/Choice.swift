import Daybook

/// Finds what a person means by a text: a key, a whole name, its number, a prefix that only one name has, or the beginning
/// of a word in it.
struct Choice {
  /// What is looked for, in one word: "habit".
  let noun: String
  /// What to do when there is nothing to choose from, as a sentence.
  let whenEmpty: String
  /// What to do when it is none of those there are, as a sentence.
  var whenMissing: String?

  /// Finds the number of what is meant among some of a table; a key may name any of the table that is not
  /// deleted.
  func find<Kind: Entity>(
    _ text: String, in table: Daybook.Table<Kind>, among candidates: [Kind],
    likely isLikely: (Kind) -> Bool = { _ in true }
  ) throws -> EntityNumber<Kind> {
    if let key = Key(text) {
      guard let number = table.number(of: key), table[number]?.isDeleted == false else {
        throw Failure("\(noun)_not_found", "There is no such \(noun): \(key).")
      }
      return number
    }
    let found = try find(
      text, among: candidates, likely: isLikely, number: { table.number(of: $0.key)?.number })
    guard let number = table.number(of: found.key) else {
      throw Failure("\(noun)_not_found", "There is no such \(noun): \(found.key).")
    }
    return number
  }

  /// Finds what is meant by a name, or by the beginning of a key.
  ///
  /// - Parameters:
  ///   - text: What a person wrote.
  ///   - candidates: What there is to choose from.
  ///   - isLikely: Tells apart what the text names as well: a whole name means what is called so, likely or not,
  ///     before what merely begins so.
  ///   - number: The short number of one, by which it can be named, too, and which an error lists; none without it.
  ///   - names: What one is called, that first which goes before others; by it an error lists it.
  /// - Returns: The one that is meant.
  /// - Throws: ``Failure`` when it is none, or may be several.
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
      throw Failure("\(noun)_not_found", missing(text, candidates.compactMap { names($0).first }))
    }
    guard found.count == 1 else {
      throw Failure("\(noun)_ambiguous", ambiguous(text, found, number, names))
    }
    return first
  }

  /// Those whose whole name it is, letter by letter, else those whose whole name it is, else those whose name
  /// begins so or whose number it is, else those of whose name a later word begins so, else those whose key begins so (eight
  /// digits at least); but in the first, letters of either case are alike.
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
    // What may be a number or the beginning of a name is ambiguous, not silently either.
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
    // Where a name begins like a number, the number does not tell them apart.
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
  /// Whether a word that is not the first begins so, with what follows it.
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
  /// The entity as an error lists it.
  var label: String { "\"\(displayName)\" (\(key))" }
}
