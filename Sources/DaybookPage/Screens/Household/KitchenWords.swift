import Avro
import Daybook
import DaybookAPI
import DaybookStore

/// Amounts and ingredients as a kitchen writes them, in the language of the page.
extension HouseholdVisit {
  /// A number without a unit: "1 ½"; `nil` for none.
  func number(_ json: JSON?) -> String? {
    json.flatMap { Rational(json: $0) }.map { language.number($0.kitchenForm) }
  }

  /// A number for a field of a form, in which it can be read again: "1.5", "1/3".
  static func written(_ json: JSON?) -> String {
    switch json {
    case .number(let text), .string(let text): text
    default: ""
    }
  }

  /// An amount of a row with `quantity` and `unit`: "1.5 kg"; `nil` when it gives no number.
  func amount(_ row: JSON) -> String? {
    guard let amount = row["quantity"].flatMap({ Rational(json: $0) }) else { return nil }
    let unit = row["unit"]?.text ?? ""
    let shown = Quantity(amount, unit).shown
    // Only the number is written as the language writes it: the unit is people's own.
    guard !unit.isEmpty else { return language.number(shown) }
    let number = String(
      String.UnicodeScalarView(
        shown.unicodeScalars.dropLast(unit.unicodeScalars.count + 1)))
    return "\(language.number(number)) \(unit)"
  }

  /// All amounts of a grocery line: "200 g and 1 cup", "2 g and some"; `nil` when it gives none.
  func amounts(_ line: JSON) -> String? {
    let others = (line["others"]?.elements ?? []).map { amount($0) ?? say("amount.some") }
    let all = [amount(line)].compactMap(\.self) + others
    guard let last = all.last else { return nil }
    let before = all.dropLast().joined(separator: ", ")
    return before.isEmpty ? last : say("amount.and", ["first": before, "last": last])
  }

  /// The ingredients of a recipe's row.
  ///
  /// - Parameters:
  ///   - recipe: The row.
  ///   - isScaled: Whether its amounts are those of other servings. If they are not, each ingredient is shown as it was written.
  /// - Returns: For each ingredient its amount, its words, and its text as it was written where numbers in it were not scaled.
  func ingredients(_ recipe: JSON, isScaled: Bool) -> [Fields] {
    recipe.ingredients(visit).map { ingredient in
      let asWritten: Fields = [
        "amount": Nothing(), "words": ingredient.text, "as_written": Nothing(),
      ]
      guard isScaled else { return asWritten }
      let hasNumbers = { (text: String) in text.contains(where: \.isNumber) }
      // "1 kg" has no food, but is understood completely.
      let isUnderstood = ingredient.food != nil || Ingredient(parsing: ingredient.text).food == nil
      guard let amount = ingredient.amount, isUnderstood else {
        guard hasNumbers(ingredient.text) else { return asWritten }
        return [
          "amount": Nothing(), "words": ingredient.text, "as_written": say("recipe.as_written"),
        ]
      }
      let range = [amount, ingredient.upperAmount].compactMap(\.self)
        .map { language.number($0.kitchenForm) }.joined(separator: "–")
      let note = ingredient.noteBesidesRange
      let keepsNumbers = note.map(hasNumbers) ?? false
      let words = [ingredient.food, keepsNumbers ? nil : note].compactMap(\.self)
      return [
        "amount": [range, ingredient.unit].compactMap(\.self).joined(separator: " "),
        "words": words.joined(separator: ", "),
        "as_written": keepsNumbers
          ? say("recipe.as_written_text", ["text": ingredient.text]) : Nothing() as Any,
      ]
    }
  }
}

extension JSON {
  /// The ingredients of a recipe's row.
  func ingredients(_ visit: Visit) -> [Ingredient] {
    visit.service.api.book.read { state in
      (self["ingredients"]?.elements ?? []).compactMap { try? Ingredient(json: $0, state) }
    }
  }

  /// The steps of a recipe's row.
  func steps(_ visit: Visit) -> [RecipeStep] {
    visit.service.api.book.read { state in
      (self["steps"]?.elements ?? []).compactMap { try? RecipeStep(json: $0, state) }
    }
  }
}

extension String {
  /// The text on one line, as a field of lines shows it.
  var line: String { split(whereSeparator: \.isNewline).joined(separator: " ").trimmed }
}
