extension Ingredient {
  /// Reads a line in the usual form, in the languages of ``KitchenUnit``; what is not understood stays in
  /// ``text``.
  ///
  /// ```
  /// line     = [ mark ] ( quantity food | food quantity ) [ ", " note | " (" note ")" ]
  /// quantity = [ "ca." ] amount [ "-" amount ] [ "(" note ")" ] [ unit [ "/" amount unit ] ]
  /// amount   = "2" | "1/2" | "1 1/2" | "2¼" | "0.5" | "0,5" | "1.000" | "1 000"
  /// ```
  ///
  /// For "2-3", ``amount`` is the lower number, ``upperAmount`` the higher, and the note gives both. A word
  /// that is not a known unit belongs to the food: "2 brown onions" are two. A size is a unit, so only lines
  /// with the same size add up. A line without an amount is all food, up to its note.
  public init(parsing line: String) {
    var reader = IngredientLineReader(line)
    let (amount, upper, unit) = reader.takeQuantity()
    let food = reader.takeFood()
    self.init(
      text: line, amount: amount, upperAmount: upper, unit: unit, food: food, note: reader.note)
  }
}

/// Takes a line apart, part by part.
struct IngredientLineReader {
  /// An amount and its unit; each part is `nil` when the line does not give it.
  typealias Quantity = (amount: Rational?, upper: Rational?, unit: String?)

  var rest: Substring
  var notes: [String] = []
  /// The notes after the food and its amount.
  var lastNotes: [String] = []
  /// Whether a bracket after the amount is the only note: "1 (16 ounce) package dry lentils, rinsed".
  private var commasAreFood = false

  /// The notes, in the order of the line.
  var note: String? {
    let all = notes + lastNotes
    return all.isEmpty ? nil : all.joined(separator: ", ")
  }

  init(_ line: String) {
    let words = line.withPlainForms.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    rest = Substring(words.replacing(" ,", with: ","))
    trimMarks()
  }

  /// Reads part of a line, with marks and spaces already removed.
  init(part: Substring) { rest = part }

  /// Removes list marks from the front, and stray commas from both ends.
  private mutating func trimMarks() {
    while let first = rest.first {
      if let box = ["[ ]", "[]", "[x]", "[X]"].first(where: { rest.hasPrefix($0) }) {
        rest.removeFirst(box.count)
        continue
      }
      guard IngredientWords.marks.contains(first) else { break }
      // ".5" is a number.
      if first == ".", rest.dropFirst().first?.isWholeNumber == true { break }
      rest.removeFirst()
    }
    while let last = rest.last, ", _*".contains(last) { rest.removeLast() }
  }

  // MARK: Quantity

  /// The amount and its unit, before the food or after it.
  mutating func takeQuantity() -> Quantity {
    guard let (written, upper) = takeAmount() else {
      if takeVagueAmount() { return (nil, nil, nil) }
      return takeNumberWord() ?? takeAmountBehind() ?? (nil, nil, nil)
    }
    var amount = upper == nil ? takeHalf(behind: written) : written
    commasAreFood = takeBracket()
    takePackageSize()
    let unit = takeUnit(of: upper ?? amount)
    if upper == nil, unit != nil { amount = takeAndHalf(behind: amount) ?? amount }
    guard upper == nil, let unit, let (sum, other) = takeAddend(to: amount, unit) else {
      return (amount, upper, unit)
    }
    return (sum, nil, other)
  }

  /// Takes a half after an amount or its unit, and returns the sum: "2 and a half cups", "1 cup and a half".
  private mutating func takeAndHalf(behind amount: Rational) -> Rational? {
    let lower = rest.lowercased()
    guard lower.count == rest.count,
      let words = IngredientWords.andHalves.first(where: { lower.hasPrefix("\($0) ") }),
      let sum = amount.adding(.half)
    else { return nil }
    rest = rest.dropFirst(words.count).drop { $0 == " " }
    takeConnective()
    return sum
  }

  /// Adds the half that follows an amount: "2 and a half cups", "1 halbe Zwiebel".
  private mutating func takeHalf(behind amount: Rational) -> Rational {
    if let sum = takeAndHalf(behind: amount) { return sum }
    guard amount == .one, takeWord(in: IngredientWords.halves) != nil else { return amount }
    _ = takeWord(in: ["a", "an"])
    return .half
  }

