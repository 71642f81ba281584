/// Amounts: numbers, ranges, and where they occur in a line.
extension IngredientLineReader {
  /// Takes the amount at the front of the rest, and the upper one of a range.
  mutating func takeAmount() -> (amount: Rational, upper: Rational?)? {
    let start = rest
    let approximate = takeWord(in: IngredientWords.approximations)
    let written = rest
    guard let low = takeNumber() else {
      rest = start
      return nil
    }
    let afterLow = rest
    if takeRangeMark(), let high = takeNumber(), takeEndOfAmount() {
      notes += [approximate].compactMap(\.self)
      let range = String(written[..<rest.startIndex]).trimmed
      // "1-1/2 cups" means one and a half.
      if low.denominator == 1, low.isPositive, high < .one, !range.contains(" "),
        let sum = low.adding(high)
      {
        return (sum, nil)
      }
      notes.append(range)
      return (low, high > low ? high : nil)
    }
    rest = afterLow
    guard takeEndOfAmount() else {
      rest = start
      return nil
    }
    notes += [approximate].compactMap(\.self)
    return (low, nil)
  }

  /// Takes a number, including one with thousands separators where the unit shows that they are such.
  mutating func takeNumber() -> Rational? { takeGroupedNumber() ?? Rational.taken(from: &rest) }

  /// `1.000`, `1,000`, `1 000`, `1'000`.
  ///
  /// The unit decides what a point or comma before three digits means: nobody weighs to the thousandth of a
  /// gram, and nobody cooks a thousand litres. So `1.500 g` and `1,500 g` are fifteen hundred, while
  /// `1,500 kg` is one and a half.
  private mutating func takeGroupedNumber() -> Rational? {
    let digits = rest.prefix { $0.isASCII && $0.isWholeNumber }
    guard (1...3).contains(digits.count), digits.first != "0" else { return nil }
    var behind = rest[digits.endIndex...]
    guard let mark = behind.first, ".,'’ ".contains(mark) else { return nil }
    var all = String(digits)
    while behind.first == mark {
      let group = behind.dropFirst().prefix { $0.isASCII && $0.isWholeNumber }
      guard group.count == 3 else { break }
      all += group
      behind = behind[group.endIndex...]
    }
    let groups = (all.count - digits.count) / 3
    let isCutOff = behind.first.map { ",.%/".contains($0) || $0.isWholeNumber } ?? false
    guard groups > 0, !isCutOff, let whole = Int64(all) else { return nil }
    let unit = IngredientLineReader(
      part: behind.drop { " 0123456789.,-–—~〜".contains($0) }
    ).measure
    switch mark {
    case "'", "’": break
    case " ":
      guard let unit, unit.unit.isFine, !unit.isPacked else { return nil }
    default:
      if groups == 1, unit?.unit.isFine != true {
        guard mark == ",", unit?.unit.isMeasured == true, unit?.unit.system == .metric,
          let tenths = Rational(whole).divided(by: Rational(1_000))
        else { return nil }
        rest = behind
        return tenths
      }
    }
    rest = behind
    return Rational(whole)
  }

  /// The known unit that comes next, and whether a package follows it: "2 400 g tins" is not 2400 g.
  private var measure: (unit: KitchenUnit, isPacked: Bool)? {
    guard let (unit, length) = knownUnit() else { return nil }
    let behind = IngredientLineReader(part: rest.dropFirst(length).drop { $0 == " " })
    if let next = behind.knownUnit()?.unit, case .own = next.dimension { return (unit, true) }
    return (unit, false)
  }

  /// Takes "-", or a word that means the same between two amounts.
  private mutating func takeRangeMark() -> Bool {
    var after = rest.drop { $0 == " " }
    if let mark = after.first, "-–—~〜～".contains(mark) {
      after.removeFirst()
    } else if let word = IngredientWords.ranges.first(where: { after.hasPrefix($0 + " ") }) {
      after.removeFirst(word.count)
    } else {
      return false
    }
    rest = after.drop { $0 == " " }
    return true
  }

  /// Requires an amount to end at a space, a bracket, the end of the line or a known unit: "2½l", but not
  /// "3%" or "1-inch".
  private mutating func takeEndOfAmount() -> Bool {
    guard let next = rest.first, next != " ", next != "(" else {
      rest = rest.drop { $0 == " " }
      return true
    }
    guard let (_, length) = knownUnit() else { return false }
    let behind = rest.dropFirst(length).first
    return behind == nil || behind == " " || behind == "(" || behind == "/"
  }

