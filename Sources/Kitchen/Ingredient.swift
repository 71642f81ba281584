public import Values

/// One line of a recipe's ingredients (MC-4): the original text, and the parts understood from it.
///
/// "2¼ l Wasser, kalt" is 9/4, l, Wasser and the note "kalt".
public struct Ingredient: Hashable, Sendable {
  /// The line as it was written.
  public var text: String = ""
  /// The amount, or `nil` when the line gives none.
  public var amount: Rational?
  /// The upper end of a range, above ``amount``; this much is bought.
  public var upperAmount: Rational?
  /// The unit as it was written: "l", "cup", "Prise(n)"; `nil` when whole things are counted.
  public var unit: String?
  /// The food; `nil` when it was not understood, in which case the line is bought as written.
  public var food: String?
  /// Anything else in the line: "chopped", "2-3".
  public var note: String?
  /// The section of the shop, if known.
  public var category: GroceryCategory?
  /// The recipe that this ingredient is, when one recipe uses another; ``amount`` then says how many times it
  /// is made.
  public var recipe: Key?
  /// Further data that a client stored with the ingredient: a JSON object.
  package var extra: String?

  public init(
    text: String, amount: Rational? = nil, upperAmount: Rational? = nil, unit: String? = nil,
    food: String? = nil, note: String? = nil, category: GroceryCategory? = nil, recipe: Key? = nil
  ) {
    self.text = text
    self.amount = amount
    self.upperAmount = upperAmount
    self.unit = unit
    self.food = food
    self.note = note
    self.category = category
    self.recipe = recipe
  }

  /// Whether the upper amount, if there is one, is above the lower.
  package var hasRange: Bool {
    guard let upperAmount else { return true }
    return amount.map { $0 < upperAmount } ?? false
  }

  /// The note without the numbers of a range, which are in the amounts.
  package var noteBesidesRange: String? {
    guard upperAmount != nil, let note else { return note }
    var parts = note.split(separator: ", ")
    let range = parts.firstIndex { part in
      var reader = IngredientLineReader(part: part)
      return reader.takeAmount()?.upper != nil && reader.rest.isEmpty
    }
    if let range { parts.remove(at: range) }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  /// Composes the text of a line whose parts alone are known: "2 l milk, cold".
  package static func words(_ amount: Rational?, _ unit: String?, _ food: String?, _ note: String?)
    -> String
  {
    let words = [amount?.description, unit, food].compactMap(\.self).joined(separator: " ")
    return note.map { "\(words), \($0)" } ?? words
  }

  /// The ingredient named after the recipe that it is, when it has no name of its own.
  package func named(_ title: String) -> Ingredient {
    guard food == nil else { return self }
    var named = self
    named.food = title
    // Unless somebody wrote their own text.
    if text == Self.words(amount, unit, nil, note) {
      named.text = Self.words(amount, unit, title, note)
    }
    return named
  }

  /// The line with its amount multiplied; `nil` when the result does not fit in 64 bits (MC-5). A recipe
  /// without an amount is made once.
  package func scaled(by factor: Rational) -> Ingredient? {
    guard let amount = amount ?? (recipe == nil ? nil : .one) else { return self }
    guard let product = amount.multiplied(by: factor) else { return nil }
    var scaled = self
    scaled.amount = product
    if let upperAmount {
      guard let product = upperAmount.multiplied(by: factor) else { return nil }
      scaled.upperAmount = product
    }
    return scaled
  }
}
