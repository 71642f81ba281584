import Avro

/// Reads the fields of a schema.org Recipe in the forms that pages use, and remembers which it could not
/// read.
struct RecipeReader {
  private let json: JSON
  private let records: Set<String>
  private var taken: Set<String> = []
  private var misread: Set<String> = []

  /// Reads from an object.
  ///
  /// - Parameters:
  ///   - json: The object.
  ///   - records: The members that do not describe the dish, and are not reported as left out.
  init(_ json: JSON, passingOver records: Set<String> = []) {
    self.json = json
    self.records = records
  }

  /// The members that were not asked for or could not be read. Empty members, and those that only describe
  /// the data, are not listed.
  var leftOut: [String] {
    (json.members ?? []).filter { member in
      let isOfInterest =
        !taken.contains(member.name) && !member.name.hasPrefix("@")
        && !records.contains(member.name)
      let isEmpty = [.null, "", [], .object([])].contains(member.value)
      return misread.contains(member.name) || (isOfInterest && !isEmpty)
    }.map { "\($0.name) (\($0.value.kind))" }
  }

  /// The first of the named members that is present.
  private mutating func member(_ names: [String]) -> (name: String, value: JSON)? {
    for name in names {
      guard let value = json[name], value != .null, value != "" else { continue }
      taken.insert(name)
      return (name, value)
    }
    return nil
  }

  /// Marks members as read, or as adding nothing.
  mutating func markRead(_ names: String...) { taken.formUnion(names) }

  // MARK: One value

  /// The text of the first member present: a string or a number, the first text of a list, or an object's
  /// name.
  mutating func text(_ names: String...) -> String? {
    guard let (name, value) = member(names) else { return nil }
    let text = value.plainTexts.first
    if text == nil { misread.insert(name) }
    return text
  }

  /// The address in the first member that contains one.
  mutating func address(_ names: String...) -> String? {
    for name in names {
      guard let (_, value) = member([name]) else { continue }
      let texts = [value, value.elements?.first, value["@id"], value["url"]].compactMap { $0?.text }
      if let address = texts.first(where: { $0.hasPrefix("http://") || $0.hasPrefix("https://") }) {
        return address
      }
    }
    return nil
  }

  /// The minutes of a duration in ISO 8601 or everyday form, rounded up.
  mutating func minutes(_ names: String...) -> Int32? {
    guard let (name, value) = member(names) else { return nil }
    let texts = value.plainTexts
    let read = { (text: String) in DurationText.minutes(text) ?? DurationText.saidMinutes(text) }
    guard let minutes = texts.lazy.compactMap(read).first else {
      misread.insert(name)
      return nil
    }
    return minutes
  }

  /// The number of servings: "4 servings", "Serves 4–6", "1 tart, serves ten", 4, ["4", "4 servings"]. Other
  /// text, such as "12 cookies", goes to the notes.
  mutating func servings(_ names: String..., notes: inout [String]) -> Rational? {
    guard let (name, value) = member(names) else { return nil }
    let texts = (value["value"] ?? value).plainTexts
    let numbers = texts.compactMap(\.servings).filter(\.isPositive)
    if let said = texts.first(where: { !$0.saysServings }) { notes.append("Yield: \(said)") }
    if texts.isEmpty { misread.insert(name) }
    return numbers.first
  }

  // MARK: Many values

  /// The lines of a list of texts, or of one text with line breaks.
  mutating func lines(_ names: String...) -> [String] {
    guard let (name, value) = member(names) else { return [] }
    let elements = value.elements ?? [value]
    let lines = elements.flatMap { $0.text?.plainLines ?? $0.plainTexts.flatMap(\.plainLines) }
    if lines.isEmpty && !elements.isEmpty { misread.insert(name) }
    return lines
  }

  /// The keywords in all of the members, each once: lists, or one text with commas.
  mutating func words(_ names: String...) -> [String] {
    var words: [String] = []
    var known: Set<String> = []
    for name in names {
      guard let (_, value) = member([name]) else { continue }
      for text in (value.elements ?? [value]).flatMap(\.plainTexts) {
        for word in text.split(separator: ",") {
          let word = String(word).foldedSpaces
          if !word.isEmpty, known.insert(word.foldedName).inserted { words.append(word) }
        }
      }
    }
    return words
  }