  /// Adds a second quantity, in its own unit: "1 cup plus 2 tbsp" is 18 tbsp.
  private mutating func takeAddend(to amount: Rational, _ unit: String) -> (Rational, String)? {
    var addend = self
    guard addend.takeWord(in: ["plus", "+", "und", "and", "&"]) != nil,
      let more = addend.takeAmount(), more.upper == nil, let (other, length) = addend.knownUnit(),
      length < addend.rest.count, other.isMeasured,
      let sum = KitchenUnit(unit).convert(amount, to: other)?.adding(more.amount)
    else { return nil }
    let written = String(addend.rest.prefix(length))
    rest = addend.rest.dropFirst(length).drop { $0 == " " }
    takeConnective()
    return (sum, written)
  }

  /// Turns a vague amount into a note: "etwas Salz", "some salt".
  private mutating func takeVagueAmount() -> Bool {
    let lower = rest.lowercased()
    guard lower.count == rest.count,
      let words = IngredientWords.vague.first(where: { lower.hasPrefix("\($0) ") })
    else { return false }
    notes.append(String(rest.prefix(words.count)))
    rest = rest.dropFirst(words.count).drop { $0 == " " }
    takeConnective()
    return true
  }

  /// Takes an amount written as a word: "a pinch of", "eine Prise", "zwei EL" with a known unit; "zwei Eier",
  /// "two eggs" without; "ein halbes Pfund", "eine halbe Zwiebel".
  private mutating func takeNumberWord() -> Quantity? {
    let start = self
    let word = firstWord
    guard let number = IngredientWords.numbers[word.lowercased()], word.count < rest.count else {
      return nil
    }
    rest = rest.dropFirst(word.count).drop { $0 == " " }
    let whole = Rational(number)
    var amount = takeHalf(behind: whole)
    takeQualifier()
    if knownUnit() != nil {
      if let unit = takeUnit(of: amount) {
        amount = takeAndHalf(behind: amount) ?? amount
        return (amount, nil, unit)
      }
    } else if amount != whole || number > 1, rest.isPluralName || rest.first?.isUppercase == true {
      return (amount, nil, nil)
    }
    self = start
    return nil
  }

  /// Turns the size of a package into a note: "2 400 g tins", "1 14-oz can".
  private mutating func takePackageSize() {
    let start = rest
    guard takeNumber() != nil else { return }
    if rest.first == "-" || rest.first == " " { rest.removeFirst() }
    if let (unit, length) = knownUnit(), unit.isMeasured {
      let behind = rest.dropFirst(length)
      rest = behind.drop { $0 == " " }
      if behind.first == " ", let (package, _) = knownUnit(), case .own = package.dimension {
        notes.append(String(start[..<behind.startIndex]))
        return
      }
    }
    rest = start
  }

  // MARK: Unit

  /// Takes the unit before a food; `nil` when the next word belongs to the food.
  private mutating func takeUnit(of amount: Rational) -> String? {
    takeQualifier()
    if let (unit, length) = knownUnit() {
      let written = rest.prefix(length)
      let after = rest.dropFirst(length).drop { $0 == " " }
      // "3 cloves" may be the spice, but "500 g" is not a food.
      guard !after.isEmpty || unit.isMeasured else { return nil }
      rest = after
      takeOtherMeasure()
      takeContent()
      _ = takeBracket()
      takeConnective()
      return String(written)
    }
    let word = firstWord
    let after = rest.dropFirst(word.count).drop { $0 == " " }
    guard !after.isEmpty, after.first != "(", word.last != ",", word.first != "(",
      !word.contains(where: \.isNumber), isUnit(word, of: after, amount)
    else { return nil }
    rest = after
    _ = takeWord(in: ["of"])
    return String(word)
  }

  /// Whether a word counts as a unit although it is not a known one.
  private func isUnit(_ word: Substring, of food: Substring, _ amount: Rational) -> Bool {
    let lower = word.lowercased()
    if IngredientWords.sizes.contains(lower) || lower == "x" || lower == "×" { return true }
    if IngredientWords.describing.contains(lower) { return false }
    if food.lowercased().hasPrefix("of ") { return true }
    // Some programs write "1 Zwiebel gehackt", with the preparation after the food, and "4 acorn squash",
    // where the food has no plural.
    let name = food.prefix { $0 != "," && $0 != "(" }.split(separator: " ")
    guard let last = name.last else { return false }
    if word.first?.isUppercase == true { return last.isGermanParticiple }
    return amount > .one && name.count == 1 && word.isPlainSingular && last.isPlainSingular
  }