  // MARK: After the food

  /// Takes the quantity at the end of a line, before any notes: "Mehl 500 g", "卵4個", "Flour, 2 cups", "Butter
  /// (100 g)".
  mutating func takeAmountBehind() -> Quantity? {
    for (text, said) in textsBeforeNotes {
      guard let quantity = takeAmount(endOf: text) else { continue }
      lastNotes += [said].compactMap(\.self)
      return quantity
    }
    guard let bracket = rest.trailingBracket else { return nil }
    let (head, said) = (rest[..<bracket], rest[bracket...].dropFirst().dropLast())
    if let quantity = takeAmount(endOf: head) {
      lastNotes.append(String(said).trimmed)
      return quantity
    }
    return takeAmount(said, behind: head)
  }

  /// The prefixes of the line that may end with an amount, each with the note after it. An amount comes
  /// before the second comma, if at all, since no food contains a comma.
  var textsBeforeNotes: [(text: Substring, said: String?)] {
    [(rest, nil)]
      + rest.commas.prefix(2).map { (rest[..<$0], String(rest[$0...].dropFirst()).trimmed) }
  }

  /// Takes the quantity at the end of a text, after a food.
  private mutating func takeAmount(endOf text: Substring) -> Quantity? {
    let text = text.droppingSpace
    for index in Self.beginnings(in: text) {
      if let quantity = takeAmount(text[index...], behind: text[..<index]) { return quantity }
    }
    return nil
  }

  /// The longest amount after a food, in characters. Every possible start is tried, and a foreign line may be
  /// long.
  static let maximumLengthBehind = 80

  /// The positions where an amount at the end of a text may begin, farthest from the end first.
  static func beginnings(in text: Substring) -> [Substring.Index] {
    text.indices.dropFirst().suffix(maximumLengthBehind).filter { index in
      let before = text[text.index(before: index)]
      return before == " " || before == ":"
        || before.isIdeographic && text[index].beginsAmount
    }
  }

  /// Takes a text that is entirely a quantity, after a food.
  private mutating func takeAmount(_ text: Substring, behind food: Substring) -> Quantity? {
    var reader = IngredientLineReader(part: text.droppingSpace)
    guard let quantity = reader.takeWholeQuantity() else { return nil }
    var food = food.droppingSpace
    if food.split(separator: " ").last.map({ $0.lowercased() == "x" || $0 == "×" }) == true {
      food = food.dropLast()
    }
    // "flour, plus 2 tbsp" and "butter, cut into 2" give no amount.
    if food.firstComma != nil, food.last != "," { return nil }
    while let last = food.last, " ,:-–—.…=".contains(last) { food.removeLast() }
    guard food.contains(where: \.isLetter) else { return nil }
    if quantity.unit == nil {
      // The numbers in "Type 405", "WD 40" and "3 in 1" are not amounts.
      let word = food.split(separator: " ").last.map { $0.lowercased() } ?? ""
      guard let amount = quantity.upper ?? quantity.amount, amount <= Rational(36),
        !text.hasPrefix("0") || amount < .one && amount.isPositive,
        !IngredientWords.labels.contains(word)
      else { return nil }
    }
    notes += reader.notes
    rest = food
    return quantity
  }

  /// Takes everything left as one quantity.
  private mutating func takeWholeQuantity() -> Quantity? {
    if let spoon = IngredientWords.unitsBefore.first(where: { rest.hasPrefix($0) }) {
      rest = rest.dropFirst(spoon.count).droppingSpace
      guard var amount = takeNumber() else { return nil }
      if rest.first == "と" {
        rest.removeFirst()
        guard let more = takeNumber(), let sum = amount.adding(more) else { return nil }
        amount = sum
      }
      return rest.isEmpty ? (amount, nil, spoon) : nil
    }
    guard let (amount, upper) = takeAmount() else { return nil }
    if rest.isEmpty { return (amount, upper, nil) }
    guard let (_, length) = knownUnit(), length == rest.count else { return nil }
    return (amount, upper, String(rest))
  }
}

extension KitchenUnit {
  /// Whether a thousand of the unit is a plausible amount in a kitchen, and a thousandth is not.
  fileprivate var isFine: Bool { isMeasured && system == .metric && size <= .one }
}

extension Character {
  /// Whether a number may begin with this character.
  fileprivate var beginsAmount: Bool {
    isNumber || IngredientWords.unitsBefore.contains { $0.first == self }
  }
}
