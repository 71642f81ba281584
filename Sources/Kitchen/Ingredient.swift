public import Values

/// One line of a recipe's ingredients (MC-4): as it was written, and what could be understood of it.
///
/// "2¼ l Wasser, kalt" is 9/4, l, Wasser and the note "kalt".
public struct Ingredient: Hashable, Sendable {
  /// The line as it was written.
  public var text: String = ""
  /// How much; nothing when the line does not say.
  public var amount: Rational?
  /// How much at most, above ``amount``, where the line says from how much to how much: so much is bought.
  public var upperAmount: Rational?
  /// Of what measure, as it was written: "l", "cup", "Prise(n)"; nothing when whole things are counted.
  public var unit: String?
  /// Which food; nothing when that was not understood, and then the line is bought as it stands.
  public var food: String?
  /// What else was said: "chopped", "2-3".
  public var note: String?
  /// Where in a shop it is found, if that is known.
  public var category: GroceryCategory?
  /// The recipe that this is, when one is used in another: ``amount`` is how many times it is made.
  public var recipe: Key?
  /// What a client wrote of it besides these parts: the JSON of an object.
  package var extra: String?

  /// An ingredient of these parts.
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

  /// Whether an upper amount, if there is one, is above the other.
  package var hasRange: Bool {
    guard let upperAmount else { return true }
    return amount.map { $0 < upperAmount } ?? false
  }

  /// What else was said, without the numbers of a range: they are in the amounts.
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

  /// The words of a line of which only the parts are known: "2 l milk, cold".
  package static func words(_ amount: Rational?, _ unit: String?, _ food: String?, _ note: String?)
    -> String
  {
    let words = [amount?.description, unit, food].compactMap(\.self).joined(separator: " ")
    return note.map { "\(words), \($0)" } ?? words
  }

  /// The ingredient under the title of the recipe that it is, when it has no name of its own.
  package func named(_ title: String) -> Ingredient {
    guard food == nil else { return self }
    var named = self
    named.food = title
    // Unless somebody wrote a line of their own.
    if text == Self.words(amount, unit, nil, note) {
      named.text = Self.words(amount, unit, title, note)
    }
    return named
  }

  /// The same line with its amount multiplied; `nil` when that leaves 64 bits (MC-5). A recipe is made once when
  /// nothing is said.
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