  /// Turns the fill or size of a known unit into a note: "heaped tbsp", "kleine Dose".
  mutating func takeQualifier() {
    let word = firstWord
    guard IngredientWords.qualifiers.contains(word.lowercased()) else { return }
    var behind = self
    behind.rest = rest.dropFirst(word.count).drop { $0 == " " }
    guard let (_, length) = behind.knownUnit(), length < behind.rest.count else { return }
    notes.append(String(word))
    rest = behind.rest
  }

  /// The known unit at the front, of up to three words, and its length including the spaces between them.
  func knownUnit() -> (unit: KitchenUnit, length: Int)? {
    let words = rest.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false).prefix(3)
    for count in stride(from: words.count, to: 0, by: -1) {
      let written = words.prefix(count).joined(separator: " ")
      if let unit = KitchenUnit.known(written) { return (unit, written.count) }
    }
    // "200g/7oz", "2個(100g)"
    guard let first = words.first, let end = first.firstIndex(where: { $0 == "/" || $0 == "(" }),
      first[end] == "(" || first[end...].dropFirst().first?.isNumber ?? true,
      let unit = KitchenUnit.known(first[..<end])
    else { return nil }
    return (unit, first[..<end].count)
  }

  /// Turns the same amount in another measure, "/7 oz", into a note.
  private mutating func takeOtherMeasure() {
    guard rest.first == "/" else { return }
    var other = IngredientLineReader(part: rest.dropFirst().drop { $0 == " " })
    let written = other.rest
    guard other.takeAmount() != nil, let (_, length) = other.knownUnit(),
      length < other.rest.count
    else { return }
    let behind = other.rest.dropFirst(length)
    notes.append(String(written[..<behind.startIndex]))
    rest = behind.drop { $0 == " " }
  }

  /// Turns the content of each piece into a note: "à 500 g".
  private mutating func takeContent() {
    var content = self
    guard let word = content.takeWord(in: ["à", "á", "je"]), content.takeAmount() != nil,
      let (unit, length) = content.knownUnit(), unit.isMeasured, length < content.rest.count
    else { return }
    let behind = content.rest.dropFirst(length)
    notes.append("\(word) \(rest[..<behind.startIndex].dropFirst(word.count).droppingSpace)")
    rest = behind.drop { $0 == " " }
  }

  /// Takes "of", "de", "d'" between a known unit and its food.
  private mutating func takeConnective() {
    if takeWord(in: IngredientWords.connectives) != nil { return }
    let elided = ["d'", "d’", "dell'", "dell’"].first { rest.lowercased().hasPrefix($0) }
    if let elided, elided.count < rest.count { rest.removeFirst(elided.count) }
  }

  // MARK: Food and note

  /// Takes the food, and moves remarks on it to the notes.
  mutating func takeFood() -> String? {
    let place = notes.count
    let food = takeTrailingBracket() ?? (commasAreFood ? nil : takeTrailingText())
    var name = (food ?? String(rest)).trimmed[...]
    if !commasAreFood, let (shorter, said) = IngredientWords.withoutPreparation(name) {
      name = shorter
      notes.insert(said, at: place)
    }
    return name.isEmpty ? nil : String(name)
  }

  /// Takes a bracket that comes next as a note, unless nothing follows it.
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

  /// Takes the text before a bracket that ends the line; the bracket becomes a note.
  private mutating func takeTrailingBracket() -> String? {
    guard let bracket = rest.trailingBracket else { return nil }
    notes.append(String(rest[bracket...].dropFirst().dropLast()).trimmed)
    return String(rest[..<bracket])
  }

  /// Takes the text before the first comma outside brackets; the text after it becomes a note.
  private mutating func takeTrailingText() -> String? {
    guard let comma = rest.firstComma else { return nil }
    notes.append(String(rest[comma...].dropFirst()).trimmed)
    return String(rest[..<comma])
  }

  // MARK: Words

  var firstWord: Substring { rest.prefix { $0 != " " } }

  mutating func takeWord(in words: Set<String>) -> String? {
    let word = String(firstWord)
    guard words.contains(word.lowercased()), word.count < rest.count else { return nil }
    rest = rest.dropFirst(word.count).drop { $0 == " " }
    return word
  }
}

extension KitchenUnit {
  /// Whether the unit measures mass or volume.
  var isMeasured: Bool { dimension == .mass || dimension == .volume }
}
