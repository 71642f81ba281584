import Values
public import Kitchen
public import Avro

/// An ingredient is said as a line of text, or by its parts; it is told by its parts.
extension Ingredient {
  /// "a line of text, or an object of quantity, unit, name, category, note, recipe_id, text".
  public static var jsonWords: String {
    "a line of text, or an object of quantity, unit, name, category, note, recipe_id, text"
  }

  /// A line, or an object of parts none of which must be there.
  public static var jsonSchema: JSON {
    [
      "anyOf": [
        ["type": "string"],
        [
          "type": "object",
          "properties": [
            "text": String?.jsonSchema, "quantity": Rational?.jsonSchema,
            "unit": String?.jsonSchema, "name": String?.jsonSchema, "note": String?.jsonSchema,
            "category": GroceryCategory?.jsonSchema, "recipe_id": Key?.jsonSchema,
          ],
          "additionalProperties": false,
        ],
      ]
    ]
  }

  /// Two eggs, and salt.
  public static var examples: (Ingredient, Ingredient) {
    (Ingredient(parsing: "2 eggs"), Ingredient(parsing: "salt"))
  }

  private static let names: Set<String> = [
    "text", "quantity", "unit", "name", "note", "category", "recipe_id",
  ]

  /// Reads a line, or its parts.
  ///
  /// - Throws: ``JSONFault/form`` when it is neither.
  public init(json: JSON, _ keys: some EntityKeys) throws(JSONFault) {
    if let line = json.text {
      self.init(parsing: line)
      return
    }
    guard let members = json.members, members.allSatisfy({ Self.names.contains($0.name) }) else {
      throw .form
    }
    let text: String? = try json.part("text", keys)
    if let text, members.count == 1 {
      self.init(parsing: text)
      return
    }
    self.init(
      text: "", amount: try json.part("quantity", keys), unit: try json.part("unit", keys),
      food: try json.part("name", keys), note: try json.part("note", keys),
      category: try json.part("category", keys), recipe: try json.part("recipe_id", keys))
    self.text = text ?? Self.words(amount, unit, food, note)
  }

  /// Its parts, as a recipe's row has them.
  public func json(_ keys: some EntityKeys) -> JSON {
    [
      "text": .string(text), "quantity": amount.json(keys), "unit": unit.json(keys),
      "name": food.json(keys), "note": note.json(keys), "category": category.json(keys),
      "recipe_id": recipe.json(keys),
    ]
  }
}

extension JSON {
  /// A member that may be absent or null.
  fileprivate func part<Value: JSONForm>(
    _ name: String, _ keys: some EntityKeys
  ) throws(JSONFault) -> Value? {
    try Value?(json: self[name] ?? .null, keys)
  }
}
