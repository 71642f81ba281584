extension Ingredient {
  /// Reads a line as recipes have them, in English or German; what is not understood stays in ``text``.
  ///
  /// ```
  /// line   = [ "ca." ] [ amount [ "-" amount ] ] [ "(" note ")" ] [ unit ] food [ ", " note | " (" note ")" ]
  /// amount = "2" | "1/2" | "1 1/2" | "2¼" | "0.5" | "0,5"
  /// ```
  ///
  /// The word after an amount is its unit when a food follows it: "1 large red onion" is one large of red onion,
  /// so that lines which name the same size add up, and no others. Of "2-3" the amount is the lower, and the note
  /// says both. A line without an amount is all food, up to its note.
  public init(parsing line: String) {
    var reader = IngredientLineReader(line)
    let (amount, unit) = reader.takeQuantity()
    let food = reader.takeFood()
    self.init(text: line, amount: amount, unit: unit, food: food, note: reader.note)
  }
}

/// Takes the parts off the front of a line.
private struct IngredientLineReader {
  private var rest: Substring
  private var notes: [String] = []
  /// "1 (16 ounce) package dry lentils, rinsed": a bracket behind the amount is the note, and the only one.
  private var commasAreFood = false

  /// The notes in the order of the line.
  var note: String? { notes.isEmpty ? nil : notes.joined(separator: ", ") }

  init(_ line: String) {
    let words = line.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    rest = Substring(words.replacing(" ,", with: ","))
    trimMarks()
  }

  /// Marks that lists put before a line, and commas left over at either end.
  private mutating func trimMarks() {
    while let first = rest.first, " ,.=+#*-–—•·:;~".contains(first) {
      // ".5" is a number.
      if first == ".", rest.dropFirst().first?.isWholeNumber == true { break }
      rest.removeFirst()
    }
    while let last = rest.last, last == "," || last == " " { rest.removeLast() }
  }

  // MARK: Amount and unit

  /// The amount and its unit; neither when the line does not begin with an amount.
  mutating func takeQuantity() -> (amount: Rational?, unit: String?) {
    guard let amount = takeAmount() else { return takeArticle() }
    commasAreFood = takeBracket()
    return (amount, takeUnit())
  }

  private mutating func takeAmount() -> Rational? {
    let start = rest
    let approximate = takeWord(in: [
      "ca.", "ca", "circa", "etwa", "about", "approx.", "approximately",
    ])
    let written = rest
    guard let low = Rational.taken(from: &rest) else {
      rest = start
      return nil
    }
    let afterLow = rest
    var range: String?
    if takeRangeMark(), Rational.taken(from: &rest) != nil, takeEndOfAmount() {
      range = String(written[..<rest.startIndex]).trimmed
    } else {
      rest = afterLow
      guard takeEndOfAmount() else {
        rest = start
        return nil
      }
    }
    notes += [approximate, range].compactMap(\.self)
    return low
  }

  /// "-", or a word for it between two amounts.
  private mutating func takeRangeMark() -> Bool {
    var after = rest.drop { $0 == " " }
    if let mark = after.first, "-–—".contains(mark) {
      after.removeFirst()
    } else if let word = ["to ", "bis "].first(where: after.hasPrefix) {
      after.removeFirst(word.count)
    } else {
      return false
    }
    rest = after.drop { $0 == " " }
    return true
  }

  /// An amount ends at a space, a bracket, the end of the line or a known unit: "2½l", but not "3%" or "1-inch".
  private mutating func takeEndOfAmount() -> Bool {
    guard let next = rest.first, next != " ", next != "(" else {
      rest = rest.drop { $0 == " " }
      return true
    }
    return KitchenUnit.known(String(firstWord)) != nil
  }

  /// "a pinch of", "eine Prise": one of a known unit.
  private mutating func takeArticle() -> (amount: Rational?, unit: String?) {
    let start = rest
    if takeWord(in: ["a", "an", "one", "ein", "eine", "einen"]) != nil,
      KitchenUnit.known(String(firstWord)) != nil, let unit = takeUnit()
    {
      return (.one, unit)
    }
    rest = start
    return (nil, nil)
  }

