package import Kitchen
import Values
import Avro

extension GroceryPlan {
  /// A digest of everything that ``lines()`` depends on: a list that was generated under another one is stale (MC-7).
  ///
  /// Sixteen hexadecimal digits of FNV-1a (64 bits) over the canonical bytes of the meals, of the servings and
  /// ingredients of their recipes, and of the pantry, independent of their order.
  package var digest: String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for part in [mealBytes, recipeBytes, pantryBytes] {
      // Counts separate the parts.
      for byte in Int64(part.count).encoded + part.joined() {
        hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
      }
    }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// Whether a text has the form of a ``digest``.
  static func isDigest(_ text: String) -> Bool {
    text.utf8.count == 16 && text.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) }
  }

  private var mealBytes: [[UInt8]] {
    meals.map { $0.key.encoded + $0.recipe.encoded + $0.date.encoded + $0.servings.encoded }.inOrder
  }

  /// The recipes of meals, directly or through other recipes.
  private var recipeBytes: [[UInt8]] {
    var reached: Set<Key> = []
    var open = meals.map(\.recipe)
    while let key = open.popLast() {
      guard let recipe = recipes[key], reached.insert(key).inserted else { continue }
      open += recipe.ingredients.compactMap(\.recipe)
    }
    return reached.compactMap { key in
      recipes[key].map { recipe in
        // Recipes without ranges keep the digests that they had before ranges existed.
        let uppers = recipe.ingredients.enumerated().compactMap { index, ingredient in
          ingredient.upperAmount.map { Int64(index).encoded + $0.encoded }
        }
        return key.encoded + recipe.baseServings.encoded
          + recipe.ingredients.map(DigestedIngredient.init).encoded + uppers.joined()
      }
    }.inOrder
  }

  private var pantryBytes: [[UInt8]] {
    pantry.map { $0.food.foldedName.encoded + $0.amount.encoded + $0.unit.encoded }.inOrder
      + wanted.map { $0.foldedName.encoded }.inOrder
  }

  /// An ingredient in the form of its first schema.
  private struct DigestedIngredient: AvroRecord {
    var ingredient: Ingredient

    init(_ ingredient: Ingredient) { self.ingredient = ingredient }

    static var recordName: String { "DigestedIngredient" }
    static var placeholder: DigestedIngredient { DigestedIngredient(.placeholder) }

    mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
      try visitor.visit("text", &ingredient.text)
      try visitor.visit("amount", &ingredient.amount)
      try visitor.visit("unit", &ingredient.unit)
      try visitor.visit("food", &ingredient.food)
      try visitor.visit("note", &ingredient.note)
      try visitor.visit("category", &ingredient.category)
      try visitor.visit("recipe", &ingredient.recipe)
    }
  }
}

extension [[UInt8]] {
  fileprivate var inOrder: [[UInt8]] { sorted { $0.lexicographicallyPrecedes($1) } }
}
