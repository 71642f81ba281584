import Values
public import Kitchen
public import Avro

/// An ingredient may be given as a line of text, or by its parts; it is written by its parts.
extension Ingredient {
  /// "a line of text, or an object of quantity, upper_quantity, unit, name, category, note, recipe_id, text, extra".
  public static var jsonWords: String {
    "a line of text, or an object of quantity, upper_quantity, unit, name, category, note, "
      + "recipe_id, text, extra"
  }

  /// A line, or an object of parts, all of them optional.
  public static var jsonSchema: JSON {
    [
      "anyOf": [
        ["type": "string"],
        [
          "type": "object",
          "properties": [
            "text": String?.jsonSchema, "quantity": Rational?.jsonSchema,
            "upper_quantity": Rational?.jsonSchema,
            "unit": String?.jsonSchema, "name": String?.jsonSchema, "note": String?.jsonSchema,
            "category": GroceryCategory?.jsonSchema, "recipe_id": Key?.jsonSchema,
            "extra": ["type": ["object", "null"]],
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

  /// The names of the parts.
  package static let partNames: Set<String> = [
    "text", "quantity", "upper_quantity", "unit", "name", "note", "category", "recipe_id",
  ]

  /// Reads a line, or its parts.
  ///
  /// - Throws: ``JSONFault/form`` when it is neither.
  public init(json: JSON, _ keys: some EntityKeys) throws(JSONFault) {
    if let line = json.text {
      self.init(parsing: line)
      return
    }
    guard let members = json.members,
      members.allSatisfy({ Self.partNames.contains($0.name) || $0.name == "extra" })
    else { throw .form }
    let text: String? = try json.part("text", keys)
    if let text, members.count == 1 {
      self.init(parsing: text)
      return
    }
    self.init(
      text: "", amount: try json.part("quantity", keys),
      upperAmount: try json.part("upper_quantity", keys), unit: try json.part("unit", keys),
      food: try json.part("name", keys), note: try json.part("note", keys),
      category: try json.part("category", keys), recipe: try json.part("recipe_id", keys))
    self.text = text ?? Self.words(amount, unit, food, note)
    if let extra = json["extra"], extra != .null {
      guard let members = extra.members else { throw .form }
      self.extra = members.isEmpty ? nil : extra.canonicalText
    }
  }

  /// The members that a client wrote besides the known parts.
  package var extraMembers: [JSON.Member] {
    extra.flatMap { try? JSON(parsing: $0) }?.members ?? []
  }

  /// Its parts, as in a recipe's row; the upper amount, and the client's other members, only if there are any.
  public func json(_ keys: some EntityKeys) -> JSON {
    var parts: [JSON.Member] = [
      .init("text", .string(text)), .init("quantity", amount.json(keys)),
      .init("unit", unit.json(keys)), .init("name", food.json(keys)),
      .init("note", note.json(keys)), .init("category", category.json(keys)),
      .init("recipe_id", recipe.json(keys)),
    ]
    if let upperAmount { parts.append(.init("upper_quantity", upperAmount.json)) }
    if extra != nil { parts.append(.init("extra", .object(extraMembers))) }
    return .object(parts)
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