  /// The unit before a food; nothing when the next word is the food.
  private mutating func takeUnit() -> String? {
    if let (unit, length) = knownUnit() {
      let written = rest.prefix(length)
      let after = rest.dropFirst(length).drop { $0 == " " }
      // "3 cloves" may be the spice, but "500 g" is no food.
      guard !after.isEmpty || unit.dimension == .mass || unit.dimension == .volume else {
        return nil
      }
      rest = after
      _ = takeBracket()
      _ = takeWord(in: ["of"])
      return String(written)
    }
    let word = firstWord
    let after = rest.dropFirst(word.count).drop { $0 == " " }
    guard !after.isEmpty, after.first != "(", word.last != ",", word.first != "(",
      !word.contains(where: \.isNumber)
    else { return nil }
    rest = after
    _ = takeWord(in: ["of"])
    return String(word)
  }

  /// A known unit of up to three words, and its length with the spaces between them.
  private func knownUnit() -> (KitchenUnit, Int)? {
    let words = rest.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false).prefix(3)
    for count in stride(from: words.count, to: 0, by: -1) {
      let written = words.prefix(count).joined(separator: " ")
      if let unit = KitchenUnit.known(written) { return (unit, written.count) }
    }
    return nil
  }

  // MARK: Food and note

  /// The food, with what is said of it gone to the notes.
  mutating func takeFood() -> String? {
    let food = takeTrailingBracket() ?? (commasAreFood ? nil : takeTrailingText())
    let name = (food ?? String(rest)).trimmed
    return name.isEmpty ? nil : name
  }

  /// A note in brackets that comes next, unless nothing follows it.
  private mutating func takeBracket() -> Bool {
    guard rest.first == "(", let end = rest.endOfBracket(from: rest.startIndex) else {
      return false
    }
    let note = rest[..<end].dropFirst().dropLast()
    let after = rest[end...].drop { $0 == " " }
    guard !after.isEmpty else { return false }
    notes.append(String(note).trimmed)
    rest = after
    return true
  }

  /// What stands before a bracket that ends the line; the bracket becomes a note.
  private mutating func takeTrailingBracket() -> String? {
    guard rest.last == ")" else { return nil }
    var start = rest.startIndex
    while let bracket = rest[start...].firstIndex(of: "(") {
      guard let end = rest.endOfBracket(from: bracket) else { return nil }
      guard end != rest.endIndex else {
        // "Ei(er)" is a word; a bracket that is all there is says what the food is.
        guard bracket != rest.startIndex, rest[rest.index(before: bracket)] == " " else {
          return nil
        }
        notes.append(String(rest[bracket...].dropFirst().dropLast()).trimmed)
        return String(rest[..<bracket])
      }
      start = end
    }
    return nil
  }

  /// What stands before the first comma that is in no bracket; what stands after it becomes a note.
  private mutating func takeTrailingText() -> String? {
    var depth = 0
    for index in rest.indices {
      switch rest[index] {
      case "(": depth += 1
      case ")": depth -= 1
      case "," where depth <= 0 && rest[index...].dropFirst().first == " ":
        notes.append(String(rest[index...].dropFirst()).trimmed)
        return String(rest[..<index])
      default: break
      }
    }
    return nil
  }

  // MARK: Words

  private var firstWord: Substring { rest.prefix { $0 != " " } }

  private mutating func takeWord(in words: Set<String>) -> String? {
    let word = String(firstWord)
    guard words.contains(word.lowercased()), word.count < rest.count else { return nil }
    rest = rest.dropFirst(word.count).drop { $0 == " " }
    return word
  }
}

extension Substring {
  /// The place after the bracket that closes the one at a place; nothing when none does.
  fileprivate func endOfBracket(from start: Index) -> Index? {
    var depth = 0
    for index in self[start...].indices {
      if self[index] == "(" { depth += 1 }
      if self[index] == ")" { depth -= 1 }
      if depth == 0 { return self.index(after: index) }
    }
    return nil
  }
}

extension String {
  /// Without spaces and commas at either end.
  fileprivate var trimmed: String {
    let isEdge = { (character: Character) in character.isWhitespace || character == "," }
    guard let first = firstIndex(where: { !isEdge($0) }),
      let last = lastIndex(where: { !isEdge($0) })
    else { return "" }
    return String(self[first...last])
  }
}