  /// The steps in order: texts, HowToStep, or HowToSection, whose name becomes a step that ends with a colon.
  mutating func steps(_ names: String...) -> [String] {
    guard let (name, value) = member(names) else { return [] }
    var steps: [String] = []
    if !collectSteps(from: value, into: &steps) { misread.insert(name) }
    return steps
  }

  /// The steps or notes of Mealie: objects with a `text` and an optional `title`, which becomes a line that
  /// ends with a colon.
  mutating func mealieSteps(_ names: String...) -> [String] {
    guard let (name, value) = member(names) else { return [] }
    var steps: [String] = []
    for element in value.elements ?? [value] {
      if let title = element["title"]?.text?.plainText, !title.isEmpty {
        steps.append(title.hasSuffix(":") ? title : title + ":")
      }
      steps += (element["text"] ?? element).text?.plainLines ?? []
    }
    if steps.isEmpty, value != [] { misread.insert(name) }
    return steps
  }

  /// Appends the steps in a value; returns whether all of it was understood.
  private func collectSteps(from value: JSON, into steps: inout [String]) -> Bool {
    switch value {
    case .string(let text):
      steps += text.plainLines
      return true
    case .array(let elements):
      return elements.map { collectSteps(from: $0, into: &steps) }.allSatisfy(\.self)
    case .object:
      let parts = value["itemListElement"] ?? value["steps"] ?? value["item"]
      let isSection = value.schemaTypes.contains("HowToSection")
      if let name = value["name"]?.text?.plainText, isSection, !name.isEmpty {
        steps.append(name.hasSuffix(":") ? name : name + ":")
      }
      if let text = value["text"] ?? (isSection || parts != nil ? nil : value["name"]) {
        return collectSteps(from: text, into: &steps)
      }
      return parts.map { collectSteps(from: $0, into: &steps) } ?? false
    default: return false
    }
  }
}

extension JSON {
  /// The texts in a value, without markup: its own, those of its elements, or its name or text.
  fileprivate var plainTexts: [String] {
    switch self {
    case .string(let text): [text.plainText].filter { !$0.isEmpty }
    case .number(let text): [text]
    case .array(let elements): elements.flatMap(\.plainTexts)
    case .object: (self["name"] ?? self["text"] ?? self["@value"])?.plainTexts ?? []
    case .null, .bool: []
    }
  }
}

extension String {
  /// Whether the text gives only the number of servings.
  fileprivate var saysServings: Bool {
    Rational.first(in: self) != nil
      && lowercased().split { !$0.isLetter }.map(String.init).allSatisfy {
        ServingWords.of.contains($0) || ServingWords.between.contains($0)
      }
  }

  /// The number of servings in the text: a number on its own, or next to a word for servings.
  fileprivate var servings: Rational? {
    if saysServings || !contains(where: \.isLetter) { return Rational.first(in: self) }
    let words = lowercased().split { $0.isWhitespace || "():;!".contains($0) }
    let letters = words.map { $0.filter(\.isLetter) }
    let numbers = zip(words, letters).map { word, letters in
      // "serves a crowd": an article is not a number.
      Rational.first(in: word)
        ?? IngredientWords.numbers[letters].flatMap { $0 > 1 ? Rational($0) : nil }
    }
    for (place, word) in letters.enumerated() where ServingWords.of.contains(word) {
      // "4 generous servings": one word may stand between.
      let after = [place + 1, place + 2]
      let before = ServingWords.verbs.contains(word) ? [] : [place - 1, place - 2]
      let near = (before + after).filter(numbers.indices.contains)
      if let number = near.lazy.compactMap({ numbers[$0] }).first { return number }
    }
    return nil
  }
}

/// Words for servings, in the languages of ``IngredientWords``.
private enum ServingWords {
  /// Words that come only before the number.
  static let verbs: Set<String> = ["serves", "serve", "feeds"]

  static let of: Set<String> = [
    "serves", "serve", "serving", "servings", "portion", "portions", "people", "person", "persons",
    "feeds", "eaters", "portionen", "personen", "esser", "personnes", "personne",
    "porzione", "porzioni", "persone", "persona", "personas", "porción", "porciones", "raciones",
    "ración", "comensales", "porties", "portie", "portioner", "personer", "porções",
    "porção", "pessoas", "pessoa",
  ]

  static let between = Set(
    [
      "for", "für", "pour", "per", "para", "voor", "för", "yield", "yields", "and", "und",
    ] + IngredientWords.ranges)
}
